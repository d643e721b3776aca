"""Runs cases on the machine and says where it answers otherwise than the case demands."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from regulations.errors import RegulationsError
from regulations.events.codec import decode_input, encode
from regulations.events.inputs import AnyInput, Table
from regulations.events.outputs import AnyOutput
from regulations.procedure import Procedure
from regulations.rulebook import Rulebook
from tests.regulations.support.notation import Case
from tests.regulations.support.profiles import Json
from tests.regulations.support.tracing import Trace

ASTRAY: Final = frozenset({"refused", "irregularity"})
"""What may not happen on the way to where a case begins."""


class Mismatch(AssertionError):
    """The machine answers otherwise than a case demands."""


def decoded(given: Json) -> AnyInput:
    """An input as the machine takes it."""
    return decode_input(json.dumps(given, ensure_ascii=False))


def opened(table: Json, rulebook: Rulebook | None = None) -> Procedure:
    """A machine with this profile."""
    event = decoded(table)
    assert isinstance(event, Table)
    return Procedure(event, rulebook)


def shown(outputs: Iterable[AnyOutput]) -> list[Json]:
    """Outputs as the log has them."""
    return [json.loads(encode(output)) for output in outputs]


def run(case: Case, rulebook: Rulebook | None = None, trace: Trace | None = None) -> None:
    """Runs a case to its end.

    Args:
        case: what is asked and what must be answered.
        rulebook: the rules; the game's own if left out.
        trace: hears which rules fire in the steps whose outputs are compared.

    Raises:
        Mismatch: the machine answers otherwise, or not at all.
    """
    trace = trace or Trace()
    try:
        with trace.watching(bool(case.opening)):
            procedure = opened(case.table, rulebook)
        _compare(f"{case.name}, profile", case.opening or None, shown(procedure.opening))
        for step in case.steps:
            with trace.watching(step.expected is not None):
                outputs = procedure.apply(decoded(step.given))
            _compare(
                f"{case.name}, line {step.line}: {step.text}",
                step.expected,
                shown(outputs),
                {"refused"} if step.may_be_irregular else ASTRAY,
            )
    except RegulationsError as error:
        raise Mismatch(f"{case.name}: {error}") from error


def lead(table: Json, inputs: Sequence[Json]) -> Procedure:
    """A machine to which these inputs were given."""
    procedure = opened(table)
    for given in inputs:
        procedure.apply(decoded(given))
    return procedure


def _compare(
    where: str, expected: list[Json] | None, outputs: list[Json], astray: frozenset[str] | set[str] = ASTRAY
) -> None:
    said = "\n".join(f"    {json.dumps(output, ensure_ascii=False)}" for output in outputs)
    if expected is None:
        if any(output["event"] in astray for output in outputs):
            raise Mismatch(f"{where}\n  leads astray:\n{said}")
        return
    names = [output["event"] for output in outputs]
    wanted = [output["event"] for output in expected]
    if names != wanted:
        raise Mismatch(f"{where}\n  wanted {wanted}\n  got\n{said}")
    for want, output in zip(expected, outputs, strict=True):
        for key, value in want.items():
            if not _agrees(key, value, output.get(key)):
                raise Mismatch(f"{where}\n  {want['event']}.{key}: wanted {value}, got {output.get(key)}\n{said}")


def _agrees(key: str, want: object, got: object) -> bool:
    if key == "article" and isinstance(want, list):
        return got in want
    if key == "wagers" and isinstance(want, list) and isinstance(got, list):
        return len(want) == len(got) and all(map(_same_wager, want, got))
    return type(want) is type(got) and bool(want == got)


def _same_wager(want: Json, got: Json) -> bool:
    return all(_agrees(key, value, got.get(key)) for key, value in want.items())
