"""A recorded line as a device: its bytes at the recorded times."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol

from regulations.events.cards import Card
from sim.clock import Clock
from sim.control_lines import ControlCommand, ControlLines, ControlResult, none
from sim.croupier_actions import CroupierActions
from sim.draws import Draw, ShoeMisuse
from sim.felt import CardTable
from sim.wires.wire import Sink, Wire


class RecordedBytes(NamedTuple):
    t_s: float
    sender: Literal["device", "host"]
    data: bytes


class BadRecording(ValueError):
    """The text says why and what to do."""


class RecordedDevice(Protocol):
    """``awaits_host``: the next step waits for bytes of the host."""

    awaits_host: bool
    settings: Mapping[str, object]

    @property
    def left(self) -> int:
        """Steps still to come."""

    def power_on(self) -> None:
        """Be there for the host."""

    def start(self) -> None:
        """Begin at the first step."""

    def receive(self, data: bytes) -> None:
        """Bytes of the host."""


Replaying = Callable[[Sequence[RecordedBytes], Clock, Sink], RecordedDevice]
"""It raises ``BadRecording``."""


class ReplayedBytes(RecordedDevice):
    """A recorded write of the host is awaited, by its number of bytes."""

    def __init__(self, recorded: Sequence[RecordedBytes], clock: Clock, send: Sink) -> None:
        self._steps: Final = deque(recorded)
        self._clock: Final = clock
        self._send: Final = send
        self._before_s = recorded[0].t_s if recorded else 0.0
        self._credit = 0
        self._started = False
        self.awaits_host = False
        self.settings = {}

    @property
    def left(self) -> int:
        return len(self._steps)

    def power_on(self) -> None:
        """Nothing is sent before `start`."""

    def start(self) -> None:
        if not self._started:
            self._started = True
            self._go_on()

    def _go_on(self) -> None:
        while self._steps and not self.awaits_host:
            step = self._steps[0]
            if step.sender == "device":
                gap_s = max(step.t_s - self._before_s, 0.0)
                self._clock.call_later(gap_s, self._send_next)
                return
            self.awaits_host = True
            self._take_credit()

    def receive(self, data: bytes) -> None:
        self._credit += len(data)
        if self.awaits_host:
            self._take_credit()
            self._go_on()

    def _take_credit(self) -> None:
        step = self._steps[0]
        if self._credit >= len(step.data):
            self._credit -= len(step.data)
            self._before_s = self._steps.popleft().t_s
            self.awaits_host = False

    def _send_next(self) -> None:
        step = self._steps.popleft()
        self._before_s = step.t_s
        self._send(step.data)
        self._go_on()


def replay_bytes(recorded: Sequence[RecordedBytes], clock: Clock, send: Sink) -> RecordedDevice:
    if not any(step.sender == "device" for step in recorded):
        raise BadRecording("it holds no byte of a device")
    return ReplayedBytes(recorded, clock, send)


class RecordedShoe:
    cards: tuple[Card, ...] = ()
    cards_left = 0

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        raise ShoeMisuse(f"a recording takes no {len(cards)} cards, cut card behind {cut_card_behind}")

    def unload(self) -> list[Card]:
        return []

    def draw(self) -> Draw:
        return Draw()


class ReplayActions(CroupierActions[RecordedShoe]):
    def __init__(self, replay: RecordedDevice) -> None:
        super().__init__(RecordedShoe(), CardTable(1))
        self._replay: Final = replay

    def make_ready(self) -> None:
        self._replay.power_on()


class ReplayControl(ControlLines[Any]):
    def __init__(self, replay: RecordedDevice, wire: Wire) -> None:
        super().__init__(ReplayActions(replay), wire, 0)
        self._replay: Final = replay
        self._commands = {
            "start": ControlCommand("start", "begin to replay", self._start),
            "unplug": ControlCommand("unplug", "pull the cable", self._unplug),
            "replug": ControlCommand("replug", "put the cable in again", self._replug),
            "status": ControlCommand("status", "show what is still to come", self._status),
            "help": ControlCommand("help", "list the commands", self._help),
        }

    def _start(self, arguments: Sequence[str]) -> str:
        none(arguments)
        self._replay.start()
        return "started"

    def state(self) -> dict[str, object]:
        return super().state() | {"left": self._replay.left, "awaits_host": self._replay.awaits_host}

    def _status(self, arguments: Sequence[str]) -> ControlResult:
        none(arguments)
        waits = ", awaits the host" if self._replay.awaits_host else ""
        plugged = "plugged in" if self._wire.is_plugged else "unplugged"
        return ControlResult(f"{self._replay.left} steps left{waits}; {plugged}", self.state())
