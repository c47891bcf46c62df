"""Settings come from the environment, and a mistake in them is told in a line that says what would be right."""

from pathlib import Path

import pytest

from service.config import Settings, SettingsError, load


def problems(**environment: str) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        load({f"PODESTA_{name}": value for name, value in environment.items()})
    return str(caught.value).splitlines()


def test_without_any_setting_everything_is_embedded() -> None:
    settings = load({})
    assert settings.sqlite_file == Path(".data/podesta.sqlite3")
    assert (settings.postgres, settings.redis_url, settings.works) == (False, None, True)
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)


def test_the_environment_sets_and_the_command_line_has_the_last_word() -> None:
    environment = {"PODESTA_PORT": "9000", "PODESTA_DATA_DIR": "/somewhere", "PODESTA_LOG_LEVEL": "debug"}
    settings = load(environment, port=9001, host=None)
    assert (settings.port, settings.data_dir, settings.log_level) == (9001, Path("/somewhere"), "debug")


def test_an_empty_variable_is_as_none() -> None:
    assert load({"PODESTA_REDIS_URL": "", "PODESTA_PORT": ""}) == load({})


def test_variables_of_others_do_not_matter() -> None:
    assert load({"PATH": "/bin", "PORT": "x"}) == load({})


def test_on_postgresql_the_worker_works_unless_told_otherwise() -> None:
    url = {"PODESTA_DATABASE_URL": "postgresql://podesta@db/podesta"}
    assert load(url).postgres
    assert not load(url).works
    assert load({**url, "PODESTA_BACKGROUND": "on"}).works
    assert not load({"PODESTA_BACKGROUND": "off"}).works


def test_a_sqlite_file_can_be_named() -> None:
    assert load({"PODESTA_DATABASE_URL": "sqlite:////srv/p.db"}).sqlite_file == Path("/srv/p.db")


def test_the_first_vault_key_encrypts_and_older_ones_follow() -> None:
    settings = load({"PODESTA_VAULT_KEY": f"{'ab' * 32}, {'cd' * 32}"})
    assert settings.vault_keys == [b"\xab" * 32, b"\xcd" * 32]
    assert "abab" not in repr(settings)


def test_every_mistake_is_named_at_once() -> None:
    found = problems(PORT="x", POLL_S="0", DATABASE_URL="mysql://me@db/x", PROT="1")
    assert [line.split(" ")[0] for line in found] == [
        "PODESTA_PROT",
        "PODESTA_DATABASE_URL",
        "PODESTA_PORT",
        "PODESTA_POLL_S",
    ]


def test_a_mistake_says_what_would_be_right() -> None:
    assert problems(PROT="1") == ["PODESTA_PROT is no setting. Did you mean PODESTA_PORT?"]
    assert "docs/operators.md" in problems(ZEBRA="1")[0]
    assert "less than or equal to 65535" in problems(PORT="70000")[0]
    assert "postgresql://USER:PASSWORD@HOST:5432/NAME" in problems(DATABASE_URL="x")[0]
    assert "redis://HOST:6379/0" in problems(REDIS_URL="localhost")[0]
    assert "openssl rand -hex 32" in problems(VAULT_KEY="beef")[0]
    assert "'auto', 'text' or 'json'" in problems(LOG_FORMAT="xml")[0]


def test_a_mistake_tells_no_secret() -> None:
    [line] = problems(DATABASE_URL="mysql://me:hunter2@db/x")
    assert "hunter2" not in line
    [line] = problems(VAULT_KEY="c0ffee")
    assert "c0ffee" not in line


def test_what_kubernetes_adds_for_a_service_of_this_name_is_recognised() -> None:
    assert "enableServiceLinks: false" in problems(PORT_8000_TCP="tcp://10.0.0.1:8000")[0]


def test_every_setting_is_described() -> None:
    assert all(field.description for field in Settings.model_fields.values())
