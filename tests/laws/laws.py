"""The laws that hold for every game, as functions that raise AssertionError; test_laws runs them over random play."""

import random
from collections.abc import Iterator
from typing import Any, get_type_hints

import msgspec

from domain.core.canonical import canonical
from domain.core.chance import SeededChance
from domain.core.errors import Illegal
from domain.core.game import AnyGame, Outcome
from domain.core.past import Codec
from domain.core.secrecy import close_all, hidden_fields, members
from domain.core.words import ARBITER, GALLERY
from tests.support.play import Played, fold, random_fit


def law_1_ends(played: Played) -> None:
    """Play ends within the bound; the seats to act are those with a legal command; nobody acts after the end."""
    game = played.game
    assert len(played.steps) <= game.bound(played.setup), "more commits than the game's declared bound"
    for step in played.steps:
        awaited = game.to_act(step.state)
        for seat in range(played.setup.seats):
            assert bool(game.legal(step.state, seat)) == (seat in awaited), f"seat {seat} at {game.moment(step.state)}"
        assert bool(awaited) == (game.outcome(step.state) is None)
    assert not game.to_act(played.state), "play stopped before the end"


def law_2_listed_is_accepted(played: Played, rng: random.Random, samples: int = 3) -> None:
    """Each listed command is in normal form, listed once, and accepted; every other is refused with Illegal."""
    game = played.game
    for step in rng.sample(played.steps, min(samples, len(played.steps))):
        before = canonical_state(step.state)
        for seat in game.to_act(step.state):
            legal = game.legal(step.state, seat)
            assert len(set(map(canonical, legal.commands))) == len(legal.commands), "a command is listed twice"
            for command in legal.commands:
                assert game.normal(command) == command, f"listed, but not in normal form: {command}"
            for command in rng.sample(legal.commands, min(25, len(legal.commands))):
                assert accepted(game, step.state, seat, command), f"listed and refused: {command}"
            default = game.default(step.state, seat)
            assert legal.allows(default), f"the default is not legal: {default}"
            assert accepted(game, step.state, seat, default), f"the default is refused: {default}"
            for command in mutations(game, legal, rng):
                refused_or_allowed(game, step.state, seat, legal, command)
        for seat in set(range(played.setup.seats)) - game.to_act(step.state):
            for command in (c for s in game.to_act(step.state) for c in game.legal(step.state, s).commands[:5]):
                assert not accepted(game, step.state, seat, command), f"seat {seat} is not asked: {command}"
        assert canonical_state(step.state) == before, "a decision changed the state it looked at"


def refused_or_allowed(game: AnyGame, state: Any, seat: int, legal: Any, command: Any) -> None:
    done = accepted(game, state, seat, command)
    if command in legal.commands:
        assert done, f"listed and refused: {command}"
    elif not legal.allows(command):
        assert not done, f"neither listed nor fitting a template, and accepted: {command}"


def accepted(game: AnyGame, state: Any, seat: int, command: Any) -> bool:
    try:
        game.decide(state, seat, command, SeededChance(b"law", 0))
    except Illegal as error:
        assert error.code == error.code.lower() and " " not in error.code, f"code {error.code!r} is not snake_case"
        assert error.rule in game.rulebook or error.rule.startswith("T"), f"{error.code} cites {error.rule!r}"
        assert error.message, f"{error.code} says nothing"
        return False
    return True


STRANGE: dict[type, tuple[Any, ...]] = {
    int: (-1, 0, 1, 7, 2**31 - 1, -(2**31)),
    str: ("", "nonsense", "C01", "r1c1"),
    bool: (True, False),
}


def mutations(game: AnyGame, legal: Any, rng: random.Random, count: int = 40) -> Iterator[Any]:
    """Commands near the listed ones: one field changed to a strange, a neighbouring, or another command's value."""
    pool = list(legal.commands) + [random_fit(rng, t) for t in legal.templates for _ in range(3)]
    for _ in range(count):
        command = rng.choice(pool)
        fields = command.__struct_fields__
        if not fields:
            continue
        name = rng.choice(fields)
        changed = mutated(getattr(command, name), rng, [getattr(c, name) for c in pool if type(c) is type(command)])
        try:
            plain = {**msgspec.to_builtins(command), name: msgspec.to_builtins(changed)}
            yield game.normal(msgspec.convert(plain, game.command))
        except msgspec.ValidationError:
            continue  # not a command by its form: refused before the rules


def mutated(value: Any, rng: random.Random, others: list[Any]) -> Any:
    choices: list[Any] = [rng.choice(others), *STRANGE.get(type(value), ())]
    if isinstance(value, int) and not isinstance(value, bool):
        choices += [value + 1, value - 1]
    if isinstance(value, tuple):
        choices += [(), value + value, value[:-1], value[::-1]]
        choices += [(*value[:i], mutated(v, rng, [v]), *value[i + 1 :]) for i, v in enumerate(value[:3])]
    if isinstance(value, msgspec.Struct) and value.__struct_fields__:
        name = rng.choice(value.__struct_fields__)
        choices.append({**msgspec.to_builtins(value), name: mutated(getattr(value, name), rng, [getattr(value, name)])})
    if value is None:
        choices += [0, "nonsense", ()]
    return rng.choice(choices)


def law_3_events_survive(played: Played) -> None:
    """Events survive encode, decode, fold: the fold of the log equals the state that play produced."""
    codec = Codec(played.game)
    state = played.game.blank(played.setup)
    for step in played.steps:
        for event in step.events:
            again = codec.event(type(event).__name__, type(event).shape, canonical(event))
            assert again == event, f"{event} came back as {again}"
            state = played.game.evolve(state, again)
        if step.command is not None:
            assert codec.command(canonical(step.command)) == step.command
        assert state == step.state


def law_4_outcome(played: Played) -> None:
    """The finished state, and only it, has an outcome, which ranks every seat."""
    game, seats = played.game, played.setup.seats
    for step in played.steps[:-1]:
        assert game.outcome(step.state) is None
    outcome = game.outcome(played.state)
    assert isinstance(outcome, Outcome)
    assert len(outcome.places) == len(outcome.scores) == seats
    assert min(outcome.places) == 1
    assert all(place == 1 + sum(p < place for p in outcome.places) for place in outcome.places)


def law_5_viewers(played: Played) -> None:
    """Folding the events as a viewer saw them gives that viewer's view, legal moves and all else, exactly."""
    game = played.game
    for viewer in (*range(played.setup.seats), GALLERY, ARBITER):
        state = game.blank(played.setup)
        for step in played.steps:
            state = fold(game, state, close_all(step.events, viewer))
            assert game.view(state, viewer) == game.view(step.state, viewer), f"the view of {viewer}"
            assert game.to_act(state) == game.to_act(step.state)
            assert game.outcome(state) == game.outcome(step.state)
            assert game.moment(state) == game.moment(step.state)
            if viewer >= 0:
                assert game.legal(state, viewer) == game.legal(step.state, viewer), f"what seat {viewer} may do"


def law_6_deterministic(played: Played) -> None:
    """decide is the same for the same state, seat, command and chance; evolve leaves its input as it was."""
    game = played.game
    state = played.steps[0].state
    for step in played.steps[1:]:
        before = canonical_state(state)
        again = tuple(game.decide(state, step.seat, step.command, SeededChance(played.key, step.n)))
        assert again == step.events
        after = fold(game, state, again)
        assert canonical_state(state) == before, "evolve changed its input"
        assert after == step.state
        state = after


def law_7_totals(played: Played) -> None:
    """Totals never change."""
    first = dict(played.game.totals(played.steps[0].state))
    assert first, "a game conserves something"
    for step in played.steps:
        assert dict(played.game.totals(step.state)) == first


def law_9_open_decisions_stand(played: Played) -> None:
    """While a seat's decision is open, other seats' commits do not change its legal list."""
    game = played.game
    before = played.steps[0].state
    for step in played.steps[1:]:
        for seat in (game.to_act(before) & game.to_act(step.state)) - {step.seat}:
            assert game.legal(before, seat) == game.legal(step.state, seat), f"seat {seat} after {step.command}"
        before = step.state


def canonical_state(state: Any) -> str:
    """A state in full, to see whether it has changed."""
    return repr(state)


def law_8_one_type_a_name(game: AnyGame) -> None:
    """In the union of events, and in that of commands, one field name has one type."""
    for union in (game.event, game.command):
        seen: dict[str, tuple[Any, str]] = {}
        for cls in members(union):
            for name, hint in get_type_hints(cls).items():
                if name in cls.__struct_fields__:
                    first = seen.setdefault(name, (hint, cls.__name__))
                    assert first[0] == hint, f"{name} is {first[0]} in {first[1]} and {hint} in {cls.__name__}"


def hides_anything(game: AnyGame) -> bool:
    """Whether any event or command of the game has a hidden field."""
    return any(hidden_fields(cls) for cls in (*members(game.event), *members(game.command)))


def law_10_grounds(game: AnyGame) -> None:
    """A case file can say of every command which numbered rules allow it, and of nothing else."""
    assert set(game.grounds) == {cls.__name__ for cls in members(game.command)}
    for command, rules in game.grounds.items():
        assert rules, command
        assert len(set(rules)) == len(rules), command
        assert set(rules) <= set(game.rulebook), command
