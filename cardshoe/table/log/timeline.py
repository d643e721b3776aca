"""Check that log times increase, except for recorded clock steps."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

import msgspec

from cardshoe.journal import Entry
from cardshoe.process.clock import TOLERANCE_S

BACK: Final = timedelta(seconds=-TOLERANCE_S)
"""Tables record every larger step back."""

AHEAD: Final = timedelta(days=365)
"""Longest plausible pause of a table."""


class OddTime(msgspec.Struct, frozen=True, kw_only=True):
    entry: int
    at: str
    before: str


class _Timed(msgspec.Struct):
    event: str
    at: str = ""


class Timeline:
    """Checks the times of a log's inputs.

    Attributes:
        odd: unrecorded steps, back above 0.5 s or ahead above a year.
    """

    def __init__(self) -> None:
        self.odd = 0
        self.first: OddTime | None = None
        self._last: tuple[str, datetime] | None = None

    def noting(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The entries, checked as they pass."""
        for entry in entries:
            self._note(entry)
            yield entry

    def _note(self, entry: Entry) -> None:
        if entry.passes_over:
            return
        try:
            said = msgspec.json.decode(entry.lines[0], type=_Timed)
            moment = datetime.fromisoformat(said.at) if said.at.endswith("Z") else None
        except ValueError:
            return
        if moment is None:
            return
        last, self._last = self._last, (said.at, moment)
        if last is None or said.event == "clock_stepped" or BACK <= moment - last[1] <= AHEAD:
            return
        self.odd += 1
        self.first = self.first or OddTime(entry=entry.number, at=said.at, before=last[0])
