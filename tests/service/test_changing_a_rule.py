"""The worked example of docs/changing-a-rule.md: Parley's rules change while matches are under way.

The build before the change is `tests.tiny`, the one after it `tests.tiny_changed`; both stand over one store.
"""

import random
import re
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

import tests.tiny
import tests.tiny_changed
from domain.core.match import Decision
from domain.core.past import Codecs
from domain.core.registry import Games
from domain.core.table import Opened, Status
from domain.core.words import GALLERY
from infra.notes import Verifier
from service.answers import Refused
from service.verifying.check import Trust, check
from service.verifying.findings import Kind, Level, Report
from service.verifying.full import OTHER_DATA
from service.verifying.stored import StoredCheck
from tests.laws import laws
from tests.service.desk import LOG_KEY, SIGNER, Desk, accepted, sqlite_desk
from tests.service.verifying.forge import rewritten
from tests.service.verifying.records import finished, record_of
from tests.support.play import play
from tests.tiny.words import Bid, Boast, Data, PickPrize
from tests.tiny_changed import GAME, V1

BEFORE = Games((tests.tiny,))
AFTER = Games((tests.tiny_changed,))
TRUST = Trust(SIGNER.public_keys, Verifier("podesta.test/log", LOG_KEY.public_key().public_bytes_raw()))
WORDS = ("gold", "silk", "wool")


@pytest.fixture
async def old(tmp_path: Path) -> AsyncIterator[Desk]:
    """The process that ran before the change."""
    async with sqlite_desk(tmp_path, BEFORE) as made:
        yield made


@pytest.fixture
def new(old: Desk) -> Desk:
    """The process that was started after it, over the same store."""
    return Desk(old.backend, old.bell, games=AFTER)


async def cards(desk: Desk, match: str) -> list[int]:
    """What the seats hold, as only the server knows it."""
    return [hand.card for hand in (await desk.live.fresh(match)).history.table.state.hands]


async def choose(desk: Desk, match: str, amounts: list[int], words: list[int]) -> None:
    """Every seat bids and boasts."""
    for seat, (amount, many) in enumerate(zip(amounts, words, strict=True)):
        accepted(await desk.send(f"a{seat}", match, Bid(amount)))
        accepted(await desk.send(f"a{seat}", match, Boast(WORDS[:many])))


async def pick(desk: Desk, match: str) -> int:
    """The winner of the round picks a prize; who that was."""
    state = (await desk.live.fresh(match)).history.table.state
    accepted(await desk.send(f"a{state.picker}", match, PickPrize(state.prizes[0])))
    return cast("int", state.picker)


def tie(held: list[int]) -> tuple[list[int], list[int]] | None:
    """Bids and boasts by which the best card and another of a lower seat come out equal, if they can."""
    best = max(range(3), key=held.__getitem__)
    for seat in range(best):
        if (gap := held[best] - held[seat]) <= 4:
            amounts, words = [0, 0, 0], [0, 0, 0]
            amounts[seat], words[seat] = min(gap, 2), max(gap - 2, 0)
            return amounts, words
    return None


async def half_played(desk: Desk) -> str:
    """A new match of which one round is played, and in whose second round a tie can be had."""
    for number in range(200):
        match = await desk.begin(command_id=f"open-{id(desk)}-{number}")
        await choose(desk, match, [0, 0, 0], [0, 0, 0])
        await pick(desk, match)
        if tie(await cards(desk, match)):
            return match
    raise AssertionError("no match has two cards close enough")


async def played_on(new: Desk, match: str) -> tuple[int, int]:
    """The second round is tied and the match ends: the seat that won, and the one with the best card."""
    held = await cards(new, match)
    chosen = tie(held)
    assert chosen is not None
    await choose(new, match, *chosen)
    winner = await pick(new, match)
    assert await new.play.status(match) is Status.OVER
    return winner, held.index(max(held))


async def record(desk: Desk, match: str) -> bytes:
    await desk.backend.sequencer.drain()
    await desk.log.step()
    return msgspec.json.encode(await desk.records.record(match, None, GALLERY))


def verified(data: bytes, games: Games = AFTER) -> Report:
    return check(data, Codecs(games), TRUST)


async def test_an_old_match_goes_on_by_the_old_rules_and_a_new_one_by_the_new(old: Desk, new: Desk) -> None:
    match = await half_played(old)
    assert (await new.play.look(match, None)).table.rules == 1
    answer = await new.send("a0", match, Bid(3))
    assert isinstance(answer, Refused)
    assert (answer.code, answer.title) == ("bad_bid", "Bids of 0 to 2 are secret until all have bid and boasted")
    winner, best = await played_on(new, match)
    assert winner < best, "under version 1 the lower seat wins a tie"

    fresh = await half_played(new)
    assert (await new.play.look(fresh, None)).table.rules == 2
    winner, best = await played_on(new, fresh)
    assert winner == best, "under version 2 the better card does"
    third = await new.begin(command_id="third")
    accepted(await new.send("a0", third, Bid(3)))


async def test_both_matches_verify_in_full_under_their_own_rules(old: Desk, new: Desk) -> None:
    match, fresh = await half_played(old), await half_played(new)
    for each in (match, fresh):
        await played_on(new, each)
    first, second = [verified(await record(new, each)) for each in (match, fresh)]
    for report, rules in ((first, 1), (second, 2)):
        assert report.finding is None, report.finding
        assert (report.level, report.rules, report.included) == (Level.FULL, rules, report.commits)
    assert first.notes == (
        (
            "Decided again by rules version 1 of parley, to which the match is pinned; new matches get version 2 in "
            "this build."
        ),
    )
    assert second.notes == ()


async def test_both_shapes_of_an_event_stand_in_one_match_as_they_were_stored(old: Desk, new: Desk) -> None:
    match = await half_played(old)
    await played_on(new, match)
    stored = [e for commit in await new.backend.store.commits(match) for e in commit.events if e.type == "RoundWon"]
    assert [event.shape for event in stored] == [1, 2]
    assert b"by_card" not in stored[0].body
    frame = await new.play.look(match, "a0")
    assert frame.version == (await new.live.fresh(match)).history.version


async def test_shadow_replay_before_the_deploy_finds_nothing_and_finds_a_forgotten_version(old: Desk) -> None:
    match = await half_played(old)
    await played_on(old, match)
    commits, secrets = await old.backend.store.commits(match), await old.backend.store.secrets(match)
    assert secrets is not None
    assert StoredCheck(Codecs(AFTER), match, secrets).differences(commits) == []
    forgotten = msgspec.structs.replace(GAME, rules=1)
    found = StoredCheck(Codecs(build(forgotten)), match, secrets).differences(commits)
    [tied] = [found for found in found if "RoundWon" in found.expected and '"by_card":true' in found.expected]
    assert tied.kind is Kind.EVENTS


def build(game: Any) -> Games:
    return Games((cast("ModuleType", SimpleNamespace(GAME=game)),))


async def test_a_build_without_the_version_says_so_and_calls_nobody_a_cheat(old: Desk, new: Desk) -> None:
    fresh = await half_played(new)
    await played_on(new, fresh)
    report = verified(await record(new, fresh), BEFORE)
    assert (report.level, report.wanted, report.exit_code) == (Level.SEALED, Level.FULL, int(Kind.PINNED))
    assert report.finding is not None
    assert report.finding.message == (
        "The match is pinned to rules version 2 of parley, which this build does not have: its commands were not "
        "decided again. Verify it with a build that has that version."
    )
    assert (report.finding.expected, report.finding.found) == (
        "parley with rules version 2",
        "parley with rules version 1",
    )
    nobody = verified(await record(new, fresh), Games(()))
    assert nobody.finding is not None
    assert (nobody.finding.kind, nobody.finding.found) == (Kind.PINNED, "no game parley")


async def test_a_build_that_does_not_know_a_shape_says_so(old: Desk, new: Desk) -> None:
    match = await half_played(old)
    await played_on(new, match)
    report = verified(await record(new, match), BEFORE)
    assert report.finding is not None
    assert (report.level, report.finding.kind) == (Level.SEALED, Kind.PINNED)
    assert "no lift leads from RoundWon in shape 2" in report.finding.message


async def test_an_older_build_leaves_alone_what_it_cannot_read(old: Desk, new: Desk) -> None:
    """A deploy that is taken back: matches under the new rules wait for the build that has them."""
    fresh = await new.begin(command_id="new")
    answer = await old.send("a0", fresh, Bid(1))
    assert isinstance(answer, Refused)
    assert (answer.code, answer.title) == (
        "rules_not_here",
        "A match goes on under the rules version that it was opened with",
    )
    assert "parley at rules version 2" in answer.message
    accepted(await new.send("a0", fresh, Bid(1)))


async def test_component_data_of_another_build_are_used_and_it_is_said(old: Desk, new: Desk) -> None:
    def reprinted(options: Any, seats: int) -> Data:
        return Data(cards=tuple(range(1, 12)), words=WORDS, prizes=(1, 2, 5))

    match = await half_played(old)
    await played_on(old, match)
    games = build(msgspec.structs.replace(tests.tiny.GAME, data=reprinted))
    report = verified(await record(old, match), games)
    assert report.finding is None, report.finding
    assert report.level is Level.FULL
    assert report.notes == (OTHER_DATA,)


def test_data_other_than_those_pinned_are_a_fault() -> None:
    """Even where the whole chain is made anew: the first event names the digest of its data."""
    honest = finished(tests.tiny.GAME, 3, 1)
    opened = honest.reads[0].events[0]
    assert isinstance(opened, Opened)
    altered = msgspec.structs.replace(opened, data={**opened.data, "prizes": [1, 2, 5]})
    forged = rewritten(honest, 1, decision=Decision((altered,)))
    report = check(msgspec.json.encode(record_of(forged, GALLERY)), Codecs(BEFORE), TRUST)
    assert report.finding is not None
    assert (report.level, report.finding.kind, report.finding.version) == (Level.SEALED, Kind.PINNED, 1)
    assert report.finding.expected == opened.digest
    assert report.finding.message == "The component data are not those whose digest is pinned."


@pytest.mark.parametrize("game", [V1, GAME], ids=lambda game: f"rules {game.rules}")
def test_the_laws_hold_for_every_version(game: Any) -> None:
    for seed in range(5):
        played = play(game, 3 + seed % 2, seed)
        laws.law_1_ends(played)
        laws.law_2_listed_is_accepted(played, random.Random(seed))
        laws.law_3_events_survive(played)
        laws.law_4_outcome(played)
        laws.law_5_viewers(played)


def test_a_superseded_module_is_the_old_one_and_nothing_else() -> None:
    """But for where it takes its words from: what is superseded is moved, never edited."""
    before = Path(tests.tiny.rules.__file__).read_text(encoding="utf-8").splitlines()[1:]
    kept = Path(tests.tiny_changed.rules_v1.__file__).read_text(encoding="utf-8").splitlines()[1:]
    imports = ("    RoundWon,", "from tests.tiny_changed.words import RoundWon")
    assert [line for line in before if line not in imports] == [line for line in kept if line not in imports]


PAGE = Path(__file__).parents[2] / "docs" / "changing-a-rule.md"


def test_the_code_of_the_page_is_the_code_that_is_tested() -> None:
    blocks = re.findall(r"```python\n# (\S+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 5
    for path, code in blocks:
        assert code in (PAGE.parents[1] / path).read_text(encoding="utf-8"), f"{path} has no longer:\n{code}"
