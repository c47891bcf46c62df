"""What is asked in each phase, and that everything else is refused in the right words."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.core.errors import Illegal
from domain.core.secrecy import members
from domain.majolica import GAME
from domain.majolica import commands as c
from domain.majolica.board import Cell
from domain.majolica.refusals import ASKED, PHASES
from domain.majolica.state import State
from domain.majolica.tiles import Tile
from tests.games.majolica.helpers import asked, discard, line, listed, play, player, refused, state, tile, why

DOMAIN = Path(__file__).parents[3] / "domain" / "majolica"


def in_phase() -> dict[str, State]:
    """A state for each phase of a turn, with a bonus open wherever one can be, one of each kind at the City Hall."""
    select = state(
        player("RRRBB YY RRGG RRR", "D01[R|RBB] - -", finished="ST1"),
        market="D02 - - - - -",
        bonuses=1,
        hall_jokers=1,
        hall_points=1,
    )
    cards, _ = play(select, tile(1, 1))
    place, _ = play(cards, c.KeepCards())
    resolve, _ = play(place, c.PlaceTiles(1))
    deliver, _ = play(resolve, c.RunWorkshop(1))
    ship, _ = play(deliver, c.DeliverTiles(next(k for k in listed(deliver)).deliveries))
    discarding, _ = play(ship, c.ShipTiles())
    hall, _ = play(select, tile(1, 2), c.KeepCards(), c.PlaceTiles(4), c.RunWorkshop(4))
    joker, _ = play(hall, c.ClaimJoker())
    return {
        "select": select,
        "cards": cards,
        "place": place,
        "resolve": resolve,
        "deliver": deliver,
        "ship": ship,
        "discard": discarding,
        "city_hall": hall,
        "joker": joker,
    }


ANY = [
    c.PlaceStartCard("ST1", 1),
    line((1, 1), (1, 2)),
    tile(1, 1),
    c.TakeCard(0, 2),
    c.MoveCard(1, 2),
    c.KeepCards(),
    c.PlaceTiles(1),
    discard("R"),
    c.RunWorkshop(3),
    c.DeliverTiles(()),
    c.ShipTiles(),
    c.UseBonus(Tile.RED, 1),
    c.DeclineBonus(),
    c.ClaimJoker(),
    c.ClaimOnePoint(),
    c.PlaceJoker(1),
]


@pytest.mark.rule("R20", "M5")
@pytest.mark.parametrize("phase", in_phase())
def test_in_each_phase_other_commands_are_refused_and_told_what_is_asked(phase: str) -> None:
    now = in_phase()[phase]
    assert asked(now) == phase
    assert {type(command) for command in ANY} == set(members(GAME.command))
    for command in ANY:
        if phase in PHASES[type(command)]:
            continue
        illegal = refused(now, command)
        if isinstance(command, c.ClaimJoker) and not now.hall_jokers:
            assert illegal.code == "city_hall_exhausted"
            continue
        assert (illegal.code, illegal.rule) == ("wrong_phase", ASKED[phase][0])
        assert illegal.message == f"{type(command).__name__} is not what is asked now."
        assert illegal.hint == f"Now {ASKED[phase][1]}."


@pytest.mark.rule("R20")
@pytest.mark.parametrize("phase", in_phase())
def test_what_is_listed_belongs_to_the_phase_and_only_the_seat_on_turn_has_it(phase: str) -> None:
    now = in_phase()[phase]
    assert listed(now)
    assert all(phase in PHASES[type(command)] for command in listed(now))
    assert GAME.default(now, 0) == listed(now)[0]
    assert not GAME.legal(now, 1)
    for command in (listed(now)[0], c.DeclineBonus(), c.TakeCard(0, 1)):
        illegal = refused(now, command, seat=1)
        assert (illegal.code, illegal.rule, illegal.message) == ("not_your_decision", "R20", "Seat 0 is to decide.")
    assert why(now, listed(now)[0], seat=-1)[0] == "not_your_decision"


@pytest.mark.rule("M5")
def test_refusals_say_what_would_be_right() -> None:
    now = in_phase()
    assert refused(now["cards"], c.TakeCard(0, 1)).hint == "Empty slots: 2, 3."
    assert refused(now["resolve"], c.RunWorkshop(2)).hint == "Ready: 1, 3."
    assert str(refused(now["place"], c.PlaceTiles(9))) == "unknown_workshop (R4): There are four workshops, 1 to 4."
    start = state(player(dealt="ST2"), player(dealt="ST3"))
    start = replace(start, to_place_start=2)
    assert refused(start, c.PlaceStartCard("ST3", 1)).hint == "You may place ST2."
    lone = state(player("RRRBB Y - -", "D01[RBB|R] - -"))
    lone, _ = play(lone, tile(1, 1), c.KeepCards(), c.PlaceTiles(1), c.ShipTiles())
    assert refused(lone, c.RunWorkshop(2)).hint == "None is ready."


@pytest.mark.rule("M5")
def test_every_refusal_has_its_code_in_the_docs_and_a_test() -> None:
    codes = set()
    for path in DOMAIN.glob("*.py"):
        codes |= set(re.findall(r'Illegal\(\s*"(\w+)"', path.read_text("utf-8")))
    codes |= {"match_over", "not_your_decision", "wrong_phase"}
    page = (DOMAIN.parents[1] / "docs" / "games" / "majolica.md").read_text("utf-8")
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    table = page.split("## Refusals", 1)[1].split("## The end", 1)[0]
    first_column = "".join(re.findall(r"^\|([^|]*)\|", table, re.MULTILINE))
    assert set(re.findall(r"`(\w+)`", first_column)) == codes
    assert not [code for code in codes if f'"{code}"' not in tests]


@pytest.mark.rule("R22", "M5")
def test_a_refusal_is_an_illegal_whatever_the_values() -> None:
    far = 1 << 60
    for now in in_phase().values():
        for command in (
            c.PlaceStartCard("x" * 1000, far),
            c.TakeLine((Cell(far, -far),) * 40),
            c.TakeTile(Cell(far, far)),
            c.TakeCard(far, -far),
            c.MoveCard(-far, far),
            c.PlaceTiles(far),
            c.DiscardTiles((Tile.JOKER,) * 500),
            c.RunWorkshop(-far),
            c.DeliverTiles((c.Delivery(Tile.RED, Tile.JOKER),) * 2),
            c.DeliverTiles((c.Delivery(Tile.RED, Tile.BLUE),) * 500),
            c.UseBonus(Tile.JOKER, far),
            c.PlaceJoker(far),
        ):
            with pytest.raises(Illegal):
                GAME.decide(now, 0, GAME.normal(command), None)
