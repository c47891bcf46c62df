"""Members of a group: nothing missed, nothing doubled, and an end for one that lets too much wait."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from service.graphql.eager import Rest, start
from service.graphql.groups import WAITING, Member, Text, TooMany
from service.graphql.limits import Limits
from tests.service.desk import Desk
from tests.service.graphql.served import Served, started

WATCH = "subscription ($m: ID!, $a: Int) { watch(match: $m, after: $a) { ... on Frame { first version } } }"


def text(version: int) -> Text:
    return Text(version, version, "*", str(version))


async def test_what_waits_for_a_member_is_bounded() -> None:
    member = Member(until=0)
    for version in range(WAITING + 1):
        member.offer(text(version))
    assert isinstance(await member.take(), TooMany)
    member.offer(text(99))
    assert await member.take() == text(99)


async def test_an_idle_member_is_sent_to_at_once_and_a_busy_one_in_order() -> None:
    member = Member(until=0)
    sent: list[int] = []
    gate = asyncio.Event()

    async def slowly(item: Text) -> None:
        await gate.wait()
        sent.append(item.version)

    member.direct = lambda item: start(slowly(item))
    taking = asyncio.create_task(member.take())
    await asyncio.sleep(0)
    member.offer(text(1))
    member.offer(text(2))
    rest = await taking
    assert isinstance(rest, Rest)
    assert sent == []
    gate.set()
    await rest
    assert sent == [1]
    assert await member.take() == text(2)


async def test_what_a_direct_send_raises_is_raised_by_the_member_s_own_task() -> None:
    member = Member(until=0)

    def fail(_item: Text) -> Rest | None:
        raise ConnectionError("gone")

    member.direct = fail
    taking = asyncio.create_task(member.take())
    await asyncio.sleep(0)
    member.offer(text(1))
    assert isinstance(await taking, ConnectionError)


async def test_a_member_that_leaves_lets_go_of_what_was_begun_for_it() -> None:
    member = Member(until=0)
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("closed")

    rest = start(waits())
    assert rest is not None
    member.hand(rest)
    member.leave()
    assert ended == ["closed"]


async def returns() -> int:
    return 1


async def waits_twice(order: list[str]) -> str:
    await asyncio.sleep(0.001)
    order.append("once")
    await asyncio.sleep(0.001)
    order.append("twice")
    return "done"


async def test_a_coroutine_that_never_waits_is_done_without_a_task() -> None:
    assert start(returns()) is None


async def test_a_rest_goes_on_where_the_start_had_to_wait() -> None:
    order: list[str] = []
    rest = start(waits_twice(order))
    assert rest is not None
    order.append("started")
    assert await rest == "done"
    assert order == ["started", "once", "twice"]


async def test_a_rest_raises_and_is_cancelled_like_the_coroutine_itself() -> None:
    async def fails() -> None:
        await asyncio.sleep(0.001)
        raise ValueError("no")

    rest = start(fails())
    assert rest is not None
    with pytest.raises(ValueError, match="no"):
        await rest
    seen: list[str] = []

    async def cancelled() -> None:
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    other = start(cancelled())
    assert other is not None

    async def wait_for(it: Any) -> None:
        await it

    task = asyncio.create_task(wait_for(other))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["cancelled"]


async def test_watchers_who_come_and_go_while_the_match_runs_miss_and_double_nothing(served: Served) -> None:
    match, people = await started(served)
    done = asyncio.Event()

    async def follow(pause: float) -> list[int]:
        seen: list[int] = []
        while not done.is_set():
            async with served.stranger().socket() as line:
                await line.subscribe(WATCH, m=match, a=len(seen))
                for _ in range(2):
                    frame = await _in_time(line.next, done)
                    if not frame:  # nothing more in time, or the end of the match
                        break
                    assert frame["first"] == len(seen) + 1
                    seen += range(frame["first"], frame["version"] + 1)
                    await asyncio.sleep(pause)
        return seen

    followers = [asyncio.create_task(follow(pause)) for pause in (0, 0, 0.005, 0.01, 0.02, 0.03)]
    last = 0
    for _ in range(6):
        for person in people:
            query = "query ($m: ID!) { match(id: $m) { ... on Match { legal { json } } } }"
            moves = (await person.ask(query, m=match))["match"]["legal"]["json"]
            if moves:
                last = (await person.do("act", match=match, command={"json": moves[-1]}))["version"]
    done.set()
    for seen in await asyncio.gather(*followers):
        assert seen == list(range(1, len(seen) + 1))
        assert last - 3 <= len(seen) <= last
    await asyncio.sleep(0.1)
    assert served.desk.watching.watchers == 0
    assert served.app.fanout._groups == {}


async def _in_time(receive: Callable[[], Any], done: asyncio.Event) -> Any:
    """What comes, or None once it is over."""
    coming = asyncio.ensure_future(receive())
    ending = asyncio.ensure_future(done.wait())
    await asyncio.wait({coming, ending}, return_when=asyncio.FIRST_COMPLETED)
    ending.cancel()
    if not coming.done():
        coming.cancel()
        return None
    return coming.result()


async def test_a_group_whose_stream_fails_sends_its_members_to_resume(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Served(desk, Limits()).running() as served:
        match, people = await started(served)
        async with served.stranger().socket() as line:
            query = WATCH.replace("... on Frame", "__typename ... on StreamEnded { reason } ... on Frame")
            await line.subscribe(query, m=match)
            await line.next()
            await asyncio.sleep(0.05)

            async def fail(*_: object) -> str:
                raise RuntimeError("encoding failed")

            for group in served.app.fanout._groups.values():
                monkeypatch.setattr(group, "_encode", fail)
            await people[0].do("act", match=match, command={"parley": {"bid": {"amount": 1}}})
            assert await line.next() == {"__typename": "StreamEnded", "reason": "RECONNECT"}
