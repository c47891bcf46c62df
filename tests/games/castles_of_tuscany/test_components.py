"""What is in the box, and the options that pick from it."""

import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany.board import BOX, open_box
from domain.castles_of_tuscany.options import LAPS_MAX, Options, data, pick
from domain.castles_of_tuscany.region import LOCAL
from domain.castles_of_tuscany.state import MARBLE, STACK_TILES, STACKS, WILD_HEXES, WORKERS
from domain.castles_of_tuscany.words import BONUSES, KINDS, START_CASTLE, Bonus, Kind, Track
from domain.core.canonical import canonical
from domain.core.errors import Illegal
from tests.games.castles_of_tuscany.table import ORACLES, given
from tests.support.play import setup_of

DATA = data(Options(), 4)
TOTALS = ORACLES["totals"]
TEXT = files("domain.castles_of_tuscany").joinpath("components.toml").read_text("utf-8")


@pytest.mark.rule("R2.1", "R2.2", "R2.3", "R2.4", "R2.10")
def test_tiles() -> None:
    for kind, (own, neutral, _spaces, _cards) in ORACLES["kinds"].items():
        tiles = [tile for tile in DATA.tiles if tile.kind == kind]
        assert (sum(tile.own for tile in tiles), sum(tile.neutral for tile in tiles)) == (own, neutral), kind
    own_tiles, neutral_tiles = (sum(getattr(tile, pile) for tile in DATA.tiles) for pile in ("own", "neutral"))
    assert own_tiles == TOTALS["stacked_tiles_per_player"] == STACKS * STACK_TILES
    assert own_tiles + 1 == TOTALS["hex_tiles_per_player"]
    assert neutral_tiles == TOTALS["neutral_tiles"]
    assert 4 * (own_tiles + 1) + neutral_tiles == TOTALS["hex_tiles"]
    state = given(4)
    assert [player.cover.count(START_CASTLE) for player in state.players] == [1] * 4
    assert all(START_CASTLE not in player.undrawn for player in state.players)


@pytest.mark.rule("R9.4")
def test_crops() -> None:
    faces = {tile.id.partition(":")[2]: tile for tile in DATA.tiles if tile.kind is Kind.AGRICULTURE}
    assert {
        name: {"crops": list(tile.crops), "own": tile.own, "neutral": tile.neutral} for name, tile in faces.items()
    } == ORACLES["faces"]


@pytest.mark.rule("R2.5", "R13.3")
def test_cards() -> None:
    assert dict(zip(KINDS, DATA.region_cards, strict=True)) == {kind: v[3] for kind, v in ORACLES["kinds"].items()}
    assert sum(DATA.region_cards) == TOTALS["region_cards"]
    found = {c.id: {"count": c.count, "gain": c.gain, "amount": c.amount} for c in DATA.production}
    assert found == ORACLES["production_cards"]
    assert sum(card.count for card in DATA.production) == TOTALS["production_cards"]


@pytest.mark.rule("R2.6", "R3.2", "R10.1", "R11.5")
def test_bonus_tiles_and_colour_bonuses() -> None:
    state = given()
    assert dict.fromkeys(BONUSES, DATA.bonus_tiles) == ORACLES["bonus_tiles"]
    assert sum(GAME.blank(state.setup).bonus_supply) == TOTALS["bonus_tiles"]
    found = {bonus.kind: [bonus.first, bonus.second] for bonus in DATA.colour_bonuses}
    assert found == ORACLES["colour_bonuses"]
    assert len(found) == TOTALS["colour_bonus_tiles"]
    assert state.colour_sides == (0,) * 8


@pytest.mark.rule("R2.7", "R4.1")
def test_boards() -> None:
    assert len(DATA.boards) == TOTALS["region_boards"]
    for board in DATA.boards:
        wanted = [space.split() for space in ORACLES["boards"][board.id]]
        assert [[str(q), str(r), kind.value] for (q, r), kind in zip(LOCAL, board.spaces, strict=True)] == wanted
        assert board.stack == board.id[0]
    for numbers in ("111", "234", "442", "313"):
        ids = [letter + number for letter, number in zip("ABC", numbers, strict=True)]
        spaces = Counter(kind for board in DATA.boards if board.id in ids for kind in board.spaces)
        assert spaces == {kind: v[2] for kind, v in ORACLES["kinds"].items()}


@pytest.mark.rule("R2.8", "R3.3")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_supplies_do_not_depend_on_seats(seats: int) -> None:
    state = GAME.blank(setup_of(GAME, seats))
    assert (state.marble, state.workers, state.wild_hexes) == (MARBLE, WORKERS, WILD_HEXES)
    assert (TOTALS["marble"], TOTALS["workers"], TOTALS["wild_hexes"]) == (MARBLE, WORKERS, WILD_HEXES)


@pytest.mark.rule("R2.9", "R3.6")
def test_points_start_at_nothing_and_have_no_upper_end() -> None:
    state = given(4)
    assert [(player.green, player.red) for player in state.players] == [(0, 0)] * 4
    view = GAME.view(msgspec.structs.replace(state, players=(state.players[0],) * 4), 0)
    assert view.players[3].green == 0


@pytest.mark.rule("R17")
def test_defaults() -> None:
    assert Options() == Options(
        base_cards=2,
        lenient_shifts=False,
        lap_limit=150,
        boards="standard",
        card_split="by_spaces",
        production_faces="standard",
        crops="ring",
        bonus_values="by_spaces",
    )


@pytest.mark.rule("R17")
def test_every_option_says_what_it_is_and_whose() -> None:
    for field in msgspec.inspect.type_info(Options).fields:  # type: ignore[union-attr, attr-defined]
        meta: Any = field.type
        assert isinstance(meta, msgspec.inspect.Metadata), field.name
        assert meta.extra_json_schema["description"]  # type: ignore[index]
        assert meta.extra["rule"] in GAME.rulebook  # type: ignore[index]
        assert meta.extra["origin"] in {"published", "own", "house"}  # type: ignore[index]


@pytest.mark.rule("R17", "K7")
@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"base_cards": 1}, "R6.1"),
        ({"base_cards": 4}, "R6.1"),
        ({"lap_limit": 9}, "K7"),
        ({"lap_limit": LAPS_MAX + 1}, "K7"),
        ({"boards": "printed"}, "R2.7"),
        ({"card_split": ""}, "R2.5"),
        ({"production_faces": "none"}, "R13.3"),
        ({"crops": "square"}, "R9.4"),
        ({"bonus_values": "high"}, "R11.5"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], rule: str) -> None:
    with pytest.raises(Illegal) as caught:
        data(Options(**options), 2)
    assert (caught.value.code, caught.value.rule) == ("bad_options", rule)
    assert caught.value.message
    assert caught.value.hint


@pytest.mark.rule("R17")
@pytest.mark.parametrize("options", [{"base_cards": 3}, {"lap_limit": 10}, {"lap_limit": LAPS_MAX}])
def test_options_at_their_bounds_are_accepted(options: dict[str, Any]) -> None:
    assert data(Options(**options), 2) == DATA
    assert GAME.bound(setup_of(GAME, 2, **options)) < 2**31


@pytest.mark.rule("R2.2")
@pytest.mark.parametrize("seats", [1, 5, 0, -1])
def test_two_to_four_seats(seats: int) -> None:
    with pytest.raises(Illegal) as caught:
        data(Options(), seats)
    assert (caught.value.code, caught.value.rule) == ("bad_options", "R2.2")


@pytest.mark.rule("R2.5", "R11.5")
def test_other_named_sets() -> None:
    even = data(Options(card_split="even"), 2)
    assert sorted(even.region_cards) == [15] * 6 + [16] * 2
    green = data(Options(bonus_values="green_storage"), 2)
    assert (green.storage_points, green.storage_track) == (2, Track.GREEN)
    assert (DATA.storage_points, DATA.storage_track) == (2, Track.RED)
    assert green.colour_bonuses == DATA.colour_bonuses
    assert even.boards == green.boards == DATA.boards


@pytest.mark.rule("R17")
def test_data_is_whole_in_the_first_event() -> None:
    """What a match stores is enough: read back, it gives the same data, whatever the file says then."""
    stored = canonical(DATA)
    assert msgspec.json.decode(stored, type=type(DATA)) == DATA
    assert len(stored) < 4000


def edited(old: str, new: str) -> str:
    assert TEXT.count(old) == 1, old
    return TEXT.replace(old, new)


@pytest.mark.rule("R17")
@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('A1 = ["vvt"', 'D1 = ["vvt"', "boards.standard.D1: the first letter is the stack, A, B or C"),
        ('A1 = ["vvt"', 'A1 = ["vv"', "boards.standard.A1: three columns of 3, 4 and 3 spaces are wanted"),
        ('A1 = ["vvt"', 'A1 = ["vvx"', "boards.standard.A1: no kind has the letter 'x'"),
        ('A1 = ["vvt"', 'A1 = ["vvk"', "boards.standard.A1: a board has exactly one castle space"),
        ('A1 = ["vvt"', 'B9 = ["vvt"', "boards.standard: stack A has 3 boards, not 4"),
        ('A1 = ["vvt"', 'A1 = ["vvv"', "boards.standard: the boards of stack A differ in how many spaces of a kind"),
        ("own = 1, neutral = 4, spaces = 2", "own = 1, neutral = 4, spaces = 1", "boards.standard: three boards toget"),
        ("quarry = 16\nvillage = 20", "quarry = 17\nvillage = 20", "card_split.by_spaces: 123 cards, not 122"),
        ("quarry = 16\nvillage = 20", "quarry = 0\nvillage = 36", "card_split.by_spaces: each of the eight kinds has"),
        ("quarry = 16\nvillage = 20", "village = 36", "card_split.by_spaces: each of the eight kinds has"),
        ("count = 6, region_cards = 3", "count = 7, region_cards = 3", "production_faces.standard: 28 cards, not 27"),
        ("count = 6, region_cards = 3", "count = 6, tiles = 3", "production_faces.standard.draw_3: a face gives one"),
        ("count = 6, region_cards = 3", "count = 6, marble = 3, workers = 1", "production_faces.standard.draw_3: a f"),
        ("count = 6, region_cards = 3", "count = 6, region_cards = 0", "production_faces.standard.draw_3: numbers are"),
        ("count = 2, wild_hexes = 1", "count = 2, wild_hexes = 2", "production_faces.standard.wild_hex_1: numbers are"),
        ("grain_grapes = { own = 1", "grain_grapes = { own = 2", "crops.ring: 5 own agriculture tiles, not 4"),
        ('crops = ["grain", "grapes"]', "crops = []", "crops.ring.grain_grapes: a face shows one or more different"),
        ('crops = ["grain", "grapes"]', 'crops = ["grain", "grain"]', "crops.ring.grain_grapes: a face shows one or"),
        ('2, track = "red" }\ncastle = [2, 1]', '2, track = "red" }\ncastle = [5, 1]', "bonus_values.by_spaces.castle"),
        ('2, track = "red" }\ncastle = [2, 1]', '2, track = "red" }\ncastle = [2, 0]', "bonus_values.by_spaces.castle"),
        ('2, track = "red" }\ncastle = [2, 1]', '2, track = "red" }\ncastle = [2, 2]', "bonus_values.by_spaces.castle"),
        ('2, track = "red" }\ncastle = [2, 1]', '2, track = "red" }', "bonus_values.by_spaces: each of the eight"),
        ('points = 2, track = "red"', 'points = 2, track = "blue"', "bonus_values.by_spaces.plus_storage: points of 0"),
        ('points = 2, track = "red"', 'points = -1, track = "red"', "bonus_values.by_spaces.plus_storage: points of 0"),
        ("bonus_tiles = 5 ", "bonus_tiles = 4 ", "totals.bonus_tiles: four seats need at least five"),
    ],
)
def test_bad_components_are_refused_by_name(old: str, new: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        open_box(edited(old, new))
    assert str(caught.value).startswith(complaint)


@pytest.mark.rule("R2.5")
def test_one_card_of_a_kind_is_enough() -> None:
    box = open_box(edited("quarry = 16\nvillage = 20", "quarry = 1\nvillage = 35"))
    assert box.card_split["by_spaces"][KINDS.index(Kind.QUARRY)] == 1


@pytest.mark.rule("R17")
def test_a_new_set_needs_only_the_file() -> None:
    added = (
        TEXT
        + "\n[crops.single]\n"
        + "\n".join(
            f'{crop} = {{ own = 1, neutral = 1, crops = ["{crop}"] }}'
            for crop in ("grain", "grapes", "olives", "beans")
        )
    )
    box = open_box(added)
    found = pick(box, Options(crops="single"), 2)
    assert [tile.id for tile in found.tiles if tile.kind is Kind.AGRICULTURE] == [
        *("agriculture:grain", "agriculture:grapes", "agriculture:olives", "agriculture:beans")
    ]
    assert pick(box, Options(), 2) == DATA
    assert tomllib.loads(TEXT)["totals"]["bonus_tiles"] == BOX.bonus_tiles == 5
    assert set(BONUSES) == set(Bonus)
