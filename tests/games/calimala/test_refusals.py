"""Every refusal: its code, its rule, and that nothing has changed; and commands that nobody would send."""

import re
from pathlib import Path
from typing import Any

import pytest

import domain.calimala
from domain.calimala import GAME
from domain.calimala.things import ACTIONS, SCORING_CARDS, SPACES, TARGETS, WORKERS, Target
from domain.calimala.words import (
    ChooseScoringCard,
    DeclareImpossible,
    EndActivation,
    OpeningPlay,
    PassTurn,
    PlaceWorker,
    PlayActionCard,
    SkipAction,
    TakeAction,
    TakeStartingCard,
)
from domain.core.chance import SeededChance
from domain.core.errors import Illegal
from tests.games.calimala.table import (
    END,
    C,
    F,
    H,
    Table,
    card,
    choose,
    impossible,
    pass_turn,
    place,
    position,
    skip,
    starter,
    take,
)
from tests.support.play import play


def _placed() -> Table:
    table = Table(position(mats={0: {"hand": "ship wood", "wood": 1}}))
    table.act(0, place("s01"))
    return table


def _building() -> Table:
    table = Table(position(mats={0: {"wood": 2, "brick": 2}}))
    table.act(0, place("s01"))
    return table


def _settled() -> Table:
    table = Table(position(mats={0: {"wood": 2, "hand": "ship"}}))
    table.act(0, place("s01"))
    table.act(0, take("wood"))
    table.act(0, take("build", "ship"))
    return table


def _drafting() -> Table:
    return Table(play(GAME, 2, 1, commits=0).state)


def _keeping() -> Table:
    table = Table(play(GAME, 3, 1, commits=0).state)
    table.act(0, table.legal(0).commands[0])
    return table


def _showing() -> Table:
    table = Table(position(2, stacks={"s05": "F0 C"}, council=[0, 1, 0, 1]))
    table.act(0, place("s05", H))
    table.act(0, take("brick"))
    table.act(0, impossible("transport"), "wood")
    table.act(0, END)
    table.act(0, table.legal(0).commands[0])
    return table


def _over() -> Table:
    return Table(play(GAME, 2, 1).state)


def _fresh() -> Table:
    return Table(position(2, stacks={"s01": "H"}, mats={0: {"supply": (1, 0, 1), "hand": "ship"}}))


REFUSALS: list[tuple[str, str, Any, int, Any]] = [
    ("match_over", "R105", _over, 0, place("s01")),
    ("not_your_decision", "R30", _fresh, 1, place("s02")),
    ("not_your_decision", "R41", _placed, 1, take("wood")),
    ("not_your_decision", "R27", _drafting, 7, starter("wood")),
    ("not_your_decision", "R26", _keeping, 3, choose("lisbon")),
    ("not_your_decision", "R98", _showing, 2, choose("lisbon")),
    ("not_your_decision", "R98", _showing, -1, choose("lisbon")),
    ("wrong_phase", "R30", _fresh, 0, take("wood")),
    ("wrong_phase", "R41", _placed, 0, place("s02")),
    ("wrong_phase", "R26", _keeping, 1, starter("wood")),
    ("wrong_phase", "R98", _showing, 1, END),
    ("already_chosen", "R26", _keeping, 0, choose("lisbon")),
    ("already_chosen", "R98", _showing, 0, choose("lisbon")),
    ("card_not_held", "R98", _showing, 1, choose("troyes")),
    ("not_on_offer", "R27", _drafting, -2, starter("ship")),
    ("no_such_worker", "R31", _fresh, 0, place("s02", C)),
    ("no_such_worker", "R31", lambda: Table(position(mats={0: {"reserve": 0}})), 0, pass_turn(H)),
    ("hireling_already_there", "R92", _fresh, 0, place("s01", H)),
    ("no_possible_action", "R32", _fresh, 0, place("s10")),
    ("card_not_in_hand", "R71", _fresh, 0, place("s02", F, "wood")),
    ("card_not_in_hand", "R71", _placed, 0, card("brick")),
    ("action_impossible", "R60", _fresh, 0, place("s02", F, "ship lisbon")),
    ("action_impossible", "R60", _placed, 0, card("ship", "lisbon")),
    ("action_impossible", "R60", _placed, 0, take("build", "ship")),
    ("action_impossible", "R64", _placed, 0, skip("build")),
    ("bad_choice", "R50", _placed, 0, take("wood", "ship")),
    ("bad_choice", "R50", _placed, 0, card("wood", "lisbon")),
    ("placement_exists", "R34", _fresh, 0, pass_turn(F)),
    ("not_pending", "R36", _placed, 0, take("brick")),
    ("not_pending", "R36", _placed, 0, skip("ship")),
    ("not_pending", "R36", _placed, 0, impossible("ship")),
    ("must_take_one", "R37", _placed, 0, skip("wood")),
    ("action_possible", "R64", _placed, 0, impossible("wood")),
    ("actions_pending", "R38", _placed, 0, END),
    ("bad_choice", "R52", _building, 0, take("build")),
    ("bad_choice", "R52", _building, 0, take("build", "workshop troyes")),
    ("not_pending", "R36", _settled, 0, take("wood")),
]


@pytest.mark.parametrize(("code", "rule", "table", "seat", "command"), REFUSALS)
@pytest.mark.rule("R64", "R92")
def test_a_refusal_has_a_code_a_rule_and_a_message(code: str, rule: str, table: Any, seat: int, command: Any) -> None:
    at = table()
    refusal = at.refusal(at.awaited[0] if seat == -2 else seat, command)
    assert (refusal.code, refusal.rule) == (code, rule)
    assert refusal.message.endswith(".")
    assert not refusal.hint or refusal.hint.endswith(".")


TEXTS = Path(__file__).with_name("refusals.txt").read_text("utf-8").splitlines()
"""What each refusal says, in the order of the table."""


@pytest.mark.rule("R60")
def test_what_refusals_say() -> None:
    said = []
    for _, _, table, seat, command in REFUSALS:
        at = table()
        said.append(str(at.refusal(at.awaited[0] if seat == -2 else seat, command)))
    assert said == TEXTS


@pytest.mark.rule("R2")
def test_every_code_in_the_rules_is_shown_here_and_in_the_docs() -> None:
    sources = [path.read_text("utf-8") for path in Path(domain.calimala.__file__).parent.glob("*.py")]
    codes = set(re.findall(r'Illegal\(\s*"([a-z_]+)"', " ".join(sources)))
    shown = {refusal[0] for refusal in REFUSALS}
    assert codes | {"match_over", "not_your_decision", "wrong_phase"} == shown | {"bad_options"}
    docs = Path(__file__).parents[3].joinpath("docs/games/calimala.md").read_text("utf-8")
    assert {code for code in (*shown, "bad_options") if f"`{code}`" not in docs} == set()


ODD_TARGETS: list[tuple[Any, ...]] = [
    (),
    ("nonsense",),
    (Target.TROYES,) * 1000,
    TARGETS,
    ("", "", ""),
    tuple(reversed(TARGETS)),
]
ODD: list[Any] = [
    *(TakeAction(action, odd) for action in (*ACTIONS, "nonsense") for odd in ODD_TARGETS if action != "wood"),
    *(PlayActionCard(action, odd) for action in (*ACTIONS, "nonsense") for odd in ODD_TARGETS if odd),
    *(PlaceWorker(space, worker, ()) for space in ("s00", "", "s13") for worker in WORKERS),
    *(PlaceWorker(SPACES[0], worker, ()) for worker in ("", "F")),
    PlaceWorker(SPACES[0], F, tuple(OpeningPlay(action, odd) for action in ACTIONS for odd in ODD_TARGETS)),
    *(SkipAction(action) for action in ("", "nonsense")),
    *(DeclareImpossible(action) for action in ("", "nonsense")),
    *(ChooseScoringCard(name) for name in ("", "nonsense")),
    *(TakeStartingCard(name) for name in ("", "nonsense")),
    *(PassTurn(worker) for worker in ("", "nonsense")),
]


@pytest.mark.parametrize("table", [_placed, _drafting, _keeping, _showing, _over, _fresh])
@pytest.mark.rule("R32")
def test_odd_commands_are_refused_and_nothing_else(table: Any) -> None:
    """Also values that no decoder would let through: never another error than a refusal."""
    at = table()
    before = at.state
    for command in ODD:
        normal = GAME.normal(command)
        assert GAME.normal(normal) == normal
        for seat in (*at.awaited, 0, 9, -1):
            with pytest.raises(Illegal):
                GAME.decide(at.state, seat, normal, SeededChance(b"odd", 0))
    assert at.state == before


@pytest.mark.rule("R54", "R55")
def test_the_normal_form_has_the_targets_in_the_order_of_the_board() -> None:
    assert GAME.normal(take("ship", "london barcelona london")) == take("ship", "barcelona london london")
    assert GAME.normal(card("transport", "hamburg troyes")) == card("transport", "troyes hamburg")
    odd = GAME.normal(place("s01", F, "ship london lisbon", "transport bruges troyes"))
    assert odd == place("s01", F, "ship lisbon london", "transport troyes bruges")
    for command in (END, skip("wood"), impossible("wood"), choose("lisbon"), starter("wood"), pass_turn(F)):
        assert GAME.normal(command) is command
    assert isinstance(END, EndActivation)
    assert len(SCORING_CARDS) == 10
