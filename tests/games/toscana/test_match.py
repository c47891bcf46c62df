"""The opening, the options, and matches of two games."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from domain.core.chance import ScriptedChance, SeededChance
from domain.core.game import Moment, Setup
from domain.toscana import GAME
from domain.toscana.options import Options
from domain.toscana.words import GameScored, GameStarted, Phase, Side, TopRevealed
from tests.games.toscana.table import HOST, Piles, Table, by_id, options, replayed, setup
from tests.support.play import play


def opened(*script: object, **chosen: str) -> tuple[GameStarted, list[str], list[tuple[str, int]]]:
    """How a game starts, the tops shown, and the draws made, for the draws that the script gives."""
    chance = ScriptedChance(*script)
    wanted = Options(**chosen)
    events = GAME.opening(Setup(wanted, GAME.data(wanted, 2), 2), chance)
    assert chance.left == 0
    started = events[0]
    assert isinstance(started, GameStarted)
    tops = [event.tile for event in events if isinstance(event, TopRevealed)]
    return started, tops, [(draw.label, draw.bound) for draw in chance.draws]


TOPS = [("courtyard_top", 16), ("building_top", 16)]


@pytest.mark.rule("R6", "R7", "R8")
@pytest.mark.parametrize("courtyard", [0, 1])
def test_sides_are_drawn_unless_the_table_says_otherwise(courtyard: int) -> None:
    started, tops, draws = opened(courtyard, "C05", "B16")
    assert started == GameStarted(
        game=1, courtyard_seat=courtyard, building_seat=1 - courtyard, first_side=Side.COURTYARD
    )
    assert tops == ["C05", "B16"]
    assert draws == [("courtyard_seat", 2), *TOPS]


@pytest.mark.rule("R6")
@pytest.mark.parametrize(("assignment", "courtyard"), [("host_courtyard", 0), ("host_building", 1)])
def test_the_host_may_have_a_side(assignment: str, courtyard: int) -> None:
    started, _, draws = opened("C05", "B16", side_assignment=assignment)
    assert (started.courtyard_seat, started.building_seat) == (courtyard, 1 - courtyard)
    assert draws == TOPS


@pytest.mark.rule("R8")
@pytest.mark.parametrize("side", Side)
def test_either_side_may_start(side: Side) -> None:
    started, _, draws = opened("C05", "B16", side_assignment="host_courtyard", first_side=str(side))
    assert started.first_side is side
    assert draws == TOPS
    started, _, draws = opened(side, "C05", "B16", side_assignment="host_courtyard", first_side="random")
    assert started.first_side is side
    assert draws == [("first_side", 2), *TOPS]


@pytest.mark.rule("R8", "R18", "R22")
def test_building_starts_by_option() -> None:
    table = Table(Piles(["C01"], ["B01"]), options(first_side="building"))
    assert (table.awaited, table.state.against) == ("courtyard", "B01")
    table.waive("courtyard")
    assert table.awaited == "building"


@pytest.mark.rule("R7")
def test_both_piles_come_in_any_order_equally_likely_at_the_top() -> None:
    tops: Counter[str] = Counter()
    for n in range(3200):
        events = GAME.opening(setup(), SeededChance(b"tops", n))
        tops.update(event.tile for event in events if isinstance(event, TopRevealed))
    assert len(tops) == 32
    assert 140 < min(tops.values()) <= max(tops.values()) < 260, "200 expected, a standard deviation is 14"


@pytest.mark.rule("K7", "R12")
def test_free_first_tile() -> None:
    table = Table(Piles(["C01", "C02"], ["B01", "B02"]), options(first_tile="free"))
    table.place("C01 0 0 0")
    assert table.state.laid[0].x == 0


@pytest.mark.rule("R14")
def test_contact_of_any_colour() -> None:
    oracle = by_id("legality")["L15"]
    table = Table(Piles(["C01", "C02"], ["B13", "B02"]), options(contact="any_colour"))
    table.place("C01 8 8 0")
    table.place("{tile} {x} {y} {o}".format(**oracle["try"]))
    assert len(table.state.laid) == 2


def test_unknown_options_are_refused_by_their_form() -> None:
    for wrong in ({"match": "double"}, {"games": "triple"}, {"reveal_piles_at_end": True}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Options)
    assert msgspec.convert({}, Options) == Options()


def test_every_option_says_what_it_means_and_which_rule_it_is() -> None:
    for field in msgspec.json.schema(Options)["$defs"]["Options"]["properties"].values():
        assert field["description"].endswith(".")
    hints = Options.__annotations__
    for name, hint in hints.items():
        (meta,) = hint.__metadata__
        assert meta.extra["rule"] in GAME.rulebook, name
        assert meta.extra["origin"] in ("published", "own", "house")


# Two games


def double(seed: int, **chosen: Any) -> tuple[list[GameScored], Any]:
    played = play(GAME, 2, seed, games="double", **chosen)
    return list(played.state.results), played


@pytest.mark.rule("R32", "K1", "R9")
def test_the_second_game_starts_in_the_commit_that_ends_the_first() -> None:
    game = by_id("game")["G5"]
    piles = Piles(game["pile_courtyard"], game["pile_building"])
    table = Table(piles, options(games="double"))
    for step in game["steps"]:
        if step["do"] == "place":
            table.place("{tile} {x} {y} {o}".format(**step))
    at = next(i for i, event in enumerate(table.log) if isinstance(event, GameScored))
    scored = table.log[at]
    assert isinstance(scored, GameScored)
    assert (scored.game, scored.courtyard_score.seat, scored.building_score.seat) == (1, 0, 1)
    assert table.log[at + 1 : at + 4] == [
        GameStarted(game=2, courtyard_seat=1, building_seat=0, first_side=Side.COURTYARD),
        TopRevealed(seat=1, side=Side.COURTYARD, tile="C13", left=16),
        TopRevealed(seat=0, side=Side.BUILDING, tile="B05", left=16),
    ]
    state = table.state
    assert (state.game, state.phase, state.laid, state.turns, state.passes) == (2, Phase.VETO_DECISION, (), 0, 0)
    assert GAME.outcome(state) is None
    assert GAME.to_act(state) == {0}
    assert all(camp.token for camp in state.camps)
    assert GAME.moment(state) == Moment(round=2, turn=1, seat=0, phase="veto_decision")


@pytest.mark.rule("R32", "K1", "K6")
@pytest.mark.parametrize("tie_break", ["none", "squares"])
def test_the_higher_sum_wins_two_games(tie_break: str) -> None:
    seen = set()
    for seed in range(24):
        results, played = double(seed, tie_break=tie_break, veto="off")
        first, second = results
        assert (first.game, second.game) == (1, 2)
        assert (first.courtyard_score.seat, first.building_score.seat) == (
            second.building_score.seat,
            second.courtyard_score.seat,
        )
        sums = [0, 0]
        for area in (first.courtyard_score, first.building_score, second.courtyard_score, second.building_score):
            sums[area.seat] += area.points
        outcome = GAME.outcome(played.state)
        assert outcome is not None
        assert outcome.scores == tuple(sums)
        assert outcome.decided_by == "", "squares separate games, not matches"
        winner = (sums[1] > sums[0]) - (sums[0] > sums[1])
        assert outcome.places == {0: (1, 1), 1: (2, 1), -1: (1, 2)}[winner]
        seen.add(winner)
    assert {1, -1} <= seen


@pytest.mark.rule("R32", "R31")
def test_equal_sums_are_a_drawn_match_whatever_the_squares() -> None:
    scored = replayed(by_id("game")["G2"], 32, options(tie_break="squares")).state.results[0]
    assert scored.by_squares
    state = msgspec.structs.replace(
        replayed(by_id("game")["G2"], 32, options(tie_break="squares", veto="on")).state,
        setup=setup(options(games="double", tie_break="squares")),
        results=(scored, scored),
    )
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.places, outcome.scores, outcome.decided_by) == ((1, 1), (20, 20), "")


@pytest.mark.rule("R32")
def test_a_starting_side_drawn_at_random_is_kept_for_the_second_game() -> None:
    for seed in range(6):
        _, played = double(seed, first_side="random", veto="off")
        starts = [event for event in played.events if isinstance(event, GameStarted)]
        assert len(starts) == 2
        assert starts[0].first_side == starts[1].first_side
        assert starts[0].courtyard_seat == starts[1].building_seat


@pytest.mark.rule("R8", "R18")
def test_moments_and_turn_numbers() -> None:
    table = Table(Piles(["C01", "C02", "C03"], ["B01", "B02"]))
    assert GAME.moment(table.state) == Moment(1, 1, 1, "veto_decision")
    table.waive("building")
    assert GAME.moment(table.state) == Moment(1, 1, 0, "placement")
    table.place("C01 8 8 0")
    assert GAME.moment(table.state) == Moment(1, 2, 0, "veto_decision")
    table = Table(Piles(["C01", "C02", "C03"], ["B01", "B02"]), options(veto_timing="after"))
    assert GAME.moment(table.state) == Moment(1, 1, 0, "placement")
    table.place("C01 8 8 0")
    assert GAME.moment(table.state) == Moment(1, 1, 1, "veto_decision")
    table.veto("building")
    assert GAME.moment(table.state) == Moment(1, 1, 0, "placement")
    game = by_id("game")["G5"]
    assert GAME.moment(replayed(game, 30).state) == Moment(1, 30, None, "finished")


@pytest.mark.parametrize(
    ("chosen", "bound"),
    [({"veto": "off"}, 33), ({}, 69), ({"games": "double"}, 137), ({"veto": "off", "games": "double"}, 65)],
)
def test_the_bound(chosen: dict[str, str], bound: int) -> None:
    assert GAME.bound(setup(options(**chosen))) == bound


def test_the_default_waives_or_lays_at_the_first_place_and_asks() -> None:
    table = Table(Piles(["C01", "C02"], ["B01", "B02"]), HOST)
    assert GAME.default(table.state, 1) == GAME.legal(table.state, 1).commands[0]
    assert str(GAME.default(table.state, 1).decision) == "waive"
    table.waive("building")
    assert GAME.default(table.state, 0) == GAME.legal(table.state, 0).commands[0]
    assert str(GAME.default(table.state, 0).next_veto) == "ask"


@pytest.mark.rule("R1", "R3", "R23")
def test_no_tile_is_lost_and_no_square() -> None:
    whole = {"courtyard_tiles": 16, "building_tiles": 16, "squares": 289}
    blank = GAME.blank(setup())
    assert GAME.totals(blank) == whole
    assert [camp.seat for camp in blank.camps] == [0, 1]
    table = Table(Piles(["C01", "C02"], ["B01", "B02"]), options(veto_timing="after"))
    assert GAME.totals(table.state) == whole
    table.place("C01 8 8 0")
    assert GAME.totals(table.state) == whole
    table.veto("building")
    assert GAME.totals(table.state) == whole
    for name, game in by_id("game").items():
        assert GAME.totals(replayed(game, len(game["steps"])).state) == whole, name
