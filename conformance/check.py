"""A check: one requirement of a protocol page, and what tries it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from conformance.bench import Bench


class Rig(Protocol):
    """The tools for the checks of a family."""

    @property
    def bench(self) -> Bench:
        """Port, clock and helper."""

    def begin(self) -> None:
        """Bring the line into the state in which a check begins; may raise ``PortLost``."""

    def end(self) -> None:
        """Leave the line tidy, however the check ended; may raise ``PortLost``."""

    def identity(self) -> dict[str, str]:
        """As far as the device reports one."""


R = TypeVar("R", bound=Rig)


@dataclass(frozen=True, slots=True)
class ConformanceCheck(Generic[R]):
    """``run`` raises ``RequirementFailed``, ``CheckSkipped`` or ``PortLost``."""

    name: str
    requirement: str
    section: str
    look_at: str
    run: Callable[[R], None]


class Checks(Generic[R]):
    def __init__(self, group: str) -> None:
        self._group: Final = group
        self._checks: Final[list[ConformanceCheck[R]]] = []

    def __iter__(self) -> Iterator[ConformanceCheck[R]]:
        return iter(self._checks)

    def check(self, section: str, look_at: str) -> Callable[[Callable[[R], None]], Callable[[R], None]]:
        """The function's name gives the check's, its docstring the requirement."""

        def collect(run: Callable[[R], None]) -> Callable[[R], None]:
            name = f"{self._group}.{run.__name__.strip('_').replace('_', '-')}"
            requirement = " ".join((run.__doc__ or "").split())
            self._checks.append(ConformanceCheck(name, requirement, section, look_at, run))
            return run

        return collect
