"""Form fields of a request, within limits."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request

from cardshoe.process.http.bodies import whole
from cardshoe.process.http.problems import RequestRejected, problem

KIND: Final = "application/x-www-form-urlencoded"
FIELDS_MAX: Final = 32


def is_form(request: Request) -> bool:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() == KIND


async def form_body(request: Request) -> bytes:
    if not is_form(request):
        raise RequestRejected(problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Send a form: Content-Type: {KIND}."))
    return await whole(request)


def fields_of(body: bytes) -> Mapping[str, str]:
    try:
        found = parse_qs(body.decode("latin-1"), keep_blank_values=True, max_num_fields=FIELDS_MAX)
    except ValueError:
        raise RequestRejected(problem(HTTPStatus.BAD_REQUEST, "This form has too many fields.")) from None
    return {name: values[0] for name, values in found.items()}
