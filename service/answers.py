"""What the use cases answer: data, refusals included, for every surface alike."""

import msgspec

from domain.core.errors import STALE, Illegal
from domain.core.game import AnyGame
from domain.core.table import TABLE_RULES
from domain.core.words import Version
from service.frames import Frame

SERVICE_TITLES = {
    "S1": "Every request is checked for form before anything else",
    "S2": "A command id is used for one command",
    "S3": "Only what an account may do or see is answered",
    "S4": "Work under way is bounded",
    "S5": "A match goes on under the rules version that it was opened with",
}
"""The service's own rules, which refusals cite like a game's."""


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """The request was refused and nothing changed.

    code is stable, for programs. rule and title name the rule that refused; message says what was wrong, hint what
    would be right. frame is where the viewer stands now, where that helps (a stale command). receipt is the server's
    signed refusal, for a command of a seat.
    """

    code: str
    rule: str
    title: str
    message: str
    hint: str = ""
    frame: Frame | None = None
    receipt: str = ""


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """The command is stored: its events are versions `first` to `version`; frame is the sender's view after it."""

    match: str
    command_id: str
    first: Version
    version: Version
    frame: Frame
    receipt: str


Answer = Accepted | Refused


def refused(error: Illegal, game: AnyGame | None = None) -> Refused:
    """The refusal as data, with the title of the rule that it cites."""
    known = game.rulebook.get(error.rule) if game else None
    rule = known or TABLE_RULES.get(error.rule)
    title = rule.title if rule else SERVICE_TITLES.get(error.rule, "")
    return Refused(code=error.code, rule=error.rule, title=title, message=error.message, hint=error.hint)


def stale(frame: Frame, seen: Version, opened: Version) -> Refused:
    """The command was about a position that is no more (T7)."""
    return Refused(
        code=STALE,
        rule="T7",
        title=TABLE_RULES["T7"].title,
        message=f"You looked at version {seen}; what you are asked to decide opened at version {opened}.",
        hint="Look at the frame that comes with this answer and send a command for it.",
        frame=frame,
    )
