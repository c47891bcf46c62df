"""The start page: what is here, and how to make the first request. Plain HTML, no script."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from domain.core.game import AnyGame

_TEMPLATE: Final = Template((Path(__file__).parent / "index.html").read_text(encoding="utf-8"))
_GAME: Final = Template(
    "<li><strong>$title</strong> <span class=tag>$maturity</span>"
    "<span class=facts><code>$name</code> · $seats · rules version $rules · $numbered numbered rules</span></li>"
)


class Page:
    """The page over the games that this server plays."""

    def __init__(self, games: Iterable[AnyGame]) -> None:
        self._games = sorted(games, key=lambda game: game.title)

    def html(self, url: str) -> str:
        """The page as seen at this URL, which stands in its examples."""
        example = next((game for game in self._games if game.name == "toscana"), self._games[0])
        return _TEMPLATE.substitute(
            url=escape(url),
            ws=escape("ws" + url.removeprefix("http")),
            game=escape(example.name),
            seats=example.seats[0],
            games="\n".join(_item(game) for game in self._games),
        )


def _item(game: AnyGame) -> str:
    return _GAME.substitute(
        title=escape(game.title),
        name=escape(game.name),
        maturity=escape(str(game.maturity)),
        seats=_seats(game.seats),
        rules=game.rules,
        numbered=len(game.rulebook),
    )


def _seats(seats: range) -> str:
    return f"{seats[0]} seats" if len(seats) == 1 else f"{seats[0]} to {seats[-1]} seats"
