"""Placing tiles: where, and what it costs."""

from itertools import product
from typing import Any

import pytest

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.words import KINDS, DrawCards, Kind, Pay, PlaceTile, TakeTile, Track
from domain.core.chance import SeededChance
from domain.core.errors import Illegal
from tests.games.castles_of_tuscany.table import cards, given, having, names, of, refused, then, tile_at, when

ALL_KINDS = {kind.value: 2 for kind in KINDS}


def placements(state: State, seat: int = 0) -> list[PlaceTile]:
    return [command for command in GAME.legal(state, seat).commands if isinstance(command, PlaceTile)]


@pytest.mark.rule("R8.1")
def test_a_tile_fits_open_spaces_of_its_kind() -> None:
    state = having(given(), 0, storage=("village", "monastery"), hand=ALL_KINDS)
    assert placements(state) == [PlaceTile(0, 0, 0), PlaceTile(0, 0, 1), PlaceTile(0, 1, 1), *MONASTERY]


MONASTERY = [PlaceTile(1, 2, -1), PlaceTile(1, 2, 0)]


@pytest.mark.rule("R8.1", "R9.9")
def test_a_wild_hex_fits_open_spaces_of_any_kind() -> None:
    state = having(given(), 0, storage=("wild_hex",), hand=ALL_KINDS)
    assert {(c.q, c.r) for c in placements(state)} == {(2, 0), (2, -1), (1, -1), (0, 0), (0, 1), (1, 1)}


@pytest.mark.rule("R8.1")
def test_open_spaces_reach_across_board_borders() -> None:
    state = having(given(), 0, storage=("wild_hex",), hand=ALL_KINDS)
    assert PlaceTile(0, 3, -1) not in placements(state)
    state = having(state, 0, covered={(2, 0): "monastery"})
    assert PlaceTile(0, 3, -1) in placements(state)


@pytest.mark.rule("R8.1", "R8.5", "R4.5", "R8.2")
@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (PlaceTile(1, 0, 0), ("no_such_stored", "R8.1")),
        (PlaceTile(-1, 0, 0), ("no_such_stored", "R8.1")),
        (PlaceTile(0, 9, 9), ("no_such_space", "R4.5")),
        (PlaceTile(0, -1, 0), ("no_such_space", "R4.5")),
        (PlaceTile(0, 2**60, -(2**60)), ("no_such_space", "R4.5")),
        (PlaceTile(0, 1, 0), ("space_covered", "R8.5")),
        (PlaceTile(0, 2, 0), ("wrong_kind", "R8.1")),
        (PlaceTile(0, 7, -4), ("not_adjacent", "R8.1")),
    ],
)
def test_where_a_tile_may_not_lie(command: PlaceTile, refusal: tuple[str, str]) -> None:
    state = having(given(), 0, storage=("village",), hand=ALL_KINDS)
    assert refused(state, 0, command) == refusal


@pytest.mark.rule("R8.2")
def test_a_placement_that_cannot_be_paid_is_refused() -> None:
    state = having(given(), 0, storage=("village",), hand={"village": 1, "inn": 1, "city": 1})
    assert placements(state) == []
    assert refused(state, 0, PlaceTile(0, 0, 0)) == ("cannot_pay", "R8.2")


def paying(kind: str = "monastery", *, hand: dict[str, int], workers: int = 0) -> State:
    """Seat 0 has chosen a placement on a space of that kind and has to pay."""
    at = {"monastery": (2, 0), "village": (0, 0), "carriage": (1, -1)}[kind]
    state = having(given(), 0, storage=(kind,), hand=hand, workers=workers)
    return then(state, 0, PlaceTile(0, *at))


@pytest.mark.rule("R8.2", "R8.4")
def test_the_price_is_two_cards_of_the_kind() -> None:
    state = paying(hand={"monastery": 3})
    assert GAME.legal(state, 0).commands == (Pay(2),)
    events = when(state, 0, Pay(2), 0, 0, 0)
    assert events[:2] == (
        e.PlacementPaid(0, (Kind.MONASTERY, Kind.MONASTERY), 0),
        e.TilePlaced(0, 0, "monastery", Kind.MONASTERY, 2, 0),
    )
    after = GAME.evolve(state, events[0])
    assert cards(after, 0) == {"monastery": 1}
    assert (sum(after.region_discards), after.region_discards[KINDS.index(Kind.MONASTERY)]) == (2, 2)


@pytest.mark.rule("R8.3", "R8.4", "R12.2")
def test_workers_go_back_to_the_supply() -> None:
    state = paying(hand={}, workers=3)
    assert GAME.legal(state, 0).commands == (Pay(0, 2),)
    after = GAME.evolve(state, when(state, 0, Pay(0, 2), 0, 0, 0)[0])
    assert (after.players[0].workers, after.workers) == (1, 11)


W3 = [
    ("monastery", {"village": 4}, 0, Pay(0, 0, (Kind.VILLAGE, Kind.VILLAGE)), None),
    ("monastery", {"monastery": 1, "village": 1, "city": 1, "inn": 2}, 0, Pay(1, 0, (Kind.VILLAGE,)), "no_such_pair"),
    ("monastery", {}, 2, Pay(0, 2), None),
    ("village", {"village": 3}, 0, Pay(1, 0, (Kind.VILLAGE,)), "pair_of_needed_kind"),
]


@pytest.mark.rule("R8.3")
@pytest.mark.parametrize(("kind", "hand", "workers", "payment", "code"), W3)
def test_w3_payments(kind: str, hand: dict[str, int], workers: int, payment: Pay, code: str | None) -> None:
    state = paying(kind, hand=hand, workers=workers)
    if code is None:
        assert payment in GAME.legal(state, 0).commands
        assert names(when(state, 0, payment, 0, 0, 0))[:2] == ["PlacementPaid", "TilePlaced"]
    else:
        assert refused(state, 0, payment) == (code, "R8.3")


@pytest.mark.rule("R8.2", "R8.3")
@pytest.mark.parametrize(
    ("payment", "refusal"),
    [
        (Pay(1), ("wrong_payment", "R8.3")),
        (Pay(3), ("wrong_payment", "R8.3")),
        (Pay(2, 1), ("wrong_payment", "R8.3")),
        (Pay(1, 1, (Kind.INN,)), ("wrong_payment", "R8.3")),
        (Pay(-1, 3), ("wrong_payment", "R8.3")),
        (Pay(3, -1), ("wrong_payment", "R8.3")),
        (Pay(0, 0, (Kind.INN,) * 3), ("wrong_payment", "R8.3")),
        (Pay(0, 0), ("wrong_payment", "R8.3")),
        (Pay(2**60, -(2**60) + 2), ("wrong_payment", "R8.3")),
        (Pay(2), ("not_enough_cards", "R8.2")),
        (Pay(0, 2), ("not_enough_workers", "R8.3")),
        (Pay(0, 0, (Kind.CITY, Kind.INN)), ("no_such_pair", "R8.3")),
        (Pay(0, 0, (Kind.INN, Kind.INN)), ("no_such_pair", "R8.3")),
        (Pay(1, 0, (Kind.CITY,)), ("no_such_pair", "R8.3")),
        (Pay(1, 0, (Kind.MONASTERY,)), ("pair_of_needed_kind", "R8.3")),
    ],
)
def test_what_is_no_payment(payment: Pay, refusal: tuple[str, str]) -> None:
    state = paying(hand={"monastery": 1, "inn": 3, "city": 1}, workers=1)
    assert refused(state, 0, payment) == refusal


def multisets(hand: dict[str, int], workers: int, kind: str) -> set[tuple[int, int, tuple[str, ...]]]:
    """Every payment, by brute force over how many cards, workers and pairs of each kind."""
    others = [other.value for other in KINDS if other != kind]
    found = set()
    for d, w, *pairs in product(*(range(3) for _ in range(2 + len(others)))):
        counts = list(zip(pairs, others, strict=True))
        enough = d <= hand.get(kind, 0) and w <= workers and all(2 * n <= hand.get(other, 0) for n, other in counts)
        if enough and d + w + sum(pairs) == 2:
            found.add((d, w, tuple(sorted(other for n, other in counts for _ in range(n)))))
    return found


@pytest.mark.rule("R8.3", "K6")
@pytest.mark.parametrize(
    ("hand", "workers"),
    [
        ({"monastery": 2, "inn": 2, "city": 5, "village": 4}, 2),
        ({"monastery": 1, "castle": 4, "quarry": 3}, 1),
        (dict.fromkeys(map(str, KINDS), 4), 5),
        ({"agriculture": 2, "carriage": 2}, 0),
        ({"monastery": 5}, 0),
    ],
)
def test_every_distinct_payment_is_listed_once(hand: dict[str, int], workers: int) -> None:
    state = paying(hand=hand, workers=workers)
    listed = [(c.cards, c.workers, tuple(map(str, c.pairs))) for c in GAME.legal(state, 0).commands]  # type: ignore[union-attr]
    assert len(listed) == len(set(listed))
    assert set(listed) == multisets(hand, workers, "monastery")


@pytest.mark.rule("R8.2", "R8.3")
def test_a_placement_is_offered_exactly_when_there_is_a_payment() -> None:
    for needed, pairs, single, workers in product(range(3), range(3), range(2), range(3)):
        hand = {"monastery": needed, "inn": 2 * pairs, "city": single}
        state = having(given(), 0, storage=("monastery",), hand=hand, workers=workers)
        assert bool(placements(state)) == bool(multisets(hand, workers, "monastery"))


@pytest.mark.rule("K6")
def test_pairs_have_one_spelling() -> None:
    assert GAME.normal(Pay(0, 0, (Kind.VILLAGE, Kind.CITY))) == Pay(0, 0, (Kind.CITY, Kind.VILLAGE))
    assert GAME.normal(Pay(0, 1, (Kind.INN,))) == Pay(0, 1, (Kind.INN,))
    assert GAME.normal(TakeTile(3, 1)) == TakeTile(3, 1)


@pytest.mark.rule("R8.2", "R5.3")
def test_after_the_choice_only_the_payment_is_asked_for() -> None:
    state = paying(hand={"monastery": 2, "village": 2})
    assert GAME.moment(state).phase == "payment"
    for command in (DrawCards(), PlaceTile(0, 2, 0), TakeTile(0)):
        assert refused(state, 0, command) == ("wrong_phase", "R5.3")
    assert refused(state, 1, Pay(2)) == ("not_your_decision", "R5.1")
    assert state.players[0].storage == ("monastery",)


@pytest.mark.rule("R8.5", "R4.5")
def test_a_placed_tile_stays() -> None:
    state = having(given(), 0, storage=("village", "village"), bonus={"plus_storage": 1}, hand={"village": 4})
    after = then(then(state, 0, PlaceTile(1, 0, 0)), 0, Pay(2))
    assert tile_at(after, 0, 0, 0) == "village"
    with pytest.raises(Illegal) as caught:
        GAME.decide(_turn_of(after, 0), 0, PlaceTile(0, 0, 0), SeededChance(b"k", 0))
    assert (caught.value.code, caught.value.rule) == ("space_covered", "R8.5")


def _turn_of(state: State, seat: int) -> State:
    return GAME.evolve(state, e.TurnBegan(seat, 1, 2))


@pytest.mark.rule("R8.6", "R11.6", "R8.7")
def test_pay_place_area_colour_effect_in_this_order() -> None:
    others = {(3, 1): "inn"}
    state = having(
        given(), 0, storage=("inn",), hand={"inn": 2}, covered={**others, (5, -1): "agriculture:grain_grapes"}
    )
    state = then(state, 0, PlaceTile(0, 6, -1))
    events = when(state, 0, Pay(2))
    assert names(events)[:5] == ["PlacementPaid", "TilePlaced", "AreaCompleted", "ColourBonusScored", "WildHexGained"]
    assert of(events, e.ColourBonusScored) == [e.ColourBonusScored(0, Kind.INN, 1, 2, Track.GREEN, "R11.3")]


EFFECTS: dict[str, Any] = {
    "castle": "CastleOffered",
    "city": "BonusTileOffered",
    "inn": "WildHexGained",
    "agriculture": "CropsScored",
    "quarry": "MarbleGained",
    "village": "WorkersGained",
    "monastery": "RegionCardsDrawn",
    "carriage": "ProductionCardRevealed",
}


@pytest.mark.rule("R9.9", "R8.7", "R2.10")
@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_has_its_effect_also_by_wild_hex(kind: Kind, wild: bool) -> None:
    state = given()
    land = state.players[1].region
    assert land is not None
    tile = "agriculture:grain_grapes" if kind is Kind.AGRICULTURE else kind.value
    space = next(i for i, of_kind in enumerate(land.kinds) if of_kind is kind and not state.players[1].cover[i])
    beside = land.grid.spaces[next(n for n in land.grid.neighbours[space] if land.kinds[n] is not kind)]
    state = having(state, 1, storage=("wild_hex" if wild else tile,), hand={kind.value: 2}, covered={beside: "village"})
    state = _turn_of(state, 1)
    state = then(state, 1, PlaceTile(0, *land.grid.spaces[space]))
    done = GAME.decide(state, 1, Pay(2), SeededChance(b"k", 0))
    assert EFFECTS[kind] in names(done)
    assert of(done, e.TilePlaced)[0].kind is kind
