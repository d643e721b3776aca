"""A device that speaks TDP behind a port: ``docs/protocols/tdp.md``.

The link is back when a session is ready: a device that is off behind an open port is lost.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Final

from drivers.discovery import port_maker
from drivers.errors import DeviceMismatch, DeviceSilent, DriverError, PortLost
from drivers.port import Port
from drivers.port_device import DeviceListener, OnDamage, PortDevice, unnoticed
from drivers.port_thread import LOOK_S, NEVER_S, Backoff
from drivers.tdp_commands import CommandQueue, MakeCommand, TdpResult
from drivers.tdp_settings import TdpSettings
from protocols.garbage import Garbage
from protocols.tdp.commands import EventAcknowledged
from protocols.tdp.endpoint import Endpoint, EndpointEvent, EndpointLost, EndpointReady, MessageReceived, TlsRejected
from protocols.tdp.events import EventKey
from protocols.tdp.framing import HALF
from protocols.tdp.link import SessionRefused
from protocols.tdp.messages import Done, Heartbeat, Message, Refused
from protocols.tdp.states import Role
from protocols.tdp.tls import CertificateFault

SILENT_S: Final = 3.0
"""Seconds without a session after which an open port counts as lost."""

HELD_MAX: Final = 256

MUTE_S: Final = 5.0
"""Seconds without a heartbeat, one a second: its application is dead."""

_CERTIFICATES: Final = "Compare the certificates of table and device with what was enrolled; nothing it said is lost."

_logger: Final = logging.getLogger(__name__)


def _nothing_due(_now_s: float) -> bool:
    return False


def _has_no_listener(_untrusted: CertificateFault) -> None:
    """Default of ``on_untrusted``: ignore the certificate's fault."""


class TdpDevice(PortDevice[Message]):
    """For one use; the listener gets all but answers to commands, in order, after ``back``.

    A session among many losses must last before it is back: until then commands are refused. ``on_time`` runs
    in the port's thread and returns whether to be called again within 0.05 s, else within a second;
    ``wall_clock`` gives the first id.

    Raises:
        BadSetting: a certificate or key cannot be read.
    """

    def __init__(  # noqa: PLR0913  five of them are for simulations and for who judges the device
        self,
        name: str,
        listener: DeviceListener[Message],
        make_port: Callable[[], Port],
        settings: TdpSettings,
        *,
        on_time: Callable[[float], bool] = _nothing_due,
        on_untrusted: Callable[[CertificateFault], None] = _has_no_listener,
        on_damage: OnDamage = unnoticed,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
        backoff: Backoff | None = None,
    ) -> None:
        super().__init__(name, listener, make_port, on_damage=on_damage, clock=clock, backoff=backoff)
        self._on_time: Final = on_time
        self._on_untrusted: Final = on_untrusted
        context = settings.context()
        self._endpoint: Final = Endpoint(
            Role.HOST, secrets.randbelow(HALF), settings.terms, context, settings.device_name
        )
        self._commands: Final = CommandQueue(name, wall_clock())
        # Reentrant: a command's future may have a callback that gives the next.
        self._queue_guard: Final = threading.RLock()
        self._session = 1
        self._durable: EventKey | None = None
        self._quiet_since_s = 0.0
        self._beat_s = 0.0
        self._is_mute = False
        self._is_held = False
        self._held: list[tuple[Message, float]] = []
        self._certificate: bytes | None = None
        self._reason: DriverError | None = None

    @property
    def peer_certificate(self) -> bytes | None:
        """DER, of the present or last session; ``None``: a plain line. Port thread only."""
        return self._certificate

    def stop(self, timeout_s: float) -> bool:
        ended = super().stop(timeout_s)
        self._abandon(PortLost(self.name, "stopped before the device answered", "Give the command again."))
        return ended

    @property
    def session(self) -> int:
        """It grows at each end of one."""
        with self._queue_guard:
            return self._session

    def send_command(
        self, make: MakeCommand, session: int | None = None, *, is_patient: bool = False
    ) -> "Future[TdpResult]":
        """Send a command once those before it are answered; returns at once, from any thread.

        The future has ``Done``, ``Refused`` or ``NoAnswer``; it fails with ``DriverError`` if the session goes
        before.

        ``session``: it must be sent in this one; ``is_patient``: a busy device is asked again for 10 s, unless
        another command replaces this one. Callbacks run in the port's thread.

        Raises:
            DeviceSilent: no session is ready, or not the wanted one; nothing was sent.
            CommandOutstanding: too many commands wait; nothing was sent.
        """
        with self._queue_guard:
            if not self._endpoint.ready:
                raise DeviceSilent(self.name, "no session with the device, nothing was sent")
            if self._is_held:
                raise DeviceSilent(self.name, "its sessions keep ending, nothing was sent")
            if session not in (None, self._session):
                raise DeviceSilent(self.name, "another session has begun, nothing was sent")
            result = self._commands.submit(make, is_patient=is_patient)
        self.port.wake()
        return result

    def acknowledge(self, key: EventKey, *, at_once: bool = True) -> None:
        """Events up to ``key`` are durable; from any thread; no effect without a session.

        ``at_once`` False: with the next command or ``wake``.
        """
        with self._queue_guard:
            self._durable = key
        if at_once:
            self.port.wake()

    # --- the port's side ---------------------------------------------------------------------------------------------

    def port_opened(self) -> None:
        now_s = self._clock()
        with self._lock:
            self._health.opened(now_s)
        self._quiet_since_s = now_s
        self._reason = None
        self._endpoint.open(now_s)
        self._flush(now_s)

    def bytes_received(self, data: bytes, now_s: float) -> None:
        decoder = self._endpoint.link.decoder
        before = decoder.frames
        events = self._endpoint.receive(data, now_s)
        self._received(data, now_s)
        with self._lock:
            self._health.frames_came(decoder.frames - before)
        # The link's answers first: the other end must not wait for the application.
        self._flush(now_s)
        self._on_endpoint_events(events, now_s)

    def time_passed(self, now_s: float) -> float:
        frames_s = super().time_passed(now_s)
        self._on_endpoint_events(self._endpoint.receive(b"", now_s), now_s)
        with self._queue_guard:
            self._commands.time_passed(now_s)
            self._send_waiting(now_s)
        if self._endpoint.ready and not self._is_mute and now_s - self._beat_s >= MUTE_S:
            self._is_mute, self._back_s = True, NEVER_S
            self._lose(now_s, DeviceSilent(self.name, f"no heartbeat for {MUTE_S:g} s, though its link answers"))
        if not self._endpoint.ready and now_s - self._quiet_since_s >= SILENT_S:
            self._report_lost(self._reason or DeviceSilent(self.name))
        waits = self._on_time(now_s)
        self._flush(now_s)
        return min(frames_s, now_s + LOOK_S if waits else self._due_s(now_s))

    def _due_s(self, now_s: float) -> float:
        with self._queue_guard:
            looks = not self._endpoint.ready or self._commands.waits
        link_s = self._endpoint.next_deadline_s
        due_s = min(NEVER_S if link_s is None else link_s, NEVER_S if self._is_mute else self._beat_s + MUTE_S)
        if looks:
            due_s = min(due_s, now_s + LOOK_S)
        return due_s if due_s > now_s else now_s + LOOK_S

    def _forget(self, error: DriverError) -> list[Garbage]:
        now_s = self._clock()
        self._endpoint.line_lost(now_s)
        garbage = [event for event in self._endpoint.receive(b"", now_s) if isinstance(event, Garbage)]
        self._release_held()
        self._abandon(error)
        return garbage

    def _on_endpoint_events(self, events: list[EndpointEvent], now_s: float) -> None:
        for event in events:
            match event:
                case MessageReceived():
                    self._on_message(event.message, now_s)
                case EndpointReady():
                    self._reason, self._certificate = None, event.peer_certificate
                    self._beat_s, self._is_mute = now_s, False
                    self._come_back(now_s)
                case EndpointLost():
                    self._end(now_s, DeviceSilent(self.name, f"the session ended ({event.reason})"))
                case TlsRejected():
                    self._reason = DeviceMismatch(self.name, f"TLS failed: {event.why}", _CERTIFICATES)
                    self._end(now_s, self._reason)
                    if event.untrusted is not None:
                        self._on_untrusted(event.untrusted)
                case SessionRefused():
                    self._reason = DeviceMismatch(
                        self.name,
                        f"the device refuses every session (reason {event.reason}; it speaks versions "
                        f"{event.lowest} to {event.highest})",
                        "Set `security` as the device is set, or update the older end.",
                    )
                case _:
                    self._skip(event, now_s)

    def _on_message(self, message: Message, now_s: float) -> None:
        if isinstance(message, Done | Refused):
            with self._queue_guard:
                expected = self._commands.on_reply(message, now_s)
                self._send_waiting(now_s)
            with self._lock:
                self._health.reply(expected=expected)
            return
        with self._lock:
            self._health.event_came()
        if isinstance(message, Heartbeat):
            self._beat_s = now_s
            if self._is_mute:
                self._is_mute = False
                self._come_back(now_s)
        if not self._is_held:
            self._listener.message(message, now_s)
            return
        if isinstance(message, Heartbeat):
            self._held = [held for held in self._held if not isinstance(held[0], Heartbeat)]
        self._held.append((message, now_s))
        if len(self._held) > HELD_MAX:
            self._report_back()

    def _send_waiting(self, now_s: float) -> None:
        endpoint = self._endpoint
        if not endpoint.ready:
            return
        key, self._durable = self._durable, None
        if key is not None:
            endpoint.send(EventAcknowledged(key.boot, key.number))
        command = self._commands.to_send(now_s)
        if command is not None:
            endpoint.send(command)

    def _end(self, now_s: float, error: DriverError) -> None:
        self._quiet_since_s = now_s
        self._reason = error
        self._release_held()
        self._abandon(error)
        self._lose(now_s, error)

    def _lose(self, now_s: float, error: DriverError) -> None:
        self._flapping.lost(now_s, reported=not self._down, short=False)
        self._report_lost(error)

    def _come_back(self, now_s: float) -> None:
        if not self._flapping.flaps:
            self._report_back()
            return
        with self._queue_guard:
            self._is_held = True
        self._back_s = now_s + self._flapping.wait_s

    def _report_back(self) -> None:
        held = self._release_held()
        super()._report_back()
        for message, now_s in held:
            self._listener.message(message, now_s)

    def _release_held(self) -> list[tuple[Message, float]]:
        with self._queue_guard:
            self._is_held = False
        held, self._held = self._held, []
        self._back_s = NEVER_S
        return held

    def _abandon(self, error: DriverError) -> None:
        with self._queue_guard:
            self._session += 1
            self._durable = None
            self._commands.abandon(error)

    def _flush(self, now_s: float) -> None:
        data = self._endpoint.bytes_to_send(now_s)
        if data:
            self.port.send(data)


def open_device(port_name: str, settings: Mapping[str, object], listener: DeviceListener[Message]) -> TdpDevice:
    """Not yet started: ``Family.open``."""
    chosen = TdpSettings.from_mapping(settings)
    return TdpDevice(port_name, listener, port_maker(port_name, chosen.line), chosen)
