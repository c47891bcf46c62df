"""A turn: placing, passing, the placed worker's actions, reactivations, and the marker."""

import pytest

from domain.calimala import GAME
from domain.calimala.things import SPACES, WORKERS, Phase, Space
from domain.calimala.words import (
    ActivationEnded,
    ActivationStarted,
    ActivePlayerMarkerPassed,
    BottomWorkerSentToTower,
    CouncilSeatTaken,
    ScoringTileResolved,
    TurnPassed,
    WorkerPlaced,
    WorkerReactivated,
)
from tests.games.calimala.table import (
    BETWEEN,
    END,
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
    pass_turn,
    place,
    position,
    skip,
    take,
)

STUCK = {"wood": 0, "brick": 0, "reserve": 0}
"""A mat with which nothing is possible."""


# ---- placing


@pytest.mark.rule("R31", "R36", "R30", "S1", "R44", "S21")
@pytest.mark.parametrize("first", ["wood", "build"])
def test_a_family_member_gives_both_actions_in_either_order(first: str) -> None:
    table = Table(position(mats={0: {"wood": 2}}))
    assert table.act(0, place("s01")) == (
        WorkerPlaced(0, Space.S01, F, 1),
        ActivationStarted(0, Space.S01, F, actions("wood build")),
    )
    assert table.awaited == [0]
    second = "build" if first == "wood" else "wood"
    choice = {"wood": "", "build": "ship"}
    assert names(table.act(0, take(first, choice[first]))) == ["ActionTaken"]
    assert table.pending == (second,)
    assert names(table.act(0, take(second, choice[second]))) == [
        "ActionTaken",
        "ActivationEnded",
        "ActivePlayerMarkerPassed",
    ]
    assert (table.awaited, table.state.phase) == ([1], Phase.PLACEMENT)
    assert table.state.mats[0].supply == (11, 3, 0)


@pytest.mark.rule("R36", "S4", "C4")
def test_a_contractor_gives_each_action_twice_also_interleaved() -> None:
    table = Table(position(mats={0: {"wood": 1}}))
    table.act(0, place("s01", C))
    assert table.pending == actions("wood wood build build")
    for step in (take("wood"), take("build", "ship"), take("wood")):
        table.act(0, step)
    assert table.pending == actions("build")
    assert table.state.mats[0].supply == (12, 2, 0)


@pytest.mark.rule("R31", "R12")
def test_any_space_and_any_worker_of_the_supply() -> None:
    mat = {"wood": 2, "brick": 2, "marble": 1, "cloth": 1, "ships": 1, "houses": "T", "supply": (1, 1, 0)}
    table = Table(position(mats={0: mat}, stacks={"s05": "F1", "s09": "F1 C"}))
    commands = table.legal(0).commands
    assert len(commands) == 24
    assert {(c.space, c.worker) for c in commands} == {(space, worker) for space in SPACES for worker in (F, C)}
    table.act(0, place("s09"))
    assert table.stack("s09") == "F1 C F0"
    assert table.refused(0, place("s01")) == "wrong_phase"


@pytest.mark.rule("R31")
@pytest.mark.parametrize("worker", WORKERS)
def test_a_worker_not_in_the_supply_cannot_be_placed(worker: str) -> None:
    supply = tuple(int(kind is not worker) for kind in WORKERS)
    table = Table(position(2, mats={0: {"supply": supply}}))
    assert table.refused(0, place("s01", worker)) == "no_such_worker"


@pytest.mark.rule("R32", "S8", "C10", "C9")
def test_a_placement_needs_a_possible_action() -> None:
    table = Table(position(mats={0: {"cloth": 4}}))
    assert table.refused(0, place("s10")) == "no_possible_action"
    assert table.refused(0, place("s12")) == "no_possible_action"
    open_spaces = {command.space for command in table.legal(0).commands}
    expected = {space for space, pair in BETWEEN.items() if set(pair.split()) & {"wood", "brick", "marble"}}
    assert open_spaces == expected
    table.act(0, place("s05"))
    assert table.refused(0, skip("transport")) == "action_impossible"
    table.act(0, impossible("transport"), "ship")
    assert table.hand(0) == ("ship",)


@pytest.mark.rule("R30")
def test_only_the_active_player_places() -> None:
    table = Table(position(active=1))
    assert table.awaited == [1]
    for seat in (0, 2, 3, -1, 2**40):
        assert table.refused(seat, place("s01")) == "not_your_decision"
    for command in (take("wood"), skip("wood"), impossible("wood"), card("wood"), END, choose("lisbon")):
        assert table.refused(1, command) == "wrong_phase"


# ---- the bottom worker


@pytest.mark.rule("R35", "R12", "R74", "C1", "S3")
def test_standard_side_a_full_stack_loses_its_bottom_worker_first() -> None:
    table = Table(position(stacks={"s01": "F1 F2 F2"}, mats={2: {"ships": 3}}))
    events = table.act(0, place("s01"))
    assert events[:2] == (BottomWorkerSentToTower(Space.S01, F, 1), WorkerPlaced(0, Space.S01, F, 3))
    assert (table.stack("s01"), table.state.tower) == ("F2 F2 F0", "F1")
    assert [table.state.stacks[0][at] for at in table.state.queue] == ["F2", "F2"]
    assert GAME.view(table.state, -1).tower == "F1"
    table.act(0, take("wood"))
    table.act(0, impossible("build"), "wood")
    table.act(0, END)
    for kind in ("brick", "ship"):
        table.act(2, take("wood"))
        events = table.act(2, impossible("build"), kind)
        events = table.act(2, END)
    assert events[1:3] == (CouncilSeatTaken(1, 1, exchanged=False), only(events, ScoringTileResolved)[0])
    assert table.state.tower is None
    assert table.state.council == (1,)


@pytest.mark.rule("R35")
@pytest.mark.parametrize(("stack", "sent"), [("", 0), ("F1", 0), ("F1 C", 0), ("F1 C F1", 1)])
def test_standard_side_only_a_stack_of_three_loses_a_worker(stack: str, sent: int) -> None:
    events = Table(position(stacks={"s01": stack})).act(0, place("s01"))
    assert len(only(events, BottomWorkerSentToTower)) == sent
    assert only(events, WorkerPlaced)[0].height == min(3, len(stack.split()) + 1)


@pytest.mark.rule("C2", "C3")
def test_ones_own_bottom_worker_takes_the_seat_and_does_not_act() -> None:
    table = Table(position(stacks={"s01": "F0 C C"}))
    table.act(0, place("s01"))
    table.act(0, take("wood"))
    table.act(0, impossible("build"), "wood")
    assert names(table.act(0, END)) == [
        "ActivationEnded",
        "CouncilSeatTaken",
        "ScoringTileResolved",
        "ActivePlayerMarkerPassed",
    ]
    assert table.state.council == (0,)


# ---- at least one action


@pytest.mark.rule("R37", "C17")
def test_the_placed_worker_must_do_something() -> None:
    table = Table(position())
    table.act(0, place("s03"))
    assert table.refused(0, skip("wood")) == "must_take_one"
    table.act(0, impossible("statue"), "wood")
    assert table.refused(0, skip("wood")) == "must_take_one"
    assert [type(c).__name__ for c in table.legal(0).commands] == ["TakeAction", "PlayActionCard"]


@pytest.mark.rule("R37", "C17", "R63")
def test_one_of_two_possible_actions_may_be_skipped_first() -> None:
    table = Table(position(mats={0: {"wood": 2}}))
    table.act(0, place("s01"))
    assert names(table.act(0, skip("wood"))) == ["ActionSkipped"]
    assert table.refused(0, skip("build")) == "must_take_one"
    table.act(0, take("build", "ship"))
    again = Table(position(mats={0: {"wood": 2}}))
    again.act(0, place("s01"))
    again.act(0, take("build", "ship"))
    assert names(again.act(0, skip("wood"))) == ["ActionSkipped", "ActivationEnded", "ActivePlayerMarkerPassed"]
    assert again.state.mats[0].hand_size == 0


@pytest.mark.rule("R37", "R36")
def test_the_second_time_of_a_contractors_action_is_another_chance() -> None:
    table = Table(position(mats={0: {"cloth": 4}}))
    table.act(0, place("s08", C))
    table.act(0, skip("marble"))
    assert table.refused(0, skip("marble")) == "must_take_one"
    table.act(0, impossible("statue"), "wood")
    assert table.refused(0, skip("marble")) == "must_take_one"
    table.act(0, take("marble"))
    assert table.pending == ("statue",)


@pytest.mark.rule("R37", "C16", "R61")
def test_the_duty_lapses_when_nothing_is_possible_any_more() -> None:
    """A card uses up the last marble: Statue and Contribute become impossible, and are compensated as usual."""
    table = Table(position(mats={0: {"marble": 1, "hand": "statue"}}))
    table.act(0, place("s06"))
    table.act(0, card("statue", "palazzo_vecchio_statue"))
    assert names(table.act(0, impossible("statue"), "ship")) == ["ImpossibleActionCompensated", "ActionCardDrawn"]
    assert names(table.act(0, impossible("contribute"))) == ["ImpossibleActionCompensated"]
    assert names(table.act(0, END)) == ["ActivationEnded", "ActivePlayerMarkerPassed"]


# ---- the end of an activation


@pytest.mark.rule("R38")
def test_an_activation_ends_by_itself_only_without_cards() -> None:
    table = Table(position(mats={0: {"wood": 2, "hand": "ship"}}))
    table.act(0, place("s01"))
    assert table.refused(0, END) == "actions_pending"
    table.act(0, take("wood"))
    assert table.refused(0, END) == "actions_pending"
    assert names(table.act(0, take("build", "ship"))) == ["ActionTaken"]
    assert table.legal(0).commands == (END,)
    assert names(table.act(0, END)) == ["ActivationEnded", "ActivePlayerMarkerPassed"]


@pytest.mark.rule("R38", "R71")
def test_the_last_card_played_after_the_last_action_ends_the_activation() -> None:
    table = Table(position(mats={0: {"wood": 2, "hand": "wood"}}))
    table.act(0, place("s01"))
    table.act(0, take("wood"))
    table.act(0, take("build", "ship"))
    assert names(table.act(0, card("wood"))) == [
        "ActionCardPlayed",
        "ActionTaken",
        "ActivationEnded",
        "ActivePlayerMarkerPassed",
    ]


# ---- reactivations


@pytest.mark.rule("R40", "R41", "R42", "C5", "S5", "S7", "R30", "S2")
def test_family_members_underneath_are_reactivated_from_top_to_bottom() -> None:
    table = Table(position(4, active=3, stacks={"s05": "F1 F2"}))
    table.act(3, place("s05"))
    table.act(3, take("brick"))
    table.act(3, impossible("transport"), "wood")
    assert table.act(3, END) == (
        ActivationEnded(3),
        WorkerReactivated(2, Space.S05, 2, 3, actions("brick transport")),
    )
    assert table.awaited == [2]
    seen = GAME.view(table.state, 0)
    assert seen.next_activations == (1,)
    (awaited,) = seen.awaiting
    assert (awaited.seat, awaited.decision, awaited.space, awaited.worker) == (2, "activation", "s05", F)
    assert (awaited.pending, awaited.why, awaited.by, awaited.must_take) == (
        actions("brick transport"),
        "reactivated",
        3,
        False,
    )
    for seat in (0, 1, 3):
        assert table.refused(seat, take("brick")) == "not_your_decision"
    table.act(2, skip("brick"))
    table.act(2, impossible("transport"), "wood")
    assert only(table.act(2, END), WorkerReactivated) == [
        WorkerReactivated(1, Space.S05, 1, 3, actions("brick transport"))
    ]
    assert table.awaited == [1]
    table.act(1, impossible("transport"), "wood")
    table.act(1, take("brick"))
    assert table.act(1, END) == (ActivationEnded(1), ActivePlayerMarkerPassed(0, 3))


@pytest.mark.rule("R42", "C5", "C4", "S5")
def test_contractors_do_not_reactivate_and_do_not_double_reactivations() -> None:
    table = Table(position(stacks={"s02": "F1 C"}, mats={0: {"wood": 4, "brick": 2}}))
    table.act(0, place("s02", C))
    assert table.pending == actions("build build brick brick")
    for step in (take("brick"), take("brick"), take("build", "ship")):
        table.act(0, step)
    events = table.act(0, take("build", "ship"))
    assert only(events, WorkerReactivated) == [WorkerReactivated(1, Space.S02, 1, 0, actions("build brick"))]
    table.act(1, take("brick"))
    table.act(1, impossible("build"), "wood")
    assert names(table.act(1, END)) == ["ActivationEnded", "ActivePlayerMarkerPassed"]


@pytest.mark.rule("C3", "R41", "R63")
def test_a_reactivated_owner_may_skip_everything() -> None:
    table = Table(position(stacks={"s01": "F1"}, mats={1: {"wood": 2}}))
    table.act(0, place("s01"))
    table.act(0, take("wood"))
    table.act(0, impossible("build"), "wood")
    table.act(0, END)
    table.act(1, skip("wood"))
    assert names(table.act(1, skip("build"))) == ["ActionSkipped", "ActivationEnded", "ActivePlayerMarkerPassed"]
    assert table.state.mats[1].hand_size == 0


@pytest.mark.rule("R36", "R41", "R30")
def test_the_view_says_why_a_worker_is_active() -> None:
    table = Table(position())
    assert [(a.seat, a.decision, a.space) for a in GAME.view(table.state, -1).awaiting] == [(0, "placement", None)]
    table.act(0, place("s01", C))
    (awaited,) = GAME.view(table.state, -1).awaiting
    assert (awaited.worker, awaited.why, awaited.by, awaited.must_take) == (C, "placed", 0, True)
    assert awaited.pending == actions("wood wood build build")
    table.act(0, take("wood"))
    assert not GAME.view(table.state, -1).awaiting[0].must_take


@pytest.mark.rule("R36", "R41")
def test_only_pending_actions_are_settled() -> None:
    table = Table(position(mats={0: {"wood": 2}}))
    table.act(0, place("s01"))
    for command in (take("brick"), skip("brick"), impossible("ship")):
        assert table.refused(0, command) == "not_pending"
    table.act(0, take("wood"))
    for command in (take("wood"), skip("wood"), impossible("wood")):
        assert table.refused(0, command) == "not_pending"
    for command in (place("s02"), pass_turn(), choose("lisbon")):
        assert table.refused(0, command) == "wrong_phase"


# ---- passing


@pytest.mark.rule("R34", "C28", "R44")
def test_without_a_placement_a_worker_is_given_up() -> None:
    table = Table(position(mats={0: {**STUCK, "supply": (2, 1, 0)}}))
    assert table.legal(0).commands == (pass_turn(F), pass_turn(C))
    assert table.refused(0, pass_turn(H)) == "no_such_worker"
    assert table.refused(0, place("s01")) == "no_possible_action"
    assert table.act(0, pass_turn(C)) == (TurnPassed(0, C), ActivePlayerMarkerPassed(1, 0))
    assert (table.state.mats[0].supply, table.state.box) == ((2, 0, 0), (0, 1, 0))
    assert GAME.view(table.state, -1).box == "C"


@pytest.mark.rule("R34")
def test_passing_is_refused_while_a_placement_is_legal() -> None:
    table = Table(position(mats={0: {"supply": (1, 0, 0)}}))
    assert table.refused(0, pass_turn(F)) == "placement_exists"
    assert table.refused(0, pass_turn(C)) == "placement_exists"


@pytest.mark.rule("C28", "R92", "R34")
def test_only_hirelings_left_and_no_room_for_them() -> None:
    stacks = {space: "H" for space, pair in BETWEEN.items() if "wood" in pair.split()}
    mat = {"brick": 4, "marble": 4, "cloth": 4, "supply": (0, 0, 2), "houses": "TBH"}
    full = {
        f"{church}_{kind}": "1" * size
        for church, size in (("santa_maria_del_fiore", 4), ("santa_croce", 3), ("san_miniato", 2))
        for kind in ("wood", "brick", "marble", "statue")
    }
    board = {**full, "palazzo_vecchio_statue": "111", **dict.fromkeys(("troyes", "bruges", "hamburg"), "1" * 9)}
    table = Table(position(2, mats={0: mat}, stacks=stacks, board=board))
    assert table.legal(0).commands == (pass_turn(H),)
    assert table.refused(0, place("s01", H)) == "hireling_already_there"
    assert table.refused(0, place("s02", H)) == "no_possible_action"
    assert names(table.act(0, pass_turn(H))) == ["TurnPassed", "ActivePlayerMarkerPassed"]
