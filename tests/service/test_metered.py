"""Commands are counted by game and by answer, and timed."""

from prometheus_client.parser import text_string_to_metric_families

from domain.core.table import OpenMatch, TakeSeat
from domain.toscana.words import PlaceTile
from infra import metrics
from infra.clock import SystemClock
from service.metered import TABLE, MeteredPlay, game_of
from service.play import Ask
from tests.service.desk import SIGNER, Desk, accepted


def counted(name: str) -> dict[tuple[str, ...], float]:
    return {
        tuple(sample.labels[label] for label in sorted(sample.labels, reverse=True) if label != "le"): sample.value
        for family in text_string_to_metric_families(metrics.exposition().decode())
        for sample in family.samples
        if sample.name == name
    }


async def test_commands_are_counted_by_answer(desk: Desk) -> None:
    play = MeteredPlay(desk.play.codecs, desk.backend.store, desk.bell, SIGNER, SystemClock().now, desk.live)
    before, timed = counted("podesta_commands_total"), counted("podesta_command_seconds_count")
    match = accepted(await play.open("a0", OpenMatch("parley", 3, {}), "open")).match
    accepted(await play.command("a0", match, TakeSeat(), Ask(command_id="sit")))
    await play.command("a0", match, TakeSeat(), Ask(command_id="again"))
    after = counted("podesta_commands_total")
    more = {labels: count - before.get(labels, 0) for labels, count in after.items() if count > before.get(labels, 0)}
    assert more == {(TABLE, "accepted"): 2, (TABLE, "already_seated"): 1}
    assert counted("podesta_command_seconds_count")[TABLE,] == timed.get((TABLE,), 0) + 3


def test_a_commands_game_is_its_package() -> None:
    assert game_of(TakeSeat) == TABLE
    assert game_of(PlaceTile) == "toscana"
