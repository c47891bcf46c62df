"""The view, and how a terminal shows it."""

import random
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany.rules import ASKED
from domain.castles_of_tuscany.state import Phase, State
from domain.castles_of_tuscany.views import BonusCounts, PlayerView
from domain.castles_of_tuscany.words import Bonus, Kind, PlaceTile, Shift
from domain.core.words import ARBITER, GALLERY
from tests.games.castles_of_tuscany.greedy import busy
from tests.games.castles_of_tuscany.table import DISPLAY, given, having, then
from tests.games.castles_of_tuscany.test_worked_examples import dealt
from tests.support.play import play


def table() -> State:
    return having(given(), 0, storage=("village", "wild_hex"), hand={"village": 2, "inn": 1}, marble=1, red=3)


def test_the_table_drawn() -> None:
    assert GAME.sketch(GAME.view(table(), 0)) == TABLE


TABLE = """\
The Castles of Tuscany, round 1 of 3, lap 1 of at most 150
display    0 village   1 monastery   2 castle   3 carriage
           4 quarry   5 inn   6 city   7 agriculture 1
supply     marble 11  workers 12  wild hexes 10  tiles 24
cards      deck 119  discards 0  production 27
colours    castle:2 city:2 inn:2 agriculture:4 quarry:3 village:4 monastery:3 carriage:3
crops      1 grain+grapes   2 grapes+olives   3 olives+vegetables   4 vegetables+grain
bonus      plus_card 4  plus_storage 4  plus_marble 5  plus_worker 5  plus_production_card 5

seat 0   green 0  red 3   marble 1  workers 0      seat 1   green 0  red 0   marble 0  workers 0
cards 3   stacks 7 7 7   storage of 1:             cards 0   stacks 7 7 7   storage of 2:
  village, wild_hex                                  empty
  plus_card 1                                        plus_storage 1
      0  1  2  3  4  5  6  7  8  q                       0  1  2  3  4  5  6  7  8  q
         w                 v                        r-1              w
  r0  v     m     q     w     m                             v     v     w     a
         K^    t     a     v                         r0  i     q     m     K^    w
  r1  v     m     q     q     k                             v     m     k     q
         v     w     a     q                         r1  m     t     a     a     m
  r2  t     w     k     i     t                             q     t     v     q
         a     i     a     a                         r2  k     w     v     a     i
  r3              m                                         a                 t

hand: inn 1  village 2
awaited: action of seat 0"""


def test_setup_drawn() -> None:
    text = GAME.sketch(GAME.view(dealt(), 0))
    assert "boards A1 B1 C1   region - castle - bonus -" in text
    assert "your boards, unturned" in text
    assert "  v     m     q     w     m\n" in text
    assert text.endswith("awaited: setup of seat 0, 1")
    assert "your boards, unturned" not in GAME.sketch(GAME.view(dealt(), GALLERY))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_drawing_fits_a_terminal(seats: int) -> None:
    for step in play(GAME, seats, seats, busy(random.Random(seats))).steps[::7]:
        for viewer in (0, GALLERY, ARBITER):
            lines = GAME.sketch(GAME.view(step.state, viewer)).split("\n")
            assert max(map(len, lines)) <= 100
            assert lines[0].startswith("The Castles of Tuscany")
            assert all(line == line.rstrip() for line in lines)


@pytest.mark.rule("R8.2")
def test_what_is_being_paid_for() -> None:
    state = having(given(), 0, storage=("village",), hand={"village": 2})
    assert GAME.view(state, 1).paying_for is None
    state = then(state, 0, PlaceTile(0, 0, 0))
    view = GAME.view(state, 1)
    assert (view.paying_for, view.phase, view.to_act) == (Kind.VILLAGE, "payment", (0,))
    assert GAME.sketch(view).endswith("awaited: a payment in village cards of seat 0")


def test_a_seat_in_the_view() -> None:
    rows = GAME.view(table(), 1).players[1].rows
    assert len(rows) == 8
    assert GAME.view(table(), 0).players[1] == PlayerView(
        seat=1,
        dealt=("A2", "B2", "C2"),
        boards=("C2", "A2", "B2"),
        turned=(False, True, False),
        shifts=(Shift.UP, Shift.DOWN),
        rows=rows,
        top=-2,
        start_castle_board="B2",
        first_bonus=Bonus.PLUS_STORAGE,
        has_arranged=True,
        has_chosen_castle=True,
        has_chosen_bonus=True,
        green=0,
        red=0,
        hand_size=0,
        storage=(),
        storage_spaces=2,
        stacks=(7, 7, 7),
        marble=0,
        workers=0,
        bonus_tiles=BonusCounts(0, 1, 0, 0, 0),
        empty_spaces=29,
    )


def test_a_hidden_seat_in_the_view() -> None:
    seen = GAME.view(dealt(), 0).players[1]
    assert (seen.dealt, seen.hand_size, seen.storage_spaces, seen.empty_spaces) == (("A2", "B2", "C2"), 5, 1, 0)
    assert (seen.boards, seen.turned, seen.shifts, seen.rows, seen.top) == ((), (), (), (), 0)
    assert (seen.has_arranged, seen.has_chosen_castle, seen.has_chosen_bonus) == (False, False, False)


def test_the_view_counts() -> None:
    state = having(given(), 0, storage=("village",), marble=2, workers=1)
    state = replace(state, box=("inn", "city", "inn"), production_discards=("red_3", "red_3"))
    view = GAME.view(state, 0)
    assert view.display == DISPLAY
    assert (view.marble, view.workers, view.wild_hexes) == (10, 11, 10)
    assert [(pile.name, pile.count) for pile in view.box] == [("city", 1), ("inn", 2)]
    assert [(pile.name, pile.count) for pile in view.production_discards] == [("red_3", 2)]
    assert (view.bonus_tiles.plus_card, view.bonus_tiles.plus_storage, view.bonus_tiles.plus_marble) == (4, 4, 5)
    assert (view.players[0].bonus_tiles.plus_card, view.players[1].bonus_tiles.plus_storage) == (1, 1)
    assert [face.tile for face in view.crop_faces] == [
        *(f"agriculture:{face}" for face in ("grain_grapes", "grapes_olives", "olives_vegetables", "vegetables_grain"))
    ]
    assert [face.digit for face in view.crop_faces] == [1, 2, 3, 4]
    assert (view.first_player, view.round, view.lap, view.turn, view.lap_limit) == (0, 1, 1, 1, 150)
    assert view.places == ()


def test_the_view_at_the_end() -> None:
    state = play(GAME, 2, 3).state
    view = GAME.view(state, GALLERY)
    assert (view.phase, view.to_act) == ("finished", ())
    assert state.outcome is not None
    assert view.places == state.outcome.places
    assert GAME.sketch(view).split("\n")[-1].startswith("over: seat 0 place ")


@pytest.mark.parametrize("cls", [GAME.view_type, *get_args(GAME.event), *get_args(GAME.command)])
def test_everything_has_a_description(cls: type) -> None:
    assert cls.__doc__
    assert not cls.__doc__.startswith(f"{cls.__name__}(")
    info = msgspec.inspect.type_info(cls)
    assert isinstance(info, msgspec.inspect.StructType)
    for field in info.fields:
        assert field.name not in {"type", "shape"}


def test_one_field_name_has_one_type() -> None:
    """In events, in commands, and in views."""
    for union in (get_args(GAME.event), get_args(GAME.command)):
        found: dict[str, object] = {}
        for cls in union:
            for name, kind in cls.__annotations__.items():
                plain = _plain(kind)
                assert found.setdefault(name, plain) == plain, f"{cls.__name__}.{name}"


def _plain(kind: object) -> object:
    return _plain(get_args(kind)[0]) if hasattr(kind, "__metadata__") else kind


def test_every_phase_asks_for_something_but_the_last() -> None:
    assert set(ASKED) == set(get_args(Phase))
    assert [phase for phase, asked in ASKED.items() if not asked] == ["between", "finished"]
    asked = [command for commands in ASKED.values() for command in commands]
    assert sorted(cls.__name__ for cls in asked) == sorted(cls.__name__ for cls in get_args(GAME.command))
