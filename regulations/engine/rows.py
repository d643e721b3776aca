"""A rule as data.

For one trigger and state the rows are tried in order; the first whose guards all hold moves the machine and runs its
effects.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class Finding(Protocol):
    """The finding of a guard."""

    @property
    def why(self) -> str:
        """The finding, for a person."""


Found = bool | str | Finding | None
"""Result of a guard, which holds if it is true; a text completes the row's message."""
Guard = Callable[[Any], Found]
"""A method of a part that changes nothing: ``SeatBetGuards.seat_unknown``."""
Effect = Callable[[Any], object]
"""A method of a part that changes state or emits outputs."""


@dataclass(frozen=True, slots=True)
class ParameterizedGuard:
    """A guard with an argument, under a name of its own."""

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
        guard: all must hold.
        effect: called in order once the machine has moved.
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
    """The names of guards or effects."""
    return tuple(function.__name__ for function in functions)
