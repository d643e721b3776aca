"""Recorded messages of a TDP device, sent again through a session of their own."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec

from protocols.garbage import Garbage
from protocols.tdp.commands import DeviceCommand
from protocols.tdp.endpoint import Endpoint, EndpointReady, MessageReceived
from protocols.tdp.framing import SEQUENCES, Frame, FrameDecoder, FrameKind
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.messages import Done, Heartbeat, Hello, Message, Refused, Status
from protocols.tdp.reader import MessageReader
from protocols.tdp.states import Role
from sim.clock import Clock, Timer
from sim.replayed import BadRecording, RecordedBytes, RecordedDevice
from sim.wires.wire import Sink

_TLS_HANDSHAKE: Final = 0x16
_TOKEN: Final = 41
_BEAT_S: Final = 1.0
"""Seconds between signs of life (docs/protocols/tdp.md, section 8)."""


class _Step(msgspec.Struct, frozen=True):
    t_s: float
    message: Message | None
    """``None``: the host sends a command."""


class _MessageStream:
    def __init__(self) -> None:
        self._frames = FrameDecoder()
        self._session = -1
        self._expected = 0
        self._reader = MessageReader()

    def feed(self, data: bytes) -> list[Message]:
        found: list[Message] = []
        for frame in self._frames.feed(data):
            if isinstance(frame, Frame) and frame.kind is FrameKind.DATA:
                found += self._data(frame)
        return found

    def _data(self, frame: Frame) -> list[Message]:
        if frame.session != self._session:
            self._session, self._expected, self._reader = frame.session, frame.sequence, MessageReader()
            if frame.payload[:1] == bytes([_TLS_HANDSHAKE]):
                raise BadRecording("its session is under TLS, so its messages cannot be read: record a plain session")
        if frame.sequence != self._expected:
            return []  # sent again
        self._expected = (self._expected + 1) % SEQUENCES
        return [item for item in self._reader.feed(frame.payload) if not isinstance(item, Garbage)]


class ReplayedMessages(RecordedDevice):
    """A recorded command is awaited; the host's gets the next recorded answer."""

    def __init__(self, steps: Sequence[_Step], clock: Clock, send: Sink) -> None:
        self._steps: Final = deque(step for step in steps if not isinstance(step.message, Done | Refused))
        self._answers: Final = deque(step.message for step in steps if isinstance(step.message, Done | Refused))
        self._greeting: dict[type[Message], Message] = {}
        self._clock: Final = clock
        self._send: Final = send
        self._endpoint: Final = Endpoint(Role.DEVICE, _TOKEN, Terms(security=Security.PLAIN))
        self._before_s = steps[0].t_s
        self._beat: Heartbeat | None = None
        self._timer: Timer | None = None
        self._deadline: Timer | None = None
        self._credit = 0
        self._started = False
        self.awaits_host = False
        self.settings = {"security": "plain"}

    @property
    def left(self) -> int:
        return len(self._steps)

    def power_on(self) -> None:
        self._endpoint.open(self._clock.now_s())
        self._flush()

    def start(self) -> None:
        """Begin at the first step, once there is a session. Idempotent."""
        self._started = True
        self._advance()
        self._flush()

    def receive(self, data: bytes) -> None:
        for event in self._endpoint.receive(data, self._clock.now_s()):
            if isinstance(event, EndpointReady):
                self._greet()
            elif isinstance(event, MessageReceived) and isinstance(event.message, DeviceCommand):
                answer = self._answers.popleft() if self._answers else Done(event.message.id)
                self._endpoint.send(msgspec.structs.replace(answer, id=event.message.id))
                self._credit += 1
        self._advance()
        self._flush()

    def _greet(self) -> None:
        for message in self._greeting.values():
            self._endpoint.send(message)

    def _advance(self) -> None:
        while self._started and self._steps and self._timer is None and self._endpoint.ready:
            step = self._steps[0]
            if step.message is not None:
                gap_s = max(step.t_s - self._before_s, 0.0)
                self._timer = self._clock.call_later(gap_s, self._send_next)
                return
            self.awaits_host = not self._credit
            if self.awaits_host:
                return
            self._credit -= 1
            self._before_s = self._steps.popleft().t_s

        if self._timer is None and not self._steps and self._beat is not None and self._endpoint.ready:
            self._timer = self._clock.call_later(_BEAT_S, self._send_beat)

    def _send_beat(self) -> None:
        self._timer = None
        if self._beat is not None and self._endpoint.ready:
            self._beat = replace(self._beat, uptime_s=self._beat.uptime_s + 1)
            self._endpoint.send(self._beat)
        self._advance()
        self._flush()

    def _send_next(self) -> None:
        self._timer = None
        if not self._endpoint.ready:
            return  # the next session goes on from here
        step = self._steps.popleft()
        self._before_s = step.t_s
        if step.message is not None:
            if isinstance(step.message, Hello | Status):
                self._greeting[type(step.message)] = step.message
            elif isinstance(step.message, Heartbeat):
                self._beat = step.message
            self._endpoint.send(step.message)
        self._advance()
        self._flush()

    def _flush(self) -> None:
        data = self._endpoint.bytes_to_send(self._clock.now_s())
        if data:
            self._send(data)
        if self._deadline is not None:
            self._deadline.cancel()
        at_s = self._endpoint.next_deadline_s
        self._deadline = None if at_s is None else self._clock.call_at(at_s, lambda: self.receive(b""))


def replay_messages(recorded: Sequence[RecordedBytes], clock: Clock, send: Sink) -> RecordedDevice:
    streams = {"device": _MessageStream(), "host": _MessageStream()}
    steps: list[_Step] = []
    for one in recorded:
        for message in streams[one.sender].feed(one.data):
            if one.sender == "device":
                steps.append(_Step(one.t_s, message))
            elif isinstance(message, DeviceCommand):
                steps.append(_Step(one.t_s, None))
    if not any(step.message for step in steps):
        raise BadRecording("it holds no message of a device")
    return ReplayedMessages(steps, clock, send)
