"""The current table for the keyboard."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from msgspec import UNSET

from cardshoe.screens.view.encoding import EncodedView
from cardshoe.screens.words.currency import Currency
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.terminal.input_context import Situation
from cardshoe.table.terminal.undo import Said, UndoProposal, proposal
from regulations.events import inputs
from regulations.events.inputs import Table
from regulations.events.outputs import Dealt

T = TypeVar("T")


class Follower:
    def __init__(self, table: Table, currency: Currency, devices: Sequence[str]) -> None:
        self._situation = Situation(table=table, currency=currency, devices=devices)
        self._newest: EncodedView | None = None
        self._guard: Final = threading.Lock()
        self._tell: Callable[[LoggedInput], None] = lambda _: None
        self._said: Said | None = None
        self._round: object = UNSET
        self._cards: int | None = None
        """Cards that left in the open round; ``None``: numbers unknown."""

    def begin(self, view: EncodedView | None, tell: Callable[[LoggedInput], None]) -> None:
        """Continue from a view; ``None``: unknown."""
        with self._guard:
            self._tell = tell
            self._newest = view
            if (round_ := self._now().view.round) is not None:
                self._round = round_.number

    def __call__(self, taken: Sequence[LoggedInput], view: EncodedView | None) -> None:
        with self._guard:
            self._newest = view or self._newest
            for one in taken:
                self._take(one)

    def ask(self, question: Callable[[Situation], T]) -> T:
        """Evaluate a function of the current table."""
        with self._guard:
            return question(self._now())

    def undo(self) -> UndoProposal:
        """Propose a lawful correction of a person's last entry."""
        return self.ask(lambda now: proposal(self._said, now))

    def _now(self) -> Situation:
        if self._newest is not None:
            self._situation = replace(self._situation, view=self._newest.decoded())
            self._newest = None
        return self._situation

    def _take(self, taken: LoggedInput) -> None:
        self._count(taken)
        if taken.event.origin == "person" and not taken.is_refused:
            is_card = isinstance(taken.event, inputs.CardDrawn)
            is_hit = any(isinstance(one, Dealt) and one.decided_by == "card" for one in taken.outputs)
            self._said = Said(taken.opened, (self._cards or 0) if is_card else 0, is_hit)
        self._tell(taken)

    def _count(self, taken: LoggedInput) -> None:
        if taken.event.round != self._round:
            self._round, self._cards = taken.event.round, 0
        if isinstance(taken.event, inputs.CardDrawn) and self._cards is not None:
            self._cards += 1
        if isinstance(taken.event, inputs.Resolve) and not taken.is_refused and taken.event.action != "continue":
            self._cards = None
