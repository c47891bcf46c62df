"""A table for tests: given what has happened, when a seat commands, then these events."""

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.core.chance import Chance, T
from domain.core.errors import Illegal
from domain.core.game import Setup
from domain.toscana import GAME
from domain.toscana.options import Options
from domain.toscana.state import State
from domain.toscana.words import (
    DecideVeto,
    GameStarted,
    NextVeto,
    Phase,
    PlaceTile,
    Side,
    TilePlaced,
    TopRevealed,
    ToscanaCommand,
    ToscanaEvent,
    TurnPassed,
    VetoDecision,
    VetoUsed,
)

ORACLES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("oracles.toml").read_text("utf-8"))["oracle"]
SEAT = {"courtyard": 0, "building": 1}
"""The seats of the sides at every table here: the host is courtyard."""

HOST = Options(side_assignment="host_courtyard")


def by_id(kind: str) -> dict[str, Any]:
    """The oracles of one kind by their ids."""
    return {oracle["id"]: oracle for oracle in ORACLES[kind]}


def options(**changed: str) -> Options:
    """The options with the host as courtyard, and what a test changes."""
    return replace(HOST, **changed)


def setup(chosen: Options = HOST) -> Setup:
    return Setup(chosen, GAME.data(chosen, 2), 2)


def side_of(tile: str) -> Side:
    return Side.COURTYARD if tile.startswith("C") else Side.BUILDING


class Piles(Chance):
    """Chance that shows the tiles of each pile in a written order, top first; nothing else is left to it."""

    def __init__(self, courtyard: Sequence[str], building: Sequence[str]) -> None:
        super().__init__()
        self.orders = {"courtyard_top": courtyard, "building_top": building}

    def pick(self, label: str, items: Sequence[T]) -> T:
        return next(tile for tile in self.orders[label] if tile in items)


class Table:
    """One match, played command by command."""

    def __init__(self, chance: Chance, chosen: Options = HOST) -> None:
        self.chance = chance
        self.log: list[ToscanaEvent] = []
        self.state: State = GAME.blank(setup(chosen))
        self.fold(GAME.opening(setup(chosen), chance))

    def fold(self, events: Iterable[ToscanaEvent]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            self.log.append(event)

    def act(self, side: str, command: ToscanaCommand) -> tuple[ToscanaEvent, ...]:
        events = GAME.decide(self.state, SEAT[side], GAME.normal(command), self.chance)
        self.fold(events)
        return events

    def refused(self, side: str, command: ToscanaCommand) -> Illegal:
        """The refusal of a command that must be refused, and not be listed."""
        before = self.state
        normal = GAME.normal(command)
        assert not GAME.legal(before, SEAT[side]).allows(normal)
        with pytest.raises(Illegal) as refusal:
            GAME.decide(before, SEAT[side], normal, self.chance)
        assert self.state == before
        assert refusal.value.rule in GAME.rulebook
        return refusal.value

    def waive(self, side: str) -> tuple[ToscanaEvent, ...]:
        return self.act(side, DecideVeto(self.state.against or "", VetoDecision.WAIVE))

    def veto(self, side: str) -> tuple[ToscanaEvent, ...]:
        return self.act(side, DecideVeto(self.state.against or "", VetoDecision.VETO))

    @property
    def awaited(self) -> str:
        (seat,) = GAME.to_act(self.state)
        return "courtyard" if seat == 0 else "building"

    def place(self, text: str, next_veto: str = "ask") -> tuple[ToscanaEvent, ...]:
        """Lay `TILE X Y O` for its side; decisions that are open are waived first."""
        if self.state.phase is Phase.VETO_DECISION:
            self.waive(self.awaited)
        command = placement(text, next_veto)
        return self.act(side_of(command.tile), command)


def placement(text: str, next_veto: str = "ask") -> PlaceTile:
    """The command to lay `TILE X Y O`."""
    tile, x, y, o = text.split()
    return PlaceTile(tile, int(x), int(y), int(o), NextVeto(next_veto))


CS = [f"C{n:02}" for n in range(1, 17)]
BS = [f"B{n:02}" for n in range(1, 17)]

# A game in which building, its opponent having just passed, has two tiles more, of which B15 fits nowhere.
BLOCKED_C = "C12 C13 C07 C10 C03 C01 C09 C04 C06 C05 C14 C15 C02 C16 C08 C11"
BLOCKED_B = "B01 B12 B02 B08 B07 B14 B11 B04 B06 B13 B03 B09 B10 B16 B15 B05"
BLOCKED = """C12 8 7 0, B01 7 9 0, C13 8 5 2, B12 11 10 0, C07 4 7 0, B02 12 12 1, C10 10 3 0, B08 12 6 3, C03 2 6 3,
    B07 7 11 1, C01 2 10 3, B14 15 8 1, C09 0 7 1, B11 8 15 0, C04 2 14 2, B04 0 12 3, C06 6 2 0, B06 1 4 0, C05 8 0 2,
    B13 3 0 2, C14 14 3 1, B03 2 2 2, C15 9 11 1, B09 5 9 3, C02 12 1 0, B10 14 13 1"""


def fresh(**changed: str) -> Table:
    return Table(Piles(CS, BS), options(**changed))


def blocked(**changed: str) -> Table:
    table = Table(Piles(BLOCKED_C.split(), BLOCKED_B.split()), options(**changed))
    for text in BLOCKED.split(","):
        table.place(text)
    return table


def given(placed: Iterable[dict[str, Any]], chosen: Options = HOST) -> State:
    """The state after those placements, whether they could be reached or not."""
    state = GAME.blank(setup(chosen))
    start = GameStarted(game=1, courtyard_seat=0, building_seat=1, first_side=Side.COURTYARD)
    state = GAME.evolve(state, start)
    for n, p in enumerate(placed, 1):
        side = side_of(p["tile"])
        state = with_top(state, p["tile"])
        event = TilePlaced(seat=SEAT[side], side=side, ordinal=n, tile=p["tile"], x=p["x"], y=p["y"], o=p["o"])
        state = GAME.evolve(state, event)
    return state


def with_top(state: State, tile: str) -> State:
    """The state with that tile on top of its pile, and its side to lay it."""
    side = side_of(tile)
    left = state.camp(side).left
    state = GAME.evolve(state, TopRevealed(seat=SEAT[side], side=side, tile=tile, left=left))
    return replace(state, side=side, phase=Phase.PLACEMENT)


def distinct(state: State, tile: str) -> set[tuple[int, int, int]]:
    """The legal placements of the tile for its side, from the legal list."""
    legal = GAME.legal(with_top(state, tile), SEAT[side_of(tile)])
    return {(c.x, c.y, c.o) for c in legal.commands if isinstance(c, PlaceTile) and c.next_veto is NextVeto.ASK}


STEPS = {TilePlaced: "place", VetoUsed: "veto", TurnPassed: "pass"}


def step_of(event: ToscanaEvent) -> dict[str, Any] | None:
    """The event as a step of a recorded game, or None if it is none."""
    if isinstance(event, TilePlaced):
        return {"do": "place", "by": event.side, "n": event.ordinal, "tile": event.tile} | {
            "x": event.x,
            "y": event.y,
            "o": event.o,
        }
    if isinstance(event, VetoUsed):
        return {"do": "veto", "by": event.side, "tile": event.tile}
    if isinstance(event, TurnPassed):
        blocked = {} if event.blocked is None else {"tile": event.blocked}
        return {"do": "pass", "by": event.side, "reason": event.reason} | blocked
    return None


def replayed(game: dict[str, Any], after: int, chosen: Options = HOST) -> Table:
    """The recorded game up to and including its step `after`; a decision that is open then stays open."""
    table = Table(Piles(game["pile_courtyard"], game["pile_building"]), chosen)
    for step in game["steps"][:after]:
        if step["do"] == "pass":
            continue
        about = (step["by"], step["tile"])
        while table.state.phase is Phase.VETO_DECISION and (
            step["do"] != "veto" or about != (table.awaited, table.state.against)
        ):
            table.waive(table.awaited)
        assert len(distinct(table.state, step["tile"])) == step["legal"]
        if step["do"] == "veto":
            table.veto(step["by"])
        else:
            table.act(step["by"], PlaceTile(step["tile"], step["x"], step["y"], step["o"]))
    return table
