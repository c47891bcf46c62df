"""What has happened: all the stored facts, and their union."""

from domain.castles_of_tuscany.gain_events import (
    AreaCompleted,
    ColourBonusScored,
    CropsScored,
    MarbleGained,
    PointsInsteadOfWildHex,
    ProductionCardRevealed,
    ProductionDeckReshuffled,
    WildHexGained,
    WorkersGained,
)
from domain.castles_of_tuscany.setup_events import (
    BoardsDealt,
    BonusTileGained,
    DisplayFilled,
    FirstBonusTileChosen,
    FirstPlayerDrawn,
    RegionArranged,
    RegionCardsDrawn,
    RegionDeckReshuffled,
    SetupRevealed,
    StartCastleChosen,
)
from domain.castles_of_tuscany.turn_events import (
    BonusTileOffered,
    CastleDeclined,
    CastleOffered,
    DisplayTilePlaced,
    FinalScored,
    FiveOfAKindReplaced,
    GameEnded,
    LapLimitReached,
    MarbleOffered,
    MarbleUsed,
    PlacementChosen,
    PlacementPaid,
    RoundEndTriggered,
    RoundScored,
    SlotRefilled,
    TileGivenUp,
    TilePlaced,
    TileTaken,
    TurnBegan,
    TurnEnded,
)

AnyEvent = (
    BoardsDealt
    | RegionCardsDrawn
    | RegionDeckReshuffled
    | RegionArranged
    | StartCastleChosen
    | FirstBonusTileChosen
    | SetupRevealed
    | BonusTileGained
    | DisplayFilled
    | FirstPlayerDrawn
    | TurnBegan
    | TileGivenUp
    | TileTaken
    | SlotRefilled
    | FiveOfAKindReplaced
    | RoundEndTriggered
    | PlacementChosen
    | PlacementPaid
    | TilePlaced
    | DisplayTilePlaced
    | AreaCompleted
    | ColourBonusScored
    | CropsScored
    | MarbleGained
    | WorkersGained
    | WildHexGained
    | PointsInsteadOfWildHex
    | ProductionCardRevealed
    | ProductionDeckReshuffled
    | CastleOffered
    | CastleDeclined
    | BonusTileOffered
    | MarbleOffered
    | MarbleUsed
    | TurnEnded
    | LapLimitReached
    | RoundScored
    | FinalScored
    | GameEnded
)

__all__ = [
    "AnyEvent",
    "AreaCompleted",
    "BoardsDealt",
    "BonusTileGained",
    "BonusTileOffered",
    "CastleDeclined",
    "CastleOffered",
    "ColourBonusScored",
    "CropsScored",
    "DisplayFilled",
    "DisplayTilePlaced",
    "FinalScored",
    "FirstBonusTileChosen",
    "FirstPlayerDrawn",
    "FiveOfAKindReplaced",
    "GameEnded",
    "LapLimitReached",
    "MarbleGained",
    "MarbleOffered",
    "MarbleUsed",
    "PlacementChosen",
    "PlacementPaid",
    "PointsInsteadOfWildHex",
    "ProductionCardRevealed",
    "ProductionDeckReshuffled",
    "RegionArranged",
    "RegionCardsDrawn",
    "RegionDeckReshuffled",
    "RoundEndTriggered",
    "RoundScored",
    "SetupRevealed",
    "SlotRefilled",
    "StartCastleChosen",
    "TileGivenUp",
    "TilePlaced",
    "TileTaken",
    "TurnBegan",
    "TurnEnded",
    "WildHexGained",
    "WorkersGained",
]
