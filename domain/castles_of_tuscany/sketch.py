"""A view drawn for a terminal, at most 100 columns wide."""

from itertools import zip_longest
from textwrap import wrap
from typing import Final

import msgspec

from domain.castles_of_tuscany.views import BonusCounts, KindCounts, PlayerView, View

CELL: Final = 3
REGION_WIDTH: Final = 9 * CELL + 4
BLOCK_WIDTH: Final = 49
LINE_WIDTH: Final = 100


def sketch(view: View) -> str:
    """The table, the display, every seat's region and goods, and what is awaited."""
    lines = [_headline(view), *_middle(view), ""]
    blocks = [_block(player, _digits(view)) for player in view.players] + [[""]] * (len(view.players) % 2)
    for left, right in zip(blocks[::2], blocks[1::2], strict=True):
        lines += [f"{a:<{BLOCK_WIDTH}}  {b}".rstrip() for a, b in zip_longest(left, right, fillvalue="")]
        lines.append("")
    if view.arrangements:
        lines += [
            "your boards, unturned, each half a hexagon lower than the one before:",
            *_rows(view.arrangements[0].rows),
        ]
    if view.hand is not None:
        lines.append(f"hand: {_counts(view.hand) or 'empty'}")
    lines += [f"hand of seat {seat}: {_counts(hand) or 'empty'}" for seat, hand in enumerate(view.hands)]
    return "\n".join(line[:LINE_WIDTH].rstrip() for line in [*lines, _awaited(view)])


def _headline(view: View) -> str:
    last = ", the last of its round" if view.last_lap else ""
    return f"The Castles of Tuscany, round {view.round} of 3, lap {view.lap} of at most {view.lap_limit}{last}"


def _middle(view: View) -> list[str]:
    digits = _digits(view)
    slots = [f"{slot} {digits.get(tile, tile) or '-'}" for slot, tile in enumerate(view.display)]
    discards = sum(msgspec.structs.astuple(view.region_discards))
    bonuses = " ".join(f"{bonus.kind.value}:{bonus.points}" for bonus in view.colour_bonuses)
    return [
        "display    " + "   ".join(slots[:4]),
        "           " + "   ".join(slots[4:]),
        f"supply     marble {view.marble}  workers {view.workers}  wild hexes {view.wild_hexes}  tiles {view.neutral}",
        f"cards      deck {view.region_deck}  discards {discards}  production {view.production_deck}",
        f"colours    {bonuses}",
        "crops      " + "   ".join(f"{face.digit} {'+'.join(face.crops)}" for face in view.crop_faces),
        f"bonus      {_counts(view.bonus_tiles)}",
    ]


def _counts(counts: KindCounts | BonusCounts) -> str:
    return "  ".join(f"{name} {count}" for name, count in msgspec.structs.asdict(counts).items() if count)


def _digits(view: View) -> dict[str, str]:
    """Short names of the agriculture tiles: with the digit of their crops, as in drawings."""
    return {face.tile: f"agriculture {face.digit}" for face in view.crop_faces}


def _block(player: PlayerView, digits: dict[str, str]) -> list[str]:
    stored = ", ".join(digits.get(tile, tile) for tile in player.storage) or "empty"
    goods = f"marble {player.marble}  workers {player.workers}"
    return [
        f"seat {player.seat}   green {player.green}  red {player.red}   {goods}",
        f"cards {player.hand_size}   stacks {' '.join(map(str, player.stacks))}   storage of {player.storage_spaces}:",
        *_wrapped(stored),
        *_wrapped(_counts(player.bonus_tiles) or "no bonus tiles"),
        *_region(player),
    ]


def _wrapped(text: str) -> list[str]:
    return wrap(text, BLOCK_WIDTH, initial_indent="  ", subsequent_indent="  ")


def _region(player: PlayerView) -> list[str]:
    if not player.rows:
        made = (
            ("region", player.has_arranged),
            ("castle", player.has_chosen_castle),
            ("bonus", player.has_chosen_bonus),
        )
        return [
            "  boards " + " ".join(player.dealt) + "   " + " ".join(f"{what} {'x' if y else '-'}" for what, y in made)
        ]
    heading = "      " + "".join(f"{q:<{CELL}}" for q in range(9)) + "q"
    labels = [_r_label(player.top + i) for i in range(len(player.rows))]
    return [heading, *(f"{label:>4}{row}" for label, row in zip(labels, _rows(player.rows), strict=True))]


def _rows(rows: tuple[str, ...]) -> list[str]:
    """The drawing with a space more between columns."""
    cells = [[row[2 * q : 2 * q + 2] for q in range(9)] for row in rows]
    return ["  " + "".join(f"{cell:<{CELL}}" for cell in row).rstrip() for row in cells]


def _r_label(doubled: int) -> str:
    """The r of column 0 in this row, where that column has a space in it."""
    return "" if doubled % 2 else f"r{doubled // 2}"


def _awaited(view: View) -> str:
    if view.places:
        return "over: " + ", ".join(f"seat {seat} place {place}" for seat, place in enumerate(view.places))
    asked = f"a payment in {view.paying_for.value} cards" if view.paying_for else view.phase
    return f"awaited: {asked} of seat " + ", ".join(map(str, view.to_act))
