"""How events of retired shapes are read."""

from collections.abc import Mapping
from typing import Any, Final

from domain.core.game import Lift


def _round_won_1(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "by_card": False}


LIFTS: Final[Mapping[tuple[str, int], Lift]] = {("RoundWon", 1): _round_won_1}
