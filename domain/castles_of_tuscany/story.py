"""How the table changes by what has happened: total over every event, also over closed ones."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.region import castle_space, region_of, space_at
from domain.castles_of_tuscany.state import (
    BONUS_INDEX,
    KIND_INDEX,
    Player,
    State,
    TuscanySetup,
    at,
    counted,
    production_order,
    scored,
    with_player,
    without,
)
from domain.castles_of_tuscany.words import START_CASTLE, WILD_HEX
from domain.core.game import Outcome


def blank(setup: TuscanySetup) -> State:
    """The table before anything has happened."""
    data = setup.data
    own = tuple(tile.id for tile in data.tiles for _ in range(tile.own))
    state = State(
        setup=setup,
        players=tuple(Player(undrawn=own) for _ in range(setup.seats)),
        neutral=tuple(tile.id for tile in data.tiles for _ in range(tile.neutral)),
        region_deck=sum(data.region_cards),
        production_deck=(),
        bonus_supply=(data.bonus_tiles,) * len(BONUS_INDEX),
    )
    return replace(state, production_deck=production_order(state))


def evolve(state: State, event: e.AnyEvent) -> State:
    """The table after the event."""
    return _TELL[type(event)](state, event)


def _dealt(state: State, event: e.BoardsDealt) -> State:
    return with_player(state, event.seat, replace(state.players[event.seat], dealt=event.dealt))


def _drawn(state: State, event: e.RegionCardsDrawn) -> State:
    player = state.players[event.seat]
    hand = None
    if player.hand is not None and event.cards is not None:
        hand = tuple(have + new for have, new in zip(player.hand, counted(event.cards), strict=True))
    player = replace(player, hand=hand, hand_size=player.hand_size + event.count)
    return replace(with_player(state, event.seat, player), region_deck=state.region_deck - event.count)


def _deck_reshuffled(state: State, event: e.RegionDeckReshuffled) -> State:
    none = (0,) * len(state.region_discards)
    return replace(state, region_deck=state.region_deck + event.count, region_discards=none)


def _arranged(state: State, event: e.RegionArranged) -> State:
    player = replace(state.players[event.seat], arranged=True, arrangement=event.arrangement)
    return with_player(state, event.seat, player)


def _castle_chosen(state: State, event: e.StartCastleChosen) -> State:
    player = replace(state.players[event.seat], castle_chosen=True, castle_board=event.board)
    return with_player(state, event.seat, player)


def _bonus_chosen(state: State, event: e.FirstBonusTileChosen) -> State:
    player = replace(state.players[event.seat], bonus_chosen=True, first_bonus=event.chosen)
    return with_player(state, event.seat, player)


def _setup_revealed(state: State, event: e.SetupRevealed) -> State:
    region = region_of(state.setup.data.boards, event.region)
    castle = castle_space(region, event.region, event.castle_board)
    player = replace(
        state.players[event.seat],
        arrangement=event.region,
        castle_board=event.castle_board,
        first_bonus=event.first_bonus,
        region=region,
        cover=tuple(START_CASTLE if space == castle else "" for space in range(len(region.kinds))),
    )
    return replace(with_player(state, event.seat, player), phase="between")


def _bonus_gained(state: State, event: e.BonusTileGained) -> State:
    index = BONUS_INDEX[event.bonus]
    player = state.players[event.seat]
    player = replace(player, bonus_tiles=at(player.bonus_tiles, index, 1))
    state = with_player(state, event.seat, scored(player, event.points, event.track))
    return replace(state, bonus_supply=at(state.bonus_supply, index, -1), phase="between")


def _display_filled(state: State, event: e.DisplayFilled) -> State:
    return replace(state, display=event.tiles, neutral=_less(state.neutral, event.tiles))


def _less(items: tuple[str, ...], taken: tuple[str, ...]) -> tuple[str, ...]:
    for item in taken:
        items = without(items, item)
    return items


def _first_drawn(state: State, event: e.FirstPlayerDrawn) -> State:
    return replace(state, first=event.seat)


def _turn_began(state: State, event: e.TurnBegan) -> State:
    return replace(
        state,
        phase="action",
        active=event.seat,
        round=event.round,
        lap=event.lap,
        turn=state.turn + 1,
        marble_used=False,
    )


def _given_up(state: State, event: e.TileGivenUp) -> State:
    state = with_player(state, event.seat, _unstored(state.players[event.seat], event.stored))
    if event.tile == WILD_HEX:
        return replace(state, wild_hexes=state.wild_hexes + 1)
    return replace(state, box=(*state.box, event.tile))


def _unstored(player: Player, stored: int) -> Player:
    return replace(player, storage=player.storage[:stored] + player.storage[stored + 1 :])


def _slot(state: State, slot: int, tile: str) -> State:
    return replace(state, display=(*state.display[:slot], tile, *state.display[slot + 1 :]))


def _taken(state: State, event: e.TileTaken) -> State:
    player = state.players[event.seat]
    player = replace(player, storage=(*player.storage, event.tile))
    return replace(with_player(_slot(state, event.slot, ""), event.seat, player), phase="between")


def _refilled(state: State, event: e.SlotRefilled) -> State:
    state = _slot(state, event.slot, event.tile)
    if not event.stack:
        return replace(state, neutral=without(state.neutral, event.tile))
    player = state.players[event.seat]
    player = replace(player, undrawn=without(player.undrawn, event.tile), stacks=at(player.stacks, event.stack - 1, -1))
    return with_player(state, event.seat, player)


def _five_replaced(state: State, event: e.FiveOfAKindReplaced) -> State:
    for slot, tile in zip(event.slots, event.tiles, strict=True):
        state = _slot(state, slot, tile)
    return replace(state, neutral=_less(state.neutral, event.tiles), box=state.box + event.removed)


def _end_triggered(state: State, event: e.RoundEndTriggered) -> State:
    return replace(state, ending=True, round=event.round)


def _placement_chosen(state: State, event: e.PlacementChosen) -> State:
    return replace(state, phase="payment", chosen=(event.stored, _space(state, event.seat, event.q, event.r)))


def _space(state: State, seat: int, q: int, r: int) -> int:
    region = state.players[seat].region
    space = None if region is None else space_at(region, q, r)
    return -1 if space is None else space


def _paid(state: State, event: e.PlacementPaid) -> State:
    player = state.players[event.seat]
    paid = counted(event.paid)
    hand = None
    if player.hand is not None:
        hand = tuple(have - less for have, less in zip(player.hand, paid, strict=True))
    player = replace(
        player, hand=hand, hand_size=player.hand_size - len(event.paid), workers=player.workers - event.workers
    )
    return replace(
        with_player(state, event.seat, player),
        region_discards=tuple(have + new for have, new in zip(state.region_discards, paid, strict=True)),
        workers=state.workers + event.workers,
    )


def _placed(state: State, event: e.TilePlaced) -> State:
    player = _covered(_unstored(state.players[event.seat], event.stored), event.q, event.r, event.tile)
    return replace(with_player(state, event.seat, player), phase="between", chosen=None)


def _display_placed(state: State, event: e.DisplayTilePlaced) -> State:
    player = _covered(state.players[event.seat], event.q, event.r, event.tile)
    return replace(with_player(_slot(state, event.slot, ""), event.seat, player), phase="between")


def _covered(player: Player, q: int, r: int, tile: str) -> Player:
    space = None if player.region is None else space_at(player.region, q, r)
    if space is None:
        return player
    return replace(player, cover=(*player.cover[:space], tile, *player.cover[space + 1 :]))


def _points(state: State, event: e.AreaCompleted | e.CropsScored | e.PointsInsteadOfWildHex | e.FinalScored) -> State:
    return with_player(state, event.seat, scored(state.players[event.seat], event.points, event.track))


def _colour_bonus(state: State, event: e.ColourBonusScored) -> State:
    state = with_player(state, event.seat, scored(state.players[event.seat], event.points, event.track))
    return replace(state, colour_sides=at(state.colour_sides, KIND_INDEX[event.kind], 1))


def _marble_gained(state: State, event: e.MarbleGained) -> State:
    player = state.players[event.seat]
    state = with_player(state, event.seat, replace(player, marble=player.marble + event.count))
    return replace(state, marble=state.marble - event.count)


def _workers_gained(state: State, event: e.WorkersGained) -> State:
    player = state.players[event.seat]
    state = with_player(state, event.seat, replace(player, workers=player.workers + event.count))
    return replace(state, workers=state.workers - event.count)


def _wild_hex_gained(state: State, event: e.WildHexGained) -> State:
    player = state.players[event.seat]
    state = with_player(state, event.seat, replace(player, storage=(*player.storage, WILD_HEX)))
    return replace(state, wild_hexes=state.wild_hexes - 1)


def _production_revealed(state: State, event: e.ProductionCardRevealed) -> State:
    state = with_player(state, event.seat, scored(state.players[event.seat], event.points, event.track))
    return replace(
        state,
        production_deck=without(state.production_deck, event.card),
        production_discards=(*state.production_discards, event.card),
    )


def _production_reshuffled(state: State, _event: e.ProductionDeckReshuffled) -> State:
    return replace(state, production_deck=production_order(state), production_discards=())


def _castle_offered(state: State, _event: e.CastleOffered) -> State:
    return replace(state, phase="castle")


def _between(state: State, _event: e.CastleDeclined | e.TurnEnded) -> State:
    return replace(state, phase="between")


def _bonus_offered(state: State, _event: e.BonusTileOffered) -> State:
    return replace(state, phase="city")


def _marble_offered(state: State, _event: e.MarbleOffered) -> State:
    return replace(state, phase="marble")


def _marble_used(state: State, event: e.MarbleUsed) -> State:
    player = state.players[event.seat]
    state = with_player(state, event.seat, replace(player, marble=player.marble - 1))
    return replace(state, phase="action", marble=state.marble + 1, marble_used=True)


def _limit_reached(state: State, _event: e.LapLimitReached) -> State:
    return replace(state, limit_reached=True)


def _round_scored(state: State, event: e.RoundScored) -> State:
    players = tuple(replace(p, red=red) for p, red in zip(state.players, event.reds_after, strict=True))
    return replace(state, players=players, ending=False)


def _ended(state: State, event: e.GameEnded) -> State:
    return replace(
        state,
        phase="finished",
        active=None,
        outcome=Outcome(event.places, event.scores, event.cause, event.decided_by),
    )


_TELL: Final[dict[type, Callable[[State, Any], State]]] = {
    e.BoardsDealt: _dealt,
    e.RegionCardsDrawn: _drawn,
    e.RegionDeckReshuffled: _deck_reshuffled,
    e.RegionArranged: _arranged,
    e.StartCastleChosen: _castle_chosen,
    e.FirstBonusTileChosen: _bonus_chosen,
    e.SetupRevealed: _setup_revealed,
    e.BonusTileGained: _bonus_gained,
    e.DisplayFilled: _display_filled,
    e.FirstPlayerDrawn: _first_drawn,
    e.TurnBegan: _turn_began,
    e.TileGivenUp: _given_up,
    e.TileTaken: _taken,
    e.SlotRefilled: _refilled,
    e.FiveOfAKindReplaced: _five_replaced,
    e.RoundEndTriggered: _end_triggered,
    e.PlacementChosen: _placement_chosen,
    e.PlacementPaid: _paid,
    e.TilePlaced: _placed,
    e.DisplayTilePlaced: _display_placed,
    e.AreaCompleted: _points,
    e.ColourBonusScored: _colour_bonus,
    e.CropsScored: _points,
    e.MarbleGained: _marble_gained,
    e.WorkersGained: _workers_gained,
    e.WildHexGained: _wild_hex_gained,
    e.PointsInsteadOfWildHex: _points,
    e.ProductionCardRevealed: _production_revealed,
    e.ProductionDeckReshuffled: _production_reshuffled,
    e.CastleOffered: _castle_offered,
    e.CastleDeclined: _between,
    e.BonusTileOffered: _bonus_offered,
    e.MarbleOffered: _marble_offered,
    e.MarbleUsed: _marble_used,
    e.TurnEnded: _between,
    e.LapLimitReached: _limit_reached,
    e.RoundScored: _round_scored,
    e.FinalScored: _points,
    e.GameEnded: _ended,
}
