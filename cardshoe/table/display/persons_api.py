"""The interface for staff: sign-in, inputs, proposals, approvals (`docs/display.md`)."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from time import monotonic
from typing import Any, Final, get_args

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardshoe.persons.lockout import Source
from cardshoe.persons.permissions import OPEN_TABLE, PERMISSIONS, Named
from cardshoe.persons.request_sources import source_of
from cardshoe.process.clock import wall_time
from cardshoe.process.http.bodies import key_of, read
from cardshoe.process.http.browser_sessions import (
    BROWSER,
    BROWSER_S,
    COOKIE,
    BrowserSession,
    BrowserSessions,
    TrustedBrowsers,
)
from cardshoe.process.http.problems import RequestRejected, problem
from cardshoe.screens.view.parts import RoundView
from cardshoe.screens.words.translation import Words
from cardshoe.table.display.bodies import (
    ActionResult,
    ActRequest,
    ApprovalAwaited,
    ApprovalRequest,
    EnrolmentRequest,
    EnrolmentResult,
    InputAccepted,
    ProposalRequest,
    ProposalWaiting,
    SecondPerson,
    SessionInfo,
    SessionRequest,
)
from cardshoe.table.display.drafts import Draft, Drafts
from cardshoe.table.display.feed import Feed
from cardshoe.table.display.input_client import InputClient, NotAnswered
from cardshoe.table.display.pages import Pages
from cardshoe.table.live import messages as says
from cardshoe.table.live.client import Outcome
from cardshoe.table.live.messages import Screen
from regulations.events.vocabulary import Role

NAMED: Final = frozenset(str(one.__struct_config__.tag) for one in get_args(Named))
STATUS: Final[dict[says.NotTakenCode, HTTPStatus]] = {
    "malformed": HTTPStatus.BAD_REQUEST,
    "not_for_persons": HTTPStatus.FORBIDDEN,
    "which_device": HTTPStatus.CONFLICT,
    "not_permitted": HTTPStatus.FORBIDDEN,
    "sign_in_refused": HTTPStatus.FORBIDDEN,
    "locked": HTTPStatus.TOO_MANY_REQUESTS,
    "busy": HTTPStatus.TOO_MANY_REQUESTS,
    "not_checked": HTTPStatus.INTERNAL_SERVER_ERROR,
    "bad_id": HTTPStatus.BAD_REQUEST,
    "bad_pin": HTTPStatus.BAD_REQUEST,
    "bad_code": HTTPStatus.FORBIDDEN,
    "no_persons": HTTPStatus.NOT_FOUND,
    "no_proposal": HTTPStatus.GONE,
    "state_changed": HTTPStatus.GONE,
    "same_person": HTTPStatus.FORBIDDEN,
    "at_terminal": HTTPStatus.CONFLICT,
    "key_reused": HTTPStatus.UNPROCESSABLE_ENTITY,
}


class _Refused(Struct, frozen=True):
    event: str
    code: str | int | None = None
    article: str = ""
    detail: str = ""


class _Wagers(Struct, frozen=True):
    wagers: Raw | UnsetType = UNSET


_OVER: Final = frozenset({"no_proposal", "state_changed"})
_wagers: Final = msgspec.json.Decoder(_Wagers)
_refused: Final = msgspec.json.Decoder(_Refused)


class PersonsApi:
    def __init__(
        self,
        feed: Feed,
        *,
        is_secure: bool,
        words: Words,
        drafts: Drafts,
        pages_for: Callable[[Request], Pages],
    ) -> None:
        self._feed: Final = feed
        self._pages_for: Final = pages_for
        self._drafts: Final = drafts
        self._is_secure: Final = is_secure
        self._words: Final = words
        self._visits: Final = BrowserSessions()
        self._browsers: Final = TrustedBrowsers()
        self._awaited: Final[dict[str, ApprovalAwaited]] = {}
        self._carrier: Final = InputClient(feed.place, self._visits.end_all)

    def routes(self) -> list[Route]:
        """Routes of the interface."""
        api = "/api/v1"
        return [
            Route(f"{api}/session", self._sign_in, methods=["POST"]),
            Route(f"{api}/session", self._session, methods=["GET"]),
            Route(f"{api}/session", self._sign_out, methods=["DELETE"]),
            Route(f"{api}/draft", self._draft, methods=["GET"]),
            Route(f"{api}/draft", self._keep_draft, methods=["PUT"]),
            Route(f"{api}/enrolment", self._enrol, methods=["POST"]),
            Route(f"{api}/inputs", self._input, methods=["POST"]),
            Route(f"{api}/acts", self._act, methods=["POST"]),
            Route(f"{api}/opening", self._open, methods=["POST"]),
            Route(f"{api}/proposals", self._propose, methods=["POST"]),
            Route(f"{api}/proposals/{{proposal}}/approve", self._approve, methods=["POST"]),
        ]

    async def close(self) -> None:
        """End all sessions."""
        await self._carrier.close()

    def source(self, request: Request) -> Source:
        """The source of a request."""
        return source_of(request, self._browsers)

    def awaited(self) -> list[ApprovalAwaited]:
        """Proposals that wait for a second person."""
        for one in [one for one in self._awaited.values() if one.ends_s <= monotonic()]:
            del self._awaited[one.proposal]
        return [*self._awaited.values()]

    async def visitor(self, request: Request) -> BrowserSession | None:
        """The signed-in person of a request; ``None``: none.

        Raises:
            RequestRejected: the table does not answer, or has no staff.
        """
        self._check_table()
        visit = self._visits.of(request.cookies.get(COOKIE))
        if visit is None:
            return None
        try:
            return await self._still(visit)
        except RequestRejected as error:
            if error.response.status_code != HTTPStatus.UNAUTHORIZED:
                raise
            return None

    # --- sessions ----------------------------------------------------------------------------------------------------

    async def _sign_in(self, request: Request) -> Response:
        wanted = await read(request, SessionRequest)
        if wanted.relieves:
            return await self._relieve(request, wanted)
        before = self._visits.of(request.cookies.get(COOKIE))
        came = await self._begun(request, wanted)
        suspended, replaced = _suspended(before, came.role, wanted.screen)
        cookie, visit = self._visits.begin(came.session, came.person, came.role, came.idle_s, suspended)
        if before is not None:
            self._visits.end(before)  # its cookie ends, also where the session is suspended
        for one in replaced:
            await self._ask(says.SignOut(id="-", session=one.token))
        response = _json(_now(visit), HTTPStatus.CREATED)
        self._keep(response, COOKIE, cookie)
        if (browser := self._browsers.came(request.cookies.get(BROWSER), came.person)) is not None:
            self._keep(response, BROWSER, browser, BROWSER_S)
        return response

    async def _begun(self, request: Request, wanted: SessionRequest) -> says.SessionBegun:
        source = self.source(request)
        came = await self._ask(
            says.SignIn(id="-", person=wanted.id, pin=wanted.pin, screen=wanted.screen, source=source)
        )
        if not isinstance(came, says.SessionBegun):
            raise RequestRejected(_not_taken(came))
        return came

    async def _relieve(self, request: Request, wanted: SessionRequest) -> Response:
        over = self._checked(request)
        if over.role != "supervisor" or wanted.screen != "table" or not self.source(request).is_here:
            detail = "The next croupier signs in at the table's screen, where a supervisor is signed in."
            raise RequestRejected(problem(HTTPStatus.FORBIDDEN, detail, refused="not_permitted"))
        if wanted.id == over.person:  # a sign-in would end the supervisor's own session
            raise RequestRejected(_no_croupier())
        came = await self._begun(request, wanted)
        if came.role != "croupier":
            await self._ask(says.SignOut(id="-", session=came.session))
            raise RequestRejected(_no_croupier())
        # The table has ended the session of the croupier before.
        self._visits.suspend(over, came.session, came.person, came.role, came.idle_s)
        return _json(_now(over), HTTPStatus.CREATED)

    def _keep(self, response: Response, name: str, cookie: str, seconds: int | None = None) -> None:
        response.set_cookie(name, cookie, seconds, httponly=True, secure=self._is_secure, samesite="strict")

    async def _session(self, request: Request) -> Response:
        visit = self._visit(request)
        try:
            return _json(_now(await self._still(visit)))
        except RequestRejected:
            if (back := await self._resumed(visit)) is None:
                raise
        cookie, resumed = back
        response = _json(_now(resumed))
        self._keep(response, COOKIE, cookie)
        return response

    async def _sign_out(self, request: Request) -> Response:
        visit = self._checked(request)
        await self._ask(says.SignOut(id="-", session=visit.token))
        back = await self._resumed(visit)
        response = Response(status_code=HTTPStatus.NO_CONTENT)
        if back is None:
            _forget(response)
        else:
            self._keep(response, COOKIE, back[0])
        return response

    async def _resumed(self, ended: BrowserSession) -> tuple[str, BrowserSession] | None:
        if (back := self._visits.resume(ended)) is None:
            return None
        try:
            await self._still(back[1])
        except RequestRejected:
            return None
        return back

    async def _enrol(self, request: Request) -> Response:
        wanted = await read(request, EnrolmentRequest)
        source = self.source(request)
        came = await self._ask(says.Enrol(id="-", person=wanted.id, pin=wanted.pin, code=wanted.code, source=source))
        if not isinstance(came, says.Done):
            raise RequestRejected(_not_taken(came))
        return _json(EnrolmentResult(id=wanted.id), HTTPStatus.CREATED)

    # --- wagers that are not sent yet --------------------------------------------------------------------------------

    async def _draft(self, request: Request) -> Response:
        self._visit(request)
        return _json(self._drafts.now or Draft(key=""))

    async def _keep_draft(self, request: Request) -> Response:
        draft = await read(request, Draft)
        if self._checked(request).role not in PERMISSIONS["bets_closed"].says:
            detail = "A croupier or a supervisor enters wagers."
            raise RequestRejected(problem(HTTPStatus.FORBIDDEN, detail, refused="not_permitted"))
        self._drafts.now = draft
        return Response(status_code=HTTPStatus.NO_CONTENT)

    # --- what persons say --------------------------------------------------------------------------------------------

    async def _input(self, request: Request) -> Response:
        said, key = await read(request, dict[str, Any]), key_of(request, needed=True)
        visit = self._checked(request)
        line = Raw(msgspec.json.encode(_by(said, visit)))
        came = await self._ask(says.SubmitInput(id="-", line=line, session=visit.token, key=key))
        return await self._answer(came, visit)

    async def _act(self, request: Request) -> Response:
        wanted = await read(request, ActRequest)
        visit = self._checked(request)
        came = await self._ask(says.SayAct(id="-", act=wanted.act, number=wanted.number, session=visit.token))
        return await self._answer(came, visit)

    async def _propose(self, request: Request) -> Response:
        wanted, key = await read(request, ProposalRequest), key_of(request, needed=False)
        visit = self._checked(request)
        line = Raw(msgspec.json.encode(_by(wanted.input, visit)))
        came = await self._ask(says.Propose(id="-", line=line, session=visit.token, key=key))
        if not isinstance(came, says.ProposalWaits):
            return await self._answer(came, visit)
        if (found := came.refused) is not None:
            return self._refused_by_law(str(found.code), found.detail, found.article or "")
        name = _name(wanted.input)
        self._awaited[came.proposal] = ApprovalAwaited(
            proposal=came.proposal,
            event=name,
            person=visit.person,
            at=wall_time(),
            ends_s=monotonic() + came.seconds,
        )
        waits = ProposalWaiting(
            id=came.proposal,
            expires_s=came.seconds,
            input=wanted.input,
            needs=_needed(name, visit.role),
            before=came.before,
            after=came.after,
            partial=came.partial,
            changes=self._changes(request, came, wanted.input),
        )
        return _json(waits, HTTPStatus.CREATED)

    def _changes(self, request: Request, came: says.ProposalWaits, said: dict[str, Any]) -> str:
        if came.after is None:
            return ""
        before = came.before or RoundView(number=came.after.number)
        cards = said.get("cards") or ()
        return self._pages_for(request).changes(before, came.after, cards, is_partial=came.partial)

    async def _approve(self, request: Request) -> Response:
        wanted = await read(request, ApprovalRequest)
        visit = self._checked(request)
        approval = says.Approve(
            id="-",
            proposal=request.path_params["proposal"][:128],
            person=wanted.id,
            pin=wanted.pin,
            session=visit.token,
            source=self.source(request),
        )
        return await self._confirmed(approval, visit)

    async def _open(self, request: Request) -> Response:
        wanted = await read(request, ApprovalRequest)
        visit, source = self._checked(request), self.source(request)
        opening = says.OpenTable(id="-", person=wanted.id, pin=wanted.pin, session=visit.token, source=source)
        return await self._confirmed(opening, visit)

    async def _confirmed(self, asked: says.Approve | says.OpenTable, visit: BrowserSession) -> Response:
        came = await self._ask(asked)
        if isinstance(came, says.RequestDeclined) and came.code == "sign_in_refused":
            return _not_taken(came, says_pin=True)
        is_over = isinstance(came, says.InputResult) or (isinstance(came, says.RequestDeclined) and came.code in _OVER)
        if is_over and isinstance(asked, says.Approve):
            self._awaited.pop(asked.proposal, None)
        return await self._answer(came, visit)

    # --- below -------------------------------------------------------------------------------------------------------

    def _visit(self, request: Request) -> BrowserSession:
        self._check_table()
        visit = self._visits.of(request.cookies.get(COOKIE))
        if visit is None:
            response = _nobody()
            _forget(response)
            raise RequestRejected(response)
        return visit

    def _checked(self, request: Request) -> BrowserSession:
        visit = self._visit(request)
        if not visit.is_ours(request.headers.get("cardshoe-csrf", "")):
            detail = "Send the session's csrf token in the header Cardshoe-Csrf; GET /api/v1/session returns it."
            raise RequestRejected(problem(HTTPStatus.FORBIDDEN, detail, refused="csrf"))
        return visit

    def _check_table(self) -> None:
        if self._feed.why_not:
            raise RequestRejected(
                problem(HTTPStatus.SERVICE_UNAVAILABLE, f"The table does not answer: {self._feed.why_not}.")
            )
        if not self._feed.has_persons:
            detail = "This table has no persons configured, so it takes no input here: docs/persons.md."
            raise RequestRejected(problem(HTTPStatus.NOT_FOUND, detail, refused="no_persons"))

    async def _ask(self, request: says.Personal) -> Outcome:
        self._check_table()
        try:
            return await self._carrier.ask(request)
        except NotAnswered as error:
            detail = f"{error}. The log shows if the input was taken; you may send it again with the same key."
            raise RequestRejected(problem(HTTPStatus.SERVICE_UNAVAILABLE, detail)) from error

    async def _still(self, visit: BrowserSession) -> BrowserSession:
        came = await self._ask(says.AskSession(id="-", session=visit.token))
        if isinstance(came, says.RequestDeclined) and came.code == "not_permitted":
            response = _nobody()
            if visit.suspended is None:
                self._visits.end(visit)
                _forget(response)
            raise RequestRejected(response)
        if not isinstance(came, says.SessionBegun):
            raise RequestRejected(_not_taken(came))
        return visit

    def _refused_by_law(self, code: str, detail: str, article: str) -> Response:
        said = self._words.law_in_each(detail)
        return problem(HTTPStatus.CONFLICT, detail, said=said, refused=code, article=article)

    async def _answer(self, came: Outcome, visit: BrowserSession) -> Response:
        if isinstance(came, says.InputResult):
            if came.refused is None and _wagers.decode(came.lines[0]).wagers is not UNSET:
                self._drafts.now = None  # they are sent
            await self._feed.reached(came.seq)  # whoever looks next sees what was said
            if came.refused is None:
                return _taken(came)
            found = _refused.decode(came.lines[1])
            return self._refused_by_law(str(found.code), found.detail, found.article)
        if isinstance(came, says.ActOutcome):
            return _json(ActionResult(devices=came.devices))
        if isinstance(came, says.RequestDeclined) and came.code == "not_permitted":
            await self._still(visit)  # what is not permitted to nobody is another matter
        return _not_taken(came)


def _suspended(
    before: BrowserSession | None, role: Role, screen: Screen
) -> tuple[BrowserSession | None, Sequence[BrowserSession]]:
    both = [one for one in (before, None if before is None else before.suspended) if one is not None]
    kept = None
    if role != "croupier" and screen == "table":
        kept = next((one for one in both if one.role == "croupier"), None)
    return kept, [one for one in both if one is not kept]


def _now(visit: BrowserSession) -> SessionInfo:
    permissions = {**PERMISSIONS, "table_opened": OPEN_TABLE}
    may = [name for name, permission in permissions.items() if visit.role in permission.says]
    return SessionInfo(id=visit.person, role=visit.role, may=may, csrf=visit.csrf, idle_s=visit.idle_s)


def _name(said: dict[str, Any]) -> str:
    name = said.get("event")
    if not isinstance(name, str):
        raise RequestRejected(problem(HTTPStatus.BAD_REQUEST, "`event` must name the input.", field="$.event"))
    return name


def _by(said: dict[str, Any], visit: BrowserSession) -> dict[str, Any]:
    if _name(said) not in NAMED:
        return said
    if "by" in said:
        detail = "Leave `by` out: it is set to the signed-in person and the approver."
        raise RequestRejected(problem(HTTPStatus.BAD_REQUEST, detail, field="$.by"))
    return {**said, "by": [visit.person]}


def _needed(name: str, role: Role) -> SecondPerson:
    permission = PERMISSIONS[name]
    wanted = permission.says if role in permission.confirms else permission.confirms
    roles = [one for one in get_args(Role) if one in wanted]
    return SecondPerson(role=roles[0], roles=roles)


def _taken(came: says.InputResult) -> Response:
    return _json(InputAccepted(seq=came.seq, input=came.lines[0], lines=came.lines[1:]), HTTPStatus.CREATED)


def _not_taken(came: Outcome, *, says_pin: bool = False) -> Response:
    if not isinstance(came, says.RequestDeclined):
        raise TypeError(f"the table answered with {type(came).__name__}")
    # To who signs in, a wrong PIN is one more thing that is not permitted.
    code = "not_permitted" if came.code == "sign_in_refused" and not says_pin else came.code
    detail = f"{came.reason}. {came.remedy}".rstrip()
    return problem(STATUS[came.code], detail, refused=code, field=came.field, again_s=came.again_s)


def _no_croupier() -> Response:
    return problem(HTTPStatus.FORBIDDEN, "Only a croupier can take over.", refused="not_croupier")


def _nobody() -> Response:
    return problem(HTTPStatus.UNAUTHORIZED, "There is no valid session: sign in with POST /api/v1/session.")


def _forget(response: Response) -> None:
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")


def _json(body: Struct, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(msgspec.json.encode(body), status, media_type="application/json")
