"""A table for tests: given what lies there, when a seat commands, then these events."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany.events import (
    AnyEvent,
    BoardsDealt,
    BonusTileGained,
    DisplayFilled,
    FirstBonusTileChosen,
    FirstPlayerDrawn,
    RegionArranged,
    RegionCardsDrawn,
    SetupRevealed,
    StartCastleChosen,
    TurnBegan,
)
from domain.castles_of_tuscany.region import castle_space, region_of, space_at
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.words import KINDS, AnyCommand, Arrangement, Bonus, Kind, Shift, Track
from domain.core.chance import ScriptedChance
from domain.core.errors import Illegal
from tests.support.play import fold, setup_of

HINTED = {
    *("already_chosen", "bonus_tile_gone", "cannot_pay", "no_such_slot", "space_covered", "storage_full"),
    *("wrong_payment", "wrong_phase"),
}
"""The refusals that say what would be right; `not_your_decision` does in setup."""

HERE = Path(__file__).parent
ORACLES: dict[str, Any] = tomllib.loads((HERE / "oracles.toml").read_text("utf-8"))

STRAIGHT = (False, False, False)
REGIONS = (
    Arrangement(("A1", "B1", "C1"), STRAIGHT, (Shift.DOWN, Shift.UP)),
    Arrangement(("C2", "A2", "B2"), (False, True, False), (Shift.UP, Shift.DOWN)),
    Arrangement(("A3", "B3", "C3"), STRAIGHT, (Shift.DOWN, Shift.DOWN)),
    Arrangement(("B4", "C4", "A4"), STRAIGHT, (Shift.UP, Shift.UP)),
)
"""The regions of seats 0 and 1 in the worked examples, and two more."""

CASTLES = ("A1", "B2", "A3", "C4")
BONUSES = (Bonus.PLUS_CARD, Bonus.PLUS_STORAGE, Bonus.PLUS_MARBLE, Bonus.PLUS_WORKER)
DISPLAY = ("village", "monastery", "castle", "carriage", "quarry", "inn", "city", "agriculture:grain_grapes")


def given(
    seats: int = 2,
    *,
    bonuses: tuple[Bonus, ...] = BONUSES,
    display: tuple[str, ...] = DISPLAY,
    first: int = 0,
    **options: Any,
) -> State:
    """The first turn of a match with the regions above, nobody holding a card; the active seat is the first player."""
    setup = setup_of(GAME, seats, **options)
    events: list[AnyEvent] = [BoardsDealt(seat, tuple(sorted(way.boards))) for seat, way in enumerate(REGIONS[:seats])]
    for seat, way in enumerate(REGIONS[:seats]):
        region = region_of(setup.data.boards, way)
        q, r = region.grid.spaces[castle_space(region, way, CASTLES[seat])]
        events += [
            RegionArranged(seat, way),
            StartCastleChosen(seat, CASTLES[seat]),
            FirstBonusTileChosen(seat, bonuses[seat]),
            SetupRevealed(seat, way, CASTLES[seat], bonuses[seat], q, r),
        ]
    for seat in range(seats):
        events.append(BonusTileGained(seat, bonuses[seat], 0, Track.RED, "R3.9"))
    events += [DisplayFilled(display), FirstPlayerDrawn(first), TurnBegan(first, 1, 1)]
    return fold(GAME, GAME.blank(setup), events)


def having(
    state: State,
    seat: int,
    *,
    hand: Mapping[str, int] | None = None,
    covered: Mapping[tuple[int, int], str] | None = None,
    bonus: Mapping[str, int] | None = None,
    **things: Any,
) -> State:
    """The table after the seat has got these things: cards from the deck, marble and workers from the supply."""
    player = state.players[seat]
    if hand is not None:
        cards = tuple(kind for kind in KINDS for _ in range(hand.get(kind, 0)))
        state = GAME.evolve(state, RegionCardsDrawn(seat, cards, len(cards), "R6.1"))
        player = state.players[seat]
    state = replace(
        state,
        marble=state.marble - things.get("marble", player.marble) + player.marble,
        workers=state.workers - things.get("workers", player.workers) + player.workers,
    )
    if covered:
        assert player.region is not None
        cover = list(player.cover)
        for (q, r), tile in covered.items():
            space = space_at(player.region, q, r)
            assert space is not None
            cover[space] = tile
        things["cover"] = tuple(cover)
    if bonus is not None:
        things["bonus_tiles"] = tuple(bonus.get(kind, 0) for kind in Bonus)
    players = list(state.players)
    players[seat] = replace(player, **things)
    return replace(state, players=tuple(players))


def having_discards(state: State, **discards: int) -> State:
    """The table after these region cards have gone from the deck to the discards."""
    new = tuple(discards.get(kind, 0) for kind in KINDS)
    assert not any(state.region_discards)
    return replace(state, region_discards=new, region_deck=state.region_deck - sum(new))


def when(state: State, seat: int, command: AnyCommand, *script: object) -> tuple[AnyEvent, ...]:
    """What follows from the command, which must be listed, when chance goes as scripted, to the last entry."""
    assert command in GAME.legal(state, seat).commands, f"{command} is not legal: {GAME.legal(state, seat)}"
    chance = ScriptedChance(*script)
    events = GAME.decide(state, seat, command, chance)
    assert chance.left == 0, f"{chance.left} draws were never asked for; events: {events}"
    return events


def then(state: State, seat: int, command: AnyCommand, *script: object) -> State:
    """The table after the command."""
    return fold(GAME, state, when(state, seat, command, *script))


def refused(state: State, seat: int, command: AnyCommand) -> tuple[str, str]:
    """Code and rule of the refusal; the command is not listed."""
    command = GAME.normal(command)
    assert command not in GAME.legal(state, seat).commands
    with pytest.raises(Illegal) as caught:
        GAME.decide(state, seat, command, ScriptedChance())
    refusal = caught.value
    assert is_sentence(refusal.message)
    assert refusal.rule in GAME.rulebook
    assert bool(refusal.hint) == (refusal.code in HINTED or refusal.rule == "R3.11"), refusal.hint
    assert not refusal.hint or is_sentence(refusal.hint)
    return refusal.code, refusal.rule


def is_sentence(text: str) -> bool:
    """Whether a player can read it: it begins and ends as a sentence and does not shout."""
    return text[0] == text[0].upper() and text != text.upper() and text.endswith(".")


def of(events: tuple[AnyEvent, ...], *kinds: type) -> list[Any]:
    """The events of these types, in order."""
    return [event for event in events if type(event) in kinds]


def names(events: tuple[AnyEvent, ...]) -> list[str]:
    """What happened, by name."""
    return [type(event).__name__ for event in events]


def cards(state: State, seat: int) -> dict[str, int]:
    """The region cards that a seat holds."""
    hand = state.players[seat].hand
    assert hand is not None
    return {kind.value: count for kind, count in zip(KINDS, hand, strict=True) if count}


def kind_at(state: State, seat: int, q: int, r: int) -> Kind:
    """The kind of a space."""
    region = state.players[seat].region
    assert region is not None
    space = space_at(region, q, r)
    assert space is not None
    return region.kinds[space]


def tile_at(state: State, seat: int, q: int, r: int) -> str:
    """What lies on a space."""
    region = state.players[seat].region
    assert region is not None
    space = space_at(region, q, r)
    assert space is not None
    return state.players[seat].cover[space]
