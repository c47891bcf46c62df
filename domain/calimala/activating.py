"""Settling the grid actions of a placed or reactivated worker, and cards in between (R36-R41, R60-R64, R71-R73)."""

from domain.calimala.actions import RULES, carry_out, choices
from domain.calimala.board import STREETS
from domain.calimala.log import Log
from domain.calimala.placing import play_card
from domain.calimala.scoring import finish_actions
from domain.calimala.state import Activation, State, grid_actions, owner, remainder
from domain.calimala.things import SPACES, Action, ShuffleReason, Via
from domain.calimala.words import (
    ActionCardDrawn,
    ActionDeckShuffled,
    ActionSkipped,
    ActivationEnded,
    CalimalaCommand,
    DeclareImpossible,
    EndActivation,
    ImpossibleActionCompensated,
    PlayActionCard,
    SkipAction,
    TakeAction,
    WorkerReactivated,
)
from domain.core.errors import Illegal
from domain.core.game import Legal
from domain.core.words import Seat

# ---- what is legal


def legal_steps(state: State, seat: Seat) -> Legal[CalimalaCommand]:
    """How each pending action may be settled, what cards may be played, and whether the activation may end."""
    current = the_activation(state)
    commands: list[CalimalaCommand] = []
    for action in dict.fromkeys(current.pending):
        ways = choices(state, seat, action)
        if not ways:
            commands.append(DeclareImpossible(action))
            continue
        commands += [TakeAction(action, choice) for choice in ways]
        if may_skip(state, current, action):
            commands.append(SkipAction(action))
    for action in dict.fromkeys(state.mats[seat].hand or ()):
        commands += [PlayActionCard(action, choice) for choice in choices(state, seat, action)]
    if not current.pending:
        commands.append(EndActivation())
    return Legal(tuple(commands))


def the_activation(state: State) -> Activation:
    """The activation that is going on."""
    assert state.current is not None
    return state.current


def may_skip(state: State, current: Activation, action: Action) -> bool:
    """Whether R37 lets a possible action go: never the last chance of a placed worker to do anything."""
    if not current.placed or current.taken:
        return True
    others = list(current.pending)
    others.remove(action)
    return any(choices(state, current.seat, other) for other in others)


# ---- what is decided


def take_action(log: Log, seat: Seat, command: TakeAction) -> None:
    """A pending grid action is carried out."""
    _must_be_pending(log.state, command.action)
    carry_out(log, seat, command.action, command.choice, Via.GRID)
    _end_if_settled(log, seat)


def skip_action(log: Log, seat: Seat, command: SkipAction) -> None:
    """A pending grid action is given up."""
    action = command.action
    _must_be_pending(log.state, action)
    if not choices(log.state, seat, action):
        raise Illegal(
            "action_impossible", "R64", f"{action} is impossible and cannot be skipped.", "Declare it impossible."
        )
    if not may_skip(log.state, the_activation(log.state), action):
        raise Illegal(
            "must_take_one", "R37", "A placed worker must carry out one grid action, and this is the last one possible."
        )
    log.add(ActionSkipped(seat, action))
    _end_if_settled(log, seat)


def declare_impossible(log: Log, seat: Seat, command: DeclareImpossible) -> None:
    """An impossible grid action is settled, and compensated where R61 says so."""
    action = command.action
    _must_be_pending(log.state, action)
    if choices(log.state, seat, action):
        raise Illegal(
            "action_possible",
            "R64",
            f"{action} can be carried out at least in part.",
            f"See {RULES[action]}; or skip it.",
        )
    state = log.state
    due = not (seat == state.active and state.compensated)
    draws = due and (state.deck > 0 or bool(state.discard))
    log.add(ImpossibleActionCompensated(seat, action, int(draws)))
    if draws:
        _shuffle_if_empty(log)
        log.add(ActionCardDrawn(seat, log.chance.pick("action card", remainder(log.state))))
        _shuffle_if_empty(log)
    _end_if_settled(log, seat)


def play_action_card(log: Log, seat: Seat, command: PlayActionCard) -> None:
    """A card is played between grid actions."""
    play_card(log, seat, command.action, command.choice)
    _end_if_settled(log, seat)


def end_activation(log: Log, seat: Seat, command: EndActivation) -> None:
    """The player has no more cards to play in this activation."""
    del command
    if the_activation(log.state).pending:
        raise Illegal("actions_pending", "R38", "Grid actions are still pending.", "Take, skip or declare them first.")
    _end(log, seat)


def _must_be_pending(state: State, action: Action) -> None:
    pending = the_activation(state).pending
    if action not in pending:
        raise Illegal("not_pending", "R36", f"{action} is not pending.", f"Pending: {', '.join(pending) or 'nothing'}.")


def _shuffle_if_empty(log: Log) -> None:
    if log.state.deck == 0 and log.state.discard:
        log.add(ActionDeckShuffled(len(log.state.discard), ShuffleReason.RESHUFFLE))


def _end_if_settled(log: Log, seat: Seat) -> None:
    """The end by itself of R38: it looks at nothing that is not public."""
    if not the_activation(log.state).pending and not log.state.mats[seat].hand_size:
        _end(log, seat)


def _end(log: Log, seat: Seat) -> None:
    log.add(ActivationEnded(seat))
    if log.state.queue:
        _reactivate(log)
    else:
        finish_actions(log)


def _reactivate(log: Log) -> None:
    state = log.state
    at = state.queue[0]
    seat = owner(state.stacks[state.space][at])
    assert seat is not None
    pending = grid_actions(state, STREETS[state.space])
    log.add(WorkerReactivated(seat, SPACES[state.space], at + 1, state.active, pending))
