"""Runs cases on the machine and says where it answers otherwise than the case demands."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from regulations.events.codec import decode_input, encode
from regulations.events.errors import RegulationsError
from regulations.events.inputs import AnyInput, Table
from regulations.events.outputs import AnyOutput
from regulations.law.rulebook import Rulebook
from regulations.procedure.procedure import Procedure
from tests.regulations.support.notation import Case, written
from tests.regulations.support.profiles import Json
from tests.regulations.support.tracing import Trace

ASTRAY: Final = frozenset({"refused", "irregularity"})
"""Outputs that may not come on the way to the beginning of a case."""
REFUSED: Final = frozenset({"refused"})

MORE: Final = "..."
ANY_OUTPUT: Final = "_"


class Mismatch(AssertionError):
    """The machine answers otherwise than a case demands."""


DECODED: Final = 4096
"""Lines kept decoded: cases say the same things over and over, and what an input is decoded to is frozen."""


def decoded(given: Json) -> AnyInput:
    return _decoded(written(given))


@lru_cache(maxsize=DECODED)
def _decoded(line: str) -> AnyInput:
    return decode_input(line)


def as_told(procedure: Procedure, given: Json) -> AnyInput:
    """An input of a case as this machine takes it: ``permit=next-2`` is the number of its last ``next``, less two."""
    permit = given.get("permit")
    if isinstance(permit, str):
        given = {**given, "permit": procedure.lines - int(permit.removeprefix("next").removeprefix("-") or 0)}
    return decoded(given)


def opened(table: Json, rulebook: Rulebook | None = None) -> Procedure:
    event = decoded(table)
    assert isinstance(event, Table)
    return Procedure(event, rulebook)


def shown(outputs: Iterable[AnyOutput]) -> list[Json]:
    return [json.loads(encode(output)) for output in outputs]


def run(case: Case, rulebook: Rulebook | None = None, trace: Trace | None = None) -> None:
    """Runs a case to its end.

    Args:
        case: what is asked and what must be answered.
        rulebook: the rules; the game's own if left out.

    Raises:
        Mismatch: the machine answers otherwise, or not at all.
    """
    try:
        if trace is not None:
            trace.watch(bool(case.opening))
        procedure = opened(case.table, rulebook)
        where = f"{case.game}, {case.name}"
        _compare(f"{where}, profile", case.opening or None, procedure.opening)
        if trace is not None:
            trace.demanded(articles_in(case.opening))
        for step in case.steps:
            if trace is not None:
                trace.watch(step.expected is not None)
            outputs = procedure.apply(
                as_told(procedure, step.given) if "permit" in step.given else _decoded(step.written)
            )
            astray = REFUSED if step.may_be_irregular else ASTRAY
            at = f"{where}, line {step.line}: {step.text}"
            _compare(at, step.expected, outputs, astray)
            if step.is_sealed not in (None, procedure.hides_the_event):
                raise Mismatch(f"{at}\n  its line must be {'sealed' if step.is_sealed else 'open'}")
            if trace is not None:
                trace.demanded(articles_in(step.expected))
    except RegulationsError as error:
        raise Mismatch(f"{case.game}, {case.name}: {error}") from error


def articles_in(expected: object) -> Iterator[str]:
    """The articles that expected outputs must name, wherever in them; one of several is no demand of each."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            if key == "article" and isinstance(value, list):
                yield from value if len(value) == 1 else ()
            elif key in {"article", "articles", "also"}:
                yield from [value] if isinstance(value, str) else value or ()
            else:
                yield from articles_in(value)
    elif isinstance(expected, list):
        for one in expected:
            yield from articles_in(one)


def lead(table: Json, inputs: Sequence[Json]) -> Procedure:
    procedure = opened(table)
    for given in inputs:
        procedure.apply(decoded(given))
    return procedure


def _compare(
    where: str, expected: list[Json] | None, outputs: list[AnyOutput], astray: frozenset[str] = ASTRAY
) -> None:
    names = [str(output.__struct_config__.tag) for output in outputs]
    if expected is None:
        if not astray.isdisjoint(names):
            raise Mismatch(f"{where}\n  leads astray:\n{_as_text(outputs)}")
        return
    wanted = [output["event"] for output in expected]
    if wanted[-1:] == [MORE]:
        expected, outputs = expected[:-1], outputs[: len(expected) - 1]
        wanted, names = wanted[:-1], names[: len(outputs)]
    if len(names) != len(wanted) or any(
        want not in {name, ANY_OUTPUT} for want, name in zip(wanted, names, strict=True)
    ):
        raise Mismatch(f"{where}\n  wanted {wanted}\n  got\n{_as_text(outputs)}")
    for want, output in zip(expected, shown(outputs), strict=True):
        for key, value in want.items():
            if key != "event" and not _agrees(key, value, output.get(key)):
                got = output.get(key)
                raise Mismatch(f"{where}\n  {want['event']}.{key}: wanted {value}, got {got}\n{_as_text(outputs)}")


def _as_text(outputs: list[AnyOutput]) -> str:
    return "\n".join(f"    {json.dumps(output, ensure_ascii=False)}" for output in shown(outputs))


def _agrees(key: str, want: object, got: object) -> bool:
    if key == "article" and isinstance(want, list):
        return got in want
    if key == "carried":
        return bool(want) is bool(got)
    if isinstance(want, dict) and isinstance(got, dict):
        return all(_agrees(name, value, got.get(name)) for name, value in want.items())
    if isinstance(want, list) and isinstance(got, list):
        return len(want) == len(got) and all(_agrees("", one, other) for one, other in zip(want, got, strict=True))
    return type(want) is type(got) and bool(want == got)
