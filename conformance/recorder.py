"""The common part of the rigs of devices that speak by themselves."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from conformance import manual_steps
from conformance.bench import Bench
from conformance.check_result import CheckSkipped
from conformance.manual_steps import ManualStep, StepResult
from drivers.errors import PortLost
from protocols.garbage import Garbage

ItemT = TypeVar("ItemT")
ItemT_co = TypeVar("ItemT_co", covariant=True)

QUIET_S: Final = 0.4

EVENT_S: Final = 5.0

BACK_S: Final = 10.0


class MessageDecoder(Protocol[ItemT_co]):
    def feed(self, data: bytes) -> Sequence[ItemT_co | Garbage]:
        """Take bytes; return what they completed."""

    def reset(self) -> list[Garbage]:
        """Give out the beginning of a message."""


class TimedMessage(NamedTuple, Generic[ItemT]):
    at_s: float
    item: ItemT


class MessageRecorder(Generic[ItemT]):
    def __init__(self, bench: Bench, make_decoder: Callable[[], MessageDecoder[ItemT]]) -> None:
        self.bench: Final = bench
        self._make_decoder: Final = make_decoder
        self._decoder = make_decoder()
        self._loaded = False
        self.said: list[TimedMessage[ItemT]] = []
        self.garbage: list[Garbage] = []
        self.raw = bytearray()

    def begin(self) -> None:
        self.listen_until_quiet()
        self.forget()

    def end(self) -> None:
        """Nothing to tidy: the device speaks by itself."""

    def identity(self) -> dict[str, str]:
        """Nothing: such a device does not say who it is."""
        return {}

    def forget(self) -> None:
        """Forget all that has come so far."""
        self._decoder = self._make_decoder()
        self.said = []
        self.garbage = []
        self.raw = bytearray()

    def listen(self, duration_s: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Listen for so many seconds, or until a condition holds; return whether it holds."""
        end_s = self.bench.now_s() + duration_s
        while not until():
            if self.bench.now_s() >= end_s:
                return False
            self._receive(self.bench.read(end_s))
        return True

    def listen_until_quiet(self, quiet_s: float = QUIET_S, limit_s: float = 30.0) -> None:
        end_s = self.bench.now_s() + limit_s
        while self.bench.now_s() < end_s:
            before = len(self.raw)
            self.listen(quiet_s, lambda: len(self.raw) > before)  # noqa: B023  called within this turn
            if len(self.raw) == before:
                return

    def attempt(self, act: ManualStep) -> StepResult:
        """Have something tried, and listen to what the device says of it."""
        before = len(self.raw)
        answer = self.bench.attempt(act, self.listen)
        self.listen(EVENT_S if answer.done else QUIET_S, lambda: len(self.raw) > before)
        self.listen_until_quiet()
        return answer

    def act(self, act: ManualStep) -> StepResult:
        """As ``attempt``, but it must succeed."""
        answer = self.attempt(act)
        if not answer.done:
            raise CheckSkipped(f"{act.line!r} could not be done: {answer.text}")
        return answer

    def stocked(self) -> None:
        """Load the shoe, the first time that cards are needed."""
        if not self._loaded:
            self.bench.act(manual_steps.LOAD, self.listen)
            self._loaded = True
        self.listen_until_quiet()
        self.forget()

    def restarted(self, act: ManualStep) -> None:
        """Interrupt power or cable, and reopen the port if it was lost."""
        self.bench.act(act, self.bench.pause)
        try:
            self.listen(0.0)
            self.listen(QUIET_S)
        except PortLost:
            self.bench.reopen(BACK_S)

    def of(self, kind: type[Any]) -> list[TimedMessage[ItemT]]:
        """The messages of a kind since the check began."""
        return [said for said in self.said if isinstance(said.item, kind)]

    def _receive(self, data: bytes) -> None:
        if not data:
            return
        now_s = self.bench.now_s()
        self.raw += data
        for item in self._decoder.feed(data):
            if isinstance(item, Garbage):
                self.garbage.append(item)
                self.bench.health.garbage(len(item.raw))
            else:
                self.said.append(TimedMessage(now_s, item))
                self.took(item, now_s)

    def took(self, item: ItemT, now_s: float) -> None:
        """Count a message."""
