"""Log lines: machine-readable, with match, version and command id, and without secrets."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from infra.logs import HIDDEN, bound, safe
from infra.ports import Secrets
from service import logs

TOKEN = "pt_" + "Zz9_-" * 8


@pytest.fixture
def lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Sets logging up as JSON, and gives the lines so far."""
    root = logging.getLogger()
    before, level, structure = root.handlers[:], root.level, structlog.get_config()
    written = io.StringIO()
    logs.set_up("info", "json")
    assert isinstance(root.handlers[0], logging.StreamHandler)
    root.handlers[0].setStream(written)
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    root.handlers[:] = before
    root.setLevel(level)
    structlog.configure(**structure)


def test_a_line_carries_match_version_and_command(lines: Callable[[], list[dict[str, Any]]]) -> None:
    with bound(match="m_1", version=7, command="c-9"):
        structlog.get_logger("here").info("accepted", took_ms=1.5)
    structlog.get_logger("here").info("idle")
    first, second = lines()
    assert (first["event"], first["match"], first["version"], first["command"]) == ("accepted", "m_1", 7, "c-9")
    assert first["took_ms"] == 1.5
    assert "match" not in second


def test_the_standard_librarys_lines_look_the_same(lines: Callable[[], list[dict[str, Any]]]) -> None:
    logging.getLogger("other").warning("cannot reach %s", "redis://user:hunter2@cache:6379/0")
    assert lines()[0]["event"] == f"cannot reach redis://{HIDDEN}@cache:6379/0"
    assert lines()[0]["level"] == "warning"


def test_a_traceback_shows_no_password_and_no_variables(lines: Callable[[], list[dict[str, Any]]]) -> None:
    seed = "the seed itself"

    def fail(secret: str) -> None:
        raise ValueError(f"postgresql://podesta:hunter2@db/podesta refused {TOKEN}, {len(secret)}")

    try:
        fail(seed)
    except ValueError:
        structlog.get_logger("here").exception("failed")
    text = json.dumps(lines())
    assert "ValueError" in text
    assert "test_logs.py" in text
    assert not any(secret in text for secret in ("hunter2", TOKEN, seed))


@pytest.mark.parametrize(
    "fields",
    [
        {"token": TOKEN},
        {"seed": "5eed"},
        {"vault_key": "5eed"},
        {"reason": f"Authorization: Bearer {TOKEN}"},
        {"error": ValueError("redis://:5eed@cache")},
        {"headers": {"authorization": "5eed", "accept": "*/*"}},
        {"rows": [("x", {"salts": "5eed"})]},
        {"secrets": Secrets(b"5eed", b"5eed")},
        {"given": Secrets(b"5eed", b"5eed")},
        {"body": b"5eed"},
    ],
)
def test_secrets_are_hidden_by_name_by_look_and_by_type(fields: dict[str, Any]) -> None:
    text = json.dumps(dict(safe(None, "info", {"event": "e", **fields})))
    assert "5eed" not in text
    assert TOKEN not in text


def test_plain_values_stay_as_they_are() -> None:
    fields = {"event": "e", "match": "m", "version": 3, "ok": True, "none": None, "places": (1, 2), "monkey": "x"}
    assert safe(None, "info", dict(fields)) == {**fields, "places": [1, 2]}


def test_a_long_text_is_cut() -> None:
    assert len(str(safe(None, "info", {"event": "x" * 100_000})["event"])) < 21_000
