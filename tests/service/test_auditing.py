"""`podesta audit`, `shadow-replay`, `record`, `verify`, `case`, `match steps` and `keys`, as their users meet them."""

import asyncio
import json
import random
import sqlite3
from pathlib import Path

import pytest

from domain.core.table import OpenMatch, StartMatch, TakeSeat
from service import app as wiring
from service.config import load
from service.play import Ask
from tests.service.shell import Shell

WORKERS = ("--workers", "1")


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    monkeypatch.setenv("PODESTA_DATA_DIR", str(tmp_path / "data"))
    return Shell(monkeypatch, capsys)


@pytest.fixture
def matches(shell: Shell, tmp_path: Path) -> list[str]:
    """Two finished matches of Toscana and one that runs."""
    del shell
    return asyncio.run(played(tmp_path / "data"))


async def played(data: Path) -> list[str]:
    rng = random.Random(4)
    made = []
    async with wiring.connect(load(data_dir=data)) as services:
        for number in range(3):
            answer = await services.play.open("a0", OpenMatch("toscana", 2), f"open{number}")
            match = answer.match  # type: ignore[union-attr]
            made.append(match)
            for turn, (account, command) in enumerate([("a0", TakeSeat()), ("a1", TakeSeat()), ("a0", StartMatch())]):
                await services.play.command(account, match, command, Ask(command_id=f"t{turn}"))
            live = await services.live.fresh(match)
            for turn in range(10**6 if number < 2 else 9):
                awaited = [seat for seat, opened in enumerate(live.history.table.opened) if opened]
                if not awaited:
                    break
                legal = live.history.game.legal(live.history.table.state, awaited[0])
                ask = Ask(command_id=f"c{turn}")
                await services.play.command(f"a{awaited[0]}", match, rng.choice(legal.commands), ask)
        await services.backend.sequencer.drain()
        await services.log.step()
    return made


def test_a_sound_store_has_no_fault_and_an_audit_is_resumed(shell: Shell, matches: list[str], tmp_path: Path) -> None:
    state = tmp_path / "audited.jsonl"
    said = shell("audit", "--all", *WORKERS, "--state", state)
    assert said.status == 0, said
    assert said.out.startswith("3 matches with ")
    assert "No fault was found." in said.out
    assert len(state.read_text().splitlines()) == len(matches)
    again = shell("audit", "--all", *WORKERS, "--state", state, "--json")
    assert json.loads(again.out) == {"matches": 0, "events": 0, "skipped": 3, "faults": []}
    assert shell("shadow-replay", *WORKERS).status == 0
    assert "--all" in shell.refuses("audit")


def test_an_edited_event_is_found_and_named(shell: Shell, matches: list[str], tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "data/podesta.sqlite3")
    for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f'DROP TRIGGER "{name}"')
    where = "match = ? AND type = 'TilePlaced' AND version > 20"
    version = database.execute(f"SELECT min(version) FROM events WHERE {where}", (matches[2],)).fetchone()
    version = (
        version[0]
        or database.execute(
            "SELECT min(version) FROM events WHERE match = ? AND type = 'TilePlaced'", (matches[2],)
        ).fetchone()[0]
    )
    body = database.execute(
        "SELECT body FROM events WHERE match = ? AND version = ?", (matches[2], version)
    ).fetchone()[0]
    plain = json.loads(body)
    plain["x"] += 1
    edited = json.dumps(plain, separators=(",", ":"), sort_keys=True).encode()
    database.execute("UPDATE events SET body = ? WHERE match = ? AND version = ?", (edited, matches[2], version))
    database.commit()
    database.close()
    said = shell("audit", "--all", *WORKERS)
    assert said.status == 11
    assert f"match {matches[2]}" in said.out.replace("\n", " ")
    assert f"at version {version}" in said.out
    found = json.loads(shell("audit", "--all", *WORKERS, "--json").out)["faults"]
    assert [fault["match"] for fault in found] == [matches[2]]


def test_a_record_is_written_and_verified_and_wrong_input_is_said(
    shell: Shell, matches: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "m.podesta"
    assert shell("record", matches[0], "-o", file).status == 0
    said = shell("verify", file)
    assert said.status == 0, said
    assert "Holds at level: full" in said.out
    assert "taken from the file itself" in said.out
    assert shell("verify", file, "--key", "ab" * 32).status == 13
    assert shell("record", matches[2], "--as", "1", "-o", file).status == 0
    report = json.loads(shell("verify", file, "--json").out)
    assert (report["level"], report["viewer"]) == ("sealed", "seat 1")
    assert shell("verify", file, "--level", "full").status == 17
    file.write_text("{}")
    assert shell("verify", file).status == 10
    assert "no Ed25519 public key" in shell.refuses("verify", file, "--key", "zz")
    assert "no verifier key" in shell.refuses("verify", file, "--log-key", "zz")
    assert shell.refuses("record", "none", "-o", file).startswith("There is no match 'none'.")
    assert shell.refuses("record", matches[0], "--as", "7", "-o", file).startswith("There is no seat 7.")
    assert "cannot be written" in shell.refuses("record", matches[0], "-o", tmp_path)


def test_a_case_file_is_written_as_document_and_page(shell: Shell, matches: list[str], tmp_path: Path) -> None:
    said = shell(
        "case",
        matches[0],
        "--version",
        20,
        "-o",
        tmp_path,
        "--command",
        '{"type":"DecideVeto","tile":"C01","decision":"waive"}',
    )
    assert said.status == 0, said
    case = json.loads((tmp_path / f"case-{matches[0]}-20.json").read_text())
    assert case["verdict"].startswith("Decided again")
    assert case["asked"]["legal"] in (True, False)
    assert (tmp_path / f"case-{matches[0]}-20.html").read_text().startswith("<!doctype html>")
    assert "no JSON" in shell.refuses("case", matches[0], "--version", 20, "--command", "{")
    assert "not part of a move" in shell.refuses("case", matches[0], "--version", 1, "-o", tmp_path)


def test_steps_and_changes_are_listed(shell: Shell, matches: list[str]) -> None:
    said = shell("match", "steps", matches[0], "--type", "GameScored")
    assert said.status == 0, said
    [line] = said.out.splitlines()
    assert "GameScored" in line
    all_of_them = shell("match", "steps", matches[0]).out.splitlines()
    assert len(all_of_them) > 20
    first, last = all_of_them[4].split()[0], all_of_them[-1].split()[0]
    said = shell("match", "changes", matches[0], "--from", first, "--to", last)
    assert said.status == 0, said
    assert "/" in said.out
    assert "no version 9999" in shell.refuses("match", "changes", matches[0], "--from", first, "--to", 9999)


def test_one_hidden_value_is_opened_alone(shell: Shell, matches: list[str]) -> None:
    said = shell("opening", matches[2], "c5", "")
    assert said.status == 0, said
    assert set(json.loads(said.out)) == {"place", "path", "value", "salt"}
    assert "hides nothing" in shell.refuses("opening", matches[2], "e1", "/game")
    assert "hides nothing" in shell.refuses("opening", matches[2], "x", "/y")


def test_signing_keys_are_rotated_and_old_receipts_stay_checkable(
    shell: Shell, matches: list[str], tmp_path: Path
) -> None:
    before = shell("keys", "list").out.split()
    assert shell("keys", "rotate").status == 0
    after = shell("keys", "list").out.split()
    assert after[0] != before[0]
    assert before[1] in after
    file = tmp_path / "m.podesta"
    shell("record", matches[0], "-o", file)
    assert shell("verify", file, "--key", before[1], "--key", after[1]).status == 0
