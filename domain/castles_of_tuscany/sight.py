"""What a viewer may see of the table, built up from nothing."""

from collections import Counter
from functools import lru_cache

from domain.castles_of_tuscany.board import Board
from domain.castles_of_tuscany.opening import allowed_shifts, dealt_boards
from domain.castles_of_tuscany.payments import chosen_kind
from domain.castles_of_tuscany.region import Region, arrangements, draw, region_of
from domain.castles_of_tuscany.rules import to_act
from domain.castles_of_tuscany.state import Player, State
from domain.castles_of_tuscany.views import (
    ArrangementView,
    BonusCounts,
    ColourBonusView,
    CropFace,
    KindCounts,
    Pile,
    PlayerView,
    View,
)
from domain.castles_of_tuscany.words import Kind, Shift
from domain.core.words import ARBITER, Viewer


def view(state: State, viewer: Viewer) -> View:
    """The table for this viewer: closed hands, closed setup choices; stacks and decks closed for everybody."""
    faces = crop_faces(state)
    own = state.players[viewer] if 0 <= viewer < len(state.players) else None
    hands = tuple(player.hand for player in state.players) if viewer == ARBITER else ()
    return View(
        phase=state.phase,
        to_act=tuple(sorted(to_act(state))),
        round=state.round,
        lap=state.lap,
        lap_limit=state.setup.options.lap_limit,
        turn=state.turn,
        first_player=state.first,
        last_lap=state.ending,
        more_action_used=state.marble_used,
        paying_for=None if state.chosen is None or state.active is None else chosen_kind(state, state.active),
        display=state.display,
        neutral=len(state.neutral),
        box=_piles(state.box),
        region_deck=state.region_deck,
        region_discards=KindCounts(*state.region_discards),
        production_deck=len(state.production_deck),
        production_discards=_piles(state.production_discards),
        marble=state.marble,
        workers=state.workers,
        wild_hexes=state.wild_hexes,
        bonus_tiles=BonusCounts(*state.bonus_supply),
        colour_bonuses=_colour_bonuses(state),
        crop_faces=faces,
        players=tuple(
            _player(state, seat, player, viewer in (seat, ARBITER), tuple(face.tile for face in faces))
            for seat, player in enumerate(state.players)
        ),
        hand=None if own is None or own.hand is None else KindCounts(*own.hand),
        hands=tuple(KindCounts(*hand) for hand in hands if hand is not None),
        arrangements=() if own is None or own.arranged else _ways(dealt_boards(state, viewer), allowed_shifts(state)),
        places=() if state.outcome is None else state.outcome.places,
    )


def crop_faces(state: State) -> tuple[CropFace, ...]:
    """The agriculture tiles with the digits that stand for them in drawings."""
    faces = [tile for tile in state.setup.data.tiles if tile.kind is Kind.AGRICULTURE]
    return tuple(CropFace(digit, tile.id, tile.crops) for digit, tile in enumerate(faces, 1))


def _piles(things: tuple[str, ...]) -> tuple[Pile, ...]:
    return tuple(Pile(name, count) for name, count in sorted(Counter(things).items()))


def _colour_bonuses(state: State) -> tuple[ColourBonusView, ...]:
    return tuple(
        ColourBonusView(bonus.kind, (1, 2, 0)[taken], (bonus.first, bonus.second, 0)[taken])
        for bonus, taken in zip(state.setup.data.colour_bonuses, state.colour_sides, strict=True)
    )


@lru_cache(maxsize=64)
def _ways(dealt: tuple[Board, ...], shifts: tuple[Shift, ...]) -> tuple[ArrangementView, ...]:
    return tuple(
        ArrangementView(way.boards, way.turned, way.shifts, draw(region, ("",) * len(region.kinds), ()))
        for way in arrangements(dealt, shifts)
        for region in (region_of(dealt, way),)
    )


def _player(state: State, seat: int, player: Player, open_: bool, faces: tuple[str, ...]) -> PlayerView:
    shown = open_ or player.region is not None
    way = player.arrangement if shown else None
    region: Region | None = player.region
    if region is None and way is not None:
        region = region_of(state.setup.data.boards, way)
    cover = player.cover or ("",) * (0 if region is None else len(region.kinds))
    return PlayerView(
        seat=seat,
        dealt=player.dealt,
        boards=() if way is None else way.boards,
        turned=() if way is None else way.turned,
        shifts=() if way is None else way.shifts,
        rows=() if region is None else draw(region, cover, faces),
        top=0 if region is None else region.grid.top,
        start_castle_board=player.castle_board if shown else None,
        first_bonus=player.first_bonus if shown else None,
        has_arranged=player.arranged,
        has_chosen_castle=player.castle_chosen,
        has_chosen_bonus=player.bonus_chosen,
        green=player.green,
        red=player.red,
        hand_size=player.hand_size,
        storage=player.storage,
        storage_spaces=player.storage_spaces,
        stacks=player.stacks,
        marble=player.marble,
        workers=player.workers,
        bonus_tiles=BonusCounts(*player.bonus_tiles),
        empty_spaces=player.empty_spaces,
    )
