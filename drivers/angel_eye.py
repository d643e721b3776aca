"""An Angel Eye II-EX shoe behind a port: ``docs/protocols/angel-eye.md``."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Final

from drivers.angel_eye_commands import CommandExchange, CommandResult, Finished, Later, Resend
from drivers.discovery import port_maker
from drivers.errors import CommandOutstanding, DriverError, PortLost
from drivers.port import Port
from drivers.port_device import DeviceListener, OnDamage, PortDevice, unnoticed
from drivers.port_thread import LOOK_S, Backoff
from drivers.serial_port import SerialSettings
from protocols.angel_eye.codec import encode_command
from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.messages import Ack, Command, Nak, ShoeMessage
from protocols.garbage import Garbage

LINE: Final = SerialSettings(baud=4800, bytesize=8, parity="N", stopbits=1)
"""One site ran 9600 baud."""


class AngelEyeDevice(PortDevice[ShoeMessage]):
    """For one use; starting it sends nothing.

    ``on_damage`` receives what is not understood; ``clock`` is monotonic seconds.
    """

    def __init__(
        self,
        name: str,
        listener: DeviceListener[ShoeMessage],
        make_port: Callable[[], Port],
        *,
        on_damage: OnDamage = unnoticed,
        clock: Callable[[], float] = time.monotonic,
        backoff: Backoff | None = None,
    ) -> None:
        super().__init__(name, listener, make_port, on_damage=on_damage, clock=clock, backoff=backoff)
        self._decoder: Final = TelegramDecoder()
        self._exchange: Final = CommandExchange(name)
        self._result: Future[CommandResult] | None = None

    def stop(self, timeout_s: float) -> bool:
        ended = super().stop(timeout_s)
        self._fail_command(PortLost(self.name, "stopped before the shoe answered", "Give the command again."))
        return ended

    def send_command(self, command: Command) -> Future[CommandResult]:
        """Send a command, again if damaged or unanswered; returns at once, from any thread.

        The future has ``Ack``, ``Nak`` or, after three attempts of 0.5 s, ``NoReply``; it fails with ``PortLost``,
        or with ``CommandOutstanding`` if another command replaces this one while a busy shoe is asked again (10 s).
        Callbacks run in the port's thread.

        Raises:
            PortLost: not connected; nothing was sent.
            CommandOutstanding: the previous answer may still come; nothing was sent.
            protocols.errors.EncodeError: the command's number is outside 0 to 99.
        """
        frame = encode_command(command)
        result: Future[CommandResult] = Future()
        result.set_running_or_notify_cancel()
        with self._lock:
            put_off = self._result if self._exchange.is_put_off else None
            self._exchange.begin(frame, self._clock())
            try:
                self.port.send(frame)
            except DriverError:
                self._exchange.abandon()
                raise
            self._result = result
        if put_off is not None:
            put_off.set_exception(
                CommandOutstanding(self.name, "the shoe was busy, and another command took its place", "Give it again.")
            )
        return result

    def bytes_received(self, data: bytes, now_s: float) -> None:
        items = self._decoder.feed(data)
        self._received(data, now_s)
        for item in items:
            if isinstance(item, Garbage):
                self._skip(item, now_s)
            elif isinstance(item, Ack | Nak):
                self._on_reply(item, now_s)
            else:
                with self._lock:
                    self._health.frame(item.raw, now_s)
                self._listener.message(item, now_s)

    def time_passed(self, now_s: float) -> float:
        due_s = super().time_passed(now_s)
        with self._lock:
            step = self._exchange.time_passed(now_s)
            if self._exchange.outstanding:
                due_s = min(due_s, now_s + LOOK_S)
            result = self._taken(step)
        self._go_on(step, result)
        return due_s

    def _forget(self, error: DriverError) -> list[Garbage]:
        self._fail_command(error)
        return self._decoder.reset()

    def _on_reply(self, reply: Ack | Nak, now_s: float) -> None:
        with self._lock:
            step = self._exchange.on_reply(reply, now_s)
            self._health.reply(expected=step is not None)
            result = self._taken(step)
        self._go_on(step, result)

    def _taken(self, step: Resend | Later | Finished | None) -> Future[CommandResult] | None:
        # With the lock held in which the exchange ended: as soon as it is free, another command may begin.
        if not isinstance(step, Finished):
            return None
        result, self._result = self._result, None
        return result

    def _go_on(self, step: Resend | Later | Finished | None, result: Future[CommandResult] | None) -> None:
        if isinstance(step, Resend):
            try:
                self.port.send(step.frame)
            except DriverError as error:  # stopped in this very moment
                self._fail_command(error)
        elif isinstance(step, Finished) and result is not None:
            result.set_result(step.result)

    def _fail_command(self, error: DriverError) -> None:
        with self._lock:
            self._exchange.abandon()
            result, self._result = self._result, None
        if result is not None:
            result.set_exception(error)


def open_device(
    port_name: str, settings: Mapping[str, object], listener: DeviceListener[ShoeMessage]
) -> AngelEyeDevice:
    """Not yet started: ``Family.open``."""
    return AngelEyeDevice(port_name, listener, port_maker(port_name, LINE.changed(settings)))
