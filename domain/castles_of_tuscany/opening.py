"""Setup: what is dealt, the three secret choices of every seat, and how they are shown (R3, R4)."""

from domain.castles_of_tuscany import events as e
from domain.castles_of_tuscany.board import STACKS, Board
from domain.castles_of_tuscany.cards import draw_cards
from domain.castles_of_tuscany.course import Course
from domain.castles_of_tuscany.display import replace_five
from domain.castles_of_tuscany.region import (
    ALL_SHIFTS,
    AREA_MAX,
    HALF_SHIFTS,
    arrangements,
    castle_space,
    largest_area,
    region_of,
)
from domain.castles_of_tuscany.state import SLOTS, State, TuscanySetup
from domain.castles_of_tuscany.story import blank
from domain.castles_of_tuscany.supplies import gain_bonus_tile
from domain.castles_of_tuscany.words import (
    BONUSES,
    AnyCommand,
    Arrangement,
    ArrangeRegion,
    ChooseFirstBonusTile,
    ChooseStartCastle,
    Shift,
)
from domain.core.chance import Chance
from domain.core.errors import Illegal
from domain.core.words import Seat

FIRST_CARDS = 5


def opening(setup: TuscanySetup, chance: Chance) -> tuple[e.AnyEvent, ...]:
    """One board of each stack and five region cards for every seat."""
    course = Course(blank(setup), chance)
    piles = {stack: [board.id for board in setup.data.boards if board.stack == stack] for stack in STACKS}
    for seat in range(setup.seats):
        dealt = tuple(chance.pick(f"board_{stack}", pile) for stack, pile in piles.items())
        for pile, board in zip(piles.values(), dealt, strict=True):
            pile.remove(board)
        course.add(e.BoardsDealt(seat, dealt))
    for seat in range(setup.seats):
        draw_cards(course, seat, FIRST_CARDS, "R3.7")
    return tuple(course.events)


def dealt_boards(state: State, seat: Seat) -> tuple[Board, ...]:
    """The boards dealt to a seat."""
    dealt = state.players[seat].dealt
    return tuple(board for board in state.setup.data.boards if board.id in dealt)


def allowed_shifts(state: State) -> tuple[Shift, ...]:
    """How far a board may be shifted against its neighbour (R4.3, and the option)."""
    return ALL_SHIFTS if state.setup.options.lenient_shifts else HALF_SHIFTS


def legal_choices(state: State, seat: Seat) -> tuple[AnyCommand, ...]:
    """The setup choices that the seat has not made yet."""
    player = state.players[seat]
    found: list[AnyCommand] = []
    if not player.arranged:
        ways = arrangements(dealt_boards(state, seat), allowed_shifts(state))
        found += [ArrangeRegion(way.boards, way.turned, way.shifts) for way in ways]
    if not player.castle_chosen:
        found += [ChooseStartCastle(board) for board in player.dealt]
    if not player.bonus_chosen:
        found += [ChooseFirstBonusTile(bonus) for bonus in BONUSES]
    return tuple(found)


def _once(made: bool) -> None:
    if made:
        raise Illegal("already_chosen", "K2", "You have made this choice.", "Setup choices are final.")


def arrange(course: Course, seat: Seat, command: ArrangeRegion) -> None:
    """Join the boards (R4)."""
    player = course.player(seat)
    _once(player.arranged)
    if sorted(command.boards) != sorted(player.dealt):
        raise Illegal("wrong_boards", "R3.8", "A region is made of the three boards dealt to you, each once.")
    if len(command.turned) != len(player.dealt):
        raise Illegal("wrong_turns", "R4.2", "Each of the three boards is turned or not.")
    if len(command.shifts) != len(player.dealt) - 1:
        raise Illegal("wrong_shifts", "R4.3", "There are two joints, so two shifts.")
    if not set(command.shifts) <= set(allowed_shifts(course.state)):
        raise Illegal("wrong_shifts", "R4.3", "Neighbouring boards are shifted by half a hexagon, down or up.")
    arrangement = Arrangement(command.boards, command.turned, command.shifts)
    if largest_area(region_of(course.state.setup.data.boards, arrangement)) > AREA_MAX:
        raise Illegal("area_too_large", "R4.4", "No area of a region may have more than three spaces.")
    course.add(e.RegionArranged(seat, arrangement))
    reveal_if_ready(course)


def choose_castle(course: Course, seat: Seat, command: ChooseStartCastle) -> None:
    """Where the start castle goes (R3.9)."""
    player = course.player(seat)
    _once(player.castle_chosen)
    if command.board not in player.dealt:
        raise Illegal("not_your_board", "R3.9", "The start castle lies on the castle space of one of your boards.")
    course.add(e.StartCastleChosen(seat, command.board))
    reveal_if_ready(course)


def choose_bonus(course: Course, seat: Seat, command: ChooseFirstBonusTile) -> None:
    """The first bonus tile (R3.9)."""
    _once(course.player(seat).bonus_chosen)
    course.add(e.FirstBonusTileChosen(seat, command.bonus))
    reveal_if_ready(course)


def reveal_if_ready(course: Course) -> None:
    """Once all have chosen: show everything, then the bonus tiles, the display, the first player (R3.11, R3.12, K2)."""
    players = course.state.players
    if not all(player.ready for player in players):
        return
    for seat, player in enumerate(players):
        arrangement, board, bonus = player.arrangement, player.castle_board, player.first_bonus
        assert arrangement is not None
        assert board is not None
        assert bonus is not None
        region = region_of(course.state.setup.data.boards, arrangement)
        q, r = region.grid.spaces[castle_space(region, arrangement, board)]
        course.add(e.SetupRevealed(seat, arrangement, board, bonus, q, r))
    for seat, player in enumerate(players):
        assert player.first_bonus is not None
        gain_bonus_tile(course, seat, player.first_bonus, "R3.9")
    course.add(e.DisplayFilled(course.chance.take("neutral_tile", course.state.neutral, SLOTS)[0]))
    replace_five(course)
    first = course.chance.draw("first_player", len(players))
    course.add(e.FirstPlayerDrawn(first))
    course.add(e.TurnBegan(first, 1, 1))
