"""The games that this edition enforces, and those admitted for a while."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeVar

from regulations.events.errors import UnknownGame
from regulations.law.sheet import Sheet

if TYPE_CHECKING:  # who asks for a sheet alone loads no rule
    from regulations.play.context.game import Game

NAMES: Final = ("baccarat", "blackjack", "casino_war", "three_card_baccarat", "q_poker")
PartT = TypeVar("PartT")


class _Parts(Mapping[str, PartT]):
    def __init__(self, module: str) -> None:
        self._module: Final = module
        self._admitted: Final[dict[str, PartT]] = {}

    def __getitem__(self, name: str) -> PartT:
        if name in self._admitted:
            return self._admitted[name]
        if name not in NAMES:
            raise UnknownGame(name, self)
        part: PartT = getattr(import_module(f"regulations.games.{name}.{self._module}"), self._module.upper())
        return part

    def __iter__(self) -> Iterator[str]:
        yield from NAMES
        yield from self._admitted

    def __len__(self) -> int:
        return len(NAMES) + len(self._admitted)

    @contextmanager
    def _admitting(self, name: str, part: PartT) -> Iterator[None]:
        before = dict(self._admitted)
        self._admitted[name] = part
        try:
            yield
        finally:
            self._admitted.clear()
            self._admitted.update(before)


class _Games(_Parts["Game"]):
    @contextmanager
    def playing(self, game: "Game") -> Iterator[None]:
        with self._admitting(game.law.game, game), SHEETS._admitting(game.law.game, game.sheet):  # noqa: SLF001  its own class
            yield


SHEETS: Final[_Parts[Sheet]] = _Parts("sheet")
GAMES: Final = _Games("game")
