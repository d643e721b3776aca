"""The page of all tables, whole or changed parts, rendered once for all."""

import logging
import secrets
from typing import Final
from urllib.parse import quote

import msgspec
from msgspec import Struct

from cardshoe.floor.pages.language import WORDS
from cardshoe.floor.pages.poller import TablePoller
from cardshoe.floor.pages.rendering import Templates
from cardshoe.floor.pages.tiles import Tile, not_shown, summary, worst_first
from cardshoe.process.http.streams import event
from cardshoe.screens.rendering import Part
from cardshoe.screens.words.display_section import Language

logger: Final = logging.getLogger(__name__)

WORST: Final = 12


class AllTables:
    """The page of all tables, by language.

    A slow reader skips states and delays no other.
    """

    def __init__(self, templates: Templates, board: TablePoller) -> None:
        self._board: Final = board
        self._shown: Final = {one: _Shown(templates, one) for one in WORDS}

    def whole(self, language: Language) -> Part:
        """The whole page."""
        return self._current(language).whole()

    def news(self, language: Language, seen: int | None) -> tuple[int, bytes]:
        """The current version and the event that leads to it from ``seen``; empty: up to date."""
        shown = self._current(language)
        return shown.version, shown.since(seen)

    def _current(self, language: Language) -> "_Shown":
        shown = self._shown[language]
        shown.update(self._board)
        return shown


class _Tile(Struct, frozen=True):
    tile: Tile
    html: str


class _Shown:
    def __init__(self, templates: Templates, language: Language) -> None:
        # Another process counts its versions again: none of its ids may be one that a page has.
        self._run: Final = secrets.token_hex(4)
        self._templates: Final = templates
        self._language: Final[Language] = language
        self._tiles: dict[str, _Tile] = {}
        self._parts: dict[str, str] = {}
        self._changed: dict[str, int] = {}
        self._whole_since = 0
        self._whole: Part | None = None
        self._events: dict[int, bytes] = {}
        self.version = -1

    def update(self, board: TablePoller) -> None:
        if self.version == board.version:
            return
        self.version = board.version
        parts = self._render(board)
        if parts.keys() != self._parts.keys():
            self._whole_since = self.version
        self._changed = {
            key: self._changed[key] if self._parts.get(key) == html else self.version for key, html in parts.items()
        }
        self._parts, self._whole, self._events = parts, None, {}

    def whole(self) -> Part:
        if self._whole is None:
            summed, worst, *tiles = self._parts.values()
            html = self._templates.part("tables", self._language, summed=summed, worst=worst, tiles=tiles)
            self._whole = Part(self._id, self._event("shown", html=html), html)
        return self._whole

    def since(self, seen: int | None) -> bytes:
        if seen is None or seen < self._whole_since:
            return self.whole().event
        if seen not in self._events:
            changed = {key: self._parts[key] for key, version in self._changed.items() if version > seen}
            self._events[seen] = self._event("changed", parts=changed) if changed else b""
        return self._events[seen]

    @property
    def _id(self) -> str:
        return f"{self._run}:{self.version}"

    def _event(self, kind: str, **shown: object) -> bytes:
        return event(kind, self._id, msgspec.json.encode({"id": self._id, **shown}))

    def _render(self, board: TablePoller) -> dict[str, str]:
        tiles, worst = board.tiles, worst_first(board.tiles)
        is_open = sum(tile.phase not in ("", "closed") for tile in tiles)
        summed = {"count": len(tiles), "open": is_open, "sum": summary(tiles)}
        more = max(0, len(worst) - WORST)
        # Quoted: in a page no two ids may look alike, whatever characters they have.
        self._tiles = {key: self._tile(key, tile) for tile in tiles for key in [f"t-{quote(tile.table)}"]}
        return {
            "sum": self._part("sum", **summed, catching_up=board.projector.is_behind),
            "worst": self._part("worst", worst=worst[:WORST], more=more),
            **{key: made.html for key, made in self._tiles.items()},
        }

    def _tile(self, key: str, tile: Tile) -> _Tile:
        known = self._tiles.get(key)
        if known is not None and known.tile is tile:
            return known
        try:
            html = self._part("tile", key=key, tile=tile, currency=self._templates.currency)
        except Exception as error:
            # The others' tiles must not depend on what one table has sent.
            logger.exception("%s: the tile cannot be rendered", tile.table)
            html = self._part("tile", key=key, tile=bare(tile, error), currency=self._templates.currency)
        return _Tile(tile, html)

    def _part(self, name: str, **values: object) -> str:
        return self._templates.part(name, self._language, **values)


def bare(tile: Tile, error: Exception) -> Tile:
    alarms = [one for one in tile.troubles if one.kind == "alarm"]
    return msgspec.structs.replace(
        tile, game="", phase="", croupier="", devices=(), results=(), detail=None, troubles=[*alarms, not_shown(error)]
    )
