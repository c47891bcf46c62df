"""The price of a placement: two cards of the needed kind; a worker or an equal pair stands for one (R8.2, R8.3)."""

from itertools import combinations_with_replacement

from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.course import Course
from domain.castles_of_tuscany.fitting import region
from domain.castles_of_tuscany.state import KIND_INDEX, Player, State
from domain.castles_of_tuscany.words import KINDS, Kind, Pay
from domain.core.errors import Illegal
from domain.core.words import Seat

PRICE = 2
PAIR = 2

_BY_NAME = tuple(sorted(KINDS))


def chosen_kind(state: State, seat: Seat) -> Kind:
    """The kind of card that the chosen placement costs: that of its space."""
    assert state.chosen is not None
    return region(state, seat).kinds[state.chosen[1]]


def _hand(player: Player) -> tuple[int, ...]:
    assert player.hand is not None
    return player.hand


def can_pay(player: Player, kind: Kind) -> bool:
    """Whether the seat has any payment for a space of this kind."""
    hand = _hand(player)
    needed = hand[KIND_INDEX[kind]]
    pairs = sum(count // PAIR for count in hand) - needed // PAIR
    return needed + player.workers + pairs >= PRICE


def legal_payments(state: State, seat: Seat) -> tuple[Pay, ...]:
    """Every distinct payment for the chosen placement, once."""
    player, kind = state.players[seat], chosen_kind(state, seat)
    hand = _hand(player)
    others = [other for other in _BY_NAME if other is not kind and hand[KIND_INDEX[other]] >= PAIR]
    return tuple(
        Pay(cards, workers, pairs)
        for cards in range(min(PRICE, hand[KIND_INDEX[kind]]), -1, -1)
        for workers in range(min(PRICE - cards, player.workers), -1, -1)
        for pairs in combinations_with_replacement(others, PRICE - cards - workers)
        if _has_pairs(hand, pairs)
    )


def _has_pairs(hand: tuple[int, ...], pairs: tuple[Kind, ...]) -> bool:
    return all(hand[KIND_INDEX[kind]] >= PAIR * pairs.count(kind) for kind in pairs)


def pay(course: Course, seat: Seat, command: Pay, kind: Kind) -> None:
    """Check a payment and make it (R8.4)."""
    player = course.player(seat)
    hand = _hand(player)
    cards, workers, pairs = command.cards, command.workers, command.pairs
    if cards < 0 or workers < 0 or cards + workers + len(pairs) != PRICE:
        raise Illegal(
            "wrong_payment",
            "R8.3",
            f"{cards} cards, {workers} workers and {len(pairs)} pairs are not the price.",
            "Cards, workers and pairs are two together.",
        )
    if kind in pairs:
        raise Illegal("pair_of_needed_kind", "R8.3", f"Here {kind} cards are needed, and they count singly.")
    if hand[KIND_INDEX[kind]] < cards:
        raise Illegal("not_enough_cards", "R8.2", f"You have {hand[KIND_INDEX[kind]]} {kind} cards, not {cards}.")
    if not _has_pairs(hand, pairs):
        raise Illegal("no_such_pair", "R8.3", f"You do not have the pairs {', '.join(pairs)}.")
    if player.workers < workers:
        raise Illegal("not_enough_workers", "R8.3", f"You have {player.workers} workers, not {workers}.")
    paid = (kind,) * cards + tuple(other for other in pairs for _ in range(PAIR))
    course.add(e.PlacementPaid(seat, paid, workers))
