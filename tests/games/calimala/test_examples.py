"""The two worked examples of the rules dossier, event for event."""

import pytest

from domain.calimala.things import NEUTRAL, Action, Place, ScoringCard, Space, Target, Tile, Via
from domain.calimala.words import (
    ActionCardDrawn,
    ActionCardPlayed,
    ActionSkipped,
    ActionTaken,
    ActivationEnded,
    ActivationStarted,
    ActivePlayerMarkerPassed,
    BottomWorkerSentToTower,
    CouncilSeatTaken,
    CubeMove,
    ImpossibleActionCompensated,
    NeutralCubeAdded,
    ScoringCardChosen,
    ScoringCardRevealed,
    ScoringTileResolved,
    Standing,
    WorkerPlaced,
    WorkerReactivated,
)
from tests.games.calimala.table import (
    END,
    A,
    B,
    C,
    F,
    H,
    Table,
    actions,
    card,
    choose,
    impossible,
    place,
    position,
    skip,
    take,
)

WOVEN = CubeMove(Place.RESERVE, Place.CLOTH)


@pytest.mark.rule("X1", "R30", "R35", "R40", "R41", "R61", "R62", "R71", "R77", "R80", "C1", "C12", "C18", "S7", "S22")
def test_x1_three_players() -> None:
    """Stack of three, cards, compensation, tie.

    The example's table names the placement before the removal; the order of a placement as the rules state it is
    the removal first (R35), so that no stack is ever four high. That order is kept here.
    """
    table = Table(
        position(
            3,
            mats={
                0: {"wood": 2, "hand": "build", "supply": (8, 2, 0)},
                1: {"cloth": 4, "supply": (8, 2, 0)},
                2: {"hand": "statue", "supply": (8, 2, 0)},
            },
            stacks={"s12": "F2 F1 F0"},
            board={"lisbon": "0112", "palazzo_vecchio_statue": "1"},
            council=[0, 2],
            next_tile="lisbon",
        )
    )
    both = actions("weave ship")
    assert table.act(0, place("s12")) == (
        BottomWorkerSentToTower(Space.S12, F, 2),
        WorkerPlaced(0, Space.S12, F, 3),
        ActivationStarted(0, Space.S12, F, both),
    )
    assert table.act(0, take("weave")) == (ActionTaken(0, Action.WEAVE, Via.GRID, (), (WOVEN,)),)
    assert table.act(0, card("build", "ship")) == (
        ActionCardPlayed(0, Action.BUILD),
        ActionTaken(0, Action.BUILD, Via.CARD, (Target.SHIP,), (CubeMove(Place.WOOD, Place.RESERVE),) * 2),
    )
    assert table.act(0, take("ship", "lisbon")) == (
        ActionTaken(0, Action.SHIP, Via.GRID, (Target.LISBON,), (CubeMove(Place.CLOTH, Place.LISBON, 5),)),
        ActivationEnded(0),
        WorkerReactivated(0, Space.S12, 2, 0, both),
    )
    assert table.act(0, impossible("ship"), "wood") == (
        ImpossibleActionCompensated(0, Action.SHIP, 1),
        ActionCardDrawn(0, Action.WOOD),
    )
    assert table.act(0, take("weave")) == (ActionTaken(0, Action.WEAVE, Via.GRID, (), (WOVEN,)),)
    assert table.act(0, END) == (ActivationEnded(0), WorkerReactivated(1, Space.S12, 1, 0, both))
    assert table.act(1, impossible("weave"), "marble") == (
        ImpossibleActionCompensated(1, Action.WEAVE, 1),
        ActionCardDrawn(1, Action.MARBLE),
    )
    assert table.act(1, impossible("ship"), "contribute") == (
        ImpossibleActionCompensated(1, Action.SHIP, 1),
        ActionCardDrawn(1, Action.CONTRIBUTE),
    )
    assert table.act(1, card("marble")) == (
        ActionCardPlayed(1, Action.MARBLE),
        ActionTaken(1, Action.MARBLE, Via.CARD, (), (CubeMove(Place.RESERVE, Place.MARBLE),)),
    )
    assert table.act(1, END) == (
        ActivationEnded(1),
        CouncilSeatTaken(3, 2, exchanged=False),
        ScoringTileResolved(3, Tile.LISBON, (Standing(0, 2, 3, 2), Standing(1, 2, 2), Standing(2, 1, 1))),
        ActivePlayerMarkerPassed(1, 0),
    )
    ada, bruno = table.state.mats[:2]
    assert table.goods(0) == {"reserve": 37, "wood": 0, "brick": 0, "marble": 0, "cloth": 1}
    assert (ada.ships, ada.hand, ada.supply) == (1, (Action.WOOD,), (7, 2, 0))
    assert table.goods(1) == {"reserve": 32, "wood": 0, "brick": 0, "marble": 1, "cloth": 4}
    assert bruno.hand == (Action.CONTRIBUTE,)
    assert table.stack("s12") == "F1 F0 F0"
    assert (table.state.scored, table.state.end) == (3, None)


def _x1_with_a_used_up_ship() -> Table:
    """As the first example, but Ada can neither weave nor ship when her own Family Member is reactivated."""
    table = Table(position(3, mats={0: {"cloth": 3}}, stacks={"s12": "F1 F0"}))
    table.act(0, place("s12"))
    table.act(0, impossible("ship"), "wood")
    table.act(0, take("weave"))
    table.act(0, END)
    return table


@pytest.mark.rule("X1", "R61", "C13")
def test_x1_a_second_impossible_action_of_the_active_player_earns_nothing() -> None:
    table = _x1_with_a_used_up_ship()
    assert table.act(0, impossible("ship")) == (ImpossibleActionCompensated(0, Action.SHIP, 0),)
    assert table.act(0, impossible("weave")) == (ImpossibleActionCompensated(0, Action.WEAVE, 0),)


@pytest.mark.rule(
    "X2", "R36", "R74", "R80", "R81", "R93", "R95", "R98", "R99", "C26", "C30", "S4", "S17", "S18", "S19", "S20"
)
def test_x2_two_players() -> None:
    """Hireling in the stack, Contractor, third worker, tile 5."""
    table = Table(
        position(
            2,
            mats={
                A: {
                    "wood": 2,
                    "cloth": 1,
                    "houses": "TH",
                    "supply": (4, 2, 3),
                    "held": "london bruges santa_croce palazzo_vecchio",
                },
                B: {
                    "brick": 1,
                    "cloth": 1,
                    "houses": "B",
                    "supply": (5, 1, 3),
                    "held": "troyes lisbon hamburg san_miniato",
                },
            },
            stacks={"s07": "H F1"},
            board={"san_miniato_wood": "1", "troyes": "1", "palazzo_vecchio_statue": "N"},
            council=[1, 0, 1, 0],
            next_tile="troyes",
            open_cards="barcelona",
        )
    )
    assert table.state.neutral_cubes == 39
    assert table.act(A, place("s07", C)) == (
        WorkerPlaced(A, Space.S07, C, 3),
        ActivationStarted(A, Space.S07, C, actions("contribute contribute transport transport")),
    )
    maria_wood, miniato_wood = Target.SANTA_MARIA_DEL_FIORE_WOOD, Target.SAN_MINIATO_WOOD
    assert table.act(A, take("contribute", maria_wood)) == (
        ActionTaken(
            A,
            Action.CONTRIBUTE,
            Via.GRID,
            (maria_wood,),
            (CubeMove(Place.WOOD, Place.SANTA_MARIA_DEL_FIORE_WOOD, 1),),
        ),
        NeutralCubeAdded(Place.SANTA_MARIA_DEL_FIORE_WOOD, 2),
    )
    assert table.act(A, take("contribute", miniato_wood)) == (
        ActionTaken(
            A, Action.CONTRIBUTE, Via.GRID, (miniato_wood,), (CubeMove(Place.WOOD, Place.SAN_MINIATO_WOOD, 2),)
        ),
    )
    assert table.act(A, take("transport", "troyes")) == (
        ActionTaken(A, Action.TRANSPORT, Via.GRID, (Target.TROYES,), (CubeMove(Place.CLOTH, Place.TROYES, 2),)),
        NeutralCubeAdded(Place.TROYES, 3),
    )
    assert table.act(A, impossible("transport"), "brick") == (
        ImpossibleActionCompensated(A, Action.TRANSPORT, 1),
        ActionCardDrawn(A, Action.BRICK),
    )
    assert table.act(A, END) == (
        ActivationEnded(A),
        WorkerReactivated(B, Space.S07, 2, A, actions("contribute transport")),
    )
    assert table.act(B, take("contribute", "santa_maria_del_fiore_brick")) == (
        ActionTaken(
            B,
            Action.CONTRIBUTE,
            Via.GRID,
            (Target.SANTA_MARIA_DEL_FIORE_BRICK,),
            (CubeMove(Place.BRICK, Place.SANTA_MARIA_DEL_FIORE_BRICK, 1),),
        ),
        NeutralCubeAdded(Place.SANTA_MARIA_DEL_FIORE_BRICK, 2),
    )
    assert table.act(B, skip("transport")) == (
        ActionSkipped(B, Action.TRANSPORT),
        ActivationEnded(B),
        BottomWorkerSentToTower(Space.S07, H, NEUTRAL),
        CouncilSeatTaken(5, NEUTRAL, exchanged=False),
        ScoringTileResolved(5, Tile.TROYES, (Standing(B, 1, 3, 3), Standing(A, 1, 2, 2), Standing(NEUTRAL, 1, 0))),
    )
    assert table.awaited == [A, B]
    other_order = Table(table.state)
    assert table.act(A, choose("bruges")) == (ScoringCardChosen(A, ScoringCard.BRUGES),)
    assert table.awaited == [B]
    after_both = (
        ScoringCardRevealed(A, ScoringCard.BRUGES),
        ScoringCardRevealed(B, ScoringCard.TROYES),
        ActivePlayerMarkerPassed(B, A),
    )
    assert table.act(B, choose("troyes")) == (ScoringCardChosen(B, ScoringCard.TROYES), *after_both)
    other_order.act(B, choose("troyes"))
    assert other_order.act(A, choose("bruges")) == (ScoringCardChosen(A, ScoringCard.BRUGES), *after_both)
    assert other_order.state == table.state

    ada, bruno = table.state.mats
    assert (ada.points, bruno.points, table.state.neutral_cubes) == (2, 3, 36)
    assert table.stack("s07") == "F1 C"
    assert (ada.supply, ada.hand) == ((4, 1, 3), (Action.BRICK,))
    assert table.state.open_cards == (ScoringCard.BARCELONA, ScoringCard.BRUGES, ScoringCard.TROYES)
