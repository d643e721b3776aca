"""A rule as data.

A machine is a tuple of rows. For one trigger and state they are tried in their order; the first whose guards all hold
answers: the machine moves, then its effects follow. Rows name functions, never strings: a misspelt one is found by the
type checker and when the module is imported.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class Finding(Protocol):
    """More than a text: what the row that answers is about."""

    @property
    def why(self) -> str:
        """What is found, for a person."""


Found = bool | str | Finding | None
"""The answer of a guard, which holds if it is true. A text words the row's answer, a finding is its subject."""
Guard = Callable[[Any], Found]
"""A method of one of the machine's parts that asks something and changes nothing: ``Bets.seat_unknown``."""
Effect = Callable[[Any], object]
"""A method of one of the machine's parts that does something."""


@dataclass(frozen=True, slots=True)
class ParameterizedGuard:
    """A guard that asks about one of several things, under a name of its own.

    Attributes:
        name: the guard's name.
        ask: the method of a part that asks: with the part and the thing.
        about: the thing.
    """

    name: str
    ask: Callable[[Any, Any], Found]
    about: object

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, part: Any) -> Found:  # noqa: ANN401  # an object of the class that defines `ask`
        """Ask a part about the thing."""
        return self.ask(part, self.about)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One rule of a machine.

    Attributes:
        trigger: what happens.
        source: the states in which the rule holds.
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
