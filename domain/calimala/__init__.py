"""Calimala, a game by Fabio Lopiano for two to five cloth merchants of Florence."""

from typing import Any

from domain.calimala import rules
from domain.calimala.board import Data, data
from domain.calimala.look import CalimalaView
from domain.calimala.options import Options
from domain.calimala.rulebook import GROUNDS, RULEBOOK
from domain.calimala.sight import sketch, view
from domain.calimala.state import State
from domain.calimala.story import blank, evolve
from domain.calimala.words import CalimalaCommand, CalimalaEvent
from domain.core.game import Game, Maturity

GAME: Game[Options, Data, State, Any, Any, CalimalaView] = Game(
    name="calimala",
    title="Calimala",
    rules=1,
    seats=range(2, 6),
    maturity=Maturity.BETA,
    options=Options,
    data_type=Data,
    command=CalimalaCommand,
    event=CalimalaEvent,
    view_type=CalimalaView,
    data=data,
    opening=rules.opening,
    blank=blank,
    normal=rules.normal,
    decide=rules.decide,
    evolve=evolve,
    to_act=rules.to_act,
    legal=rules.legal,
    default=rules.default,
    outcome=rules.outcome,
    view=view,
    sketch=sketch,
    moment=rules.moment,
    totals=rules.totals,
    bound=rules.bound,
    rulebook=RULEBOOK,
    grounds=GROUNDS,
)
