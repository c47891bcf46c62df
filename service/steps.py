"""Where replay can go: every commit end with its moment, and the next or last one that fits what is looked for."""

from collections.abc import Iterator

import msgspec

from domain.core.game import Moment
from domain.core.replay import History
from domain.core.words import Seat, Version


class Step(msgspec.Struct, frozen=True):
    """A commit end: its version, who acted, the types of its events, and the moment after it (None before play)."""

    version: Version
    first: Version
    commit: int
    seat: Seat | None
    types: tuple[str, ...]
    moment: Moment | None


class Sought(msgspec.Struct, frozen=True):
    """What a step must have; what is None does not matter.

    seat: who acted. turn_of: whose turn it is after it. round: the round after it. type: one of its events' types.
    """

    seat: Seat | None = None
    turn_of: Seat | None = None
    round: int | None = None
    type: str | None = None

    def fits(self, step: Step) -> bool:
        """Whether the step has it all."""
        moment = step.moment
        return (
            (self.seat is None or step.seat == self.seat)
            and (self.turn_of is None or (moment is not None and moment.seat == self.turn_of))
            and (self.round is None or (moment is not None and moment.round == self.round))
            and (self.type is None or self.type in step.types)
        )


def steps(history: History) -> Iterator[Step]:
    """Every commit end of the match, in order."""
    for facts in history.facts_after(0):
        state = history.at(facts.last).state
        yield Step(
            facts.last,
            facts.first,
            facts.commit,
            facts.seat,
            tuple(dict.fromkeys(type(event).__name__ for event in facts.events)),
            None if state is None else history.game.moment(state),
        )


def find(history: History, sought: Sought, after: Version, *, backwards: bool = False) -> Step | None:
    """The nearest step behind (or before) a version that fits; None if there is none."""
    fitting = [step for step in steps(history) if sought.fits(step)]
    if backwards:
        return next((step for step in reversed(fitting) if step.version < after), None)
    return next((step for step in fitting if step.version > after), None)
