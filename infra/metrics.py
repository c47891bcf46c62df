"""What the service counts, as Prometheus metrics. Labels hold kinds, never ids, names or secrets."""

from collections.abc import Iterable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Tally(Collector):
    """A counter for paths that are too hot for a lock: add to `value` on the event loop's thread."""

    def __init__(self, name: str, documentation: str) -> None:
        self.value = 0
        self._name = name
        self._documentation = documentation
        REGISTRY.register(self)

    def describe(self) -> Iterable[Metric]:
        """The metric's name, so that it is registered once."""
        return self.collect()

    def collect(self) -> Iterable[Metric]:
        """The present count."""
        return [CounterMetricFamily(self._name, self._documentation, value=self.value)]


_FAST_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

COMMANDS: Final = Counter(
    "podesta_commands_total",
    "Commands answered, by game and by how: accepted, repeated, or the refusal's code",
    ["game", "answer"],
    registry=REGISTRY,
)
COMMAND_SECONDS: Final = Histogram(
    "podesta_command_seconds",
    "From a command's arrival to its answer",
    ["game"],
    buckets=_FAST_S,
    registry=REGISTRY,
)
APPENDS: Final = Counter(
    "podesta_appends_total",
    "Commits offered to the store, by result: appended, raced, answered",
    ["result"],
    registry=REGISTRY,
)
APPEND_BATCH: Final = Histogram(
    "podesta_append_batch_size", "Commits in one group commit", buckets=(1, 2, 4, 8, 16, 32, 64, 128), registry=REGISTRY
)
APPEND_SECONDS: Final = Histogram(
    "podesta_append_seconds", "From a commit's offer to its durable storage", buckets=_FAST_S, registry=REGISTRY
)
SEQUENCED: Final = Counter(
    "podesta_sequenced_total", "Commits that were given their position in the log", registry=REGISTRY
)
OUTBOX: Final = Gauge("podesta_outbox_rows", "Commits stored but not yet given a position", registry=REGISTRY)
PROJECTION_LAG: Final = Gauge(
    "podesta_projection_lag_commits", "Positions a projection is behind the log", ["projection"], registry=REGISTRY
)
MATCHES_LIVE: Final = Gauge("podesta_matches_live", "Matches folded and held in memory", registry=REGISTRY)
WATCHERS: Final = Gauge("podesta_watchers", "Open watch streams", registry=REGISTRY)
FRAMES: Final = Tally("podesta_frames", "Frames sent to watchers")
FRAME_EXECUTIONS: Final = Tally(
    "podesta_frame_executions", "Frames computed, each shared by every watcher of one audience"
)
UNEXPECTED: Final = Counter(
    "podesta_unexpected_errors_total", "Errors masked to a client and logged with an id", registry=REGISTRY
)
BELL_CONNECTED: Final = Gauge(
    "podesta_bell_connected", "Bell connections that are up and subscribed", registry=REGISTRY
)
BELL_RECONNECTS: Final = Counter(
    "podesta_bell_reconnects_total", "Bell connections lost and tried anew", registry=REGISTRY
)
BELL_RUNG: Final = Counter("podesta_bell_rung_total", "Rings sent to other processes", registry=REGISTRY)
BELL_HEARD: Final = Counter("podesta_bell_heard_total", "Rings received from other processes", registry=REGISTRY)
BELL_LOST: Final = Counter(
    "podesta_bell_lost_total",
    "Times that rings may have been lost, by where: outbox (dropped unsent), listener (one too slow), "
    "connection (subscribed anew), garbled",
    ["where"],
    registry=REGISTRY,
)
BELL_BARE: Final = Counter(
    "podesta_bell_bare_total", "Rings sent without the frame that was too long", registry=REGISTRY
)
BELL_LISTENERS: Final = Gauge("podesta_bell_listeners", "Listeners in this process", registry=REGISTRY)


def exposition() -> bytes:
    """Every metric of this process in Prometheus' text format."""
    return generate_latest(REGISTRY)
