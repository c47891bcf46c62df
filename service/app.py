"""The one place where adapters are chosen and joined: from settings to everything that a process needs."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from domain.core.past import Codecs
from domain.games import GAMES
from infra import backends, metrics
from infra.backends import Backend
from infra.bell.memory import MemoryBell
from infra.bell.redis import RedisBell
from infra.clock import SystemClock
from infra.notes import NoteError
from infra.ports import Bell
from infra.signing import Signer, signer_from_file
from infra.tables import SCHEMA
from infra.transparency import LogSigner, Transparency
from infra.vault import Vault, key_file
from infra.witness import make_witness
from service.auth import Auth
from service.background import Background
from service.cases import Cases
from service.config import Settings, SettingsError
from service.counting import CountedPlay, CountedStore
from service.graphql import context
from service.graphql.limits import Limits
from service.graphql.serving import graphql_routes
from service.live import Live
from service.log_routes import log_routes
from service.play import Play
from service.records import Records
from service.rest.routes import rest_routes
from service.site.page import Page
from service.site.problems import explained, masked
from service.site.routes import site_routes
from service.watching import Watching

log = structlog.get_logger(__name__)


class Services(msgspec.Struct, frozen=True):
    """Everything that a process has, joined."""

    settings: Settings
    clock: SystemClock
    backend: Backend
    bell: Bell
    signer: Signer
    log: Transparency
    records: Records
    auth: Auth
    live: Live
    play: Play
    watching: Watching


def make_vault(settings: Settings) -> Vault:
    """The vault under the keys that are set, else under the one in the data folder. Raises SettingsError."""
    try:
        return Vault(*(settings.vault_keys or [key_file(_folder(settings) / "vault.key")]))
    except (ValueError, OSError) as error:
        raise SettingsError(f"The vault's key cannot be used: {error}.") from None


def make_signer(settings: Settings) -> Signer:
    """The signer under the keys in the file that is set, else in the data folder. Raises SettingsError."""
    path = settings.signing_key_file or _folder(settings) / "signing.key"
    try:
        return signer_from_file(path)
    except (ValueError, OSError) as error:
        raise SettingsError(f"The signing keys cannot be used: {error}.") from None


def make_log(settings: Settings, backend: Backend, clock: SystemClock) -> Transparency:
    """The transparency log under the key in the file that is set, else in the data folder. Raises SettingsError."""
    path = settings.log_key_file or _folder(settings) / "log.key"
    try:
        keys = signer_from_file(path)
        witness = make_witness(settings.witness_url, settings.witness_key)
    except (ValueError, OSError, NoteError) as error:
        raise SettingsError(f"The log's keys cannot be used: {error}.") from None
    signer = LogSigner(settings.log_origin, bytes.fromhex(keys.public_keys[0].key), keys.sign)
    return Transparency(
        backend.database,
        signer,
        clock,
        partitions=settings.partitions,
        every_s=settings.checkpoint_s,
        witness=witness,
    )


def _folder(settings: Settings) -> Path:
    """The data folder, made if need be. Raises SettingsError."""
    return _writable(settings.data_dir, "PODESTA_DATA_DIR or --data")


def _writable(folder: Path, named_by: str) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = folder / ".writable"
        probe.touch()
        probe.unlink(missing_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SettingsError(
            f"The folder {folder} cannot be written to ({reason}): name another one by {named_by}."
        ) from None
    return folder


async def open_backend(settings: Settings, clock: SystemClock) -> Backend:
    """The store and all that stands on it. Raises SettingsError if it cannot be reached."""
    vault = make_vault(settings)
    if not settings.postgres:
        _writable(settings.sqlite_file.parent, "PODESTA_DATABASE_URL or --data")
    try:
        if settings.database_url and settings.postgres:
            return await backends.open_postgres(
                settings.database_url,
                vault,
                clock=clock,
                prepare=settings.database_prepare,
                pool_size=settings.database_connections,
                partitions=settings.partitions,
            )
        return await backends.open_sqlite(settings.sqlite_file, vault, clock=clock, partitions=settings.partitions)
    except Exception as error:  # noqa: BLE001 - whatever the driver raises, it is told in one line
        raise _unusable(settings, error) from None


async def _demand_schema(settings: Settings, backend: Backend) -> None:
    try:
        await backend.store.ping()
    except Exception as error:  # noqa: BLE001 - whatever the driver raises, it is told in one line
        raise _unusable(settings, error) from None


def _unusable(settings: Settings, error: Exception) -> SettingsError:
    log.debug("store_unusable", exc_info=error)
    return SettingsError(f"{_store_named(settings)} cannot be used: {first_line(error)}.")


def _store_named(settings: Settings) -> str:
    """The store as an error names it: without a password."""
    if settings.postgres and settings.database_url:
        return f"The database at {settings.database_url.rsplit('@', 1)[-1]} (PODESTA_DATABASE_URL)"
    return f"The database {settings.sqlite_file}"


def make_bell(settings: Settings) -> Bell:
    """The bell that the settings name."""
    return RedisBell(settings.redis_url) if settings.redis_url else MemoryBell()


@asynccontextmanager
async def connect(settings: Settings, *, migrated: bool = True) -> AsyncIterator[Services]:
    """Everything joined, and closed in the right order at the end. Raises SettingsError for what cannot be reached.

    migrated: whether the database must have the present schema; a serving process may wait for that, unready.
    """
    clock = SystemClock()
    async with AsyncExitStack() as stack:
        signer = make_signer(settings)
        backend = await open_backend(settings, clock)
        stack.push_async_callback(backend.close)
        if migrated:
            await _demand_schema(settings, backend)
        bell = make_bell(settings)
        stack.push_async_callback(bell.close)
        codecs = Codecs(GAMES)
        store = CountedStore(backend.store)
        live = Live(store, codecs, settings.live_matches)
        watching = Watching(live, bell, settings.poll_s, settings.stream_life_s)
        stack.push_async_callback(watching.close)
        metrics.WATCHERS.set_function(lambda: watching.watchers)
        play = CountedPlay(codecs, store, bell, signer, clock.now, live)
        transparency = make_log(settings, backend, clock)
        metrics.MATCHES_LIVE.set_function(lambda: live.size)
        yield Services(
            settings=settings,
            clock=clock,
            backend=backend,
            bell=bell,
            signer=signer,
            auth=Auth(backend.accounts, settings.token_memory_s),
            live=live,
            play=play,
            log=transparency,
            records=Records(play, signer, transparency),
            watching=watching,
        )


@asynccontextmanager
async def working(services: Services) -> AsyncIterator[None]:
    """The worker's work goes on meanwhile: positions in the log, then projections."""
    background = Background()
    backend = services.backend
    background.start("sequencer", backend.sequencer.run)
    background.start("transparency log", services.log.run)
    for projector in backend.projectors.values():
        background.start(f"projector {projector.name}", projector.run)
    try:
        yield
    finally:
        await background.stop()


def create_app(services: Services) -> Starlette:
    """The application over what was joined; whoever joined it closes it."""
    backend, settings = services.backend, services.settings
    api = context.Services(
        games=GAMES.current,
        play=services.play,
        watching=services.watching,
        auth=services.auth,
        accounts=backend.accounts,
        read_models=backend.read_models,
        records=services.records,
        cases=Cases(services.signer, services.clock.now),
        guests=settings.guests,
    )
    limits = Limits(
        body_bytes=settings.max_body_bytes,
        tokens=settings.max_tokens,
        depth=settings.max_depth,
        aliases=settings.max_aliases,
        selections=settings.max_selections,
        subscriptions=settings.max_subscriptions,
        sockets=settings.max_sockets,
    )
    page = Page(GAMES.current.values())
    log_keys = [str(services.log.signer.of(partition)) for partition in range(settings.partitions)]
    site = site_routes(page, backend.database, services.bell, services.signer, log_keys)
    return Starlette(
        routes=[
            *site,
            *log_routes(services.log, settings.partitions),
            *graphql_routes(api, limits),
            *rest_routes(api, limits),
        ],
        exception_handlers={HTTPException: explained, Exception: masked},
    )


async def migrate(settings: Settings) -> str:
    """Bring the database to the present schema, and say which that is. Raises SettingsError if it cannot be reached."""
    url = settings.database_url or f"sqlite:///{settings.sqlite_file}"
    if not settings.postgres:
        _writable(settings.sqlite_file.parent, "PODESTA_DATABASE_URL or --data")
    try:
        await backends.migrate(url, role=settings.service_role)
    except Exception as error:
        log.debug("not_migrated", exc_info=True)
        raise SettingsError(f"{_store_named(settings)} cannot be migrated: {first_line(error)}.") from None
    return SCHEMA


def first_line(error: BaseException) -> str:
    """What an error says, in one line without a full stop."""
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0].rstrip(".")
