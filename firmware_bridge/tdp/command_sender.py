"""Sends the commands that the table calls for, each once under its permit."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final

from drivers.errors import DeviceSilent, DriverError
from drivers.tdp import TdpDevice
from drivers.tdp_commands import PASSING, NoAnswer, TdpResult
from firmware_bridge.errors import Denied
from firmware_bridge.interlock import ASKED, LETS_CARDS_OUT, DeviceAction, DeviceActionKind, Interlock
from firmware_bridge.tdp.pending_command import KNOWN, MOST, PATIENT, PendingCommand, RetryDecision, command_of
from firmware_bridge.tdp.session import TdpSession
from protocols.tdp.codes import RefusalReason
from protocols.tdp.messages import Refused
from regulations.events.inputs import AnyInput
from regulations.events.notices import DeviceNoted


class CommandSender:
    def __init__(
        self,
        name: str,
        device: TdpDevice,
        session: TdpSession,
        interlock: Interlock,
        guard: threading.Lock,
        *,
        clock: Callable[[], float],
        report: Callable[[Sequence[AnyInput]], None],
        stop_for: Callable[[str, str], None],
    ) -> None:
        self._name: Final = name
        self._session: Final = session
        self._interlock: Final = interlock
        self._guard: Final = guard
        self._clock: Final = clock
        self._report: Final = report
        self._stop_for: Final = stop_for
        self._device: Final = device
        self.pending: Final = PendingCommand()
        self._granted: tuple[DeviceAction, ...] = ()
        self._is_owed = False
        self.unprocessed_reports = 0

    def processed(self, *, owes: bool) -> None:
        """The table has taken a report: it calls again after this. With the guard held."""
        self.unprocessed_reports -= 1
        self.pending.hold()
        self._is_owed = self._is_owed or owes

    def call(self, acts: Sequence[DeviceAction]) -> None:
        """Revoke the call before; send the first alternative once, when possible."""
        with self._guard:
            for act in self._granted:
                self._interlock.revoke(act)
            granted = [act for act in acts if self._interlock.grant(act)]
            must_lock = self.pending.call(granted)
            if self.pending.wanted is None:
                for act in granted:
                    self._interlock.revoke(act)
            self._granted = () if self.pending.wanted is None else tuple(granted)
            is_due, self._is_owed = self.pending.waits or self._is_owed, False
        if must_lock:
            self._lock()
        if not self.send_due(self._clock()) and is_due:
            self._device.port.wake()

    def perform(self, act: DeviceAction) -> "Future[TdpResult]":
        """Send a command that a person gave. See ``TdpBridge.perform``."""
        if act.kind not in KNOWN:
            known = ", ".join(sorted(kind.value for kind in KNOWN))
            raise Denied(str(act), "TDP has no such command", f"There are: {known}.")
        if act.number > MOST.get(act.kind, act.number):
            raise Denied(str(act), "no device has such a number", f"Give 0 to {MOST[act.kind]}.")
        self._interlock.use(act)
        try:
            return self._send(act, None)
        except DeviceSilent as silent:
            if act.kind is not DeviceActionKind.LOCK:
                raise
            raise Denied(
                str(act), "there is no session, and without one the device is locked", "Nothing needs to be done."
            ) from silent

    def send_due(self, now_s: float) -> bool:
        with self._guard:
            is_overdue = self.pending.is_overdue(now_s)
            act = self._due(now_s)
            try:
                if act is not None:
                    self._interlock.use(act)
            except Denied:  # latched meanwhile; whoever clears it makes the table call again
                return False
            ticket = 0 if act is None else self.pending.sent(now_s)
        if is_overdue:
            self._fail(DeviceAction(DeviceActionKind.DISPENSE, 1), "overdue", "the cards have not come out")
        if act is None:
            return False
        try:
            self._send(act, ticket)
        except DriverError:
            with self._guard:
                self.pending.not_sent(ticket)
                if self._interlock.grant(act):
                    self._granted = (act,)
            return False
        return True

    def _due(self, now_s: float) -> DeviceAction | None:
        act = self.pending.wanted
        if act is None or self.unprocessed_reports or not self._session.is_caught_up or not self.pending.is_due(now_s):
            return None
        # A spare device: the cards come from another.
        return None if act.kind in LETS_CARDS_OUT and self._session.is_empty else act

    def _send(self, act: DeviceAction, ticket: int | None) -> "Future[TdpResult]":
        with self._guard:
            module = self._session.module_of(act.number)
        is_patient = act.kind in PATIENT
        result = self._device.send_command(lambda new_id: command_of(act, new_id, module), is_patient=is_patient)
        result.add_done_callback(lambda done: self._ended(act, ticket, done))
        return result

    def _lock(self) -> None:
        lock = DeviceAction(DeviceActionKind.LOCK)
        if not self._interlock.grant(lock):
            return
        try:
            self.perform(lock)
        except (Denied, DriverError):
            # Without a session the device is locked already.
            self._interlock.revoke(lock)

    def _ended(self, act: DeviceAction, ticket: int | None, done: "Future[TdpResult]") -> None:
        error = done.exception()
        if error is not None:
            return  # The session was gone before it was sent, and that is reported already.
        result = done.result()
        if isinstance(result, NoAnswer):
            with self._guard:
                self.pending.forget()
            if result.is_lost:
                self._interlock.latch(f"{act}: {result.why}; outcome unknown")
            else:
                self._fail(act, "not_answered", f"{result.why}; outcome unknown")
        elif isinstance(result, Refused):
            self._refused(act, ticket, result)

    def _refused(self, act: DeviceAction, ticket: int | None, result: Refused) -> None:
        with self._guard:
            decision = RetryDecision.FAILED
            if ticket is not None:
                decision = self.pending.refused(ticket, result.reason, self._clock())
            if decision is RetryDecision.AGAIN and self._interlock.grant(act):
                self._granted = (act,)
        reason = reason_name(result.reason)
        if act.kind in ASKED and result.reason in PASSING:
            # Nothing has happened, and whoever asked for it sees what the machine is busy with.
            self._report_note(f"{act.kind.value}_refused_{reason}")
        elif decision is RetryDecision.FAILED:
            self._fail(act, f"refused_{reason}", f"refused, {reason}")

    def _report_note(self, note: str) -> None:
        with self._guard:
            self.unprocessed_reports += 1
        self._report([DeviceNoted(device=self._name, note=note)])

    def _fail(self, act: DeviceAction, code: str, why: str) -> None:
        self._stop_for(f"{act.kind.value}_{code}", f"{act}: {why}")


def reason_name(reason: int) -> str:
    return RefusalReason(reason).name.lower() if reason in tuple(RefusalReason) else str(reason)
