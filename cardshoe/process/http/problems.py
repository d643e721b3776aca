"""Problem details (RFC 9457)."""

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cardshoe.process.free_text import page_text

KIND: Final = "application/problem+json"


class Problem(Struct, frozen=True, kw_only=True):
    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""
    said: Mapping[str, str] | UnsetType = UNSET
    refused: str | UnsetType = UNSET
    article: str | UnsetType = UNSET
    field: str | UnsetType = UNSET
    failing: dict[str, str] | UnsetType = UNSET


class RequestRejected(Exception):
    def __init__(self, response: Response) -> None:
        super().__init__(response.status_code)
        self.response = response


def problem(  # what a problem may tell, all but the first two by name
    status: HTTPStatus,
    detail: str,
    *,
    said: Mapping[str, str] | None = None,
    refused: str = "",
    article: str = "",
    field: str = "",
    failing: dict[str, str] | None = None,
    again_s: float | None = None,
) -> Response:
    """An error response; ``again_s``: seconds until a retry."""
    told = Problem(
        title=status.phrase,
        status=status,
        detail=page_text(detail),
        said={language: page_text(text) for language, text in (said or {}).items()} or UNSET,
        refused=refused or UNSET,
        article=article or UNSET,
        field=field or UNSET,
        failing=failing or UNSET,
    )
    headers = None if again_s is None else {"Retry-After": str(math.ceil(again_s))}
    return Response(msgspec.json.encode(told), status, headers, media_type=KIND)


def of_refusing(_request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestRejected):
        raise error
    return error.response


def of_http(_request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    response = problem(status, REMEDIES.get(status, error.detail))
    response.headers.update(error.headers or {})
    return response


REMEDIES: Final = {
    HTTPStatus.NOT_FOUND: "There is no such page; /api/v1/openapi.json lists all of them.",
    HTTPStatus.METHOD_NOT_ALLOWED: "The header Allow lists the methods of this page.",
}
