"""The pages as HTML, made by templates; each is rendered once for all who look at it."""

import hashlib
from datetime import UTC, datetime, timedelta
from importlib import resources
from importlib.metadata import version
from typing import Any, Final

import jinja2
import msgspec
from msgspec import UNSET, Struct

from table.display import messages
from table.display.acts import enters_by_hand, may_bet, may_bet_late, offers
from table.display.betting import betting_of
from table.display.cards import PIPS
from table.display.feed import Feed, event
from table.display.felt import felt_of
from table.display.players_board import COLUMNS, board_of
from table.display.settings import DisplaySettings
from table.display.words import Words
from table.process.free_text import page_text
from table.setup.currency import currency
from table.view import TableView
from table.view.allowed import allowed

MACAU: Final = timedelta(hours=8)
"""Macau is eight hours before UTC the whole year, and has no summer time."""
_HASH_DIGITS: Final = 12


class Part(Struct, frozen=True):
    """The content of a page after a line.

    Attributes:
        id: LOG:SEQ.
        event: for the page's script, as it goes to all who look.
        html: the inside of its ``<main>``.
    """

    id: str
    event: bytes
    html: str


class Pages:
    """The pages of a display.

    Args:
        settings: what they show.
        feed: the table.

    Attributes:
        names: of the pages that there are.
        build: of program, templates and styles: a page of another one is out of date.
    """

    def __init__(self, settings: DisplaySettings, feed: Feed) -> None:
        self._settings: Final = settings
        self._feed: Final = feed
        self._currency: Final = currency(settings.currency)
        self._shown: Final[dict[str, Part]] = {}
        self.names: Final[list[str]] = [*settings.section.pages]
        self.build: Final = build_of(settings.written(), "table.display")
        words = Words(settings.section.languages)
        environment = environment_of("table.display")
        environment.globals.update(
            w=words,
            t=words.plain,
            lang=words.first,
            build=self.build,
            section=settings.section,
            pips=PIPS,
            columns=COLUMNS,
            messages=messages,
            unset=UNSET,
        )
        environment.filters["macau"] = macau_time
        self._templates: Final = {name: environment.get_template(f"{name}.html") for name in self.names}
        self._base: Final = environment.get_template("page.html")

    def whole(self, name: str) -> str:
        """A page as it is first asked for."""
        part = self.part(name)
        return self._base.render(
            page=name,
            table=self._settings.table_id,
            main="" if part is None else part.html,
            id="" if part is None else part.id,
            why_not=self._feed.why_not,
            digits=self._currency.digits,
        )

    def part(self, name: str) -> Part | None:
        """Return the page's current part; the same object until something is new, ``None`` before the first line."""
        view = self._feed.view
        if view is None or view.profile is None:
            return None
        key = f"{self._feed.log}:{view.seq}"
        known = self._shown.get(name)
        if known is not None and known.id == key:
            return known
        html = self.render(name, view)
        part = Part(key, event("shown", key, msgspec.json.encode({"id": key, "html": html})), html)
        self._shown[name] = part
        return part

    def render(self, name: str, view: TableView) -> str:
        """Render a page of a view as HTML.

        Args:
            name: of the page.
            view: of a table whose profile is known.
        """
        more = {"board": board_of(view)} if name == "board" else self._croupier(view)
        return self._templates[name].render(view=view, currency=self._currency, **more)

    def _croupier(self, view: TableView) -> dict[str, Any]:
        correcting = any(one.event == "bets_corrected" for one in allowed(view))
        betting = correcting or may_bet(view) or may_bet_late(view)
        return {
            "felt": felt_of(view, self._currency),
            "offers": offers(view, self._currency),
            "betting": betting_of(view, self._currency, correcting=correcting) if betting else None,
            "pad": enters_by_hand(view),
        }


def macau_time(at: str) -> str:
    """The time of Macau of a moment of the log, to the second."""
    if not at:
        return ""
    return (datetime.fromisoformat(at).astimezone(UTC) + MACAU).strftime("%H:%M:%S")


def environment_of(*packages: str) -> jinja2.Environment:
    """Make the environment for templates of packages: it escapes each value; a missing one is an error.

    Args:
        packages: in which a template is looked for, one after the other.
    """
    return jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(package) for package in packages]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def harmless(value: object) -> object:
    """A value as a template prints it: text that is not markup of ours by `page_text`."""
    return page_text(value) if type(value) is str else value


def build_of(settings: bytes, *packages: str) -> str:
    """Another one if anything is another that a page is made of.

    Args:
        settings: of the pages.
        packages: with their templates, scripts, styles and translations.
    """
    digest = hashlib.sha256(version("cardshoe").encode() + settings)
    for package in packages:
        for below in ("templates", "static", "locale/pt/LC_MESSAGES", "locale/zh_Hant/LC_MESSAGES"):
            for file in sorted((resources.files(package) / below).iterdir(), key=lambda one: one.name):
                digest.update(file.read_bytes())
    return digest.hexdigest()[:_HASH_DIGITS]
