"""Rulebooks that differ in one rule share what is made of the others."""

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, cast

from transitions import Transition

from regulations.engine.machine import QuickMachine, RowMachine
from regulations.engine.rows import ParameterizedGuard
from regulations.law.rows import RegulationRow

_MADE: Final[dict[tuple[object, ...], tuple[RegulationRow, list[Transition]]]] = {}
"""The transitions of each row, by its identity and the functions that its names were bound to."""


class SharingMachine(QuickMachine):
    """Takes the transitions of a row from the table that had it first: making them is half of trying a rulebook."""

    def add_transition(self, trigger: str, *given: Any, **more: Any) -> None:  # noqa: ANN401  as there
        """As the library does it, which is called for the first table of a row alone."""
        row, effects = cast("partial[None]", more["after"]).args
        guards = (cast("partial[bool]", condition).args for condition in more["conditions"])
        key = (id(row), *(_named(*bound) for bound in (*guards, *effects)))
        if key not in _MADE:
            super().add_transition(trigger, *given, **more)
            made = [self.events[trigger].transitions[source.name][-1] for source in row.source]
            # The row is kept with them, so that its identity is not given to another.
            _MADE[key] = (row, made)
            return
        if trigger not in self.events:
            self.events[trigger] = self.event_cls(trigger, self)
        for transition in _MADE[key][1]:
            self.events[trigger].add_transition(transition)


def _named(function: object, part: int) -> tuple[object, int]:
    return (function.ask if isinstance(function, ParameterizedGuard) else function), part


@contextmanager
def transitions_shared() -> Generator[None]:
    """While it lasts, every machine that is built is such a machine."""
    before = RowMachine.runs_on
    RowMachine.runs_on = SharingMachine
    try:
        yield
    finally:
        RowMachine.runs_on = before
