"""Placing a tile: choosing it and its space, and what follows when it lies there (R8, R9, R11)."""

from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.cards import MONASTERY_CARDS, draw_cards, turn_up_production
from domain.castles_of_tuscany.course import Course
from domain.castles_of_tuscany.display import fill_gap, tile_in
from domain.castles_of_tuscany.fitting import castle_placements, fits, reachable, region, space_for
from domain.castles_of_tuscany.payments import can_pay, chosen_kind, pay
from domain.castles_of_tuscany.state import KIND_INDEX, State, crops_of
from domain.castles_of_tuscany.supplies import gain_bonus_tile, gain_marble, gain_wild_hex, gain_workers
from domain.castles_of_tuscany.words import (
    KINDS,
    Bonus,
    Kind,
    Pay,
    PlaceFromDisplay,
    PlaceTile,
    TakeBonusTile,
    Track,
)
from domain.core.errors import Illegal
from domain.core.words import Seat

AREA_POINTS = {1: 1, 2: 3, 3: 6}
COLOUR_BONUSES = 2


def legal_placements(state: State, seat: Seat) -> tuple[PlaceTile, ...]:
    """Every stored thing on every space where it may lie and that the seat can pay for."""
    player = state.players[seat]
    if not player.storage:
        return ()
    land = region(state, seat)
    payable = {kind for kind in KINDS if can_pay(player, kind)}
    spaces = [space for space in reachable(state, seat) if land.kinds[space] in payable]
    return tuple(
        PlaceTile(stored, *land.grid.spaces[space])
        for stored, tile in enumerate(player.storage)
        for space in spaces
        if fits(state, seat, tile, space)
    )


def choose(course: Course, seat: Seat, command: PlaceTile) -> None:
    """What is placed and where; the price is asked for next."""
    player = course.player(seat)
    if not 0 <= command.stored < len(player.storage):
        raise Illegal("no_such_stored", "R8.1", f"You store nothing at {command.stored}.")
    space = space_for(course.state, seat, player.storage[command.stored], command.q, command.r)
    kind = region(course.state, seat).kinds[space]
    if not can_pay(player, kind):
        raise Illegal("cannot_pay", "R8.2", f"You cannot pay two {kind} cards.", "A worker or an equal pair helps out.")
    course.add(e.PlacementChosen(seat, command.stored, command.q, command.r))


def pay_and_place(course: Course, seat: Seat, command: Pay) -> None:
    """Pay, put the tile down, and let everything follow (R8.6)."""
    assert course.state.chosen is not None
    stored, space = course.state.chosen
    kind = chosen_kind(course.state, seat)
    pay(course, seat, command, kind)
    tile = course.player(seat).storage[stored]
    q, r = region(course.state, seat).grid.spaces[space]
    course.add(e.TilePlaced(seat, stored, tile, kind, q, r))
    _follow(course, seat, space, tile)


def place_from_display(course: Course, seat: Seat, command: PlaceFromDisplay) -> None:
    """A castle's free placement: the display is filled and checked before the tile scores (R9.1)."""
    tile = tile_in(course.state, command.slot, "R9.1")
    space = space_for(course.state, seat, tile, command.q, command.r)
    kind = region(course.state, seat).kinds[space]
    course.add(e.DisplayTilePlaced(seat, command.slot, tile, kind, command.q, command.r))
    fill_gap(course, seat, command.slot)
    _follow(course, seat, space, tile)


def take_bonus_tile(course: Course, seat: Seat, command: TakeBonusTile) -> None:
    """A city's bonus tile (R9.2)."""
    if command.bonus not in bonus_kinds(course.state):
        raise Illegal("bonus_tile_gone", "R9.2", f"No {command.bonus} is left.", "Choose another kind.")
    gain_bonus_tile(course, seat, command.bonus, "R9.2")


def bonus_kinds(state: State) -> tuple[Bonus, ...]:
    """The kinds of bonus tile of which there are any left."""
    return tuple(bonus for bonus, left in zip(Bonus, state.bonus_supply, strict=True) if left)


def _follow(course: Course, seat: Seat, space: int, tile: str) -> None:
    _score_area(course, seat, space)
    _score_colour(course, seat, region(course.state, seat).kinds[space])
    _work(course, seat, space, tile)


def _score_area(course: Course, seat: Seat, space: int) -> None:
    land, cover = region(course.state, seat), course.player(seat).cover
    area = land.areas[space]
    if all(cover[other] for other in area):
        size = len(area)
        course.add(e.AreaCompleted(seat, land.kinds[space], size, AREA_POINTS[size], Track.GREEN, "R11.1"))


def _score_colour(course: Course, seat: Seat, kind: Kind) -> None:
    land, cover = region(course.state, seat), course.player(seat).cover
    taken = course.state.colour_sides[KIND_INDEX[kind]]
    if taken == COLOUR_BONUSES or not all(tile for tile, of in zip(cover, land.kinds, strict=True) if of is kind):
        return
    bonus = course.state.setup.data.colour_bonuses[KIND_INDEX[kind]]
    points = bonus.second if taken else bonus.first
    course.add(e.ColourBonusScored(seat, kind, taken + 1, points, Track.GREEN, "R11.3"))


def _work(course: Course, seat: Seat, space: int, tile: str) -> None:
    """The effect of the space's kind (R9)."""
    kind, player = region(course.state, seat).kinds[space], course.player(seat)
    if kind is Kind.CASTLE:
        if castle_placements(course.state, seat):
            course.add(e.CastleOffered(seat, "R9.1"))
    elif kind is Kind.CITY:
        course.add(e.BonusTileOffered(seat, "R9.2"))
    elif kind is Kind.INN:
        gain_wild_hex(course, seat, "R9.3")
    elif kind is Kind.AGRICULTURE:
        _score_crops(course, seat, space, tile)
    elif kind is Kind.QUARRY:
        gain_marble(course, seat, 1 + player.bonus(Bonus.PLUS_MARBLE), "R9.5")
    elif kind is Kind.VILLAGE:
        gain_workers(course, seat, 1 + player.bonus(Bonus.PLUS_WORKER), "R9.6")
    elif kind is Kind.MONASTERY:
        draw_cards(course, seat, MONASTERY_CARDS, "R9.7")
    else:
        turn_up_production(course, seat)


def _score_crops(course: Course, seat: Seat, space: int, tile: str) -> None:
    state, cover = course.state, course.player(seat).cover
    earlier = {
        crop for other in region(state, seat).areas[space] if other != space for crop in crops_of(state, cover[other])
    }
    new = tuple(crop for crop in crops_of(state, tile) if crop not in earlier)
    course.add(e.CropsScored(seat, new, len(new), Track.GREEN, "R9.4"))
