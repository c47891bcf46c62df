"""An honest record passes: at level full after the end, sealed before it, for every viewer and every game."""

import msgspec
import pytest

from domain.core.game import AnyGame
from domain.core.words import ARBITER, GALLERY
from service.verifying.check import KEY_FROM_FILE, NO_CHECKPOINT, NO_LOG_KEY, Trust, check
from service.verifying.findings import Kind, Level
from tests.service.verifying.records import TRUST, finished, record_of
from tests.support.match import CODECS
from tests.support.play import EVERY_GAME
from tests.tiny import GAME


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.name)
def test_a_finished_match_is_proved_whole(game: AnyGame) -> None:
    match = finished(game, game.seats[0], 7)
    report = check(msgspec.json.encode(record_of(match, GALLERY)), CODECS, TRUST)
    assert report.finding is None, report.finding
    assert report.level is Level.FULL
    assert report.exit_code == 0
    assert report.commits == report.receipts == report.included == len(match.commits)
    assert report.closed == 0
    assert report.draws > 0
    assert report.notes == ()


@pytest.mark.parametrize("viewer", [0, 1, 2, GALLERY, ARBITER])
def test_a_running_match_is_proved_sealed_with_what_the_holder_may_know(viewer: int) -> None:
    match = finished(GAME, 3, 1, commits=8)
    record = record_of(match, viewer)
    report = check(msgspec.json.encode(record), CODECS, TRUST)
    assert report.finding is None, report.finding
    assert (report.level, report.wanted) == (Level.SEALED, Level.SEALED)
    assert (report.closed == 0) == (viewer == ARBITER)
    asked = check(msgspec.json.encode(record), CODECS, TRUST, Level.FULL)
    assert asked.finding is not None
    assert asked.finding.kind is Kind.INCOMPLETE


def test_what_was_not_checked_is_said() -> None:
    record = record_of(finished(GAME, 3, 1), 0)
    bare = msgspec.structs.replace(record, checkpoint="")
    assert check(msgspec.json.encode(record), CODECS, Trust()).notes == (KEY_FROM_FILE, NO_LOG_KEY)
    assert check(msgspec.json.encode(bare), CODECS, TRUST).notes == (NO_CHECKPOINT,)
