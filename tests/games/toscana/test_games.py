"""Five complete games of the rules dossier, step by step, and single steps of the protocol around them."""

from typing import Any

import pytest

from domain.toscana import GAME
from domain.toscana.words import DecideVeto, GameScored, NextVeto, Phase, PlaceTile, VetoDecision
from tests.games.toscana.table import SEAT, Table, by_id, options, replayed, step_of

KEYS = ("do", "by", "n", "tile", "x", "y", "o", "reason")


def named(table: Table, field: str) -> Any:
    state = table.state
    side = field.rsplit("_", 1)[-1]
    if field.startswith("veto_left_"):
        return int(state.camps[SEAT[side]].token)
    owner = state.camps[state.side == "building"]
    return {
        "phase": str(state.phase),
        "against": state.against,
        "top": owner.top,
        "bottom": owner.bottom[-1] if owner.bottom else None,
        "pile_size": owner.left,
        "passes_in_a_row": state.passes,
        "tiles_on_board": len(state.laid),
        "actor": table.awaited if state.phase is not Phase.FINISHED else None,
    }[field]


@pytest.mark.rule(
    "R12", "R16", "R17", "R18", "R19", "R20", "R21", "R22", "R23", "R25", "R26", "R28", "R29", "R30", "R31"
)
@pytest.mark.parametrize("name", by_id("game"))
def test_complete_games(name: str) -> None:
    game = by_id("game")[name]
    table = replayed(game, len(game["steps"]))
    steps = [step for event in table.log if (step := step_of(event)) is not None]
    assert steps == [{key: step[key] for key in KEYS if key in step} for step in game["steps"]]

    state = table.state
    assert state.phase is Phase.FINISHED
    assert GAME.view(state, 0).colours == tuple(game["final_grid"])
    for camp, side in zip(state.camps, SEAT, strict=True):
        left = game[f"left_{side}"]
        assert ([] if camp.top is None else [camp.top]) == left[:1]
        assert {*camp.rest, *camp.bottom} == set(left[1:])
    assert len(state.laid) == game["placed"]

    scored = table.log[-1]
    assert isinstance(scored, GameScored)
    assert (scored.courtyard_score.points, scored.building_score.points) == (
        game["courtyard_size"],
        game["building_size"],
    )
    assert sorted(scored.courtyard_score.areas) == sorted(map(tuple, game["courtyard_largest"]))
    assert sorted(scored.building_score.areas) == sorted(map(tuple, game["building_largest"]))
    assert scored.result == game["result"]

    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == (game["courtyard_size"], game["building_size"])
    assert outcome.places == {"courtyard": (1, 2), "building": (2, 1), "draw": (1, 1)}[game["result"]]
    assert (outcome.cause, outcome.decided_by) == ("two_passes", "")


@pytest.mark.rule("R18", "R19", "R20", "R21", "R22", "R23", "R24", "R25", "R26", "K3", "K4", "K8")
@pytest.mark.parametrize("name", by_id("protocol"))
def test_the_protocol(name: str) -> None:
    oracle = by_id("protocol")[name]
    table = replayed(by_id("game")[oracle["setup"]], oracle["after"], options(**oracle.get("options", {})))
    commands = [
        (c["by"], PlaceTile(c["tile"], c["x"], c["y"], c["o"], NextVeto(c["next_veto"])))
        if c["cmd"] == "place"
        else (c["by"], DecideVeto(c["tile"], VetoDecision(c["decision"])))
        for c in oracle["commands"]
    ]
    if "error" in oracle:
        by, last = commands.pop()
        for side, command in commands:
            table.act(side, command)
        assert table.refused(by, last).code == oracle["error"]
        return
    for side, command in commands:
        table.act(side, command)
    expected = {k: v for k, v in oracle.items() if k not in ("id", "note", "setup", "after", "commands", "options")}
    assert {field: named(table, field) for field in expected} == expected
