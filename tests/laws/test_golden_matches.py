"""Shadow replay over every golden match of every game and rules version: the present code decides each command as it
was decided then. So a rule cannot be changed by accident; one that is changed on purpose raises the rules version.
"""

from itertools import count
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

import tests.tiny_changed
from domain.core.game import AnyGame
from domain.core.registry import Games
from domain.games import packages
from service.verifying.findings import Finding, Kind
from tests.support.golden import GOLDEN, differences, golden_files, listed, read, stored
from tests.tiny_changed import GAME, V1
from tests.tiny_changed import rules as changed

FILES = golden_files()
GAMES = Games((*packages(), tests.tiny_changed))
REAL = [game for game in GAMES.current.values() if game.name != "parley"]


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def shadow_replay(path: Path, games: Games = GAMES) -> list[Finding]:
    """What these games would decide otherwise in a match that was stored before them."""
    content = read(path)
    return differences(games, content, name(path), stored(GAMES, content, name(path)))


def build_with(game: AnyGame, **functions: Any) -> Games:
    """A build whose game has other functions under the same rules version."""
    changed_game = msgspec.structs.replace(game, **functions)
    return Games((cast("ModuleType", SimpleNamespace(GAME=changed_game)),))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_the_present_code_decides_every_command_as_it_was_decided_then(path: Path) -> None:
    found = list(listed(read(path), name(path), shadow_replay(path)))
    assert not found, "\n".join(["The present code decides otherwise:", *found])


def test_every_rules_version_has_golden_matches_and_every_one_of_them_is_known() -> None:
    kept = [(content["game"], content["rules"]) for content in map(read, FILES)]
    assert set(kept) == set(GAMES)
    assert min(map(kept.count, GAMES)) >= 3
    assert {path.parent.name for path in FILES} == {game for game, _ in GAMES}


def test_a_changed_rule_whose_version_was_not_raised_is_found_wherever_it_decides_otherwise() -> None:
    """The better card settles ties, and the version is still 1: others would have won both rounds of this match."""
    path = GOLDEN / "parley" / "rules1-3-47.json"
    findings = shadow_replay(path, build_with(V1, decide=changed.decide, legal=changed.legal))
    commits = stored(GAMES, read(path), name(path))
    won = [event.version for commit in commits for event in commit.events if event.type == "RoundWon"]
    assert [(found.kind, found.version) for found in findings] == [(Kind.EVENTS, version) for version in won]
    lines = list(listed(read(path), name(path), findings))
    assert len(lines) == 2
    assert lines[0] == (
        f"parley/rules1-3-47 (parley, rules 1): events at version {won[0]}: The event is not what the command brings "
        'about. expected {"by_card":true,"seat":1,"type":"RoundWon"}, found {"seat":0,"type":"RoundWon"}'
    )


def test_commands_that_the_present_code_refuses_are_listed_with_the_rule() -> None:
    path = GOLDEN / "parley" / "rules2-3-9.json"
    findings = shadow_replay(path, build_with(GAME, decide=V1.decide, legal=V1.legal))
    refused = [found for found in findings if found.kind is Kind.ILLEGAL]
    bids = [commit["command"] for commit in read(path)["commits"]].count({"amount": 3, "type": "Bid"})
    assert len(refused) == bids > 0
    assert refused[0].message == "The rules refuse the command by R2: A bid of 3 is none."
    assert len(findings) > bids, "and the ties of the same match"


@pytest.mark.parametrize("game", REAL, ids=lambda game: game.name)
def test_changes_in_a_real_game_are_found_at_their_versions(game: AnyGame) -> None:
    """The third command brings about one event too many, the fifth draws in vain, the last loses an event."""
    path = min((path for path in FILES if path.parent.name == game.name), key=lambda path: path.stat().st_size)
    commits = stored(GAMES, read(path), name(path))
    played = commits[read(path)["seats"] + 2 :]
    calls = count(1)

    def decide(state: Any, seat: int, command: Any, chance: Any) -> Any:
        events = game.decide(state, seat, command, chance)
        match next(calls):
            case 3:
                return (*events, events[-1])
            case 5:
                chance.draw("planted", 6)
            case number if number == len(played):
                return events[:-1]
        return events

    found = shadow_replay(path, build_with(game, decide=decide))
    assert [each.version for each in found] == [played[2].first, played[4].first, played[-1].first]
    assert found[1].kind is Kind.DRAW
    assert {found[0].kind, found[2].kind} == {Kind.EVENTS}


def test_code_that_breaks_on_a_stored_command_is_a_difference_and_no_traceback() -> None:
    def decide(state: Any, seat: int, command: Any, chance: Any) -> Any:
        return {}["a field that old states lack"]

    path = GOLDEN / "parley" / "rules1-3-14.json"
    found = shadow_replay(path, build_with(V1, decide=decide))
    assert len(found) == len(read(path)["commits"]) - 1
    assert found[0].message == "The present code breaks on the command: KeyError('a field that old states lack')."


def test_code_that_cannot_fold_a_stored_event_ends_the_list_there() -> None:
    def evolve(state: Any, event: Any) -> Any:
        raise ValueError("no such card")

    path = GOLDEN / "parley" / "rules1-3-14.json"
    found = shadow_replay(path, build_with(V1, evolve=evolve))
    assert found[-1].message == "The present code breaks on the events: ValueError('no such card')."
