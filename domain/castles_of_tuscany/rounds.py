"""The end of an action, a turn, a lap, a round and the match (R5, R12.3, R14, R15)."""

from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.course import Course
from domain.castles_of_tuscany.state import ROUNDS, Player
from domain.castles_of_tuscany.words import WILD_HEX, Track
from domain.core.words import Seat

CARDS_PER_POINT = 3
TIE_STEPS = ("most_empty_spaces", "fewest_green_points", "fewest_region_cards")


def finish_action(course: Course, seat: Seat) -> None:
    """The action is over with everything it set off: marble may give one more, else the turn ends (R12.3)."""
    if course.player(seat).marble and not course.state.marble_used:
        course.add(e.MarbleOffered(seat, "R12.3"))
    else:
        end_turn(course, seat)


def end_turn(course: Course, seat: Seat) -> None:
    """The next turn, or what a lap's end brings (R14.3, K7)."""
    course.add(e.TurnEnded(seat))
    state = course.state
    following = (seat + 1) % len(state.players)
    first = state.first
    assert first is not None
    if following != first:
        course.add(e.TurnBegan(following, state.round, state.lap))
        return
    over = state.ending and state.round == ROUNDS
    if not over and state.lap >= state.setup.options.lap_limit:
        course.add(e.LapLimitReached(state.lap, "K7"))
        over = True
    if not (over or state.ending):
        course.add(e.TurnBegan(first, state.round, state.lap + 1))
        return
    _score_round(course)
    if over:
        _end_match(course)
    else:
        _begin_round(course, first, state.round + 1)


def _score_round(course: Course) -> None:
    greens = tuple(player.green for player in course.state.players)
    before = tuple(player.red for player in course.state.players)
    after = tuple(green + red for green, red in zip(greens, before, strict=True))
    course.add(e.RoundScored(course.state.round, greens, before, after, "R14.4"))


def _begin_round(course: Course, first: Seat, number: int) -> None:
    state = course.state
    empty = next((seat for seat, player in enumerate(state.players) if not player.stacks[number - 1]), None)
    if empty is not None:
        course.add(e.RoundEndTriggered(empty, number))
    course.add(e.TurnBegan(first, number, state.lap + 1))


def _end_match(course: Course) -> None:
    for seat, player in enumerate(course.state.players):
        wild = player.storage.count(WILD_HEX)
        tiles = len(player.storage) - wild
        cards = player.hand_size // CARDS_PER_POINT
        points = tiles + wild + player.marble + player.workers + cards
        course.add(e.FinalScored(seat, tiles, wild, player.marble, player.workers, cards, points, Track.RED, "R15.1"))
    standings = [_standing(player) for player in course.state.players]
    course.add(
        e.GameEnded(
            tuple(1 + sum(other < own for other in standings) for own in standings),
            tuple(player.red for player in course.state.players),
            "lap_limit" if course.state.limit_reached else "three_rounds",
            _decided_by(standings),
        )
    )


def _standing(player: Player) -> tuple[int, ...]:
    """What is compared for a place, smaller is better (R15.3)."""
    return (-player.red, -player.empty_spaces, player.green, player.hand_size)


def _decided_by(standings: list[tuple[int, ...]]) -> str:
    tied = [standing for standing in standings if standing[0] == min(standings)[0]]
    name = ""
    for step, label in enumerate(TIE_STEPS, 1):
        least = min(standing[step] for standing in tied)
        left = [standing for standing in tied if standing[step] == least]
        if len(left) < len(tied):
            name = label
        tied = left
    return name
