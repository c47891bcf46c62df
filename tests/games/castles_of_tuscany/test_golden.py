"""Recorded whole matches: they fold to their outcomes, are decided again event by event, and show everything."""

import json
from functools import cache
from typing import Any, get_args

import msgspec
import pytest

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany.words import BONUSES, KINDS, WILD_HEX
from domain.core.canonical import canonical
from domain.core.chance import SeededChance
from domain.core.game import Setup
from tests.games.castles_of_tuscany.record import FOLDER, MATCHES, played, record, shapes, written
from tests.support.play import fold


@cache
def stored(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def events_of(commits: list[Any]) -> list[Any]:
    return [event for commit in commits for event in commit["events"]]


@cache
def all_events() -> tuple[Any, ...]:
    return tuple(event for name in MATCHES for event in events_of(stored(name)["commits"]))


def setup_in(content: Any) -> Setup[Any, Any]:
    return Setup(
        msgspec.convert(content["options"], GAME.options),
        msgspec.convert(content["data"], GAME.data_type),
        content["seats"],
    )


def test_there_are_three_for_each_seat_count_and_one_is_greedy() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == sorted(MATCHES)
    for seats in GAME.seats:
        names = [name for name in MATCHES if stored(name)["seats"] == seats]
        assert len(names) == 3
        assert f"{seats}-greedy" in names


@pytest.mark.rule("R1.2", "K4")
@pytest.mark.parametrize("name", list(MATCHES))
def test_the_events_fold_to_the_outcome(name: str) -> None:
    """From the stored facts alone, with the stored data: no draw is made and no file is read."""
    content = stored(name)
    events = msgspec.convert(events_of(content["commits"]), list[GAME.event])  # type: ignore[name-defined]
    state = fold(GAME, GAME.blank(setup_in(content)), events)
    assert json.loads(canonical(GAME.outcome(state))) == content["outcome"]
    assert not GAME.to_act(state)


@pytest.mark.parametrize("name", list(MATCHES))
def test_every_command_is_decided_again(name: str) -> None:
    content = stored(name)
    setup, key, draws = setup_in(content), bytes.fromhex(content["key"]), 0
    state = GAME.blank(setup)
    for commit in content["commits"]:
        chance = SeededChance(key, draws)
        if commit["command"] is None:
            events = GAME.opening(setup, chance)
        else:
            command = msgspec.convert(commit["command"], GAME.command)
            events = GAME.decide(state, commit["seat"], command, chance)
        draws += bool(chance.draws)
        assert json.loads(canonical(list(events))) == commit["events"]
        state = fold(GAME, state, events)


@pytest.mark.parametrize("name", ["2-greedy", "3-curious", "4-collector"])
def test_the_players_still_play_so(name: str) -> None:
    assert written(record(played(name))) == (FOLDER / f"{name}.json").read_text("utf-8")


def test_together_they_contain_every_event_and_every_command() -> None:
    commands = {c["command"]["type"] for name in MATCHES for c in stored(name)["commits"] if c["command"]}
    assert commands == {cls.__name__ for cls in get_args(GAME.command)}
    assert {event["type"] for event in all_events()} == {cls.__name__ for cls in get_args(GAME.event)}


@pytest.mark.rule("R9.9", "R2.10", "R10.1", "R13.3")
def test_together_they_contain_every_effect_bonus_tile_and_production_card() -> None:
    placed = [event for event in all_events() if event["type"] in ("TilePlaced", "DisplayTilePlaced")]
    assert {event["kind"] for event in placed} == set(KINDS)
    assert {event["kind"] for event in placed if event["tile"] == WILD_HEX} == set(KINDS)
    gained = [event for event in all_events() if event["type"] == "BonusTileGained"]
    for rules in ({"R9.2"}, {"R3.9"}):
        found = {event["bonus"] for event in gained if event["rule"] in {*rules, "R10.3"}}
        assert found == set(BONUSES)
    cards = {event["card"] for event in all_events() if event["type"] == "ProductionCardRevealed"}
    data = stored("2-greedy")["data"]
    assert cards == {card["id"] for card in data["production"]}
    tiles = {event["tile"] for event in placed}
    assert tiles == {tile["id"] for tile in data["tiles"]} | {WILD_HEX}


@pytest.mark.rule("R11.3", "R14.3", "K7", "R15.3")
def test_together_they_contain_both_colour_sides_and_both_causes() -> None:
    sides = {event["side"] for event in all_events() if event["type"] == "ColourBonusScored"}
    assert sides == {1, 2}
    assert {stored(name)["outcome"]["cause"] for name in MATCHES} == {"three_rounds", "lap_limit"}


def test_options_are_tried() -> None:
    for option, value in (("base_cards", 3), ("lenient_shifts", True), ("lap_limit", 25), ("card_split", "even")):
        assert any(stored(name)["options"][option] == value for name in MATCHES)


def test_shapes() -> None:
    """One stored event of every type, which today's types still read and write alike."""
    lines = (FOLDER / "shapes.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["type"] for line in lines] == sorted(cls.__name__ for cls in get_args(GAME.event))
    for line in lines:
        assert canonical(msgspec.json.decode(line, type=GAME.event)).decode() == line
    assert shapes(stored(name) for name in MATCHES) == "\n".join(lines) + "\n"
