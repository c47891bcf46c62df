"""Who may see what: hands, setup choices, stacks and decks."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.cards import deck_content
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.words import KINDS, ArrangeRegion, ChooseFirstBonusTile, ChooseStartCastle
from domain.core.secrecy import close_all, hidden_fields, members, reveals
from domain.core.words import ARBITER, GALLERY
from tests.games.castles_of_tuscany.greedy import curious
from tests.support.play import fold, play

HIDDEN = {"RegionCardsDrawn": ("cards",), "RegionArranged": ("arrangement",), "StartCastleChosen": ("board",)} | {
    "FirstBonusTileChosen": ("chosen",)
}


@pytest.mark.rule("R3.7", "R3.11")
def test_what_is_hidden() -> None:
    assert {cls.__name__: hidden_fields(cls) for cls in members(GAME.event) if hidden_fields(cls)} == HIDDEN
    assert {cls: hidden_fields(cls) for cls in members(GAME.command) if hidden_fields(cls)} == {
        ArrangeRegion: ("boards", "shifts", "turned"),
        ChooseStartCastle: ("board",),
        ChooseFirstBonusTile: ("bonus",),
    }


@pytest.mark.rule("K2")
def test_the_reveal_says_what_was_hidden() -> None:
    marks = {field: (mark.event, mark.field, mark.owner) for field, mark in reveals(e.SetupRevealed)}
    assert marks == {
        "region": ("RegionArranged", "arrangement", "seat"),
        "castle_board": ("StartCastleChosen", "board", "seat"),
        "first_bonus": ("FirstBonusTileChosen", "chosen", "seat"),
    }
    events = play(GAME, 3, 1, commits=12).events
    for seat in range(3):
        shown = next(event for event in events if isinstance(event, e.SetupRevealed) and event.seat == seat)
        for field, (name, hidden, _) in marks.items():
            made = next(event for event in events if type(event).__name__ == name and event.seat == seat)
            assert getattr(shown, field) == getattr(made, hidden)


def exchanged(state: State, seat: int, rng: random.Random) -> State:
    """The same table, but the seat's hand has been shuffled into the deck and dealt anew."""
    player = state.players[seat]
    assert player.hand is not None
    pool = [*deck_content(state), *(kind for kind, n in zip(KINDS, player.hand, strict=True) for _ in range(n))]
    new = rng.sample(pool, player.hand_size)
    changed = replace(player, hand=tuple(new.count(kind) for kind in KINDS))
    players = tuple(changed if other == seat else theirs for other, theirs in enumerate(state.players))
    return replace(state, players=players)


@pytest.mark.rule("R3.7", "R3.5")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hands_of_others_change_nothing_that_a_viewer_sees(seats: int) -> None:
    rng = random.Random(seats)
    swaps = 0
    for step in play(GAME, seats, seats, curious(rng)).steps[::5]:
        for seat in range(seats):
            other = exchanged(step.state, seat, rng)
            swaps += other != step.state
            for viewer in (GALLERY, *(set(range(seats)) - {seat})):
                ours, theirs = GAME.view(step.state, viewer), GAME.view(other, viewer)
                assert msgspec.json.encode(ours) == msgspec.json.encode(theirs)
                assert GAME.sketch(ours) == GAME.sketch(theirs)
                if viewer >= 0:
                    assert GAME.legal(step.state, viewer) == GAME.legal(other, viewer)
            assert GAME.to_act(step.state) == GAME.to_act(other)
            assert GAME.moment(step.state) == GAME.moment(other)
            assert GAME.outcome(step.state) == GAME.outcome(other)
    assert swaps > 20


@pytest.mark.rule("R3.7")
def test_hand_sizes_are_public_and_contents_are_not() -> None:
    state = play(GAME, 3, 4, commits=60).state
    for viewer in (0, 1, 2, GALLERY, ARBITER):
        view = GAME.view(state, viewer)
        assert [player.hand_size for player in view.players] == [player.hand_size for player in state.players]
        if viewer >= 0:
            assert view.hand is not None
            assert msgspec.structs.astuple(view.hand) == state.players[viewer].hand
        else:
            assert view.hand is None
        assert len(view.hands) == (3 if viewer == ARBITER else 0)
    own = GAME.view(state, ARBITER)
    assert [msgspec.structs.astuple(hand) for hand in own.hands] == [player.hand for player in state.players]


@pytest.mark.rule("R3.4", "R3.5", "R3.1")
def test_stacks_and_decks_are_heights_also_for_their_owner() -> None:
    state = play(GAME, 2, 9, commits=40).state
    view = GAME.view(state, 0)
    assert view.players[0].stacks == state.players[0].stacks
    assert (view.neutral, view.region_deck, view.production_deck) == (
        *(len(state.neutral), state.region_deck, len(state.production_deck)),
    )
    public = set(view.__struct_fields__) | set(view.players[0].__struct_fields__)
    assert not public & {"undrawn", "region_cards", "seed"}


@pytest.mark.rule("R3.7")
def test_what_others_fold_knows_no_hand() -> None:
    played = play(GAME, 3, 2, commits=60)
    state = fold(GAME, GAME.blank(played.setup), close_all(played.events, 1))
    assert [player.hand is None for player in state.players] == [True, False, True]
    state = fold(GAME, GAME.blank(played.setup), close_all(played.events, GALLERY))
    assert [player.hand for player in state.players] == [None] * 3


@pytest.mark.rule("R8.4")
def test_what_was_paid_is_public() -> None:
    for cls in (e.PlacementPaid, e.PlacementChosen, e.ProductionCardRevealed, e.TileTaken, e.SlotRefilled):
        assert hidden_fields(cls) == ()


@pytest.mark.rule("R3.8")
def test_undealt_boards_are_not_shown() -> None:
    state = play(GAME, 2, 2, commits=0).state
    view = msgspec.json.encode(GAME.view(state, GALLERY)).decode()
    dealt = {board for player in state.players for board in player.dealt}
    for board in state.setup.data.boards:
        assert (f'"{board.id}"' in view) == (board.id in dealt)
