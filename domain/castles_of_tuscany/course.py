"""The course of one commit: events in order, and the table after each; private to one call of the rules."""

from domain.castles_of_tuscany.events import AnyEvent
from domain.castles_of_tuscany.state import Player, State
from domain.castles_of_tuscany.story import evolve
from domain.core.chance import Chance
from domain.core.words import Seat


class Course:
    """What has happened so far in this commit."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[AnyEvent] = []

    def add(self, event: AnyEvent) -> None:
        """The next thing that happens."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def player(self, seat: Seat) -> Player:
        """What the seat has by now."""
        return self.state.players[seat]
