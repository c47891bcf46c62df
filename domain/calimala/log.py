"""The events of one commit as they come about, and the state that they lead to."""

from domain.calimala.state import State
from domain.calimala.story import evolve
from domain.calimala.words import CalimalaEvent
from domain.core.chance import Chance


class Log:
    """A private accumulator: every consequence is seen by the next step, nothing escapes before all is decided."""

    __slots__ = ("chance", "events", "state")

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[CalimalaEvent] = []

    def add(self, event: CalimalaEvent) -> None:
        """The event has happened."""
        self.events.append(event)
        self.state = evolve(self.state, event)
