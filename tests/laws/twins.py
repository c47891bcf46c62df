"""Law 5, second half: two matches that differ only in what a viewer may not see are equal to that viewer.

A twin is made by playing one commit again with one draw changed, or with another secret command, such that the
viewer's events stay the same. Both matches then go on with the same commands while they still look the same, and
after every commit every surface is compared, with digests, commitments and signatures blanked out.
"""

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from domain.core import match as core_match
from domain.core.chance import Chance, Draw, SeededChance
from domain.core.errors import Illegal
from domain.core.game import AnyGame
from domain.core.secrecy import close_all, hidden_fields
from domain.core.words import GALLERY, Viewer
from tests.support.match import TestMatch
from tests.support.play import random_choice

SECRET = re.compile(r"[0-9a-f]{64}")
GOES_ON = 8


class Taped(SeededChance):
    """Chance that gives what was drawn before, but for one draw; past the tape's use it goes its own way."""

    tape: tuple[Draw, ...] = ()
    change: tuple[int, int] = (-1, 0)

    def _result(self, label: str, bound: int) -> int:
        own = super()._result(label, bound)
        index = len(self.draws)
        if index == self.change[0]:
            return self.change[1] % bound
        if index < len(self.tape) and self.tape[index].bound == bound:
            return self.tape[index].result
        return own


@contextmanager
def taped(tape: tuple[Draw, ...], change: tuple[int, int]) -> Iterator[None]:
    """Let the next decisions draw from the tape."""

    def chance(key: bytes, n: int) -> Chance:
        made = Taped(key, n)
        made.tape, made.change = tape, change
        return made

    with mock.patch.object(core_match, "SeededChance", chance):
        yield


class Line:
    """A match with the commands and draws that made it, so that it can be left at any commit."""

    def __init__(self, game: AnyGame, seats: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.moves: list[tuple[str, Any, tuple[Draw, ...]]] = []
        self.forks: list[TestMatch] = []
        match = TestMatch(game, seed=seed.to_bytes(32, "big")).begin(seats)
        choose = random_choice(self.rng)
        while not match.over:
            self.forks.append(match.branch())
            seat = self.rng.choice([s for s, opened in enumerate(match.table.opened) if opened])
            state = match.table.state
            command = choose(game, state, seat, game.legal(state, seat))
            decision = core_match.decide(match.history, f"a{seat}", command, match.seed)
            self.moves.append((f"a{seat}", command, decision.draws))
            match.send(f"a{seat}", command)
        self.forks.append(match)


def twins(game: AnyGame, seats: int, seed: int, tries: int = 24) -> int:
    """Make twins along one random match and compare them; gives how many were found."""
    line = Line(game, seats, seed)
    found = 0
    for _ in range(tries):
        at = line.rng.randrange(len(line.moves))
        viewer = line.rng.choice([*range(seats), GALLERY])
        twin = line.forks[at].branch()
        if not changed(line, at, twin, viewer):
            continue
        events = close_all(line.forks[at + 1].reads[-1].events, viewer)
        if close_all(twin.reads[-1].events, viewer) != events or twin.over:
            continue
        if twin.reads[-1].events == line.forks[at + 1].reads[-1].events:
            continue
        found += 1
        same_to(line.forks[at + 1], twin, viewer)
        go_on(line, at + 1, twin, viewer)
    return found


def changed(line: Line, at: int, twin: TestMatch, viewer: Viewer) -> bool:
    """Play the move at this place otherwise in a way that could be hidden from the viewer."""
    account, command, draws = line.moves[at]
    seat = int(account[1:])
    try:
        if hidden_fields(type(command)) and seat != viewer:
            legal = twin.game.legal(twin.table.state, seat).commands
            twin.send(account, line.rng.choice([c for c in legal if type(c) is type(command)]))
        elif draws:
            index = line.rng.randrange(len(draws))
            with taped(draws, (index, line.rng.randrange(draws[index].bound))):
                twin.send(account, command)
        else:
            return False
    except Illegal:
        return False
    return True


def go_on(line: Line, at: int, twin: TestMatch, viewer: Viewer) -> None:
    """Both matches by the same moves, while they look the same to the viewer."""
    for (account, command, draws), after in list(zip(line.moves[at:], line.forks[at + 1 :], strict=True))[:GOES_ON]:
        try:
            with taped(draws, (-1, 0)):
                twin.send(account, command)
        except Illegal:
            return
        if twin.over or after.over:
            return  # now everything is open
        if close_all(twin.reads[-1].events, viewer) != close_all(after.reads[-1].events, viewer):
            return
        same_to(after, twin, viewer)


def same_to(one: TestMatch, other: TestMatch, viewer: Viewer) -> None:
    """Every surface of both matches is the same to the viewer."""
    assert surfaces(one, viewer) == surfaces(other, viewer)


def surfaces(match: TestMatch, viewer: Viewer) -> list[str]:
    game, state = match.game, match.table.state
    commits = match.seen(viewer)[-2:]
    shown = [
        f"{c.header.decode()} {c.command.decode()} {c.openings} {c.drew}"
        + "".join(f"{e.type} {e.body.decode()} {e.public.decode()} {e.hidden} {e.openings}" for e in c.events)
        for c in commits
    ]
    view = game.view(state, viewer)
    seen = [repr(view), game.sketch(view), repr(game.moment(state)), repr(match.table.opened)]
    legal = repr(game.legal(state, viewer)) if viewer >= 0 else ""
    return [SECRET.sub("#" * 64, text) for text in (*shown, *seen, legal)]
