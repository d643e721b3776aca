"""One TDP device at a table: messages up as events, acknowledgements and commands down."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Final

from drivers.discovery import port_maker
from drivers.port import Port
from drivers.tdp import TdpDevice
from drivers.tdp_commands import NoAnswer, TdpResult
from drivers.tdp_settings import TdpSettings
from firmware_bridge.bridge import Bridge
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from firmware_bridge.report import Inbox, Report
from firmware_bridge.tdp.admission import TdpAdmission
from firmware_bridge.tdp.command_sender import CommandSender, reason_name
from firmware_bridge.tdp.faults import JOURNAL_DISAGREES
from firmware_bridge.tdp.roots import TdpRoots
from firmware_bridge.tdp.session import TdpSession
from protocols.tdp.events import DeviceEvent
from protocols.tdp.handshake import Security
from protocols.tdp.messages import Hello, Message, Refused, RootRemembered, Status
from regulations.events.inputs import AnyInput


class TdpBridge(Bridge[Message]):
    """``inbox`` is called in the port's thread and must not wait.

    Raises:
        BadSetting: an unknown key, an impossible value, or an unreadable certificate.
    """

    _device: TdpDevice
    _session: TdpSession
    roots: TdpRoots

    def __init__(  # three of them stand in the configuration, and two are for simulations
        self,
        device: str,
        port_name: str,
        settings: Mapping[str, object],
        commands: Collection[DeviceActionKind],
        inbox: Inbox,
        *,
        clock: Callable[[], float] = time.monotonic,
        make_port: Callable[[], Port] | None = None,
    ) -> None:
        super().__init__(device, commands, inbox, TdpSession(device))
        chosen = TdpSettings.from_mapping(settings)
        self._device = TdpDevice(
            port_name,
            self,
            make_port or port_maker(port_name, chosen.line),
            chosen,
            on_time=self._time_passed,
            on_untrusted=lambda untrusted: self._verification.on_untrusted(untrusted),  # noqa: PLW0108  made below
            on_damage=self.damaged,
            clock=clock,
        )
        self._verification: Final = TdpAdmission(
            self._admission,
            self._guard,
            self._device,
            can_attest=chosen.terms.security is not Security.PLAIN,
            will_report=self._will_report,
            report=self._pass_on,
            replay=self.message,
        )
        self._sender: Final = CommandSender(
            device,
            self._device,
            self._session,
            self.interlock,
            self._guard,
            clock=clock,
            report=self._pass_on,
            stop_for=self._stop_for,
        )
        self.roots = TdpRoots(device, self._device, partial(self._stop_for, JOURNAL_DISAGREES))

    @property
    def may_deal(self) -> bool:
        with self._guard:
            return super().may_deal and not self._session.is_empty

    # --- the table's side --------------------------------------------------------------------------------------------

    def made_durable(self, report: Report, entries: Sequence[int] = ()) -> None:
        with self._guard:
            self._durable.stored(report.leaves)
            self._session.made_durable(report.events, entries)
            key = self._session.acknowledgement
            self._sender.processed(owes=key is not None)
        if key is not None:
            self._device.acknowledge(key, at_once=False)

    def shoe_begun(self) -> None:
        self._report(self._verification.shoe_begun)
        self._device.port.wake()

    @property
    def is_at_rest(self) -> bool:
        with self._guard:
            waits = self._sender.unprocessed_reports or self._sender.pending.waits or self._admission.is_pending
        return not waits and super().is_at_rest

    def introduce(self) -> None:
        super().introduce()
        self._device.port.wake()

    def _introduction(self) -> list[AnyInput]:
        return self._session.introduction() + self._verification.begin()

    def shoe_over(self) -> None:
        self._report(self._session.stack_left)
        super().shoe_over()

    def card_entered(self) -> None:
        with self._guard:
            self._sender.pending.entered()

    def settled(self) -> None:
        super().settled()
        with self._in_order:
            with self._guard:
                reports = [(events, self._durable.leave()) for events in self._session.settled()]
                self._sender.unprocessed_reports += len(reports)
            for events, leaves in reports:
                self._pass_on(events, leaves)

    def counters(self) -> dict[str, int]:
        with self._guard:
            return {"repeats": self._session.repeats, "gaps": self._session.gaps}

    def call(self, acts: Sequence[DeviceAction]) -> None:
        self._sender.call(acts)

    def perform(self, act: DeviceAction) -> "Future[TdpResult]":
        """The attempt uses the permit; the interlock latches unless the outcome is ``Done``.

        Raises:
            Denied: no permit, no such command, or a lock without a session; nothing was sent.
            DriverError: not connected, or too many commands wait; nothing was sent.
        """
        return self._sender.perform(act)

    # --- the port's side ---------------------------------------------------------------------------------------------

    def message(self, message: Message, now_s: float) -> None:
        if isinstance(message, Hello | RootRemembered):
            self.roots.on_message(message)
        before = self._session.repeats
        self._report(lambda: self._translated(message, now_s))
        if self._session.repeats > before:
            self._acknowledge()
        if isinstance(message, Hello):
            self._verification.release()

    def _translated(self, message: Message, now_s: float) -> list[AnyInput]:
        if self._verification.holds(message, now_s):
            return []
        events = (
            self._session.understood() + self._session.translate(message, now_s) + self._verification.apply(message)
        )
        if isinstance(message, DeviceEvent) and events:
            self._sender.pending.apply(message)
        elif isinstance(message, Status):
            self._sender.pending.hurry()
        return events

    def _will_report(self, events: Sequence[AnyInput]) -> None:
        self._sender.unprocessed_reports += bool(events)

    def _over_budget(self) -> None:
        with self._guard:
            self._sender.unprocessed_reports += 1
        super()._over_budget()

    def _lost(self) -> list[AnyInput]:
        self._sender.pending.forget()
        self._verification.disconnected()
        return super()._lost()

    def back(self) -> None:
        number, certificate = self._device.session, self._device.peer_certificate
        self._report(
            lambda: self._well_again() + self._session.back() + self._verification.connected(number, certificate)
        )

    def _acknowledge(self) -> None:
        with self._guard:
            key = self._session.acknowledgement
        if key is not None:
            self._device.acknowledge(key)

    def _time_passed(self, now_s: float) -> bool:
        # See to what is due (called by the port's thread); return whether anything waits for time to pass.
        with self._guard:
            if not (self._verification.exchange.waits or self._sender.pending.waits):
                return False
        self._verification.poll()
        self._sender.send_due(now_s)
        with self._guard:
            return self._verification.exchange.waits or self._sender.pending.waits

    def _not_done(self, result: object) -> str | None:
        if isinstance(result, Refused):
            return f"refused: {reason_name(result.reason)}"
        return f"{result.why}: outcome unknown" if isinstance(result, NoAnswer) else None
