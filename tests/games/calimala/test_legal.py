"""Legal lists: complete, small, without permutations; placements with opening plays against brute force; counts."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from domain.calimala import GAME
from domain.calimala.placing import LOOK_AHEAD
from domain.calimala.state import State
from domain.calimala.things import ACTIONS, SPACES, TARGETS, WORKERS, Action, Space
from domain.calimala.words import OpeningPlay, PassTurn, PlaceWorker
from domain.core.chance import SeededChance
from domain.core.errors import Illegal
from tests.games.calimala.table import END, F, H, Table, impossible, place, position, take
from tests.support.play import fold, play

FULL_CHURCHES = {
    f"{church}_{kind}": "1" * size
    for church, size in (("santa_maria_del_fiore", 5), ("santa_croce", 4), ("san_miniato", 3))
    for kind in ("wood", "brick", "marble", "statue")
}


def accepted(state: State, command: Any) -> bool:
    try:
        GAME.decide(state, state.active, command, SeededChance(b"brute", 0))
    except Illegal:
        return False
    return True


# ---- brute force


def imagined(action: Action) -> list[OpeningPlay]:
    """Far more plays of a card than any position allows."""
    cities = TARGETS[:6] if action in (Action.SHIP, Action.TRANSPORT) else ()
    several = [way for size in (2, 3) for way in combinations_with_replacement(cities, size)]
    return [OpeningPlay(action, way) for way in [(), *((target,) for target in TARGETS), *several]]


def sequences(hand: tuple[Action, ...]) -> Iterator[tuple[OpeningPlay, ...]]:
    """Every order of up to one play more than there are cards, and of one card that is not there."""
    kinds = [*dict.fromkeys(hand), next(action for action in ACTIONS if action not in hand)]
    plays = [play for action in kinds for play in imagined(action)]
    yield ()
    for size in range(1, len(hand) + 1):
        yield from product(plays, repeat=size)
    yield (OpeningPlay(hand[0]),) * (len(hand) + 1)


POSITIONS: dict[str, tuple[State, str]] = {
    "one card opens the port": (
        position(mats={0: {"wood": 2, "cloth": 4, "hand": "build", "supply": (1, 1, 0)}}),
        "s01 s05 s10 s12",
    ),
    "one delivery may take the last slot": (
        position(
            mats={0: {"cloth": 1, "ships": 2, "hand": "ship", "marble": 4, "wood": 4, "brick": 4}},
            board={**FULL_CHURCHES, "barcelona": "1" * 12, "lisbon": "1" * 11, "palazzo_vecchio_statue": "1111"},
        ),
        "s10 s12 s09",
    ),
    "nothing to be had from the reserve": (
        position(mats={0: {"reserve": 0, "wood": 1, "brick": 1, "hand": "build", "supply": (1, 0, 0)}}),
        "s01 s03 s08 s11 s12",
    ),
    "two cards that need each other": (
        position(
            mats={0: {"hand": "marble statue", "reserve": 1, "brick": 4, "supply": (1, 0, 0)}}, board=FULL_CHURCHES
        ),
        "s05 s06 s08",
    ),
    "the same card twice": (
        position(mats={0: {"hand": "wood wood", "wood": 3, "supply": (0, 1, 0)}}),
        "s03 s04",
    ),
    "neutral cubes fill up what a Hireling stands by": (
        position(
            2,
            mats={0: {"hand": "transport", "houses": "T", "cloth": 3, "supply": (1, 0, 1), "reserve": 0}},
            board={"troyes": "1" * 7},
            stacks={"s05": "H"},
        ),
        "s05 s10 s07",
    ),
    "a house built for a delivery": (
        position(
            active=1,
            mats={1: {"hand": "build transport", "brick": 2, "cloth": 1, "reserve": 0, "supply": (1, 0, 0)}},
        ),
        "s10",
    ),
    "a ship built for a delivery": (
        position(
            active=2,
            mats={2: {"hand": "build ship", "wood": 2, "cloth": 1, "reserve": 0, "supply": (1, 0, 0), "marble": 1}},
        ),
        "s08",
    ),
    "cloth woven for a delivery": (
        position(active=1, mats={1: {"hand": "weave ship", "ships": 2, "workshops": 2, "supply": (1, 0, 0)}}),
        "s10",
    ),
    "a stack that has a Hireling": (
        position(2, mats={0: {"hand": "contribute", "wood": 1, "supply": (0, 0, 1)}}, stacks={"s04": "H"}),
        "s04 s09",
    ),
}


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.rule("R32", "R33", "C10")
def test_templates_and_lists_against_brute_force(name: str) -> None:
    state, spaces = POSITIONS[name]
    legal = GAME.legal(state, state.active)
    hand = state.mats[state.active].hand
    helped = set()
    for space in map(Space, spaces.split()):
        for worker in WORKERS:
            for plays in sequences(hand):
                command = PlaceWorker(space, worker, plays)
                if accepted(state, command):
                    assert (command in legal.commands) == (not plays)
                    assert sum(template.fits(command) for template in legal.templates) == bool(plays)
                    helped |= {(space, worker)} if plays else set()
                elif command in legal.commands:
                    raise AssertionError(f"listed and refused: {command}")
    offered = {(t.base.space, t.base.worker) for t in legal.templates if t.base.space in spaces.split()}
    assert offered == helped, "a template is offered exactly where some fit is accepted"


@pytest.mark.rule("R33")
def test_what_a_template_says() -> None:
    table = Table(position(mats={0: {"hand": "build wood wood", "wood": 1, "cloth": 1, "supply": (3, 0, 0)}}))
    templates = table.legal(0).templates
    ship = next(template for template in templates if template.base.space == "s10")
    assert (ship.base, ship.field, ship.at_least, ship.at_most, ship.distinct) == (
        place("s10"),
        "opening_plays",
        1,
        3,
        False,
    )
    assert ship.items == place("s10", F, "wood", "build ship").opening_plays
    assert place("s10") not in table.legal(0).commands
    wood = next(template for template in templates if template.base.space == "s01")
    assert wood.base in table.legal(0).commands
    assert wood.at_least == 1


@pytest.mark.rule("R33")
@pytest.mark.parametrize(
    ("mat", "plays"),
    [
        ({"hand": "transport wood", "cloth": 1}, ["wood"]),
        ({"hand": "transport wood", "cloth": 1, "houses": "B"}, ["wood", "transport bruges"]),
        ({"hand": "ship wood", "cloth": 1}, ["wood"]),
        ({"hand": "ship weave", "ships": 1}, ["weave", "ship barcelona", "ship lisbon", "ship london"]),
        ({"hand": "statue wood"}, ["wood"]),
        ({"hand": "build wood"}, ["wood"]),
        ({"hand": "build wood", "wood": 1}, ["wood", "build ship"]),
        ({"hand": "build wood wood", "ships": 3}, ["wood"]),
        ({"hand": "build brick brick", "houses": "TB"}, ["brick", "build house_in_hamburg"]),
    ],
)
def test_the_plays_of_a_template_are_those_that_some_order_could_allow(mat: dict[str, Any], plays: list[str]) -> None:
    templates = Table(position(mats={0: mat})).legal(0).templates
    assert {template.items for template in templates} == {place("s01", F, *plays).opening_plays}


@pytest.mark.rule("R33")
def test_without_cards_there_is_no_template() -> None:
    assert Table(position()).legal(0).templates == ()


@pytest.mark.rule("R33")
def test_cards_that_cannot_be_played_make_no_template() -> None:
    table = Table(position(mats={0: {"hand": "ship transport statue contribute"}}))
    assert table.legal(0).templates == ()
    assert table.refused(0, place("s01", F, "ship lisbon")) == "action_impossible"


@pytest.mark.rule("R33")
def test_a_hand_too_large_to_look_through_is_given_the_benefit_of_the_doubt() -> None:
    """Then a template may be offered of which no fit is accepted; what is accepted always fits one."""
    hand = "ship ship ship ship transport transport statue statue contribute contribute build build"
    mat = {"wood": 4, "brick": 4, "marble": 4, "cloth": 4, "ships": 3, "houses": "TBH", "hand": hand, "reserve": 0}
    state = position(mats={0: {**mat, "supply": (1, 0, 0)}})
    offered = {template.base.space for template in GAME.legal(state, 0).templates}
    assert offered == set(SPACES)
    assert LOOK_AHEAD == 1000


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.rule("R32", "R34")
def test_in_play_passing_is_legal_exactly_without_a_placement_and_lists_stay_small(seats: int) -> None:
    for seed in range(4):
        for step in play(GAME, seats, seed).steps:
            for seat in GAME.to_act(step.state):
                legal = GAME.legal(step.state, seat)
                assert 1 <= len(legal.commands) <= 120
                assert len(legal.templates) <= 36
                kinds = {type(command) for command in legal.commands}
                assert not kinds >= {PassTurn, PlaceWorker}
                assert all(len(template.items) <= 60 for template in legal.templates)


# ---- counts


def _activation() -> State:
    mat = {"wood": 1, "brick": 1, "cloth": 4, "ships": 2, "houses": "TB", "hand": "build contribute"}
    table = Table(position(4, mats={0: mat}, stacks={"s10": "F1 F2"}))
    table.act(0, place("s10"))
    return table.state


def _choosing() -> State:
    table = Table(position(2, stacks={"s05": "F0 C"}, council=[0, 1, 0, 1]))
    table.act(0, place("s05", H))
    table.act(0, take("brick"))
    table.act(0, impossible("transport"), "wood")
    table.act(0, END)
    return table.state


RICH = {"wood": 2, "brick": 2, "marble": 1, "cloth": 3, "ships": 2, "houses": "TH", "hand": "weave ship"}
COUNTED: dict[str, tuple[State, int, int, int]] = {
    # position, commands, templates, commands after each of them
    "an empty board with three": (position(), 16, 0, 43),
    "rich with four": (position(4, mats={0: RICH}), 24, 24, 474),
    "two with Hirelings about": (position(2, mats={0: RICH}, stacks={"s01": "H", "s10": "F1 H"}), 34, 34, 671),
    "in an activation": (_activation(), 21, 0, 274),
    "both choose a card": (_choosing(), 8, 0, 32),
}


@pytest.mark.parametrize("name", COUNTED)
def test_counts_of_legal_choices_to_depth_two(name: str) -> None:
    state, commands, templates, deeper = COUNTED[name]
    seen = [0, 0, 0]
    for seat in GAME.to_act(state):
        legal = GAME.legal(state, seat)
        seen[0] += len(legal.commands)
        seen[1] += len(legal.templates)
        for command in legal.commands:
            after = fold(GAME, state, GAME.decide(state, seat, command, SeededChance(b"count", 0)))
            seen[2] += sum(len(GAME.legal(after, other).commands) for other in GAME.to_act(after))
    assert seen == [commands, templates, deeper]
