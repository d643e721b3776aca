"""Queries of a request: language, gaming days, filters and page."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Final

from markupsafe import Markup
from starlette.requests import Request

from cardshoe.floor.pages import labels as floor_labels
from cardshoe.floor.pages.days import ZONE, GamingDays, read_day
from cardshoe.floor.pages.language import language_of
from cardshoe.floor.pages.queries import PAGES_MAX, Span
from cardshoe.floor.pages.rendering import Here
from cardshoe.floor.pages.settings import PagesSettings
from cardshoe.process.http.browser_sessions import VISIT
from cardshoe.screens.rounds.asked import BadQuestion

DAYS_MAX: Final = 92
TEXT_MAX: Final = 200
Who = Callable[[Request], Markup]


class Questions:
    def __init__(self, settings: PagesSettings, who: Who) -> None:
        self._language: Final = settings.language
        self._days: Final = GamingDays(settings.day_begins)
        self._who: Final = who

    def here(self, request: Request) -> Here:
        """Address and reader of a request."""
        query = {name: value for name, value in request.query_params.items() if name != "lang"}
        language = language_of(request, self._language)
        visit = request.scope.get(VISIT)
        role = None if visit is None else visit.role
        return Here(path=request.url.path, query=query, language=language, who=self._who(request), role=role)

    @property
    def today(self) -> date:
        """The current gaming day."""
        return self._days.day_of(datetime.now(ZONE))

    def day(self, request: Request) -> tuple[Span, str]:
        """One gaming day, today by default, and the request's fault; see `span`."""
        query = dict(request.query_params)
        day = query.get("day", self.today.isoformat())
        return self._span({**query, "from": day, "to": day, "kind": ""}, self.today, self.today)

    def span(self, request: Request, first: date, last: date) -> tuple[Span, str]:
        """Gaming days and the request's fault, empty if valid; defaults apply after a fault too."""
        return self._span({**request.query_params, "person": ""}, first, last)

    def _span(self, query: Mapping[str, str], first: date, last: date) -> tuple[Span, str]:
        fault = ""
        texts = {name: query.get(name, "").strip() for name in ("table", "kind", "person")}
        try:
            _check(texts.values())
            first, last = _days(query, first, last)
        except BadQuestion as error:
            fault, texts = str(error), dict.fromkeys(texts, "")
        begin, end = self._days.span(first, last)
        return Span(first=first, last=last, begin=begin, end=end, **texts), fault


def page_of(request: Request) -> int:
    said = request.query_params.get("page", "1")
    return min(max(1, int(said)), PAGES_MAX) if said.isascii() and said.isdigit() and len(said) < len("99999") else 1


def _check(texts: Iterable[str]) -> None:
    if any("\0" in text or len(text) > TEXT_MAX for text in texts):
        raise BadQuestion(floor_labels.NO_NAME)


def _days(query: Mapping[str, str], first: date, last: date) -> tuple[date, date]:
    try:
        first = read_day(query["from"]) if "from" in query else first
        last = read_day(query["to"]) if "to" in query else max(first, last)
    except ValueError as error:
        raise BadQuestion(floor_labels.NO_DAY) from error
    if not 0 <= (last - first).days < DAYS_MAX:
        raise BadQuestion(floor_labels.NO_SPAN)
    return first, last
