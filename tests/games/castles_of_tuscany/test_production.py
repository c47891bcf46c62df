"""Production cards: faces, several for one carriage, reshuffling."""

import pytest
from msgspec.structs import replace

from domain.castles_of_tuscany import GAME
from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.words import PlaceFromDisplay, Track
from tests.games.castles_of_tuscany.table import having, names, of, when
from tests.games.castles_of_tuscany.test_effects import placed, placing, ready
from tests.support.play import fold

PRODUCTION = [
    ("draw_3", (0, 0, 0), {"hand_size": 3}, "RegionCardsDrawn"),
    ("marble_1", (), {"marble": 1}, "MarbleGained"),
    ("worker_1", (), {"workers": 1}, "WorkersGained"),
    ("red_3", (), {"red": 3}, None),
    ("green_2", (), {"green": 3}, None),
    ("wild_hex_1", (), {"storage": ("wild_hex",)}, "WildHexGained"),
]


@pytest.mark.rule("R9.8", "R13.1", "R13.3", "R10.5")
@pytest.mark.parametrize(("face", "script", "gain", "event"), PRODUCTION)
def test_production_cards(face: str, script: tuple[int, ...], gain: dict[str, object], event: str | None) -> None:
    """The bonus tiles for marble, workers and cards do not apply to what a production card gives."""
    state = ready("carriage", bonus={"plus_card": 1, "plus_marble": 1, "plus_worker": 1})
    events = placing(state, "carriage", face, *script)
    follow = names(events)[names(events).index("ProductionCardRevealed") + 1]
    assert follow == (event or "TurnEnded")
    after = fold(GAME, state, events)
    for name, value in gain.items():
        assert getattr(after.players[0], name) == value
    assert after.production_discards == (face,)
    assert len(after.production_deck) == 26
    points = 3 if face == "red_3" else 2 if face == "green_2" else 0
    track = Track.RED if face == "red_3" else Track.GREEN
    assert of(events, e.ProductionCardRevealed) == [e.ProductionCardRevealed(0, face, points, track, "R13.3")]
    for gained in of(events, e.RegionCardsDrawn, e.MarbleGained, e.WorkersGained, e.WildHexGained):
        assert gained.rule == "R13.3"


@pytest.mark.rule("R9.3", "R13.3")
def test_w3_a_wild_hex_by_production_card_without_room() -> None:
    state = having(placed(ready("castle"), "castle"), 0, storage=("village",))
    events = when(state, 0, PlaceFromDisplay(3, 1, -1), "city", "wild_hex_1")
    assert of(events, e.PointsInsteadOfWildHex) == [e.PointsInsteadOfWildHex(0, 2, Track.RED, "R9.3")]
    after = fold(GAME, state, events)
    assert (after.players[0].red, after.players[0].storage) == (2, ("village",))


@pytest.mark.rule("R9.8", "R10.1", "R10.2")
def test_w3_three_plus_production_card_turn_up_four() -> None:
    state = ready("carriage", bonus={"plus_production_card": 3})
    events = placing(state, "carriage", "red_3", "marble_1", "red_3", "green_2")
    assert [event.card for event in of(events, e.ProductionCardRevealed)] == ["red_3", "marble_1", "red_3", "green_2"]
    assert names(events)[3:8] == [
        *("ProductionCardRevealed", "ProductionCardRevealed", "MarbleGained", "ProductionCardRevealed"),
        "ProductionCardRevealed",
    ]
    after = fold(GAME, state, events)
    assert (after.players[0].red, after.players[0].green, after.players[0].marble) == (6, 3, 1)


@pytest.mark.rule("R13.2", "K5")
def test_a_production_reshuffle_includes_the_cards_just_resolved() -> None:
    state = ready("carriage", bonus={"plus_production_card": 1})
    rest = list(state.production_deck)
    rest.remove("green_2")
    state = replace(state, production_deck=("green_2",), production_discards=tuple(rest))
    events = placing(state, "carriage", "green_2")
    assert names(events)[3:6] == ["ProductionCardRevealed", "ProductionDeckReshuffled", "ProductionCardRevealed"]
    assert of(events, e.ProductionDeckReshuffled) == [e.ProductionDeckReshuffled(27)]
    after = fold(GAME, state, events)
    assert (len(after.production_deck), after.production_discards) == (26, ("green_2",))


@pytest.mark.rule("R13.1")
def test_production_deck_is_not_reshuffled_before_a_card_is_needed() -> None:
    state = ready("carriage")
    state = replace(state, production_deck=("red_3",), production_discards=state.production_deck[:26])
    events = placing(state, "carriage")
    assert "ProductionDeckReshuffled" not in names(events)
    assert fold(GAME, state, events).production_deck == ()
