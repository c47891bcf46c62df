"""Parley after its rules were changed on purpose: the worked example of docs/changing-a-rule.md.

`tests.tiny` is the package as it was before. Version 2 allows bids of 3 and settles a tie by the better card; version 1
stays beside it, for the matches that were opened under it.
"""

import msgspec

import tests.tiny
from domain.core.game import Origin, Rule
from tests.tiny_changed import past, rules, rules_v1, words

V1 = msgspec.structs.replace(
    tests.tiny.GAME,
    event=words.ParleyEvent,
    past=past.LIFTS,
    opening=rules_v1.opening,
    decide=rules_v1.decide,
    legal=rules_v1.legal,
    default=rules_v1.default,
)

GAME = msgspec.structs.replace(
    V1,
    rules=2,
    opening=rules.opening,
    decide=rules.decide,
    legal=rules.legal,
    default=rules.default,
    rulebook={
        **V1.rulebook,
        "R2": Rule("Bids of 0 to 3 are secret until all have bid and boasted", Origin.OWN),
        "R4": Rule("The strongest picks a prize; of equals, whoever has the better card", Origin.OWN),
    },
)

SUPERSEDED = (V1,)
