"""A USPC Bee-Tek shoe behind a port (``docs/protocols/bee-tek.md``); nothing is sent to it."""

import time
from collections.abc import Callable, Mapping
from typing import Final

from drivers.discovery import port_maker
from drivers.errors import DriverError
from drivers.port import Port
from drivers.port_device import DeviceListener, OnDamage, PortDevice, unnoticed
from drivers.port_thread import NEVER_S, Backoff
from drivers.serial_port import SerialSettings
from protocols.bee_tek.decoder import LineDecoder
from protocols.bee_tek.messages import BeeTekMessage
from protocols.garbage import Garbage

LINE: Final = SerialSettings(baud=9600, bytesize=8, parity="N", stopbits=1)

SILENCE_S: Final = 0.2
"""It completes a frame without line end: 200 bytes at 9600 baud."""


class BeeTekDevice(PortDevice[BeeTekMessage]):
    """For one use; ``clock`` is monotonic seconds.

    ``on_damage`` receives, in the port's thread, runs that may be part of a line: nothing else shows a loss.
    """

    def __init__(
        self,
        name: str,
        listener: DeviceListener[BeeTekMessage],
        make_port: Callable[[], Port],
        *,
        on_damage: OnDamage = unnoticed,
        clock: Callable[[], float] = time.monotonic,
        backoff: Backoff | None = None,
    ) -> None:
        super().__init__(name, listener, make_port, on_damage=on_damage, clock=clock, backoff=backoff)
        self._decoder: Final = LineDecoder()
        self._silent_at_s = NEVER_S

    def bytes_received(self, data: bytes, now_s: float) -> None:
        before = self._decoder.filling
        items = self._decoder.feed(data)
        self._silent_at_s = now_s + SILENCE_S
        self._received(data, now_s, filling=min(self._decoder.filling - before, len(data)))
        self._pass_on(items, now_s)

    def time_passed(self, now_s: float) -> float:
        if now_s >= self._silent_at_s:
            self._silent_at_s = NEVER_S
            self._pass_on(self._decoder.silence(), now_s)
        return min(super().time_passed(now_s), self._silent_at_s)

    def _pass_on(self, items: list[BeeTekMessage | Garbage], now_s: float) -> None:
        for item in items:
            if isinstance(item, Garbage):
                self._count_garbage(item)
                if item.reason != "noise":
                    self._on_damage(item, now_s)
            else:
                with self._lock:
                    self._health.frame(item.raw, now_s, sends_copies=False)
                self._listener.message(item, now_s)

    def _forget(self, error: DriverError) -> list[Garbage]:  # noqa: ARG002  # half a line is lost, whatever the reason
        return self._decoder.reset()


def open_device(
    port_name: str, settings: Mapping[str, object], listener: DeviceListener[BeeTekMessage]
) -> BeeTekDevice:
    """Not yet started: ``Family.open``."""
    return BeeTekDevice(port_name, listener, port_maker(port_name, LINE.changed(settings)))
