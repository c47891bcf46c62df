"""What viewers see, and the table drawn in a terminal."""

import msgspec
import pytest

from domain.core.secrecy import hidden_fields, members
from domain.core.words import ARBITER, GALLERY
from domain.majolica import GAME
from domain.majolica import commands as c
from domain.majolica.sight import MajolicaView, MarketCard, SlotView
from tests.games.majolica.helpers import discard, line, play, player, setup, state, tile
from tests.support.play import play as played


def table():
    return state(
        player("RRRBB YY R* -", "ST4[BY|R] D07[R*|BY] -", finished="D01 D02", one_points=2, last_turn=5),
        player("- - - G", "- - ST1[|BYG]", last_turn=6),
        grid="BRYG RYGB GYB. G..Y",
        market="D45 - D19 - - D50",
        turn=7,
        round=2,
        holder=1,
        hall_points=1,
    )


def test_no_word_hides_anything_and_all_viewers_see_the_same() -> None:
    assert not any(hidden_fields(word) for word in (*members(GAME.event), *members(GAME.command)))
    seen = {GAME.view(table(), viewer) for viewer in (0, 1, GALLERY, ARBITER)}
    assert len(seen) == 1


def test_the_view_holds_the_whole_table() -> None:
    seen = GAME.view(table(), 0)
    assert (seen.phase, seen.deciding, seen.round, seen.round_limit, seen.turn) == ("select", 0, 2, 40, 7)
    assert (seen.start_token, seen.grid, seen.face_up) == (1, ("BRYG", "RYGB", "GYB.", "G..Y"), 13)
    assert seen.market == (
        MarketCard(0, "D45", "RRRBBB", 8),
        MarketCard(1, "", "", 0),
        MarketCard(2, "D19", "BBYYR", 6),
        MarketCard(3, "", "", 0),
        MarketCard(4, "", "", 0),
        MarketCard(5, "D50", "YYYGGG", 8),
    )
    assert (seen.pile, seen.start_offer, seen.hall_jokers, seen.hall_one_points) == (44, (), 3, 1)
    assert (seen.taken, seen.overflow, seen.excess, seen.running, seen.bonuses) == ("", 0, 0, 0, 0)
    assert (seen.joker_held, seen.ended_by) == (False, "")
    first, second = seen.players
    assert first.workshops == ("RRRBB", "YY", "R*", "")
    assert first.slots == (
        SlotView(1, "ST4", "BY", "R", 3),
        SlotView(2, "D07", "R*", "BY", 5),
        SlotView(3, "", "", "", 0),
    )
    assert (first.seat, first.ready, first.finished, first.one_points) == (0, (), ("D01", "D02"), 2)
    assert (first.start_card, first.last_turn, first.score) == ("", 5, 10 + 2 + 2)
    assert (second.seat, second.score, second.last_turn) == (1, 0, 6)


def test_the_view_shows_what_is_open_in_a_turn() -> None:
    now, _ = play(table(), line((1, 1), (1, 2), (1, 3), (1, 4)))
    seen = GAME.view(now, 0)
    assert (seen.phase, seen.taken, seen.grid[0]) == ("place", "RBYG", "....")
    now, _ = play(now, c.PlaceTiles(1))
    seen = GAME.view(now, 0)
    assert (seen.phase, seen.overflow, seen.excess, seen.taken) == ("discard", 1, 3, "")
    assert seen.players[0].ready == ()
    now, _ = play(
        now,
        discard("BYG"),
    )
    ready = state(player("RRRBBB - RRB -", "D01[|RRBB] - -"), bonuses=1)
    now, _ = play(ready, tile(1, 1), c.KeepCards(), c.PlaceTiles(3))
    seen = GAME.view(now, 0)
    assert (seen.phase, seen.bonuses, seen.players[0].ready, seen.players[1].ready) == ("resolve", 1, (1, 3), ())
    now, _ = play(now, c.RunWorkshop(1))
    seen = GAME.view(now, 0)
    assert (seen.phase, seen.running, seen.players[0].ready) == ("deliver", 1, ())


def test_the_view_shows_start_cards_and_a_claimed_joker_and_the_end() -> None:
    opened = played(GAME, 2, 1, commits=0).state
    assert sorted(p.start_card for p in GAME.view(opened, 0).players) <= ["ST1", "ST2", "ST3", "ST4"]
    assert all(p.start_card for p in GAME.view(opened, 0).players)
    now, _ = play(state(player("- - - RRR")), tile(1, 2), c.PlaceTiles(4), c.ClaimJoker())
    assert GAME.view(now, 0).joker_held
    over = played(GAME, 2, 1, round_limit=1).state
    seen = GAME.view(over, 0)
    assert (seen.phase, seen.deciding, seen.ended_by, seen.turn) == ("over", None, "round_limit", over.turn - 1)


def test_a_view_survives_json() -> None:
    seen = GAME.view(table(), 0)
    assert msgspec.json.decode(msgspec.json.encode(seen), type=MajolicaView) == seen


SKETCH = """\
Majolica   round 2 of at most 40, turn 7   seat 0: select

      1 2 3 4      market (44 in the pile)    City Hall: 3 jokers, 1 one-point tiles
    1 B R Y G      0: D45  RRRBBB 8      3: -
    2 R Y G B      1: -                  4: -
    3 G Y B .      2: D19  BBYYR  6      5: D50  YYYGGG 8
    4 G . . Y

> seat 0   score 14   one-point tiles 2
    W1 [RRRBB ]  W2 [YY    ]  W3 [R*    ]  W4 [      ]
    ST4[BY|R]3   D07[R*|BY]5  -
    completed: D01 D02

  seat 1 (start player)   score 0   one-point tiles 0
    W1 [      ]  W2 [      ]  W3 [      ]  W4 [G     ]
    -            -            ST1[|BYG]3
    completed: none"""


def test_the_table_drawn() -> None:
    assert GAME.sketch(GAME.view(table(), 0)) == SKETCH


def headline(now) -> str:
    return GAME.sketch(GAME.view(now, 0)).splitlines()[0].split("   ")[2]


def test_the_headline_says_what_is_asked() -> None:
    now, _ = play(table(), line((1, 1), (1, 2), (1, 3), (1, 4)))
    assert headline(now) == "seat 0: place, taken RBYG"
    now, _ = play(now, c.PlaceTiles(1))
    assert headline(now) == "seat 0: discard, discard 3 from workshop 1"
    now, _ = play(state(player("RRRBBB - - -", "D01[RBB|R] - -")), tile(1, 1), c.KeepCards(), c.PlaceTiles(2))
    assert headline(now) == "seat 0: ship, workshop 1 runs, bonuses 1"
    assert headline(played(GAME, 2, 1, round_limit=1).state) == "over: round limit"
    first = played(GAME, 2, 1, commits=0).state
    assert headline(first) == f"seat {first.seat}: start card"


def test_the_sketch_marks_what_is_ready_and_what_start_cards_there_are() -> None:
    now, _ = play(state(player("RRRBBB - RRB -")), tile(1, 1), c.PlaceTiles(3))
    assert "    W1![RRRBBB]  W2 [      ]  W3![RRBB  ]  W4 [      ]" in GAME.sketch(GAME.view(now, 0))
    opened = played(GAME, 2, 1, commits=0, start_card="chosen").state
    assert "    start cards on offer: ST1 ST2 ST3 ST4" in GAME.sketch(GAME.view(opened, 0)).splitlines()
    dealt = played(GAME, 2, 1, commits=0).state
    assert f"   to place: {dealt.players[0].dealt}" in GAME.sketch(GAME.view(dealt, 0))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_sketch_fits_a_terminal(seats: int) -> None:
    for step in played(GAME, seats, seats, round_limit=3).steps:
        for row in GAME.sketch(GAME.view(step.state, GALLERY)).splitlines():
            assert len(row) <= 100
            assert row == row.rstrip()
    assert setup(seats).seats == seats
