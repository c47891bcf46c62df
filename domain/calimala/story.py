"""How each event changes the match: facts are facts, nothing is refused here."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from domain.calimala import words as w
from domain.calimala.board import ACTION_INDEX, HOUSES, PLACE_INDEX, Data
from domain.calimala.options import Options
from domain.calimala.state import HIRELING, Activation, Mat, State, piece
from domain.calimala.things import (
    NEUTRAL,
    SCORING_CARDS,
    SPACES,
    WORKERS,
    Action,
    Phase,
    Target,
    Via,
    Worker,
)
from domain.core.game import Setup
from domain.core.words import Seat

_SPACE: Final = {space: i for i, space in enumerate(SPACES)}
_CARD: Final = {card: i for i, card in enumerate(SCORING_CARDS)}
_RESERVE_END: Final = 5
"""Places before this index are the player's own, the others the main board's."""


def blank(setup: Setup[Options, Data]) -> State:
    """The table before anything has happened: everybody has their pieces (R23, R24)."""
    data = setup.data
    mat = Mat(
        cubes=(data.figures.cubes, 0, 0, 0, 0),
        supply=(data.family_members, data.contractors, data.hirelings),
    )
    return State(
        setup=setup,
        capacities=tuple(slots.capacity for slots in data.slots),
        mats=(mat,) * setup.seats,
        neutral_cubes=data.neutral_cubes,
        offer=data.starters,
        phase=Phase.STARTING_CARDS if data.scoring_keep_after else Phase.KEEP_AT_SETUP,
    )


def evolve(state: State, event: w.CalimalaEvent) -> State:
    """The state after the event."""
    return _CHANGES[type(event)](state, event)


# ---- small changes


def _mat(state: State, seat: Seat, **changes: Any) -> tuple[Mat, ...]:
    return tuple(replace(mat, **changes) if i == seat else mat for i, mat in enumerate(state.mats))


def _stack(state: State, space: int, stack: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return (*state.stacks[:space], stack, *state.stacks[space + 1 :])


def _add(counts: tuple[int, ...], index: int, change: int) -> tuple[int, ...]:
    return (*counts[:index], counts[index] + change, *counts[index + 1 :])


def _supply(state: State, seat: Seat, worker: Worker, change: int) -> tuple[Mat, ...]:
    return _mat(state, seat, supply=_add(state.mats[seat].supply, WORKERS.index(worker), change))


def _with(hand: tuple[Action, ...], card: Action) -> tuple[Action, ...]:
    return tuple(sorted((*hand, card), key=ACTION_INDEX.__getitem__))


def _without(cards: tuple[Any, ...], card: object) -> tuple[Any, ...]:
    if card not in cards:
        return cards
    at = cards.index(card)
    return (*cards[:at], *cards[at + 1 :])


def _settled(state: State, seat: Seat, action: Action, *, taken: bool = False) -> Activation | None:
    current = state.current
    if current is None or current.seat != seat:
        return current
    return replace(current, pending=_without(current.pending, action), taken=current.taken or taken)


# ---- setup


def _laid_out(state: State, event: w.BoardLaidOut) -> State:
    seats = state.setup.seats
    takers = tuple((event.starting_seat - i) % seats for i in range(1, seats + 1))
    return replace(
        state,
        start=event.starting_seat,
        active=event.starting_seat,
        layout=event.layout,
        tiles=event.tiles,
        takers=takers,
    )


def _dealt(state: State, event: w.ScoringCardsDealt) -> State:
    return replace(state, mats=_mat(state, event.seat, held=event.cards, held_size=event.count))


def _opened(state: State, event: w.ScoringCardOpened) -> State:
    return replace(state, open_cards=(*state.open_cards, event.card))


def _kept(state: State, event: w.ScoringCardKept) -> State:
    held = state.mats[event.seat].held
    away = None if held is None else _without(held, event.secret_card)
    mats = _mat(state, event.seat, kept=event.secret_card, has_kept=True, held=(), held_size=0, away=away)
    phase = state.phase
    if all(mat.has_kept for mat in mats):
        phase = Phase.STARTING_CARDS if state.phase is Phase.KEEP_AT_SETUP else Phase.SETTLING
    return replace(state, mats=mats, phase=phase)


def _chosen(state: State, event: w.ScoringCardChosen) -> State:
    return replace(state, mats=_mat(state, event.seat, chosen=event.secret_card, has_chosen=True))


def _revealed(state: State, event: w.ScoringCardRevealed) -> State:
    mat = state.mats[event.seat]
    held = None if mat.held is None else _without(mat.held, event.card)
    mats = _mat(state, event.seat, held=held, held_size=mat.held_size - 1, chosen=None, has_chosen=False)
    return replace(state, mats=mats, open_cards=(*state.open_cards, event.card), phase=Phase.SETTLING)


def _starter(state: State, event: w.StartingCardTaken) -> State:
    mat = state.mats[event.seat]
    hand = None if mat.hand is None else _with(mat.hand, event.action)
    return replace(
        state,
        mats=_mat(state, event.seat, hand=hand, hand_size=mat.hand_size + 1),
        offer=_without(state.offer, event.action),
        takers=tuple(seat for seat in state.takers if seat != event.seat),
    )


def _shuffled(state: State, event: w.ActionDeckShuffled) -> State:
    phase = Phase.PLACEMENT if state.phase is Phase.STARTING_CARDS else state.phase
    return replace(state, deck=event.count, discard=(), offer=(), phase=phase)


# ---- a turn


def _placed(state: State, event: w.WorkerPlaced) -> State:
    space = _SPACE[event.space]
    below = state.stacks[space]
    stack = (*below, piece(event.worker, event.seat))
    queue = tuple(i for i in range(len(below) - 1, -1, -1) if below[i][0] == "F")
    return replace(
        state,
        mats=_supply(state, event.seat, event.worker, -1),
        stacks=_stack(state, space, stack),
        queue=() if event.worker is Worker.HIRELING else queue,
        space=space,
        neutral_follows=HIRELING in stack,
        compensated=False,
        phase=Phase.SETTLING,
    )


def _bottom_left(state: State, event: w.BottomWorkerSentToTower) -> State:
    space = _SPACE[event.space]
    stack = state.stacks[space]
    return replace(state, stacks=_stack(state, space, stack[1:]), tower=stack[0], phase=Phase.SETTLING)


def _activation(state: State, event: w.ActivationStarted) -> State:
    current = Activation(event.seat, _SPACE[event.space], event.worker, event.seat, True, event.pending)
    return replace(state, current=current, phase=Phase.ACTIVATION)


def _reactivated(state: State, event: w.WorkerReactivated) -> State:
    space = _SPACE[event.space]
    current = Activation(event.seat, space, Worker.FAMILY_MEMBER, event.by, False, event.pending)
    return replace(state, current=current, queue=state.queue[1:], phase=Phase.ACTIVATION)


def _card_played(state: State, event: w.ActionCardPlayed) -> State:
    mat = state.mats[event.seat]
    hand = None if mat.hand is None else _without(mat.hand, event.action)
    return replace(
        state,
        mats=_mat(state, event.seat, hand=hand, hand_size=mat.hand_size - 1),
        discard=_with(state.discard, event.action),
    )


def _taken(state: State, event: w.ActionTaken) -> State:
    mat = state.mats[event.seat]
    cubes, board = list(mat.cubes), list(state.board)
    for move in event.moves:
        cubes[PLACE_INDEX[move.source]] -= 1
        target = PLACE_INDEX[move.target]
        if target < _RESERVE_END:
            cubes[target] += 1
        else:
            board[target - _RESERVE_END] = (*board[target - _RESERVE_END], event.seat)
    built = _built(mat, event.choice[0]) if event.action is Action.BUILD else {}
    current = _settled(state, event.seat, event.action, taken=True) if event.via is Via.GRID else state.current
    mats = _mat(state, event.seat, cubes=tuple(cubes), **built)
    return replace(state, mats=mats, board=tuple(board), current=current)


def _built(mat: Mat, item: Target) -> dict[str, Any]:
    if item is Target.SHIP:
        return {"ships": mat.ships + 1}
    if item is Target.WORKSHOP:
        return {"workshops": mat.workshops + 1}
    return {"houses": tuple(there or HOUSES[city] is item for city, there in enumerate(mat.houses))}


def _neutral(state: State, event: w.NeutralCubeAdded) -> State:
    group = PLACE_INDEX[event.group] - _RESERVE_END
    board = (*state.board[:group], (*state.board[group], NEUTRAL), *state.board[group + 1 :])
    return replace(state, board=board, neutral_cubes=state.neutral_cubes - 1)


def _skipped(state: State, event: w.ActionSkipped) -> State:
    return replace(state, current=_settled(state, event.seat, event.action))


def _compensated(state: State, event: w.ImpossibleActionCompensated) -> State:
    used = event.count > 0 and event.seat == state.active
    current = _settled(state, event.seat, event.action)
    return replace(state, current=current, compensated=state.compensated or used)


def _drawn(state: State, event: w.ActionCardDrawn) -> State:
    mat = state.mats[event.seat]
    hand = None if mat.hand is None or event.drawn is None else _with(mat.hand, event.drawn)
    return replace(state, mats=_mat(state, event.seat, hand=hand, hand_size=mat.hand_size + 1), deck=state.deck - 1)


def _ended(state: State, event: w.ActivationEnded) -> State:
    del event
    return replace(state, current=None, phase=Phase.SETTLING)


def _passed(state: State, event: w.TurnPassed) -> State:
    return replace(
        state,
        mats=_supply(state, event.seat, event.worker, -1),
        box=_add(state.box, WORKERS.index(event.worker), 1),
        phase=Phase.SETTLING,
    )


# ---- scoring and the end


def _contractor(state: State, event: w.ContractorReturned) -> State:
    return replace(state, mats=_supply(state, event.seat, Worker.CONTRACTOR, 1), tower=None)


def _seat(state: State, event: w.CouncilSeatTaken | w.TowerOccupied) -> State:
    mats = state.mats
    if event.exchanged and event.owner is not None:
        mats = _supply(state, event.owner, Worker.FAMILY_MEMBER, -1)
    return replace(state, mats=mats, tower=None, council=(*state.council, event.owner))


def _points(state: State, ranking: tuple[w.Standing, ...]) -> tuple[Mat, ...]:
    won = {standing.participant: standing.points for standing in ranking if standing.points}
    return tuple(replace(mat, points=mat.points + won[i]) if i in won else mat for i, mat in enumerate(state.mats))


def _tile(state: State, event: w.ScoringTileResolved) -> State:
    data, phase = state.setup.data, state.phase
    if event.council_seat == data.scoring_show_after:
        phase = Phase.SHOW_CARD
    elif event.council_seat == data.scoring_keep_after:
        phase = Phase.KEEP_CARD
    return replace(state, mats=_points(state, event.ranking), scored=event.council_seat, phase=phase)


def _triggered(state: State, event: w.EndTriggered) -> State:
    return replace(state, end=event.reason)


def _marker(state: State, event: w.ActivePlayerMarkerPassed) -> State:
    closing = state.end is not None and event.seat == state.start
    return replace(
        state,
        active=event.seat,
        turns=state.turns + (not closing),
        phase=Phase.SETTLING if closing else Phase.PLACEMENT,
        neutral_follows=False,
        compensated=False,
        closing=closing,
    )


def _shown(state: State, event: w.KeptCardShown) -> State:
    return replace(state, mats=_mat(state, event.seat, kept=event.card, shown=True))


def _card(state: State, event: w.ScoringCardResolved) -> State:
    return replace(state, mats=_points(state, event.ranking))


def _over(state: State, event: w.GameEnded) -> State:
    return replace(state, scores=event.scores, order=event.order, decided_by=event.decided_by, phase=Phase.FINISHED)


_CHANGES: Final[dict[type, Callable[[State, Any], State]]] = {
    w.BoardLaidOut: _laid_out,
    w.ScoringCardsDealt: _dealt,
    w.ScoringCardOpened: _opened,
    w.ScoringCardKept: _kept,
    w.ScoringCardChosen: _chosen,
    w.ScoringCardRevealed: _revealed,
    w.StartingCardTaken: _starter,
    w.ActionDeckShuffled: _shuffled,
    w.WorkerPlaced: _placed,
    w.BottomWorkerSentToTower: _bottom_left,
    w.ActivationStarted: _activation,
    w.WorkerReactivated: _reactivated,
    w.ActionCardPlayed: _card_played,
    w.ActionTaken: _taken,
    w.NeutralCubeAdded: _neutral,
    w.ActionSkipped: _skipped,
    w.ImpossibleActionCompensated: _compensated,
    w.ActionCardDrawn: _drawn,
    w.ActivationEnded: _ended,
    w.TurnPassed: _passed,
    w.ContractorReturned: _contractor,
    w.CouncilSeatTaken: _seat,
    w.TowerOccupied: _seat,
    w.ScoringTileResolved: _tile,
    w.EndTriggered: _triggered,
    w.ActivePlayerMarkerPassed: _marker,
    w.KeptCardShown: _shown,
    w.ScoringCardResolved: _card,
    w.GameEnded: _over,
}
