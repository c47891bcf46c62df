"""Settings: `PODESTA_…` in the environment, checked at start, so that a mistake is one clear line, no surprise."""

import difflib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX: Final = "PODESTA_"

_KEY: Final = re.compile("[0-9a-fA-F]{64}")

Seconds = Annotated[float, Field(gt=0, le=86_400)]


class SettingsError(Exception):
    """The settings cannot be used; each line of the message says what is wrong and what would be right."""


class Settings(BaseSettings):
    """Everything that can be set. Without any: SQLite in ./.data, a bell within the process, port 8000."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid")

    data_dir: Path = Field(Path(".data"), description="Folder for the SQLite file and for keys that are not named.")
    database_url: str | None = Field(
        None,
        description="The event store, as the service's role: postgresql://USER:PASSWORD@HOST:5432/NAME, or "
        "sqlite:///FILE. Unset: podesta.sqlite3 in the data folder.",
    )
    database_prepare: bool = Field(
        True, description="false behind a PgBouncer that pools by transaction and is older than 1.21."
    )
    database_connections: int = Field(8, ge=2, le=256, description="PostgreSQL connections of a process, at most.")
    service_role: str = Field(
        "podesta_service", description="The PostgreSQL role that `podesta migrate` grants the service's rights to."
    )
    redis_url: str | None = Field(
        None,
        description="Redis 7+ or Valkey, which carries news between processes: redis://HOST:6379/0. "
        "Unset: news stays within the one process.",
    )
    host: str = Field("127.0.0.1", description="The address to listen on; 0.0.0.0 for all.")
    port: int = Field(8000, ge=0, le=65_535, description="The port to listen on; 0 takes a free one and says which.")
    trusted_proxies: str = Field(
        "127.0.0.1",
        description="Addresses or networks of proxies, separated by commas, whose X-Forwarded-Proto and "
        "X-Forwarded-For are believed; * for whoever asks.",
    )
    max_connections: int = Field(
        10_000, ge=1, le=1_000_000, description="Most connections of a process at a time; further ones get 503."
    )
    background: Literal["auto", "on", "off"] = Field(
        "auto",
        description="Whether `serve` also does the worker's work (positions in the log, projections): auto does so "
        "on SQLite and leaves it to `podesta worker` on PostgreSQL.",
    )
    vault_key: SecretStr | None = Field(
        None,
        description="The key that encrypts seeds and salts: 64 hex digits; after it, behind commas, older keys that "
        "are still needed to read. All processes share it. Unset: vault.key in the data folder, made if need be.",
    )
    signing_key_file: Path | None = Field(
        None,
        description="The keys that sign receipts; all processes share them. Unset: signing.key in the data folder, "
        "made if need be.",
    )
    log_origin: str = Field(
        "podesta.localhost/log",
        pattern=r"^[^\s+]{1,200}$",
        description="The transparency log's name, which stands in every checkpoint: this server's public address "
        "without the scheme, then /log. It never changes.",
    )
    log_key_file: Path | None = Field(
        None,
        description="The key that signs the log's checkpoints. Unset: log.key in the data folder, made if need be.",
    )
    checkpoint_s: Seconds = Field(2.0, description="The least time between two checkpoints of the log.")
    witness_url: str | None = Field(
        None, description="A C2SP witness that is to cosign each checkpoint. Unset: nobody is asked."
    )
    witness_key: str | None = Field(None, description="The witness's verifier key: NAME+ID+KEY.")
    poll_s: Seconds = Field(3.0, description="How long a watcher waits, hearing nothing, until it looks itself.")
    stream_life_s: Seconds = Field(1800.0, description="How long a watch stream lives before it asks to reconnect.")
    token_memory_s: Annotated[float, Field(ge=0, le=300)] = Field(
        2.0, description="How long a process remembers a token: a revoked one works at most so long."
    )
    drain_s: Seconds = Field(10.0, description="How long shutting down may take before what is left is cut off.")
    live_matches: int = Field(1000, ge=1, le=1_000_000, description="Matches held folded in memory by a process.")
    partitions: int = Field(1, ge=1, le=1024, description="Partitions of the log for new matches.")
    guests: bool = Field(True, description="Whether anybody may make a guest account with one call.")
    max_body_bytes: int = Field(65_536, ge=1024, le=16_777_216, description="Longest request body.")
    max_tokens: int = Field(2000, ge=100, le=100_000, description="Longest GraphQL document, in tokens.")
    max_depth: int = Field(20, ge=5, le=100, description="Deepest selection of a GraphQL operation.")
    max_aliases: int = Field(50, ge=0, le=10_000, description="Most aliases in a GraphQL operation.")
    max_selections: int = Field(2000, ge=100, le=100_000, description="Most fields of a GraphQL operation.")
    max_subscriptions: int = Field(20, ge=1, le=10_000, description="Most subscriptions at a time on one socket.")
    max_sockets: int = Field(50, ge=1, le=1_000_000, description="Most sockets at a time of one account, per process.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="What is logged, and above.")
    log_format: Literal["auto", "text", "json"] = Field(
        "auto", description="auto: text on a terminal, JSON lines elsewhere."
    )

    @field_validator("database_url")
    @classmethod
    def _database(cls, url: str | None) -> str | None:
        if url is None or url.startswith(("postgresql://", "postgres://")):
            return url
        if url.startswith("sqlite:///") and len(url) > len("sqlite:///"):
            return url
        raise ValueError("a database is named by postgresql://USER:PASSWORD@HOST:5432/NAME or sqlite:///FILE")

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, url: str | None) -> str | None:
        if url is None or url.startswith(("redis://", "rediss://", "unix://")):
            return url
        raise ValueError("a Redis is named by redis://HOST:6379/0, rediss://… or unix:///SOCKET")

    @field_validator("vault_key")
    @classmethod
    def _vault(cls, given: SecretStr | None) -> SecretStr | None:
        if given is not None:
            for key in given.get_secret_value().split(","):
                if not _KEY.fullmatch(key.strip()):
                    raise ValueError("a vault key is 64 hex digits, for example from `openssl rand -hex 32`")
        return given

    @property
    def vault_keys(self) -> list[bytes]:
        """The vault's keys, the one that encrypts first; empty if none is set."""
        return (
            [bytes.fromhex(key.strip()) for key in self.vault_key.get_secret_value().split(",")]
            if self.vault_key
            else []
        )

    @property
    def postgres(self) -> bool:
        """Whether the store is PostgreSQL."""
        return self.database_url is not None and self.database_url.startswith("postgres")

    @property
    def sqlite_file(self) -> Path:
        """Where the store is, if it is SQLite."""
        if self.database_url is not None:
            return Path(self.database_url.removeprefix("sqlite:///"))
        return self.data_dir / "podesta.sqlite3"

    @property
    def works(self) -> bool:
        """Whether a serving process does the worker's work too."""
        return self.background == "on" or (self.background == "auto" and not self.postgres)


def load(environment: Mapping[str, str] = os.environ, **given: Any) -> Settings:
    """The settings from the environment, and what the command line gives over it (None: nothing given).

    Raises SettingsError that names every wrong setting, unknown `PODESTA_…` names included.
    """
    problems = list(_unknown(environment))
    found = {
        name: environment[variable(name)] for name in Settings.model_fields if environment.get(variable(name), "") != ""
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    try:
        settings = Settings.model_validate({**found, **chosen})
    except ValidationError as error:
        problems += [_problem(each, chosen) for each in error.errors(include_url=False)]
        raise SettingsError("\n".join(problems)) from None
    if problems:
        raise SettingsError("\n".join(problems))
    return settings


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"{PREFIX}{name.upper()}"


def _unknown(environment: Mapping[str, str]) -> Iterable[str]:
    known = [name.upper() for name in Settings.model_fields]
    for name in sorted(environment):
        if name.startswith(PREFIX) and (own := name.removeprefix(PREFIX)) not in known:
            if environment[name].startswith("tcp://"):
                hint = "Kubernetes put it there for a service named podesta: set enableServiceLinks: false."
            elif close := difflib.get_close_matches(own, known, 1):
                hint = f"Did you mean {PREFIX}{close[0]}?"
            else:
                hint = "docs/operators.md lists all settings."
            yield f"{name} is no setting. {hint}"


def _problem(error: Any, given: Mapping[str, Any]) -> str:
    """One line: which setting, what was found, what would be right."""
    name = str(error["loc"][0]) if error["loc"] else ""
    named = f"--{name.removesuffix('_dir').replace('_', '-')}" if name in given else variable(name)
    message = str(error["msg"]).removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    found = "" if name == "vault_key" else f" ({_shown(error.get('input'))})"
    meaning = Settings.model_fields[name].description if name in Settings.model_fields else ""
    return f"{named}{found}: {message}. {meaning}".strip()


def _shown(value: object) -> str:
    """The value as given, without a password in it."""
    text = str(value)
    if "@" in text and "://" in text:
        text = f"{text.split('://', 1)[0]}://…@{text.rsplit('@', 1)[1]}"
    return repr(text[:80])
