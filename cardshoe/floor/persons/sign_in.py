"""Sign-in at the floor by ID and PIN, with an opaque cookie."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Final

import msgspec
from markupsafe import Markup
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from cardshoe.floor.forms import fields_of, form_body
from cardshoe.floor.pages.labels import SIGN_IN_REFUSALS
from cardshoe.floor.pages.language import WORDS, language_of
from cardshoe.floor.persons.recorder import Recorder
from cardshoe.floor.persons.staff_list import Roll
from cardshoe.persons.lockout import Source
from cardshoe.persons.pin_checker import LONGEST, unreadable
from cardshoe.persons.pins import Pins
from cardshoe.persons.refusal import AccessRefusal, RefusalOfPersons
from cardshoe.persons.request_sources import PinsWaiting, source_of
from cardshoe.persons.sessions import SignInPlace
from cardshoe.persons.sign_in import SignedInto, SignInService, busy
from cardshoe.process.exits import Stop
from cardshoe.process.http.bodies import read
from cardshoe.process.http.browser_sessions import BROWSER_S, VISIT, BrowserSession, BrowserSessions, TrustedBrowsers
from cardshoe.process.http.problems import problem
from cardshoe.screens.rendering import environment_of
from cardshoe.screens.words.display_section import LANGUAGE_NAMES, Language
from cardshoe.screens.words.labels import NOT_PERMITTED, ROLES
from regulations.events.vocabulary import Role

COOKIE: Final = "cardshoe_floor"
FLOOR_BROWSER: Final = "cardshoe_floor_browser"
PINS: Final = 7
PINS_AFAR: Final = 6
HERE: Final = SignInPlace("own_screen", 1)
HOME: Final = "/"
_STATUS: Final[dict[RefusalOfPersons, HTTPStatus]] = {
    "sign_in_refused": HTTPStatus.FORBIDDEN,
    "locked": HTTPStatus.TOO_MANY_REQUESTS,
    "busy": HTTPStatus.TOO_MANY_REQUESTS,
    "not_checked": HTTPStatus.INTERNAL_SERVER_ERROR,
    "no_persons": HTTPStatus.NOT_FOUND,
}


class SessionWanted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(max_length=LONGEST)]
    pin: Annotated[str, Meta(max_length=LONGEST)]


class SessionNow(Struct, frozen=True, kw_only=True):
    id: str
    role: Role
    csrf: str
    idle_s: float | None


class FloorEntrance(SignInService):
    def __init__(
        self, roll: Roll, recorder: Recorder, pins: Pins | None = None, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(roll, recorder.note, pins, now_s)
        self._recorder: Final = recorder

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self._recorder.flush()

    def tick(self) -> None:
        super().tick()
        self._recorder.flush()


class Visiting:
    def __init__(self, entrance: SignInService, *, is_secure: bool, language: Language = "en") -> None:
        self._entrance: Final = entrance
        self._is_secure: Final = is_secure
        self._language: Final = language
        # A browser takes a cookie of this name only with `Secure`, and from no other host of the domain.
        self._cookie: Final = f"__Host-{COOKIE}" if is_secure else COOKIE
        self._visits: Final = BrowserSessions()
        self._browsers: Final = TrustedBrowsers()
        self._browser: Final = f"__Host-{FLOOR_BROWSER}" if is_secure else FLOOR_BROWSER
        self._pins: Final = PinsWaiting(PINS, PINS_AFAR)
        templates = environment_of("cardshoe.floor.persons")
        self._page: Final = templates.get_template("sign_in.html")
        self._who: Final = templates.get_template("who.html")

    def routes(self) -> list[Route]:
        """Routes of sign-in and sign-out."""
        session = "/api/v1/session"
        return [
            Route("/sign-in", self._ask, methods=["GET"]),
            Route("/sign-in", self._take_form, methods=["POST"]),
            Route("/sign-out", self._leave_page, methods=["POST"]),
            Route(session, self._sign_in, methods=["POST"]),
            Route(session, self._session, methods=["GET"]),
            Route(session, self._sign_out, methods=["DELETE"]),
        ]

    def who(self, request: Request) -> Markup:
        """The signed-in person with the sign-out button, for the page head; empty: none."""
        visit: BrowserSession | None = request.scope[VISIT]
        if visit is None:
            return Markup()
        words = WORDS[language_of(request, self._language)]
        role = words.plain(ROLES[visit.role])
        return Markup(self._who.render(visit=visit, role=role, t=words.plain))  # noqa: S704  escaped in there

    def is_browser(self, request: Request) -> bool:
        """True if this browser has had a session, even an ended one."""
        return self._cookie in request.cookies

    def of(self, request: Request, *, heard: bool) -> BrowserSession | None:
        """The browser's session; ``None``: none, or ended."""
        visit = self._visits.of(request.cookies.get(self._cookie))
        if visit is None:
            return None
        came = self._entrance.session(HERE.client, visit.token, heard=heard)
        if isinstance(came, AccessRefusal):
            self._visits.end(visit)
            return None
        return visit

    # --- for programs and scripts ------------------------------------------------------------------------------------

    async def _sign_in(self, request: Request) -> Response:
        wanted = await read(request, SessionWanted)
        came = await self._let_in(request, wanted.id, wanted.pin)
        if isinstance(came, AccessRefusal):
            return problem(_STATUS[came.code], f"{came.reason}. {came.remedy}", refused=came.code, again_s=came.again_s)
        visit, cookie = self._begin(request, came)
        return self._with_cookies(request, _json(visit, HTTPStatus.CREATED), cookie, came.person)

    async def _session(self, request: Request) -> Response:
        return _json(request.scope[VISIT], HTTPStatus.OK)

    async def _sign_out(self, request: Request) -> Response:
        return self._leave(request, Response(status_code=HTTPStatus.NO_CONTENT))

    # --- the page ----------------------------------------------------------------------------------------------------

    async def _ask(self, request: Request) -> Response:
        return self._shown(request, request.query_params.get("next", HOME))

    def not_permitted(self, request: Request) -> Response:
        """The refusal of a page, with the sign-in for another person."""
        return self._page_for(request, HTTPStatus.FORBIDDEN, address_of(request), NOT_PERMITTED)

    async def _take_form(self, request: Request) -> Response:
        fields = fields_of(await form_body(request))
        person, pin, after = fields.get("id", ""), fields.get("pin", ""), _within(fields.get("next", HOME))
        came = await self._let_in(request, person[: LONGEST + 1], pin[: LONGEST + 1])
        if isinstance(came, AccessRefusal):
            return self._shown(request, after, came, person)
        _, cookie = self._begin(request, came)
        return self._with_cookies(request, RedirectResponse(after, HTTPStatus.SEE_OTHER), cookie, came.person)

    async def _leave_page(self, request: Request) -> Response:
        return self._leave(request, RedirectResponse("/sign-in", HTTPStatus.SEE_OTHER))

    def _shown(self, request: Request, after: str, refusal: AccessRefusal | None = None, person: str = "") -> Response:
        status = HTTPStatus.OK if refusal is None else _STATUS[refusal.code]
        refusal = refusal or self._no_persons()
        if refusal is None:
            return self._page_for(request, status, after)
        # What is to be done stands in English, as in the journal and at the terminal.
        detail = f"{refusal.reason}. {refusal.remedy}"
        return self._page_for(request, status, after, SIGN_IN_REFUSALS[refusal.code], detail, person)

    def _page_for(  # the parts of the page
        self, request: Request, status: HTTPStatus, after: str, why: str = "", detail: str = "", person: str = ""
    ) -> Response:
        language = language_of(request, self._language)
        text = self._page.render(
            after=_within(after),
            who=self.who(request),
            why=why,
            detail=detail,
            person=person[:LONGEST],
            t=WORDS[language].plain,
            lang=language,
            names=LANGUAGE_NAMES,
        )
        return HTMLResponse(text, status)

    # --- below -------------------------------------------------------------------------------------------------------

    def _no_persons(self) -> AccessRefusal | None:
        try:
            if self._entrance.known.persons():
                return None
        except Stop:
            return unreadable()
        return AccessRefusal(
            code="no_persons",
            reason="no person is registered here yet",
            remedy="At the floor's own machine: `cardshoe floor persons add FLOOR.toml ID --role supervisor`.",
        )

    async def _let_in(self, request: Request, person: str, pin: str) -> SignedInto | AccessRefusal:
        if (refusal := self._no_persons()) is not None:
            return refusal
        source = source_of(request, self._browsers, self._browser)
        if self._pins.is_full(source):
            return busy()
        with self._pins.waits(source):
            return await self._looked_at(person, pin, source)

    async def _looked_at(self, person: str, pin: str, source: Source) -> SignedInto | AccessRefusal:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[SignedInto | AccessRefusal] = loop.create_future()

        def hear(came: SignedInto | AccessRefusal) -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(_answered, answer, came)

        self._entrance.later(lambda: self._entrance.sign_in(HERE, person, pin, source), hear)
        return await answer

    def _begin(self, request: Request, came: SignedInto) -> tuple[BrowserSession, str]:
        before = self._visits.of(request.cookies.get(self._cookie))
        if before is not None:
            self._visits.end(before)
            self._entrance.sign_out(HERE.client, before.token)
        cookie, visit = self._visits.begin(came.session, came.person, came.role, came.idle_s)
        return visit, cookie

    def _with_cookies(self, request: Request, response: Response, cookie: str, person: str) -> Response:
        self._keep(response, self._cookie, cookie)
        browser = self._browsers.came(request.cookies.get(self._browser), person)
        if browser is not None:
            self._keep(response, self._browser, browser, BROWSER_S)
        return response

    def _keep(self, response: Response, name: str, cookie: str, seconds: int | None = None) -> None:
        response.set_cookie(name, cookie, seconds, httponly=True, secure=self._is_secure, samesite="strict")

    def _leave(self, request: Request, response: Response) -> Response:
        visit: BrowserSession = request.scope[VISIT]
        self._visits.end(visit)
        self._entrance.sign_out(HERE.client, visit.token)
        response.delete_cookie(self._cookie, httponly=True, secure=self._is_secure, samesite="strict")
        return response


def address_of(request: Request) -> str:
    """The path with its query, for a return after the sign-in."""
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def _within(after: str) -> str:
    # Browsers take a backslash for a slash, and two of them begin the name of a host.
    is_ours = after.startswith("/") and not after.startswith("//") and "\\" not in after
    return after if is_ours and after.isprintable() else HOME


def _answered(answer: asyncio.Future[SignedInto | AccessRefusal], came: SignedInto | AccessRefusal) -> None:
    if not answer.done():  # who asked may have gone
        answer.set_result(came)


def _json(visit: BrowserSession, status: HTTPStatus) -> Response:
    now = SessionNow(id=visit.person, role=visit.role, csrf=visit.csrf, idle_s=visit.idle_s)
    return Response(msgspec.json.encode(now), status, media_type="application/json")
