"""Pages for signed-in staff: permissions and rendering."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

import jinja2
from msgspec import UNSET, Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from cardshoe.persons.permissions import PAGES
from cardshoe.process.http.browser_sessions import BrowserSession
from cardshoe.process.http.problems import RequestRejected
from cardshoe.screens.felt.cards import PIPS
from cardshoe.screens.rendering import environment_of, macau_moment, macau_time
from cardshoe.screens.words import labels
from cardshoe.screens.words.currency import Currency, currency
from cardshoe.screens.words.display_section import LANGUAGE_NAMES, Language
from cardshoe.screens.words.translation import Words
from cardshoe.table.display.persons_api import PersonsApi
from cardshoe.table.display.settings import DisplaySettings


class Visitor(Struct, frozen=True, kw_only=True):
    path: str
    query: Mapping[str, str]
    language: Language
    session: BrowserSession | None
    screen: str

    def address(self, language: Language) -> str:
        """This page in another language."""
        return f"{self.path}?{urlencode({**self.query, 'lang': language})}"


Sheet = Callable[[Request, Visitor], Awaitable[Response]]


class Sheets:
    def __init__(self, settings: DisplaySettings, persons: PersonsApi, build: str) -> None:
        self._settings: Final = settings
        self._persons: Final = persons
        self.currency: Final[Currency] = currency(settings.currency)
        seats = settings.section.seat_labels
        self._words: Final = {one: Words([one], seats=seats) for one in LANGUAGE_NAMES}
        self._environments: Final = {one: _environment(words, one, build) for one, words in self._words.items()}

    def gated(self, name: str, sheet: Sheet) -> Callable[[Request], Awaitable[Response]]:
        """A page for the roles of `PAGES`; others get a refusal, or the sign-in."""

        async def answer(request: Request) -> Response:
            visitor = self._visitor(request, None)
            try:
                session = await self._persons.visitor(request)
            except RequestRejected as error:
                status = HTTPStatus(error.response.status_code)
                said = labels.NO_STAFF if status is HTTPStatus.NOT_FOUND else labels.NO_ANSWER
                return self.said(visitor, status, said)
            if session is None:
                return self.page("entrance", visitor, HTTPStatus.UNAUTHORIZED, title=labels.SIGN_IN)
            visitor = self._visitor(request, session)
            if session.role not in PAGES[name]:
                return self.said(visitor, HTTPStatus.FORBIDDEN, labels.NOT_PERMITTED)
            return await sheet(request, visitor)

        return answer

    def said(self, visitor: Visitor, status: HTTPStatus, message: str, detail: str = "") -> Response:
        """A page with one message."""
        return self.page("said", visitor, status, title=self._settings.table_id, said=message, detail=detail)

    def page(
        self, template: str, visitor: Visitor, status: HTTPStatus = HTTPStatus.OK, /, *, title: str, **values: object
    ) -> Response:
        """A page for one reader; a title that is a message is translated."""
        session, role = visitor.session, None if visitor.session is None else visitor.session.role
        pages = [one for one in self._settings.section.pages if one not in PAGES or role in PAGES[one]]
        html = (
            self._environments[visitor.language]
            .get_template(f"{template}.html")
            .render(
                name=template,
                title=title,
                visitor=visitor,
                session=session,
                pages=pages,
                table=self._settings.table_id,
                section=self._settings.section,
                **values,
            )
        )
        return HTMLResponse(html, status)

    def word(self, visitor: Visitor, message: str) -> str:
        """A message in the reader's language."""
        return self._words[visitor.language].plain(message)

    def _visitor(self, request: Request, session: BrowserSession | None) -> Visitor:
        said = request.query_params.get("lang", "")
        language = next((one for one in LANGUAGE_NAMES if one == said), self._settings.section.languages[0])
        return Visitor(
            path=request.url.path,
            query={name: value for name, value in request.query_params.items() if name != "lang"},
            language=language,
            session=session,
            screen="table" if self._persons.source(request).is_here else "own",
        )


def _environment(words: Words, language: Language, build: str) -> jinja2.Environment:
    environment = environment_of("cardshoe.table.display", "cardshoe.screens")
    values: dict[str, Any] = {
        "w": words,
        "t": words.plain,
        "lang": language,
        "names": LANGUAGE_NAMES,
        "build": build,
        "pips": PIPS,
        "labels": labels,
        "unset": UNSET,
    }
    environment.globals.update(values)
    environment.filters.update({"macau": macau_time, "macau_moment": macau_moment})
    return environment
