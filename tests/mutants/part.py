"""The part of the tests marked ``law``, as single checks that run without pytest."""

import importlib
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.mutants.finding import REPOSITORY

TESTS: Final = REPOSITORY / "tests" / "regulations"
CASES: Final = "tests.regulations.test_cases"
"""Its tests are the cases, which stand here one by one."""
OURS: Final = ("regulations", "tests.regulations", "cardshoe.table.rules")
"""The law, what asks it, and what writes its pages."""


@dataclass(frozen=True)
class Check:
    """Something that the law's tests ask.

    Attributes:
        number: which of the test's sets of parameters; -1: a case.
    """

    module: str
    name: str
    number: int = -1


class Part:
    """All checks, in a fixed order; made while the law is whole."""

    def __init__(self) -> None:
        notation = importlib.import_module("tests.regulations.support.notation")
        self.cases: Final[dict[Check, Any]] = {
            Check(case.game, case.name): case for case in notation.all_cases() if not case.broken
        }
        self.tests: Final[list[Check]] = [
            Check(module, name, number)
            for module in _modules()
            for name, test in _law_tests(module)
            for number in range(len(list(_parameters(test))))
        ]
        self.checks: Final[list[Check]] = [*self.cases, *self.tests]

    def run(self, check: Check) -> None:
        """Runs one check on the law as it is imported now.

        Raises:
            Exception: the law answers otherwise than the check asks.
        """
        if check.number < 0:
            importlib.import_module("tests.regulations.support.running").run(self.cases[check])
            return
        test = dict(_law_tests(check.module))[check.name]
        given = next(itertools.islice(_parameters(test), check.number, None))
        test(**given)


def forget_the_law() -> None:
    """Leaves the law, and all tests that know it, as if they had never been imported."""
    for name in list(sys.modules):
        if name in OURS or name.startswith(tuple(f"{one}." for one in OURS)):
            del sys.modules[name]


def _modules() -> list[str]:
    paths = [path for path in sorted(TESTS.rglob("test_*.py")) if "mark.law" in path.read_text(encoding="utf-8")]
    names = [_name(path) for path in paths]
    return [name for name in names if name != CASES]


def _name(path: Path) -> str:
    return ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)


def _law_tests(module: str) -> Iterator[tuple[str, Callable[..., None]]]:
    loaded = importlib.import_module(module)
    whole = "law" in _names(_marks(loaded))
    for name, test in vars(loaded).items():
        if name.startswith("test_") and callable(test) and (whole or "law" in _names(_marks(test))):
            yield name, test


def _marks(of: object) -> Sequence[Any]:
    found = getattr(of, "pytestmark", [])
    return found if isinstance(found, list) else [found]


def _names(marks: Sequence[Any]) -> set[str]:
    return {mark.name for mark in marks}


def _parameters(test: Callable[..., None]) -> Iterator[dict[str, Any]]:
    axes = [list(_axis(*mark.args[:2])) for mark in _marks(test) if mark.name == "parametrize"]
    for several in itertools.product(*axes):
        yield {name: value for one in several for name, value in one.items()}


def _axis(names: str | Sequence[str], values: Sequence[Any]) -> Iterator[dict[str, Any]]:
    listed = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    single = len(listed) == 1 and isinstance(names, str)
    for value in values:
        given = (
            getattr(value, "values", value) if type(value).__name__ == "ParameterSet" else (value,) if single else value
        )
        yield dict(zip(listed, given, strict=True))
