"""Logs are one line a thing, as text or JSON, with whole tracebacks and without secrets."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from service import logs


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def say() -> None:
    log = structlog.get_logger("podesta.test")
    log.info("matched", match="m1", token="pt_abcdefghijklmnopqrstuvwxyz")
    try:
        int("postgresql://me:hunter2@db/x")
    except ValueError:
        log.exception("failed")
    logging.getLogger("other").warning("plain %s", "words")
    log.debug("unheard")


def test_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("info", "json")
    say()
    err = capsys.readouterr().err
    matched, failed, plain = (json.loads(line) for line in err.splitlines())
    assert (matched["event"], matched["match"], matched["level"]) == ("matched", "m1", "info")
    assert failed["exception"].startswith("Traceback")
    assert (plain["event"], plain["logger"]) == ("plain words", "other")
    assert "hunter2" not in err
    assert "pt_abc" not in err


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("info", "text")
    say()
    err = capsys.readouterr().err
    assert "Traceback (most recent call last)" in err
    assert "unheard" not in err
    assert "hunter2" not in err
    assert "pt_abc" not in err
