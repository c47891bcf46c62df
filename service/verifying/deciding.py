"""A commit decided again, wherever it was read from: who asked, what was drawn, and what came of it."""

from collections.abc import Sequence

import msgspec

from domain.core.canonical import canonical
from domain.core.chance import Draw
from domain.core.match import Decision, decide, open_match, read_options
from domain.core.past import Codecs
from domain.core.replay import Facts, History
from domain.core.sealing import Header
from domain.core.table import Opened, OpenMatch
from domain.core.words import Command, Event
from service.verifying.findings import Fault, Kind


def decide_again(
    codecs: Codecs,
    history: History,
    header: Header,
    command: Command,
    draws: bytes | None,
    events: tuple[Event, ...],
    bodies: Sequence[bytes],
    seed: bytes,
) -> int:
    """Check a commit against what the rules make of its command; how many draws it had.

    history: everything before it. draws: the stored ones, canonical. bodies: the events as they are stored.
    Raises Fault at the first difference, and Illegal if the rules refuse the command.
    """
    decision = _decided(codecs, history, header, command, events, seed)
    _same_draws(history, header, draws, decision)
    _same_events(header, decision, events, bodies)
    return len(decision.draws)


def _decided(
    codecs: Codecs, history: History, header: Header, command: Command, events: tuple[Event, ...], seed: bytes
) -> Decision:
    if header.commit == 1:
        return _opening(codecs, header, command, events, seed)
    seat = history.table.seat_of(header.account)
    if header.seat != seat:
        why = "The header names a seat that the account does not have."
        raise Fault(Kind.ILLEGAL, header.first, why, seat, header.seat)
    return decide(history, header.account, command, seed, arbiter=header.arbiter)


def _opening(codecs: Codecs, header: Header, command: Command, events: tuple[Event, ...], seed: bytes) -> Decision:
    opened = events[0]
    if not isinstance(command, OpenMatch) or not isinstance(opened, Opened):
        raise Fault(Kind.ILLEGAL, 1, "A match begins with OpenMatch.", "OpenMatch", type(command).__name__)
    game = codecs.games[opened.game, opened.rules]
    setup = History(codecs.games, header.match).add(Facts(1, 1, None, False, events)).setup
    if opened.forked is None and read_options(game, command.options) != setup.options:
        why = "The match was opened with other options than were asked for."
        asked, given = canonical(command.options).decode(), canonical(opened.options).decode()
        raise Fault(Kind.EVENTS, 1, why, asked, given)
    return open_match(game, header.account, command, seed, opened.forked, setup)


def _same_draws(history: History, header: Header, draws: bytes | None, decision: Decision) -> None:
    number = history.table.draws if header.commit > 1 else 0
    if header.draw is not None and header.draw != number:
        raise Fault(Kind.DRAW, header.first, "The chance used is not the next one.", number, header.draw)
    drawn = msgspec.json.decode(draws, type=tuple[Draw, ...]) if draws else ()
    if drawn != decision.draws:
        why = "The draws are not those that the seed and the rules give."
        raise Fault(Kind.DRAW, header.first, why, _said(decision.draws), _said(drawn))


def _same_events(header: Header, decision: Decision, events: tuple[Event, ...], bodies: Sequence[bytes]) -> None:
    for version, (made, stored, body) in enumerate(zip(decision.events, events, bodies, strict=False), header.first):
        if made != stored and canonical(made) != canonical(stored):
            why = "The event is not what the command brings about."
            raise Fault(Kind.EVENTS, version, why, canonical(made).decode(), body.decode())
    if len(decision.events) != len(events):
        why = "The commit has another number of events than its command brings about."
        raise Fault(Kind.EVENTS, header.first, why, len(decision.events), len(events))


def _said(draws: tuple[Draw, ...]) -> str:
    return ", ".join(f"{d.label} {d.result}/{d.bound}" for d in draws) or "none"
