"""How Parley's state follows from events."""

import msgspec

from domain.core.game import Setup
from tests.tiny.words import (
    BidMade,
    Boasted,
    CardDealt,
    Data,
    Hand,
    HandShown,
    Options,
    ParleyEvent,
    PrizePicked,
    RoundWon,
    State,
)

replace = msgspec.structs.replace


def blank(setup: Setup[Options, Data]) -> State:
    return State(setup, (Hand(),) * setup.seats, (0,) * setup.seats, setup.data.prizes)


def evolve(state: State, event: ParleyEvent) -> State:
    match event:
        case CardDealt(seat=seat, card=card):
            return _hand(state, seat, replace(state.hands[seat], card=card))
        case BidMade(seat=seat, amount=amount):
            return _hand(state, seat, replace(state.hands[seat], amount=amount, done=1))
        case Boasted(seat=seat, words=words):
            return _hand(state, seat, replace(state.hands[seat], words=words, done=2))
        case HandShown(card=card):
            return replace(state, shown=(*state.shown, card or 0))
        case RoundWon(seat=seat):
            return replace(state, picker=seat, hands=(Hand(),) * len(state.hands))
        case PrizePicked(seat=seat, prize=prize):
            points = tuple(p + prize * (i == seat) for i, p in enumerate(state.points))
            prizes = tuple(p for p in state.prizes if p != prize)
            last = state.round == state.setup.options.rounds
            return replace(state, points=points, prizes=prizes, picker=None, over=last, round=state.round + (not last))
    return state


def _hand(state: State, seat: int, hand: Hand) -> State:
    return replace(state, hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))
