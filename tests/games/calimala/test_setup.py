"""Setting up: the figures by number of players, the deal, the cards kept and taken at the start."""

import random

import pytest

from domain.calimala import GAME
from domain.calimala.board import (
    CARGO,
    CENTRE,
    GROUPS,
    PORTS,
    ROWS,
    STATUES,
    STREETS,
    TILE_GROUPS,
    TRADE,
)
from domain.calimala.options import Options
from domain.calimala.things import (
    ACTIONS,
    PLACES,
    SCORING_CARDS,
    SPACES,
    TARGETS,
    TILES,
    Action,
    Phase,
    ShuffleReason,
)
from domain.calimala.words import (
    ActionDeckShuffled,
    BoardLaidOut,
    ScoringCardKept,
    ScoringCardOpened,
    ScoringCardsDealt,
    StartingCardTaken,
)
from domain.core.chance import SeededChance
from tests.games.calimala.table import BETWEEN, FIRST_GAME, Table, choose, names, only, setup, starter
from tests.support.play import fold


def opened(seats: int, key: int = 0, options: Options = FIRST_GAME) -> tuple[Table, tuple]:
    chosen = setup(seats, options)
    events = GAME.opening(chosen, SeededChance(key.to_bytes(32, "big"), 0))
    return Table(fold(GAME, GAME.blank(chosen), events)), events


@pytest.mark.rule("R1")
def test_two_to_five_players() -> None:
    assert list(GAME.seats) == [2, 3, 4, 5]


@pytest.mark.rule("R2", "R23", "R90", "S14")
@pytest.mark.parametrize(
    ("seats", "supply", "each"), [(2, (10, 3, 5), 18), (3, (12, 3, 0), 15), (4, (10, 2, 0), 12), (5, (8, 2, 0), 10)]
)
def test_workers_by_number_of_players(seats: int, supply: tuple, each: int) -> None:
    state = opened(seats)[0].state
    assert {mat.supply for mat in state.mats} == {supply}
    assert sum(supply) == each
    assert state.neutral_cubes == (40 if seats == 2 else 0)


@pytest.mark.rule("R3", "R4", "R24")
@pytest.mark.parametrize("seats", GAME.seats)
def test_what_each_player_begins_with(seats: int) -> None:
    table = opened(seats)[0]
    for seat, mat in enumerate(table.state.mats):
        assert table.goods(seat) == {"reserve": 40, "wood": 0, "brick": 0, "marble": 0, "cloth": 0}
        assert (mat.workshops, mat.ships, any(mat.houses), mat.points, mat.hand) == (1, 0, False, 0, ())
        assert table.totals[f"cubes_of_seat_{seat}"] == 40


@pytest.mark.rule("R5", "R6", "R90")
@pytest.mark.parametrize(
    ("seats", "city", "rows", "palazzo"), [(2, 9, (4, 3, 2), 3), (3, 12, (5, 4, 3), 4), (5, 12, (5, 4, 3), 4)]
)
def test_slots_of_both_sides(seats: int, city: int, rows: tuple, palazzo: int) -> None:
    by_name = {slots.group: slots.capacity for slots in setup(seats).data.slots}
    assert list(by_name) == list(GROUPS)
    assert [by_name[GROUPS[group]] for group in (*TRADE, *PORTS)] == [city] * 6
    churches = ("santa_maria_del_fiore", "santa_croce", "san_miniato")
    for church, capacity in zip(churches, rows, strict=True):
        assert [by_name[f"{church}_{kind}"] for kind in ("wood", "brick", "marble", "statue")] == [capacity] * 4
    assert by_name["palazzo_vecchio_statue"] == palazzo
    assert setup(seats).data == setup(seats, FIRST_GAME).data


@pytest.mark.rule("R6", "R78")
def test_the_geometry_says_what_its_names_say() -> None:
    assert PLACES[5:] == GROUPS
    assert [str(target) for target in TARGETS[:19]] == [str(group) for group in GROUPS]
    assert {GROUPS[group].rsplit("_", 1)[-1]: PLACES[cargo] for group, cargo in CARGO.items()} == {
        "wood": "wood",
        "brick": "brick",
        "marble": "marble",
    }
    assert all(GROUPS[group].endswith(PLACES[cargo]) for group, cargo in CARGO.items())
    assert sorted((*TRADE, *PORTS, *ROWS, *STATUES)) == list(range(19))
    assert all(GROUPS[group].endswith("_statue") for group in STATUES)
    assert [GROUPS[city] for city in TRADE] == ["troyes", "bruges", "hamburg"]
    assert [GROUPS[city] for city in PORTS] == ["barcelona", "lisbon", "london"]
    assert set(TILE_GROUPS) == set(TILES)


@pytest.mark.rule("R10", "R11", "R21")
def test_each_space_lies_between_two_neighbours() -> None:
    layout = opened(3)[0].state.layout
    assert {
        space: " ".join(layout[at] for at in street) for space, street in zip(SPACES, STREETS, strict=True)
    } == BETWEEN
    touching = [sum(at in street for street in STREETS) for at in range(9)]
    assert touching == [2, 3, 2, 3, 4, 3, 2, 3, 2]
    assert all(b - a in (1, 3) for a, b in STREETS)


@pytest.mark.rule("R10", "R20", "R21", "R22")
def test_the_board_is_dealt_at_random_around_the_centre() -> None:
    seen: dict[str, set] = {"layout": set(), "tiles": set(), "start": set()}
    for key in range(30):
        (laid,) = only(opened(4, key, Options())[1], BoardLaidOut)
        assert sorted(laid.layout) == sorted(ACTIONS)
        assert laid.layout[CENTRE] is Action.CONTRIBUTE
        assert sorted(laid.tiles) == sorted(TILES)
        seen["layout"].add(laid.layout)
        seen["tiles"].add(laid.tiles)
        seen["start"].add(laid.starting_seat)
    assert len(seen["layout"]) == len(seen["tiles"]) == 30
    assert seen["start"] == {0, 1, 2, 3}


@pytest.mark.rule("R25")
@pytest.mark.parametrize(
    ("seats", "dealt", "shown", "unused"), [(2, 4, 1, 1), (3, 3, 1, 0), (4, 2, 1, 1), (5, 2, 0, 0)]
)
def test_scoring_cards_are_dealt(seats: int, dealt: int, shown: int, unused: int) -> None:
    table, events = opened(seats, 7)
    deals = only(events, ScoringCardsDealt)
    assert [event.seat for event in deals] == [(table.state.start + i) % seats for i in range(seats)]
    cards = [card for event in deals for card in event.cards] + [
        event.card for event in only(events, ScoringCardOpened)
    ]
    assert [event.count for event in deals] == [dealt] * seats
    assert len(cards) == len(set(cards)) == dealt * seats + shown
    assert len(set(SCORING_CARDS) - set(cards)) == unused
    assert {(len(mat.held), mat.held_size) for mat in table.state.mats} == {(dealt, dealt)}
    assert table.state.open_cards == tuple(event.card for event in only(events, ScoringCardOpened))
    assert names(events) == ["BoardLaidOut"] + ["ScoringCardsDealt"] * seats + ["ScoringCardOpened"] * shown


@pytest.mark.rule("R26")
def test_each_keeps_one_card_at_the_same_time_in_any_order() -> None:
    table, _ = opened(3)
    assert table.state.phase is Phase.KEEP_AT_SETUP
    for seat, waiting in ((2, [0, 1]), (0, [1]), (1, [table.state.takers[0]])):
        held = table.state.mats[seat].held
        assert [command.card for command in table.legal(seat).commands] == list(held)
        assert table.act(seat, choose(held[1])) == (ScoringCardKept(seat, held[1]),)
        mat = table.state.mats[seat]
        assert (mat.kept, mat.has_kept, mat.held, mat.away) == (held[1], True, (), (held[0], held[2]))
        assert table.awaited == waiting
    assert table.state.phase is Phase.STARTING_CARDS


@pytest.mark.rule("R27", "R28", "R70")
@pytest.mark.parametrize("seats", GAME.seats)
def test_starting_cards_go_counter_clockwise_to_the_starting_player_last(seats: int) -> None:
    table, _ = opened(seats, 3)
    for seat in table.awaited if table.state.phase is Phase.KEEP_AT_SETUP else ():
        table.act(seat, choose(table.state.mats[seat].held[0]))
    start = table.state.start
    offer = ["wood", "brick", "marble", "weave", "build"]
    order = [(start - 1 - i) % seats for i in range(seats)]
    assert order[-1] == start
    assert order[0] == (start + seats - 1) % seats
    rng = random.Random(seats)
    for i, seat in enumerate(order):
        assert table.awaited == [seat]
        assert [command.action for command in table.legal(seat).commands] == offer
        action = rng.choice(offer)
        offer.remove(action)
        events = table.act(seat, starter(action))
        last = (ActionDeckShuffled(45 - seats, ShuffleReason.SETUP),) if i == seats - 1 else ()
        assert events == (StartingCardTaken(seat, Action(action)), *last)
        assert (table.hand(seat), table.state.mats[seat].hand_size) == ((action,), 1)
    assert (table.state.deck, table.state.discard, table.state.offer) == (45 - seats, (), ())
    assert (table.awaited, table.state.phase) == ([start], Phase.PLACEMENT)


@pytest.mark.rule("R27")
def test_what_is_not_on_offer_cannot_be_taken() -> None:
    table, _ = opened(2)
    seat = table.awaited[0]
    assert table.refused(seat, starter("statue")) == "not_on_offer"
    table.act(seat, starter("wood"))
    assert table.refused(seat, starter("brick")) == "not_your_decision"
    assert table.refused(1 - seat, starter("wood")) == "not_on_offer"


@pytest.mark.rule("R70")
def test_five_action_cards_of_each_kind() -> None:
    data = setup(3).data
    assert [(copies.action, copies.count) for copies in data.action_cards] == [(action, 5) for action in ACTIONS]
    assert data.starters == ("wood", "brick", "marble", "weave", "build")
