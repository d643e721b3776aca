"""A table in this process, for tests that would otherwise start one each: the real log, controller and bridges."""

import json
import queue
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Self

from cardshoe.process.clock import wall_time
from cardshoe.table.controller import Controller, Item
from cardshoe.table.inbox import Answer
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.setup.admission import appoint_judge
from cardshoe.table.setup.config import load
from firmware_bridge.bridge import Bridge
from firmware_bridge.families import family_named
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from regulations.events.codec import decode_input
from tests.kit.command import PATIENCE_S, Line


class LiveTable:
    """``cardshoe run`` of a configuration, without a process and a console."""

    def __init__(self, config: Path) -> None:
        chosen = load(config, wall_time())
        inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self.bridges: Final[Sequence[Bridge[Any]]] = [
            family_named(one.family).part("make")(
                one.name, one.port, one.settings, [DeviceActionKind(c) for c in one.commands], inbox.put
            )
            for one in chosen.devices
        ]
        appoint_judge(chosen, self.bridges)
        self._log: Final = open_log(chosen.journal_dir, chosen.table, wall_time(), self._remember, bridges=self.bridges)
        self._controller: Final = Controller(self._log, inbox)
        self._told: Final[queue.SimpleQueue[list[Line]]] = queue.SimpleQueue()
        for bridge in self.bridges:
            self._controller.attach(bridge)
        self._controller.listen(self._hear)
        self._thread: Final = threading.Thread(target=self._controller.run)

    def __enter__(self) -> Self:
        self._thread.start()
        for bridge in self.bridges:
            bridge.start()
        return self

    def __exit__(self, *_: object) -> None:
        for bridge in self.bridges:
            bridge.stop()
        self._controller.stop()
        self._thread.join(PATIENCE_S)
        self._log.journal.close()

    def _remember(self, taken: LoggedInput) -> None:
        for bridge in self.bridges:
            bridge.replay(taken.opened)

    def _hear(self, taken: LoggedInput) -> None:
        self._told.put([json.loads(line) for line in taken.lines])

    def answer(self) -> list[Line]:
        """The lines of the next input, with the answer to it."""
        return self._told.get(timeout=PATIENCE_S)

    def ask(self, act: DeviceAction, answer: Callable[[Answer], None]) -> None:
        """A person asks the devices for something; `answer` receives the outcome."""
        self._controller.ask_and_wait(act, answer)

    def tell(self, line: Line) -> list[Line]:
        """A person types a line; returns what comes of it."""
        self._controller.submit(decode_input(json.dumps(line)))
        return self.answer()
