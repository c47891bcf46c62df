"""The view, and its drawing in characters."""

import pytest

from domain.calimala import GAME
from domain.calimala.board import GROUPS
from domain.calimala.state import State
from domain.core.words import ARBITER, GALLERY
from tests.games.calimala.table import C, H, Table, place, position, take
from tests.support.play import play

STATE = position(
    2,
    active=1,
    turns=3,
    mats={
        0: {
            "wood": 1,
            "brick": 2,
            "marble": 3,
            "cloth": 4,
            "ships": 1,
            "houses": "TH",
            "points": 12,
            "hand": "ship ship",
        },
        1: {"workshops": 2, "points": 7, "supply": (3, 2, 1), "kept": "lisbon"},
    },
    stacks={"s01": "F0 C", "s12": "H"},
    board={"lisbon": "01N", "palazzo_vecchio_statue": "1"},
    council=[0, None, -1],
    open_cards="troyes",
    discard="wood ship wood",
)


@pytest.mark.rule("R7", "R12", "R24")
def test_the_view_in_codes() -> None:
    seen = GAME.view(STATE, 0)
    assert (seen.viewer, seen.phase, seen.round, seen.turn, seen.marker, seen.starting_seat) == (
        0,
        "placement",
        2,
        4,
        1,
        0,
    )
    assert seen.stacks == ("F0 C", *[""] * 10, "H")
    assert seen.slots[4] == "lisbon 01N......"
    assert seen.slots[18] == "palazzo_vecchio_statue 1.."
    assert [row.split()[0] for row in seen.slots] == list(GROUPS)
    assert seen.council == "0-N" + "." * 12
    assert (seen.scored, seen.tower, seen.stack_limit, seen.neutral_cubes) == (3, "", 2, 39)
    assert (seen.deck, seen.discard, seen.open_cards, seen.offer) == (40, ("wood", "wood", "ship"), ("troyes",), ())
    assert (seen.end, seen.places, seen.decided_by, seen.box, seen.next_activations) == (None, (), "", "", ())
    ada, bruno = seen.players
    assert (ada.player, ada.points, ada.wood, ada.brick, ada.marble, ada.cloth, ada.reserve) == (0, 12, 1, 2, 3, 4, 29)
    assert (ada.workshops, ada.ships, ada.houses, ada.hand_size, ada.hand) == (1, 1, "T.H", 2, ("ship", "ship"))
    assert (bruno.family_members, bruno.contractors, bruno.hirelings, bruno.workshops) == (3, 2, 1, 2)
    assert (bruno.has_kept, bruno.kept, bruno.hand, bruno.has_chosen) == (True, None, None, False)
    assert (ada.held_size, len(ada.held), bruno.held) == (4, 4, None)
    assert GAME.view(STATE, 1).players[1].kept == "lisbon"
    assert GAME.view(STATE, ARBITER).players[1].kept == "lisbon"


DRAWN = """\
Calimala   round 2, turn 4   marker: seat 1   placement

  [   wood    ]-s01--------[   build   ]-s02--------[   brick   ]
                F0 C
  s03                      s04                      s05

  [  statue   ]-s06--------[contribute ]-s07--------[ transport ]

  s08                      s09                      s10

  [  marble   ]-s11--------[   weave   ]-s12--------[   ship    ]
                                         H

  troyes                       .........      santa croce wood             ...
  bruges                       .........      santa croce brick            ...
  hamburg                      .........      santa croce marble           ...
  barcelona                    .........      santa croce statue           ...
  lisbon                       01N......      san miniato wood             ..
  london                       .........      san miniato brick            ..
  santa maria del fiore wood   ....           san miniato marble           ..
  santa maria del fiore brick  ....           san miniato statue           ..
  santa maria del fiore marble ....           palazzo vecchio statue       1..
  santa maria del fiore statue ....

  Palazzo Vecchio: seat number, * if its tile is scored, who sits there, tile
   1*0 troyes                      2*- bruges                      3*N hamburg
   4 . barcelona                   5 . lisbon                      6 . london
   7 . santa_maria_del_fiore       8 . santa_croce                 9 . san_miniato
  10 . statues                    11 . trade_cities               12 . port_cities
  13 . contributed_wood           14 . contributed_brick          15 . contributed_marble

  seat 0: 12 points   wood 1 brick 2 marble 3 cloth 4   workshops 1 ships 1 houses T.H
          supply F10 C3 H5   reserve 29   Action cards 2
          hand: ship, ship
          Scoring cards: troyes, bruges, hamburg, barcelona
  seat 1:  7 points   wood 0 brick 0 marble 0 cloth 0   workshops 2 ships 0 houses ...
          supply F3 C2 H1   reserve 38   Action cards 0

  deck 40, discarded 3, neutral cubes 39
  open Scoring cards: troyes
  seat 1 must decide: placement
"""


def test_the_drawing() -> None:
    assert GAME.sketch(GAME.view(STATE, 0)) == DRAWN


@pytest.mark.rule("R41", "R35")
def test_the_drawing_says_what_is_pending_and_why() -> None:
    table = Table(position(stacks={"s01": "F1 F2 C"}, mats={0: {"hand": "ship"}}))
    table.act(0, place("s01", C))
    drawn = GAME.sketch(GAME.view(table.state, 0))
    said = "seat 0 must decide: activation on s01, contractor placed by seat 0, pending: wood, wood, build, build"
    assert said in " ".join(drawn.split())
    assert "in the tower, to be seated in the scoring step: F1" in drawn
    assert "hand: ship" in drawn
    assert "hand:" not in GAME.sketch(GAME.view(table.state, GALLERY))


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_drawing_fits_the_terminal(seats: int) -> None:
    for step in play(GAME, seats, 13).steps:
        for viewer in (0, GALLERY, ARBITER):
            drawn = GAME.sketch(GAME.view(step.state, viewer))
            assert max(map(len, drawn.splitlines())) <= 100
            assert drawn.isascii()
            assert all(not line.endswith(" ") for line in drawn.splitlines())


def last_lines(state: State, viewer: int, count: int) -> list[str]:
    return GAME.sketch(GAME.view(state, viewer)).splitlines()[-count:]


def test_the_drawing_of_the_beginning_and_the_end() -> None:
    played = play(GAME, 3, 13)
    assert last_lines(played.steps[0].state, GALLERY, 6)[0] == "  deck 0, discarded 0, neutral cubes 0"
    assert last_lines(played.steps[0].state, GALLERY, 6)[1] == "  on offer: wood, brick, marble, weave, build"
    assert last_lines(played.steps[0].state, GALLERY, 3) == [
        f"  seat {seat} must decide: keep_at_setup" for seat in range(3)
    ]
    places = GAME.outcome(played.state).places
    assert last_lines(played.state, GALLERY, 1) == [
        f"  places: seat 0: {places[0]}, seat 1: {places[1]}, seat 2: {places[2]}"
    ]
    drawn = GAME.sketch(GAME.view(played.state, GALLERY))
    kept = [mat.kept for mat in played.state.mats]
    assert [line.strip() for line in drawn.splitlines() if "kept" in line] == [f"kept: {card}" for card in kept]
    assert drawn.splitlines()[0].endswith(f"finished   last round: {played.state.end}")


def test_the_drawing_of_cards_and_of_nothing() -> None:
    table = Table(position(2, open_cards="troyes lisbon", mats={0: {"wood": 2, "hand": "ship"}}))
    table.act(0, place("s01", H))
    table.act(0, take("wood"))
    table.act(0, take("build", "ship"))
    assert last_lines(table.state, 1, 2) == [
        "  open Scoring cards: troyes, lisbon",
        "  seat 0 must decide: activation on s01, hireling placed by seat 0, pending: nothing",
    ]
    assert "          hand: none" in GAME.sketch(GAME.view(table.state, 1)).splitlines()


def test_a_drawing_before_anything_is_laid_out() -> None:
    """Version 0 of the game: no layout, no tiles."""
    drawn = GAME.sketch(GAME.view(GAME.blank(position(3).setup), GALLERY)).splitlines()
    assert drawn[2] == "  -s01---------s02--------"
    assert "Palazzo Vecchio" in "".join(drawn)


def test_a_line_too_wide_goes_on_below() -> None:
    hand = "transport contribute " * 5
    drawn = GAME.sketch(GAME.view(position(mats={0: {"hand": hand}}), 0)).splitlines()
    at = next(i for i, line in enumerate(drawn) if "hand: " in line)
    assert drawn[at].startswith("          hand: transport, ")
    assert drawn[at + 1].startswith("          contribute")


def test_the_drawing_of_the_tower_after_the_last_tile() -> None:
    state = position(council=[0] * 15 + [2, None])
    assert "left in the tower: 2-" in GAME.sketch(GAME.view(state, GALLERY))
    assert H not in GAME.sketch(GAME.view(state, GALLERY)).split()
    assert take("wood").action == "wood"
