"""Checking a match from what one viewer received: the chain of digests, and every value that was opened.

Nothing here knows a game's rules. What is checked: each commit's header and each event's public form are chained to
what came before; each opened value fits the commitment that was published before it was opened; what the viewer was
shown as JSON is what the public form says, or what an opening says, or is closed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from domain.core.canonical import canonical
from domain.core.sealing import (
    Opening,
    StoredEvent,
    envelope,
    event_digest,
    genesis,
    header_digest,
    opens,
)


class BrokenChainError(Exception):
    """What was received is not what was committed to; the message names the first place, and how."""


class Chain:
    """One match as one viewer received it, checked as it grows."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.version = 0
        self.events = 0
        self.openings = 0
        self._head = genesis(match)
        self._ended: dict[int, Mapping[str, Any]] = {}
        self._public: dict[int, dict[str, Any]] = {}
        self._seed_commitment = ""

    @property
    def head(self) -> str:
        """The chain head after the last commit, as hex."""
        return self._head.hex()

    def add(self, commits: Iterable[Mapping[str, Any]], events: Iterable[Mapping[str, Any]]) -> None:
        """Check commits that follow, with their events. Raises BrokenChainError."""
        by_commit: dict[int, list[Mapping[str, Any]]] = {}
        for event in events:
            by_commit.setdefault(event["commit"], []).append(event)
        for commit in commits:
            self._commit(commit, by_commit.pop(commit["number"], []))
        if by_commit:
            raise BrokenChainError(f"events of commit {min(by_commit)} came without it")

    def _commit(self, commit: Mapping[str, Any], events: list[Mapping[str, Any]]) -> None:
        number = commit["number"]
        where = f"commit {number}"
        _equal(commit["previous"], self.head, f"{where} does not follow the chain")
        _equal(number, len(self._ended) + 1, f"{where} is out of order")
        _equal(commit["first"], self.version + 1, f"{where} does not begin where the last one ended")
        header = json.loads(commit["headerJson"])
        for name, key in _HEADER.items():
            _equal(header[name], commit[key], f"{where}: the header's {name} is another")
        _equal(header["match"], self.match, f"{where} is of another match")
        self._head = header_digest(self._head, commit["headerJson"].encode())
        self._open_commit(commit, header)
        _equal([event["version"] for event in events], list(range(commit["first"], commit["last"] + 1)), where)
        for event in events:
            self._event(commit, event)
        _equal(commit["head"], self.head, f"{where}: its head is another")
        self._ended[commit["last"]] = commit
        self.version = commit["last"]

    def _open_commit(self, commit: Mapping[str, Any], header: Mapping[str, Any]) -> None:
        public = json.loads(commit["commandJson"])
        opened = False
        for each in commit["openings"]:
            path = each["path"]
            if not path:
                opened = True
                _equal(each["value"], commit["commandJson"], f"commit {commit['number']}: the command is another")
                self._open(each, header["command"])
            elif path in ("/draws", "/signature"):
                self._open(each, header[path[1:]])
            else:
                self._open(each, public[path[1:]])
        if not opened:
            raise BrokenChainError(f"commit {commit['number']}: the command is not opened")

    def _event(self, commit: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        proof, version = event["proof"], event["version"]
        stored = StoredEvent(
            version, event["type"], proof["shape"], b"", proof["publicJson"].encode(), tuple(proof["hidden"]), b""
        )
        self._head = event_digest(self._head, envelope(self.match, commit["number"], commit["time"], stored))
        _equal(proof["digest"], self.head, f"event {version}: its digest is another")
        public = self._public[version] = json.loads(proof["publicJson"])
        own: dict[str, Any] = {}
        for each in proof["openings"]:
            at = int(each["place"].removeprefix("e"))
            if at not in self._public:
                raise BrokenChainError(f"event {version} opens {each['place']}, which has not come")
            self._open(each, self._public[at][each["path"][1:]])
            if at == version:
                own[each["path"][1:]] = json.loads(each["value"])
        closed = {path[1:]: None for path in proof["hidden"]}
        _equal(json.loads(event["json"]), {**public, **closed, **own}, f"event {version}: what is shown is another")
        self.events += 1
        self._seeds(event["type"], public)

    def _seeds(self, kind: str, public: Mapping[str, Any]) -> None:
        if kind == "Opened":
            self._seed_commitment = public["seed_commitment"]
        elif kind == "Ended":
            shown = hashlib.sha256(bytes.fromhex(public["seed"])).hexdigest()
            _equal(shown, self._seed_commitment, "the seed is not the one that was committed to")

    def _open(self, each: Mapping[str, Any], expected: object) -> None:
        found = Opening(each["place"], each["path"], each["value"], each["salt"])
        if not isinstance(expected, str) or not opens(self.match, found, expected):
            raise BrokenChainError(f"{found.place}{found.path}: the opened value is not the one committed to")
        if canonical(json.loads(found.value)) != found.value.encode():
            raise BrokenChainError(f"{found.place}{found.path}: the opened value is not canonical")
        self.openings += 1

    def check_receipt(self, said: Mapping[str, Any]) -> None:
        """Check that what a receipt says is what this chain holds. Raises BrokenChainError."""
        what = f"the receipt for version {said['version']}"
        _equal(said["match"], self.match, f"{what} is of another match")
        commit = self._ended.get(said["version"])
        if commit is None:
            raise BrokenChainError(f"{what} is for a commit that the chain does not hold")
        header = json.loads(commit["headerJson"])
        for name in ("first", "time", "command"):
            _equal(said[name], header[name], f"{what}: its {name} is another")
        _equal(said["head"], commit["head"], f"{what}: its head is another")


_HEADER = {
    "account": "account",
    "command_id": "commandId",
    "commit": "number",
    "first": "first",
    "last": "last",
    "seat": "seat",
    "time": "time",
}


def _equal(found: object, expected: object, message: str) -> None:
    if found != expected:
        raise BrokenChainError(f"{message} ({str(found)[:120]} instead of {str(expected)[:120]})")
