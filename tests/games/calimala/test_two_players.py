"""The two-player game: Hirelings, the neutral player, the third worker, and the choices of Scoring cards."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.calimala import GAME
from domain.calimala.state import State
from domain.calimala.things import NEUTRAL, Phase, Place, ScoringCard, Space
from domain.calimala.words import (
    ActivationEnded,
    ActivePlayerMarkerPassed,
    BottomWorkerSentToTower,
    CouncilSeatTaken,
    NeutralCubeAdded,
    ScoringCardChosen,
    ScoringCardKept,
    ScoringCardResolved,
    ScoringCardRevealed,
    ScoringTileResolved,
    Standing,
    WorkerReactivated,
)
from domain.core.secrecy import close_all
from tests.games.calimala.table import (
    END,
    A,
    B,
    C,
    F,
    H,
    Table,
    actions,
    card,
    choose,
    impossible,
    names,
    only,
    place,
    position,
    skip,
    take,
)
from tests.support.play import fold

N = NEUTRAL
SENDER = {"cloth": 4, "ships": 3, "houses": "TBH", "marble": 2, "wood": 2}


def groups(events: tuple) -> list[str]:
    """Where neutral cubes went."""
    return [str(event.group) for event in only(events, NeutralCubeAdded)]


# ---- Hirelings


@pytest.mark.rule("R36", "R91", "R43", "R42", "C29", "S16")
def test_a_hireling_gives_two_actions_and_reactivates_nothing() -> None:
    table = Table(position(2, stacks={"s01": "F1 F0"}))
    table.act(A, place("s01", H))
    assert table.pending == actions("wood build")
    assert table.state.queue == ()
    table.act(A, take("wood"))
    table.act(A, impossible("build"), "ship")
    assert names(table.act(A, END)) == [
        "ActivationEnded",
        "BottomWorkerSentToTower",
        "CouncilSeatTaken",
        "ScoringTileResolved",
        "ActivePlayerMarkerPassed",
    ]
    assert table.stack("s01") == "F0 H"
    assert table.state.mats[A].supply == (10, 3, 4)


@pytest.mark.rule("R42", "R91", "S16", "S5")
def test_hirelings_and_contractors_underneath_are_passed_over() -> None:
    table = Table(position(2, stacks={"s01": "H C"}))
    table.act(A, place("s01", F))
    assert table.state.queue == ()


@pytest.mark.rule("R92", "S15")
def test_no_second_hireling_on_a_stack() -> None:
    table = Table(position(2, stacks={"s01": "H", "s03": "F1"}))
    assert table.refused(A, place("s01", H)) == "hireling_already_there"
    spots = {(c.space, c.worker) for c in table.legal(A).commands}
    assert ("s01", H) not in spots
    assert {("s01", F), ("s01", C), ("s03", H)} <= spots


# ---- neutral cubes


@pytest.mark.rule("R93", "S13", "S17")
@pytest.mark.parametrize(
    ("stack", "worker", "follows"), [("", H, True), ("H", F, True), ("H", C, True), ("F1", F, False)]
)
def test_a_hireling_in_the_stack_brings_neutral_cubes(stack: str, worker: Any, follows: bool) -> None:
    table = Table(position(2, stacks={"s07": stack}, mats={A: SENDER}))
    table.act(A, place("s07", worker))
    assert GAME.view(table.state, B).neutral_follows is follows
    assert groups(table.act(A, take("transport", "troyes hamburg"))) == (["troyes", "hamburg"] if follows else [])
    assert table.row("troyes") == ("0N" if follows else "0")
    assert table.state.neutral_cubes == (38 if follows else 40)


@pytest.mark.rule("R93", "C27", "S17")
def test_one_neutral_cube_for_each_group_and_action() -> None:
    table = Table(position(2, mats={A: SENDER}))
    table.act(A, place("s10", H))
    events = table.act(A, take("ship", "lisbon lisbon london"))
    assert events[1:3] == (NeutralCubeAdded(Place.LISBON, 3), NeutralCubeAdded(Place.LONDON, 2))
    twice = Table(position(2, stacks={"s10": "H"}, mats={A: SENDER}))
    twice.act(A, place("s10", C))
    for _ in range(2):
        assert groups(twice.act(A, take("ship", "lisbon"))) == ["lisbon"]
    assert twice.row("lisbon") == "0N0N"


@pytest.mark.rule("R93", "S17")
def test_cards_and_opening_plays_bring_neutral_cubes_too() -> None:
    table = Table(position(2, mats={A: {**SENDER, "hand": "contribute statue ship"}}))
    events = table.act(A, place("s06", H, "contribute santa_croce_wood"))
    assert groups(events) == ["santa_croce_wood"]
    assert groups(table.act(A, card("statue", "palazzo_vecchio_statue"))) == ["palazzo_vecchio_statue"]
    assert table.row("palazzo_vecchio_statue") == "0N"


@pytest.mark.rule("R93", "S13")
def test_reactivated_owners_bring_neutral_cubes_until_the_turn_is_over() -> None:
    table = Table(position(2, stacks={"s10": "H F1"}, mats={A: SENDER, B: {**SENDER, "hand": "ship"}}))
    table.act(A, place("s10", F))
    table.act(A, skip("ship"))
    events = table.act(A, take("transport", "troyes"))
    assert only(events, WorkerReactivated) == [WorkerReactivated(B, Space.S10, 2, A, actions("transport ship"))]
    table.act(B, skip("ship"))
    assert groups(table.act(B, take("transport", "bruges"))) == ["bruges"]
    assert groups(table.act(B, card("ship", "london"))) == ["london"]
    assert table.state.neutral_follows is False
    assert table.awaited == [B]


@pytest.mark.rule("R93", "R94", "C26")
def test_a_full_group_or_an_empty_supply_brings_no_neutral_cube() -> None:
    full = Table(position(2, board={"troyes": "1" * 8}, mats={A: SENDER}))
    full.act(A, place("s10", H))
    assert groups(full.act(A, take("transport", "troyes bruges"))) == ["bruges"]
    one_left = Table(position(2, board={"troyes": "1" * 7}, mats={A: SENDER}))
    one_left.act(A, place("s10", H))
    assert groups(one_left.act(A, take("transport", "troyes"))) == ["troyes"]
    last = Table(position(2, mats={A: SENDER}, neutral_cubes=1))
    last.act(A, place("s10", H))
    assert groups(last.act(A, take("transport", "troyes bruges"))) == ["troyes"]
    assert last.state.neutral_cubes == 0


@pytest.mark.rule("R94", "R93")
def test_building_gaining_and_weaving_bring_no_neutral_cube() -> None:
    table = Table(position(2, stacks={"s01": "H", "s11": "H"}, mats={A: {"wood": 2}, B: {}}))
    table.act(A, place("s01", F))
    assert groups(table.act(A, take("build", "ship"))) == []
    assert groups(table.act(A, take("wood"))) == []
    table.act(B, place("s11", F))
    assert groups(table.act(B, take("weave"))) == []
    assert groups(table.act(B, take("marble"))) == []


@pytest.mark.rule("C30", "R93")
def test_a_stack_that_its_hireling_has_left_brings_none() -> None:
    table = Table(position(2, stacks={"s10": "H C"}, mats={A: SENDER, B: SENDER}))
    table.act(A, place("s10", F))
    table.act(A, take("ship", "london"))
    events = table.act(A, take("transport", "troyes"))
    assert groups(events) == ["troyes"]
    assert table.stack("s10") == "C F0"
    table.act(B, place("s10", F))
    assert groups(table.act(B, take("ship", "london"))) == []


# ---- the third worker


@pytest.mark.rule("R95", "R12", "C3", "S19")
def test_the_third_worker_sends_the_bottom_one_away_after_all_reactivations() -> None:
    table = Table(position(2, stacks={"s05": "F1 F1"}, mats={A: {"ships": 3}}))
    assert names(table.act(A, place("s05", F))) == ["WorkerPlaced", "ActivationStarted"]
    assert table.stack("s05") == "F1 F1 F0"
    table.act(A, take("brick"))
    table.act(A, impossible("transport"), "wood")
    table.act(A, END)
    seen = []
    for kind in ("ship", "build"):
        table.act(B, take("brick"))
        table.act(B, impossible("transport"), kind)
        seen.append(table.act(B, END))
    assert names(seen[0]) == ["ActivationEnded", "WorkerReactivated"]
    assert seen[1][:3] == (
        ActivationEnded(B),
        BottomWorkerSentToTower(Space.S05, F, B),
        CouncilSeatTaken(1, B, exchanged=False),
    )
    assert table.stack("s05") == "F1 F0"


@pytest.mark.rule("R95", "R12")
def test_two_workers_stay() -> None:
    table = Table(position(2, stacks={"s05": "C"}))
    table.act(A, place("s05", F))
    table.act(A, take("brick"))
    table.act(A, impossible("transport"), "wood")
    assert names(table.act(A, END)) == ["ActivationEnded", "ActivePlayerMarkerPassed"]
    assert table.stack("s05") == "C F0"


# ---- the neutral player


@pytest.mark.rule("R96", "C33", "R81", "S18")
def test_the_neutral_player_takes_its_place_and_no_points() -> None:
    table = _to_the_tile(0, board={"troyes": "NNN0011"[:7]}, tile="troyes")
    events = table.act(A, END)
    (tile,) = only(events, ScoringTileResolved)
    assert tile.ranking == (Standing(N, 3, 0), Standing(A, 2, 2, 1), Standing(B, 2, 1))
    assert [mat.points for mat in table.state.mats] == [2, 1]


def _to_the_tile(done: int, *, board: dict[str, str] | None = None, tile: str = "london", **given: Any) -> Table:
    """Player A is about to end the activation that scores the next tile."""
    council = [A, B] * (done // 2) + [N] * (done % 2)
    table = Table(position(2, stacks={"s05": "F0 C"}, board=board, council=council, next_tile=tile, **given))
    table.act(A, place("s05", H))
    table.act(A, take("brick"))
    table.act(A, impossible("transport"), "wood")
    return table


# ---- Scoring cards


@pytest.mark.rule("R98", "R99", "S20")
def test_after_tile_five_both_choose_a_card_to_show_in_any_order() -> None:
    table = _to_the_tile(4, start=1, turns=1)
    assert names(table.act(A, END))[-1] == "ScoringTileResolved"
    assert (table.state.phase, table.awaited) == (Phase.SHOW_CARD, [A, B])
    held = table.state.mats[B].held
    assert [c.card for c in table.legal(B).commands] == list(held)
    assert table.refused(B, choose(table.state.mats[A].held[0])) == "card_not_held"
    assert table.refused(B, place("s01")) == "wrong_phase"
    before = table.legal(A)
    assert table.act(B, choose(held[1])) == (ScoringCardChosen(B, held[1]),)
    assert table.legal(A) == before
    assert table.refused(B, choose(held[0])) == "already_chosen"
    assert table.refused(2, choose(held[0])) == "not_your_decision"
    assert table.refused(-1, choose(held[0])) == "not_your_decision"
    first = table.state.mats[A].held[0]
    assert table.act(A, choose(first)) == (
        ScoringCardChosen(A, first),
        ScoringCardRevealed(B, held[1]),
        ScoringCardRevealed(A, first),
        ActivePlayerMarkerPassed(B, A),
    )
    assert table.state.open_cards == (held[1], first)
    for seat in (A, B):
        mat = table.state.mats[seat]
        assert (mat.held_size, len(mat.held), mat.chosen, mat.has_chosen, mat.has_kept) == (3, 3, None, False, False)
    assert (table.state.phase, table.awaited) == (Phase.PLACEMENT, [B])


@pytest.mark.rule("R98", "S20")
def test_nobody_learns_a_choice_before_both_have_chosen() -> None:
    table = _to_the_tile(4)
    table.act(A, END)
    closed = table.state
    events = table.act(A, choose("bruges"))
    for viewer in (B, -1):
        assert close_all(events, viewer) == (ScoringCardChosen(A, None),)
        seen = GAME.view(fold(GAME, closed, close_all(events, viewer)), viewer)
        assert seen == GAME.view(table.state, viewer)
        assert seen.players[A].has_chosen
        assert seen.players[A].chosen is None
    assert GAME.view(table.state, A).players[A].chosen == "bruges"


@pytest.mark.rule("R98", "R99", "S20")
def test_after_tile_ten_both_keep_a_card_and_put_two_away() -> None:
    held = {A: {"held": "troyes bruges hamburg"}, B: {"held": "lisbon london santa_croce"}}
    table = _to_the_tile(9, mats=held)
    table.act(A, END)
    assert (table.state.phase, table.awaited) == (Phase.KEEP_CARD, [A, B])
    assert table.act(A, choose("bruges")) == (ScoringCardKept(A, ScoringCard.BRUGES),)
    assert table.refused(A, choose("troyes")) == "already_chosen"
    last = ScoringCardKept(B, ScoringCard.LONDON)
    assert GAME.evolve(table.state, last).phase is Phase.SETTLING
    assert table.act(B, choose("london")) == (last, ActivePlayerMarkerPassed(B, A))
    mat = table.state.mats[A]
    assert (mat.kept, mat.held, mat.away, mat.held_size) == ("bruges", (), ("troyes", "hamburg"), 0)
    seen = GAME.view(table.state, B)
    assert (seen.players[A].kept, seen.players[A].away, seen.players[A].has_kept) == (None, None, True)
    assert seen.players[B].away == ("lisbon", "santa_croce")


@pytest.mark.rule("R98")
@pytest.mark.parametrize("done", [0, 3, 5, 8, 10, 13])
def test_no_other_tile_asks_for_a_card(done: int) -> None:
    table = _to_the_tile(done)
    assert names(table.act(A, END))[-1] == "ActivePlayerMarkerPassed"


def _last_turn(done: int, mats: dict[int, dict[str, Any]]) -> tuple[Table, tuple]:
    """The last worker of the last turn has been placed, with so many tiles scored."""
    state: State = position(
        2, active=1, stacks={"s05": "C"}, council=[A, B] * (done // 2) + [N] * (done % 2), mats=mats
    )
    table = Table(replace(state, end="supply_empty"))
    table.act(B, place("s05", H))
    table.act(B, take("brick"))
    table.act(B, impossible("transport"), "wood")
    return table, table.act(B, END)


@pytest.mark.rule("R99", "R103", "C38", "S20")
def test_the_choice_interrupts_the_end_phase() -> None:
    mats = {A: {"held": "troyes bruges hamburg"}, B: {"held": "lisbon london santa_croce", "supply": (0, 0, 1)}}
    table, events = _last_turn(8, mats)
    assert [event.council_seat for event in only(events, ScoringTileResolved)] == [9, 10]
    assert not only(events, CouncilSeatTaken)
    assert (table.state.phase, table.awaited, table.state.active) == (Phase.KEEP_CARD, [A, B], A)
    table.act(B, choose("lisbon"))
    events = table.act(A, choose("troyes"))
    assert [event.council_seat for event in only(events, ScoringTileResolved)] == [11, 12, 13, 14, 15]
    assert names(events)[-5:] == [
        "KeptCardShown",
        "ScoringCardResolved",
        "KeptCardShown",
        "ScoringCardResolved",
        "GameEnded",
    ]


@pytest.mark.rule("R98", "R99", "R103", "C38", "R104")
def test_both_choices_may_fall_into_the_end_phase() -> None:
    mats = {A: {}, B: {"supply": (0, 0, 1)}}
    table, _ = _last_turn(4, mats)
    assert table.state.phase is Phase.SHOW_CARD
    table.act(A, choose("troyes"))
    table.act(B, choose("lisbon"))
    assert table.state.phase is Phase.KEEP_CARD
    table.act(A, choose("bruges"))
    events = table.act(B, choose("london"))
    assert [event.card for event in only(events, ScoringCardResolved)] == ["troyes", "lisbon", "bruges", "london"]
    assert GAME.outcome(table.state) is not None


@pytest.mark.rule("R97", "R105")
def test_the_neutral_player_is_not_in_the_outcome() -> None:
    mats = {A: {}, B: {"supply": (0, 0, 1)}}
    table, _ = _last_turn(10, {seat: {**mat, "held": "", "kept": "lisbon"} for seat, mat in mats.items()})
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert sorted(outcome.places) == [1, 2]
    assert len(outcome.scores) == 2
