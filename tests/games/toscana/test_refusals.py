"""What is refused, by which rule, in which order; and spellings of commands."""

from typing import Any

import msgspec
import pytest
from hypothesis import given as over
from hypothesis import settings
from hypothesis import strategies as st

from domain.core.chance import SeededChance
from domain.core.errors import Illegal
from domain.toscana import GAME
from domain.toscana.board import TILE_IDS
from domain.toscana.words import DecideVeto, NextVeto, Phase, PlaceTile, ToscanaCommand, VetoDecision
from tests.games.toscana.table import Piles, Table, by_id, options, placement, replayed

BIG = 2**53 - 1
CODES = {
    "wrong_phase": {"R18", "R22"},
    "not_your_turn": {"R18", "R24"},
    "not_top_tile": {"R16"},
    "veto_not_available": {"R22"},
    "veto_token_spent": {"R21"},
    "veto_last_tile": {"R22"},
    "bad_orientation": {"R10"},
    "out_of_board": {"R11"},
    "overlap": {"R11"},
    "must_cover_centre": {"R12"},
    "no_own_colour_contact": {"R14"},
    "stale_tile": {"R22"},
    "bad_options": {"R6"},
}


def fresh(**chosen: str) -> Table:
    return Table(Piles(TILE_IDS[:16], TILE_IDS[16:]), options(**chosen))


def second(**chosen: str) -> Table:
    """C01 lies with its top-left square on the centre; building is to lay B01."""
    table = fresh(**chosen)
    table.place("C01 8 8 0", "waive")
    if table.state.phase is Phase.VETO_DECISION:
        table.waive("building")
    return table


@pytest.mark.rule("K8", "R16", "R18")
@pytest.mark.parametrize(
    ("by", "text", "next_veto", "code", "rule"),
    [
        ("courtyard", "B01 0 0 9", "veto", "not_your_turn", "R18"),
        ("building", "B02 0 0 9", "veto", "not_top_tile", "R16"),
        ("building", "B99 6 6 0", "ask", "not_top_tile", "R16"),
        ("building", "C02 6 6 0", "ask", "not_top_tile", "R16"),
        ("building", "B01 0 0 9", "ask", "bad_orientation", "R10"),
        ("building", "B01 99 0 -1", "ask", "bad_orientation", "R10"),
        ("building", f"B01 0 0 {BIG}", "ask", "bad_orientation", "R10"),
        ("building", "B01 14 8 0", "ask", "out_of_board", "R11"),
        ("building", "B01 8 16 2", "ask", "out_of_board", "R11"),
        ("building", "B01 16 8 1", "ask", "out_of_board", "R11"),
        ("building", "B01 8 14 3", "ask", "out_of_board", "R11"),
        ("building", "B01 -1 8 0", "ask", "out_of_board", "R11"),
        ("building", "B01 8 -1 0", "ask", "out_of_board", "R11"),
        ("building", "B01 17 8 0", "ask", "out_of_board", "R11"),
        ("building", f"B01 {BIG} {BIG} 0", "ask", "out_of_board", "R11"),
        ("building", f"B01 {-BIG} {-BIG} 0", "ask", "out_of_board", "R11"),
        ("building", "B01 8 8 0", "ask", "overlap", "R11"),
        ("building", "B01 5 8 0", "ask", "overlap", "R11"),
        ("building", "B01 0 0 0", "ask", "no_own_colour_contact", "R14"),
    ],
)
def test_a_placement_is_refused_for_the_first_reason(by: str, text: str, next_veto: str, code: str, rule: str) -> None:
    refusal = second().refused(by, placement(text, next_veto))
    assert (refusal.code, refusal.rule) == (code, rule)
    assert refusal.message.endswith(".")


@pytest.mark.rule("K8", "R12")
def test_the_first_tile_is_refused_off_the_centre_before_contact_is_asked_for() -> None:
    table = fresh(veto="off")
    refusal = table.refused("courtyard", placement("C01 9 8 0"))
    assert (refusal.code, refusal.rule, refusal.hint) == ("must_cover_centre", "R12", "The centre is (8, 8).")


@pytest.mark.rule("K8", "R21", "R22", "K4")
def test_an_announced_veto_is_refused_before_the_place_is_looked_at() -> None:
    nowhere = "B01 99 99 9"
    for chosen in ({"veto": "off"}, {"veto_timing": "after"}):
        refusal = second(**chosen).refused("building", placement(nowhere, "veto"))
        assert (refusal.code, refusal.rule) == ("veto_not_available", "R22")
    table = fresh()
    table.veto("building")
    table.place("C02 8 8 0")
    refusal = table.refused("building", placement(nowhere, "veto"))
    assert refusal.code == "wrong_phase"
    table.waive("courtyard")
    refusal = table.refused("building", placement(nowhere, "veto"))
    assert (refusal.code, refusal.rule) == ("veto_token_spent", "R21")
    table = replayed(by_id("game")["G4"], 29)
    table.waive("courtyard")
    refusal = table.refused("building", placement("B03 99 99 9", "veto"))
    assert (refusal.code, refusal.rule) == ("veto_last_tile", "R22")


@pytest.mark.rule("K8", "R24")
def test_a_veto_decision_is_refused_for_the_first_reason() -> None:
    table = fresh()
    for by, tile, code, rule in (
        ("courtyard", "C09", "not_your_turn", "R24"),
        ("building", "C09", "stale_tile", "R22"),
        ("building", "nonsense", "stale_tile", "R22"),
    ):
        refusal = table.refused(by, DecideVeto(tile, VetoDecision.VETO))
        assert (refusal.code, refusal.rule) == (code, rule)
    table.waive("building")
    refusal = table.refused("courtyard", DecideVeto("C09", VetoDecision.VETO))
    assert (refusal.code, refusal.rule) == ("wrong_phase", "R22")


@pytest.mark.rule("K8", "R18")
@pytest.mark.parametrize("seat", [-2, -1, 2, BIG])
def test_who_has_no_seat_does_nothing(seat: int) -> None:
    table = second()
    assert GAME.legal(table.state, seat).commands == ()
    for command in GAME.legal(table.state, 1).commands:
        with pytest.raises(Illegal) as refusal:
            GAME.decide(table.state, seat, command, SeededChance(b"k", 0))
        assert refusal.value.code == "not_your_turn"


@pytest.mark.rule("K8")
def test_nothing_is_accepted_after_the_end() -> None:
    table = replayed(by_id("game")["G5"], 30)
    for side in ("courtyard", "building"):
        assert table.refused(side, DecideVeto("C06", VetoDecision.WAIVE)).code == "wrong_phase"
        assert table.refused(side, placement("C06 0 0 0")).code == "wrong_phase"


@pytest.mark.rule("K8")
@pytest.mark.parametrize(
    "text",
    [
        '{"type":"PlaceTile","tile":"C01","x":8,"y":8,"o":0,"next_veto":"maybe"}',
        '{"type":"PlaceTile","tile":"C01","x":"8","y":8,"o":0}',
        '{"type":"PlaceTile","tile":"C01","x":8,"y":8}',
        '{"type":"PlaceTile","tile":"C01","x":8,"y":8,"o":0,"force":true}',
        '{"type":"DecideVeto","tile":"C01","decision":"ask"}',
        '{"type":"Pass"}',
    ],
)
def test_what_is_no_command_at_all_is_refused_before_the_rules(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=ToscanaCommand)


@pytest.mark.rule("R10")
@pytest.mark.parametrize("tile", TILE_IDS)
def test_a_half_turn_of_a_symmetric_tile_is_spelt_one_way(tile: str) -> None:
    symmetric = tile[1:] in ("07", "12", "15", "16")
    for o in (-1, 0, 1, 2, 3, 4, BIG):
        command = PlaceTile(tile, 3, 4, o, NextVeto.WAIVE)
        wanted = o - 2 if symmetric and o in (2, 3) else o
        assert GAME.normal(command) == PlaceTile(tile, 3, 4, wanted, NextVeto.WAIVE)
        assert GAME.normal(GAME.normal(command)) == GAME.normal(command)
    decision = DecideVeto(tile, VetoDecision.VETO)
    assert GAME.normal(decision) is decision


ANY_INT = st.one_of(st.integers(-2, 18), st.integers(-BIG, BIG))
ANY_COMMAND: Any = st.one_of(
    st.builds(
        PlaceTile,
        st.one_of(st.sampled_from(["B01", "B07"]), st.text(max_size=4)),
        ANY_INT,
        ANY_INT,
        st.one_of(st.integers(0, 3), ANY_INT),
        st.sampled_from(NextVeto),
    ),
    st.builds(DecideVeto, st.sampled_from([*TILE_IDS[:3], ""]), st.sampled_from(VetoDecision)),
)


@pytest.mark.rule("K8")
@settings(max_examples=200, deadline=None, derandomize=True)
@over(command=ANY_COMMAND, seat=st.integers(-2, 2), top=st.sampled_from(["B01", "B07"]))
def test_whatever_is_not_listed_is_refused_and_what_is_listed_is_done(command: Any, seat: int, top: str) -> None:
    table = Table(Piles(TILE_IDS[:16], [top, *TILE_IDS[16:]]))
    table.place("C01 8 8 0", "waive")
    before = table.state
    command = GAME.normal(command)
    if command in GAME.legal(before, seat).commands:
        assert GAME.decide(before, seat, command, SeededChance(b"k", 1))
    else:
        with pytest.raises(Illegal) as refusal:
            GAME.decide(before, seat, command, SeededChance(b"k", 1))
        assert refusal.value.rule in CODES[refusal.value.code]
    assert table.state == before


def test_hints_say_what_would_be_right() -> None:
    table = second()
    for o in (0, 2):
        hint = table.refused("building", placement(f"B01 16 0 {o}")).hint
        assert hint == "In this orientation x is at most 13 and y at most 15."
    for o in (1, 3):
        hint = table.refused("building", placement(f"B01 0 16 {o}")).hint
        assert hint == "In this orientation x is at most 15 and y at most 13."
    assert table.refused("building", placement("B02 0 0 0")).hint == "B01 is."
    assert table.refused("building", placement("B01 0 0 4")).hint == "It is 0, 1, 2 or 3 quarter turns."
    assert table.refused("building", placement("B01 0 0 0")).hint.endswith("its two squares of the other colour.")
    any_colour = second(contact="any_colour")
    refusal = any_colour.refused("building", placement("B01 0 0 0"))
    assert refusal.message == "B01 at (0, 0) touches no square of like colour."
    assert refusal.hint == "Corners do not count."
    assert fresh().refused("building", DecideVeto("C02", VetoDecision.VETO)).hint == "It is about C01."
    assert fresh().refused("courtyard", DecideVeto("C01", VetoDecision.VETO)).hint == "Nobody vetoes an own tile."


@pytest.mark.rule("K8")
@pytest.mark.parametrize(
    ("by", "text", "message"),
    [
        ("courtyard", "C02 6 6 0", "It is building's turn."),
        ("building", "B02 6 6 0", "'B02' is not on top of your pile."),
        ("building", "B01 6 6 7", "7 is no orientation."),
        ("building", "B01 16 6 0", "B01 at (16, 6) sticks out of the board."),
        ("building", "B01 8 8 0", "B01 at (8, 8) would cover a tile that is laid."),
        ("building", "B01 0 1 0", "B01 at (0, 1) touches no building square with a building square."),
        ("building", "", "No veto decision is awaited now."),
    ],
)
def test_messages_say_what_was_wrong(by: str, text: str, message: str) -> None:
    command: Any = placement(text) if text else DecideVeto("C02", VetoDecision.VETO)
    assert second().refused(by, command).message == message


@pytest.mark.rule("K8")
def test_messages_of_the_first_turn_and_of_vetoes() -> None:
    table = fresh()
    assert table.refused("courtyard", placement("C01 8 8 0")).message == "No placement is awaited now."
    assert table.refused("courtyard", DecideVeto("C01", VetoDecision.VETO)).message == "The decision is building's."
    refusal = table.refused("building", DecideVeto("C02", VetoDecision.VETO))
    assert refusal.message == "The decision is not about 'C02'."
    table.veto("building")
    assert table.refused("courtyard", placement("C02 0 0 0")).message == "The first tile must cover the centre."
    table.place("C02 8 8 0", "waive")
    refusal = table.refused("building", placement("B01 6 6 0", "veto"))
    assert refusal.message == "Your veto of this game is spent."
    refusal = second(veto="off").refused("building", placement("B01 6 6 0", "veto"))
    assert refusal.message == "No veto can be announced at this table."
    table = replayed(by_id("game")["G4"], 29)
    table.waive("courtyard")
    refusal = table.refused("building", placement("B03 7 13 1", "veto"))
    assert refusal.message == "The last tile of a pile cannot be vetoed."
