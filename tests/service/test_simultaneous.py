"""Simultaneous secret choices of the real games, sent at the same instant to two processes over one store."""

import asyncio
import json

import pytest

from domain.core.table import OpenMatch, StartMatch, TakeSeat
from domain.core.words import GALLERY
from tests.service.desk import Desk, accepted


async def begun(desk: Desk, game: str, seats: int) -> str:
    match = accepted(await desk.play.open("a0", OpenMatch(game, seats), "open")).match
    for seat in range(seats):
        accepted(await desk.send(f"a{seat}", match, TakeSeat()))
    accepted(await desk.send("a0", match, StartMatch()))
    return match


@pytest.mark.parametrize(("game", "seats", "choices"), [("castles_of_tuscany", 4, 3), ("calimala", 5, 1)])
async def test_every_choice_is_accepted_and_nobody_learns_anothers_early(
    desk: Desk, game: str, seats: int, choices: int
) -> None:
    match = await begun(desk, game, seats)
    desks = (desk, Desk(desk.backend, desk.bell))
    begun_at = (await desk.play.look(match, None)).version
    for number in range(choices):
        legal = [(await desk.play.look(match, f"a{seat}")).legal.commands for seat in range(seats)]
        commands = [options[(7 * seat + number) % len(options)] for seat, options in enumerate(legal)]
        answers = await asyncio.gather(
            *(desks[seat % 2].send(f"a{seat}", match, command) for seat, command in enumerate(commands))
        )
        versions = [accepted(answer).first for answer in answers]
        assert len(set(versions)) == seats, "each has versions of its own"
    live = await desk.live.fresh(match)
    hidden = 0
    for viewer in (*range(seats), GALLERY):
        for read in live.reads(begun_at, live.history.version):
            for stored, word in zip(read.commit.events, read.events, strict=True):
                if not stored.hidden:
                    continue
                frame = await desk.play.look(match, f"a{viewer}" if viewer >= 0 else None)
                seen = live.seen(read.commit.first - 1, read.commit.last, frame.viewer)[0]
                body = json.loads(next(e.body for e in seen.events if e.version == stored.version))
                own = getattr(word, "seat", None) == viewer
                assert all((body[path[1:]] is not None) == own for path in stored.hidden)
                hidden += not own
    assert hidden >= seats * choices
