"""Majolica: tiles drafted from the rim of a grid run through four workshops onto design cards."""

from domain.core.game import Game, Maturity
from domain.majolica import rules, sight, story
from domain.majolica.commands import MajolicaCommand
from domain.majolica.options import Data, Options
from domain.majolica.rulebook import GROUNDS, RULEBOOK
from domain.majolica.state import State
from domain.majolica.words import MajolicaEvent

GAME: Game[Options, Data, State, MajolicaCommand, MajolicaEvent, sight.MajolicaView] = Game(
    name="majolica",
    title="Majolica",
    rules=1,
    seats=range(2, 5),
    maturity=Maturity.BETA,
    options=Options,
    data_type=Data,
    command=MajolicaCommand,
    event=MajolicaEvent,
    view_type=sight.MajolicaView,
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
    rulebook=RULEBOOK,
    grounds=GROUNDS,
)
