"""Hears which rules of the machine fire."""

import itertools
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any, Final

from regulations.engine.machine import Bound
from regulations.games.registry import GAMES
from regulations.law.payouts import Payout
from regulations.law.rows import RegulationRow
from regulations.law.rulebook import Rulebook
from regulations.play.context.machine import RuleMachine

RULEBOOK: Final = GAMES["baccarat"].rulebook


class Trace:
    """The names of the rules that fired while it was watching."""

    def __init__(self) -> None:
        self.fired: set[str] = set()
        self.asserted: set[tuple[str, str]] = set()
        """Each rule that fired in a step with an article that the case demands of an output of that step."""
        self._step: set[str] = set()
        self._watching = False

    def watch(self, watching: bool) -> None:
        self._watching = watching
        self._step = set()

    def record(self, name: str) -> None:
        if self._watching:
            self.fired.add(name)
            self._step.add(name)

    def demanded(self, articles: Iterable[str]) -> None:
        """The outputs of the step that was watched last must name these articles."""
        self.asserted |= set(itertools.product(self._step, articles))


def rulebook_of(game: str) -> Rulebook:
    return GAMES[game].rulebook


@cache
def _names() -> dict[int, str]:
    books = [game.rulebook for game in GAMES.values()]
    return {id(rule): book.name_of(rule) for book in books for rule in book.rules}


def traced_rulebook(game: str, trace: Trace) -> Rulebook:
    """The rules as they stand, with settlement telling the trace which of its rules held."""
    rulebook = rulebook_of(game)
    return replace(rulebook, payouts=[_telling(trace, rule) for rule in rulebook.payouts])


def _telling(trace: Trace, rule: Payout[Any]) -> Payout[Any]:
    name, holds = _names()[id(rule)], rule.holds

    def recorded(*of: object) -> bool:
        held: bool = holds(*of)
        if held:
            trace.record(name)
        return held

    return replace(rule, holds=recorded)


@contextmanager
def rows_heard(trace: Trace) -> Generator[None]:
    """While it lasts, every machine that is built tells the trace which of its rows fire."""
    answer, names = RuleMachine.answer, _names()

    def recorded(machine: RuleMachine[Any], row: RegulationRow, effects: Sequence[Bound]) -> None:
        trace.record(names[id(row)])
        answer(machine, row, effects)

    RuleMachine.answer = recorded  # type: ignore[assignment,method-assign]  # the wrapper of the line above
    try:
        yield
    finally:
        RuleMachine.answer = answer  # type: ignore[method-assign]  # as it was
