"""Toscana, by Niek Neuwahl: two players lay one town, one for the largest courtyard, one for the largest building."""

from typing import Final

from domain.core.game import Game, Maturity
from domain.toscana.board import Components
from domain.toscana.options import Options
from domain.toscana.rulebook import GROUNDS, RULEBOOK
from domain.toscana.rules import (
    bound,
    data,
    decide,
    default,
    legal,
    moment,
    normal,
    opening,
    outcome,
    to_act,
    totals,
)
from domain.toscana.sight import sketch, view
from domain.toscana.state import State, View
from domain.toscana.story import blank, evolve
from domain.toscana.words import ToscanaCommand, ToscanaEvent

GAME: Final[Game[Options, Components, State, ToscanaCommand, ToscanaEvent, View]] = Game(
    name="toscana",
    title="Toscana",
    rules=1,
    seats=range(2, 3),
    maturity=Maturity.BETA,
    options=Options,
    data_type=Components,
    command=ToscanaCommand,
    event=ToscanaEvent,
    view_type=View,
    data=data,
    opening=opening,
    blank=blank,
    normal=normal,
    decide=decide,
    evolve=evolve,
    to_act=to_act,
    legal=legal,
    default=default,
    outcome=outcome,
    view=view,
    sketch=sketch,
    moment=moment,
    totals=totals,
    bound=bound,
    rulebook=RULEBOOK,
    grounds=GROUNDS,
)
