"""A controller in this process with a real log, a device that notes what it is told, and rules that fail in a round."""

import json
import queue
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from cardshoe.journal import Journal
from cardshoe.table.controller import Controller, Item
from cardshoe.table.log.log_builder import LoggedInput, Scribe
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.table_journal import OpenLog, open_log
from drivers.errors import CommandOutstanding, PortLost
from firmware_bridge.angel_eye.session import ShoeSession
from firmware_bridge.bridge import Bridge
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from firmware_bridge.report import Report
from protocols.angel_eye.messages import ShoeMessage
from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput, Loaded, Table
from regulations.events.line import DeviceReport
from regulations.games.registry import GAMES
from regulations.law.rulebook import Rulebook
from tests.cardshoe.table.live.support import READY
from tests.kit.sealed import keys_beside
from tests.kit.table_log import AT, TABLE

LATER: Final = "2026-01-05T11:00:00.000000Z"

RULES: Final = GAMES["baccarat"].rulebook
BETS: Final = {"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "tie", "stake": 100}]}
DEALT: Final = ("9H", "3D", "KS", "4C")
"""The player's natural of 9 against 7: the fourth card ends the round, and settles it."""


class Device(Bridge[ShoeMessage]):
    """A device at the end of no line: it notes what the table tells it, and what was durable by then."""

    def __init__(self, log: OpenLog, *allowed: DeviceActionKind, name: str = "shoe") -> None:
        self._said: list[AnyInput | Report] = []  # nothing: it is behind no port
        super().__init__(name, allowed, self._said.append, ShoeSession(name))
        self.heard: list[tuple[str, int]] = []
        self.called: list[list[DeviceAction]] = []
        self.shoes_begun: list[int] = []
        self.entries: list[int] = []
        """The journal's numbers of what was reported last."""
        """Where the journal ended when a shoe game began."""
        self.is_unplugged = self.is_empty = False
        self.busy_for = 0
        """For so many commands the one before is not answered yet."""
        self._log = log

    @property
    def may_deal(self) -> bool:
        return self.interlock.allows(DeviceActionKind.LET_DRAW) and not self.is_empty

    def _note(self, what: str) -> None:
        self.heard.append((what, self._log.journal.last_seq))

    def stack_loaded(self) -> None:
        self._note("loaded")

    def shoe_begun(self) -> None:
        self.shoes_begun.append(self._log.journal.last_seq)

    def shoe_over(self) -> None:
        self._note("over")

    def card_entered(self) -> None:
        self._note("entered")

    def made_durable(self, report: Report, entries: Sequence[int] = ()) -> None:
        self._note(f"durable: {len(report.events)}")
        self.entries = list(entries)

    def shut_out(self) -> None:
        self._note("shut_out")

    def readmitted(self) -> None:
        self._note("readmitted")

    def call(self, acts: Sequence[DeviceAction]) -> None:
        self.called.append(list(acts))

    def perform(self, act: DeviceAction) -> "Future[None]":
        self.interlock.use(act)
        if self.is_unplugged:
            raise PortLost(self.name, "unplugged", "Plug it in.")
        if self.busy_for:
            self.busy_for -= 1
            raise CommandOutstanding(self.name, "busy", "Wait.")
        self._note(str(act))
        return ended()

    def outcome(self, ended: "Future[None]") -> str | None:
        return ended.result()


def ended() -> "Future[None]":
    """A command that was done."""
    future: Future[None] = Future()
    future.set_result(None)
    return future


class Desk:
    """A controller with a real log, one device, and one who listens."""

    def __init__(self, folder: Path, *allowed: DeviceActionKind) -> None:
        self.log = open_log(folder, TABLE, AT, lambda _: None)
        self.inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self.controller = Controller(self.log, self.inbox, lambda: AT, boot_s=lambda: 0.0)
        self.device = Device(self.log, *allowed)
        self.controller.attach(self.device)
        self.taken: list[tuple[LoggedInput, int]] = []
        self.controller.listen(lambda taken: self.taken.append((taken, self.log.journal.last_seq)))

    def run(self, *events: Item) -> None:
        """Takes these; what a device says comes as its report."""
        for event in events:
            if isinstance(event, DeviceReport) and isinstance(event.device, str) and not isinstance(event, Loaded):
                self.inbox.put(Report(event.device, (event,)))
            else:
                self.inbox.put(event)
        self.controller.stop()
        self.controller.run()


def inputs(*lines: dict[str, Any]) -> list[AnyInput]:
    return [decode_input(json.dumps({"at": AT, **line})) for line in lines]


def failing(_verdict: object) -> bool:
    """A settlement with an error in it: the card has been laid and the result told by then."""
    return bool(1 // 0)


def broken() -> Rulebook:
    return replace(RULES, payouts=[replace(one, holds=failing) if one.bet == "tie" else one for one in RULES.payouts])


ROUND: Final = inputs(*READY, BETS, *({"event": "card", "card": card} for card in DEALT[:3]))


LAST: Final = inputs({"event": "card", "card": DEALT[3]})[0]


def stuck(desk: Desk, last: AnyInput = LAST, *after: AnyInput) -> Path:
    """A journal whose last input has an answer that the rules do not give; its path."""
    with desk.log.journal as journal:
        desk.run(*ROUND)
        append_failing(journal, desk.log.scribe.opening, [taken for taken, _ in desk.taken], last, *after)
        return journal.path


def append_failing(
    journal: Journal, opening: LoggedInput, before: list[LoggedInput], last: AnyInput, *after: AnyInput
) -> None:
    table = opening.event
    assert isinstance(table, Table)
    scribe = Scribe(table, broken(), Sealer(keys_beside(journal.path), journal.origin))
    for taken in before:
        scribe.take(taken.opened)
    assert scribe.procedure.lines == journal.last_seq
    for event in (last, *after):
        journal.append([scribe.take(event).entry], sign_at=AT)
