"""The ends of turns, rounds and matches, and the score."""

import pytest
from msgspec.structs import replace

from domain.core.chance import ScriptedChance, SeededChance
from domain.core.game import Moment
from domain.majolica import GAME
from domain.majolica import commands as c
from domain.majolica import words as w
from domain.majolica.options import ROUND_LIMIT_MOST
from domain.majolica.rounds import outcome
from domain.majolica.state import State, score
from tests.games.majolica.helpers import (
    Events,
    asked,
    grid,
    kinds,
    line,
    listed,
    play,
    player,
    setup,
    shops,
    slots,
    state,
    tile,
    why,
)

FOUR = "RB.. ..YG .... ...."
NEXT = "RBYGRBYGRBYGRBY"
FIVE = "ST1 D46 D47 D42 D01"


def last_turn(now: State, *script: object) -> tuple[State, Events]:
    """The turn that takes one of four tiles left, and what follows."""
    take = (tile(1, 1), c.KeepCards()) if asked(play(now, tile(1, 1))[0]) == "cards" else (tile(1, 1),)
    return play(now, *take, c.PlaceTiles(1), script=script)


@pytest.mark.rule("R60", "R80")
def test_with_four_tiles_face_up_the_next_player_takes_a_turn() -> None:
    now, events = last_turn(state(grid="RB.. B.YG .... ...."))
    assert events[-1] == w.TurnEnded(0, 1)
    assert (now.seat, now.turn, now.round, asked(now)) == (1, 2, 1, "select")


@pytest.mark.rule("R60", "R62", "R63", "R64", "R65")
def test_with_three_the_round_ends_and_the_next_is_laid_out() -> None:
    before = state(grid=FOUR, market="D01 - D03 - - D50")
    now, events = last_turn(before, *NEXT, "D07", "D02", "D49")
    assert events[-7:] == (
        w.TurnEnded(0, 1),
        w.RoundEnded(1),
        w.GridLaid(2, ("RBYG",) * 4),
        w.CardRevealed(1, "D07"),
        w.CardRevealed(3, "D02"),
        w.CardRevealed(4, "D49"),
        w.StartTokenPassed(1),
    )
    assert grid(now) == "RBYG RBYG RBYG RBYG"
    assert now.market == ("D01", "D07", "D03", "D02", "D49", "D50")
    assert {"D07", "D02", "D49"}.isdisjoint(now.pile)
    assert (now.round, now.holder, now.seat, now.turn) == (2, 1, 1, 2)


@pytest.mark.rule("R60")
def test_a_line_that_leaves_fewer_than_three_ends_the_round_as_well() -> None:
    now = state(grid=FOUR)
    now, events = play(now, line((1, 1), (1, 2)), c.PlaceTiles(1), script=(*NEXT, *(f"D0{n}" for n in range(1, 7))))
    assert "RoundEnded" in kinds(events)


@pytest.mark.rule("R65")
@pytest.mark.parametrize(("holder", "last", "starter"), [(0, 2, 1), (2, 0, 0), (1, 1, 2)])
def test_the_token_goes_to_the_left_of_its_holder(holder: int, last: int, starter: int) -> None:
    now = state(player(), player(), player(), grid=FOUR, holder=holder, seat=last, market="D01 D02 D03 D04 D05 D06")
    now, events = last_turn(now, *NEXT)
    assert events[-1] == w.StartTokenPassed(starter)
    assert (now.holder, now.seat) == (starter, starter)


@pytest.mark.rule("R65", "M4")
@pytest.mark.parametrize(("holder", "last", "starter"), [(0, 2, 0), (2, 0, 1), (1, 1, 2)])
def test_or_to_the_left_of_the_last_player_where_so_opened(holder: int, last: int, starter: int) -> None:
    now = state(
        player(),
        player(),
        player(),
        grid=FOUR,
        holder=holder,
        seat=last,
        market="D01 D02 D03 D04 D05 D06",
        options={"next_starter": "left_of_last_player"},
    )
    now, events = last_turn(now, *NEXT)
    assert events[-1] == w.StartTokenPassed(starter)
    assert (now.holder, now.seat) == (starter, starter)


@pytest.mark.rule("R64")
def test_with_an_empty_pile_places_stay_empty() -> None:
    before = replace(state(grid=FOUR, market="- D01 - - D02 D03"), pile=("D49",))
    now, events = last_turn(before, *NEXT)
    assert events[-2] == w.CardRevealed(0, "D49")
    assert (now.market, now.pile) == (("D49", "D01", "", "", "D02", "D03"), ())
    before = replace(state(player(finished="D04"), grid=FOUR), pile=())
    now, events = last_turn(before, *NEXT)
    assert "CardRevealed" not in kinds(events)
    assert now.market == ("",) * 6


@pytest.mark.rule("R66")
def test_boards_and_city_hall_are_not_touched_between_rounds() -> None:
    before = state(
        player("R BB - GG", "D07[R|RBY] - -", finished="ST1"),
        player("- - *R -", "- - D08[|RRBG]", one_points=2),
        grid=FOUR,
        hall_points=1,
        market="D01 D02 D03 D04 D05 D06",
    )
    now, _ = last_turn(before, *NEXT)
    assert [shops(now, seat) for seat in (0, 1)] == ["RR BB - GG", "- - R* -"]
    assert [slots(now, seat) for seat in (0, 1)] == ["D07[R|RBY] - -", "- - D08[|RRBG]"]
    assert (now.hall_jokers, now.hall_points, now.players[1].one_points) == (3, 1, 2)
    assert now.players[0].finished == ("ST1",)


@pytest.mark.rule("R62", "R70", "R72")
def test_five_completed_cards_end_the_match_with_the_round() -> None:
    before = state(player(finished="D02"), player("R - - -", "D08[RRB|G] - -", finished=FIVE, one_points=2), grid=FOUR)
    now, events = last_turn(before)
    assert events[-5:] == (
        w.TurnEnded(0, 1),
        w.RoundEnded(1),
        w.ScoreCounted(0, 5, 0, 0, 5, "R72"),
        w.ScoreCounted(1, 31, 1, 2, 34, "R72"),
        w.PlayEnded("five_cards"),
    )
    assert GAME.to_act(now) == frozenset()
    found = GAME.outcome(now)
    assert (found.places, found.scores, found.cause, found.decided_by) == ((2, 1), (5, 34), "five_cards", "")
    assert GAME.moment(now) == Moment(1, 1, None, "over")
    for seat in (0, 1):
        assert not GAME.legal(now, seat)
        assert why(now, tile(1, 2), seat) == ("match_over", "R70")


@pytest.mark.rule("R62", "R70")
def test_four_completed_cards_do_not_end_it() -> None:
    before = state(player(finished="ST1 D46 D47 D42"), grid=FOUR, market="D01 D02 D03 D04 D05 D06")
    now, _ = last_turn(before, *NEXT)
    assert (now.round, GAME.outcome(now)) == (2, None)


@pytest.mark.rule("R70", "R71")
def test_the_round_is_played_to_its_end_and_more_cards_may_be_completed() -> None:
    before = state(player("RRRBB - - -", "D02[RYY|R] - -", finished=FIVE))
    now, events = play(before, tile(1, 1), c.KeepCards(), c.PlaceTiles(1), c.DeclineBonus())
    assert len(now.players[0].finished) == 6
    assert (now.seat, asked(now), GAME.outcome(now)) == (1, "select", None)
    assert "PlayEnded" not in kinds(events)


@pytest.mark.rule("R94", "M7")
def test_the_round_limit_ends_the_match_by_the_ordinary_count() -> None:
    limit = {"round_limit": 3}
    now, _ = last_turn(state(grid=FOUR, round=2, market="D01 D02 D03 D04 D05 D06", options=limit), *NEXT)
    assert (now.round, GAME.outcome(now)) == (3, None)
    before = state(player("- - - -", "D07[RR|BY] - -"), player(one_points=2), grid=FOUR, round=3, options=limit)
    now, events = last_turn(before)
    assert events[-1] == w.PlayEnded("round_limit")
    found = GAME.outcome(now)
    assert (found.places, found.scores, found.cause) == ((2, 1), (1, 2), "round_limit")


@pytest.mark.rule("R70", "M7")
def test_five_cards_in_the_last_round_are_named_as_the_cause() -> None:
    now, _ = last_turn(state(player(finished=FIVE), grid=FOUR, round=3, options={"round_limit": 3}))
    assert GAME.outcome(now).cause == "five_cards"


@pytest.mark.rule("R94", "M7", "R92")
def test_players_who_refuse_to_build_are_stopped_by_the_limit_within_the_bound() -> None:
    given = setup(2, round_limit=2)
    now = GAME.blank(given)
    for event in GAME.opening(given, SeededChance(b"k", 0)):
        now = GAME.evolve(now, event)
    commits = 0
    while GAME.to_act(now):
        command = next((k for k in listed(now) if isinstance(k, c.TakeTile | c.KeepCards)), listed(now)[-1])
        for event in GAME.decide(now, now.seat, command, SeededChance(b"k", commits + 1)):
            now = GAME.evolve(now, event)
        commits += 1
    assert now.round == 2
    assert now.turn - 1 == 26
    assert commits < GAME.bound(given)


@pytest.mark.rule("R61")
def test_a_round_has_four_turns_at_least_and_thirteen_at_most() -> None:
    now = state(grid="RBYG RBYG RBYG RBYG", market="D01 D02 D03 D04 D05 D06")
    for row in (1, 2, 3):
        now, events = play(now, line(*((row, column) for column in (1, 2, 3, 4))), c.PlaceTiles(row))
        assert "RoundEnded" not in kinds(events)
    now, events = play(now, line((4, 1), (4, 2), (4, 3), (4, 4)), c.PlaceTiles(4), script=tuple(NEXT))
    assert "RoundEnded" in kinds(events)
    assert now.turn == 5


@pytest.mark.rule("R72")
@pytest.mark.parametrize(
    ("slots_held", "pooled", "per_card"),
    [
        ("- - -", 0, 0),
        ("D07[R|RBY] - -", 0, 0),
        ("D07[RR|BY] - -", 1, 1),
        ("D07[R|RBY] D08[R|RBG] -", 1, 0),
        ("D07[RRB|Y] D08[RRB|G] D09[R|RYG]", 3, 2),
        ("D07[R**|Y] - ST1[*|YG]", 2, 1),
        ("D31[RRRB|B] D45[RRRBB|B] -", 4, 4),
    ],
)
def test_two_tiles_on_incomplete_cards_give_a_point(slots_held: str, pooled: int, per_card: int) -> None:
    held = player("RRBB RR * GGG", slots_held, finished="ST4 D45", one_points=2)
    assert score(state(held), 0) == 3 + 8 + 2 + pooled
    assert score(state(held, options={"incomplete_counting": "per_card"}), 0) == 3 + 8 + 2 + per_card


@pytest.mark.rule("R73", "R74")
@pytest.mark.parametrize(
    ("scores", "turns", "places", "decided_by"),
    [
        ((30, 20, 10), (5, 6, 7), (1, 2, 3), ""),
        ((10, 30, 20), (7, 6, 5), (3, 1, 2), ""),
        ((20, 20, 10), (5, 6, 7), (2, 1, 3), "later_last_turn"),
        ((20, 10, 20), (7, 6, 5), (1, 3, 2), "later_last_turn"),
        ((30, 10, 10), (5, 6, 7), (1, 3, 2), ""),
        ((9, 9, 9), (7, 5, 6), (1, 3, 2), "later_last_turn"),
        ((9, 9, 8), (5, 5, 6), (1, 1, 3), "later_last_turn"),
    ],
)
def test_ranks_go_by_score_and_then_by_the_later_last_turn(
    scores: tuple[int, ...], turns: tuple[int, ...], places: tuple[int, ...], decided_by: str
) -> None:
    players = tuple(player(last_turn=turn) for turn in turns)
    found = outcome(replace(state(*players), scores=scores, cause="five_cards"))
    assert (found.places, found.scores, found.decided_by) == (places, scores, decided_by)


@pytest.mark.rule("R93")
def test_the_standard_deck_cannot_run_out() -> None:
    """Four players complete four cards each and hold three, but one of those seven is the start card."""
    data = setup(4).data
    most_taken = 4 * (4 + 3 - 1)
    assert most_taken + 6 <= len(data.design_cards)


@pytest.mark.rule("R92", "M7")
def test_the_bound_grows_with_the_round_limit_and_is_always_finite() -> None:
    bounds = [GAME.bound(setup(4, round_limit=limit)) for limit in (1, 2, 40, ROUND_LIMIT_MOST)]
    assert bounds == sorted(bounds)
    assert bounds[0] == 4 + 4 * 13 + 2 * 39 + 3 * 10 + 4 * (16 + 39 + 5)
    assert bounds[1] == 4 + 4 * 26 + 2 * 54 + 3 * 10 + 4 * (32 + 54 + 5)
    assert all(type(bound) is int for bound in bounds)
    assert bounds[-1] < 10**6


@pytest.mark.rule("R16", "R60")
def test_turns_are_counted_over_the_match_and_remembered_by_seat() -> None:
    now = state(player(), player(), player(), turn=7, seat=2)
    now, events = play(now, tile(1, 1), c.PlaceTiles(1))
    assert events[-1] == w.TurnEnded(2, 7)
    assert [p.last_turn for p in now.players] == [0, 0, 7]
    assert (now.seat, GAME.moment(now)) == (0, Moment(1, 8, 0, "select"))


@pytest.mark.rule("R63", "R64")
def test_a_round_draws_its_grid_from_all_sixteen_tiles() -> None:
    chance = ScriptedChance(*([0] * 16))
    now = state(grid=FOUR, market="D01 D02 D03 - D05 D06")
    now, _ = play(now, tile(1, 1), c.KeepCards())
    events = GAME.decide(now, 0, c.PlaceTiles(1), chance)
    laid = next(event for event in events if isinstance(event, w.GridLaid))
    assert laid.grid == ("RRRR", "BBBB", "YYYY", "GGGG")
    drawn = [(draw.label, draw.bound) for draw in chance.draws]
    assert drawn == [*(("grid", bound) for bound in range(16, 1, -1)), ("market", 45)]


@pytest.mark.rule("R2", "R33", "M9")
def test_totals_count_tiles_jokers_and_cards_wherever_they_are() -> None:
    one = player("** R* - B*", "D07[R*|BY] - ST1[|BYG]", finished="D01 D02", one_points=2)
    other = player("- - - *", "- D08[**|BG] -", one_points=1, dealt="ST4")
    now = state(one, other, market="D03 - D04 - - -", hall_jokers=4, hall_points=1, jokers_out=3, joker_held=True)
    now = replace(now, start_cards=("ST2", "ST3"))
    assert GAME.totals(now) == {
        "red": 4,
        "blue": 4,
        "yellow": 4,
        "green": 4,
        "jokers": 4 + 3 + 1 + 5 + 3,
        "one_point_tiles": 1 + 3,
        "cards": 54,
    }
    blank = GAME.blank(setup(3))
    assert GAME.totals(blank)["cards"] == 54
    assert GAME.totals(blank)["jokers"] == GAME.totals(blank)["one_point_tiles"] == 4


def test_the_default_is_the_first_command_listed() -> None:
    now = state()
    assert GAME.default(now, 0) == line((1, 1), (1, 2), (1, 3), (1, 4))
