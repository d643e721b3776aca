"""What the form of a page has with it, read within bounds."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request

from table.display.problems import Refusing, problem

KIND: Final = "application/x-www-form-urlencoded"
FORM_BYTES: Final = 16_384
"""Of a form: some hundred times what one has."""
FORM_S: Final = 3.0
"""Seconds in which it must have come."""
FIELDS_MAX: Final = 32


def is_form(request: Request) -> bool:
    """Whether a request says that a form comes with it."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() == KIND


async def form_body(request: Request) -> bytes:
    """The body of a form.

    Raises:
        Refusing: it is none, too long, or too slow.
    """
    if not is_form(request):
        raise Refusing(problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Send a form: Content-Type: {KIND}."))
    try:
        return await asyncio.wait_for(_whole(request), FORM_S)
    except (TimeoutError, ClientDisconnect):
        response = problem(HTTPStatus.REQUEST_TIMEOUT, f"The form did not come within {FORM_S:g} s.")
        response.headers["Connection"] = "close"
        raise Refusing(response) from None


def fields_of(body: bytes) -> Mapping[str, str]:
    """The fields of a form; of one that stands twice the first.

    Raises:
        Refusing: they are too many.
    """
    try:
        found = parse_qs(body.decode("latin-1"), keep_blank_values=True, max_num_fields=FIELDS_MAX)
    except ValueError:
        raise Refusing(problem(HTTPStatus.BAD_REQUEST, "This form has too many fields.")) from None
    return {name: values[0] for name, values in found.items()}


async def _whole(request: Request) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > FORM_BYTES:
            response = problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A form has at most {FORM_BYTES} bytes.")
            response.headers["Connection"] = "close"
            raise Refusing(response)
    return bytes(body)
