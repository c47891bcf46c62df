"""The recorded matches: they fold to their outcomes, and every command decides to the same events again."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.core.canonical import canonical
from domain.core.chance import SeededChance
from domain.core.game import Setup
from domain.core.past import Codec
from domain.core.secrecy import members
from domain.majolica import GAME
from tests.games.majolica import record

FILES = sorted(record.FOLDER.glob("*.json"))
SHAPES = (record.FOLDER / "shapes.jsonl").read_bytes().splitlines()


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_bytes())


def plain(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


def test_there_are_three_for_each_number_of_players_one_of_them_greedy() -> None:
    assert [path.stem for path in FILES] == [
        f"{seats}-{kind}" for seats in (2, 3, 4) for kind in ("greedy", "options", "random")
    ]
    assert {(read(path)["game"], read(path)["rules"]) for path in FILES} == {("majolica", 1)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_recorded_match_is_decided_again_to_the_same_events(path: Path) -> None:
    stored = read(path)
    options = msgspec.convert(stored["options"], GAME.options)
    setup = Setup(options, msgspec.convert(stored["data"], GAME.data_type), stored["seats"])
    key = bytes.fromhex(stored["key"])
    state, drew = GAME.blank(setup), 0
    for commit in stored["commits"]:
        chance = SeededChance(key, drew)
        if commit["command"] is None:
            events = GAME.opening(setup, chance)
        else:
            command = msgspec.convert(commit["command"], GAME.command)
            assert GAME.to_act(state) == {commit["seat"]}
            events = GAME.decide(state, commit["seat"], command, chance)
        drew += bool(chance.draws)
        assert plain(events) == commit["events"]
        for stored_event in commit["events"]:
            state = GAME.evolve(state, msgspec.convert(stored_event, GAME.event))
    assert plain(GAME.outcome(state)) == stored["outcome"]


def test_together_they_hold_every_event_and_every_command_and_both_endings() -> None:
    commits = [commit for path in FILES for commit in read(path)["commits"]]
    events = {event["type"] for commit in commits for event in commit["events"]}
    commands = {commit["command"]["type"] for commit in commits if commit["command"]}
    assert events == {word.__name__ for word in members(GAME.event)}
    assert commands == {word.__name__ for word in members(GAME.command)}
    assert {read(path)["outcome"]["cause"] for path in FILES} == {"five_cards", "round_limit"}


def test_every_option_was_played_with_both_values() -> None:
    options = [read(path)["options"] for path in FILES]
    for name in record.OTHERS:
        assert len({chosen[name] for chosen in options}) == 2


def test_every_event_type_as_it_is_stored_can_be_read() -> None:
    codec = Codec(GAME)
    names = [word.__name__ for word in members(GAME.event)]
    assert [json.loads(line)["type"] for line in SHAPES] == sorted(names)
    for line in SHAPES:
        name = json.loads(line)["type"]
        event = codec.event(name, 1, line)
        assert type(event).__name__ == name
        assert canonical(event) == line


def test_a_record_can_be_made_again() -> None:
    path = record.FOLDER / "2-random.json"
    stored = read(path)
    again = record.played(2, {"round_limit": 4}, bytes.fromhex(stored["key"]), record.random_player(2))
    assert canonical(again) + b"\n" == path.read_bytes()
