"""A private Redis cluster: every shard a server of its own, joined without any client program."""

import secrets
import time
from pathlib import Path

from redis.crc import REDIS_CLUSTER_HASH_SLOTS

from tests.support.process import Folder, ServerFailedError, free_port
from tests.support.redis import Redis

FORMED_S = 60.0
NOTICED_MS = 5000
"""After so long a silence a node counts as gone; on a busy machine a shorter time would shift roles by itself."""


class Cluster:
    """Primaries that share the slots evenly, and a replica of the first one."""

    def __init__(self, folder: Folder, program: Path | None = None, primaries: int = 3) -> None:
        password = secrets.token_urlsafe(24)
        self.nodes = [self._node(folder, program, password) for _ in range(primaries + 1)]
        self.primaries, self.replica = self.nodes[:primaries], self.nodes[primaries]

    def _node(self, folder: Folder, program: Path | None, password: str) -> Redis:
        settings = {
            "cluster-enabled": "yes",
            "cluster-port": str(free_port()),
            "cluster-node-timeout": str(NOTICED_MS),
            "cluster-replica-validity-factor": "0",
            "repl-diskless-sync-delay": "0",
        }
        return Redis(folder, program, settings=settings, password=password)

    @property
    def url(self) -> str:
        """The URL of one of its nodes; the others are found by asking it."""
        return self.primaries[1].url

    def start(self) -> None:
        """Start every node, join them and wait until the cluster serves. Raises ServerFailedError."""
        for node in self.nodes:
            node.start()
        share = -(-REDIS_CLUSTER_HASH_SLOTS // len(self.primaries))
        for number, node in enumerate(self.primaries):
            last = min((number + 1) * share, REDIS_CLUSTER_HASH_SLOTS) - 1
            _told(node, f"CLUSTER ADDSLOTSRANGE {number * share} {last}")
            _told(node, f"CLUSTER SET-CONFIG-EPOCH {number + 1}")
        for node in self.nodes[1:]:
            _told(self.nodes[0], f"CLUSTER MEET 127.0.0.1 {node.port} {node.settings['cluster-port']}")
        self.settle()
        until = time.monotonic() + FORMED_S
        while self.replica.ask(f"CLUSTER REPLICATE {self.id(self.primaries[0])}") != "+OK":
            _patience(until, "the replica does not follow")
        while "master_link_status:up" not in self.replica.ask_all("INFO replication"):
            _patience(until, "the replica does not catch up")

    def settle(self) -> None:
        """Wait until every node that runs says that the cluster is whole."""
        until = time.monotonic() + FORMED_S
        running = [node for node in self.nodes if node.alive]
        while not all("cluster_state:ok" in node.ask_all("CLUSTER INFO") for node in running):
            _patience(until, "the cluster does not form")
        while not all(f"cluster_known_nodes:{len(self.nodes)}" in node.ask_all("CLUSTER INFO") for node in running):
            _patience(until, "the nodes do not find each other")

    def promoted(self) -> None:
        """Wait until the replica has taken the place of its primary."""
        until = time.monotonic() + FORMED_S
        while "role:master" not in self.replica.ask_all("INFO replication"):
            _patience(until, "the replica is not promoted")

    def id(self, node: Redis) -> str:
        """The cluster's own name of a node."""
        return node.ask_all("CLUSTER MYID")

    def move(self, slot: int, to: Redis) -> None:
        """Give a slot to another primary."""
        for node in [to, *(each for each in self.primaries if each is not to)]:
            _told(node, f"CLUSTER SETSLOT {slot} NODE {self.id(to)}")

    def kill(self) -> None:
        """End every node."""
        for node in self.nodes:
            node.kill()


def _told(node: Redis, command: str) -> None:
    answer = node.ask(command)
    if answer != "+OK":
        raise ServerFailedError(f"{command}: {answer}")


def _patience(until: float, complaint: str) -> None:
    if time.monotonic() > until:
        raise ServerFailedError(complaint)
    time.sleep(0.05)
