"""The law's machines: they refuse, and open irregularities, by the rows that answer."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final, NoReturn, Protocol, TypeVar

from regulations.engine.machine import Bound, RowMachine
from regulations.engine.rows import Found
from regulations.events.errors import RegulationBug, SnapshotUnfit
from regulations.events.vocabulary import IrregularityCode, RefusalCode
from regulations.law.rows import Row

StateT = TypeVar("StateT", bound=StrEnum)


class Clerk(Protocol):
    """Who writes down what a row refuses or finds irregular."""

    def refuse(self, row: Row, code: RefusalCode, found: Found) -> None:
        """Answers a request with the row's refusal."""

    def open_irregularity(self, row: Row, code: IrregularityCode, found: Found) -> None:
        """Opens the row's irregularity."""


class RuleMachine(RowMachine[StateT, Row]):
    """One table's state in a rule table; notices a missing rule.

    Args:
        states: the enumeration of states.
        rows: the rule table.
        clerk: hears of refusals and irregularities.
        parts: objects whose methods are the guards and effects that the rows name.
        initial: the state to begin in.
        moved: hears of each state to which a row has moved the machine, before the row's effects.
    """

    def __init__(
        self,
        states: type[StateT],
        rows: Sequence[Row],
        clerk: Clerk,
        parts: Sequence[object],
        initial: StateT,
        moved: Callable[[StrEnum], None] | None = None,
    ) -> None:
        super().__init__(states, rows, parts, initial)
        self._clerk: Final = clerk
        self._moved: Final = moved
        self.moved_by: Row | None = None
        """The row that last moved the machine to another state."""

    @property
    def snapshot(self) -> str | None:
        """The rule that last moved the machine, by its id, which tells where it is; ``None``: none did yet."""
        return None if self.moved_by is None else self.moved_by.id

    def restore(self, snapshot: str | None) -> None:
        """Puts a new machine where a rule once brought it; nothing of the rule's answer is given.

        Raises:
            SnapshotUnfit: the rule table has no such rule.
        """
        if snapshot is None:
            return
        row = next((row for row in self._ready.rows if row.id == snapshot), None)
        if row is None or row.dest is None:
            raise SnapshotUnfit(f"no rule {snapshot!r}")
        self._ready.machine.set_state(row.dest, self)
        self.moved_by = row
        if self._moved is not None:
            self._moved(row.dest)

    def unanswered(self, trigger: str) -> NoReturn:
        """Stops: the rule table has a hole.

        Raises:
            RegulationBug: always.
        """
        raise RegulationBug(self.state.value, trigger)

    def answer(self, row: Row, effects: Sequence[Bound]) -> None:
        """Gives a row's answer: what it refuses, what it does, what is irregular."""
        if row.dest is not None:
            self.moved_by = row
            if self._moved is not None:
                self._moved(row.dest)
        if row.refusal is not None:
            self._clerk.refuse(row, row.refusal, self.found)
        super().answer(row, effects)
        if row.irregularity is not None:
            self._clerk.open_irregularity(row, row.irregularity, self.found)
