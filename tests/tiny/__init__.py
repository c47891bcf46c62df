"""Parley: a game as small as can be that uses everything the engine offers, so that the laws are exercised by it.

Three or four merchants. Each round everybody is dealt a hidden card (chance, hidden information); then all at once
bid secretly and boast with words (simultaneous seats, a staged choice, a template). When all are done, bids are
revealed; card plus bid plus boasts decide who picks a prize (a turn). After the last round points decide.
"""

from domain.core.game import Game, Maturity, Origin, Rule
from tests.tiny import rules, sight, story, words

GAME: Game[words.Options, words.Data, words.State, words.ParleyCommand, words.ParleyEvent, words.ParleyView] = Game(
    name="parley",
    title="Parley",
    rules=1,
    seats=range(3, 5),
    maturity=Maturity.ALPHA,
    options=words.Options,
    data_type=words.Data,
    command=words.ParleyCommand,
    event=words.ParleyEvent,
    view_type=words.ParleyView,
    data=rules.data,
    opening=rules.opening,
    blank=story.blank,
    normal=rules.normal,
    decide=rules.decide,
    evolve=story.evolve,
    to_act=rules.to_act,
    legal=rules.legal,
    default=rules.default,
    outcome=rules.outcome,
    view=sight.view,
    sketch=sight.sketch,
    moment=rules.moment,
    totals=rules.totals,
    bound=rules.bound,
    grounds={"Bid": ("R2",), "Boast": ("R3",), "PickPrize": ("R4",)},
    rulebook={
        "R1": Rule("Everybody is dealt one card a round", Origin.OWN),
        "R2": Rule("Bids of 0 to 2 are secret until all have bid and boasted", Origin.OWN),
        "R3": Rule("A boast is up to two different words, after the bid", Origin.OWN),
        "R4": Rule("The strongest picks a prize", Origin.OWN),
    },
)
