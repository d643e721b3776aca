"""A TDP device that deals at once, on a serial port, a process of its own: ``python -m tests.bench.tdp_end PORT``."""

import os
import random
import select
import sys
import time
import tty
from typing import Final

from protocols.tdp.codes import BootReason, Capability, Condition, DeviceState, Face
from protocols.tdp.commands import DeviceCommand, Dispense, EventAcknowledged
from protocols.tdp.endpoint import Endpoint, EndpointReady, MessageReceived
from protocols.tdp.events import CardDrawn, DeviceEvent, PowerRestored
from protocols.tdp.exactly_once import CommandMemory, EventOutbox
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.messages import Done, Heartbeat, Hello, Message, Status
from protocols.tdp.states import Role
from regulations.events.cards import DECK
from tests.bench.settings import STACK, STACK_SEED

BOOT: Final = 1
HEARTBEAT_S: Final = 1.0
EVENTS_AT_ONCE: Final = 16
CONFIDENCE: Final = 99
_CAPABILITIES: Final = (
    Capability.DISPENSES | Capability.READS_CARDS | Capability.COUNTS_CARDS | Capability.LOCKS | Capability.KEEPS_EVENTS
)


class Device:
    """The application at the device's end."""

    def __init__(self) -> None:
        self.endpoint: Final = Endpoint(Role.DEVICE, 41, Terms(security=Security.PLAIN))
        self._outbox: Final = EventOutbox(BOOT)
        self._memory: Final = CommandMemory()
        self._stack: Final = list(DECK) * (STACK // len(DECK))
        random.Random(STACK_SEED).shuffle(self._stack)
        self._count = 0
        self._beat_s = float("inf")
        self._outbox.put(PowerRestored(BOOT, 1, 0, 0, BootReason.POWER_ON))

    @property
    def deadline_s(self) -> float:
        """When to call ``receive`` at the latest."""
        return min(self._beat_s, self.endpoint.next_deadline_s or float("inf"))

    def receive(self, data: bytes, now_s: float) -> bytes:
        """Take bytes; return what goes on the line."""
        for event in self.endpoint.receive(data, now_s):
            if isinstance(event, EndpointReady):
                self._greet(now_s)
            elif isinstance(event, MessageReceived):
                self._hear(event.message)
        if self.endpoint.ready:
            if now_s >= self._beat_s:
                self._beat(now_s)
            for kept in self._outbox.to_send(EVENTS_AT_ONCE):
                self.endpoint.send(kept)
        return self.endpoint.bytes_to_send(now_s)

    def _greet(self, now_s: float) -> None:
        digest = bytes(32)
        self.endpoint.send(
            Hello(1, "bench", "dealer", "1", 1, "1", digest, 0, BOOT, BootReason.POWER_ON, _CAPABILITIES)
        )
        left = len(self._stack)
        self.endpoint.send(Status(DeviceState.LOADED, Condition.LOCKED, 0, left, self._count, 0, 0))
        self._outbox.session_opened()
        for kept in self._outbox.to_send(len(self._outbox.pending)):
            self.endpoint.send(kept)
        self._beat(now_s)

    def _beat(self, now_s: float) -> None:
        self._beat_s = now_s + HEARTBEAT_S
        last = self._outbox.next_key.number - 1
        self.endpoint.send(Heartbeat(int(now_s), BOOT, last, len(self._outbox.pending)))

    def _hear(self, message: Message) -> None:
        if isinstance(message, EventAcknowledged):
            self._outbox.acknowledged(message)
        elif isinstance(message, DeviceCommand):
            answer = self._memory.recall(message)
            if answer is None:
                answer = Done(message.id)
                self._memory.remember(message, answer)
                if isinstance(message, Dispense):
                    self._deal(message.cards)
            self.endpoint.send(answer)

    def _deal(self, cards: int) -> None:
        for _ in range(cards):
            self._count += 1
            number = self._outbox.next_key.number
            event: DeviceEvent = CardDrawn(BOOT, number, self._count, self._stack.pop(), Face.DOWN, CONFIDENCE)
            self._outbox.put(event)


def main() -> None:
    """Deals until it is ended."""
    line = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    tty.setraw(line)
    device = Device()
    device.endpoint.open(time.monotonic())
    poll = select.poll()
    poll.register(line, select.POLLIN)
    while True:
        wait_s = min(device.deadline_s - time.monotonic(), HEARTBEAT_S)
        data = os.read(line, 4096) if poll.poll(max(wait_s, 0.0) * 1000) else b""
        out = device.receive(data, time.monotonic())
        while out:
            out = out[os.write(line, out) :]


if __name__ == "__main__":
    main()
