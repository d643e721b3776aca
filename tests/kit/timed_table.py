"""A table in this process whose clock is the test's: its inbox, with quiet between, is taken in order."""

import queue
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from cardshoe.journal.witness.tasks import Task
from cardshoe.table.controller import Controller, Item, Stopping
from cardshoe.table.inbox import Answer, PendingOperation
from cardshoe.table.log.house_day import HouseDay
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import OpenLog, open_log
from firmware_bridge.bridge import Bridge
from firmware_bridge.report import Inbox
from regulations.events.inputs import AnyInput
from regulations.events.outputs import ShoeOver
from tests.kit.table_log import AT, SHOE, TABLE

NEXT_DAY: Final = "2026-01-05T22:30:00.000000Z"
"""Half past six in the morning of Macau, the day after `AT`."""
SIX: Final = HouseDay(6)


class TimedTable:
    """A table, from its start to its stop."""

    def __init__(
        self,
        folder: Path,
        day: HouseDay | None = SIX,
        at: str = AT,
        devices: Callable[[Inbox], Sequence[Bridge[Any]]] = lambda _: (),
    ) -> None:
        self.at = at
        self._script: Final[deque[Item | None]] = deque()
        """What is to come; ``None``: nothing, for a moment."""
        self._inbox: Final[deque[Item]] = deque()
        """What devices and the table itself have put in meanwhile."""
        self.bridges: Final = devices(self.put)
        self.log: Final[OpenLog] = open_log(folder, TABLE, at, self._remember, bridges=self.bridges)
        self.controller: Final = Controller(self.log, self, lambda: self.at, boot_s=self._boot_s, day=day)
        for bridge in self.bridges:
            self.controller.attach(bridge)
        self.taken: Final[list[LoggedInput]] = []
        self.controller.listen(self.taken.append)

    def _remember(self, taken: LoggedInput) -> None:
        for bridge in self.bridges:
            bridge.replay(taken.opened)
            if taken.tells(ShoeOver):
                bridge.replay_shoe_over()

    def _boot_s(self) -> float:
        return datetime.fromisoformat(self.at).timestamp()

    def put(self, item: Item) -> None:
        """Something comes in."""
        self._inbox.append(item)

    def then(self, act: Callable[[], object]) -> None:
        """Something is done in the table's thread."""
        self._script.append(Task(act))

    def get(self, *, timeout: float | None) -> Item:  # noqa: ARG002  quiet is told, not waited for
        """The next thing; at the end the table stops."""
        if self._inbox:
            return self._inbox.popleft()
        item = self._script.popleft() if self._script else Stopping()
        if item is None:
            raise queue.Empty
        return item

    def play(self, events: Sequence[AnyInput] = SHOE) -> None:
        """Inputs come in a row."""
        for event in events:
            self._script.append(msgspec.structs.replace(event))

    def say(self, event: AnyInput, answers: list[Answer]) -> None:
        """A person enters something and waits for the answer."""
        self._script.append(PendingOperation(event, answers.append))

    def quiet(self, at: str | None = None) -> None:
        """Nothing comes for a moment.

        Args:
            at: the time then; left out: as before.
        """
        if at is not None:
            self.then(lambda: setattr(self, "at", at))
        self._script.append(None)

    def run(self) -> None:
        """Takes what came, and stops."""
        self.controller.run()
        self.log.journal.close()
