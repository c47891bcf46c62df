"""What is hidden from whom, on every surface; that sizes are public; that nothing tells what a hand holds."""

from itertools import pairwise
from typing import Any

import pytest

from domain.calimala import GAME
from domain.calimala.things import Action, Worker
from domain.calimala.words import (
    ActionCardDrawn,
    ChooseScoringCard,
    KeptCardShown,
    ScoringCardChosen,
    ScoringCardKept,
    ScoringCardRevealed,
    ScoringCardsDealt,
)
from domain.core.chance import SeededChance
from domain.core.secrecy import close_all, hidden_fields, members, reveals
from domain.core.words import ARBITER, GALLERY
from tests.games.calimala.table import END, Table, impossible, names, only, place, position, setup, take
from tests.support.play import fold, play


@pytest.mark.rule("R25", "R26", "R61", "R98")
def test_what_is_declared_as_hidden() -> None:
    hidden = {
        kind: hidden_fields(kind) for kind in (*members(GAME.event), *members(GAME.command)) if hidden_fields(kind)
    }
    assert hidden == {
        ScoringCardsDealt: ("cards",),
        ScoringCardKept: ("secret_card",),
        ScoringCardChosen: ("secret_card",),
        ActionCardDrawn: ("drawn",),
        ChooseScoringCard: ("card",),
    }


@pytest.mark.rule("R98", "R104")
def test_what_opens_what_was_hidden() -> None:
    ((shown, by_show),) = reveals(ScoringCardRevealed)
    ((kept, by_keep),) = reveals(KeptCardShown)
    assert (shown, by_show.event, by_show.field) == ("card", "ScoringCardChosen", "secret_card")
    assert (kept, by_keep.event, by_keep.field) == ("card", "ScoringCardKept", "secret_card")


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.rule("R25", "R61")
def test_each_sees_its_own_cards_and_of_others_their_number(seats: int) -> None:
    for step in play(GAME, seats, 5).steps:
        full = GAME.view(step.state, ARBITER)
        for viewer in (*range(seats), GALLERY):
            for player, mat in zip(GAME.view(step.state, viewer).players, full.players, strict=True):
                assert (player.hand_size, player.held_size) == (len(mat.hand), len(mat.held))
                own = player.player == viewer
                assert player.hand == (mat.hand if own else None)
                assert player.held == (mat.held if own else None)
                assert player.chosen == (mat.chosen if own else None)
                assert player.away == (mat.away if own else None)
                if not own and not step.state.mats[player.player].shown:
                    assert player.kept is None


def _before_a_draw() -> Table:
    table = Table(position(stacks={"s01": "F1"}, mats={0: {"hand": "ship"}, 1: {"hand": "brick"}}))
    table.act(0, place("s01"))
    table.act(0, take("wood"))
    return table


@pytest.mark.rule("R61", "R62")
def test_a_drawn_card_is_seen_by_its_player_alone() -> None:
    drawn: dict[str, dict[int, Any]] = {}
    for kind in ("wood", "contribute"):
        table = _before_a_draw()
        before = table.state
        events = table.act(0, impossible("build"), kind)
        for viewer in (0, 1, 2, GALLERY):
            seen = close_all(events, viewer)
            assert len(seen) == len(events)
            assert seen[1] == ActionCardDrawn(0, Action(kind) if viewer == 0 else None)
            view = GAME.view(fold(GAME, before, seen), viewer)
            assert view == GAME.view(table.state, viewer)
            drawn.setdefault(kind, {})[viewer] = (view, GAME.sketch(view), GAME.to_act(table.state))
    for viewer in (1, 2, GALLERY):
        assert drawn["wood"][viewer] == drawn["contribute"][viewer]
    assert drawn["wood"][0] != drawn["contribute"][0]


@pytest.mark.rule("R38")
def test_an_activation_with_a_useless_card_waits_as_with_a_useful_one() -> None:
    """Whether the card in hand could be played must not show: the player says that the activation is over."""
    ends = []
    for kind in ("wood", "statue"):
        table = Table(position(mats={0: {"wood": 2, "hand": kind}}))
        table.act(0, place("s01"))
        table.act(0, take("wood"))
        ends.append(names(table.act(0, take("build", "ship"))))
        assert table.awaited == [0]
        assert END in table.legal(0).commands
        assert len(table.legal(0).commands) == (2 if kind == "wood" else 1)
    assert ends[0] == ends[1] == ["ActionTaken"]


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.rule("R73", "R28")
def test_a_viewer_folds_closed_events_to_the_same_everything(seats: int) -> None:
    played = play(GAME, seats, 21)
    for viewer in (*range(seats), GALLERY):
        state = GAME.blank(played.setup)
        for step in played.steps:
            state = fold(GAME, state, close_all(step.events, viewer))
            assert GAME.view(state, viewer) == GAME.view(step.state, viewer)
            assert (state.deck, state.discard) == (step.state.deck, step.state.discard)
        others = [mat for seat, mat in enumerate(state.mats) if seat != viewer and mat.hand_size]
        assert all(mat.hand is None or len(mat.hand) == mat.hand_size for mat in others)


@pytest.mark.rule("R28", "R73")
def test_no_order_of_the_deck_is_drawn_before_it_is_needed() -> None:
    """Setup and the draft draw nothing for the deck, a reshuffle neither."""
    played = play(GAME, 4, 9)
    opened = {draw.label for draw in played.steps[0].draws}
    assert opened == {"starting seat", "action tile", "scoring tile", "scoring card", "open scoring card"}
    for before, step in pairwise(played.steps):
        drawn = [event for event in step.events if type(event) is ActionCardDrawn]
        certain = (before.state.deck or len(before.state.discard)) == 1
        expected = [] if certain else ["action card"] * len(drawn)
        assert [draw.label for draw in step.draws] == expected


@pytest.mark.rule("R33")
def test_a_refusal_of_an_opening_play_tells_the_player_only_of_its_own_hand() -> None:
    tables = [Table(position(mats={1: {"hand": hand}})) for hand in ("ship", "wood")]
    ship = place("s01", Worker.FAMILY_MEMBER, "ship lisbon")
    first, second = (table.refusal(0, ship) for table in tables)
    assert first.args == second.args
    assert tables[0].legal(0) == tables[1].legal(0)


@pytest.mark.rule("R26")
def test_other_cards_are_dealt_under_another_key() -> None:
    chosen = setup(3)
    dealt = set()
    for key in range(10):
        events = GAME.opening(chosen, SeededChance(bytes([key]), 0))
        dealt.add(tuple(event.cards for event in only(events, ScoringCardsDealt)))
    assert len(dealt) == 10


@pytest.mark.rule("R26", "R98")
@pytest.mark.parametrize("seats", GAME.seats)
def test_a_closed_fold_knows_nothing_of_others(seats: int) -> None:
    """What is hidden stays None in a fold that may not know it; it is never made up from what is public."""
    played = play(GAME, seats, 6)
    state = GAME.blank(played.setup)
    for step in played.steps:
        state = fold(GAME, state, close_all(step.events, GALLERY))
        for mat, full in zip(state.mats, step.state.mats, strict=True):
            assert (mat.hand_size, mat.held_size, mat.has_kept) == (full.hand_size, full.held_size, full.has_kept)
            assert mat.held is None if full.held else not mat.held
            assert mat.away is None if full.away else not mat.away
            assert mat.chosen is None
            assert mat.kept == (full.kept if full.shown else None)
            assert mat.hand is None or mat.hand == full.hand
