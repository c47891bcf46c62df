"""What waits in the outbox, and which projection is behind, is measured for whoever watches over the service."""

from infra import metrics
from infra.lag import measure_lag
from tests.support.commits import Line


def measured(gauge, *labels):
    """The present value of a gauge."""
    return (gauge.labels(*labels) if labels else gauge)._value.get()


async def test_what_waits_and_who_is_behind_is_measured(backend):
    line = Line()
    await backend.store.append(line.advance(line.opening()), line.secrets)
    await measure_lag(backend.database)
    assert measured(metrics.OUTBOX) == 1
    await backend.sequencer.drain()
    await backend.projectors["lobby"].drain()
    await backend.store.append(line.advance(line.sit(0, "a_0", "s0")))
    await backend.sequencer.drain()
    await measure_lag(backend.database)
    assert measured(metrics.OUTBOX) == 0
    assert measured(metrics.PROJECTION_LAG, "lobby") == 1
    await backend.projectors["lobby"].drain()
    await measure_lag(backend.database)
    assert measured(metrics.PROJECTION_LAG, "lobby") == 0
