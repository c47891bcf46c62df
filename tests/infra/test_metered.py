"""What is measured of the store: appends by result, batches, what waits, and who is behind."""

from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from infra import metrics
from infra.metered import MeteredStore, measure_lag
from infra.ports import Answered, Appended, Raced
from tests.support.commits import Line


def measured(name: str, **labels: str) -> float:
    """The present value of a sample."""
    for family in text_string_to_metric_families(generate_latest(metrics.REGISTRY).decode()):
        for sample in family.samples:
            if sample.name == name and sample.labels == labels:
                return sample.value
    return 0.0


async def test_appends_are_counted_by_result_and_timed(backend):
    store = MeteredStore(backend.store)
    line, rival = Line(), None
    before = {how: measured("podesta_appends_total", result=how) for how in ("appended", "answered", "raced")}
    timed, batches = measured("podesta_append_seconds_count"), measured("podesta_append_batch_size_count")
    opening = line.advance(line.opening())
    assert isinstance(await store.append(opening, line.secrets), Appended)
    assert isinstance(await store.append(opening, line.secrets), Answered)
    rival = line.sit(0, "a_9", "other")
    assert isinstance(await store.append(line.advance(line.sit(0, "a_0", "s0"))), Appended)
    assert isinstance(await store.append(rival), Raced)
    after = {how: measured("podesta_appends_total", result=how) for how in before}
    assert {how: after[how] - before[how] for how in before} == {"appended": 2, "answered": 1, "raced": 1}
    assert measured("podesta_append_seconds_count") == timed + 4
    assert measured("podesta_append_batch_size_count") > batches
    assert await store.commits(line.match) == await backend.store.commits(line.match)


async def test_what_waits_and_who_is_behind_is_measured(backend):
    line = Line()
    await backend.store.append(line.advance(line.opening()), line.secrets)
    await measure_lag(backend.database)
    assert measured("podesta_outbox_rows") == 1
    await backend.sequencer.drain()
    await backend.projectors["lobby"].drain()
    await backend.store.append(line.advance(line.sit(0, "a_0", "s0")))
    await backend.sequencer.drain()
    await measure_lag(backend.database)
    assert measured("podesta_outbox_rows") == 0
    assert measured("podesta_projection_lag_commits", projection="lobby") == 1
    await backend.projectors["lobby"].drain()
    await measure_lag(backend.database)
    assert measured("podesta_projection_lag_commits", projection="lobby") == 0
