"""The course of a match: setup, who acts, what is legal, and what follows from a command."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from domain.calimala import activating, placing
from domain.calimala.actions import spelled
from domain.calimala.board import CENTRE, Data
from domain.calimala.log import Log
from domain.calimala.options import Options
from domain.calimala.scoring import go_on_after_choice
from domain.calimala.state import CHOOSING, State, remainder, starting_order
from domain.calimala.story import blank
from domain.calimala.things import (
    ACTIONS,
    SCORING_CARDS,
    TILES,
    WORKERS,
    Action,
    Phase,
    ShuffleReason,
)
from domain.calimala.words import (
    ActionDeckShuffled,
    BoardLaidOut,
    CalimalaCommand,
    CalimalaEvent,
    ChooseScoringCard,
    DeclareImpossible,
    EndActivation,
    PassTurn,
    PlaceWorker,
    PlayActionCard,
    ScoringCardChosen,
    ScoringCardKept,
    ScoringCardOpened,
    ScoringCardsDealt,
    SkipAction,
    StartingCardTaken,
    TakeAction,
    TakeStartingCard,
)
from domain.core.chance import Chance
from domain.core.errors import MATCH_OVER, NOT_YOUR_DECISION, WRONG_PHASE, Illegal
from domain.core.game import Legal, Moment, Outcome, Setup
from domain.core.words import Seat

Handler = Callable[[Log, Seat, Any], None]


# ---- setup


def opening(setup: Setup[Options, Data], chance: Chance) -> tuple[CalimalaEvent, ...]:
    """The board, the tiles and the Scoring cards (R20-R25)."""
    log = Log(blank(setup), chance)
    data = setup.data
    start = chance.draw("starting seat", setup.seats)
    layout = data.layout or _deal_layout(chance)
    tiles, _ = chance.take("scoring tile", TILES, len(TILES))
    log.add(BoardLaidOut(start, layout, tiles))
    cards = SCORING_CARDS
    for seat in starting_order(log.state):
        dealt, cards = chance.take("scoring card", cards, data.scoring_dealt)
        log.add(ScoringCardsDealt(seat, len(dealt), tuple(sorted(dealt, key=SCORING_CARDS.index))))
    opened, _ = chance.take("open scoring card", cards, data.scoring_open)
    for card in opened:
        log.add(ScoringCardOpened(card))
    return tuple(log.events)


def _deal_layout(chance: Chance) -> tuple[Action, ...]:
    dealt, _ = chance.take("action tile", ACTIONS[:-1], len(ACTIONS) - 1)
    return (*dealt[:CENTRE], Action.CONTRIBUTE, *dealt[CENTRE:])


# ---- who and what


def to_act(state: State) -> frozenset[Seat]:
    """The seats with an open decision."""
    if state.phase is Phase.ACTIVATION:
        return frozenset({activating.the_activation(state).seat})
    if state.phase is Phase.PLACEMENT:
        return frozenset({state.active})
    if state.phase is Phase.STARTING_CARDS:
        return frozenset(state.takers[:1])
    if state.phase is Phase.SHOW_CARD:
        return frozenset(seat for seat, mat in enumerate(state.mats) if not mat.has_chosen)
    if state.phase in CHOOSING:
        return frozenset(seat for seat, mat in enumerate(state.mats) if not mat.has_kept)
    return frozenset()


def legal(state: State, seat: Seat) -> Legal[CalimalaCommand]:
    """Everything that the seat may do now."""
    if seat not in to_act(state):
        return Legal()
    if state.phase is Phase.ACTIVATION:
        return activating.legal_steps(state, seat)
    if state.phase is Phase.PLACEMENT:
        return placing.legal_placements(state, seat)
    if state.phase is Phase.STARTING_CARDS:
        return Legal(tuple(TakeStartingCard(action) for action in state.offer))
    return Legal(tuple(ChooseScoringCard(card) for card in state.mats[seat].held or ()))


def default(state: State, seat: Seat) -> CalimalaCommand:
    """What an absent seat does: as little as the rules allow, and no card."""
    commands = legal(state, seat).commands
    if state.phase is Phase.PLACEMENT:
        supply = state.mats[seat].supply
        first = commands[0]
        if isinstance(first, PlaceWorker):
            commands = tuple(c for c in commands if isinstance(c, PlaceWorker) and c.space is first.space)
        return max(commands, key=lambda c: supply[WORKERS.index(c.worker)] if hasattr(c, "worker") else 0)
    for shy in (EndActivation, DeclareImpossible, SkipAction):
        for command in commands:
            if isinstance(command, shy):
                return command
    return commands[0]


# ---- deciding


def normal(command: CalimalaCommand) -> CalimalaCommand:
    """Targets in the order of the board; the order of opening plays matters and stays."""
    if isinstance(command, TakeAction | PlayActionCard):
        return replace(command, choice=spelled(command.choice))
    if isinstance(command, PlaceWorker):
        plays = tuple(replace(play, choice=spelled(play.choice)) for play in command.opening_plays)
        return replace(command, opening_plays=plays)
    return command


def decide(state: State, seat: Seat, command: CalimalaCommand, chance: Chance) -> tuple[CalimalaEvent, ...]:
    """The command and everything that follows from it without another decision."""
    rule = _PHASE_RULE[state.phase]
    if state.phase is Phase.FINISHED:
        raise Illegal(MATCH_OVER, rule, "The match is over.")
    if seat not in to_act(state):
        if isinstance(command, ChooseScoringCard) and state.phase in CHOOSING and 0 <= seat < len(state.mats):
            raise Illegal("already_chosen", rule, "This seat has chosen its Scoring card already.")
        raise Illegal(NOT_YOUR_DECISION, rule, "Somebody else must decide now.")
    if type(command) not in _ACCEPTED[state.phase]:
        raise Illegal(WRONG_PHASE, rule, f"{type(command).__name__} does not fit this moment: {state.phase}.")
    log = Log(state, chance)
    _HANDLERS[type(command)](log, seat, command)
    return tuple(log.events)


def _choose_scoring_card(log: Log, seat: Seat, command: ChooseScoringCard) -> None:
    phase = log.state.phase
    if command.card not in (log.state.mats[seat].held or ()):
        raise Illegal("card_not_held", _PHASE_RULE[phase], f"{command.card} is not among the held Scoring cards.")
    choose = ScoringCardChosen if phase is Phase.SHOW_CARD else ScoringCardKept
    log.add(choose(seat, command.card))
    if phase is not Phase.KEEP_AT_SETUP and not to_act(log.state):
        go_on_after_choice(log)


def _take_starting_card(log: Log, seat: Seat, command: TakeStartingCard) -> None:
    if command.action not in log.state.offer:
        raise Illegal("not_on_offer", "R27", f"No {command.action} card lies open.")
    log.add(StartingCardTaken(seat, command.action))
    if not log.state.takers:
        count = sum(copies.count for copies in log.state.setup.data.action_cards) - len(log.state.mats)
        log.add(ActionDeckShuffled(count, ShuffleReason.SETUP))


_HANDLERS: Final[Mapping[type, Handler]] = {
    ChooseScoringCard: _choose_scoring_card,
    TakeStartingCard: _take_starting_card,
    PlaceWorker: placing.place,
    PassTurn: placing.pass_turn,
    TakeAction: activating.take_action,
    SkipAction: activating.skip_action,
    DeclareImpossible: activating.declare_impossible,
    PlayActionCard: activating.play_action_card,
    EndActivation: activating.end_activation,
}
_ACCEPTED: Final[Mapping[Phase, tuple[type, ...]]] = {
    Phase.KEEP_AT_SETUP: (ChooseScoringCard,),
    Phase.STARTING_CARDS: (TakeStartingCard,),
    Phase.PLACEMENT: (PlaceWorker, PassTurn),
    Phase.ACTIVATION: (TakeAction, SkipAction, DeclareImpossible, PlayActionCard, EndActivation),
    Phase.SHOW_CARD: (ChooseScoringCard,),
    Phase.KEEP_CARD: (ChooseScoringCard,),
}
_PHASE_RULE: Final[Mapping[Phase, str]] = {
    Phase.KEEP_AT_SETUP: "R26",
    Phase.STARTING_CARDS: "R27",
    Phase.PLACEMENT: "R30",
    Phase.ACTIVATION: "R41",
    Phase.SHOW_CARD: "R98",
    Phase.KEEP_CARD: "R98",
    Phase.SETTLING: "R30",
    Phase.FINISHED: "R105",
}


# ---- the whole match


def outcome(state: State) -> Outcome | None:
    """The places, once all is scored."""
    if state.phase is not Phase.FINISHED:
        return None
    places = tuple(state.order.index(seat) + 1 for seat in range(len(state.mats)))
    return Outcome(places, state.scores, str(state.end), state.decided_by)


def moment(state: State) -> Moment:
    """Turns are counted through the match; a round gives every seat one."""
    seat: Seat | None = state.active
    if state.phase is Phase.STARTING_CARDS:
        seat = state.takers[0] if state.takers else None
    elif state.phase in (Phase.KEEP_AT_SETUP, Phase.FINISHED):
        seat = None
    return Moment(state.turns // state.setup.seats + 1, state.turns + 1, seat, state.phase)


def totals(state: State) -> Mapping[str, int]:
    """Cubes by owner (R4), workers by kind, and cards: what no event changes."""
    placed = [lying[0] for stack in state.stacks for lying in stack]
    placed += [state.tower[0]] if state.tower else []
    placed += ["H" if seat == -1 else "F" for seat in state.council if seat is not None]
    counts = {
        f"cubes_of_seat_{seat}": sum(mat.cubes) + sum(row.count(seat) for row in state.board)
        for seat, mat in enumerate(state.mats)
    }
    counts["neutral_cubes"] = state.neutral_cubes + sum(row.count(-1) for row in state.board)
    for i, worker in enumerate(WORKERS):
        counts[worker] = sum(mat.supply[i] for mat in state.mats) + state.box[i] + placed.count("FCH"[i])
    shuffled = state.phase not in (Phase.KEEP_AT_SETUP, Phase.STARTING_CARDS)
    deck = state.deck if shuffled else len(remainder(state))
    counts["action_cards"] = (
        deck + len(state.offer) + len(state.discard) + sum(len(mat.hand or ()) for mat in state.mats)
    )
    return counts


def bound(setup: Setup[Options, Data]) -> int:
    """Commits at most: the turns that the workers allow, and in each all that can be settled and played."""
    data, seats = setup.data, setup.seats
    turns = seats * (data.family_members + data.contractors + data.hirelings) + len(TILES) + seats
    below = data.stack - data.bottom_leaves_first
    placements, ends, pending, drawn = 1, 1 + below, 4 + 2 * below, 1 + 2 * below
    return 4 * seats + turns * (placements + ends + pending + drawn)
