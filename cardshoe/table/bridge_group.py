"""A table's devices as its thread commands them."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Final

from msgspec import UNSET

from cardshoe.journal.witness.tasks import Task
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.snapshot import enters_card
from cardshoe.table.log.table_journal import OpenLog
from cardshoe.table.permits import Permits, UnderWay, called_for, gather
from drivers.errors import CommandOutstanding, DriverError
from firmware_bridge.bridge import Bridge
from firmware_bridge.errors import Denied
from firmware_bridge.interlock import ASKED, DeviceAction, DeviceActionKind
from firmware_bridge.report import Report
from regulations.events.inputs import DeviceReadmitted, Loaded, Resolve, Void
from regulations.events.outputs import ShoeOver

logger: Final = logging.getLogger(__name__)

HELD_ACTS: Final = frozenset({DeviceActionKind.LOCK, DeviceActionKind.UNLOCK})


class BridgeGroup:
    """The bridges of a table, for its thread alone."""

    def __init__(self, log: OpenLog, put: Callable[[Task[Any]], object]) -> None:
        self._log: Final = log
        self._put: Final = put
        self._bridges: Final[dict[str, Bridge[Any]]] = {}
        self._permits: Final = Permits(known=not log.recovered)
        self._unsent: Final[dict[str, DeviceAction]] = {}
        self._out_of_reach: Final[set[str]] = set()

    def attach(self, bridge: Bridge[Any]) -> None:
        """Add a device."""
        self._bridges[bridge.name] = bridge

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent)

    @property
    def are_at_rest(self) -> bool:
        return not self._unsent and all(bridge.is_at_rest for bridge in self._bridges.values())

    def introduce(self) -> None:
        """Record each device in a new log."""
        for bridge in self._bridges.values():
            bridge.introduce()

    def shoe_begun(self) -> None:
        """Verify each device again at the start of a shoe game."""
        for bridge in self._bridges.values():
            bridge.shoe_begun()

    def made_durable(self, report: Report, entries: Sequence[int], *, is_processed: bool) -> None:
        """Acknowledge a device's durable report."""
        bridge = self._bridges.get(report.device)
        if bridge is not None:
            bridge.made_durable(report, entries)
            if not is_processed:
                bridge.shut_out()

    def tell(self, taken: LoggedInput) -> None:
        """Pass a durable input to the devices and do the permitted acts."""
        event = taken.event
        is_loaded = isinstance(event, Loaded) and not taken.is_refused
        # A person has dealt with what was wrong: what latched the interlock with it is dealt with too.
        is_settled = isinstance(event, Resolve | Void) and taken.prompt.do != "resolve"
        is_entered, is_over = enters_card(taken), taken.tells(ShoeOver)
        for bridge in self._bridges.values() if is_loaded or is_entered or is_over or is_settled else ():
            if is_loaded:
                bridge.stack_loaded()
            if is_entered:
                bridge.card_entered()
            if is_over:
                bridge.shoe_over()
            if is_settled:
                bridge.settled()
        if isinstance(event, DeviceReadmitted) and not taken.is_refused and event.device in self._bridges:
            self._bridges[event.device].readmitted()
        self._permit(taken)

    def _permit(self, taken: LoggedInput) -> None:
        for act in self._permits.after(taken):
            for bridge in self._bridges.values():
                bridge.interlock.grant(act)
            for bridge in self._bridges.values():
                self._perform(bridge, act)

    def call(self, taken: LoggedInput) -> None:
        """Command the prompt's act, at the device that is dealt from."""
        called = called_for(taken.prompt, self._log.scribe.procedure.due_in_a_row)
        for bridge in self._bridges.values():
            bridge.call(called if self._log.loaded_by in (None, bridge.name) else ())

    def do_as_asked(self, act: DeviceAction, answer: Callable[[dict[str, str | None]], object]) -> None:
        """Forward a person's act; ``answer`` gets, in the table thread, the failures by device (``None``: done)."""
        dealt_from = self._log.loaded_by if self._log.scribe.procedure.is_dealt_from else None
        said: dict[str, str | None] = {}
        under_way: dict[str, UnderWay] = {}
        for bridge in self._bridges.values():
            if act.kind is DeviceActionKind.SHUFFLE and bridge.name == dealt_from:
                said[bridge.name] = "its cards are being dealt. End the shoe game first."
                continue
            bridge.interlock.grant(act)
            came = self._perform(bridge, act)
            if isinstance(came, Future):
                under_way[bridge.name] = came, bridge.outcome
            else:
                said[bridge.name] = came
        gather(under_way, said, lambda work: self._put(Task(work)), answer)

    def asks_which(self, loaded: Loaded) -> str | None:
        if loaded.device is not UNSET:
            known = ", ".join(self._bridges) or "none"
            return None if loaded.device in self._bridges else f"there is no device {loaded.device}; there is {known}"
        could = [name for name, bridge in self._bridges.items() if bridge.may_deal]
        if len(could) <= 1:
            return None
        says = f"`loaded {loaded.cards} device={could[0]}`"
        return f"cards may lie in {' and '.join(could)}. Say which is dealt from, such as {says}"

    def send_unsent(self) -> None:
        """Send again what a device could not receive."""
        for name, act in list(self._unsent.items()):
            bridge = self._bridges[name]
            bridge.interlock.grant(act)
            self._perform(bridge, act)

    def _perform(self, bridge: Bridge[Any], act: DeviceAction) -> "Future[Any] | str":
        if act.kind in HELD_ACTS:
            self._unsent.pop(bridge.name, None)
        try:
            ends = bridge.perform(act)
        except Denied as denied:
            # Most tables allow no commands at all.
            if act.kind not in ASKED:
                logger.debug("%s: %s", bridge.name, denied)
            return str(denied)
        except DriverError as error:
            bridge.interlock.revoke(act)
            if act.kind in HELD_ACTS:
                self._unsent[bridge.name] = act
            self._say_unsent(bridge.name, act, error)
            return f"{error.problem}. {error.remedy}"
        self._out_of_reach.discard(bridge.name)
        return ends

    def _say_unsent(self, name: str, act: DeviceAction, error: DriverError) -> None:
        if act.kind in ASKED:
            return
        if act.kind not in HELD_ACTS:
            logger.warning("%s: %s was not sent: %s. %s", name, act, error.problem, error.remedy)
        elif not isinstance(error, CommandOutstanding) and name not in self._out_of_reach:
            self._out_of_reach.add(name)
            logger.warning(
                "%s: %s is not sent until the device is back: %s. %s", name, act, error.problem, error.remedy
            )
