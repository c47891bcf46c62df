"""The named sets of figures: which there are, that they are checked, and that a match keeps its own."""

import copy
import tomllib
from importlib.resources import files
from typing import Any, get_args

import msgspec
import pytest

from domain.calimala import GAME
from domain.calimala.board import Data, data, select
from domain.calimala.options import Options
from domain.core.errors import Illegal
from tests.games.calimala.table import Table, position, setup
from tests.support.play import play

COMPONENTS: dict[str, Any] = tomllib.loads(files("domain.calimala").joinpath("components.toml").read_text("utf-8"))


def changed(path: str, value: object) -> dict[str, Any]:
    """The components with one figure changed; the path is spelled with dots, seats by their number."""
    components = copy.deepcopy(COMPONENTS)
    *way, last = path.split(".")
    place: Any = components
    for step in way:
        place = next(row for row in place if row["seats"] == int(step)) if isinstance(place, list) else place[step]
    place[last] = value
    return components


@pytest.mark.rule("R6", "R98", "R21", "R70")
def test_every_option_names_a_set_and_every_set_can_be_named() -> None:
    for field in msgspec.structs.fields(Options):
        literal, meta = get_args(field.type)
        assert meta.description
        assert meta.extra["rule"] in GAME.rulebook
        assert meta.extra["origin"] == "own"
        assert set(get_args(literal)) == set(COMPONENTS[field.name])
        assert field.default in COMPONENTS[field.name]


@pytest.mark.rule("R6", "R90")
def test_the_two_player_side_by_option() -> None:
    standard = setup(2, Options(two_player_board="standard")).data
    assert standard.slots == setup(3).data.slots
    assert standard.neutral_cubes == 40
    assert setup(3, Options(two_player_board="standard")).data == setup(3, Options()).data


@pytest.mark.rule("R98")
def test_the_hand_of_scoring_cards_by_option() -> None:
    three = setup(2, Options(two_player_cards="hand_of_three")).data
    assert (three.scoring_dealt, three.scoring_show_after, three.scoring_keep_after) == (3, 5, 10)
    assert setup(2).data.scoring_dealt == 4
    assert setup(4, Options(two_player_cards="hand_of_three")).data.scoring_dealt == 2


@pytest.mark.rule("R11", "R21")
def test_the_first_game_layout_by_option() -> None:
    assert setup(3).data.layout[4] == "contribute"
    assert setup(3, Options()).data.layout == ()


@pytest.mark.parametrize("seats", [-1, 0, 1, 6, 2**60])
@pytest.mark.rule("R1")
def test_no_other_number_of_players(seats: int) -> None:
    with pytest.raises(Illegal) as refused:
        data(Options(), seats)
    assert (refused.value.code, refused.value.rule) == ("bad_options", "R1")


@pytest.mark.parametrize("field", Options.__struct_fields__)
@pytest.mark.rule("R2")
def test_an_unknown_set_is_refused_by_name(field: str) -> None:
    with pytest.raises(Illegal) as refused:
        data(msgspec.structs.replace(Options(), **{field: "nonsense"}), 2)
    assert (refused.value.code, refused.value.rule) == ("bad_options", "R2")
    assert field in refused.value.message
    assert "nonsense" in refused.value.message


BAD = [
    ("figures.cubes", 0, "at least 1"),
    ("figures.warehouse", 0, "at least 1"),
    ("figures.cloth_per_workshop", 0, "at least 1"),
    ("figures.workshops", 0, "at least 1"),
    ("seats.2.stack", 0, "at least 1"),
    ("seats.2.family_members", 0, "at least 1"),
    ("figures.ships", 4, "4 ships"),
    ("figures.ships", -1, "-1 ships"),
    ("figures.ships", "many", "Expected"),
    ("seats.2.contractors", -1, "negative"),
    ("seats.2.hirelings", -1, "negative"),
    ("seats.2.scoring_open", -1, "negative"),
    ("two_player_board.three_quarters.neutral_cubes", -1, "negative"),
    ("two_player_board.three_quarters.troyes", -1, "slot group"),
    ("two_player_board.three_quarters.troyes", None, "Expected"),
    ("two_player_cards.hand_of_four", 1, "too few"),
    ("two_player_cards.hand_of_four", 5, "more Scoring cards"),
    ("seats.2.scoring_show_after", 11, "out of order"),
    ("seats.2.scoring_show_after", -1, "out of order"),
    ("seats.2.scoring_keep_after", 16, "out of order"),
    ("action_cards.five_each.starters", ["wood"], "starting card"),
    ("action_cards.five_each.starters", ["wood", "wood"], "starting card"),
    ("action_cards.five_each.wood", 0, "too few copies"),
    ("action_cards.five_each.ship", -1, "too few copies"),
    ("action_cards.five_each.wood", None, "Expected"),
    ("grid.dealt", ["wood"], "each action once"),
    (
        "grid.dealt",
        ["contribute", "build", "brick", "statue", "wood", "transport", "marble", "weave", "ship"],
        "in the centre",
    ),
]


@pytest.mark.parametrize(("path", "value", "message"), BAD)
@pytest.mark.rule("R2")
def test_figures_that_cannot_be_played_with_are_refused(path: str, value: object, message: str) -> None:
    with pytest.raises(Illegal) as refused:
        select(changed(path, value), Options(), 2)
    assert refused.value.code == "bad_options"
    assert message in refused.value.message


GOOD = [
    ("figures.cubes", 1),
    ("figures.ships", 0),
    ("seats.2.contractors", 0),
    ("seats.2.hirelings", 0),
    ("seats.2.scoring_open", 0),
    ("seats.2.stack", 1),
    ("seats.2.family_members", 1),
    ("seats.2.scoring_show_after", 10),
    ("seats.2.scoring_keep_after", 15),
    ("two_player_board.three_quarters.neutral_cubes", 0),
    ("two_player_board.three_quarters.troyes", 0),
    ("two_player_cards.hand_of_four", 2),
    ("action_cards.five_each.ship", 0),
    ("action_cards.five_each.wood", 1),
    ("action_cards.five_each.starters", ["wood", "ship"]),
]


@pytest.mark.parametrize(("path", "value"), GOOD)
@pytest.mark.rule("R2")
def test_figures_at_the_edge_of_what_can_be_played_with(path: str, value: object) -> None:
    assert isinstance(select(changed(path, value), Options(), 2), Data)


@pytest.mark.rule("R6")
def test_play_asks_the_data_of_the_match_not_the_file() -> None:
    """The figures are in the setup, which the first event of a match stores."""
    state = position(2, mats={0: {"ships": 1, "cloth": 1}}, board={"lisbon": "1"})
    narrow = msgspec.structs.replace(
        state.setup.data,
        slots=tuple(
            msgspec.structs.replace(slots, capacity=1) if slots.group == "lisbon" else slots
            for slots in state.setup.data.slots
        ),
    )
    blank = GAME.blank(msgspec.structs.replace(state.setup, data=narrow))
    assert blank.capacities[4] == 1
    assert GAME.blank(state.setup).capacities[4] == 9
    again = msgspec.json.decode(msgspec.json.encode(narrow), type=Data)
    assert again == narrow


@pytest.mark.parametrize("option", [{"two_player_board": "standard"}, {"two_player_cards": "hand_of_three"}])
@pytest.mark.rule("R98", "R6")
def test_matches_under_the_other_sets_end(option: dict[str, str]) -> None:
    played = play(GAME, 2, 11, **option)
    assert GAME.outcome(played.state) is not None
    assert Table(played.state).awaited == []
