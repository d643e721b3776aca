"""The law's machines: their rows refuse or open irregularities."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final, NoReturn, TypeVar

from regulations.engine.machine import Bound, RowMachine
from regulations.events.errors import RegulationBug, SnapshotUnfit
from regulations.law.rows import RegulationRow
from regulations.play.context.context import RuleContext
from regulations.play.context.turn import Subject

StateT = TypeVar("StateT", bound=StrEnum)


class RuleMachine(RowMachine[StateT, RegulationRow]):
    def __init__(
        self,
        states: type[StateT],
        rows: Sequence[RegulationRow],
        context: RuleContext,
        parts: Sequence[object],
        initial: StateT,
        moved: Callable[[StrEnum], None] | None = None,
        answered: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(states, rows, parts, initial)
        self._context: Final = context
        self._moved: Final = moved
        self._answered: Final = answered
        self._last: RegulationRow | None = None

    @property
    def moved_by(self) -> RegulationRow:
        if self._last is None:
            raise RegulationBug(self.state.value, "a row that led there")
        return self._last

    @property
    def snapshot(self) -> str | None:
        return None if self._last is None else self._last.id

    def restore(self, snapshot: str | None) -> None:
        if snapshot is None:
            return
        row = next((row for row in self._ready.rows if row.id == snapshot), None)
        if row is None or row.dest is None:
            raise SnapshotUnfit(f"no rule {snapshot!r}")
        self._ready.machine.set_state(row.dest, self)
        self._last = row
        if self._moved is not None:
            self._moved(row.dest)

    def fire_about(self, trigger: str, about: Subject) -> None:
        turn = self._context.scope.turn
        before, turn.subject = turn.subject, about
        try:
            self.fire(trigger)
        finally:
            turn.subject = before

    def unanswered(self, trigger: str) -> NoReturn:
        raise RegulationBug(self.state.value, trigger)

    def answer(self, row: RegulationRow, effects: Sequence[Bound]) -> None:
        if row.dest is not None:
            self._last = row
            if self._moved is not None:
                self._moved(row.dest)
        if row.refusal is not None:
            self._context.refuse(row, row.refusal, self.found)
        if effects:
            for function, part in effects:
                function(self.parts[part])
            if self._answered is not None:
                self._answered()
        if row.irregularity is not None:
            self._context.open_irregularity(row, row.irregularity, self.found)
