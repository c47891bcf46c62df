"""Turns, passes and vetoes as given events, a command, and the events that follow."""

from itertools import pairwise

import pytest

from domain.core.chance import ScriptedChance, SeededChance
from domain.toscana import GAME
from domain.toscana.words import (
    DecideVeto,
    GameScored,
    GameStarted,
    NextVeto,
    PassReason,
    Phase,
    PileEmptied,
    PlaceTile,
    Side,
    TilePlaced,
    TopRevealed,
    TurnPassed,
    VetoDecision,
    VetoLapsed,
    VetoOpened,
    VetoUsed,
    VetoWaived,
)
from tests.games.toscana.table import BS, CS, Piles, Table, blocked, by_id, fresh, replayed

COURTYARD, BUILDING = Side.COURTYARD, Side.BUILDING


@pytest.mark.rule("R4", "R7", "R8", "R9", "R22")
def test_a_game_opens_with_both_tops_and_the_question_about_the_first_tile() -> None:
    table = fresh()
    assert table.log == [
        GameStarted(game=1, courtyard_seat=0, building_seat=1, first_side=COURTYARD),
        TopRevealed(seat=0, side=COURTYARD, tile="C01", left=16),
        TopRevealed(seat=1, side=BUILDING, tile="B01", left=16),
        VetoOpened(seat=1, side=BUILDING, tile="C01"),
    ]
    assert [camp.token for camp in table.state.camps] == [True, True]
    assert table.awaited == "building"


@pytest.mark.rule("R9", "R21")
def test_without_vetoes_nobody_has_a_token_and_nobody_is_asked() -> None:
    table = fresh(veto="off")
    assert [camp.token for camp in table.state.camps] == [False, False]
    assert table.place("C01 8 8 0") == (
        TilePlaced(seat=0, side=COURTYARD, ordinal=1, tile="C01", x=8, y=8, o=0),
        TopRevealed(seat=0, side=COURTYARD, tile="C02", left=15),
    )
    assert table.awaited == "building"


@pytest.mark.rule("R21", "R22")
def test_waiving_keeps_the_veto() -> None:
    table = fresh()
    assert table.waive("building") == (VetoWaived(seat=1, side=BUILDING, tile="C01"),)
    assert table.state.camp(BUILDING).token
    assert (table.awaited, table.state.phase, table.state.against) == ("courtyard", Phase.PLACEMENT, None)


@pytest.mark.rule("R21", "R23", "R24")
def test_a_veto_sinks_the_tile_and_shows_the_next_which_nobody_can_veto() -> None:
    table = fresh()
    assert table.veto("building") == (
        VetoUsed(seat=1, side=BUILDING, tile="C01"),
        TopRevealed(seat=0, side=COURTYARD, tile="C02", left=16),
    )
    assert (table.awaited, table.state.phase) == ("courtyard", Phase.PLACEMENT)
    assert table.state.camp(COURTYARD).bottom == ("C01",)
    assert not table.state.camp(BUILDING).token
    assert table.state.camp(COURTYARD).token


@pytest.mark.rule("R10", "R16", "R18", "R22")
def test_a_placement_shows_the_own_next_tile_and_asks_about_the_opponents() -> None:
    table = Table(Piles(["C07", *CS], BS))
    table.waive("building")
    assert table.act("courtyard", PlaceTile("C07", 8, 8, 2)) == (
        TilePlaced(seat=0, side=COURTYARD, ordinal=1, tile="C07", x=8, y=8, o=0),
        TopRevealed(seat=0, side=COURTYARD, tile="C01", left=15),
        VetoOpened(seat=0, side=COURTYARD, tile="B01"),
    )
    assert table.state.passes == 0


@pytest.mark.rule("R22", "K2")
def test_a_waiver_sent_in_advance_is_recorded_where_the_veto_is_open() -> None:
    table = fresh()
    assert table.place("C01 8 8 0", "waive") == (
        TilePlaced(seat=0, side=COURTYARD, ordinal=1, tile="C01", x=8, y=8, o=0),
        TopRevealed(seat=0, side=COURTYARD, tile="C02", left=15),
        VetoWaived(seat=0, side=COURTYARD, tile="B01"),
    )
    assert (table.awaited, table.state.phase) == ("building", Phase.PLACEMENT)


@pytest.mark.rule("K2")
@pytest.mark.parametrize(("name", "after", "text"), [("G4", 29, "B03 7 13 1"), ("G1", 6, "B16 6 0 1")])
def test_a_waiver_where_no_veto_is_open_is_dropped(name: str, after: int, text: str) -> None:
    """G4: one tile is left in the opposing pile. G1: the token is spent."""
    events = replayed(by_id("game")[name], after).place(text, "waive")
    assert [type(event) for event in events] == [TilePlaced, TopRevealed]


@pytest.mark.rule("K2", "R19")
def test_a_waiver_is_dropped_when_the_opponent_has_to_pass() -> None:
    events = replayed(by_id("game")["G5"], 25).place("B11 0 5 1", "waive")
    assert events[1:] == (
        TopRevealed(seat=1, side=BUILDING, tile="B14", left=3),
        TurnPassed(seat=0, side=COURTYARD, reason=PassReason.NO_PLACEMENT, blocked="C06"),
        VetoOpened(seat=0, side=COURTYARD, tile="B14"),
    )


@pytest.mark.rule("R22", "R23")
def test_a_veto_sent_in_advance_takes_effect_at_once() -> None:
    table = fresh()
    assert table.place("C01 8 8 0", "veto")[1:] == (
        TopRevealed(seat=0, side=COURTYARD, tile="C02", left=15),
        VetoUsed(seat=0, side=COURTYARD, tile="B01"),
        TopRevealed(seat=1, side=BUILDING, tile="B02", left=16),
    )
    assert (table.awaited, table.state.phase) == ("building", Phase.PLACEMENT)
    assert table.state.camp(BUILDING).bottom == ("B01",)


@pytest.mark.rule("R19", "R20", "K3")
def test_an_announced_veto_lapses_after_the_pass() -> None:
    table = replayed(by_id("game")["G5"], 25)
    assert table.place("B11 0 5 1", "veto")[1:] == (
        TopRevealed(seat=1, side=BUILDING, tile="B14", left=3),
        TurnPassed(seat=0, side=COURTYARD, reason=PassReason.NO_PLACEMENT, blocked="C06"),
        VetoLapsed(seat=1, side=BUILDING, tile="C06"),
        VetoOpened(seat=0, side=COURTYARD, tile="B14"),
    )
    assert table.state.camp(BUILDING).token
    assert table.state.camp(COURTYARD).top == "C06"


@pytest.mark.rule("R19", "R25")
def test_a_veto_may_uncover_a_tile_that_fits_nowhere() -> None:
    table = replayed(by_id("game")["G3"], 28)
    assert table.veto("courtyard") == (
        VetoUsed(seat=0, side=COURTYARD, tile="B08"),
        TopRevealed(seat=1, side=BUILDING, tile="B07", left=3),
        TurnPassed(seat=1, side=BUILDING, reason=PassReason.NO_PLACEMENT, blocked="B07"),
    )
    assert table.awaited == "courtyard"


@pytest.mark.rule("R25")
def test_a_vetoed_tile_comes_up_again_and_nobody_can_veto_it() -> None:
    """In G3 the vetoed C12 is the last of its pile: it is laid without a question."""
    table = replayed(by_id("game")["G3"], 32)
    assert table.state.camp(COURTYARD).top == "C12"
    assert (table.state.phase, table.awaited) == (Phase.PLACEMENT, "courtyard")


@pytest.mark.rule("R19", "R26")
def test_the_last_tile_empties_the_pile_and_two_empty_piles_end_the_game() -> None:
    game = by_id("game")["G4"]
    table = replayed(game, 31)
    assert table.log[-1] == PileEmptied(seat=0, side=COURTYARD)
    events = table.place("B13 13 3 0")
    assert events[:-1] == (
        TilePlaced(seat=1, side=BUILDING, ordinal=32, tile="B13", x=13, y=3, o=0),
        PileEmptied(seat=1, side=BUILDING),
        TurnPassed(seat=0, side=COURTYARD, reason=PassReason.EMPTY_PILE, blocked=None),
        TurnPassed(seat=1, side=BUILDING, reason=PassReason.EMPTY_PILE, blocked=None),
    )
    assert isinstance(events[-1], GameScored)
    assert GAME.to_act(table.state) == frozenset()
    assert not GAME.legal(table.state, 0)
    assert not GAME.legal(table.state, 1)


@pytest.mark.rule("R20", "R26")
def test_a_placement_between_two_passes_keeps_the_game_going() -> None:
    table = replayed(by_id("game")["G3"], 31)
    assert table.state.passes == 1
    table.place("C12 0 0 1")
    assert [event.side for event in table.log if isinstance(event, TurnPassed)] == [
        *(BUILDING, BUILDING, BUILDING),
        COURTYARD,
    ]


@pytest.mark.rule("K5", "R26")
def test_who_has_just_passed_ends_the_game_by_a_veto_that_uncovers_an_unplaceable_tile() -> None:
    table = blocked()
    assert (table.awaited, table.state.passes, table.state.against) == ("courtyard", 1, "B16")
    events = table.veto("courtyard")
    assert events[:-1] == (
        VetoUsed(seat=0, side=COURTYARD, tile="B16"),
        TopRevealed(seat=1, side=BUILDING, tile="B15", left=3),
        TurnPassed(seat=1, side=BUILDING, reason=PassReason.NO_PLACEMENT, blocked="B15"),
    )
    assert isinstance(events[-1], GameScored)


@pytest.mark.rule("R7", "R23")
def test_vetoed_tiles_come_up_last_whatever_chance_would_have() -> None:
    """The other tiles are drawn from the rest, so the bottom tile is never among those drawn from."""
    asked: list[tuple[str, ...]] = []

    class Watching(SeededChance):
        def pick(self, label: str, items: object) -> object:
            asked.append((label, *items))
            return super().pick(label, items)

    table = Table(Watching(b"k", 0))
    vetoed = table.state.against
    assert vetoed is not None
    table.veto("building")
    while table.state.phase is not Phase.FINISHED:
        if table.state.phase is Phase.VETO_DECISION:
            table.waive(table.awaited)
        else:
            table.act(table.awaited, GAME.default(table.state, 0 if table.awaited == "courtyard" else 1))
    drawn = [entry[1:] for entry in asked if entry[0] == "courtyard_top"]
    assert drawn[0] == tuple(CS)
    for before, after in pairwise(drawn):
        assert set(after) < set(before)
        assert vetoed not in after
        assert list(after) == sorted(after)


@pytest.mark.rule("R7", "R23")
def test_the_tile_at_the_bottom_is_shown_when_nothing_else_is_left() -> None:
    """In G3 the last courtyard tile but one is laid: what comes up is the vetoed one, and no draw is made."""
    table = replayed(by_id("game")["G3"], 29)
    assert table.state.camp(COURTYARD).rest == ()
    table.chance = ScriptedChance()
    assert TopRevealed(seat=0, side=COURTYARD, tile="C12", left=1) in table.place("C03 10 15 0")


@pytest.mark.rule("R22", "R33")
def test_every_kind_of_next_veto_is_listed_where_it_is_allowed() -> None:
    def listed(table: Table) -> set[str]:
        seat = 0 if table.awaited == "courtyard" else 1
        return {str(c.next_veto) for c in GAME.legal(table.state, seat).commands if isinstance(c, PlaceTile)}

    table = fresh()
    assert GAME.legal(table.state, 1).commands == (
        DecideVeto("C01", VetoDecision.WAIVE),
        DecideVeto("C01", VetoDecision.VETO),
    )
    table.waive("building")
    assert listed(table) == {"ask", "waive", "veto"} == set(NextVeto)
    assert listed(fresh(veto="off")) == listed(fresh(veto_timing="after")) == {"ask", "waive"}
    table.place("C01 8 8 0", "veto")
    assert listed(table) == {"ask", "waive", "veto"}, "building has a token, courtyard two tiles"
    table.act("building", GAME.default(table.state, 1))
    table.waive("building")
    assert listed(table) == {"ask", "waive"}, "courtyard's token is spent"
