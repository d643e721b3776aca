"""A running table's duties to its manager and to the next build."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from msgspec import UNSET

from cardshoe.journal.witness.tasks import Task
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.controller import Controller
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import OpenLog
from cardshoe.table.service.builds import Build, Keeper
from cardshoe.table.service.manager import PATIENCE_S, Manager
from cardshoe.table.setup.config import TableConfig
from regulations.events.inputs import Closed
from regulations.events.outputs import ShoeOver
from regulations.law.edition import RULES_VERSION

BEAT_S: Final = 10.0
BEATS: Final = 3
"""Beats per watchdog time: a late one is tolerated."""


class Heart:
    """Repeats a task in the table's thread; each beat is queued after the last.

    A hung thread is silent, while a timer would continue.
    """

    def __init__(self, put: Callable[[Task[Any]], object], beat: Callable[[], None], interval_s: float) -> None:
        self._put: Final = put
        self._beat: Final = beat
        self._interval_s: Final = interval_s
        self._due: Final = threading.Event()
        self._is_over = False
        self._task: Task[None] | None = None
        self._thread: Final = threading.Thread(target=self._run, name="heart", daemon=True)

    def start(self) -> None:
        """Start with a beat at once."""
        self._due.set()
        self._thread.start()

    def beat_soon(self) -> None:
        self._due.set()

    def stop(self) -> None:
        """Stop; returns when no beat can follow."""
        self._is_over = True
        self._due.set()
        self._thread.join()
        if self._task is not None:
            self._task.cancel()

    def _run(self) -> None:
        while True:
            self._due.wait(self._interval_s)
            self._due.clear()
            if self._is_over:
                return
            if self._task is None or self._task.done():
                self._task = Task(self._beat)
                self._put(self._task)


class ServiceLifecycle:
    """The work of each beat, in the table's thread.

    Args:
        build: ``None``: not installed.
        manager: ``None``: a person starts the table.
    """

    def __init__(
        self,
        log: OpenLog,
        controller: Controller,
        keeper: Keeper,
        build: Build | None,
        manager: Manager | None,
        say: Callable[[str], None],
    ) -> None:
        self._log: Final = log
        self._controller: Final = controller
        self._keeper: Final = keeper
        self._build: Final = build
        self._manager: Final = manager
        self._say: Final = say
        self._status = ""
        self._told_of = ""
        self._leaves_to: Build | None = None
        if build is not None:
            keeper.take(build)

    @property
    def interval_s(self) -> float:
        watchdog_s = None if self._manager is None else self._manager.watchdog_s
        return BEAT_S if watchdog_s is None else min(BEAT_S, watchdog_s / BEATS)

    def beat(self) -> None:
        """Give a sign of life."""
        if self._manager is not None:
            self._manager.tell("WATCHDOG=1")
            self.show(self._log.last)
        if self._log.scribe.procedure.is_closed:
            if self._successor is not None:
                self._controller.stop()
            return
        successor = None if self._build is None else self._build.successor()
        if successor is None or not self._is_between_shoes:
            return
        if self._manager is None:
            self._tell_person(successor)
            return
        if successor.about.rules == RULES_VERSION:
            self._leaves_to = successor
            self._controller.stop()
        elif not isinstance(self._log.last.event, Closed) and self._log.last.prompt.do != "resolve":
            # Under other rules the log cannot go on. Refused, it is asked again once something else has happened.
            self._leaves_to = successor
            self._controller.note(Closed())

    @property
    def _successor(self) -> Build | None:
        # What people have closed two people open again, and no restart.
        by_people = self._log.scribe.procedure.is_closed and self._log.last.event.origin != "table"
        return None if by_people else self._leaves_to

    @property
    def _is_between_shoes(self) -> bool:
        procedure = self._log.scribe.procedure
        return not (procedure.is_dealt_from or procedure.is_mid_round)

    def _tell_person(self, successor: Build) -> None:
        if self._told_of != successor.folder.name:
            self._told_of = successor.folder.name
            self._say(f"a newer build is installed, {successor.folder.name}: it plays once you quit and start again")

    def show(self, taken: LoggedInput) -> None:
        """Report the table's state to the manager."""
        procedure = self._log.scribe.procedure
        where = "a shoe game runs" if procedure.is_dealt_from else "no shoe game runs"
        where = where if procedure.open_round is UNSET else f"round {procedure.open_round}"
        status = f"STATUS={where}; next: {taken.prompt.do.replace('_', ' ')}"
        if self._manager is not None and status != self._status:
            self._status = status
            self._manager.tell(status)

    def leave(self) -> None:
        """Hand the log over after the table's end, if allowed."""
        if self._build is None:
            return
        is_closed, successor = self._log.scribe.procedure.is_closed, self._successor
        goes_on = successor is not None and successor.about.rules == RULES_VERSION
        if is_closed or (goes_on and self._is_between_shoes):  # a stack may have been loaded at the last moment
            self._keeper.release()
        if successor is not None and (is_closed or goes_on):
            raise Stop(
                f"a newer build is installed, {successor.folder.name}: the table ends between two shoe games for it",
                "The service starts it at once. By hand: start the table again.",
                Exit.NEWER_BUILD,
            )


@contextmanager
def on_duty(
    config: TableConfig,
    log: OpenLog,
    controller: Controller,
    put: Callable[[Task[Any]], object],
    say: Callable[[str], None],
) -> Iterator[None]:
    """Send signs of life and await a newer build while the block runs."""
    build, manager = Build.running(), Manager.of()
    duty = ServiceLifecycle(log, controller, Keeper(config.journal_dir, config.table.table_id), build, manager, say)
    if build is None and manager is None:
        yield
        return
    heart = Heart(put, duty.beat, duty.interval_s)

    def hear(taken: LoggedInput) -> None:
        duty.show(taken)
        if any(isinstance(output, ShoeOver) for output in taken.outputs):
            heart.beat_soon()

    controller.listen(hear)
    if manager is not None:
        manager.tell("READY=1", patience_s=PATIENCE_S)
    heart.start()
    try:
        yield
    finally:
        heart.stop()
        if manager is not None:
            manager.tell("STOPPING=1", patience_s=PATIENCE_S)
            manager.close()
    duty.leave()


def resume_with_build_of_shoe(config: TableConfig) -> str | None:
    """Become the build that has the table's log; returns a message if it is missing."""
    table_id = config.table.table_id
    build, name = Build.running(), Keeper(config.journal_dir, table_id).read()
    if build is None or name in ("", build.folder.name):
        return None
    if (other := build.other(name)) is not None:
        other.become(sys.argv[1:])
    return f"the build {name} has the log of table {table_id} and cannot be started: {build.folder.name} continues"
