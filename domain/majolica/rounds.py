"""Opening a match, ending and beginning rounds, and the final count."""

from typing import Final

from domain.core.chance import Chance
from domain.core.errors import Illegal
from domain.core.game import Outcome, Setup
from domain.core.words import Seat
from domain.majolica import words as w
from domain.majolica.board import CARDS_TO_END, GRID_TILES, MARKET_PLACES, SIDE, WORKSHOPS, hall_tiles
from domain.majolica.deck import named
from domain.majolica.options import Data, Options, check_options
from domain.majolica.state import State, incomplete_points, left_of, options_of, score

SEATS: Final = range(2, 5)


def data(options: Options, seats: int) -> Data:
    """The component data that the options name; Illegal says which option is bad."""
    if seats not in SEATS:
        raise Illegal("bad_options", "R4", f"Majolica is for 2 to 4 players, not {seats}.")
    check_options(options)
    start_cards, design_cards = named(options.deck)
    tiles = hall_tiles(options, seats)
    return Data(WORKSHOPS, tiles, tiles, start_cards, design_cards)


def opening(setup: Setup[Options, Data], chance: Chance) -> tuple[w.MajolicaEvent, ...]:
    """First player, start cards, market and grid (R11 to R15)."""
    seats = tuple(range(setup.seats))
    first = chance.pick("first player", seats)
    dealt: tuple[w.MajolicaEvent, ...] = ()
    if setup.options.start_card == "dealt":
        names = tuple(card.name for card in setup.data.start_cards)
        cards, _ = chance.take("start card", names, setup.seats)
        dealt = tuple(w.StartCardDealt(seat, card) for seat, card in zip(seats, cards, strict=True))
    pile = tuple(card.name for card in setup.data.design_cards)
    market, _ = chance.take("market", pile, MARKET_PLACES)
    revealed = tuple(w.CardRevealed(place, card) for place, card in enumerate(market))
    return (w.StartTokenDrawn(first), *dealt, *revealed, _grid(1, chance))


def _grid(number: int, chance: Chance) -> w.GridLaid:
    tiles, _ = chance.take("grid", tuple(GRID_TILES), len(GRID_TILES))
    return w.GridLaid(number, tuple("".join(tiles[i : i + SIDE]) for i in range(0, len(tiles), SIDE)))


def round_over(state: State, chance: Chance) -> tuple[w.MajolicaEvent, ...]:
    """The round's end: the match's end, or a new grid, a full market and the next starter (R62 to R65, R70, M7)."""
    ended = w.RoundEnded(state.round)
    if any(len(player.finished) >= CARDS_TO_END for player in state.players):
        return (ended, *_count(state), w.PlayEnded("five_cards"))
    if state.round >= options_of(state).round_limit:
        return (ended, *_count(state), w.PlayEnded("round_limit"))
    return (ended, _grid(state.round + 1, chance), *_refill(state, chance), w.StartTokenPassed(next_starter(state)))


def _refill(state: State, chance: Chance) -> tuple[w.MajolicaEvent, ...]:
    empty = tuple(place for place, card in enumerate(state.market) if not card)
    cards, _ = chance.take("market", state.pile, min(len(empty), len(state.pile)))
    return tuple(w.CardRevealed(place, card) for place, card in zip(empty, cards, strict=False))


def next_starter(state: State) -> Seat:
    """Who gets the start player token, once the last turn of a round has passed the turn to the left (R65, M4)."""
    return state.seat if options_of(state).next_starter == "left_of_last_player" else left_of(state, state.holder)


def _count(state: State) -> tuple[w.MajolicaEvent, ...]:
    return tuple(
        w.ScoreCounted(
            seat, player.finished_points, incomplete_points(state, seat), player.one_points, score(state, seat), "R72"
        )
        for seat, player in enumerate(state.players)
    )


def outcome(state: State) -> Outcome | None:
    """Places by score, then by whose last turn came later (R73, R74)."""
    if not state.cause:
        return None
    merits = tuple((points, player.last_turn) for points, player in zip(state.scores, state.players, strict=True))
    places = tuple(1 + sum(other > merit for other in merits) for merit in merits)
    tied = state.scores.count(max(state.scores)) > 1
    return Outcome(places, state.scores, state.cause, "later_last_turn" if tied else "")
