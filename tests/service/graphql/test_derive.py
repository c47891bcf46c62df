"""GraphQL types are derived from Structs: every kind of hint, names, descriptions, and what is refused."""

from typing import Any

import msgspec
import pytest
import strawberry
from strawberry.schema.config import StrawberryConfig

from domain.core.table import Opened, Started
from domain.games import GAMES
from service.graphql.derive import Deriver
from service.graphql.games import Types, derive
from service.graphql.hints import or_null
from service.graphql.inputs import Inputs
from service.graphql.scalars import SCALAR_MAP
from tests.service.graphql import words
from tests.service.graphql.sdl import conflicts


def build(types: Types, value: Any = None, got: list[Any] | None = None) -> strawberry.Schema:
    """A schema that shows `value` as event and view of the invented game, and keeps the commands it is sent."""
    inn = types.games["inn_game"]

    def event() -> Any:
        return value

    def act(command: Any) -> bool:
        assert got is not None
        got.append(inn.read_command(command))
        return True

    event.__annotations__ = {"return": or_null(inn.event)}
    act.__annotations__ = {"command": inn.command_input, "return": bool}
    fields: dict[str, Any] = {"event": strawberry.field(resolver=event), "act": strawberry.field(resolver=act)}
    shown = {
        "view": or_null(inn.view),
        "commands": or_null(list[inn.command]),
        "table": or_null(types.table_event),
    }
    query = strawberry.type(type("Query", (), {"__annotations__": shown, **fields}))
    return strawberry.Schema(query, config=StrawberryConfig(scalar_map=SCALAR_MAP))


@pytest.fixture(scope="module")
def types() -> Types:
    return derive({"inn_game": words.GAME})


def sdl(types: Types) -> str:
    return build(types).as_str()


def block(text: str, head: str) -> str:
    """The definition that starts with this line."""
    return text[text.index(f"\n{head}") + 1 :].split("\n}", 1)[0]


def test_types_carry_the_name_of_the_game_and_those_of_the_core_do_not(types: Types) -> None:
    text = sdl(types)
    for name in ("type InnGamePlayed {", "type InnGameView {", "enum InnGameSuit {", "type Seated {", "type Outcome {"):
        assert f"\n{name}" in text
    assert "union InnGameEvent = InnGamePlayed | InnGamePassed | InnGameShown" in text
    assert "union InnGameCommand = InnGamePlay | InnGamePass" in text


def test_every_hint_has_its_graphql_type(types: Types) -> None:
    played = block(sdl(types), "type InnGamePlayed {")
    for line in (
        "seat: Int!",
        "faceUp: Boolean!",
        "cards: [InnGameCard!]",
        "pairs: [[Int!]!]!",
        "grid: [[InnGameCard]!]!",
        "counts: [IntEntry!]!",
        "bySeat: [InnGameBySeatEntry!]!",
        "names: [String!]!",
        "kept: [InnGameCard!]!",
        "reason: InnGameReason!",
        "size: Int!",
        "codes: String!",
        "boxed: InnGameIntBox!",
        "anything: JSON!",
    ):
        assert f"  {line}\n" in f"{played}\n"


def test_inputs_are_one_of_with_defaults_and_a_flag_for_commands_without_fields(types: Types) -> None:
    text = sdl(types)
    assert "pass: Yes" in block(text, "input InnGameCommandInput @oneOf {")
    play = block(text, "input InnGamePlayInput {")
    assert "cards: [InnGameCardInput!]!" in play
    assert "faceDown: Boolean! = false" in play
    assert "for: InnGameFor! = GOLD" in play
    assert "payment: InnGamePaymentInput = null" in play
    assert "rank: InnGameRank! = LOW" in block(text, "input InnGameCardInput {")
    assert "input InnGamePaymentInput @oneOf {" in text


def test_descriptions_come_from_docstrings_and_notes_in_graphql_s_own_words(types: Types) -> None:
    text = sdl(types)
    assert "Cards were played; null of them may be hidden, faceUp says whether they are." in text
    assert '"""How high it is."""' in text
    assert "everybody but the seat in `seat`" in text
    assert "What the seat's last `Played` hid in `cards`." in text
    assert "Hidden from the other seats" in text


def test_domain_objects_are_shown_as_they_are(types: Types) -> None:
    query = """{ event { __typename ... on InnGamePlayed {
        seat faceUp cards { suit rank } pairs grid { suit } counts { key value } bySeat { key value { suit } }
        names kept { suit } reason size codes boxed { content } inner { content { suit } } anything } } }"""
    result = build(types, words.PLAYED).execute_sync(query)
    assert result.errors is None
    assert result.data == {
        "event": {
            "__typename": "InnGamePlayed",
            "seat": 1,
            "faceUp": True,
            "cards": [{"suit": "COINS", "rank": "HIGH"}],
            "pairs": [[1, 2], [3, 4]],
            "grid": [[{"suit": "COINS"}, None], [None]],
            "counts": [{"key": "b", "value": 1}, {"key": "a", "value": 2}],
            "bySeat": [{"key": "0", "value": {"suit": "COINS"}}],
            "names": ["a", "m", "z"],
            "kept": [{"suit": "CUPS"}, {"suit": "COINS"}],
            "reason": "GLORY",
            "size": 2,
            "codes": "a-b",
            "boxed": {"content": 7},
            "inner": {"content": None},
            "anything": {"x": [1, None]},
        }
    }


def test_a_closed_field_is_null_and_an_event_without_fields_has_happened(types: Types) -> None:
    closed = msgspec.structs.replace(words.PLAYED, cards=None)
    query = "{ event { ... on InnGamePlayed { cards { suit } } ... on InnGamePassed { happened } } }"
    assert build(types, closed).execute_sync(query).data == {"event": {"cards": None}}
    assert build(types, words.Passed()).execute_sync(query).data == {"event": {"happened": True}}


@pytest.mark.parametrize(
    ("sent", "command"),
    [
        ("{pass: YES}", words.Pass()),
        ("{play: {cards: []}}", words.Play(())),
        (
            '{play: {cards: [{suit: CUPS, rank: HIGH}, {suit: COINS}], faceDown: true, for: GLORY, note: "n"}}',
            words.Play(
                (words.Card(words.Suit.CUPS, words.Rank.HIGH), words.Card(words.Suit.COINS)), True, "glory", note="n"
            ),
        ),
        ("{play: {cards: [], payment: {byHand: {coins: 3}}}}", words.Play((), payment=words.ByHand(3))),
        ("{play: {cards: [], payment: {onCredit: YES}}}", words.Play((), payment=words.OnCredit())),
        (
            '{play: {cards: [], counts: [{key: "a", value: 2}], marks: ["x", "y"]}}',
            words.Play((), counts={"a": 2}, marks=frozenset({"x", "y"})),
        ),
    ],
)
def test_an_input_is_read_as_the_very_command(types: Types, sent: str, command: Any) -> None:
    got: list[Any] = []
    result = build(types, got=got).execute_sync(f"{{ act(command: {sent}) }}")
    assert result.errors is None
    assert msgspec.convert(got[0], words.GAME.command) == command
    listed = msgspec.json.decode(msgspec.json.encode(command))
    assert msgspec.convert(listed, words.GAME.command) == msgspec.convert(got[0], words.GAME.command)


@pytest.mark.parametrize("sent", ["{}", "{pass: YES, play: {cards: []}}", "{pass: null}", "{pass: true}", "{pass: NO}"])
def test_exactly_one_command_is_sent(types: Types, sent: str) -> None:
    got: list[Any] = []
    result = build(types, got=got).execute_sync(f"{{ act(command: {sent}) }}")
    assert result.errors
    assert got == []


def test_no_state_is_shown(types: Types) -> None:
    assert "State" not in sdl(types)
    derived = {cls for game in types.games.values() for cls in game.deriver.classes}
    assert words.State not in derived


def test_events_of_the_table_are_the_same_in_every_game(types: Types) -> None:
    schema = build(types)

    class Root:
        table = Started((0, 1))

    query = "{ table { __typename ... on Started { contributors } } }"
    assert schema.execute_sync(query, root_value=Root()).data == {
        "table": {"__typename": "Started", "contributors": [0, 1]}
    }
    assert types.games["inn_game"].deriver.struct(Opened) is types.games["inn_game"].deriver.shared.struct(Opened)


def test_in_a_union_one_field_name_has_one_type(types: Types) -> None:
    assert conflicts(sdl(types)) == []


def test_two_types_under_one_field_name_are_found() -> None:
    found = conflicts("type A { x: Int! } type B { x: Int } union U = A | B type Query { u: U }")
    assert found == ["U.x: A has Int!, B has Int"]


class Holder(msgspec.Struct):
    """Holds itself."""

    other: "Holder | None" = None


class Floats(msgspec.Struct):
    """Has a float."""

    x: float


class Mixed(msgspec.Struct):
    """Has a mixed tuple."""

    x: tuple[int, str]


class Keys(msgspec.Struct):
    """Has keys that are no strings."""

    x: dict[int, int]


@pytest.mark.parametrize(
    ("cls", "why"),
    [(Holder, "holds itself"), (Floats, "no GraphQL type"), (Mixed, "mixes types"), (Keys, "not strings")],
)
def test_what_graphql_cannot_say_is_refused_when_the_schema_is_built(cls: type, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        Deriver("X").struct(cls)


def test_two_things_under_one_name_are_refused() -> None:
    deriver = Deriver("X")
    deriver.struct(words.Card)
    other = type("Card", (msgspec.Struct,), {"__annotations__": {"x": int}, "__module__": __name__})
    with pytest.raises(TypeError, match="stand for both"):
        deriver.struct(other)
    with pytest.raises(TypeError, match="is none"):
        Inputs(deriver).one_of((int,), "Bad")


def test_every_game_that_there_is_can_be_said_in_graphql() -> None:
    types = derive(GAMES.current)
    assert set(types.games) == set(GAMES.current)
