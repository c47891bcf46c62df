"""Each law catches a fault that is planted in the tiny game; a law that catches nothing would be decoration."""

import random
from collections.abc import Callable
from itertools import count
from typing import Annotated, Any

import msgspec
import pytest

from domain.core.errors import Illegal
from domain.core.game import Legal, Moment
from domain.core.secrecy import OnlyFor
from domain.core.words import Event
from tests.laws import laws
from tests.laws.twins import twins
from tests.support.play import Played, play
from tests.tiny import GAME, rules, sight, story
from tests.tiny.words import Bid, BidMade, Boasted, HandShown, PickPrize

replace = msgspec.structs.replace


def faulty(**functions: Any) -> Any:
    return replace(GAME, **functions)


def check(law: Callable[..., None], *more: Any, **functions: Any) -> None:
    """The law holds for play by the sound game, and fails once the functions are replaced by faulty ones."""
    for seed in range(3):
        law(play(GAME, 3, seed), *more)
    with pytest.raises(AssertionError):
        for seed in range(12):
            played = play(GAME, 3, seed)
            law(Played(faulty(**functions), played.setup, played.key, played.steps), *more)


def test_law_1_catches_a_seat_that_is_asked_but_may_do_nothing() -> None:
    check(laws.law_1_ends, to_act=lambda s: frozenset({0, 1, 2}))


def test_law_1_catches_a_seat_that_may_act_but_is_not_asked() -> None:
    check(laws.law_1_ends, legal=lambda s, seat: Legal((Bid(0),)))


def test_law_1_catches_play_beyond_the_bound() -> None:
    check(laws.law_1_ends, bound=lambda setup: 5)


def test_law_2_catches_a_listed_command_that_is_refused() -> None:
    def legal(state: Any, seat: int) -> Any:
        return Legal((*rules.legal(state, seat).commands, PickPrize(99)))

    check(laws.law_2_listed_is_accepted, random.Random(1), legal=legal)


def test_law_2_catches_an_accepted_command_that_is_not_listed() -> None:
    def decide(state: Any, seat: int, command: Any, chance: Any) -> Any:
        if isinstance(command, Bid) and command.amount == 7 and state.hands[seat].done == 0 and state.picker is None:
            return (BidMade(seat, 7),)
        return rules.decide(state, seat, command, chance)

    check(laws.law_2_listed_is_accepted, random.Random(1), decide=decide)


def test_law_2_catches_a_command_listed_twice() -> None:
    def legal(state: Any, seat: int) -> Any:
        found = rules.legal(state, seat)
        return Legal(found.commands + found.commands[:1], found.templates)

    check(laws.law_2_listed_is_accepted, random.Random(1), legal=legal)


def test_law_2_catches_an_exception_that_is_no_refusal() -> None:
    def decide(state: Any, seat: int, command: Any, chance: Any) -> Any:
        try:
            return rules.decide(state, seat, command, chance)
        except Illegal as error:
            raise AssertionError("a bare error") from error

    check(laws.law_2_listed_is_accepted, random.Random(1), decide=decide)


def test_law_2_catches_a_refusal_that_cites_no_rule() -> None:
    def decide(state: Any, seat: int, command: Any, chance: Any) -> Any:
        try:
            return rules.decide(state, seat, command, chance)
        except Illegal as error:
            raise Illegal(error.code, "R99", error.message) from error

    check(laws.law_2_listed_is_accepted, random.Random(1), decide=decide)


def test_law_3_catches_a_fold_that_depends_on_more_than_the_event() -> None:
    calls = count()

    def evolve(state: Any, event: Any) -> Any:
        after = story.evolve(state, event)
        return replace(after, round=after.round + 1) if isinstance(event, HandShown) and next(calls) % 2 else after

    check(laws.law_3_events_survive, evolve=evolve)


def test_law_4_catches_an_outcome_before_the_end() -> None:
    check(laws.law_4_outcome, outcome=lambda s: rules.outcome(replace(s, over=True)))


def test_law_4_catches_places_that_are_no_ranking() -> None:
    def outcome(state: Any) -> Any:
        found = rules.outcome(state)
        return found and replace(found, places=(1, 3, 3))

    check(laws.law_4_outcome, outcome=outcome)


def test_law_5_catches_a_view_that_shows_a_hidden_card() -> None:
    def view(state: Any, viewer: int) -> Any:
        return replace(sight.view(state, viewer), card=state.hands[0].card)

    check(laws.law_5_viewers, view=view)


def test_law_5_catches_legal_moves_that_depend_on_another_hand() -> None:
    def legal(state: Any, seat: int) -> Any:
        found = rules.legal(state, seat)
        return Legal(found.commands[: 1 + (state.hands[(seat + 1) % 3].card or 0) % 2], found.templates)

    check(laws.law_5_viewers, legal=legal)


def test_law_5_catches_a_fold_that_needs_a_closed_field() -> None:
    def moment(state: Any) -> Any:
        return Moment(sum(h.amount or 0 for h in state.hands), 1, None, "x")

    check(laws.law_5_viewers, moment=moment)


def test_law_5_catches_an_automatic_event_that_betrays_a_secret() -> None:
    def evolve(state: Any, event: Any) -> Any:
        return story.evolve(state, event)

    def view(state: Any, viewer: int) -> Any:
        """Whether somebody bid 2 is in every view: twins that differ in it no longer look the same."""
        seen = sight.view(state, viewer)
        return replace(seen, round=seen.round + sum((h.amount or 0) > 1 for h in state.hands))

    assert twins(GAME, 3, 1) > 0
    with pytest.raises(AssertionError):
        for seed in range(8):
            twins(faulty(view=view, evolve=evolve), 3, seed)


def test_law_6_catches_a_decision_by_unseeded_chance() -> None:
    calls = count()

    def decide(state: Any, seat: int, command: Any, chance: Any) -> Any:
        events = rules.decide(state, seat, command, chance)
        return tuple(replace(e, amount=next(calls) % 3) if isinstance(e, BidMade) else e for e in events)

    check(laws.law_6_deterministic, decide=decide)


def test_law_6_catches_an_evolve_that_changes_its_input() -> None:
    def evolve(state: Any, event: Any) -> Any:
        if isinstance(event, Boasted):
            msgspec.structs.force_setattr(state, "round", state.round + 1)
        return story.evolve(state, event)

    check(laws.law_6_deterministic, evolve=evolve)


def test_law_7_catches_a_prize_that_vanishes() -> None:
    check(laws.law_7_totals, totals=lambda s: {"prizes": sum(s.prizes)})


def test_law_8_catches_a_name_with_two_types() -> None:
    class Shouted(Event, frozen=True):
        seat: int
        words: Annotated[str | None, OnlyFor("seat")]

    laws.law_8_one_type_a_name(GAME)
    with pytest.raises(AssertionError, match="words"):
        laws.law_8_one_type_a_name(faulty(event=GAME.event | Shouted))


def test_law_9_catches_a_list_that_other_seats_change() -> None:
    def legal(state: Any, seat: int) -> Any:
        found = rules.legal(state, seat)
        return Legal(found.commands[: 1 + sum(h.done for h in state.hands) % 2], found.templates)

    check(laws.law_9_open_decisions_stand, legal=legal)


@pytest.mark.parametrize(
    "grounds",
    [
        {"Bid": ("R2",)},
        {**GAME.grounds, "Shout": ("R2",)},
        {**GAME.grounds, "Bid": ()},
        {**GAME.grounds, "Bid": ("R99",)},
    ],
)
def test_law_10_catches_missing_and_unknown_grounds(grounds: Any) -> None:
    laws.law_10_grounds(GAME)
    with pytest.raises(AssertionError):
        laws.law_10_grounds(faulty(grounds=grounds))
