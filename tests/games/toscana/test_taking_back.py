"""Vetoes after laying (option `veto_timing = after`): a tile is taken back."""

import pytest

from domain.toscana import GAME
from domain.toscana.words import (
    GameScored,
    PassReason,
    Phase,
    PileEmptied,
    PlaceTile,
    Side,
    TilePlaced,
    TopRevealed,
    TurnPassed,
    VetoOpened,
    VetoUsed,
    VetoWaived,
)
from tests.games.toscana.table import Piles, Table, blocked, by_id, fresh, options, placement, replayed

COURTYARD, BUILDING = Side.COURTYARD, Side.BUILDING


@pytest.mark.rule("K4", "R22")
def test_after_laying_the_opponent_is_asked_about_the_tile_and_sees_the_next() -> None:
    table = fresh(veto_timing="after")
    assert table.place("C01 8 8 0") == (
        TilePlaced(seat=0, side=COURTYARD, ordinal=1, tile="C01", x=8, y=8, o=0),
        TopRevealed(seat=0, side=COURTYARD, tile="C02", left=15),
        VetoOpened(seat=1, side=BUILDING, tile="C01"),
    )
    assert table.awaited == "building"
    assert table.waive("building") == (VetoWaived(seat=1, side=BUILDING, tile="C01"),)
    assert (table.awaited, table.state.side, table.state.phase) == ("building", BUILDING, Phase.PLACEMENT)


@pytest.mark.rule("K4", "R12", "R23")
def test_after_laying_a_veto_takes_the_tile_back() -> None:
    table = fresh(veto_timing="after")
    table.place("C01 8 8 0")
    assert table.veto("building") == (
        VetoUsed(seat=1, side=BUILDING, tile="C01"),
        TopRevealed(seat=0, side=COURTYARD, tile="C02", left=16),
    )
    state = table.state
    assert (table.awaited, state.side, state.laid, state.courtyard, state.building) == (
        "courtyard",
        COURTYARD,
        (),
        0,
        0,
    )
    assert state.camp(COURTYARD).bottom == ("C01",)
    assert not state.camp(BUILDING).token
    assert table.refused("courtyard", placement("C02 0 0 0")).code == "must_cover_centre"
    assert table.place("C02 8 8 0") == (
        TilePlaced(seat=0, side=COURTYARD, ordinal=1, tile="C02", x=8, y=8, o=0),
        TopRevealed(seat=0, side=COURTYARD, tile="C03", left=15),
    )
    assert table.awaited == "building"


@pytest.mark.rule("K4")
def test_after_laying_only_the_vetoed_tile_leaves_the_board() -> None:
    table = fresh(veto_timing="after")
    for text in ("C01 8 8 0", "B01 6 6 0", "C02 8 10 0"):
        table.place(text)
    before = table.state
    table.veto("building")
    assert [laid.tile for laid in table.state.laid] == ["C01", "B01"]
    assert before.courtyard.bit_count() - table.state.courtyard.bit_count() == 6
    assert before.building.bit_count() - table.state.building.bit_count() == 2
    assert table.state.turns == 2


@pytest.mark.rule("K4")
def test_after_laying_nothing_is_announced() -> None:
    table = fresh(veto_timing="after")
    assert table.refused("courtyard", placement("C01 8 8 0", "veto")).code == "veto_not_available"
    assert [type(event) for event in table.place("C01 8 8 0", "waive")] == [TilePlaced, TopRevealed, VetoOpened]


@pytest.mark.rule("K4", "R21")
def test_after_laying_the_last_tile_of_a_pile_there_is_no_question() -> None:
    """In G4 nobody vetoes; the sixteenth tiles are laid without a question, the fifteenth are not."""
    table = replayed(by_id("game")["G4"], 29, options(veto_timing="after"))
    assert (table.state.phase, table.state.against) == (Phase.VETO_DECISION, "C07")
    table.place("B03 7 13 1")
    assert (table.awaited, table.state.against) == ("courtyard", "B03")
    events = table.place("C15 9 1 1")
    assert events[-1] == PileEmptied(seat=0, side=COURTYARD)
    assert (table.awaited, table.state.phase) == ("building", Phase.PLACEMENT)
    assert [type(event) for event in table.place("B13 13 3 0")][1:3] == [PileEmptied, TurnPassed]


@pytest.mark.rule("K5", "R26")
def test_after_laying_too_the_veto_of_who_has_just_passed_may_end_the_game() -> None:
    table = blocked(veto_timing="after")
    assert table.waive("courtyard")[1:] == (
        TurnPassed(seat=0, side=COURTYARD, reason=PassReason.NO_PLACEMENT, blocked="C16"),
    )
    spot = GAME.legal(table.state, 1).commands[0]
    table.act("building", spot)
    assert (table.awaited, table.state.against, table.state.passes) == ("courtyard", "B16", 0)
    events = table.veto("courtyard")
    assert events[:-1] == (
        VetoUsed(seat=0, side=COURTYARD, tile="B16"),
        TopRevealed(seat=1, side=BUILDING, tile="B15", left=3),
        TurnPassed(seat=1, side=BUILDING, reason=PassReason.NO_PLACEMENT, blocked="B15"),
    )
    assert isinstance(events[-1], GameScored)
    assert len(table.state.laid) == 26


@pytest.mark.rule("R26", "K4")
def test_after_laying_a_pass_that_follows_a_veto_is_the_first_of_a_pair() -> None:
    """G3's courtyard vetoes B08 when it lies; what building has next fits nowhere."""
    placed = [step for step in by_id("game")["G3"]["steps"] if step["do"] == "place"][:27]
    courtyard, building = ([step["tile"] for step in placed if step["by"] == side] for side in Side)
    table = Table(Piles([*courtyard, "C03", "C12"], [*building, "B08", "B07", "B02"]), options(veto_timing="after"))
    for step in placed:
        table.place("{tile} {x} {y} {o}".format(**step))
    table.waive("building")
    command = GAME.legal(table.state, 1).commands[0]
    assert isinstance(command, PlaceTile)
    assert command.tile == "B08"
    table.act("building", command)
    assert table.veto("courtyard")[2:] == (
        TurnPassed(seat=1, side=BUILDING, reason=PassReason.NO_PLACEMENT, blocked="B07"),
    )
    assert (table.state.passes, table.awaited) == (1, "courtyard")
