"""A table in this process with its live socket, and bare connections to it."""

import json
import queue
import random
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Self

from msgspec import UNSET

from cardshoe.journal import Journal, read_only
from cardshoe.journal.witness.tasks import Task
from cardshoe.process.clock import boot_time_s, wall_time
from cardshoe.screens.view import TableView
from cardshoe.screens.view.encoding import EncodedView
from cardshoe.table.controller import Controller, Item
from cardshoe.table.live.client import LiveClient
from cardshoe.table.live.equipment import EquipmentStatus
from cardshoe.table.live.place import TablePlace, connected
from cardshoe.table.live.server import CLIENTS, LiveServer, Shared
from cardshoe.table.log.house_day import HouseDay
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.staff_service import Persons
from firmware_bridge.report import Report
from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput, Closed, Table
from tests.kit.command import PATIENCE_S, Line

FREE_HANDS: Final = {"rounds_without_wagers": True}
"""Rounds that their first card opens, without wagers (reading B8)."""
TABLE: Final = Table(table_id="T-1", game="baccarat", decks=8, seats=7, equipment="shoe", options=dict(FREE_HANDS))
READY: Final[list[Line]] = [
    {"event": "shuffled", "by": "croupier"},
    {"event": "cut", "by": "player"},
    {"event": "cut_card_placed", "behind": 14},
    {"event": "loaded", "cards": 416},
    *({"event": "card", "card": f"{rank}C"} for rank in "23456789"),
]


class ServedTable:
    """A table by hand, with the real log, controller and socket.

    Args:
        persons: makes its persons, of what takes notes for the log; ``None``: it has none.
        now: the wall clock, RFC 3339, UTC.
        boot_s: a clock that goes forward with it, in seconds.
        opening: as of the controller.
    """

    def __init__(  # noqa: PLR0917  the parts of a table, all but the first by name
        self,
        folder: Path,
        table: Table = TABLE,
        clients: int = CLIENTS,
        persons: Callable[[Callable[[AnyInput], None]], Persons] | None = None,
        shared: Shared | None = None,
        day: HouseDay | None = None,
        now: Callable[[], str] = wall_time,
        boot_s: Callable[[], float] = boot_time_s,
        opening: Callable[[], str | None] | None = None,
        equipment: Callable[[], EquipmentStatus] = EquipmentStatus,
    ) -> None:
        recent: deque[LoggedInput] = deque(maxlen=1000)
        self.log: Final = open_log(folder, table, now(), recent.append)
        self.place: Final = TablePlace.of(folder, table.table_id)
        self._inbox: Final[queue.SimpleQueue[Item]] = queue.SimpleQueue()
        self.controller: Final = Controller(self.log, self._inbox, now, boot_s=boot_s, day=day, opening=opening)
        self.persons: Final = None if persons is None else persons(self.controller.note)
        self.live: Final = LiveServer(
            self.place,
            self.log,
            self.controller,
            recent=recent,
            clients=clients,
            persons=self.persons,
            shared=shared,
            equipment=equipment,
        )
        self._told: Final[queue.SimpleQueue[LoggedInput]] = queue.SimpleQueue()
        if self.persons is not None:
            self.controller.listen(self.persons)
        self.controller.show(self.live)
        self.log.journal.listen(self.live.noted)
        self.controller.succeed(lambda _: self.log.journal.listen(self.live.noted))
        self.controller.succeed(Journal.close)
        self.controller.show(self._heard)
        self._thread: Final = threading.Thread(target=self.controller.run)

    def __enter__(self) -> Self:
        if self.persons is not None:
            self.persons.__enter__()
        self.live.__enter__()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.persons is not None:
            self.persons.__exit__()
        self.controller.stop()
        self._thread.join(PATIENCE_S)
        self.live.__exit__()
        self.log.journal.close()

    def _heard(self, taken: Sequence[LoggedInput], _view: EncodedView | None) -> None:
        for one in taken:
            self._told.put(one)

    @property
    def runs(self) -> bool:
        """Whether the table takes inputs, or waits closed."""
        return self._thread.is_alive()

    @property
    def view(self) -> TableView:
        """The table as viewers have it."""
        encoded = self.log.view
        assert encoded is not None
        return encoded.decoded()

    def give(self, event: AnyInput) -> LoggedInput:
        """An input of a device, if it names one, else of a person; what came of it once it is durable."""
        device = getattr(event, "device", UNSET)
        if device is UNSET:
            self.controller.submit(event)
        else:
            self.report(device, event)
        return self.heard()

    def report(self, device: str, *events: AnyInput) -> None:
        """Report one message of a device; returns at once."""
        self._inbox.put(Report(device, events))

    def heard(self) -> LoggedInput:
        """What the table takes next."""
        return self._told.get(timeout=10.0)

    def wake(self) -> None:
        """Has the table look at its clock."""
        self._inbox.put(Task(lambda: None))

    def tell(self, *lines: Line) -> LoggedInput:
        """Inputs as lines; what came of the last."""
        return [self.give(decode_input(json.dumps(line))) for line in lines][-1]

    def client(self) -> LiveClient:
        """Somebody who looks on."""
        return LiveClient(self.place)


def cards(seed: int) -> list[Line]:
    """A stack, as cards are entered."""
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"] * 8
    random.Random(seed).shuffle(deck)
    return [{"event": "card", "card": card} for card in deck]


class Bare:
    """A connection that says any bytes."""

    def __init__(self, place: TablePlace) -> None:
        self.sock: Final[socket.socket] = connected(place, PATIENCE_S)
        self._file: Final = self.sock.makefile("rb")
        self.hello: Final = self.next()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self.sock.close()

    def say(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self.sock.sendall(data)

    def next(self) -> dict[str, Any]:
        """The next message; an empty one at the end."""
        line = self._file.readline()
        found: dict[str, Any] = json.loads(line) if line else {}
        return found

    def rest(self) -> list[dict[str, Any]]:
        """All messages to the end."""
        return [json.loads(line) for line in self._file]


def stored(place: TablePlace) -> list[bytes]:
    path = place.newest_journal
    assert path is not None
    with read_only(path) as evidence:
        return [line for entry in evidence.entries() for line in entry.lines]


BEFORE_SIX: Final = "2026-01-05T10:00:00.000000Z"
AFTER_SIX: Final = "2026-01-05T22:30:00.000000Z"
"""The next day at half past six in the morning of Macau."""
ENDED: Final = ({"event": "shoe_ended", "reason": "house"}, {"event": "stack_counted", "cards": 408})


class DayTable:
    """A table before the house's hour, at the end of its first shoe game."""

    def __init__(self, folder: Path, persons: Callable[[Callable[[AnyInput], None]], Persons] | None = None) -> None:
        self.at = BEFORE_SIX
        self.table: Final = ServedTable(
            folder, persons=persons, day=HouseDay(6), now=lambda: self.at, boot_s=self._boot_s
        )

    def _boot_s(self) -> float:
        return datetime.fromisoformat(self.at).timestamp()

    def go_over(self) -> str:
        """The first log ends; the fingerprint of the next one."""
        self.table.tell(*READY, *ENDED)
        self.at = AFTER_SIX
        self.table.wake()
        assert [type(self.table.heard().event) for _ in range(2)] == [Closed, Table]
        return self.table.log.journal.header.fingerprint
