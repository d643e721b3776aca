"""A device's identity and attestation over TDP."""

import threading
import time
from collections.abc import Mapping
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as FutureTimeout
from types import TracebackType
from typing import Final, Self

from drivers.discovery import port_maker
from drivers.errors import CommandOutstanding, DeviceMismatch, DriverError
from drivers.tdp import TdpDevice
from drivers.tdp_commands import NoAnswer
from drivers.tdp_settings import TdpSettings
from firmware_bridge.trust.facts import DeviceEvidence
from firmware_bridge.update.codes import UpdateCode
from firmware_bridge.update.errors import DeviceFailure
from protocols.tdp.commands import Attest
from protocols.tdp.messages import Attestation, Hello, Message

PATIENCE_S: Final = 60.0
"""Longest restart, seconds: start, watchdog, start."""
START_S: Final = 10.0
"""Then a device that has not restarted is asked all the same."""
_ANSWER_S: Final = 10.0
_AGAIN_S: Final = 0.1
_STOP_S: Final = 2.0


class TdpAttester:
    """In a ``with`` block, while its table is closed: a port has one owner.

    Raises:
        BadSetting: an unknown key, an impossible value, or an unreadable certificate.
    """

    def __init__(self, port_name: str, settings: Mapping[str, object], patience_s: float = PATIENCE_S) -> None:
        chosen = TdpSettings.from_mapping(settings)
        self._patience_s: Final = patience_s
        self._changed: Final = threading.Condition()
        self._hello: Hello | None = None
        """``None``: no session is open."""
        self._gone_boot: int | None = None
        self._gone_until_s = 0.0
        self._told: dict[int, Attestation] = {}
        self._why: DriverError | None = None
        self._device: Final = TdpDevice(port_name, self, port_maker(port_name, chosen.line), chosen)

    def __enter__(self) -> Self:
        self._device.port.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._device.stop(_STOP_S)

    def attest(self, nonce: bytes) -> DeviceEvidence:
        """Ask the device for an attestation now; see ``Attester``."""
        until_s = time.monotonic() + self._patience_s
        while True:
            hello = self._wait(until_s)
            ids: list[int] = []

            def make(number: int, ids: list[int] = ids) -> Attest:
                ids.append(number)
                return Attest(number, nonce)

            try:
                result = self._device.send_command(make).result(timeout=_ANSWER_S)
            except (DriverError, CommandOutstanding, FutureTimeout, CancelledError):
                result = NoAnswer("the session went", is_lost=True)
            with self._changed:
                stands = self._hello is hello
                told = self._told.pop(ids[0], None) if ids else None
                if stands and not isinstance(result, NoAnswer):
                    certificate = self._device.peer_certificate
                    return DeviceEvidence(certificate=certificate, hello=hello, nonce=nonce, attestation=told)
                self._changed.wait(_AGAIN_S)
            if time.monotonic() >= until_s:
                raise DeviceFailure(UpdateCode.DEVICE_SILENT, f"{self._device.name}: no attestation in time")

    def expect_start(self) -> None:
        with self._changed:
            if self._hello is not None:
                self._gone_boot = self._hello.boot_count
                self._gone_until_s = time.monotonic() + START_S

    def _wait(self, until_s: float) -> Hello:
        with self._changed:
            if self._gone_boot is not None:
                self._changed.wait_for(self._has_started, timeout=max(0.0, self._gone_until_s - time.monotonic()))
                self._gone_boot = None
            self._changed.wait_for(lambda: self._hello is not None, timeout=max(0.0, until_s - time.monotonic()))
            if self._hello is None:
                why = self._why.problem if self._why is not None else "no session"
                is_strange = isinstance(self._why, DeviceMismatch)
                code = UpdateCode.DEVICE_STRANGE if is_strange else UpdateCode.DEVICE_SILENT
                raise DeviceFailure(code, f"{self._device.name}: {why}")
            return self._hello

    def _has_started(self) -> bool:
        return self._hello is not None and self._hello.boot_count != self._gone_boot

    # --- the driver's side: the port's thread -------------------------------------------------------------------------

    def message(self, message: Message, now_s: float) -> None:  # noqa: ARG002  # of a listener
        with self._changed:
            if isinstance(message, Hello):
                self._hello = message
                self._changed.notify_all()
            elif isinstance(message, Attestation):
                self._told[message.id] = message

    def lost(self, error: DriverError) -> None:
        """Record that no session stands."""
        with self._changed:
            self._hello, self._why = None, error
            self._told.clear()

    def back(self) -> None:
        """Record that another session stands; who it is with, its ``Hello`` says."""
        with self._changed:
            self._hello, self._why = None, None
