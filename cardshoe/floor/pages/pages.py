"""The pages as HTML, made by templates. What all look at is rendered once for each language."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

import jinja2
import msgspec
from markupsafe import Markup
from msgspec import UNSET, Struct

from cardshoe.floor.facts.fold import SignedIn
from cardshoe.floor.facts.projector import StreamRow
from cardshoe.floor.pages import messages as says
from cardshoe.floor.pages.days import ZONE, clock, lasted, macau
from cardshoe.floor.pages.poller import Board
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.floor.pages.tiles import Tile, not_shown, summary, worst_first
from cardshoe.floor.pages.words import NAMES, WORDS
from cardshoe.process.http.streams import event
from cardshoe.screens.felt.action_buttons import offers
from cardshoe.screens.felt.cards import PIPS
from cardshoe.screens.felt.felt import felt_of
from cardshoe.screens.felt.players_board import COLUMNS, board_of
from cardshoe.screens.rendering import Part, build_of, environment_of, macau_time
from cardshoe.screens.view import TableView
from cardshoe.screens.words import messages
from cardshoe.screens.words.currency import currency
from cardshoe.screens.words.display_section import Language

logger: Final = logging.getLogger(__name__)

WORST: Final = 12
"""Tables that stand above the others because something is wrong there; more are marked at their places."""
LIVE_KEPT: Final = 128
"""Live views that are kept rendered, those that were looked at last."""
_DONE: Final[dict[str, str]] = dict([*messages.WAYS_OUT.items(), *messages.GROUNDS.items(), *says.CODES.items()])
"""The act, by its code."""
_REASONS: Final[dict[str, str]] = dict(
    [one for texts in messages.REASONS.values() for one in texts.items()] + [*messages.IRREGULARITIES.items()]
)
"""Why it was done, by its code; other reasons are texts."""


class Here(Struct, frozen=True, kw_only=True):
    """Where somebody is who looks: what a page needs besides what it shows.

    Attributes:
        path: of the page.
        query: of the page, without the language.
        language: of the page.
        who: who is signed in, for the page's header.
    """

    path: str
    query: Mapping[str, str]
    language: Language
    who: Markup = Markup()

    def address(self, language: Language | None = None, **changes: str) -> str:
        """This page again, with something else in its query."""
        query = {**self.query, **changes, "lang": language or self.language}
        return f"{self.path}?{urlencode(query)}"


class Pages:
    """The pages of a floor.

    Args:
        settings: of the pages.
        board: all tables.

    Attributes:
        build: of program, templates and styles: a page of another one is out of date.
    """

    def __init__(self, settings: PagesSettings, board: Board) -> None:
        self._board: Final = board
        self._currency: Final = currency(settings.currency)
        self.build: Final = build_of(msgspec.json.encode(settings), "cardshoe.floor.pages", "cardshoe.screens")
        # Another process begins to count anew: none of its numbers is one that a page knows.
        self._run: Final = secrets.token_hex(4)
        self._environments: Final = {one: _environment(one, self.build) for one in WORDS}
        self._tiles: Final[dict[Language, dict[str, tuple[Tile, str]]]] = {one: {} for one in WORDS}
        self._all: Final[dict[Language, tuple[int, Part]]] = {}
        self._live: Final[dict[tuple[str, Language], Part]] = {}
        self._rendering: Final = asyncio.Lock()

    def page(self, name: str, here: Here, **values: object) -> str:
        """A page that is rendered for whoever asks.

        Args:
            name: of its template.
            here: where.
            values: what it shows.
        """
        return self._render(name, here, {"stream": "", "name": name, **values})

    def live(self, name: str, here: Here, part: Part | None, stream: str, title: str) -> str:
        """A page that goes on by itself, as it is first asked for."""
        values = {
            "name": name,
            "stream": stream,
            "title": title,
            "main": "" if part is None else part.html,
            "id": "" if part is None else part.id,
            "why_not": self._board.why_not,
            "digits": self._currency.digits,
        }
        return self._render("live", here, values)

    def tables(self, language: Language) -> Part:
        """All tables; the same object until something is new."""
        known = self._all.get(language)
        if known is not None and known[0] == self._board.version:
            return known[1]
        version, tiles = self._board.version, self._board.tiles
        worst = worst_first(tiles)
        html = self._template(language, "tables").render(
            tiles=tiles,
            made=[self._tile(language, tile) for tile in tiles],
            open=sum(tile.phase not in ("", "closed") for tile in tiles),
            sum=summary(tiles),
            worst=worst[:WORST],
            more=len(worst) - WORST if len(worst) > WORST else 0,
            catching_up=self._board.projector.is_behind,
        )
        part = _part(f"{self._run}:{version}", html)
        self._all[language] = version, part
        return part

    async def table(self, table: str, language: Language) -> Part | None:
        """One table; the same object until something is new, ``None``: there is none of this id."""
        async with self._rendering:
            tile = next((one for one in self._board.tiles if one.table == table), None)
            if tile is None:
                return None
            known = self._live.pop((table, language), None)
            if known is None or known.id != self._id(tile):
                known = await asyncio.to_thread(self._render_table, tile, language)
            self._live[table, language] = known
            while len(self._live) > LIVE_KEPT:
                del self._live[next(iter(self._live))]
            return known

    def _render_table(self, tile: Tile, language: Language) -> Part:
        found = self._board.projector.view(tile.table)
        # Of a table that has sent no line there may be an alarm all the same.
        stream, signed_in, view = (None, {}, TableView()) if found is None else found
        try:
            html = self._table(tile, language, stream, signed_in, view)
        except Exception as error:
            logger.exception("%s: the table's page cannot be rendered", tile.table)
            html = self._table(_bare(tile, error), language, stream, {}, TableView())
        return _part(self._id(tile), html)

    def _table(
        self,
        tile: Tile,
        language: Language,
        stream: StreamRow | None,
        signed_in: Mapping[str, SignedIn],
        view: TableView,
    ) -> str:
        return self._template(language, "table").render(
            tile=tile,
            stream=stream,
            signed_in=signed_in,
            view=view,
            felt=None if view.profile is None else felt_of(view, self._currency),
            offers=[] if view.profile is None else offers(view, self._currency),
            betting=None,
            pad="",
            board=board_of(view),
            columns=COLUMNS,
        )

    def _id(self, tile: Tile) -> str:
        return f"{self._run}:{hash(tile.key):x}"

    def _tile(self, language: Language, tile: Tile) -> str:
        known = self._tiles[language].get(tile.table)
        if known is None or known[0] is not tile:
            try:
                html = self._template(language, "tile").render(tile=tile)
            except Exception as error:
                # The others' tiles must not depend on what one table has sent.
                logger.exception("%s: the tile cannot be rendered", tile.table)
                html = self._template(language, "tile").render(tile=_bare(tile, error))
            known = self._tiles[language][tile.table] = tile, html
        return known[1]

    def _render(self, template: str, here: Here, values: Mapping[str, object]) -> str:
        return self._template(here.language, template).render(**values, who=here.who, here=here.address)

    def _template(self, language: Language, name: str) -> jinja2.Template:
        return self._environments[language].get_template(f"{name}.html")


def _bare(tile: Tile, error: Exception) -> Tile:
    """A table by its name alone, because the rest of it cannot be shown."""
    alarms = [one for one in tile.troubles if one.kind == "alarm"]
    return msgspec.structs.replace(
        tile, game="", phase="", croupier="", devices=(), results=(), troubles=[*alarms, not_shown(error)]
    )


def _part(name: str, html: str) -> Part:
    return Part(name, event("shown", name, msgspec.json.encode({"id": name, "html": html})), html)


def _environment(language: Language, build: str) -> jinja2.Environment:
    words = WORDS[language]
    environment = environment_of("cardshoe.floor.pages", "cardshoe.screens")
    environment.globals.update(
        w=words,
        t=words.plain,
        lang=language,
        names=NAMES,
        build=build,
        pips=PIPS,
        messages=messages,
        says=says,
        done=_DONE,
        reasons=_REASONS,
        unset=UNSET,
        fault="",
    )
    filters: dict[str, Callable[..., Any]] = {
        "macau": macau_time,
        "macau_time": macau,
        "macau_clock": clock,
        "macau_hour": lambda moment: moment.astimezone(ZONE).strftime("%m-%d %H:%M"),
        "lasted": lambda one: lasted(one.at, one.settled_at),
    }
    environment.filters.update(filters)
    return environment
