"""The command line: what it does, and how it says that it cannot."""

import asyncio
import socket
import sqlite3
from pathlib import Path

import pytest

from domain.core.table import OpenMatch, StartMatch, TakeSeat
from infra.tables import SCHEMA
from service.app import connect
from service.config import load
from service.play import Ask
from tests.service.desk import accepted
from tests.service.shell import Shell


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return Shell(monkeypatch, capsys)


def begun(data: Path) -> str:
    """A match of Toscana that has started."""

    async def begin() -> str:
        async with connect(load({}, data_dir=data)) as services:
            play = services.play
            match = accepted(await play.open("a0", OpenMatch("toscana", 2), "open")).match
            for number, (account, command) in enumerate([("a0", TakeSeat()), ("a1", TakeSeat()), ("a0", StartMatch())]):
                accepted(await play.command(account, match, command, Ask(command_id=f"c{number}")))
            await services.backend.sequencer.drain()
            return match

    return asyncio.run(begin())


def test_help_names_every_command(shell: Shell) -> None:
    said = shell("--help")
    assert said.status == 0
    for word in ("serve", "worker", "migrate", "token", "projections", "match", "demo"):
        assert word in said.out


def test_without_settings_the_data_is_in_the_folder_beneath(shell: Shell, tmp_path: Path) -> None:
    assert shell("migrate").out == f"The database is at schema {SCHEMA}.\n"
    assert (tmp_path / ".data/podesta.sqlite3").exists()


def test_migrate_may_be_repeated(shell: Shell) -> None:
    assert shell("migrate") == shell("migrate")


def test_a_token_is_made_with_an_account_and_revoked_once(shell: Shell) -> None:
    made = shell("token", "create", "--name", "Ann", "--role", "arbiter", "--days", 3)
    token = made.out.strip()
    assert (made.status, token[:3]) == (0, "pt_")
    account = made.err.removeprefix("account ").strip()
    again = shell("token", "create", "--account", account)
    assert again.out.strip() != token
    assert shell("token", "revoke", token).out == "Revoked.\n"
    assert "does not hold" in shell.refuses("token", "revoke", token)


def test_a_token_can_be_read_from_standard_input(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(shell("token", "create", "--name", "Ann").out)
    with (tmp_path / "token").open() as given:
        monkeypatch.setattr("sys.stdin", given)
        assert shell("token", "revoke", "-").out == "Revoked.\n"


def test_a_token_for_nobody_is_refused(shell: Shell) -> None:
    assert shell.refuses("token", "create", "--account", "a_x") == "There is no account a_x."
    assert "exists" in shell.refuses("token", "create", "--account", "a_x", "--name", "Ann")


def test_projections_are_listed_and_rebuilt(shell: Shell, tmp_path: Path) -> None:
    begun(tmp_path / "d")
    before = shell("projections", "list", "--data", tmp_path / "d")
    assert before.out.split()[-3:] == ["lobby", "0", "4"]
    rebuilt = shell("projections", "rebuild", "lobby", "--data", tmp_path / "d")
    assert rebuilt.status == 0
    assert rebuilt.out.startswith("lobby: 4 commits, ")
    assert shell("projections", "list", "--data", tmp_path / "d").out.split()[-3:] == ["lobby", "4", "4"]
    again = shell("projections", "rebuild", "lobby", "--data", tmp_path / "d")
    assert again.out.endswith("The old one said the same.\n")


def test_an_unknown_projection_is_refused(shell: Shell) -> None:
    assert shell.refuses("projections", "rebuild", "x") == "There is no projection 'x'. There are: lobby."


def test_a_match_is_drawn_at_any_version_as_any_viewer(shell: Shell, tmp_path: Path) -> None:
    data = tmp_path / "d"
    match = begun(data)
    now = shell("match", "show", match, "--data", data)
    assert now.out.startswith(f"Toscana · match {match} · version ")
    assert "as gallery" in now.out
    assert "asked: seat" in now.out
    assert len(now.out.splitlines()) > 10, "the board is drawn"
    seat = shell("match", "show", match, "--as", "1", "--data", data)
    assert "as seat 1" in seat.out
    first = shell("match", "show", match, "--version", 1, "--data", data)
    assert first.out.splitlines()[1] == "seating: 0 of 2 seats taken"


def test_what_cannot_be_shown_is_said(shell: Shell, tmp_path: Path) -> None:
    data = tmp_path / "d"
    match = begun(data)
    show = ("match", "show")
    assert shell.refuses(*show, "x", "--data", data).startswith("There is no match 'x'.")
    assert shell.refuses(*show, match, "--version", 99, "--data", data).startswith("There is no version 99. Versions")
    assert shell.refuses(*show, match, "--as", 2, "--data", data) == "The match has no seat 2. Seats are 0 to 1."
    assert shell.refuses(*show, match, "--as", "you").startswith("--as 'you': a viewer is")


def test_a_port_in_use_is_said(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = shell.refuses("serve", "--port", port)
    assert said == f"--port: 127.0.0.1:{port} is in use: choose another with --port, or 0 for a free one."


def test_an_address_that_is_none_is_said(shell: Shell) -> None:
    assert shell.refuses("serve", "--host", "300.1.1.1") == "--host: '300.1.1.1' is no address of this machine."
    assert "cannot be listened on" in shell.refuses("serve", "--host", "192.0.2.1", "--port", 0)
    assert "less than or equal to 65535" in shell.refuses("serve", "--port", 70000)


def test_a_folder_that_cannot_be_written_to_is_said(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = shell.refuses("serve", "--port", 0, "--data", tmp_path / "file" / "below")
    assert said.startswith(f"The folder {tmp_path}/file/below cannot be written to (not a directory)")


def test_a_file_that_is_no_database_is_said(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "podesta.sqlite3").write_text("no database " * 100)
    said = shell.refuses("token", "create", "--name", "Ann", "--data", tmp_path)
    assert said.startswith(f"The database {tmp_path}/podesta.sqlite3 cannot be used: ")
    assert "not a database" in said


def test_a_database_of_a_later_build_is_left_alone(shell: Shell, tmp_path: Path) -> None:
    shell("migrate", "--data", tmp_path)
    with sqlite3.connect(tmp_path / "podesta.sqlite3") as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.close()
    assert "9999" in shell.refuses("token", "create", "--name", "Ann", "--data", tmp_path)


def test_a_key_that_others_may_read_is_refused(shell: Shell, tmp_path: Path) -> None:
    shell("migrate", "--data", tmp_path)
    shell("projections", "list", "--data", tmp_path)
    (tmp_path / "vault.key").chmod(0o644)
    assert "chmod 600" in shell.refuses("projections", "list", "--data", tmp_path)


def test_a_database_out_of_reach_is_said_without_its_password(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODESTA_DATABASE_URL", "postgresql://podesta:hunter2@127.0.0.1:1/podesta")
    for command in (("worker",), ("migrate",), ("projections", "list")):
        said = shell.refuses(*command)
        assert said.startswith("The database at 127.0.0.1:1/podesta (PODESTA_DATABASE_URL) cannot be ")
        assert "hunter2" not in said


def test_a_wrong_setting_is_said_before_anything_is_done(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODESTA_POLL_S", "soon")
    assert shell.refuses("migrate").startswith("PODESTA_POLL_S ('soon'): ")


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x", "http://", "http://x:99999"])
def test_the_demo_wants_the_url_of_a_server(shell: Shell, url: str) -> None:
    assert shell.refuses("demo", "--url", url).startswith(f"--url '{url}': a server is named like http://")


def test_the_demo_wants_options_as_an_object(shell: Shell) -> None:
    assert shell.refuses("demo", "--options", "[1]").startswith("--options '[1]': options are a JSON object")


def test_the_demo_says_that_nobody_is_there(shell: Shell) -> None:
    assert shell.refuses("demo", "--url", "http://127.0.0.1:1").startswith("http://127.0.0.1:1 does not answer: ")
