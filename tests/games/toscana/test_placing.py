"""Where a tile may be laid: the counts, verdicts and trees of the rules dossier."""

from itertools import product

import pytest

from domain.core.chance import ScriptedChance
from domain.core.errors import Illegal
from domain.toscana import GAME
from domain.toscana.board import TILE_IDS
from domain.toscana.placing import anchors
from domain.toscana.state import OTHER, State
from domain.toscana.words import NextVeto, PlaceTile, TilePlaced
from tests.games.toscana.table import ORACLES, SEAT, by_id, distinct, given, options, side_of, with_top

FIRST = ORACLES["first_placement"]
SYMMETRIC = {f"{letter}{n}" for letter in "CB" for n in ("07", "12", "15", "16")}
CANDIDATES = tuple(product(range(17), range(17), range(4)))


def raw(state: State, tile: str) -> int:
    """How many of all spellings of a placement are accepted."""
    state = with_top(state, tile)
    commands = (GAME.normal(PlaceTile(tile, x, y, o)) for x, y, o in CANDIDATES)
    listed = set(map(str, GAME.legal(state, SEAT[side_of(tile)]).commands))
    return sum(str(command) in listed for command in commands)


@pytest.mark.rule("R1", "R10", "R12")
@pytest.mark.parametrize("tile", TILE_IDS)
def test_the_first_tile_covers_the_centre(tile: str) -> None:
    state = given([])
    expected = FIRST["distinct_symmetric"] if tile in SYMMETRIC else FIRST["distinct_asymmetric"]
    assert len(distinct(state, tile)) == expected
    assert raw(state, tile) == FIRST["raw"]


@pytest.mark.rule("R1", "R11", "K7")
@pytest.mark.parametrize("tile", TILE_IDS)
def test_the_first_tile_lies_anywhere_by_option(tile: str) -> None:
    state = given([], options(first_tile="free"))
    expected = FIRST["free_distinct_symmetric"] if tile in SYMMETRIC else FIRST["free_distinct_asymmetric"]
    assert len(distinct(state, tile)) == expected
    assert raw(state, tile) == FIRST["free_raw"]


@pytest.mark.rule("R14", "R17")
@pytest.mark.parametrize(("x", "y", "o"), [(8, 8, 0), (7, 5, 3), (5, 7, 2), (8, 6, 1)])
def test_the_second_tile_has_as_many_placements_wherever_the_first_lies(x: int, y: int, o: int) -> None:
    table = ORACLES["second_placement"]["distinct"]
    for first, second in product(range(16), range(16)):
        for own, other in ("CB", "BC"):
            state = given([{"tile": f"{own}{first + 1:02}", "x": x, "y": y, "o": o}])
            tile = f"{other}{second + 1:02}"
            assert sum(map(int.bit_count, anchors(state, side_of(tile), tile))) == table[first][second]
    assert min(map(min, table)) == ORACLES["second_placement"]["minimum"]
    assert max(map(max, table)) == ORACLES["second_placement"]["maximum"]


@pytest.mark.rule("R13", "R14", "R15")
@pytest.mark.parametrize("contact", ["own", "any"])
@pytest.mark.parametrize("name", by_id("position"))
def test_counts_of_placements_in_fixed_positions(name: str, contact: str) -> None:
    oracle = by_id("position")[name]
    state = given(oracle["placed"], options(contact=f"{contact}_colour"))
    found = {row["tile"]: (len(distinct(state, row["tile"])), raw(state, row["tile"])) for row in oracle["counts"]}
    assert found == {row["tile"]: (row[f"{contact}_distinct"], row[f"{contact}_raw"]) for row in oracle["counts"]}


@pytest.mark.rule("R10", "R11", "R12", "R13", "R14", "R15", "K8")
@pytest.mark.parametrize("name", by_id("legality"))
def test_verdicts_on_single_placements(name: str) -> None:
    oracle = by_id("legality")[name]
    wanted = oracle["try"]
    chosen = options(contact=oracle.get("contact", "own_colour"), veto="off")
    state = with_top(given(oracle["placed"], chosen), wanted["tile"])
    command = GAME.normal(PlaceTile(**wanted))
    if oracle["legal"]:
        placed = GAME.decide(state, SEAT[side_of(wanted["tile"])], command, ScriptedChance(0, 0))[0]
        assert isinstance(placed, TilePlaced)
        assert placed.o == (wanted["o"] % 2 if wanted["tile"] in SYMMETRIC else wanted["o"])
    else:
        with pytest.raises(Illegal) as refusal:
            GAME.decide(state, SEAT[side_of(wanted["tile"])], command, ScriptedChance())
        assert refusal.value.code == oracle["error"]


@pytest.mark.rule("R10", "R14")
@pytest.mark.parametrize("name", by_id("tree"))
def test_sizes_of_trees_of_placements(name: str) -> None:
    oracle = by_id("tree")[name]
    level = [given([])]
    nodes = []
    for tile in oracle["order"]:
        side = side_of(tile)
        nodes.append(sum(sum(map(int.bit_count, anchors(state, side, tile))) for state in level))
        if len(nodes) < len(oracle["order"]):
            level = [
                GAME.evolve(state, TilePlaced(seat=SEAT[side], side=side, ordinal=1, tile=tile, x=x, y=y, o=o))
                for state in level
                for x, y, o in distinct(state, tile)
            ]
    assert nodes == oracle["nodes"]


def scanned(state: State, tile: str, *, any_colour: bool) -> set[tuple[int, int, int]]:
    """The placements found square by square, with nothing of the engine's bit boards."""
    board = colours(state)
    own, picture = tile[0].replace("C", "c"), GAME.data(options(), 2).tiles[TILE_IDS.index(tile)].picture
    found = set()
    for x, y, o in CANDIDATES:
        if tile in SYMMETRIC and o > 1:
            continue
        squares = {}
        for row, letters in enumerate(picture.split("/")):
            for column, letter in enumerate(letters):
                c, r = column, row
                w, h = 4, 2
                for _ in range(o):
                    c, r, w, h = h - 1 - r, c, h, w
                squares[x + c, y + r] = letter
        if any(board.get(s, "x") != "." for s in squares):
            continue
        touch = any(
            board.get((sx + dx, sy + dy)) == letter and (letter == own or any_colour)
            for (sx, sy), letter in squares.items()
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        )
        if touch if state.laid else (8, 8) in squares:
            found.add((x, y, o))
    return found


def colours(state: State) -> dict[tuple[int, int], str]:
    rows = GAME.view(state, -1).colours
    return {(x, y): rows[y][x] for x in range(17) for y in range(17)}


@pytest.mark.rule("R11", "R13", "R14", "R15")
@pytest.mark.parametrize("name", by_id("game"))
def test_bit_boards_find_what_a_scan_square_by_square_finds(name: str) -> None:
    game = by_id("game")[name]
    placed = [step for step in game["steps"] if step["do"] == "place"]
    for n in range(0, len(placed), 4):
        for contact in ("own_colour", "any_colour"):
            state = given(placed[:n], options(contact=contact))
            tile = placed[n]["tile"]
            assert distinct(state, tile) == scanned(state, tile, any_colour=contact == "any_colour")


@pytest.mark.rule("R10")
def test_the_legal_list_is_in_order_and_says_each_placement_once_per_decision() -> None:
    state = with_top(given([{"tile": "C01", "x": 8, "y": 8, "o": 0}]), "B01")
    spots = sorted(distinct(state, "B01"), key=lambda spot: (spot[2], spot[1], spot[0]))
    assert GAME.legal(state, 1).commands == tuple(
        PlaceTile("B01", *spot, decision) for decision in NextVeto for spot in spots
    )
    assert GAME.legal(state, SEAT[OTHER[side_of("B01")]]).commands == ()
