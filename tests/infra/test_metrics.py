"""Metrics: in Prometheus' text format, documented, without ids in their labels."""

from prometheus_client.parser import text_string_to_metric_families

from infra import metrics


def test_every_metric_is_exposed_with_its_meaning() -> None:
    families = {family.name: family for family in text_string_to_metric_families(metrics.exposition().decode())}
    ours = {name for name in families if name.startswith("podesta_")}
    assert {"podesta_bell_reconnects", "podesta_append_seconds", "podesta_watchers"} <= ours
    assert all(families[name].documentation for name in ours)
    assert "process_cpu_seconds" in families


def test_no_label_could_hold_an_id_or_a_name() -> None:
    allowed = {"game", "answer", "result", "projection", "reason", "limit", "where"}
    for metric in metrics.REGISTRY._collector_to_names:
        assert set(getattr(metric, "_labelnames", ())) <= allowed
