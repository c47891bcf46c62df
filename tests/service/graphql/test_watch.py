"""Watching over a socket: frames from any version on, an end with a reason, and nothing that a viewer may not see."""

import asyncio

from service.graphql.limits import Limits
from tests.service.desk import Desk
from tests.service.graphql.served import Person, Served, seated, started

WATCH = """subscription ($m: ID!, $after: Int, $as: ViewerInput) { watch(match: $m, after: $after, as: $as) {
    __typename
    ... on Frame { first version seat status awaited events { version type json }
        legal { count } view { parley { card } } }
    ... on StreamEnded { reason version }
    ... on Refused { code rule message hint } } }"""

BID = {"parley": {"bid": {"amount": 2}}}


async def test_the_first_frame_says_where_one_stands_and_each_commit_brings_another(served: Served) -> None:
    match, people = await seated(served)
    async with served.stranger().socket() as line:
        await line.subscribe(WATCH, m=match)
        first = await line.next()
        assert (first["first"], first["version"], first["events"], first["status"]) == (5, 4, [], "SEATING")
        await people[0].do("startMatch", match=match)
        second = await line.next()
        assert second["first"] == 5
        assert second["events"][0]["type"] == "Started"
        assert [e["version"] for e in second["events"]] == list(range(5, second["version"] + 1))


async def test_watching_after_a_version_brings_all_that_came_later(served: Served) -> None:
    match, people = await started(served)
    async with people[0].socket() as line:
        await line.subscribe(WATCH, m=match, after=2)
        frame = await line.next()
        assert (frame["first"], frame["seat"], frame["awaited"]) == (3, 0, [0, 1, 2])
        assert [e["version"] for e in frame["events"]] == list(range(3, frame["version"] + 1))


async def test_a_seat_sees_its_own_card_and_nobody_else_s(served: Served) -> None:
    match, people = await started(served)
    for person in [*people, served.stranger()]:
        async with person.socket() as line:
            await line.subscribe(WATCH, m=match, after=0)
            frame = await line.next()
            cards = [e["json"] for e in frame["events"] if e["type"] == "CardDealt"]
            seen = [i for i, text in enumerate(cards) if '"card":null' not in text]
            assert seen == ([] if frame["seat"] is None else [frame["seat"]])
            assert (frame["view"]["parley"]["card"] is None) == (frame["seat"] is None)
            assert frame["legal"]["count"] == (0 if frame["seat"] is None else 3)


async def test_viewers_of_one_audience_share_one_execution(served: Served) -> None:
    match, people = await started(served)
    fanout = served.app.fanout

    async def watch(person: Person, **variables: object) -> None:
        async with person.socket() as line:
            await line.subscribe(WATCH, m=match, **variables)
            await line.next()
            ready.append(1)
            await line.next()
            await line.next()

    ready: list[int] = []
    strangers = [served.stranger() for _ in range(10)]
    tasks = [asyncio.create_task(watch(person)) for person in [*strangers, *people, people[0]]]
    tasks.append(asyncio.create_task(watch(people[1], **{"as": {"gallery": "YES"}})))
    while len(ready) < len(tasks):
        await asyncio.sleep(0.01)
    assert fanout.executions == 5, "the gallery, three seats, and a seat that looks with other variables"
    await people[0].do("act", match=match, command=BID)
    await people[1].do("act", match=match, command=BID)
    await asyncio.gather(*tasks)
    assert fanout.executions == 15


async def test_watchers_who_start_at_different_versions_share_what_is_the_same(served: Served) -> None:
    match, people = await started(served)
    async with served.stranger().socket() as one, served.stranger().socket() as other:
        await one.subscribe(WATCH, m=match, after=0)
        await other.subscribe(WATCH, m=match, after=3)
        assert (await one.next())["first"] == 1
        assert (await other.next())["first"] == 4
        before = served.app.fanout.executions
        await people[0].do("act", match=match, command=BID)
        assert await one.next() == await other.next()
        assert served.app.fanout.executions == before + 1


async def test_what_is_shared_while_the_match_runs_is_not_what_is_open_after_its_end(served: Served) -> None:
    match, people = await started(served)
    stranger = served.stranger()
    async with stranger.socket() as line:
        await line.subscribe(WATCH, m=match, after=0)
        running = await line.next()
    for person in people:
        await person.do("cancel", match=match)
    async with stranger.socket() as line:
        await line.subscribe(WATCH, m=match, after=0)
        over = await line.next()
        assert (await line.next()) == {"__typename": "StreamEnded", "reason": "OVER", "version": over["version"]}
        assert (await line.receive()) == {"id": "1", "type": "complete"}
    dealt = [e["json"] for e in running["events"] if e["type"] == "CardDealt"]
    opened = [e["json"] for e in over["events"] if e["type"] == "CardDealt"]
    assert all('"card":null' in text for text in dealt)
    assert not any('"card":null' in text for text in opened)


async def test_a_revoked_token_ends_its_streams(served: Served) -> None:
    match, people = await started(served)
    async with people[0].socket() as line:
        await line.subscribe(WATCH, m=match)
        frame = await line.next()
        assert await people[0].ask("mutation { revokeToken { ... on TokenRevoked { revoked } } }")
        assert await line.next() == {"__typename": "StreamEnded", "reason": "REVOKED", "version": frame["version"]}


async def test_who_leaves_the_seat_does_not_go_on_seeing_what_the_next_one_there_sees(served: Served) -> None:
    match, people = await seated(served)
    async with people[2].socket() as line:
        await line.subscribe(WATCH, m=match)
        assert (await line.next())["seat"] == 2
        await people[2].do("leaveMatch", match=match)
        assert await line.next() == {"__typename": "StreamEnded", "reason": "RECONNECT", "version": 4}
        await (await served.person()).do("joinMatch", match=match)
        await people[0].do("startMatch", match=match)
        await line.subscribe(WATCH, id="again", m=match, after=4)
        assert (await line.receive())["type"] == "complete"
        assert (await line.next())["seat"] is None


async def test_a_stream_has_a_bounded_life_and_goes_on_by_version(desk: Desk) -> None:
    desk.watching.life_s = 0.3
    async with Served(desk, Limits()).running() as served:
        match, people = await started(served)
        async with served.stranger().socket() as line:
            await line.subscribe(WATCH, m=match)
            version = (await line.next())["version"]
            assert await line.next() == {"__typename": "StreamEnded", "reason": "RECONNECT", "version": version}
            await people[0].do("act", match=match, command=BID)
            assert (await line.receive())["type"] == "complete"
            await line.subscribe(WATCH, m=match, after=version)
            assert (await line.next())["first"] == version + 1


async def test_a_process_that_stops_ends_its_streams_with_a_reason(served: Served) -> None:
    match, _ = await started(served)
    async with served.stranger().socket() as line:
        await line.subscribe(WATCH, m=match)
        await line.next()
        await served.desk.watching.close()
        assert (await line.next())["reason"] == "SHUTDOWN"


async def test_what_cannot_be_watched_is_refused_as_data(served: Served) -> None:
    match, people = await started(served)
    async with people[0].socket() as line:
        for variables, code in (
            ({"m": "nowhere"}, "no_such_match"),
            ({"m": match, "after": 999}, "no_such_version"),
            ({"m": match, "as": {"seat": 1}}, "not_your_seat"),
            ({"m": match, "as": {"seat": 7}}, "no_such_viewer"),
        ):
            await line.subscribe(WATCH, **variables)
            assert (await line.next())["code"] == code
            assert (await line.receive())["type"] == "complete"


async def test_an_error_in_the_document_is_the_operation_s_and_the_socket_lives_on(served: Served) -> None:
    async with served.stranger().socket() as line:
        await line.subscribe("subscription { watch(match: 7) { nothing } }", id="bad")
        message = await line.receive()
        assert (message["id"], message["type"]) == ("bad", "error")
        await line.subscribe("{ me { id } }", id="query")
        assert await line.receive() == {"id": "query", "type": "next", "payload": {"data": {"me": None}}}
        assert await line.receive() == {"id": "query", "type": "complete"}


async def test_a_client_may_end_its_subscription_and_use_its_id_again(served: Served) -> None:
    match, people = await started(served)
    async with served.stranger().socket() as line:
        for _ in range(3):
            await line.subscribe(WATCH, m=match)
            assert (await line.next())["__typename"] == "Frame"
            await line.send(id="1", type="complete")
        await line.send(type="ping")
        assert (await line.receive())["type"] == "pong"
        await asyncio.sleep(0.05)
        assert served.desk.watching.watchers == 0
        assert len(people) == 3


async def test_nobody_watches_any_more_when_the_socket_is_gone(served: Served) -> None:
    match, _ = await started(served)
    async with served.stranger().socket() as line:
        await line.subscribe(WATCH, m=match)
        await line.next()
        assert served.desk.watching.watchers == 1
    await asyncio.sleep(0.1)
    assert served.desk.watching.watchers == 0


async def test_a_client_that_does_not_read_is_told_that_it_was_too_slow(desk: Desk) -> None:
    async with Served(desk, Limits(slow_s=0.2)).running() as served:
        match, people = await started(served)
        async with served.stranger().socket() as line:
            await line.subscribe(WATCH, m=match)
            item = await line.next()
            for socket in served.app.sockets._handlers.values():
                socket.slow = True  # as the look at full sockets would say
            await people[0].do("act", match=match, command=BID)
            while item["__typename"] == "Frame":
                last, item = item["version"], await line.next()
            assert item == {"__typename": "StreamEnded", "reason": "SLOW", "version": last}


async def test_a_socket_that_stays_full_is_dropped(desk: Desk) -> None:
    everything = WATCH.replace("json }", "json proof { publicJson openings { value salt } } }")
    async with Served(desk, Limits(slow_s=0.1, subscriptions=1000), buffer=4096).running() as served:
        match, _ = await started(served)
        async with served.stranger().socket(buffer=4096) as line:
            line.ws.transport.pause_reading()
            for number in range(100):
                await line.subscribe(everything, id=str(number), m=match, after=0)
            async with asyncio.timeout(10):
                while served.app.sockets._handlers:
                    await asyncio.sleep(0.05)
            line.ws.transport.abort()
        assert served.desk.watching.watchers == 0
