"""Every game there is, found by looking: each package beside `core` that offers a GAME."""

import pkgutil
from importlib import import_module
from types import ModuleType

import domain
from domain.core.registry import Games


def packages() -> tuple[ModuleType, ...]:
    """The packages of `domain` that are games, by name."""
    found = (import_module(f"domain.{m.name}") for m in pkgutil.iter_modules(domain.__path__) if m.ispkg)
    return tuple(package for package in found if hasattr(package, "GAME"))


GAMES = Games(packages())
