"""A rule as data: the first row whose guards all hold answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class GuardFinding(Protocol):
    @property
    def why(self) -> str:
        """The finding, for a person."""


Found = bool | str | GuardFinding | None
"""Result of a guard, which holds if it is true; a text completes the row's message."""
Guard = Callable[[Any], Found]
"""A method of a part; it changes nothing."""
Effect = Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class ParameterizedGuard:
    name: str
    ask: Callable[[Any, Any], Found]
    about: object

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, part: Any) -> Found:  # noqa: ANN401  # an object of the class that defines `ask`
        return self.ask(part, self.about)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One rule of a machine.

    Attributes:
        dest: the state that follows; ``None``: the machine stays where it is.
    """

    trigger: str
    source: tuple[StrEnum, ...]
    dest: StrEnum | None = None
    guard: tuple[Guard, ...] = ()
    effect: tuple[Effect, ...] = ()

    @property
    def guards(self) -> tuple[str, ...]:
        """The names of the guards."""
        return names(self.guard)


def names(functions: Sequence[Effect]) -> tuple[str, ...]:
    return tuple(function.__name__ for function in functions)
