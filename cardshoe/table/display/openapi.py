"""The interface as an OpenAPI 3.1 document, from its types."""

from http import HTTPStatus
from typing import Any, Final

import msgspec
from msgspec import Struct

from cardshoe.process.http.browser_sessions import COOKIE
from cardshoe.process.http.problems import KIND, Problem
from cardshoe.screens.view import TableView
from cardshoe.screens.view.allowed import Allowed
from cardshoe.table.display import bodies as persons
from cardshoe.table.display.drafts import Draft
from cardshoe.table.display.persons_api import NAMED

JSON: Final = "application/json"
STREAM: Final = "text/event-stream"
REF: Final = "#/components/schemas/{name}"
STRUCTS: Final[tuple[type[Struct], ...]] = (
    *(
        Problem,
        TableView,
        Allowed,
        persons.SessionInfo,
        persons.InputAccepted,
        persons.ActionResult,
        persons.EnrolmentResult,
    ),
    *(persons.ProposalWaiting, persons.SessionRequest, persons.EnrolmentRequest, persons.ActRequest),
    *(persons.ProposalRequest, persons.ApprovalRequest, Draft),
)
FAILING: Final = {
    400: "A header, or a body, that cannot be read",
    401: "Not signed in, or no longer",
    403: "Another origin, or a name that is not this display's; a session's csrf that is missing; not permitted",
    404: "This table has no persons",
    408: "The body came too slowly",
    409: "The regulation refused it, and nothing changed: `refused` and `article`; or which device is meant is open",
    410: "The proposal was approved, is over, or the table stands otherwise by now",
    413: "The body is too long",
    415: "The body is no JSON",
    422: "The key came with another input",
    429: "Too many wrong PINs, or too much waits: Retry-After",
    500: "The PIN could not be checked",
    503: "The table does not answer; or what fails",
}
BODY: Final = (400, 408, 413, 415)
SESSION: Final = (401, 404, 429, 503)
CSRF: Final = {
    "name": "Cardshoe-Csrf",
    "in": "header",
    "required": True,
    "description": "`csrf` of the session.",
    "schema": {"type": "string"},
}
INPUT: Final = {
    "type": "object",
    "required": ["event"],
    "properties": {"event": {"type": "string"}},
    "not": {"required": ["by"], "properties": {"event": {"enum": sorted(NAMED)}}},
    "description": "One input of the table log (docs/table-log.md), without the persons who answer for it.",
}


def document(version: str) -> dict[str, Any]:
    _, schemas = msgspec.json.schema_components(STRUCTS, ref_template=REF)
    schemas["ProposalRequest"]["properties"]["input"] = INPUT
    return {
        "openapi": "3.1.0",
        "info": {"title": "cardshoe table display", "version": version},
        "paths": {**_looking(), **_saying()},
        "components": {
            "schemas": schemas,
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def _looking() -> dict[str, Any]:
    resume = {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "LOG:SEQ of the last event that came; those after it follow, or a snapshot.",
        "schema": {"type": "string", "pattern": "^[0-9a-f]{32}:[0-9]{1,18}$"},
    }
    return {
        "/api/v1/table": {"get": _operation("The current table", _at("view", _ref(TableView)), also=(503,))},
        "/api/v1/options": {
            "get": _operation(
                "The inputs allowed now", _at("options", {"type": "array", "items": _ref(Allowed)}), also=(503,)
            )
        },
        "/api/v1/events": {
            "get": _operation(
                "Durable lines as they come, ids LOG:SEQ; events: snapshot, line, pulse",
                {"type": "string"},
                kind=STREAM,
                parameters=[resume],
                also=(400, 503),
            )
        },
        "/api/v1/openapi.json": {"get": _operation("This document", {"type": "object"})},
        "/healthz": {"get": _operation("Whether the display is alive", {"type": "object"})},
        "/readyz": {"get": _operation("Whether display and table are of use; 503 names what fails", {}, also=(503,))},
        "/version": {"get": _operation("Which programs are at work", {"type": "object"})},
        "/metrics": {"get": _operation("Figures for Prometheus", {"type": "string"}, kind="text/plain")},
    }


def _saying() -> dict[str, Any]:
    created = HTTPStatus.CREATED
    key = {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Journalled with the input: the same input with it is taken once and has its first answer.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!-~]+$"},
    }
    name = {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
    now, taken, draft = _ref(persons.SessionInfo), _ref(persons.InputAccepted), _ref(Draft)
    return {
        "/api/v1/session": {
            "post": _operation(
                "Sign in; sets the cookie",
                now,
                status=created,
                body=_ref(persons.SessionRequest),
                also=(404, 429, 500, 503, *BODY),
            ),
            "get": _operation("The session and its owner", now, also=SESSION, signed_in=True),
            "delete": _operation(
                "Sign out",
                None,
                status=HTTPStatus.NO_CONTENT,
                parameters=[CSRF],
                also=SESSION,
                signed_in=True,
            ),
        },
        "/api/v1/draft": {
            "get": _operation("The wagers that were entered and are not sent", draft, also=SESSION, signed_in=True),
            "put": _said("Keep the wagers that were entered", None, draft, [], HTTPStatus.NO_CONTENT),
        },
        "/api/v1/enrolment": {
            "post": _operation(
                "Add the first supervisor with the one-time code",
                _ref(persons.EnrolmentResult),
                status=created,
                body=_ref(persons.EnrolmentRequest),
                also=(404, 429, 500, 503, *BODY),
            )
        },
        "/api/v1/inputs": {
            "post": _said("Say one input", taken, INPUT, [{**key, "required": True}], created, (409, 422))
        },
        "/api/v1/acts": {
            "post": _said("Ask the devices for something", _ref(persons.ActionResult), _ref(persons.ActRequest), [])
        },
        "/api/v1/opening": {
            "post": _said(
                "Open the closed table, with a second person",
                taken,
                _ref(persons.ApprovalRequest),
                [],
                created,
                (409, 500),
            )
        },
        "/api/v1/proposals": {
            "post": _said(
                "Propose an act of two persons",
                _ref(persons.ProposalWaiting),
                _ref(persons.ProposalRequest),
                [key],
                created,
                (409, 422),
            )
        },
        "/api/v1/proposals/{id}/approve": {
            "post": _said(
                "Approve it, on the same screen",
                taken,
                _ref(persons.ApprovalRequest),
                [name],
                created,
                (409, 410, 422, 500),
            )
        },
    }


def _said(
    summary: str,
    answer: dict[str, Any] | None,
    body: dict[str, Any],
    parameters: list[dict[str, Any]],
    status: HTTPStatus = HTTPStatus.OK,
    also: tuple[int, ...] = (),
) -> dict[str, Any]:
    return _operation(
        summary,
        answer,
        status=status,
        parameters=[*parameters, CSRF],
        body=body,
        also=(*also, *SESSION, *BODY),
        signed_in=True,
    )


def _operation(  # the parts of an operation, all but the first two by name
    summary: str,
    answer: dict[str, Any] | None,
    *,
    kind: str = JSON,
    status: HTTPStatus = HTTPStatus.OK,
    parameters: list[dict[str, Any]] | None = None,
    body: dict[str, Any] | None = None,
    also: tuple[int, ...] = (),
    signed_in: bool = False,
) -> dict[str, Any]:
    answered: dict[str, Any] = {"description": summary}
    if answer is not None:
        answered["content"] = {kind: {"schema": answer}}
    problems = {str(code): _failing(FAILING[code]) for code in sorted({403, *also})}
    found: dict[str, Any] = {
        "summary": summary,
        "parameters": parameters or [],
        "responses": {str(status.value): answered, **problems},
    }
    if body is not None:
        found["requestBody"] = {"required": True, "content": {JSON: {"schema": body}}}
    if signed_in:
        found["security"] = [{"session": []}]
    return found


def _at(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["log", "seq", "current", name],
        "properties": {
            "log": {"type": "string", "description": "The fingerprint of the log."},
            "seq": {"type": "integer", "description": "The last line that it knows."},
            "current": {"type": "boolean"},
            name: schema,
        },
    }


def _ref(kind: type[Struct]) -> dict[str, Any]:
    return {"$ref": REF.format(name=kind.__name__)}


def _failing(description: str) -> dict[str, Any]:
    return {"description": description, "content": {KIND: {"schema": _ref(Problem)}}}
