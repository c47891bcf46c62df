"""States written down as in the rules' examples, and commands played on them."""

import re
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.core.chance import ScriptedChance
from domain.core.errors import Illegal
from domain.core.game import Setup
from domain.majolica import GAME
from domain.majolica import commands as c
from domain.majolica.board import Cell
from domain.majolica.state import Player, SlotCard, State
from domain.majolica.tiles import Delivery, Tile, counts, letters

FULL_GRID = "BRYG RYGB GYBR GBRY"
Events = tuple[Any, ...]


def setup(seats: int = 2, **options: Any) -> Setup:
    chosen = GAME.options(**options)
    return Setup(chosen, GAME.data(chosen, seats), seats)


def player(workshops: str = "- - - -", slots: str = "- - -", finished: str = "", **more: Any) -> Player:
    """player("RRRBB YY R RR", "ST4[BY|R] D07[|RRBY] -", "ST1 D01")."""
    table = GAME.blank(setup()).table
    names = tuple(finished.split())
    return Player(
        workshops=tuple(counts(text.strip("-")) for text in workshops.split()),
        slots=tuple(slot(text) for text in slots.split()),
        finished=names,
        finished_points=sum(table.cards[name].points for name in names),
        **more,
    )


def slot(text: str) -> SlotCard | None:
    """ST4[BY|R]: the card, the tiles on it, its open cells."""
    if text == "-":
        return None
    name, on, still_open = re.fullmatch(r"(\w+)\[(.*)\|(.*)\]", text).groups()
    return SlotCard(name, counts(still_open), counts(on))


def state(
    *players: Player, grid: str = FULL_GRID, market: str = "- - - - - -", options: Any = None, **changes: Any
) -> State:
    """A state before a turn of seat 0: four rows with dots for face-down tiles, and market cards by name."""
    given = setup(max(2, len(players)), **(options or {}))
    blank = GAME.blank(given)
    everybody = players + (Player(),) * (given.seats - len(players))
    shown = "".join(grid.split())
    missing = list(blank.grid)
    for tile in shown.replace(".", ""):
        missing.remove(tile)
    names = tuple(name.strip("-") for name in market.split())
    away = {*names, *(name for p in everybody for name in p.finished)}
    away |= {held.card for p in everybody for held in p.slots if held is not None}
    return replace(
        blank,
        players=everybody,
        grid="".join(missing.pop() if tile == "." else tile for tile in shown),
        face_up=sum(1 << i for i, tile in enumerate(shown) if tile != "."),
        market=names,
        pile=tuple(name for name in blank.pile if name not in away),
        start_cards=tuple(name for name in blank.start_cards if name not in away),
        to_place_start=0,
        **changes,
    )


def play(now: State, *commands: c.MajolicaCommand, script: tuple[Any, ...] = ()) -> tuple[State, Events]:
    """The state after these commands of whoever is to decide, and all their events. Every one must be listed."""
    chance = ScriptedChance(*script)
    done: Events = ()
    for command in commands:
        assert GAME.normal(command) == command
        listed = GAME.legal(now, now.seat).commands
        assert command in listed, f"{command} is none of {listed}"
        events = GAME.decide(now, now.seat, command, chance)
        for event in events:
            now = GAME.evolve(now, event)
        done += events
    assert chance.left == 0
    return now, done


def refused(now: State, command: c.MajolicaCommand, seat: int | None = None) -> Illegal:
    """Why the command is refused; nothing has changed by it."""
    before = msgspec.structs.replace(now)
    try:
        GAME.decide(now, now.seat if seat is None else seat, GAME.normal(command), ScriptedChance())
    except Illegal as illegal:
        assert now == before
        return illegal
    raise AssertionError(f"{command} was accepted")


def why(now: State, command: c.MajolicaCommand, seat: int | None = None) -> tuple[str, str]:
    """Code and rule of a refusal."""
    illegal = refused(now, command, seat)
    return illegal.code, illegal.rule


def listed(now: State) -> tuple[c.MajolicaCommand, ...]:
    """What whoever is to decide may do."""
    return GAME.legal(now, now.seat).commands


def asked(now: State) -> str:
    return GAME.moment(now).phase


def tile(row: int, column: int) -> c.TakeTile:
    return c.TakeTile(Cell(row, column))


def line(*cells: tuple[int, int]) -> c.TakeLine:
    return c.TakeLine(tuple(Cell(row, column) for row, column in cells))


def discard(tiles: str) -> c.DiscardTiles:
    return c.DiscardTiles(spelt(tiles))


def deliver(tiles: str) -> c.DeliverTiles:
    """deliver("R B *Y"): a red and a blue tile, and a joker on a yellow cell."""
    return c.DeliverTiles(laid(tiles))


def laid(tiles: str) -> tuple[Delivery, ...]:
    return tuple(Delivery(Tile(text[0]), Tile(text[-1])) for text in tiles.split())


def spelt(tiles: str) -> tuple[Tile, ...]:
    return tuple(Tile(letter) for letter in tiles)


def shops(now: State, seat: int) -> str:
    """The workshops of a seat: "RRRBB YY - RR"."""
    return " ".join(letters(bag) or "-" for bag in now.players[seat].workshops)


def slots(now: State, seat: int) -> str:
    """The slots of a seat: "ST4[BY|R] - -"."""
    held = now.players[seat].slots
    return " ".join(f"{s.card}[{letters(s.on)}|{letters(s.open)}]" if s else "-" for s in held)


def grid(now: State) -> str:
    return " ".join(GAME.view(now, -1).grid)


def kinds(events: Events) -> list[str]:
    return [type(event).__name__ for event in events]
