"""The whole device without its line: power, link, TLS and application put together. Time is an argument."""

import random
import ssl

from tests.second_device.device import Device
from tests.second_device.framing import PAYLOAD_MAX
from tests.second_device.link import DeviceLink
from tests.second_device.messages import ImpossibleLengthError, MessageReader
from tests.second_device.outbox import Outbox
from tests.second_device.session import WINDOW_MAX, Arrived, Happening, Security, Stands
from tests.second_device.tls import Tls

POWER_ON = 1
"""Boot reason."""
FAST = 115200
"""Bits per second from which on a line carries the largest window in 0.1 s."""
AROUND = 13
"""Bytes of a frame besides its payload, delimiters included."""


class Station:
    """A device that can be switched on and off; it starts off.

    Args:
        context: for TLS; None: plain.
        baud: of its line; below 115200 it takes a smaller window, and then less payload.
    """

    def __init__(
        self, outbox: Outbox, rng: random.Random, context: ssl.SSLContext | None = None, baud: int = FAST
    ) -> None:
        self._context = context
        room = min(baud, FAST) // 100
        self._window = max(1, min(WINDOW_MAX, room // (PAYLOAD_MAX + AROUND)))
        self._payload = min(PAYLOAD_MAX, room - AROUND)  # less with a window of 1 only
        self._tls: Tls | None = None
        self._make_tls: type[Tls] = Tls
        self._reader = MessageReader()
        self._link: DeviceLink | None = None
        self.outbox = outbox
        self.device = Device(outbox, rng)

    @property
    def has_power(self) -> bool:
        return self._link is not None

    @property
    def link(self) -> DeviceLink:
        """The link; only while there is power."""
        assert self._link is not None
        return self._link

    @property
    def due_s(self) -> float | None:
        """When `tick` wants to be called."""
        if self._link is None:
            return None
        return min((time for time in (self._link.due_s, self.device.due_s) if time is not None), default=None)

    def power_on(self, now_s: float) -> None:
        self._link = DeviceLink(
            Security.PLAIN if self._context is None else Security.TLS,
            number=self.outbox.memory.boot % 0xFF + 1,  # without a source of chance
            window=self._window,
            payload=self._payload,
        )
        self._link.open()
        self.device.power_on(now_s, POWER_ON)

    def power_off(self) -> None:
        self._link = None
        self._tls = None
        self.device.power_off()

    def receive(self, data: bytes, now_s: float) -> None:
        """Take one batch of bytes from the line; without power they are lost."""
        if self._link is not None:
            self._link.receive(data, now_s)
            self._go_on(now_s)

    def line_lost(self, now_s: float) -> None:
        if self._link is not None:
            self._link.line_lost()
            self._go_on(now_s)

    def tick(self, now_s: float) -> None:
        """Do what is due, and send what a hand has caused."""
        if self._link is not None:
            self._link.tick(now_s)
            self.device.tick(now_s)
            self._go_on(now_s)

    def take_line(self) -> bytes:
        """Bytes to be written to the line."""
        return b"" if self._link is None else self._link.take_line()

    def _go_on(self, now_s: float) -> None:
        while happened := self.link.take_happened():
            try:
                for happening in happened:
                    self._happening(happening, now_s)
            except (ImpossibleLengthError, ssl.SSLError):
                self._flush_tls(now_s)  # the alert that says why
                self.link.close()
                self.link.open()
        out = self.device.take_out()
        if self._tls is None:
            self.link.write(out, now_s)
        else:
            if out:
                self._tls.write(out)
            self._flush_tls(now_s)

    def _happening(self, happening: Happening, now_s: float) -> None:
        if isinstance(happening, Stands):
            self._reader = MessageReader()
            self._tls = None if self._context is None else self._make_tls(self._context, is_server=True)
            if self._tls is None:
                self.device.session_began(now_s)
        elif isinstance(happening, Arrived):
            self._arrived(happening.data, now_s)
        else:
            self._tls = None
            self.device.session_ended()

    def _arrived(self, data: bytes, now_s: float) -> None:
        if self._tls is not None:
            was_up = self._tls.is_up
            data = self._tls.receive(data)
            if self._tls.is_up and not was_up:
                self.device.session_began(now_s)
        for body in self._reader.feed(data):
            self.device.message(body, now_s)

    def _flush_tls(self, now_s: float) -> None:
        if self._tls is not None:
            self.link.write(self._tls.take(), now_s)
