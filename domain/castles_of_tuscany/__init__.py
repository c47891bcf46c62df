"""The Castles of Tuscany, for two to four."""

from domain.castles_of_tuscany.board import Data
from domain.castles_of_tuscany.events import AnyEvent
from domain.castles_of_tuscany.opening import opening
from domain.castles_of_tuscany.options import SEATS, Options, data
from domain.castles_of_tuscany.rulebook import GROUNDS, RULEBOOK
from domain.castles_of_tuscany.rules import bound, decide, default, legal, moment, normal, outcome, to_act, totals
from domain.castles_of_tuscany.sight import view
from domain.castles_of_tuscany.sketch import sketch
from domain.castles_of_tuscany.state import State
from domain.castles_of_tuscany.story import blank, evolve
from domain.castles_of_tuscany.views import View
from domain.castles_of_tuscany.words import AnyCommand
from domain.core.game import Game, Maturity

GAME: Game[Options, Data, State, AnyCommand, AnyEvent, View] = Game(
    name="castles_of_tuscany",
    title="The Castles of Tuscany",
    rules=1,
    seats=SEATS,
    maturity=Maturity.BETA,
    options=Options,
    data_type=Data,
    command=AnyCommand,
    event=AnyEvent,
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
