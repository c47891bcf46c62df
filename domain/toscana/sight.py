"""What is shown of a match of Toscana: the same to everybody, since nothing is hidden (R33)."""

from domain.core.words import Viewer
from domain.toscana.board import SIZE, STRIDE, anchor
from domain.toscana.course import games
from domain.toscana.placing import shapes_of
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
    colours, numbers = _grids(state)
    return View(
        game=state.game,
        games=games(state),
        phase=state.phase,
        awaited=None if side is None else state.camp(side).seat,
        side=state.side,
        against=state.against,
        turn=turn_number(state),
        passes=state.passes,
        colours=colours,
        numbers=numbers,
        tiles=tuple(f"{laid.tile} {laid.x} {laid.y} {laid.o}" for laid in state.laid),
        courtyard=_pile(state, Side.COURTYARD),
        building=_pile(state, Side.BUILDING),
        results=tuple(
            FinishedGame(
                game=g.game, courtyard_score=g.courtyard_score, building_score=g.building_score, result=g.result
            )
            for g in state.results
        ),
    )


def _grids(state: State) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The board's colours, and its tiles' numbers."""
    colours = ["."] * (STRIDE * SIZE)
    numbers = colours.copy()
    for digit, laid in zip(DIGITS, state.laid, strict=False):
        shape = shapes_of(state, laid.tile)[laid.o]
        at = anchor(laid.x, laid.y)
        own, other = "cB" if laid.tile[0] == "C" else "Bc"
        for i in shape.dominant:
            colours[at + i] = own
            numbers[at + i] = digit
        for i in shape.minority:
            colours[at + i] = other
            numbers[at + i] = digit
    return _rows(colours), _rows(numbers)


def _rows(squares: list[str]) -> tuple[str, ...]:
    text = "".join(squares)
    return tuple(text[STRIDE * y : STRIDE * y + SIZE] for y in range(SIZE))


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
        f"game {g.game}: courtyard (seat {g.courtyard_score.seat}) {g.courtyard_score.points},"
        f" building (seat {g.building_score.seat}) {g.building_score.points}: {g.result}"
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
