"""Region cards and production cards: drawing, reshuffling, and what a production card gives (R6, R13)."""

from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.board import ProductionCard
from domain.castles_of_tuscany.course import Course
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.supplies import gain_marble, gain_wild_hex, gain_workers
from domain.castles_of_tuscany.words import KINDS, Bonus, Kind, Track
from domain.core.words import Seat

MONASTERY_CARDS = 3


def deck_content(state: State) -> list[Kind]:
    """The region cards in the deck, in the order of kinds: those neither discarded nor in a hand. Needs every hand."""
    left = list(state.setup.data.region_cards)
    for pile in (state.region_discards, *(player.hand or () for player in state.players)):
        for index, count in enumerate(pile):
            left[index] -= count
    return [kind for kind, count in zip(KINDS, left, strict=True) for _ in range(count)]


def draw_action(course: Course, seat: Seat) -> None:
    """The draw action (R6.1)."""
    count = course.state.setup.options.base_cards + course.player(seat).bonus(Bonus.PLUS_CARD)
    draw_cards(course, seat, count, "R6.1")


def draw_cards(course: Course, seat: Seat, count: int, rule: str) -> None:
    """Draw region cards, reshuffling the discards when the deck is empty, as far as there are any (R6.3)."""
    left = count
    while left:
        if not course.state.region_deck:
            discards = sum(course.state.region_discards)
            if not discards:
                break
            course.add(e.RegionDeckReshuffled(discards))
        here = min(left, course.state.region_deck)
        cards, _ = course.chance.take("region_card", deck_content(course.state), here)
        course.add(e.RegionCardsDrawn(seat, cards, here, rule))
        left -= here
    if left == count:
        course.add(e.RegionCardsDrawn(seat, (), 0, rule))


def turn_up_production(course: Course, seat: Seat) -> None:
    """Turn up and resolve production cards one after another (R9.8, R13)."""
    for _ in range(1 + course.player(seat).bonus(Bonus.PLUS_PRODUCTION_CARD)):
        if not course.state.production_deck:
            course.add(e.ProductionDeckReshuffled(len(course.state.production_discards)))
        name = course.chance.pick("production_card", course.state.production_deck)
        _resolve(course, seat, next(card for card in course.state.setup.data.production if card.id == name))


def _resolve(course: Course, seat: Seat, card: ProductionCard) -> None:
    track = Track.RED if card.gain == "red_points" else Track.GREEN
    points = card.amount if card.gain in ("red_points", "green_points") else 0
    course.add(e.ProductionCardRevealed(seat, card.id, points, track, "R13.3"))
    if card.gain == "region_cards":
        draw_cards(course, seat, card.amount, "R13.3")
    elif card.gain == "marble":
        gain_marble(course, seat, card.amount, "R13.3")
    elif card.gain == "workers":
        gain_workers(course, seat, card.amount, "R13.3")
    elif card.gain == "wild_hexes":
        gain_wild_hex(course, seat, "R13.3")
