"""The rules of Toscana as the table asks for them: opening, who acts, what is legal, what a command does, who won."""

from collections.abc import Mapping

from domain.core.chance import Chance
from domain.core.errors import Illegal
from domain.core.game import Legal, Moment, Outcome, Setup
from domain.core.words import Seat
from domain.toscana import placing
from domain.toscana.board import COMPONENTS, Components
from domain.toscana.course import (
    Course,
    ask,
    deep_enough,
    games,
    may_veto_after,
    reveal_top,
    start_game,
    start_turn,
    use_veto,
)
from domain.toscana.options import Options
from domain.toscana.state import OTHER, State
from domain.toscana.story import blank
from domain.toscana.words import (
    DecideVeto,
    GameResult,
    NextVeto,
    Phase,
    PlaceTile,
    Side,
    TilePlaced,
    ToscanaCommand,
    ToscanaEvent,
    VetoDecision,
    VetoWaived,
)

SEATS = 2
PLACEMENTS = 32
VETOES = 2


def data(options: Options, seats: int) -> Components:
    """The 32 tiles, whatever the options; two seats (R3)."""
    del options
    if seats != SEATS:
        raise Illegal("bad_options", "R6", f"Toscana is for two players, not {seats}.")
    return COMPONENTS


def opening(setup: Setup[Options, Components], chance: Chance) -> tuple[ToscanaEvent, ...]:
    """Deal out sides and start, and begin the first game."""
    options = setup.options
    if options.side_assignment == "random":
        courtyard = chance.draw("courtyard_seat", SEATS)
    else:
        courtyard = 0 if options.side_assignment == "host_courtyard" else 1
    sides = tuple(Side)
    first = chance.pick("first_side", sides) if options.first_side == "random" else Side(options.first_side)
    course = Course(blank(setup), chance)
    start_game(course, 1, (courtyard, 1 - courtyard), first)
    return tuple(course.events)


def normal(command: ToscanaCommand) -> ToscanaCommand:
    """Half turns of symmetric tiles have one spelling (R10)."""
    return placing.normal_place(command) if isinstance(command, PlaceTile) else command


def awaited(state: State) -> Side | None:
    """The side that is to act."""
    if state.phase is Phase.FINISHED:
        return None
    return state.decider if state.phase is Phase.VETO_DECISION else state.side


def to_act(state: State) -> frozenset[Seat]:
    """The seat that is to act, alone: the game is strictly sequential (R18)."""
    side = awaited(state)
    return frozenset() if side is None else frozenset({state.camp(side).seat})


def legal(state: State, seat: Seat) -> Legal[ToscanaCommand]:
    """Every placement of the top tile, once for each decision that may be sent with it; or both veto decisions."""
    side = awaited(state)
    if side is None or state.camp(side).seat != seat:
        return Legal()
    if state.phase is Phase.VETO_DECISION:
        assert state.against is not None
        return Legal(tuple(DecideVeto(state.against, decision) for decision in VetoDecision))
    decisions = tuple(d for d in NextVeto if announcing_is_refused(state, side, d) is None)
    return Legal(placing.commands(state, side, state.top(side), decisions))


def announcing_is_refused(state: State, side: Side, announced: NextVeto) -> Illegal | None:
    """Why the side may not announce that with its placement (R21, R22); asking and waiving are always allowed."""
    if announced is not NextVeto.VETO:
        return None
    options = state.setup.options
    if options.veto == "off" or options.veto_timing == "after":
        return Illegal("veto_not_available", "R22", "No veto can be announced at this table.")
    if not state.camp(side).token:
        return Illegal("veto_token_spent", "R21", "Your veto of this game is spent.")
    if not deep_enough(state, OTHER[side]):
        return Illegal("veto_last_tile", "R22", "The last tile of a pile cannot be vetoed.")
    return None


def decide(state: State, seat: Seat, command: ToscanaCommand, chance: Chance) -> tuple[ToscanaEvent, ...]:
    """What the command brings about, up to the next decision of a player."""
    course = Course(state, chance)
    if isinstance(command, PlaceTile):
        _place(course, seat, command)
    else:
        _decide_veto(course, seat, command)
    return tuple(course.events)


def _place(course: Course, seat: Seat, command: PlaceTile) -> None:
    state = course.state
    if state.phase is not Phase.PLACEMENT:
        raise Illegal("wrong_phase", "R18", "No placement is awaited now.")
    side = state.side
    camp = state.camp(side)
    if camp.seat != seat:
        raise Illegal("not_your_turn", "R18", f"It is {side}'s turn.")
    if camp.top != command.tile:
        raise Illegal("not_top_tile", "R16", f"{command.tile!r} is not on top of your pile.", f"{camp.top} is.")
    if (refusal := announcing_is_refused(state, side, command.next_veto)) is not None:
        raise refusal
    placing.check(state, side, command)
    course.add(
        TilePlaced(
            seat=seat,
            side=side,
            ordinal=len(state.laid) + 1,
            tile=command.tile,
            x=command.x,
            y=command.y,
            o=command.o,
        )
    )
    reveal_top(course, side)
    if may_veto_after(course.state):
        ask(course, command.tile)
    else:
        start_turn(course, command.next_veto)


def _decide_veto(course: Course, seat: Seat, command: DecideVeto) -> None:
    state = course.state
    if state.phase is not Phase.VETO_DECISION:
        raise Illegal("wrong_phase", "R22", "No veto decision is awaited now.")
    side = state.decider
    if state.camp(side).seat != seat:
        raise Illegal("not_your_turn", "R24", f"The decision is {side}'s.", "Nobody vetoes an own tile.")
    if state.against != command.tile:
        raise Illegal(
            "stale_tile", "R22", f"The decision is not about {command.tile!r}.", f"It is about {state.against}."
        )
    if command.decision is VetoDecision.VETO:
        use_veto(course, command.tile)
        return
    course.add(VetoWaived(seat=seat, side=side, tile=command.tile))
    if state.setup.options.veto_timing == "after":
        start_turn(course, NextVeto.ASK)


def default(state: State, seat: Seat) -> ToscanaCommand:
    """For an absent seat: waive, or the first placement in the list."""
    return legal(state, seat).commands[0]


def outcome(state: State) -> Outcome | None:
    """The points of each seat over all games; in a single game a tie may be broken by squares (R31, R32)."""
    if state.phase is not Phase.FINISHED:
        return None
    scores = [0, 0]
    for result in state.results:
        for score in (result.courtyard_score, result.building_score):
            scores[score.seat] += score.points
    last = state.results[-1]
    decided_by = ""
    ranks = scores
    if games(state) == 1 and last.by_squares:
        decided_by = "squares"
        winner = last.courtyard_score.seat if last.result is GameResult.COURTYARD else last.building_score.seat
        ranks = [int(seat == winner) for seat in range(SEATS)]
    places = tuple(1 + (rank < max(ranks)) for rank in ranks)
    return Outcome(places=places, scores=tuple(scores), cause="two_passes", decided_by=decided_by)


def turn_number(state: State) -> int:
    """The turn in this game, from 1; a tile that may still be taken back belongs to its own turn."""
    pending = state.phase is Phase.VETO_DECISION and state.setup.options.veto_timing == "after"
    return state.turns + (0 if pending or state.phase is Phase.FINISHED else 1)


def moment(state: State) -> Moment:
    """Where in the match: the game as the round, the turn, and who is awaited."""
    side = awaited(state)
    seat = None if side is None else state.camp(side).seat
    return Moment(round=state.game, turn=turn_number(state), seat=seat, phase=str(state.phase))


def totals(state: State) -> Mapping[str, int]:
    """Tiles of each side, in its pile and on the board; squares of the board, covered and free."""
    laid = [tile.tile[0] for tile in state.laid]
    return {
        "courtyard_tiles": state.camp(Side.COURTYARD).left + laid.count("C"),
        "building_tiles": state.camp(Side.BUILDING).left + laid.count("B"),
        "squares": placing.free_squares(state).bit_count() + 8 * len(laid),
    }


def bound(setup: Setup[Options, Components]) -> int:
    """The opening, then per game 32 placements that stay, as many decisions, and for each veto two commits more."""
    per_game = PLACEMENTS if setup.options.veto == "off" else 2 * PLACEMENTS + 2 * VETOES
    return 1 + per_game * (2 if setup.options.games == "double" else 1)
