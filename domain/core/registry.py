"""A set of games, by name and rules version."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType, ModuleType

from domain.core.game import AnyGame
from domain.core.secrecy import check_words


class Games(Mapping[tuple[str, int], AnyGame]):
    """Games by (name, rules version), and for each name the version that new matches get."""

    def __init__(self, packages: Iterable[ModuleType]) -> None:
        self._all: dict[tuple[str, int], AnyGame] = {}
        self._current: dict[str, AnyGame] = {}
        for package in packages:
            current: AnyGame = package.GAME
            check_words(current.name, current.command, current.event)
            self._current[current.name] = current
            for game in (current, *getattr(package, "SUPERSEDED", ())):
                self._all[game.name, game.rules] = game

    def __getitem__(self, key: tuple[str, int]) -> AnyGame:
        return self._all[key]

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @property
    def current(self) -> Mapping[str, AnyGame]:
        """The game that a new match of that name is played by."""
        return MappingProxyType(self._current)
