"""The one thing that rules raise, and what is raised where there are no rules."""

from typing import Final


class Illegal(Exception):
    """A command that the rules refuse: nothing has happened.

    code: snake_case, stable, for programs. rule: the number in the game's rulebook, or in TABLE_RULES.
    message: what was wrong. hint: what would be right, where that can be said.
    """

    def __init__(self, code: str, rule: str, message: str, hint: str = "") -> None:
        super().__init__(code, rule, message, hint)
        self.code = code
        self.rule = rule
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.code} ({self.rule}): {self.message}" + (f" {self.hint}" if self.hint else "")


class NotInThisBuild(LookupError):
    """A match that this build cannot read: a game, a rules version or the shape of an event that it does not have."""


def no_rules(game: str, rules: int) -> NotInThisBuild:
    """The error for a rules version that this build does not have."""
    return NotInThisBuild(f"this build does not know {game} at rules version {rules}")


NOT_YOUR_DECISION: Final = "not_your_decision"
WRONG_PHASE: Final = "wrong_phase"
STALE: Final = "stale"
MATCH_OVER: Final = "match_over"
