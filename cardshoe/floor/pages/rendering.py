"""Templates of the floor's pages, one environment per language."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

import jinja2
import msgspec
from markupsafe import Markup
from msgspec import UNSET, Struct

from cardshoe.floor.pages import labels as floor_labels
from cardshoe.floor.pages.days import ZONE, clock, field_time, lasted, macau, stamp
from cardshoe.floor.pages.language import WORDS
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.floor.permissions import PERMISSIONS
from cardshoe.screens.felt.cards import PIPS
from cardshoe.screens.felt.felt import short
from cardshoe.screens.rendering import build_of, environment_of, macau_moment, macau_time
from cardshoe.screens.words import labels
from cardshoe.screens.words.currency import Currency, currency
from cardshoe.screens.words.display_section import LANGUAGE_NAMES, Language
from regulations.events.vocabulary import Role

_DONE: Final[dict[str, str]] = {**labels.DONE, **floor_labels.CODES}


class Here(Struct, frozen=True, kw_only=True):
    path: str
    query: Mapping[str, str]
    language: Language
    who: Markup = Markup()
    role: Role | None = None

    @property
    def nav(self) -> Mapping[str, str]:
        """The pages for this reader, by path."""
        every = {**floor_labels.NAV, **floor_labels.WATCHING}
        return {one: text for one, text in every.items() if self.role in PERMISSIONS[f"GET /{one}"].roles}

    def address(self, language: Language | None = None, **changes: str) -> str:
        """This page with changes in its query."""
        query = {**self.query, **changes, "lang": language or self.language}
        return f"{self.path}?{urlencode(query)}"

    def word(self, message: str) -> str:
        """A message in the page's language."""
        return WORDS[self.language].plain(message)


class Templates:
    """Renders templates; pages of another ``build`` are out of date."""

    def __init__(self, settings: PagesSettings) -> None:
        self.currency: Final[Currency] = currency(settings.currency)
        self.build: Final = build_of(msgspec.json.encode(settings), "cardshoe.floor.pages", "cardshoe.screens")
        self._environments: Final = {one: _environment(one, self.build) for one in WORDS}

    def part(self, template: str, language: Language, /, **values: object) -> str:
        """Render a part that is equal for all readers of a language."""
        return self._environments[language].get_template(f"{template}.html").render(**values)

    def page(self, template: str, here: Here, /, **values: object) -> str:
        """Render a whole page for one reader."""
        shown = {"stream": "", "name": template, **values}
        return self.part(template, here.language, **shown, who=here.who, nav=here.nav, here=here.address)


def _environment(language: Language, build: str) -> jinja2.Environment:
    words = WORDS[language]
    environment = environment_of("cardshoe.floor.pages", "cardshoe.screens")
    environment.globals.update(
        w=words,
        t=words.plain,
        lang=language,
        names=LANGUAGE_NAMES,
        build=build,
        pips=PIPS,
        labels=labels,
        floor_labels=floor_labels,
        done=_DONE,
        reasons=labels.REASON_TEXTS,
        unset=UNSET,
        fault="",
    )
    filters: dict[str, Callable[..., Any]] = {
        "macau": macau_time,
        "macau_moment": macau_moment,
        "short": short,
        "macau_time": macau,
        "macau_clock": clock,
        "macau_stamp": stamp,
        "macau_input": field_time,
        "macau_hour": lambda moment: moment.astimezone(ZONE).strftime("%m-%d %H:%M"),
        "lasted": lambda one: lasted(one.at, one.settled_at),
    }
    environment.filters.update(filters)
    return environment
