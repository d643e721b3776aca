"""What goes wrong, as RFC 9457 has it: one JSON object that a program can read and a person understands."""

from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

KIND: Final = "application/problem+json"


class Problem(Struct, frozen=True, kw_only=True):
    """A problem.

    Attributes:
        type: what it is, for programs; ``about:blank``: what the status says.
        title: the same for persons.
        status: of HTTP.
        detail: what happened here, and what to do.
        failing: of a display that is not ready, what fails, each by its name.
    """

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""
    failing: dict[str, str] | UnsetType = UNSET


def problem(status: HTTPStatus, detail: str, *, failing: dict[str, str] | None = None) -> Response:
    """The answer that tells of a problem."""
    told = Problem(title=status.phrase, status=status, detail=detail, failing=failing or UNSET)
    return Response(msgspec.json.encode(told), status, media_type=KIND)


def of_http(_request: Request, error: Exception) -> Response:
    """What Starlette raises: no such route, a method that is not allowed."""
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    response = problem(status, REMEDIES.get(status, error.detail))
    response.headers.update(error.headers or {})
    return response


REMEDIES: Final = {
    HTTPStatus.NOT_FOUND: "There is nothing here; /api/v1/openapi.json lists what there is.",
    HTTPStatus.METHOD_NOT_ALLOWED: "The header Allow has what is taken here.",
}
