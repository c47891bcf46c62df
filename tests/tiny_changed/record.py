"""Writes golden matches of Parley, `python -m tests.tiny_changed.record`: those that are not there, and no other.

The matches of version 1 were written by the package as it was before the change (tests.tiny), and are kept.
"""

from pathlib import Path

import tests.tiny
import tests.tiny_changed
from tests.support.golden import GOLDEN, written
from tests.support.play import play

FOLDER: Path = GOLDEN / "parley"
SEEDS = {1: ((3, 14), (3, 47), (4, 4), (4, 50)), 2: ((3, 9), (3, 54), (4, 13), (4, 22))}
"""Matches with ties and bids of 3; the two rounds of (3, 47) are both won by another seat under version 2."""


def main() -> None:
    """Write what is not there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in (tests.tiny.GAME, tests.tiny_changed.GAME):
        for seats, seed in SEEDS[game.rules]:
            path = FOLDER / f"rules{game.rules}-{seats}-{seed}.json"
            if not path.exists():
                path.write_bytes(written(play(game, seats, seed)))


if __name__ == "__main__":
    main()
