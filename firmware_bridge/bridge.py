"""Base of every bridge between a table and a device.

Threads use the session with the guard held; events are passed on without it, as the inbox may call back. The lock
around both keeps events in order, whichever thread translates them.
"""

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from typing import Any, ClassVar, Final, Generic, TypeVar

import msgspec

from drivers.budget import Budget
from drivers.errors import DriverError
from drivers.link_health import LinkHealth
from drivers.port_device import PortDevice
from firmware_bridge.admission.device_gate import DeviceGate
from firmware_bridge.admission.verifier import DeviceVerifier
from firmware_bridge.errors import Denied
from firmware_bridge.interlock import LETS_CARDS_OUT, DeviceAction, DeviceActionKind, Interlock
from firmware_bridge.report import Inbox, Report
from firmware_bridge.roots import RootMemory
from firmware_bridge.session_state import DeviceSnapshot, DurableState, StatefulSession, StateVersion
from protocols.garbage import Garbage, NotUnderstood
from regulations.events.inputs import AnyInput, Fault, FaultCleared
from regulations.events.notices import DeviceIdentified
from regulations.events.vocabulary import NOT_UNDERSTOOD

STOP_TIMEOUT_S: Final = 6.0
"""Opening a silent TCP address takes five."""

MessageT = TypeVar("MessageT")

OVER_BUDGET: Final = "over_budget"
"""The port is closed until two people readmit the device."""


NOT_ANSWERED: Final = "not_answered"
"""The table could not process a report; the port is closed likewise."""


class Bridge(Generic[MessageT]):
    _device: PortDevice[MessageT]
    _session: StatefulSession[MessageT, Any]
    roots: RootMemory | None = None
    """``None``: no device of this family has one."""
    kind: ClassVar[DeviceIdentified | None] = None

    def __init__(
        self, device: str, commands: Collection[DeviceActionKind], inbox: Inbox, session: StatefulSession[MessageT, Any]
    ) -> None:
        self.name: Final = device
        self._session = session
        self._durable: Final = DurableState(session)
        self.interlock: Final = Interlock(commands)
        self._inbox: Final = inbox
        self._guard: Final = threading.Lock()
        # Reentrant: the inbox may call back. Always taken before the guard.
        self._in_order: Final = threading.RLock()
        self._admission: Final = DeviceGate(device, self.interlock)
        self._budget: Budget | None = Budget(self._over_budget)
        self._is_named = False
        self._kept_out: frozenset[str] = frozenset()

    @property
    def may_deal(self) -> bool:
        return any(self.interlock.allows(kind) for kind in LETS_CARDS_OUT)

    # --- the table's side --------------------------------------------------------------------------------------------

    def appoint(self, judge: DeviceVerifier, family: str, port: str) -> None:
        """At each connection and shoe game; call before :meth:`start`."""
        with self._guard:
            self._admission.appoint(judge, family, port)

    def lift_budget(self) -> None:
        """For benches and virtual time; call before :meth:`start`."""
        self._budget = None

    def take_bytes(self, data: bytes, now_s: float) -> None:
        """Take bytes of the device, for tables in virtual time; instead of :meth:`start`."""
        self._device.bytes_received(data, now_s)

    def start(self) -> None:
        with self._guard:
            # From here on the session may be ahead of the journal.
            self._durable.stored(self._durable.leave())
        if self._budget is not None:
            self._device.port.limit(self._budget)
        if self._kept_out:
            self._device.port.block()
        self._device.port.start()

    def stop(self) -> None:
        self._device.stop(STOP_TIMEOUT_S)

    def health(self) -> LinkHealth:
        """The link's counters and state so far."""
        return self._device.health()

    def stack_loaded(self) -> None:
        with self._guard:
            self._durable.send(_stack_loaded, _stack_logged)

    def shoe_begun(self) -> None:
        self._report(self._admission.by_name)

    def shoe_over(self) -> None:
        with self._guard:
            self._durable.send(_shoe_over, _shoe_over)

    @property
    def is_at_rest(self) -> bool:
        """No event is pending and nothing holds the device back: another log may begin."""
        with self._guard:
            return not self._kept_out and self.interlock.is_clear and self._session.is_at_rest

    def log_begun(self) -> None:
        with self._guard:
            self._session.log_begun()

    def introduce(self) -> None:
        """Tell a log that begins while the table runs which device is here."""
        self._report(self._introduction)

    def _introduction(self) -> list[AnyInput]:
        self._is_named = False
        return self._named() + self._admission.by_name()

    def card_entered(self) -> None:
        with self._guard:
            self._session.card_entered()

    def made_durable(self, report: Report, entries: Sequence[int] = ()) -> None:  # noqa: ARG002  # some look
        """``entries``: numbers of the events in the journal; empty: unknown."""
        with self._guard:
            self._durable.stored(report.leaves)

    def shut_out(self) -> None:
        """A report failed at the table, which records the fault."""
        self.interlock.latch("the table could not process its report")
        with self._guard:
            self._kept_out |= {NOT_ANSWERED}
        self._device.port.block()

    def readmitted(self) -> None:
        """Two people readmit a device: its faults end with the next session."""
        self._device.port.readmit()
        self._report(self._session.understood)

    def settled(self) -> None:
        """A person has resolved a fault: release what it latched."""
        self.interlock.clear()

    def call(self, acts: Sequence[DeviceAction]) -> None:
        """Grant alternatives of one action, revoke the call before; ``acts`` empty: none is expected."""

    @property
    def form(self) -> type[msgspec.Struct]:
        """The form of its state in a snapshot."""
        return self._session.form

    def snapshot(self) -> DeviceSnapshot | None:
        """Where a shoe game begins; table's thread. ``None``: unknown."""
        with self._guard:
            return self._durable.snapshot(self.name)

    def restore(self, snapshot: bytes, heard: Iterable[AnyInput]) -> None:
        """After a restart; ``heard``: the journal's inputs from `DeviceSnapshot.heard_from` on.

        Raises:
            msgspec.ValidationError: another version or family wrote it.
        """
        with self._guard:
            self._session.restore(snapshot)
            for event in heard:
                self._session.recall(event)

    def replay(self, event: AnyInput) -> None:
        own = _own_fault(event) if isinstance(event, Fault | FaultCleared) and event.device == self.name else None
        if own in (OVER_BUDGET, NOT_ANSWERED):
            code = {str(own)}
            self._kept_out = self._kept_out | code if isinstance(event, Fault) else self._kept_out - code
        with self._guard:
            self._admission.replay(event)
            self._session.replay(event)
            if own == NOT_UNDERSTOOD:
                self._session.state.not_understood = isinstance(event, Fault)

    def replay_refused(self, event: AnyInput) -> None:
        """It must not be reported again."""
        with self._guard:
            self._session.replay_refused(event)

    def replay_shoe_over(self) -> None:
        with self._guard:
            self._session.shoe_over()

    def _named(self) -> list[AnyInput]:
        if self._is_named or self.kind is None or not self._admission.is_appointed:
            return []
        self._is_named = True
        return [msgspec.structs.replace(self.kind, device=self.name)]

    def counters(self) -> dict[str, int]:
        return {}

    def perform(self, act: DeviceAction) -> "Future[Any]":
        """Only if the interlock permits exactly this action.

        Raises:
            Denied: no permit; nothing was sent.
            DriverError: no connection; nothing was sent.
        """
        raise Denied(str(act), f"{self.name} takes no commands", "Do it at the device, by hand.")

    def outcome(self, ended: "Future[Any]") -> str | None:
        """``None`` if the device did it; else why not, for a person."""
        error = ended.exception()
        if error is None:
            return self._not_done(ended.result())
        return f"not done: {error.problem}" if isinstance(error, DriverError) else f"not done: {error}"

    def _not_done(self, result: object) -> str | None:  # noqa: ARG002  a family knows
        return None

    def _stop_for(self, code: str, why: str) -> None:
        self.interlock.latch(why)
        events: list[AnyInput] = [Fault(device=self.name, code=code), FaultCleared(device=self.name, code=code)]
        with self._guard:
            self._will_report(events)
        self._pass_on(events)

    # --- the port's side (DeviceListener) ----------------------------------------------------------------------------

    def message(self, message: MessageT, now_s: float) -> None:
        self._report(lambda: self._session.understood() + self._session.translate(message, now_s))

    def damaged(self, damage: Garbage, now_s: float) -> None:
        """Takes bytes that may have been a message (port's thread)."""
        if isinstance(damage, NotUnderstood):
            self._report(lambda: self._session.strange(damage, now_s))
        else:
            self._report(lambda: self._session.translate_damage(damage))

    def lost(self, error: DriverError) -> None:
        """The link is gone (port's thread)."""
        self.interlock.latch(f"link lost: {error.problem}")
        self._report(self._lost)

    def back(self) -> None:
        """The link is there (port's thread)."""
        self._report(self._back)

    def _lost(self) -> list[AnyInput]:
        return self._session.lost()

    def _back(self) -> list[AnyInput]:
        return self._well_again() + self._session.back() + self._named() + self._admission.by_name()

    def _report(self, translate: Callable[[], list[AnyInput]]) -> None:
        with self._in_order:
            with self._guard:
                events = translate()
                leaves = self._durable.leave() if events else None
                self._will_report(events)
            self._pass_on(events, leaves)

    def _will_report(self, events: Sequence[AnyInput]) -> None:
        """Record, with the guard held, what the table has still to take."""

    def _well_again(self) -> list[AnyInput]:
        codes, self._kept_out = sorted(self._kept_out), frozenset()
        return [FaultCleared(device=self.name, code=code, origin="table") for code in codes]

    def _over_budget(self) -> None:
        # The device said more than it may, and its port is closed (called by the port's thread).
        self.interlock.latch("it said more than its budget allows")
        with self._guard:
            self._kept_out |= {OVER_BUDGET}
        self._pass_on([Fault(device=self.name, code=OVER_BUDGET, origin="table")])

    def _pass_on(self, events: Sequence[AnyInput], leaves: StateVersion | None = None) -> None:
        if not events:
            return
        passing = self._admission.passing(events)
        if self._budget is not None:
            self._budget.count_events(len(passing))
        # Even one event goes as a report: what is durable must come back to be acknowledged.
        self._inbox(Report(self.name, tuple(passing), leaves))


def _stack_loaded(memory: StatefulSession[Any, Any]) -> None:
    memory.stack_loaded()


def _stack_logged(memory: StatefulSession[Any, Any]) -> None:
    memory.stack_logged()


def _shoe_over(memory: StatefulSession[Any, Any]) -> None:
    memory.shoe_over()


def _own_fault(event: Fault | FaultCleared) -> int | str | None:
    return event.code if event.origin == "table" else None
