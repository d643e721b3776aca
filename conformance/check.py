"""A check: one requirement of a protocol page, where it stands, and what tries it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from conformance.bench import Bench


class Rig(Protocol):
    """The tools for the checks of a family: a bench, and the family's own way of reading and writing."""

    @property
    def bench(self) -> Bench:
        """Port, clock and helper."""

    def begin(self) -> None:
        """Bring the line into the state in which every check begins. May raise ``PortLost``."""

    def end(self) -> None:
        """Leave the line tidy after a check.

        Called however the check ended; may raise ``PortLost``.
        """

    def identity(self) -> dict[str, str]:
        """Name and value of the device's identity, as far as it reports one."""


R = TypeVar("R", bound=Rig)


@dataclass(frozen=True, slots=True)
class ConformanceCheck(Generic[R]):
    """One requirement.

    Attributes:
        run: raises ``RequirementFailed``, ``CheckSkipped`` or ``PortLost``.
    """

    name: str
    requirement: str
    section: str
    look_at: str
    run: Callable[[R], None]


class Checks(Generic[R]):
    """Collects the checks of a module, in order."""

    def __init__(self, group: str) -> None:
        self._group: Final = group
        self._checks: Final[list[ConformanceCheck[R]]] = []

    def __iter__(self) -> Iterator[ConformanceCheck[R]]:
        return iter(self._checks)

    def check(self, section: str, look_at: str) -> Callable[[Callable[[R], None]], Callable[[R], None]]:
        """Make a check of a function: its name gives the second half of the name, its docstring the requirement."""

        def collect(run: Callable[[R], None]) -> Callable[[R], None]:
            name = f"{self._group}.{run.__name__.strip('_').replace('_', '-')}"
            requirement = " ".join((run.__doc__ or "").split())
            self._checks.append(ConformanceCheck(name, requirement, section, look_at, run))
            return run

        return collect
