"""Placing a worker, with or without opening plays, and passing (R31-R37, R92)."""

from typing import Final

from msgspec.structs import replace

from domain.calimala.actions import carry_out, choices, possible
from domain.calimala.board import BRICK, CLOTH, MARBLE, STREETS, WOOD
from domain.calimala.log import Log
from domain.calimala.scoring import finish_turn, send_bottom_worker
from domain.calimala.state import HIRELING, Mat, State, grid_actions
from domain.calimala.things import ACTIONS, SPACES, WORKERS, Action, Target, Via, Worker
from domain.calimala.words import (
    ActionCardPlayed,
    ActivationStarted,
    CalimalaCommand,
    OpeningPlay,
    PassTurn,
    PlaceWorker,
    TurnPassed,
    WorkerPlaced,
)
from domain.core.chance import Chance
from domain.core.errors import Illegal
from domain.core.game import Legal, Template
from domain.core.words import Seat

LOOK_AHEAD: Final = 1000
"""How many positions are looked at for opening plays that help. Beyond, a template is offered unseen: its fits may
all be refused then, which only a hand of many cards can bring about."""

_GAINS: Final = (Action.WOOD, Action.BRICK, Action.MARBLE, Action.WEAVE)


# ---- what is legal


def legal_placements(state: State, seat: Seat) -> Legal[CalimalaCommand]:
    """Every placement without cards, or the ways to pass; and a template for each placement that cards may open."""
    mat, now = state.mats[seat], possible(state, seat)
    spots = _spots(state, seat)
    commands: tuple[CalimalaCommand, ...] = tuple(
        PlaceWorker(SPACES[space], worker)
        for space, worker in spots
        if not now.isdisjoint(grid_actions(state, STREETS[space]))
    )
    if not commands:
        commands = tuple(PassTurn(worker) for worker in _in_supply(mat))
    return Legal(commands, _templates(state, seat, spots) if mat.hand else ())


def _crowded(state: State, space: int, worker: Worker) -> bool:
    """Whether a second Hireling would come into one stack (R92)."""
    return worker is Worker.HIRELING and HIRELING in state.stacks[space]


def can_place(state: State, seat: Seat) -> bool:
    """Whether some placement is legal without opening plays (R34)."""
    now = possible(state, seat)
    return any(not now.isdisjoint(grid_actions(state, STREETS[space])) for space, _ in _spots(state, seat))


def _in_supply(mat: Mat) -> tuple[Worker, ...]:
    """The kinds of workers that are left in the supply."""
    return tuple(worker for i, worker in enumerate(WORKERS) if mat.supply[i])


def _spots(state: State, seat: Seat) -> list[tuple[int, Worker]]:
    """The spaces, each with every kind of worker that the seat could lay there (R31, R92)."""
    workers = _in_supply(state.mats[seat])
    return [(space, worker) for space in range(len(SPACES)) for worker in workers if not _crowded(state, space, worker)]


def _templates(state: State, seat: Seat, spots: list[tuple[int, Worker]]) -> tuple[Template[CalimalaCommand], ...]:
    items = imaginable_plays(state, seat)
    pairs = [frozenset(grid_actions(state, street)) for street in STREETS]
    opened: dict[bool, frozenset[Action]] = {}
    templates: list[Template[CalimalaCommand]] = []
    for space, worker in spots:
        follows = worker is Worker.HIRELING or HIRELING in state.stacks[space]
        if follows not in opened:
            opened[follows] = _possible_after_plays(state, seat, follows, pairs)
        if not opened[follows].isdisjoint(pairs[space]):
            base = PlaceWorker(SPACES[space], worker)
            templates.append(Template(base, "opening_plays", items, 1, state.mats[seat].hand_size))
    return tuple(templates)


def imaginable_plays(state: State, seat: Seat) -> tuple[OpeningPlay, ...]:
    """Every play of a card in hand that some order of opening plays could allow: nothing else is ever accepted."""
    mat = state.mats[seat]
    hand = mat.hand or ()
    hopeful = _hopeful(state, mat, hand)
    plays: list[OpeningPlay] = []
    for action in ACTIONS:
        if action not in hand:
            continue
        if action in _GAINS:
            plays.append(OpeningPlay(action))
            continue
        like = replace(hopeful, ships=mat.ships, houses=mat.houses) if action is Action.BUILD else hopeful
        plays += [OpeningPlay(action, c) for c in choices(_with_mat(state, seat, like), seat, action)]
    return tuple(plays)


def _hopeful(state: State, mat: Mat, hand: tuple[Action, ...]) -> Mat:
    """At least what the player could have while the cards of the hand are played, each resource taken alone."""
    f = state.setup.data.figures
    builds = hand.count(Action.BUILD)
    cubes = list(mat.cubes)
    for index, action in ((WOOD, Action.WOOD), (BRICK, Action.BRICK), (MARBLE, Action.MARBLE)):
        cubes[index] += hand.count(action)
    cubes[CLOTH] += hand.count(Action.WEAVE) * f.workshops
    return replace(
        mat,
        cubes=tuple(cubes),
        ships=min(f.ships, mat.ships + builds),
        houses=tuple(there or builds > 0 for there in mat.houses),
    )


def _with_mat(state: State, seat: Seat, mat: Mat) -> State:
    return replace(state, mats=(*state.mats[:seat], mat, *state.mats[seat + 1 :]))


def _possible_after_plays(state: State, seat: Seat, follows: bool, pairs: list[frozenset[Action]]) -> frozenset[Action]:
    """The actions that one or more plays from the hand can leave possible, as far as the pairs of the spaces ask.

    If that takes too long to find out, all.
    """
    found: frozenset[Action] = frozenset()
    todo = [replace(state, neutral_follows=follows)]
    seen = set()
    for now in todo:
        for action in sorted(set(now.mats[seat].hand or ())):
            for choice in choices(now, seat, action):
                log = Log(now, Chance())
                _play(log, seat, action, choice)
                position = (log.state.mats[seat], log.state.board)
                if position in seen:
                    continue
                seen.add(position)
                found |= possible(log.state, seat)
                if not any(pair.isdisjoint(found) for pair in pairs):
                    return found
                if len(seen) > LOOK_AHEAD:
                    return frozenset(ACTIONS)
                todo.append(log.state)
    return found


# ---- what is decided


def _play(log: Log, seat: Seat, action: Action, choice: tuple[Target, ...]) -> None:
    log.add(ActionCardPlayed(seat, action))
    carry_out(log, seat, action, choice, Via.CARD)


def play_card(log: Log, seat: Seat, action: Action, choice: tuple[Target, ...]) -> None:
    """An Action card is played; Illegal if it is not in hand or its action is impossible (R71-R73)."""
    if action not in (log.state.mats[seat].hand or ()):
        raise Illegal("card_not_in_hand", "R71", f"There is no {action} card in this hand.")
    _play(log, seat, action, choice)


def place(log: Log, seat: Seat, command: PlaceWorker) -> None:
    """A worker is placed and its activation begins."""
    state, worker = log.state, command.worker
    _must_have(state, seat, worker)
    if command.space not in SPACES:
        raise Illegal("bad_choice", "R11", f"There is no space {command.space}.", "Spaces are s01 to s12.")
    space = SPACES.index(command.space)
    if _crowded(state, space, worker):
        raise Illegal(
            "hireling_already_there",
            "R92",
            f"A Hireling lies on {command.space} already.",
            "A Family Member or a Contractor may be placed there.",
        )
    if state.setup.data.bottom_leaves_first and len(state.stacks[space]) >= state.setup.data.stack:
        send_bottom_worker(log, space)
    height = len(log.state.stacks[space]) + 1
    log.add(WorkerPlaced(seat, command.space, worker, height))
    pair = grid_actions(state, STREETS[space])
    times = 2 if worker is Worker.CONTRACTOR else 1
    log.add(ActivationStarted(seat, command.space, worker, tuple(action for action in pair for _ in range(times))))
    for opening in command.opening_plays:
        play_card(log, seat, opening.action, opening.choice)
    if possible(log.state, seat).isdisjoint(pair):
        raise Illegal(
            "no_possible_action",
            "R32",
            f"Neither {pair[0]} nor {pair[1]} could be carried out.",
            "Opening plays may make one of them possible.",
        )


def pass_turn(log: Log, seat: Seat, command: PassTurn) -> None:
    """The turn goes by without a placement, for a worker."""
    if can_place(log.state, seat):
        raise Illegal("placement_exists", "R34", "There is a legal placement without cards.", "Place a worker.")
    _must_have(log.state, seat, command.worker)
    log.add(TurnPassed(seat, command.worker))
    finish_turn(log)


def _must_have(state: State, seat: Seat, worker: Worker) -> None:
    if worker not in WORKERS or not state.mats[seat].supply[WORKERS.index(worker)]:
        raise Illegal("no_such_worker", "R31", f"There is no {worker} left in this supply.")
