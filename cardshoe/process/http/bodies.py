"""The body of a request: a JSON object, limited in time and size."""

import asyncio
import re
from http import HTTPStatus
from typing import Final, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from cardshoe.process.http.problems import RequestRejected, problem
from regulations.events.nesting import nests_too_deep

BODY_MAX: Final = 32_768
BODY_S: Final = 3.0
KEY: Final = re.compile(r"[ -~]{1,64}")
BodyT = TypeVar("BodyT")


async def read(request: Request, kind: type[BodyT]) -> BodyT:
    """The body as ``kind``.

    Raises:
        RequestRejected: other media type, too long, too slow, or another form.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        detail = "Send JSON: Content-Type: application/json."
        raise RequestRejected(problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, detail))
    body = await whole(request)
    if nests_too_deep(body):
        raise RequestRejected(problem(HTTPStatus.BAD_REQUEST, "The body is nested too deep."))
    try:
        return msgspec.json.decode(body.decode(), type=kind)  # parts that are kept as they came are read later
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        # What is wrong is said, and not what was sent: it may have been a PIN.
        raise RequestRejected(problem(HTTPStatus.BAD_REQUEST, f"The body is not as expected: {error}.")) from None


def key_of(request: Request, *, needed: bool) -> str | None:
    """The `Idempotency-Key`; ``None``: absent and not needed.

    Raises:
        RequestRejected: missing or malformed.
    """
    key = request.headers.get("idempotency-key")
    if (key is None and needed) or (key is not None and KEY.fullmatch(key) is None):
        detail = "Idempotency-Key must have 1 to 64 printable ASCII characters, different for each input."
        raise RequestRejected(problem(HTTPStatus.BAD_REQUEST, detail, field="Idempotency-Key"))
    return key


async def whole(request: Request) -> bytes:
    """The raw body.

    Raises:
        RequestRejected: too long, too slow, or broken off.
    """
    try:
        return await asyncio.wait_for(_parts(request), BODY_S)
    except TimeoutError:
        detail = f"The body did not come within {BODY_S:g} s."
        response = problem(HTTPStatus.REQUEST_TIMEOUT, detail)
        response.headers["Connection"] = "close"
        raise RequestRejected(response) from None
    except ClientDisconnect:
        raise RequestRejected(problem(HTTPStatus.BAD_REQUEST, "The body ended early.")) from None


async def _parts(request: Request) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > BODY_MAX:
            response = problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A body may have at most {BODY_MAX} bytes.")
            response.headers["Connection"] = "close"
            raise RequestRejected(response)
    return bytes(body)
