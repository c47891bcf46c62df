"""How a match of Toscana goes on by itself until a player has something to decide (R18 to R26, R32)."""

from domain.core.chance import Chance
from domain.core.words import Seat
from domain.toscana.placing import placeable
from domain.toscana.scoring import compare, score
from domain.toscana.state import OTHER, State
from domain.toscana.story import evolve
from domain.toscana.words import (
    GameScored,
    GameStarted,
    NextVeto,
    PassReason,
    PileEmptied,
    Side,
    TopRevealed,
    ToscanaEvent,
    TurnPassed,
    VetoLapsed,
    VetoOpened,
    VetoUsed,
    VetoWaived,
)

PASSES_TO_END = 2
TILES_TO_VETO = 2
"""A pile needs a next tile for its top to be vetoed."""


class Course:
    """The events of one commit as they come about, and the state after them."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[ToscanaEvent] = []

    def add(self, event: ToscanaEvent) -> None:
        """Let the event happen."""
        self.events.append(event)
        self.state = evolve(self.state, event)


def start_game(course: Course, game: int, seats: tuple[Seat, Seat], first_side: Side) -> None:
    """Empty the board, fill the piles, show both tops, and begin the first turn (R6 to R9)."""
    course.add(GameStarted(game=game, courtyard_seat=seats[0], building_seat=seats[1], first_side=first_side))
    for side in Side:
        reveal_top(course, side)
    start_turn(course, NextVeto.ASK)


def reveal_top(course: Course, side: Side) -> None:
    """Show the side's next tile, drawn now from those whose order is open; tiles at the bottom come last (R7, R23)."""
    camp = course.state.camp(side)
    if camp.top is not None:
        tile = camp.top
    elif camp.rest:
        tile = course.chance.pick(f"{side}_top", camp.rest)
    elif camp.bottom:
        tile = camp.bottom[0]
    else:
        course.add(PileEmptied(seat=camp.seat, side=side))
        return
    course.add(TopRevealed(seat=camp.seat, side=side, tile=tile, left=camp.left))


def start_turn(course: Course, announced: NextVeto) -> None:
    """Go on to the next decision of a player, through passes and what the opponent has announced (R19, R22, R26)."""
    while not placeable(course.state, side := course.state.side):
        _pass(course, side)
        if announced is NextVeto.VETO:
            tile = course.state.top(side)
            course.add(VetoLapsed(seat=course.state.camp(OTHER[side]).seat, side=OTHER[side], tile=tile))
        announced = NextVeto.ASK
        if course.state.passes == PASSES_TO_END:
            end_game(course)
            return
    if may_veto_before(course.state):
        _opportunity(course, announced)


def may_veto_before(state: State) -> bool:
    """Whether the placeable top tile of the side to move can be vetoed before it is laid (R21, R22)."""
    options = state.setup.options
    return options.veto_timing == "before" and state.camp(OTHER[state.side]).token and deep_enough(state, state.side)


def may_veto_after(state: State) -> bool:
    """Whether the tile just laid can be taken back: the turn has gone over to the side that decides."""
    options = state.setup.options
    laid_by = state.camp(OTHER[state.side])
    return options.veto_timing == "after" and state.camp(state.side).token and laid_by.left > 0


def deep_enough(state: State, side: Side) -> bool:
    """Whether a veto would leave another tile on top of the side's pile."""
    return state.camp(side).left >= TILES_TO_VETO


def _opportunity(course: Course, announced: NextVeto) -> None:
    side = course.state.side
    tile = course.state.top(side)
    if announced is NextVeto.VETO:
        use_veto(course, tile)
    elif announced is NextVeto.WAIVE:
        course.add(VetoWaived(seat=course.state.camp(OTHER[side]).seat, side=OTHER[side], tile=tile))
    else:
        ask(course, tile)


def ask(course: Course, tile: str) -> None:
    """Open the veto decision about the tile."""
    side = course.state.decider
    course.add(VetoOpened(seat=course.state.camp(side).seat, side=side, tile=tile))


def use_veto(course: Course, tile: str) -> None:
    """Put the tile at the bottom of its pile, show what is on top, and let the same side play that (R23, R25)."""
    decider = course.state.decider
    course.add(VetoUsed(seat=course.state.camp(decider).seat, side=decider, tile=tile))
    reveal_top(course, OTHER[decider])
    start_turn(course, NextVeto.ASK)


def _pass(course: Course, side: Side) -> None:
    camp = course.state.camp(side)
    reason = PassReason.EMPTY_PILE if camp.top is None else PassReason.NO_PLACEMENT
    course.add(TurnPassed(seat=camp.seat, side=side, reason=reason, blocked=camp.top))


def end_game(course: Course) -> None:
    """Count the game, and begin the second one if there is one, with the sides swapped (R26 to R32)."""
    state = course.state
    courtyard, building = (score(state, side, state.camp(side).seat) for side in Side)
    result, by_squares = compare(courtyard, building, squares_break_ties=state.setup.options.tie_break == "squares")
    course.add(
        GameScored(
            game=state.game, courtyard_score=courtyard, building_score=building, result=result, by_squares=by_squares
        )
    )
    if state.game < games(state):
        start_game(course, state.game + 1, (building.seat, courtyard.seat), state.first_side)


def games(state: State) -> int:
    """How many games the match has."""
    return 2 if state.setup.options.games == "double" else 1
