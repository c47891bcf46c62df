"""What every event store promises: appends at the expected head, idempotent for ever, reads of what was stored."""

import asyncio

import msgspec
import pytest

from domain.core.sealing import genesis
from infra.events.errors import StoreClosedError
from infra.ports import Answered, Appended, Raced
from tests.support.commits import Line


async def test_a_match_is_read_as_it_was_stored(backend):
    line = Line()
    commits = [line.advance(line.opening())]
    assert await backend.store.append(commits[0], line.secrets) == Appended()
    for make in (lambda: line.sit(0, "a_0"), lambda: line.sit(1, "a_1"), line.start, line.move, line.end):
        commits.append(line.advance(make()))
        assert await backend.store.append(commits[-1]) == Appended()
    assert await backend.store.commits(line.match) == commits
    hidden = commits[3].events[1]
    assert hidden.hidden == ("/cards",)
    assert b"red" in hidden.body
    assert b"red" not in hidden.public


async def test_reading_begins_behind_a_version_and_ends_at_a_limit(backend):
    line = Line()
    commits = [line.advance(line.opening())]
    await backend.store.append(commits[0], line.secrets)
    for _ in range(4):
        commits.append(line.advance(line.move()))
        await backend.store.append(commits[-1])
    assert await backend.store.commits(line.match, 4) == commits[2:]
    assert await backend.store.commits(line.match, 5) == commits[2:], "a commit that the version is inside of"
    assert await backend.store.commits(line.match, 1, 2) == commits[1:3]
    assert await backend.store.commits(line.match, line.version) == []
    assert await backend.store.commits(line.match, 0, 0) == []
    assert await backend.store.commits("none") == []


async def test_a_commit_at_another_version_or_head_is_raced(backend):
    line = Line()
    await backend.store.append(line.advance(line.opening()), line.secrets)
    first, second = line.move(), line.move()
    ahead = Line(line.match)
    ahead.number, ahead.version, ahead.head = 5, 17, b"h" * 32
    assert await backend.store.append(ahead.move()) == Raced()
    assert await backend.store.append(first) == Appended()
    assert await backend.store.append(second) == Raced()
    line.advance(first)
    forged = msgspec.structs.replace(line.move(), previous=b"x" * 32)
    assert await backend.store.append(forged) == Raced(), "the version fits, the chain does not"
    unknown = Line()
    unknown.advance(unknown.opening())
    assert await backend.store.append(unknown.move()) == Raced(), "no such match"
    assert await backend.store.commits(line.match, 1) == [first]


async def test_a_command_id_is_answered_by_the_same_commit_for_ever(backend):
    line = Line()
    await backend.store.append(line.advance(line.opening()), line.secrets)
    commit = line.advance(line.move("again"))
    await backend.store.append(commit)
    assert await backend.store.append(commit) == Answered(commit)
    line.time += 5
    assert await backend.store.append(line.move("again")) == Answered(commit), "asked at the new head"
    await backend.store.append(line.advance(line.move()))
    assert await backend.store.append(line.move("again", events=1)) == Answered(commit), "with another command"
    assert await backend.store.answered(line.match, "a_0", "again") == commit
    assert await backend.store.answered(line.match, "a_0", "other") is None


async def test_command_ids_are_each_accounts_and_each_matchs_own(backend):
    one, other = Line(), Line()
    for line in (one, other):
        await backend.store.append(line.advance(line.opening()), line.secrets)
        assert await backend.store.append(line.advance(line.move("same"))) == Appended()
        assert await backend.store.append(line.advance(line.move("same", "a_1"))) == Appended()
    assert (await backend.store.answered(one.match, "a_1", "same")).account == "a_1"


async def test_an_opening_is_answered_by_the_match_it_opened(backend):
    line, again = Line(), Line()
    opening = line.opening("mine")
    assert await backend.store.append(opening, line.secrets) == Appended()
    assert await backend.store.append(again.opening("mine"), again.secrets) == Answered(opening)
    assert await backend.store.commits(again.match) == []
    assert await backend.store.secrets(again.match) is None
    assert await backend.store.opened("a_0", "mine") == opening
    assert await backend.store.opened("a_1", "mine") is None
    other = Line(account="a_1")
    assert await backend.store.append(other.opening("mine"), other.secrets) == Appended(), "another account's id"
    line.advance(opening)
    assert await backend.store.append(line.move("mine")) == Answered(opening), "within the match it is used, too"
    later = Line(account="a_2")
    await backend.store.append(later.advance(later.opening()), later.secrets)
    await backend.store.append(later.advance(later.move("within")))
    fresh = Line(account="a_2")
    assert await backend.store.append(fresh.opening("within"), fresh.secrets) == Appended(), "used, not to open"


async def test_a_match_is_opened_once(backend):
    line = Line()
    await backend.store.append(line.opening(), line.secrets)
    assert await backend.store.append(Line(line.match, account="a_1").opening()) == Raced()
    assert await backend.store.secrets(line.match) == line.secrets


async def test_secrets_are_kept_encrypted(backend, place):
    line = Line()
    opening = line.opening()
    assert opening.previous == genesis(line.match)
    await backend.store.append(opening, line.secrets)
    assert await backend.store.secrets(line.match) == line.secrets
    assert await backend.store.secrets("none") is None


async def test_a_closed_store_takes_nothing(place):
    backend = await place.open()
    await backend.store.ping()
    await backend.close()
    with pytest.raises(StoreClosedError):
        await backend.store.append(Line().opening())


async def test_what_waits_when_the_store_closes_is_stored(place):
    backend, reader = await place.open(), await place.open()
    lines = [Line() for _ in range(50)]
    waiting = [asyncio.create_task(backend.store.append(line.opening(), line.secrets)) for line in lines]
    await asyncio.sleep(0)
    await backend.close()
    assert await asyncio.gather(*waiting) == [Appended()] * 50
    for line in lines:
        assert len(await reader.store.commits(line.match)) == 1
