"""The packaged data, what a deck must be like, and the options."""

import tomllib
from pathlib import Path

import msgspec
import pytest

from domain.core.errors import Illegal
from domain.core.game import Setup
from domain.majolica import GAME, deck
from domain.majolica.board import WORKSHOPS, read_components
from domain.majolica.options import ROUND_LIMIT_MOST, Card, Data
from domain.majolica.state import ready
from tests.games.majolica.helpers import player, setup

ORACLES = tomllib.loads((Path(__file__).parent / "oracles.toml").read_text())
STANDARD = deck.DECKS["standard"]


@pytest.mark.rule("R5")
def test_the_workshops_are_those_of_the_rules() -> None:
    assert [
        [shop.capacity, shop.set_count, shop.set_size, shop.deliver_min, shop.deliver_max] for shop in WORKSHOPS
    ] == ORACLES["workshops"]
    assert all(shop.capacity == shop.set_count * shop.set_size for shop in WORKSHOPS)


@pytest.mark.rule("R8", "R9")
def test_the_standard_deck_has_the_promised_totals() -> None:
    data = setup(2).data
    totals = ORACLES["totals"]
    assert len(data.design_cards) == totals["design_cards"]
    assert len(data.start_cards) == totals["start_cards"]
    assert sum(card.points for card in data.design_cards) == totals["points_in_design_cards"]
    assert sum(card.points for card in data.start_cards) == totals["points_in_start_cards"]
    for cells, number in totals["design_cards_by_cells"].items():
        assert sum(len(card.cells) == int(cells) for card in data.design_cards) == number
    for colour in "RBYG":
        assert "".join(card.cells for card in data.design_cards).count(colour) == 62
        assert "".join(card.cells for card in data.start_cards).count(colour) == 3


@pytest.mark.rule("R8")
@pytest.mark.parametrize("family", ORACLES["families"], ids=lambda family: str(family["shape"]))
def test_the_standard_deck_has_its_families(family: dict[str, object]) -> None:
    names = [f"D{n:02}" for n in range(family["first"], family["last"] + 1)]
    cards = [card for card in setup(2).data.design_cards if card.name in names]
    assert [card.name for card in cards] == names
    for card in cards:
        assert sorted((card.cells.count(c) for c in set(card.cells)), reverse=True) == family["shape"]
        assert card.points == family["points"]
    assert len({tuple(sorted(card.cells)) for card in cards}) == len(cards)


@pytest.mark.rule("R9")
def test_each_start_card_lacks_one_colour() -> None:
    assert [(card.name, card.cells, card.points) for card in setup(2).data.start_cards] == [
        ("ST1", "BYG", 3),
        ("ST2", "RYG", 3),
        ("ST3", "RBG", 3),
        ("ST4", "RBY", 3),
    ]


def changed(old: str, new: str) -> str:
    assert old in STANDARD
    return STANDARD.replace(old, new, 1)


BAD = {
    "not TOML": ("start_cards = [", "it is not TOML: ", "R8"),
    "unknown entry": ("colour = 3\n" + STANDARD, "it has an unknown entry 'colour'", "R8"),
    "no design cards": (STANDARD.split("design_cards = [")[0], "it has no list of tables 'design_cards'", "R8"),
    "start cards no list": ("start_cards = 3\ndesign_cards = []", "it has no list of tables 'start_cards'", "R8"),
    "no tables": ("start_cards = [1]\ndesign_cards = []", "it has no list of tables 'start_cards'", "R8"),
    "no id": (changed('{ id = "D07", ', "{ "), "design_cards number 7 has the id None", "R8"),
    "empty id": (changed('"D07"', '""'), "design_cards number 7 has the id ''", "R8"),
    "long id": (changed('"D07"', '"D070000000000"'), "design_cards number 7 has the id 'D070000000000'", "R8"),
    "foreign id": (changed('"D07"', '"Dé7"'), "design_cards number 7 has the id 'Dé7'", "R8"),
    "signs in id": (changed('"D07"', '"D-7"'), "design_cards number 7 has the id 'D-7'", "R8"),
    "number as id": (changed('"ST2"', "2"), "start_cards number 2 has the id 2", "R8"),
    "unknown field": (changed('{ id = "D07",', '{ id = "D07", art = 1,'), "card D07 has an unknown entry 'art'", "R8"),
    "few cells": (
        changed('"D01", cells = ["red", "red", "blue", "blue"]', '"D01", cells = ["red", "red"]'),
        "card D01 must have a list of 3 to 6 cells",
        "R8",
    ),
    "many cells": (
        changed('"D45", cells = [', '"D45", cells = ["red", '),
        "card D45 must have a list of 3 to 6 cells",
        "R8",
    ),
    "cells no list": (
        changed('"D01", cells = ["red", "red", "blue", "blue"]', '"D01", cells = "RRBB"'),
        "card D01 must have a list of 3 to 6 cells, not 'RRBB'",
        "R8",
    ),
    "colour": (
        changed('"ST1", cells = ["blue"', '"ST1", cells = ["purple"'),
        "card ST1 has a cell 'purple', which is none of red, blue, yellow, green",
        "R1",
    ),
    "no colour": (changed('"ST1", cells = ["blue"', '"ST1", cells = [3'), "card ST1 has a cell 3", "R1"),
    "no points": (
        changed('"blue", "blue"], points = 5', '"blue", "blue"], points = 0'),
        "card D01 has the points 0, not a whole number from 1 to 99",
        "R8",
    ),
    "too many points": (
        changed('"blue", "blue"], points = 5', '"blue", "blue"], points = 100'),
        "card D01 has the points 100",
        "R8",
    ),
    "half a point": (
        changed('"blue", "blue"], points = 5', '"blue", "blue"], points = 5.5'),
        "card D01 has the points 5.5",
        "R8",
    ),
    "true points": (
        changed('"blue", "blue"], points = 5', '"blue", "blue"], points = true'),
        "card D01 has the points True",
        "R8",
    ),
    "twice": (changed('"D08"', '"D07"'), "card D07 is there twice", "R8"),
    "start card again": (changed('"D08"', '"ST3"'), "card ST3 is there twice", "R8"),
    "start cards missing": (
        changed('  { id = "ST4", cells = ["red", "blue", "yellow"], points = 3 },\n', ""),
        "it has 3 start cards instead of 4",
        "R9",
    ),
    "start card worth more": (
        changed('"blue", "yellow"], points = 3', '"blue", "yellow"], points = 4'),
        "card ST4 is a start card worth 4 instead of 3",
        "R9",
    ),
    "too small": (
        STANDARD.split("  # 2+1+1")[0].replace('  { id = "D06"', '  # "D06"') + "]\n",
        "it has 5 design cards, not 6 to 200",
        "R7",
    ),
    "totals": (
        changed("points_in_design_cards = 304", "points_in_design_cards = 305"),
        "it promises points_in_design_cards = 305, and the cards give 304",
        "R8",
    ),
    "uneven colours": (
        changed('"D50", cells = ["yellow"', '"D50", cells = ["red"'),
        "promises cells_per_colour_in_design_cards = 62, and the cards give (61, 62, 63)",
        "R8",
    ),
    "unknown total": (STANDARD + "jokers = 3\n", "it has an unknown total 'jokers'", "R8"),
    "totals no table": (
        STANDARD.split("[totals]")[0].replace("start_cards = [", "totals = 3\nstart_cards = [", 1),
        "it has totals that are no table",
        "R8",
    ),
}


@pytest.mark.rule("R1", "R8", "R9")
@pytest.mark.parametrize("name", BAD)
def test_a_bad_deck_is_refused_naming_the_card_and_the_fault(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, fault, rule = BAD[name]
    monkeypatch.setitem(deck.DECKS, "mine", text)
    with pytest.raises(Illegal) as caught:
        GAME.data(GAME.options(deck="mine"), 2)
    assert (caught.value.code, caught.value.rule) == ("bad_deck", rule)
    assert caught.value.message.startswith("The deck 'mine' cannot be played with: ")
    assert fault in caught.value.message


@pytest.mark.rule("R8", "R64")
def test_another_deck_may_be_small_uneven_and_without_totals(monkeypatch: pytest.MonkeyPatch) -> None:
    start = STANDARD.split("design_cards = [")[0]
    rows = [f'{{ id = "X{n}", cells = ["red", "red", "red"], points = {points} }},' for n, points in ((1, 1), (2, 99))]
    rows += [
        f'{{ id = "X{n}", cells = ["red", "red", "red", "red", "red", "blue"], points = 9 }},' for n in range(3, 7)
    ]
    rows[5] = rows[5].replace("X6", "ABCDEFGHIJK6")
    monkeypatch.setitem(deck.DECKS, "small", start + "design_cards = [\n" + "\n".join(rows) + "]\n")
    data = GAME.data(GAME.options(deck="small"), 2)
    names = (*(f"X{n}" for n in range(1, 6)), "ABCDEFGHIJK6")
    assert tuple(card.name for card in data.design_cards) == names
    assert data.design_cards[0] == Card("X1", "RRR", 1)
    assert data.design_cards[-1] == Card("ABCDEFGHIJK6", "RRRRRB", 9)
    state = GAME.blank(Setup(GAME.options(deck="small"), data, 2))
    assert state.pile == names


@pytest.mark.rule("R8")
@pytest.mark.parametrize("name", ["", "nothing", "../standard", "x" * 5000])
def test_an_unknown_deck_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(Illegal) as caught:
        deck.named(name)
    assert (caught.value.code, caught.value.rule, caught.value.hint) == ("unknown_deck", "R8", "Decks: standard.")
    assert len(caught.value.message) < 100


@pytest.mark.rule("R6", "R12")
def test_the_whole_deck_and_all_data_are_part_of_the_setup() -> None:
    data = GAME.data(GAME.options(), 3)
    assert (data.jokers, data.one_points, data.workshops) == (4, 4, WORKSHOPS)
    stored = msgspec.json.decode(msgspec.json.encode(data), type=Data)
    assert stored == data


def test_play_looks_at_the_setup_and_never_at_the_files_of_the_day() -> None:
    """A match under other stored data, as after a correction of the files, goes by what was stored."""
    given = setup(2)
    shops = (given.data.workshops[0], *given.data.workshops[1:])
    wider = msgspec.structs.replace(shops[0], capacity=4, set_count=2, set_size=2)
    data = msgspec.structs.replace(given.data, workshops=(wider, *shops[1:]), design_cards=(Card("Z1", "RRR", 7),))
    blank = GAME.blank(Setup(given.options, data, 2))
    assert blank.pile == ("Z1",)
    full = player("RRBB - - -")
    assert ready(msgspec.structs.replace(blank, players=(full, full))) == (1,)


@pytest.mark.parametrize("option", ORACLES["options"])
def test_every_rule_option_has_its_default_and_its_other_value(option: str) -> None:
    default, other = ORACLES["options"][option]
    assert getattr(GAME.options(), option) == default
    for value in (default, other):
        GAME.data(GAME.options(**{option: value}), 2)
    assert msgspec.convert({option: other}, GAME.options) == GAME.options(**{option: other})


@pytest.mark.rule("M7")
def test_the_round_limit_is_a_house_rule_from_1_on_and_40_unless_chosen() -> None:
    assert GAME.options().round_limit == 40
    for limit in (1, ROUND_LIMIT_MOST):
        GAME.data(GAME.options(round_limit=limit), 2)


@pytest.mark.parametrize(
    ("option", "value", "rule"),
    [
        ("round_limit", 0, "M7"),
        ("round_limit", -5, "M7"),
        ("round_limit", ROUND_LIMIT_MOST + 1, "M7"),
        ("round_limit", True, "M7"),
        ("round_limit", "3", "M7"),
        ("city_hall_tokens", "six", "R12"),
        ("city_hall_reward", "", "R50"),
        ("start_card", "drawn", "R14"),
        ("next_starter", "random", "R65"),
        ("incomplete_counting", "none", "R72"),
        ("empty_slot_run", None, "R44"),
        ("exterior_rule", "middle", "R21"),
        ("deck", "", "R8"),
        ("deck", 7, "R8"),
    ],
)
def test_other_values_are_refused_naming_the_option(option: str, value: object, rule: str) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.data(GAME.options(**{option: value}), 2)
    assert (caught.value.code, caught.value.rule) == ("bad_options", rule)
    assert f"The option {option} " in caught.value.message


COMPONENTS = (Path(__file__).parents[3] / "domain" / "majolica" / "components.toml").read_text()


@pytest.mark.rule("R5", "R12")
@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("number = 1", "number = 2", "^there must be workshops 1, 2, 3 and 4, in that order$"),
        ("capacity = 6\nset_count = 2", "capacity = 5\nset_count = 2", "workshop 1: capacity"),
        (
            "capacity = 4\nset_count = 1\nset_size = 4",
            "capacity = 0\nset_count = 0\nset_size = 4",
            "workshop 4: capacity",
        ),
        (
            "capacity = 4\nset_count = 1\nset_size = 4",
            "capacity = 0\nset_count = 4\nset_size = 0",
            "workshop 4: capacity",
        ),
        ("deliver_min = 1\ndeliver_max = 3", "deliver_min = 4\ndeliver_max = 3", "workshop 2: it must deliver"),
        ("deliver_min = 1\ndeliver_max = 3", "deliver_min = -1\ndeliver_max = 3", "workshop 2: it must deliver"),
        ("deliver_min = 1\ndeliver_max = 3", "deliver_min = 1\ndeliver_max = 6", "workshop 2: it must deliver"),
        ("deliver_min = 0\ndeliver_max = 0", "deliver_min = 0\ndeliver_max = 1", "workshop 4: it has no card slot"),
        ("{ players = 3, tiles = 4 },", "", "^city_hall: by_players must name 2, 3 and 4 players, in that order$"),
        ("tiles = 5", "tiles = 6", "^city_hall: by_players must not go beyond the tiles there are$"),
        ("tiles = 3", "tiles = -1", "^city_hall: by_players must not go beyond the tiles there are$"),
        ("deliver_min = 0", "deliver_least = 0", "deliver_"),
    ],
)
def test_bad_components_are_refused_saying_where(old: str, new: str, fault: str) -> None:
    assert old in COMPONENTS
    with pytest.raises(ValueError, match=fault):
        read_components(COMPONENTS.replace(old, new, 1))


def test_good_components_may_deliver_other_amounts() -> None:
    text = COMPONENTS.replace("deliver_min = 1\ndeliver_max = 3", "deliver_min = 0\ndeliver_max = 5")
    shop = read_components(text).workshops[1]
    assert (shop.deliver_min, shop.deliver_max) == (0, 5)
    read_components(COMPONENTS.replace("tiles = 3", "tiles = 0").replace("tiles = 4", "tiles = 5"))
    flat = "capacity = 4\nset_count = 4\nset_size = 1"
    read_components(COMPONENTS.replace("capacity = 4\nset_count = 1\nset_size = 4", flat))


@pytest.mark.rule("R7")
def test_a_deck_has_up_to_200_design_cards() -> None:
    start = STANDARD.split("design_cards = [")[0]
    rows = [f'{{ id = "X{n}", cells = ["red", "red", "red"], points = 3 }},' for n in range(201)]
    _, design = deck.read("large", start + "design_cards = [" + "\n".join(rows[:200]) + "]")
    assert len(design) == 200
    with pytest.raises(Illegal, match="it has 201 design cards, not 6 to 200"):
        deck.read("larger", start + "design_cards = [" + "\n".join(rows) + "]")
