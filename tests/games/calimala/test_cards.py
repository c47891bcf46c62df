"""Impossible, skipped, compensated; Action cards, opening plays, and the deck."""

import pytest

from domain.calimala import GAME
from domain.calimala.state import remainder
from domain.calimala.things import ACTIONS, Action, ShuffleReason, Space
from domain.calimala.words import (
    ActionCardDrawn,
    ActionCardPlayed,
    ActionDeckShuffled,
    ActionSkipped,
    ActionTaken,
    ActivationStarted,
    ImpossibleActionCompensated,
    PlayActionCard,
    WorkerPlaced,
)
from tests.games.calimala.table import (
    END,
    C,
    F,
    Table,
    actions,
    card,
    impossible,
    names,
    pass_turn,
    place,
    position,
    skip,
    take,
)

# ---- impossible and skipped


@pytest.mark.rule("R61", "R64", "C9", "S10")
def test_an_impossible_action_earns_a_card_and_is_settled() -> None:
    table = Table(position())
    table.act(0, place("s01"))
    assert table.act(0, impossible("build"), "ship") == (
        ImpossibleActionCompensated(0, Action.BUILD, 1),
        ActionCardDrawn(0, Action.SHIP),
    )
    assert table.pending == ("wood",)
    assert (table.hand(0), table.state.deck) == (("ship",), 44)


@pytest.mark.rule("R63", "R64", "S11", "C12")
def test_skipping_and_partial_actions_earn_nothing() -> None:
    table = Table(position(mats={0: {"cloth": 3, "workshops": 2, "ships": 3}}, board={"lisbon": "1"}))
    table.act(0, place("s12"))
    assert table.refused(0, impossible("weave")) == "action_possible"
    assert names(table.act(0, take("ship", "lisbon"))) == ["ActionTaken"]
    assert table.act(0, skip("weave"))[0] == ActionSkipped(0, Action.WEAVE)
    assert table.hand(0) == ()


@pytest.mark.rule("R60", "C11")
def test_whether_an_action_is_impossible_is_asked_when_it_is_settled() -> None:
    """The order is free: declared first it is impossible, taken second it would not have been."""
    first = Table(position(mats={0: {"wood": 1}}))
    first.act(0, place("s01"))
    assert names(first.act(0, impossible("build"), "weave")) == ["ImpossibleActionCompensated", "ActionCardDrawn"]
    second = Table(position(mats={0: {"wood": 1}}))
    second.act(0, place("s01"))
    second.act(0, take("wood"))
    assert second.refused(0, impossible("build")) == "action_possible"
    second.act(0, take("build", "ship"))


@pytest.mark.rule("R61", "C13", "C14", "S10")
def test_the_active_player_draws_one_card_in_a_turn_at_most() -> None:
    table = Table(position(stacks={"s01": "F0"}, mats={0: {"ships": 3}}))
    table.act(0, place("s01", C))
    table.act(0, take("wood"))
    table.act(0, impossible("build"), "ship")
    assert table.act(0, impossible("build")) == (ImpossibleActionCompensated(0, Action.BUILD, 0),)
    table.act(0, take("wood"))
    table.act(0, END)
    assert table.act(0, impossible("build")) == (ImpossibleActionCompensated(0, Action.BUILD, 0),)
    assert table.hand(0) == ("ship",)


@pytest.mark.rule("R61")
def test_the_limit_of_one_card_is_for_each_turn_anew() -> None:
    table = Table(position(2))
    for seat, space in ((0, "s03"), (1, "s05"), (0, "s08")):
        table.act(seat, place(space))
        done, failed = {"s03": ("wood", "statue"), "s05": ("brick", "transport"), "s08": ("marble", "statue")}[space]
        assert names(table.act(seat, impossible(failed), "ship")) == ["ImpossibleActionCompensated", "ActionCardDrawn"]
        assert table.state.compensated
        table.act(seat, take(done))
        table.act(seat, END)
        assert not table.state.compensated
    assert (len(table.hand(0)), len(table.hand(1))) == (2, 1)


@pytest.mark.rule("R61", "C15")
def test_another_owner_draws_for_each_impossible_action() -> None:
    table = Table(position(stacks={"s10": "F1 F1"}, mats={0: {"cloth": 1, "ships": 1}}))
    table.act(0, place("s10"))
    table.act(0, take("ship", "lisbon"))
    table.act(0, impossible("transport"), "wood")
    table.act(0, END)
    for kind in ("brick", "marble"):
        table.act(1, impossible("transport"), kind)
        table.act(1, impossible("ship"), "build")
        last = table.act(1, END)
    assert len(table.hand(1)) == 4
    assert names(last) == ["ActivationEnded", "ActivePlayerMarkerPassed"]


@pytest.mark.rule("R62", "C18")
def test_a_drawn_card_may_be_played_at_once_but_does_not_bring_the_action_back() -> None:
    table = Table(position(mats={0: {"wood": 1, "brick": 0}}))
    table.act(0, place("s01"))
    table.act(0, impossible("build"), "wood")
    table.act(0, card("wood"))
    assert table.goods(0)["wood"] == 2
    assert table.refused(0, take("build", "ship")) == "not_pending"
    table.act(0, take("wood"))
    assert table.awaited == [1]


# ---- playing cards


@pytest.mark.rule("R70", "R72", "R73")
@pytest.mark.parametrize("action", ACTIONS)
def test_a_card_does_what_its_action_does_and_is_discarded(action: Action) -> None:
    mat = {"wood": 2, "brick": 2, "marble": 2, "cloth": 1, "ships": 1, "houses": "T", "hand": f"{action} ship"}
    table = Table(position(mats={0: mat}))
    table.act(0, place("s01"))
    command = next(c for c in table.legal(0).commands if isinstance(c, PlayActionCard) and c.action is action)
    events = table.act(0, command)
    assert events[0] == ActionCardPlayed(0, action)
    assert isinstance(events[1], ActionTaken)
    assert (events[1].via, events[1].choice, len(events)) == ("card", command.choice, 2)
    assert table.state.discard == (action,)
    assert table.hand(0) == ("ship",)
    assert table.pending == actions("wood build")
    assert not table.state.current.taken


@pytest.mark.rule("R72", "R37")
def test_a_card_is_no_grid_action() -> None:
    table = Table(position(mats={0: {"hand": "wood wood"}}))
    table.act(0, place("s03"))
    table.act(0, card("wood"))
    table.act(0, impossible("statue"), "ship")
    assert table.refused(0, skip("wood")) == "must_take_one"


@pytest.mark.rule("R71", "R72")
def test_which_cards_cannot_be_played() -> None:
    table = Table(position(mats={0: {"hand": "statue build", "wood": 2}}))
    table.act(0, place("s01"))
    assert table.refused(0, card("ship", "lisbon")) == "card_not_in_hand"
    assert table.refused(0, card("statue", "san_miniato_statue")) == "action_impossible"
    assert table.refused(0, card("build", "workshop")) == "bad_choice"
    table.act(0, card("build", "ship"))
    assert table.refused(0, card("build", "ship")) == "card_not_in_hand"


@pytest.mark.rule("R71", "S12", "S22", "C18")
def test_cards_before_between_and_after_the_grid_actions() -> None:
    table = Table(position(mats={0: {"hand": "brick marble wood"}}))
    table.act(0, place("s01"))
    table.act(0, card("brick"))
    table.act(0, take("wood"))
    table.act(0, card("marble"))
    table.act(0, take("build", "workshop"))
    events = table.act(0, card("wood"))
    assert names(events) == ["ActionCardPlayed", "ActionTaken", "ActivationEnded", "ActivePlayerMarkerPassed"]


@pytest.mark.rule("R60", "C12", "S12")
@pytest.mark.parametrize("then", ["take", "skip"])
def test_a_card_that_makes_an_action_possible(then: str) -> None:
    table = Table(position(mats={0: {"wood": 1, "hand": "brick"}}))
    table.act(0, place("s01"))
    assert impossible("build") in table.legal(0).commands
    table.act(0, card("brick"))
    assert table.refused(0, impossible("build")) == "action_possible"
    table.act(0, take("wood"))
    table.act(0, take("build", "ship") if then == "take" else skip("build"))
    assert table.hand(0) == ()


@pytest.mark.rule("R71", "C19", "S22")
def test_cards_are_played_in_ones_own_activation_only() -> None:
    table = Table(position(stacks={"s01": "F1"}, mats={0: {"hand": "wood"}, 1: {"hand": "wood"}, 2: {"hand": "wood"}}))
    assert table.refused(0, card("wood")) == "wrong_phase"
    table.act(0, place("s01"))
    assert table.refused(1, card("wood")) == "not_your_decision"
    table.act(0, take("wood"))
    table.act(0, impossible("build"), "ship")
    table.act(0, END)
    assert table.refused(0, card("wood")) == "not_your_decision"
    assert table.refused(2, card("wood")) == "not_your_decision"
    table.act(1, card("wood"))
    assert table.pending == actions("wood build")


# ---- opening plays


@pytest.mark.rule("R33", "S8", "S12")
def test_opening_plays_are_part_of_the_placement() -> None:
    table = Table(position(mats={0: {"hand": "wood build ship", "wood": 3, "brick": 4, "cloth": 1}}))
    assert table.refused(0, place("s10")) == "no_possible_action"
    events = table.act(0, place("s10", F, "build ship"))
    assert events[:3] == (
        WorkerPlaced(0, Space.S10, F, 1),
        ActivationStarted(0, Space.S10, F, actions("transport ship")),
        ActionCardPlayed(0, Action.BUILD),
    )
    assert names(events[3:]) == ["ActionTaken"]
    assert table.pending == actions("transport ship")
    assert table.hand(0) == ("wood", "ship")
    table.act(0, take("ship", "london"))


@pytest.mark.rule("R33", "C10")
def test_each_opening_play_must_be_possible_in_its_turn() -> None:
    table = Table(position(mats={0: {"hand": "wood build", "wood": 1, "cloth": 1}}))
    assert table.refused(0, place("s10", F, "build ship", "wood")) == "action_impossible"
    assert table.refused(0, place("s10", F, "wood", "build workshop")) == "bad_choice"
    assert table.refused(0, place("s10", F, "wood", "wood")) == "card_not_in_hand"
    assert table.refused(0, place("s10", F, "wood")) == "no_possible_action"
    assert table.refused(0, place("s10", F, "weave")) == "card_not_in_hand"
    assert table.refused(0, place("s10", F, *["wood"] * 50)) == "card_not_in_hand"
    assert names(table.act(0, place("s10", F, "wood", "build ship"))).count("ActionCardPlayed") == 2


@pytest.mark.rule("R33", "R32")
def test_opening_plays_may_not_leave_both_actions_impossible() -> None:
    table = Table(position(mats={0: {"hand": "contribute", "marble": 1}}))
    assert table.refused(0, place("s06", F, "contribute santa_croce_marble")) == "no_possible_action"
    assert place("s06") in table.legal(0).commands


@pytest.mark.rule("R33", "C10")
def test_a_space_that_only_cards_open_is_a_template_only() -> None:
    table = Table(position(mats={0: {"wood": 1, "brick": 1, "reserve": 0, "hand": "build", "supply": (1, 0, 0)}}))
    assert "s03" not in {command.space for command in table.legal(0).commands}
    assert {template.base.space for template in table.legal(0).templates} >= {"s03", "s08", "s11"}
    assert table.refused(0, pass_turn()) == "placement_exists"
    table.act(0, place("s03", F, "build workshop"))


@pytest.mark.rule("R34", "R33", "C10", "S12")
def test_passing_and_opening_plays_side_by_side() -> None:
    """Nothing is possible on the grid: the centre is full, Build and Statue lie where nobody can go."""
    rows = {
        f"{church}_{kind}": "1" * size
        for church, size in (("santa_maria_del_fiore", 4), ("santa_croce", 3), ("san_miniato", 2))
        for kind in ("wood", "brick", "marble")
    }
    mat = {"wood": 4, "brick": 4, "marble": 4, "cloth": 4, "hand": "build", "supply": (0, 0, 1)}
    stacks = {"s01": "H", "s02": "H", "s04": "H", "s03": "H", "s06": "H", "s08": "H"}
    table = Table(position(2, mats={0: mat}, board=rows, stacks=stacks))
    legal = table.legal(0)
    assert [type(c).__name__ for c in legal.commands] == ["PassTurn"]
    assert {t.base.space for t in legal.templates} == {"s05", "s07", "s09", "s10", "s11", "s12"}
    again = Table(table.state)
    assert names(table.act(0, legal.commands[0])) == ["TurnPassed", "EndTriggered", "ActivePlayerMarkerPassed"]
    assert names(again.act(0, place("s11", legal.templates[0].base.worker, "build workshop")))[-1] == "ActionTaken"


# ---- the deck


@pytest.mark.rule("R73", "R28")
def test_the_last_card_drawn_reshuffles_the_discard_pile_at_once() -> None:
    discard = " ".join(["wood"] * 5 + ["ship"] * 5)
    others = " ".join(["weave"] * 5 + ["statue"] * 5 + ["transport"] * 5 + ["contribute"] * 4)
    state = position(
        discard=discard, mats={1: {"hand": " ".join(["brick", "build", "marble"] * 5)}, 2: {"hand": others}}
    )
    table = Table(state)
    assert remainder(table.state) == [Action.CONTRIBUTE]
    table.act(0, place("s01"))
    assert table.act(0, impossible("build")) == (
        ImpossibleActionCompensated(0, Action.BUILD, 1),
        ActionCardDrawn(0, Action.CONTRIBUTE),
        ActionDeckShuffled(10, ShuffleReason.RESHUFFLE),
    )
    assert (table.state.deck, table.state.discard) == (10, ())
    assert (table.awaited, table.state.phase, table.pending) == ([0], "activation", ("wood",))
    assert remainder(table.state) == [Action.WOOD] * 5 + [Action.SHIP] * 5


@pytest.mark.rule("R73", "C20")
def test_with_deck_and_pile_empty_nothing_is_drawn_and_the_limit_is_not_used() -> None:
    rest = " ".join(str(action) for action in ACTIONS for _ in range(5) if action is not Action.WOOD)
    table = Table(
        position(
            mats={0: {"hand": "wood"}, 1: {"hand": rest}, 2: {"hand": "wood wood wood wood"}}, stacks={"s03": "F0"}
        )
    )
    assert (table.state.deck, table.state.discard) == (0, ())
    table.act(0, place("s03"))
    assert table.act(0, impossible("statue")) == (ImpossibleActionCompensated(0, Action.STATUE, 0),)
    assert table.state.compensated is False
    table.act(0, take("wood"))
    table.act(0, card("wood"))
    assert table.awaited == [0]
    assert table.act(0, impossible("statue")) == (
        ImpossibleActionCompensated(0, Action.STATUE, 1),
        ActionDeckShuffled(1, ShuffleReason.RESHUFFLE),
        ActionCardDrawn(0, Action.WOOD),
    )
    assert table.state.compensated is True
    assert (table.state.deck, table.state.discard) == (0, ())


@pytest.mark.rule("R73")
def test_there_is_no_hand_limit() -> None:
    table = Table(position(mats={0: {"hand": "wood " * 5 + "brick " * 5 + "marble " * 5}}))
    table.act(0, place("s03"))
    table.act(0, impossible("statue"), "ship")
    assert len(table.hand(0)) == 16


@pytest.mark.rule("R73", "R61")
def test_the_whole_deck_in_the_order_of_the_actions() -> None:
    table = Table(position(mats={0: {"hand": "wood"}, 1: {"hand": "ship ship"}}))
    cards = remainder(table.state)
    assert len(cards) == table.state.deck == 42
    assert cards == sorted(cards, key=ACTIONS.index)
    assert [cards.count(action) for action in ACTIONS] == [4, 5, 5, 5, 5, 5, 3, 5, 5]
    table.act(0, place("s01"))
    chosen = table.act(0, impossible("build"), 41)
    assert chosen[1] == ActionCardDrawn(0, cards[41])
    assert GAME.view(table.state, 0).deck == 41
