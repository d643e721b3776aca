"""Requests that the interface's document allows, and some that it does not, made by schemathesis."""

import contextlib
from collections import Counter
from http import HTTPStatus
from typing import Any, Final

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.schemas import APIOperation

from tests.kit.length import at_length
from tests.kit.waiting import eventually

EXAMPLES: Final = at_length(6, 2_000)
"""For each operation and kind of case: those that the document allows, and those that it does not."""


def asked(
    operation: APIOperation[Any, Any, Any, Any], home: str, headers: dict[str, str], mode: GenerationMode, seed: int
) -> Counter[int]:
    """The statuses of what came of some cases of an operation; none is a defect."""
    statuses: Counter[int] = Counter()

    @seeded(seed)
    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case[Any]) -> None:
        # A sign-out would leave nobody signed in for the rest.
        kept = dict(headers) if case.method != "DELETE" else {}
        response = case.call(base_url=home, headers=kept, timeout=30.0)
        if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            # Where a machine stands still the display loses its table for a moment: it says so, and finds it again.
            eventually(lambda: httpx.get(f"{home}/readyz", timeout=30.0).is_success, "the display finds its table")
            response = case.call(base_url=home, headers=kept, timeout=30.0)
        case.validate_response(response, checks=[not_a_server_error])
        statuses[response.status_code] += 1

    ask()
    return statuses


def asked_all(document: dict[str, Any], home: str, headers: dict[str, str], seed: int) -> tuple[Counter[int], int]:
    """The statuses of cases of all operations but the stream, and the number of operations."""
    statuses: Counter[int] = Counter()
    operations = 0
    for found in schemathesis.openapi.from_dict(document).get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        if operation.path == "/api/v1/events":
            continue  # a stream has no end
        operations += 1
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            # Where nothing is sent along, nothing of it can be wrong.
            with contextlib.suppress(Unsatisfiable):
                statuses += asked(operation, home, headers, mode, seed)
    return statuses, operations
