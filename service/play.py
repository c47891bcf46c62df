"""The use cases: open a match, send a command, look. From who is asking to the answer, by way of the rules."""

import re
import secrets
from collections.abc import Callable
from typing import Any, Final

import msgspec

from domain.core.canonical import canonical
from domain.core.disputes import fork_of
from domain.core.errors import Illegal
from domain.core.game import AnyGame
from domain.core.match import Decision, decide, open_match
from domain.core.past import Codecs
from domain.core.sealing import Commit, Request, Salts, genesis, seal, signed_message
from domain.core.table import OpenMatch, Status, TableCommand
from domain.core.words import ARBITER, GALLERY, Command, Seat, Version, Viewer
from infra.ports import Answered, Appended, Bell, Ring, Secrets, Signer, Store
from infra.signing import Refusal, verify
from service.answers import Accepted, Answer, Refused, refused, stale
from service.frames import Frame
from service.live import Live, LiveMatch

TRIES: Final = 6
"""How often a command is decided anew after it lost a race for its version."""

COMMAND_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """What a client sends with a command: its id (any that is new to the account in this match), the version it
    looked at, and its seat's Ed25519 signature, the last two if it likes. arbiter: the account has that role.
    """

    command_id: str
    seen: Version | None = None
    signature: bytes | None = None
    arbiter: bool = False


class Play:
    """The use cases over one store, one bell and one signing key."""

    def __init__(
        self, codecs: Codecs, store: Store, bell: Bell, signer: Signer, clock: Callable[[], int], live: Live
    ) -> None:
        self.codecs = codecs
        self.live = live
        self.games = codecs.games
        self._store = store
        self._bell = bell
        self._signer = signer
        self._clock = clock

    async def open(self, account: str, command: OpenMatch, command_id: str) -> Answer:
        """Open a match. The same account and command id give the same match again."""
        game = self.games.current.get(command.game)
        try:
            check_command_id(command_id)
            check_options(command)
            if game is None:
                names = ", ".join(sorted(self.games.current))
                raise Illegal("no_such_game", "T1", f"There is no game {command.game!r}.", f"Games: {names}.")  # noqa: TRY301
            if (known := await self._store.opened(account, command_id)) is not None:
                return await self._again(known, command)
            made = Secrets(secrets.token_bytes(32), secrets.token_bytes(32))
            commit = await self._opening(account, game, command, command_id, made)
            result = await self._store.append(commit, made)
            if isinstance(result, Answered):
                return await self._again(result.commit, command)
        except Illegal as error:
            return refused(error, game)
        return await self._done(self.live.adopt(commit.match, made, commit), commit)

    async def _opening(self, account: str, game: AnyGame, command: OpenMatch, command_id: str, made: Secrets) -> Commit:
        match = secrets.token_hex(12)
        if command.fork is None:
            decision = open_match(game, account, command, made.seed)
        else:
            source = await self.live.fresh(command.fork.match)
            game = source.history.game
            fork = fork_of(source.history, command.fork.version, source.head_at(command.fork.version).hex())
            decision = open_match(game, account, command, made.seed, fork, source.history.table.setup)
        request = Request(account=account, seat=None, command_id=command_id, command=command, time=self._clock())
        salts = Salts(made.salts, match)
        return self._signed(seal(match, game.rules, (0, 0), genesis(match), request, decision.events, (), 0, salts))

    async def command(self, account: str, match: str, command: Command, ask: Ask) -> Answer:
        """Decide a command and store what it brings about; the answer is data in every case."""
        live: LiveMatch | None = None
        try:
            check_command_id(ask.command_id)
            live = await self.live.cached(match)
            async with live.turn:
                return await self._decided(live, account, command, ask)
        except Illegal as error:
            if live is None:
                return refused(error)
            return self._with_receipt(live, account, command, ask, refused(error, live.history.game))

    async def _decided(self, live: LiveMatch, account: str, command: Command, ask: Ask) -> Answer:
        for attempt in range(TRIES):
            if attempt:
                await live.refresh(self._store)
            if (known := live.answered(account, ask.command_id)) is not None:
                return await self._again(known, command)
            try:
                commit = self._commit(live, account, command, ask)
            except Illegal as error:
                before = live.history.version
                await live.refresh(self._store)
                if live.history.version != before:
                    continue  # what was known here was old: ask the rules again
                return self._with_receipt(live, account, command, ask, self._refusal(live, account, error, ask))
            result = await self._store.append(commit)
            if isinstance(result, Appended):
                live.add([commit])
                return await self._done(live, commit)
            if isinstance(result, Answered):
                await live.refresh(self._store)
                return await self._again(result.commit, command)
        raise Illegal(
            "too_busy", "S4", f"Other commands came first {TRIES} times in a row.", "Send the same command again."
        )

    def _commit(self, live: LiveMatch, account: str, command: Command, ask: Ask) -> Commit:
        table = live.history.table
        seat = table.seat_of(account)
        if ask.seen is not None and seat is not None and not isinstance(command, TableCommand):
            opened = table.opened[seat]
            if ask.seen < opened or ask.seen > table.version:
                raise _Stale(ask.seen, opened)
        request = Request(
            account=account,
            seat=seat,
            command_id=ask.command_id,
            command=command,
            time=self._clock(),
            seen=ask.seen,
            signature=self._checked_signature(live, seat, command, ask),
            arbiter=ask.arbiter,
        )
        decision: Decision = decide(live.history, account, command, live.seed, arbiter=ask.arbiter)
        return self._signed(
            seal(
                live.match,
                table.rules,
                (table.commit, table.version),
                live.head,
                request,
                decision.events,
                decision.draws,
                table.draws,
                live.salts,
            )
        )

    def _checked_signature(self, live: LiveMatch, seat: Seat | None, command: Command, ask: Ask) -> bytes | None:
        seating = live.history.table.seats[seat] if seat is not None else None
        if ask.signature is None:
            if seating is not None and seating.signed_only:
                raise Illegal("signature_required", "T17", "Your seat signs everything.", "Sign this command too.")
            return None
        if seat is None or seating is None or seating.key is None:
            raise Illegal("no_key", "S3", "You registered no key when you sat down.", "Send the command unsigned.")
        message = signed_message(live.match, seat, ask.command_id, ask.seen, canonical(command))
        if not verify(bytes.fromhex(seating.key), ask.signature, message):
            raise Illegal("bad_signature", "S3", "The signature does not fit the command and your registered key.")
        return ask.signature

    def _signed(self, commit: Commit) -> Commit:
        return msgspec.structs.replace(commit, receipt=self._signer.receipt(commit))

    def _with_receipt(self, live: LiveMatch, account: str, command: Command, ask: Ask, answer: Refused) -> Refused:
        """The refusal with the server's signature, if the account has a seat."""
        table = live.history.table
        if table.seat_of(account) is None:
            return answer
        unsigned = Refusal(
            code=answer.code,
            command="",
            command_id=ask.command_id,
            head=live.head.hex(),
            key="",
            match=live.match,
            rule=answer.rule,
            salt="",
            time=self._clock(),
            version=table.version,
        )
        signed = self._signer.refusal(unsigned, canonical(command)).decode()
        return msgspec.structs.replace(answer, receipt=signed)

    def _refusal(self, live: LiveMatch, account: str, error: Illegal, ask: Ask) -> Refused:
        if isinstance(error, _Stale):
            return stale(self.frame(live, self.viewer(live, account)), ask.seen or 0, error.opened)
        return refused(error, live.history.game)

    async def _again(self, commit: Commit, command: Command) -> Answer:
        """The answer that the command id got before; a refusal if it was another command."""
        if commit.command != canonical(command):
            raise Illegal(
                "command_id_used",
                "S2",
                f"You have used the command id {commit.command_id!r} for another command.",
                "Give each new command an id of its own; repeat an id only to ask for its answer again.",
            )
        return await self._answer(await self.live.fresh(commit.match), commit)

    async def _done(self, live: LiveMatch, commit: Commit) -> Accepted:
        seen = live.seen(commit.first - 1, commit.last, GALLERY)
        frame = b"" if live.over else msgspec.msgpack.encode(seen[0])
        await self._bell.ring(Ring(live.match, commit.first, commit.last, frame))
        return await self._answer(live, commit)

    async def _answer(self, live: LiveMatch, commit: Commit) -> Accepted:
        viewer = self.viewer(live, commit.account)
        return Accepted(
            match=live.match,
            command_id=commit.command_id,
            first=commit.first,
            version=commit.last,
            frame=Frame(live, viewer, commit.first, commit.last),
            receipt=commit.receipt.decode(),
        )

    async def look(
        self, match: str, account: str | None, viewer: Viewer | None = None, version: Version | None = None
    ) -> Frame:
        """The match as a viewer sees it, at a version (the commit end at or before it) or now.

        viewer: a seat or the gallery; the account's own seat, else the gallery, if not given. Raises Illegal.
        """
        live = await self.live.fresh(match)
        own = self.viewer(live, account)
        wanted = own if viewer is None else self.entitled(live, own, viewer)
        last = live.history.version
        if version is not None and not 1 <= version <= last:
            raise Illegal("no_such_version", "S1", f"There is no version {version}.", f"Versions are 1 to {last}.")
        return self.frame(live, wanted, version)

    def frame(self, live: LiveMatch, viewer: Viewer, version: Version | None = None) -> Frame:
        """Where the viewer stands at the commit end at or before the version (now, if None), with no events."""
        end = live.history.version if version is None else live.history.end_at_or_before(version)
        return Frame(live, viewer, end + 1, end)

    def viewer(self, live: LiveMatch, account: str | None) -> Viewer:
        """The account's seat, or the gallery."""
        seat = live.history.table.seat_of(account) if account else None
        return GALLERY if seat is None else seat

    def entitled(self, live: LiveMatch, own: Viewer, wanted: Viewer) -> Viewer:
        """The viewer that was asked for, if the one who asks may look as that. Raises Illegal."""
        seats = len(live.history.table.seats)
        if wanted == ARBITER or wanted < GALLERY or wanted >= seats:
            raise Illegal(
                "no_such_viewer", "S3", "There is no such viewer.", f"Seats 0 to {seats - 1}, or the gallery."
            )
        if wanted in (own, GALLERY) or live.over:
            return wanted
        raise Illegal(
            "not_your_seat",
            "S3",
            f"While the match runs only its own account sees what seat {wanted} sees.",
            "Look as yourself or as the gallery; after the end every seat's view is open.",
        )

    def game_command(self, live: LiveMatch, plain: Any) -> Command:
        """A command of the match's game from plain values. Raises Illegal for values of the wrong form."""
        game = live.history.game
        try:
            command: Command = self.codecs.by_name(game.name, game.rules).game_command(plain)
            canonical(command)
        except ValueError as error:  # of another form, or beyond what JSON says exactly
            raise Illegal(
                "bad_command", "S1", f"This is no command of {game.title}: {error}.", "The legal list shows the form."
            ) from error
        return command

    async def status(self, match: str) -> Status:
        """Where the match stands."""
        return (await self.live.fresh(match)).history.table.status


class _Stale(Illegal):
    def __init__(self, seen: Version, opened: Version) -> None:
        super().__init__("stale", "T7", f"Version {seen} is not where your decision stands.")
        self.opened = opened


def check_command_id(command_id: str) -> None:
    """Raises Illegal unless the id has 1 to 64 letters, digits, or `_ . : -`."""
    if not COMMAND_ID.fullmatch(command_id):
        raise Illegal(
            "bad_command_id",
            "S1",
            "A command id has 1 to 64 letters, digits or the signs _ . : -",
            "A random UUID does well.",
        )


def check_options(command: OpenMatch) -> None:
    """Raises Illegal for options that have no exact form, such as floats."""
    try:
        canonical(command)
    except ValueError as error:
        raise Illegal("bad_options", "T1", f"Options have an exact form: {error}.") from error
