"""Three whole matches and every stored event shape, which must mean the same for ever. Written by record.py."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.core.canonical import canonical
from domain.core.chance import SeededChance
from domain.core.game import Outcome, Setup
from domain.core.past import Codec
from domain.core.secrecy import members
from domain.toscana import GAME
from tests.games.toscana.record import GOLDEN

MATCHES = sorted(GOLDEN.glob("*.json"), key=str)
CODEC = Codec(GAME)


def load(path: Path) -> tuple[dict[str, Any], Setup[Any, Any]]:
    record = json.loads(path.read_text("utf-8"))
    setup = Setup(
        msgspec.convert(record["options"], GAME.options),
        msgspec.convert(record["data"], GAME.data_type),
        record["seats"],
    )
    return record, setup


def events_of(commit: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(msgspec.convert(event, GAME.event) for event in commit["events"])


def test_there_are_three_matches() -> None:
    assert [path.stem for path in MATCHES] == ["announced", "double", "greedy"]


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_recorded_match_folds_to_its_outcome(path: Path) -> None:
    record, setup = load(path)
    state = GAME.blank(setup)
    for commit in record["commits"]:
        assert GAME.outcome(state) is None
        for event in events_of(commit):
            state = GAME.evolve(state, event)
    assert GAME.outcome(state) == msgspec.convert(record["outcome"], Outcome)


@pytest.mark.rule("R7", "R18")
@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_recorded_match_is_decided_again_to_the_same_events(path: Path) -> None:
    record, setup = load(path)
    assert record["rules"] == GAME.rules
    key, drawn = bytes.fromhex(record["key"]), 0
    state = GAME.blank(setup)
    for commit in record["commits"]:
        chance = SeededChance(key, drawn)
        if commit["command"] is None:
            events = GAME.opening(setup, chance)
        else:
            command = msgspec.convert(commit["command"], GAME.command)
            assert GAME.legal(state, commit["seat"]).allows(command)
            events = GAME.decide(state, commit["seat"], command, chance)
        assert events == events_of(commit)
        assert json.loads(msgspec.json.encode(events)) == commit["events"]
        drawn += bool(chance.draws)
        for event in events:
            state = GAME.evolve(state, event)


def test_the_matches_hold_every_command_and_every_event() -> None:
    seen = set()
    for path in MATCHES:
        for commit in json.loads(path.read_text("utf-8"))["commits"]:
            seen |= {event["type"] for event in commit["events"]}
            seen |= {commit["command"]["type"]} if commit["command"] else set()
    assert seen == {cls.__name__ for cls in (*members(GAME.command), *members(GAME.event))}


def test_every_stored_shape_is_read() -> None:
    lines = (GOLDEN / "shapes.jsonl").read_bytes().splitlines()
    types = [json.loads(line)["type"] for line in lines]
    assert types == [cls.__name__ for cls in members(GAME.event)]
    for kind, line in zip(types, lines, strict=True):
        event = CODEC.event(kind, 1, line)
        assert type(event).__name__ == kind
        assert canonical(event) == line
