"""Recorded matches: they fold to their outcome, and every command is decided again to the same events."""

from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from domain.calimala import GAME
from domain.calimala.things import ACTIONS, SCORING_CARDS, SPACES, TILES, WORKERS, EndReason
from domain.calimala.words import (
    ActionCardPlayed,
    ActionDeckShuffled,
    CalimalaCommand,
    CalimalaEvent,
    CouncilSeatTaken,
    EndTriggered,
    PlaceWorker,
    ScoringCardResolved,
    ScoringTileResolved,
    WorkerPlaced,
)
from domain.core.canonical import canonical
from domain.core.chance import SeededChance
from domain.core.game import Outcome, Setup
from tests.games.calimala.record import FOLDER
from tests.support.play import fold

FILES = sorted(FOLDER.glob("*.json"))
SHAPES = (FOLDER / "shapes.jsonl").read_bytes().splitlines()


@cache
def recorded(path: Path) -> tuple[Setup[Any, Any], bytes, list[tuple[int | None, Any, tuple[Any, ...]]], Outcome]:
    """Setup, key, commits (seat, command, events) and outcome of a recorded match."""
    whole = msgspec.json.decode(path.read_bytes())
    assert (whole["game"], whole["rules"]) == ("calimala", 1)
    setup = Setup(
        msgspec.convert(whole["options"], GAME.options), msgspec.convert(whole["data"], GAME.data_type), whole["seats"]
    )
    commits = [
        (
            commit["seat"],
            None if commit["command"] is None else msgspec.convert(commit["command"], CalimalaCommand),
            tuple(msgspec.convert(event, CalimalaEvent) for event in commit["events"]),
        )
        for commit in whole["commits"]
    ]
    return setup, bytes.fromhex(whole["key"]), commits, msgspec.convert(whole["outcome"], Outcome)


def test_three_matches_for_each_number_of_seats_one_of_them_greedy() -> None:
    assert [path.name for path in FILES] == [
        f"{seats}_seats_{player}.json" for seats in GAME.seats for player in ("greedy", "patient", "random")
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_recorded_match_is_decided_again_to_the_same_events(path: Path) -> None:
    setup, key, commits, outcome = recorded(path)
    state, drawn = GAME.blank(setup), 0
    for seat, command, events in commits:
        chance = SeededChance(key, drawn)
        again = GAME.opening(setup, chance) if seat is None else GAME.decide(state, seat, command, chance)
        assert tuple(again) == events
        drawn += bool(chance.draws)
        state = fold(GAME, state, events)
    assert GAME.outcome(state) == outcome
    assert state.turns + 1 >= setup.seats
    assert (state.turns + 1) % setup.seats == 0, "everybody has had as many turns"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.rule("R4")
def test_a_recorded_match_is_stored_in_canonical_bytes(path: Path) -> None:
    lines = path.read_bytes().splitlines()[1:-1]
    for line, (_, _, events) in zip(lines, recorded(path)[2], strict=True):
        assert b'"events":[' + b",".join(map(canonical, events)) + b"]" in line


def _all(index: int) -> list[Any]:
    return [commit[index] for path in FILES for commit in recorded(path)[2]]


def _events(kind: type) -> list[Any]:
    return [event for events in _all(2) for event in events if type(event) is kind]


def test_together_they_contain_every_event_and_every_command() -> None:
    assert {type(event) for events in _all(2) for event in events} == set(get_args(CalimalaEvent))
    assert {type(command) for command in _all(1)} - {type(None)} == set(get_args(CalimalaCommand))


def test_together_they_contain_every_card_and_every_scoring_tile() -> None:
    assert {event.action for event in _events(ActionCardPlayed)} == set(ACTIONS)
    assert {event.card for event in _events(ScoringCardResolved)} == set(SCORING_CARDS)
    assert {event.tile for event in _events(ScoringTileResolved)} == set(TILES)
    assert {event.tile for event in _events(ScoringTileResolved) if event.ranking} == set(TILES)


def test_together_they_contain_the_rare_things() -> None:
    assert {event.space for event in _events(WorkerPlaced)} == set(SPACES)
    assert {event.worker for event in _events(WorkerPlaced)} == set(WORKERS)
    assert {event.reason for event in _events(EndTriggered)} == set(EndReason)
    assert {event.why for event in _events(ActionDeckShuffled)} == {"setup", "reshuffle"}
    assert any(command.opening_plays for command in _all(1) if isinstance(command, PlaceWorker))
    assert {-1, None} < {event.owner for event in _events(CouncilSeatTaken)}
    steps = {standing.tie_step for event in _events(ScoringTileResolved) for standing in event.ranking}
    assert steps == {0, 1, 2, 3, 4, 5}


def test_every_type_of_event_is_read_in_the_shape_it_is_stored_in() -> None:
    found = [msgspec.json.decode(line, type=CalimalaEvent) for line in SHAPES]
    assert sorted(type(event).__name__ for event in found) == sorted(kind.__name__ for kind in get_args(CalimalaEvent))
    assert [canonical(event) for event in found] == SHAPES
    assert all(type(event).shape == 1 for event in found)
    assert not GAME.past
