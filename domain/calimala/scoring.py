"""Majorities, ties, the scoring step, and the end (R74-R81, R98, R100-R105)."""

from collections.abc import Sequence
from typing import Final

from domain.calimala.board import CARD_GROUPS, PALAZZO, TILE_GROUPS
from domain.calimala.log import Log
from domain.calimala.state import CHOOSING, State, kind, owner, participants, starting_order
from domain.calimala.things import NEUTRAL, SPACES, EndReason, Phase, ScoringCard, Worker
from domain.calimala.words import (
    ActivePlayerMarkerPassed,
    BottomWorkerSentToTower,
    ContractorReturned,
    CouncilSeatTaken,
    EndTriggered,
    GameEnded,
    KeptCardShown,
    ScoringCardResolved,
    ScoringCardRevealed,
    ScoringTileResolved,
    Standing,
    TowerOccupied,
)
from domain.core.words import Seat

TIE_STEPS: Final = ("", "seats_and_statues", "seats", "most_recent_seat", "leftmost_statue", "clockwise")
"""The steps of R80 by number; 0 is no step at all."""

_FAMILY: Final = 0
_LAST_SEAT: Final = 2
_CLOCKWISE: Final = 3


# ---- majorities


def tie_key(state: State, participant: int) -> tuple[int, int, int, int]:
    """What R80 compares, step by step: the smaller is ahead. Steps 3 and 4 share a place, as never both apply."""
    statues = state.board[PALAZZO]
    seats = [i for i, taken_by in enumerate(state.council) if taken_by == participant]
    last = seats[-1] if seats else statues.index(participant) if participant in statues else 0
    total = state.setup.seats
    distance = total if participant == NEUTRAL else (participant - state.active) % total
    return -len(seats) - statues.count(participant), -len(seats), last, distance


def tie_step(state: State, ahead: int, behind: int) -> int:
    """Which step of R80 puts one participant ahead of another that is level with it."""
    a, b = tie_key(state, ahead), tie_key(state, behind)
    at = next(i for i in range(len(a)) if a[i] != b[i])
    if at == _LAST_SEAT:
        return 3 if ahead in state.council else 4
    return 5 if at == _CLOCKWISE else at + 1


def ranking(state: State, counts: Sequence[tuple[int, int]], points: tuple[int, ...]) -> tuple[Standing, ...]:
    """(participant, count) pairs as a ranking with points; who has nothing is not ranked (R78)."""
    ranked = sorted(((p, n) for p, n in counts if n), key=lambda pn: (-pn[1], tie_key(state, pn[0])))
    standings = []
    for place, (participant, count) in enumerate(ranked):
        earned = points[place] if place < len(points) and participant != NEUTRAL else 0
        level = place + 1 < len(ranked) and ranked[place + 1][1] == count
        step = tie_step(state, participant, ranked[place + 1][0]) if level else 0
        standings.append(Standing(participant, count, earned, step))
    return tuple(standings)


def cubes(state: State, groups: tuple[int, ...]) -> list[tuple[int, int]]:
    """How many cubes each participant has in the slot groups."""
    return [(p, sum(state.board[group].count(p) for group in groups)) for p in participants(state)]


def resolve_tile(log: Log) -> None:
    """The next Scoring tile is scored."""
    state = log.state
    tile = state.tiles[state.scored]
    points = state.setup.data.figures.tile_points
    log.add(ScoringTileResolved(state.scored + 1, tile, ranking(state, cubes(state, TILE_GROUPS[tile]), points)))


def resolve_card(log: Log, card: ScoringCard) -> None:
    """A Scoring card is scored; the Palazzo Vecchio's counts seats as well (R104)."""
    state = log.state
    counts = cubes(state, CARD_GROUPS[card])
    if card is ScoringCard.PALAZZO_VECCHIO:
        counts = [(p, n + state.council.count(p)) for p, n in counts]
    log.add(ScoringCardResolved(card, ranking(state, counts, state.setup.data.figures.card_points)))


# ---- the steps of a turn that nobody decides


def send_bottom_worker(log: Log, space: int) -> None:
    """The bottom worker of a space goes to the tower (R35, R95)."""
    bottom = log.state.stacks[space][0]
    log.add(BottomWorkerSentToTower(SPACES[space], kind(bottom), owner(bottom)))


def finish_actions(log: Log) -> None:
    """All activations of the turn are over: removal, scoring step, end check, marker (R30)."""
    state = log.state
    if len(state.stacks[state.space]) > state.setup.data.stack:
        send_bottom_worker(log, state.space)
    if log.state.tower is not None:
        fill_seat(log)
    if log.state.phase not in CHOOSING:
        finish_turn(log)


def fill_seat(log: Log) -> None:
    """The worker in the tower becomes a seat, and its tile is scored (R74-R77)."""
    state = log.state
    assert state.tower is not None
    seat, exchanged = owner(state.tower), False
    if kind(state.tower) is Worker.CONTRACTOR:
        log.add(ContractorReturned(state.active))
        exchanged = log.state.mats[state.active].supply[_FAMILY] > 0
        seat = state.active if exchanged else None
    if state.scored < len(state.tiles):
        log.add(CouncilSeatTaken(state.scored + 1, seat, exchanged))
        resolve_tile(log)
    else:
        log.add(TowerOccupied(seat, exchanged))


def finish_turn(log: Log) -> None:
    """The end check, and the marker passes (R100, R44)."""
    state = log.state
    if state.end is None:
        if state.scored == len(state.tiles):
            log.add(EndTriggered(state.active, EndReason.TILES_EXHAUSTED))
        elif not any(state.mats[state.active].supply):
            log.add(EndTriggered(state.active, EndReason.SUPPLY_EMPTY))
    log.add(ActivePlayerMarkerPassed((state.active + 1) % state.setup.seats, state.active))
    if log.state.closing:
        close_match(log)


def go_on_after_choice(log: Log) -> None:
    """Both players have chosen a Scoring card: what the tile interrupted goes on (R99)."""
    if log.state.phase is Phase.SHOW_CARD:
        shown = [(seat, log.state.mats[seat].chosen) for seat in starting_order(log.state)]
        for seat, card in shown:
            assert card is not None
            log.add(ScoringCardRevealed(seat, card))
    if log.state.closing:
        close_match(log)
    else:
        finish_turn(log)


def close_match(log: Log) -> None:
    """The end phase and final scoring (R103-R105); two players may have to choose in between."""
    while log.state.scored < len(log.state.tiles):
        resolve_tile(log)
        if log.state.phase in CHOOSING:
            return
    for card in log.state.open_cards:
        resolve_card(log, card)
    for seat in starting_order(log.state):
        kept = log.state.mats[seat].kept
        assert kept is not None
        log.add(KeptCardShown(seat, kept))
        resolve_card(log, kept)
    log.add(_result(log.state))


def _result(state: State) -> GameEnded:
    scores = tuple(mat.points for mat in state.mats)
    order: list[Seat] = sorted(range(len(scores)), key=lambda seat: (-scores[seat], tie_key(state, seat)))
    level = scores[order[0]] == scores[order[1]]
    return GameEnded(scores, tuple(order), TIE_STEPS[tie_step(state, order[0], order[1])] if level else "")
