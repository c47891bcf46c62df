"""What a viewer of Parley sees."""

from domain.core.words import Viewer
from tests.tiny.words import Hand, ParleyView, State


def view(state: State, viewer: Viewer) -> ParleyView:
    own = state.hands[viewer] if viewer >= 0 else Hand()
    return ParleyView(
        round=state.round,
        points=state.points,
        prizes=state.prizes,
        done=tuple(hand.done for hand in state.hands),
        picker=state.picker,
        card=own.card,
        amount=own.amount,
        words=own.words,
    )


def sketch(seen: ParleyView) -> str:
    return f"round {seen.round}  points {seen.points}  prizes {seen.prizes}  done {seen.done}  card {seen.card}"
