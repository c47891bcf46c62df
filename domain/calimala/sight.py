"""What a viewer may see, built up from nothing, and a drawing of it."""

from textwrap import wrap
from typing import Final

from domain.calimala.board import BRICK, CLOTH, GROUPS, MARBLE, RESERVE, STREETS, WOOD
from domain.calimala.look import Awaited, CalimalaView, PlayerView
from domain.calimala.rules import moment, outcome, to_act
from domain.calimala.state import Mat, State, owner
from domain.calimala.things import NEUTRAL, SPACES, TILES, Phase, Why
from domain.core.words import ARBITER, Seat, Viewer


def view(state: State, viewer: Viewer) -> CalimalaView:
    """The table as the viewer sees it."""
    now, over = moment(state), outcome(state)
    taken = "".join(_code(seat) if seat is not None else "-" for seat in state.council)
    queued = (owner(state.stacks[state.space][at]) for at in state.queue)
    return CalimalaView(
        viewer=viewer,
        phase=state.phase,
        round=now.round,
        turn=now.turn,
        marker=state.active,
        starting_seat=state.start,
        awaiting=tuple(_awaited(state, seat) for seat in sorted(to_act(state))),
        next_activations=tuple(seat for seat in queued if seat is not None),
        layout=state.layout,
        stacks=tuple(" ".join(stack) for stack in state.stacks),
        stack_limit=state.setup.data.stack,
        neutral_follows=state.neutral_follows,
        slots=tuple(
            f"{group} {''.join(map(_code, row))}{'.' * (capacity - len(row))}"
            for group, row, capacity in zip(GROUPS, state.board, state.capacities, strict=True)
        ),
        tiles=state.tiles,
        scored=state.scored,
        council=taken + "." * (len(TILES) - len(taken)),
        tower=state.tower or "",
        players=tuple(_player(mat, seat, viewer) for seat, mat in enumerate(state.mats)),
        neutral_cubes=state.neutral_cubes,
        box="".join(code * count for code, count in zip("FCH", state.box, strict=True)),
        offer=state.offer,
        deck=state.deck,
        discard=state.discard,
        open_cards=state.open_cards,
        end=state.end,
        places=over.places if over else (),
        decided_by=state.decided_by,
    )


def _code(participant: int) -> str:
    return "N" if participant == NEUTRAL else str(participant)


def _awaited(state: State, seat: Seat) -> Awaited:
    current = state.current
    if state.phase is not Phase.ACTIVATION or current is None:
        return Awaited(seat, state.phase)
    return Awaited(
        seat=seat,
        decision=state.phase,
        space=SPACES[current.space],
        worker=current.worker,
        pending=current.pending,
        why=Why.PLACED if current.placed else Why.REACTIVATED,
        by=current.by,
        must_take=current.placed and not current.taken,
    )


def _player(mat: Mat, seat: Seat, viewer: Viewer) -> PlayerView:
    own = viewer in (seat, ARBITER)
    return PlayerView(
        player=seat,
        points=mat.points,
        wood=mat.cubes[WOOD],
        brick=mat.cubes[BRICK],
        marble=mat.cubes[MARBLE],
        cloth=mat.cubes[CLOTH],
        reserve=mat.cubes[RESERVE],
        workshops=mat.workshops,
        ships=mat.ships,
        houses="".join(code if there else "." for code, there in zip("TBH", mat.houses, strict=True)),
        family_members=mat.supply[0],
        contractors=mat.supply[1],
        hirelings=mat.supply[2],
        hand_size=mat.hand_size,
        held_size=mat.held_size,
        has_chosen=mat.has_chosen,
        has_kept=mat.has_kept,
        hand=mat.hand if own else None,
        held=mat.held if own else None,
        chosen=mat.chosen if own else None,
        kept=mat.kept if own or mat.shown else None,
        away=mat.away if own else None,
    )


# ---- the drawing

_WIDE: Final = 11
_GAP: Final = 10
_NARROW: Final = 100


def sketch(seen: CalimalaView) -> str:
    """The view in characters, at most 100 wide."""
    lines = [
        f"Calimala   round {seen.round}, turn {seen.turn}   marker: seat {seen.marker}   {seen.phase}"
        + (f"   last round: {seen.end}" if seen.end else ""),
        "",
        *_grid(seen),
        "",
        *_slots(seen),
        "",
        *_council(seen),
        "",
        *(line for player in seen.players for line in _mat(player)),
        "",
        *_cards(seen),
        *_waiting(seen),
    ]
    return "\n".join(fitting for line in lines for fitting in _fitting(line)) + "\n"


def _fitting(line: str) -> list[str]:
    """The line, broken where it is too wide for a terminal."""
    short = line.rstrip()
    return [short] if len(short) <= _NARROW else wrap(short, _NARROW, subsequent_indent=" " * 10)


def _grid(seen: CalimalaView) -> list[str]:
    """Actions at the crossings, stacks on the streets between them."""
    lines: list[str] = []
    for row in range(3):
        across = [space for space, (a, b) in enumerate(STREETS) if b == a + 1 and a // 3 == row]
        down = [space for space, (a, b) in enumerate(STREETS) if b == a + 3 and a // 3 == row]
        names = [_centred(seen.layout[3 * row + i], "[]") if seen.layout else "" for i in range(3)]
        first = names[0]
        for space, name in zip(across, names[1:], strict=True):
            first += f"-{SPACES[space]:-<{_GAP}}-" + name
        lines.append("  " + first)
        second = f"  {'':{_WIDE + 2}}"
        for space in across:
            second += f" {seen.stacks[space]:<{_GAP}} " + " " * (_WIDE + 2)
        lines.append(second)
        if down:
            lines.append("  " + (" " * (_GAP + 2)).join(f"{SPACES[s]} {seen.stacks[s]:<{_WIDE - 2}}" for s in down))
            lines.append("")
    return lines


def _centred(name: str, brackets: str) -> str:
    return f"{brackets[0]}{name:^{_WIDE}}{brackets[1]}"


def _slots(seen: CalimalaView) -> list[str]:
    rows = [line.rpartition(" ") for line in seen.slots]
    cells = [f"{name.replace('_', ' '):<29}{codes:<13}" for name, _, codes in rows]
    half = (len(cells) + 1) // 2
    left, right = cells[:half], [*cells[half:], ""]
    return [f"  {a}  {b}" for a, b in zip(left, right, strict=False)]


def _council(seen: CalimalaView) -> list[str]:
    tiles = [
        f"{i + 1:>2}{'*' if i < seen.scored else ' '}{seen.council[i]} {tile}" for i, tile in enumerate(seen.tiles)
    ]
    lines = ["  Palazzo Vecchio: seat number, * if its tile is scored, who sits there, tile"]
    lines += ["  " + "".join(f"{tile:<32}" for tile in tiles[i : i + 3]) for i in range(0, len(tiles), 3)]
    if seen.tower:
        lines.append(f"  in the tower, to be seated in the scoring step: {seen.tower}")
    if len(seen.council) > len(TILES):
        lines.append(f"  left in the tower: {seen.council[len(TILES) :]}")
    return lines


def _mat(player: PlayerView) -> list[str]:
    goods = f"wood {player.wood} brick {player.brick} marble {player.marble} cloth {player.cloth}"
    built = f"workshops {player.workshops} ships {player.ships} houses {player.houses}"
    supply = f"supply F{player.family_members} C{player.contractors} H{player.hirelings}"
    lines = [
        f"  seat {player.player}:{player.points:>3} points   {goods}   {built}",
        f"          {supply}   reserve {player.reserve}   Action cards {player.hand_size}",
    ]
    if player.hand is not None:
        lines.append("          hand: " + (", ".join(player.hand) or "none"))
    if player.held:
        lines.append("          Scoring cards: " + ", ".join(player.held))
    if player.kept is not None:
        lines.append(f"          kept: {player.kept}")
    return lines


def _cards(seen: CalimalaView) -> list[str]:
    lines = [f"  deck {seen.deck}, discarded {len(seen.discard)}, neutral cubes {seen.neutral_cubes}"]
    if seen.offer:
        lines.append("  on offer: " + ", ".join(seen.offer))
    if seen.open_cards:
        lines.append("  open Scoring cards: " + ", ".join(seen.open_cards))
    return lines


def _waiting(seen: CalimalaView) -> list[str]:
    lines = []
    for awaited in seen.awaiting:
        line = f"  seat {awaited.seat} must decide: {awaited.decision}"
        if awaited.space is not None:
            line += f" on {awaited.space}, {awaited.worker} {awaited.why}"
            line += f" by seat {awaited.by}, pending: {', '.join(awaited.pending) or 'nothing'}"
        lines.append(line)
    if seen.places:
        lines.append("  places: " + ", ".join(f"seat {seat}: {place}" for seat, place in enumerate(seen.places)))
    return lines
