"""A table for tests: given a position, when a seat commands, then these events."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain.calimala import GAME
from domain.calimala.board import ACTION_INDEX, GROUPS
from domain.calimala.options import Options
from domain.calimala.state import Mat, State
from domain.calimala.things import (
    NEUTRAL,
    SCORING_CARDS,
    SPACES,
    TILES,
    Action,
    EndReason,
    Phase,
    Place,
    ScoringCard,
    Space,
    Target,
    Tile,
    Worker,
)
from domain.calimala.words import (
    ChooseScoringCard,
    DeclareImpossible,
    EndActivation,
    OpeningPlay,
    PassTurn,
    PlaceWorker,
    PlayActionCard,
    SkipAction,
    TakeAction,
    TakeStartingCard,
)
from domain.core.chance import ScriptedChance
from domain.core.errors import Illegal
from domain.core.game import Legal, Setup

F, C, H = Worker.FAMILY_MEMBER, Worker.CONTRACTOR, Worker.HIRELING
A, B = 0, 1
FIRST_GAME = Options(grid="first_game")
"""The reference layout: wood build brick / statue contribute transport / marble weave ship."""

BETWEEN = {
    "s01": "wood build",
    "s02": "build brick",
    "s03": "wood statue",
    "s04": "build contribute",
    "s05": "brick transport",
    "s06": "statue contribute",
    "s07": "contribute transport",
    "s08": "statue marble",
    "s09": "contribute weave",
    "s10": "transport ship",
    "s11": "marble weave",
    "s12": "weave ship",
}


def setup(seats: int, options: Options = FIRST_GAME) -> Setup[Options, Any]:
    return Setup(options, GAME.data(options, seats), seats)


def actions(names: str) -> tuple[Action, ...]:
    return tuple(map(Action, names.split()))


def position(
    seats: int = 3,
    *,
    active: int = 0,
    start: int = 0,
    mats: Mapping[int, Mapping[str, Any]] | None = None,
    stacks: Mapping[str, str] | None = None,
    board: Mapping[str, str] | None = None,
    council: Sequence[int | None] = (),
    scored: int | None = None,
    next_tile: str | None = None,
    options: Options = FIRST_GAME,
    discard: str = "",
    deck: int | None = None,
    open_cards: str = "",
    turns: int = 0,
    end: EndReason | None = None,
    neutral_cubes: int | None = None,
) -> State:
    """The active player is about to place a worker; everything not named is as after setup, with empty hands."""
    blank = GAME.blank(setup(seats, options))
    rows = tuple(
        tuple(NEUTRAL if code == "N" else int(code) for code in (board or {}).get(group, "")) for group in GROUPS
    )
    done = len(council) if scored is None else scored
    tiles = list(TILES)
    if next_tile is not None:
        tiles.remove(Tile(next_tile))
        tiles.insert(done, Tile(next_tile))
    two = seats == 2
    players = []
    for seat in range(seats):
        spare = {"held": " ".join(SCORING_CARDS[4 * seat : 4 * seat + 4])} if two else {"kept": SCORING_CARDS[seat]}
        players.append(_mat(blank.mats[seat], seat, rows, {**spare, **(mats or {}).get(seat, {})}))
    thrown = actions(discard)
    neutral_on_board = sum(row.count(NEUTRAL) for row in rows)
    return replace(
        blank,
        mats=tuple(players),
        board=rows,
        phase=Phase.PLACEMENT,
        start=start,
        active=active,
        turns=turns,
        layout=blank.setup.data.layout or actions("wood build brick statue contribute transport marble weave ship"),
        tiles=tuple(tiles),
        scored=done,
        stacks=tuple(tuple((stacks or {}).get(space, "").split()) for space in SPACES),
        council=tuple(council),
        offer=(),
        discard=tuple(sorted(thrown, key=ACTION_INDEX.__getitem__)),
        deck=45 - len(thrown) - sum(mat.hand_size for mat in players) if deck is None else deck,
        open_cards=tuple(map(ScoringCard, open_cards.split())),
        end=end,
        neutral_cubes=blank.neutral_cubes - neutral_on_board if neutral_cubes is None else neutral_cubes,
    )


def _mat(mat: Mat, seat: int, rows: tuple[tuple[int, ...], ...], given: Mapping[str, Any]) -> Mat:
    goods = [given.get(kind, 0) for kind in ("wood", "brick", "marble", "cloth")]
    laid = sum(row.count(seat) for row in rows)
    hand = tuple(sorted(actions(given.get("hand", "")), key=ACTION_INDEX.__getitem__))
    held = tuple(map(ScoringCard, given.get("held", "").split()))
    kept = given.get("kept")
    return replace(
        mat,
        cubes=(given.get("reserve", 40 - sum(goods) - laid), *goods),
        supply=given.get("supply", mat.supply),
        workshops=given.get("workshops", 1),
        ships=given.get("ships", 0),
        houses=tuple(city in given.get("houses", "") for city in "TBH"),
        points=given.get("points", 0),
        hand=hand,
        hand_size=len(hand),
        held=held,
        held_size=len(held),
        kept=None if kept is None else ScoringCard(kept),
        has_kept=kept is not None,
    )


class Table:
    """One match from a position on, command by command. What must never change is looked at after each."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.totals = GAME.totals(state)

    def act(self, seat: int, command: Any, *script: object) -> tuple[Any, ...]:
        """The events of the command; the script names what chance gives, and all of it must be asked for."""
        chance = ScriptedChance(*script)
        command = GAME.normal(command)
        assert GAME.legal(self.state, seat).allows(command), f"accepted, but not legal: {command}"
        events = GAME.decide(self.state, seat, command, chance)
        assert chance.left == 0
        for event in events:
            self.state = GAME.evolve(self.state, event)
        assert GAME.totals(self.state) == self.totals
        return events

    def refused(self, seat: int, command: Any) -> str:
        """The code of the refusal."""
        return self.refusal(seat, command).code

    def refusal(self, seat: int, command: Any) -> Illegal:
        command = GAME.normal(command)
        with pytest.raises(Illegal) as refused:
            GAME.decide(self.state, seat, command, ScriptedChance())
        assert refused.value.rule in GAME.rulebook
        assert command not in GAME.legal(self.state, seat).commands
        return refused.value

    def legal(self, seat: int) -> Legal[Any]:
        return GAME.legal(self.state, seat)

    def hand(self, seat: int) -> tuple[Action, ...]:
        hand = self.state.mats[seat].hand
        assert hand is not None
        return hand

    def goods(self, seat: int) -> dict[str, int]:
        return dict(zip(("reserve", "wood", "brick", "marble", "cloth"), self.state.mats[seat].cubes, strict=True))

    def row(self, group: str) -> str:
        cubes = self.state.board[GROUPS.index(Place(group))]
        return "".join("N" if cube == NEUTRAL else str(cube) for cube in cubes)

    def stack(self, space: str) -> str:
        return " ".join(self.state.stacks[SPACES.index(Space(space))])

    @property
    def awaited(self) -> list[int]:
        return sorted(GAME.to_act(self.state))

    @property
    def pending(self) -> tuple[Action, ...]:
        assert self.state.current is not None
        return self.state.current.pending


def names(events: Sequence[Any]) -> list[str]:
    """What happened, by name."""
    return [type(event).__name__ for event in events]


def only(events: Sequence[Any], kind: type) -> list[Any]:
    """The events of one type."""
    return [event for event in events if type(event) is kind]


# ---- commands, as short as they are said


def targets(choice: str) -> tuple[Target, ...]:
    return tuple(map(Target, choice.split()))


def place(space: str, worker: Worker = F, *plays: str) -> PlaceWorker:
    """Each opening play is the card, and its targets after it."""
    split = [play.partition(" ") for play in plays]
    return PlaceWorker(Space(space), worker, tuple(OpeningPlay(Action(card), targets(aim)) for card, _, aim in split))


def take(action: str, choice: str = "") -> TakeAction:
    return TakeAction(Action(action), targets(choice))


def card(action: str, choice: str = "") -> PlayActionCard:
    return PlayActionCard(Action(action), targets(choice))


def skip(action: str) -> SkipAction:
    return SkipAction(Action(action))


def impossible(action: str) -> DeclareImpossible:
    return DeclareImpossible(Action(action))


def choose(name: str) -> ChooseScoringCard:
    return ChooseScoringCard(ScoringCard(name))


def starter(action: str) -> TakeStartingCard:
    return TakeStartingCard(Action(action))


def pass_turn(worker: Worker = F) -> PassTurn:
    return PassTurn(worker)


END = EndActivation()
