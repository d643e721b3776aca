"""Hears which rules of the machine fire."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from regulations.baccarat.settlement import Payout, Verdict
from regulations.games import GAMES
from regulations.machine import RuleMachine
from regulations.rows import Row
from regulations.rulebook import Rulebook

RULEBOOK: Final = GAMES["baccarat"].rulebook
"""The rules as they stand."""


class Trace:
    """The names of the rules that fired while it was watching."""

    def __init__(self) -> None:
        self.fired: set[str] = set()
        self._watching = False

    @contextmanager
    def watching(self, watching: bool) -> Generator[None]:
        """Listens to the machine for a while, or not."""
        self._watching = watching
        try:
            yield
        finally:
            self._watching = False

    def hear(self, name: str) -> None:
        """A rule has fired."""
        if self._watching:
            self.fired.add(name)


_NAMES: Final = {id(rule): RULEBOOK.name_of(rule) for rule in RULEBOOK.rules}


def traced_rulebook(trace: Trace) -> Rulebook:
    """The rules as they stand, with settlement telling the trace which of its rules held."""
    return replace(
        RULEBOOK,
        payouts=[
            replace(rule, holds=_telling(trace, RULEBOOK.name_of(rule), rule.holds))
            for rule in RULEBOOK.payouts
            if isinstance(rule, Payout)
        ],
    )


def _telling(trace: Trace, name: str, holds: Callable[[Verdict], bool]) -> Callable[[Verdict], bool]:
    def told(verdict: Verdict) -> bool:
        held = holds(verdict)
        if held:
            trace.hear(name)
        return held

    return told


@contextmanager
def rows_heard(trace: Trace) -> Generator[None]:
    """While it lasts, every machine that is built tells the trace which of its rows fire.

    Every machine gives a row's answer by `RuleMachine.answer`, which is wrapped here, not replaced.
    """
    answer = RuleMachine.answer

    def told(machine: RuleMachine[Any], row: Row) -> None:
        trace.hear(_NAMES[id(row)])
        answer(machine, row)

    RuleMachine.answer = told  # type: ignore[assignment,method-assign]  # the wrapper of the line above
    try:
        yield
    finally:
        RuleMachine.answer = answer  # type: ignore[method-assign]  # as it was
