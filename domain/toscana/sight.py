"""What is shown of a match of Toscana: the same to everybody, since nothing is hidden (R33)."""

from domain.core.words import Viewer
from domain.toscana.board import SIZE, STRIDE
from domain.toscana.course import games
from domain.toscana.placing import footprint
from domain.toscana.rules import awaited, turn_number
from domain.toscana.scoring import score
from domain.toscana.state import FinishedGame, PileView, State, View
from domain.toscana.words import Phase, Side

DIGITS = "123456789abcdefghijklmnopqrstuvw"
"""The numbers of the tiles on the board, 1 to 32."""


def view(state: State, viewer: Viewer) -> View:
    """The match as the viewer sees it, which is as everybody does."""
    del viewer
    side = awaited(state)
    return View(
        game=state.game,
        games=games(state),
        phase=state.phase,
        awaited=None if side is None else state.camp(side).seat,
        side=state.side,
        against=state.against,
        turn=turn_number(state),
        passes=state.passes,
        colours=_rows([(state.courtyard, "c"), (state.building, "B")]),
        numbers=_rows([(footprint(state, laid), DIGITS[i]) for i, laid in enumerate(state.laid)]),
        tiles=tuple(f"{laid.tile} {laid.x} {laid.y} {laid.o}" for laid in state.laid),
        courtyard=_pile(state, Side.COURTYARD),
        building=_pile(state, Side.BUILDING),
        results=tuple(
            FinishedGame(game=g.game, courtyard=g.courtyard, building=g.building, result=g.result)
            for g in state.results
        ),
    )


def _rows(layers: list[tuple[int, str]]) -> tuple[str, ...]:
    squares = ["."] * (STRIDE * SIZE)
    for layer, letter in layers:
        left = layer
        while left:
            lowest = left & -left
            squares[lowest.bit_length() - 1] = letter
            left ^= lowest
    return tuple("".join(squares[STRIDE * y : STRIDE * y + SIZE]) for y in range(SIZE))


def _pile(state: State, side: Side) -> PileView:
    camp = state.camp(side)
    now = score(state, side, camp.seat)
    return PileView(
        seat=camp.seat,
        top=camp.top,
        left=camp.left,
        rest=camp.rest,
        bottom=camp.bottom,
        token=camp.token,
        points=now.points,
        areas=now.areas,
    )


def sketch(view: View) -> str:
    """Both boards side by side, colours and numbers, with both sides and what is awaited below."""
    ruler = "   " + " ".join(str(x % 10) for x in range(SIZE))
    lines = [_headline(view), "", f"{ruler}    {ruler}"]
    for y, (colours, numbers) in enumerate(zip(view.colours, view.numbers, strict=True)):
        lines.append(f"{y:2} {' '.join(colours)}    {y:2} {' '.join(numbers)}")
    lines.append("")
    for side, pile in ((Side.COURTYARD, view.courtyard), (Side.BUILDING, view.building)):
        token = "veto left" if pile.token else "no veto"
        bottom = f", bottom {' '.join(pile.bottom)}" if pile.bottom else ""
        top = f"{pile.left:2} tiles, top {pile.top or '-'}{bottom}"
        lines.append(f"{side:9} seat {pile.seat}: {pile.points:2} points, {token:9}, {top}")
    lines += [
        f"game {g.game}: courtyard (seat {g.courtyard.seat}) {g.courtyard.points},"
        f" building (seat {g.building.seat}) {g.building.points}: {g.result}"
        for g in view.results
    ]
    return "\n".join(lines)


def _headline(view: View) -> str:
    where = f"Toscana, game {view.game} of {view.games}, turn {view.turn}"
    if view.phase is Phase.FINISHED:
        return f"{where}: over"
    if view.phase is Phase.VETO_DECISION:
        return f"{where}: seat {view.awaited} may veto {view.against}"
    top = (view.courtyard if view.side is Side.COURTYARD else view.building).top
    return f"{where}: {view.side} (seat {view.awaited}) lays {top}"
