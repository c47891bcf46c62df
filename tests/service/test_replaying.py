"""Replay: steps to go to, what changed between versions, and a finished match as a stream again."""

import pytest

from domain.core.errors import Illegal
from domain.core.table import CancelMatch
from domain.core.words import GALLERY
from service.changes import Change, changes
from service.frames import Frame
from service.rerun import rerun
from service.steps import Sought, find, steps
from service.watching import EndReason, StreamEnd
from tests.service.desk import Desk, accepted
from tests.tiny.words import Bid, Boast


async def always() -> bool:
    return True


async def played(desk: Desk) -> str:
    match = await desk.begin()
    for seat in range(3):
        accepted(await desk.send(f"a{seat}", match, Bid(seat)))
        accepted(await desk.send(f"a{seat}", match, Boast(("gold",))))
    return match


async def test_every_commit_end_is_a_step_and_the_next_fitting_one_is_found(desk: Desk) -> None:
    match = await played(desk)
    history = (await desk.live.fresh(match)).history
    all_steps = list(steps(history))
    assert [step.version for step in all_steps] == list(history.ends)
    assert all_steps[0].moment is None
    shown = find(history, Sought(type="HandShown"), 0)
    assert shown is not None
    assert "RoundWon" in shown.types
    assert shown.moment is not None
    assert shown.moment.phase == "picking"
    mine = find(history, Sought(seat=1), history.version, backwards=True)
    assert mine is not None
    assert mine.seat == 1
    assert find(history, Sought(round=2), 0) is None
    turn = find(history, Sought(turn_of=shown.moment.seat), 0)
    assert turn == shown
    first = find(history, Sought(), 0)
    assert first is not None
    assert first.version == history.ends[0]
    assert find(history, Sought(), 1, backwards=True) is None


async def test_the_difference_of_two_versions_is_a_list_of_changes(desk: Desk) -> None:
    match = await played(desk)
    history = (await desk.live.fresh(match)).history
    begun = history.table.floor
    before = await desk.play.look(match, "a1", None, begun)
    after = await desk.play.look(match, "a1", None, begun + 4)
    assert changes(before.view, after.view) == [
        Change("/done/0", "0", "2"),
        Change("/done/1", "0", "2"),
        Change("/amount", "null", "1"),
        Change("/words", "null", '["gold"]'),
    ]
    assert changes(None, after.view)[0].path == ""
    assert changes(after.view, after.view) == []
    assert changes({"a/b": 1, "c": [1]}, {"c": [1, 2], "d~": 2}) == [
        Change("/a~1b", "1", None),
        Change("/c", "[1]", "[1,2]"),
        Change("/d~0", None, "2"),
    ]


async def test_a_finished_match_is_watched_again_as_a_stream(desk: Desk) -> None:
    match = await played(desk)
    with pytest.raises(Illegal, match="not_over"):
        await anext(rerun(desk.live, match, GALLERY, 0, 100, always))
    for account in ("a0", "a1", "a2"):
        accepted(await desk.send(account, match, CancelMatch()))
    items = [item async for item in rerun(desk.live, match, GALLERY, 0, 10_000, always)]
    frames = [item for item in items if isinstance(item, Frame)]
    end = items[-1]
    history = (await desk.live.fresh(match)).history
    assert [frame.version for frame in frames] == list(history.ends)
    assert [e.version for f in frames for e in f.events] == list(range(1, history.version + 1))
    assert end == StreamEnd(EndReason.OVER, history.version)
    for speed in (0, -1, 1e9):
        with pytest.raises(Illegal, match="bad_speed"):
            await anext(rerun(desk.live, match, GALLERY, 0, speed, always))
    with pytest.raises(Illegal, match="no_such_version"):
        await anext(rerun(desk.live, match, GALLERY, 10**6, 1, always))
