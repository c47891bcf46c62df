"""A whole match at its table without a server: accounts, table commands, sealed commits and what viewers see."""

from dataclasses import dataclass, field
from typing import Any

from domain.core.dispute_words import Fork
from domain.core.game import AnyGame
from domain.core.match import decide, open_match
from domain.core.past import Codecs
from domain.core.replay import History
from domain.core.sealing import Commit, Request, Salts, genesis, seal
from domain.core.showing import ReadCommit, Reader, SeenCommit, show
from domain.core.table import OpenMatch, StartMatch, Status, Table, TakeSeat
from domain.core.words import Command, Viewer
from tests.support.play import ALL_GAMES

CODECS = Codecs(ALL_GAMES)


@dataclass
class TestMatch:
    """A match in memory. Accounts are `a0`, `a1`, … for seats 0, 1, …; time is the commit number in seconds."""

    __test__ = False

    game: AnyGame
    match: str = "m1"
    seed: bytes = b"s" * 32
    secret: bytes = b"t" * 32
    commits: list[Commit] = field(default_factory=list)
    reads: list[ReadCommit] = field(default_factory=list)
    fork: Fork | None = None
    setup: Any = None

    def __post_init__(self) -> None:
        self.salts = Salts(self.secret, self.match)
        self.history = History(ALL_GAMES, self.match)
        self.reader = Reader(CODECS.by_name(self.game.name, self.game.rules))

    @property
    def table(self) -> Table:
        return self.history.table

    @property
    def over(self) -> bool:
        return self.table.status is Status.OVER

    def open(self, seats: int, *, dispute_halts: bool = False, **options: Any) -> "TestMatch":
        command = OpenMatch(self.game.name, seats, options, dispute_halts)
        decision = open_match(self.game, "a0", command, self.seed, self.fork, self.setup)
        request = Request(account="a0", seat=None, command_id="open", command=command, time=0)
        self._add(
            seal(self.match, self.game.rules, (0, 0), genesis(self.match), request, decision.events, (), 0, self.salts)
        )
        return self

    def begin(self, seats: int, **options: Any) -> "TestMatch":
        """Opened, everybody seated, started."""
        self.open(seats, **options)
        for seat in range(seats):
            self.send(f"a{seat}", TakeSeat())
        self.send("a0", StartMatch())
        return self

    def send(self, account: str, command: Command, **fields: Any) -> Commit:
        """Decide, seal, read and fold one command. Raises Illegal."""
        table = self.table
        decision = decide(self.history, account, command, self.seed, arbiter=account.startswith("arbiter"))
        commit = table.commit + 1
        request = Request(
            account=account,
            seat=table.seat_of(account),
            command_id=f"id{commit}",
            command=command,
            time=1000 * commit,
            arbiter=account.startswith("arbiter"),
            **fields,
        )
        return self._add(
            seal(
                self.match,
                table.rules,
                (table.commit, table.version),
                self.commits[-1].head,
                request,
                decision.events,
                decision.draws,
                table.draws,
                self.salts,
            )
        )

    def _add(self, commit: Commit) -> Commit:
        read = self.reader.read(commit)
        self.history.add(read.facts)
        self.commits.append(commit)
        self.reads.append(read)
        return commit

    def branch(self) -> "TestMatch":
        """Another match that has gone the same way so far."""
        other = TestMatch(self.game, self.match, self.seed, self.secret, list(self.commits), list(self.reads))
        other.history._ends = list(self.history._ends)
        other.history._tables = list(self.history._tables)
        other.history._facts = list(self.history._facts)
        other.history._game = self.history._game
        other.reader._hidden = {key: list(found) for key, found in self.reader._hidden.items()}
        return other

    def seen(self, viewer: Viewer, *, over: bool | None = None) -> list[SeenCommit]:
        """Every commit as the viewer may see it now."""
        is_over = self.over if over is None else over
        return [show(read, viewer, self.salts, over=is_over) for read in self.reads]
