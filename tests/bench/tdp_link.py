"""The cost of TDP's link, and how it stands errors, in virtual time: ``python -m tests.bench.tdp_link``.

Two whole ends (``Endpoint``, plain) over a line of 115200 baud that delays by 2 ms (``tests/protocols/tdp/lines.py``).
The table needs 1.5 ms to make an event durable and 0.3 ms more for the next permit, which it gives apart, as the
product does.
"""

import random
import statistics
from pathlib import Path
from typing import Any, Final

import protocols.tdp
from protocols.tdp.codes import BootReason, Capability, Condition, DeviceState, Face
from protocols.tdp.commands import EventAcknowledged, Unlock
from protocols.tdp.endpoint import Endpoint, MessageReceived
from protocols.tdp.events import CardDrawn
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.messages import Done, Heartbeat, Hello, Message, Status
from protocols.tdp.states import Role
from tests.protocols.tdp.lines import Ends, Faults, Line

HOST, DEVICE = 0, 1
SEED: Final = 20261123
DURABLE_S: Final = 0.0015
"""From an event to its journal's commit (``docs/benchmarks.md``)."""
PERMIT_S: Final = 0.0003
"""From the commit to the next permit."""
CARD_S: Final = 1.0
"""At most one card a second."""
QUIET_S: Final = 0.3
"""After a card nothing more belongs to it: no keep-alive comes before."""
BULK_BYTES: Final = 200_000
ERRORS: Final = 1e-3
"""Bytes that are changed, of all."""
LINK: Final = ("framing", "channel", "timing", "handshake", "states", "link")
"""The modules of ``protocols.tdp`` that are the link."""


class Meter(Line):
    """A line that counts what is put on it, and lets each frame arrive when its last byte has."""

    spent = 0

    def write(self, to: int, data: bytes, now_s: float) -> None:
        self.spent += len(data)
        for frame in data.split(b"\0\0"):
            super().write(to, b"\0" + frame.strip(b"\0") + b"\0" if frame else b"", now_s)


class Bench:
    """A shoe whose cards are drawn by hand, and a table that lets one out at a time."""

    def __init__(self, faults: Faults) -> None:
        self.line: Final = Meter(random.Random(SEED), faults)
        plain = Terms(security=Security.PLAIN)
        self.ends: Final[Ends[Endpoint]] = Ends(
            self.line, [Endpoint(Role.HOST, 7, plain), Endpoint(Role.DEVICE, 40, plain)]
        )
        self.held = 0
        self.due: list[tuple[float, int, Message]] = []
        self.drawn_s: float | None = None
        self.took_s: list[float] = []
        self.cards = 0
        self.ends.open()
        while not all(end.ready for end in self.ends.links):
            self.step(10.0)

    @property
    def now_s(self) -> float:
        return self.ends.now_s

    def step(self, until_s: float) -> None:
        """Go to the next thing that happens at an end, on the line, or in the table."""
        self.ends.step(min([until_s, *(due_s for due_s, _, _ in self.due)]))
        for end in (HOST, DEVICE):
            self.held = max(self.held, held(self.ends.links[end]))
            happened = list(self.ends.events[end])
            self.ends.events[end].clear()
            for event in happened:
                if isinstance(event, MessageReceived):
                    self.take(end, event.message)
        ripe = sorted(one for one in self.due if one[0] <= self.now_s)
        self.due = [one for one in self.due if one[0] > self.now_s]
        for _, end, message in ripe:
            self.say(end, message)

    def say(self, end: int, *messages: Message) -> None:
        for message in messages:
            self.ends.links[end].send(message)
        self.ends.flush()

    def take(self, end: int, message: Message) -> None:
        match message:
            case CardDrawn():
                self.due.append((self.now_s + DURABLE_S, HOST, EventAcknowledged(message.boot, message.number)))
                self.due.append((self.now_s + DURABLE_S + PERMIT_S, HOST, Unlock(message.number + 1, 1, 4106)))
            case Unlock():
                if self.drawn_s is not None:
                    self.took_s.append(self.now_s - self.drawn_s)
                    self.drawn_s = None
                self.say(end, Done(message.id))
            case _:
                pass

    def draw(self) -> None:
        """Draw a card; the status changes with it."""
        self.cards += 1
        self.drawn_s = self.now_s
        card = CardDrawn(1, self.cards, self.cards % 65536, "8S", Face.DOWN, 99, 4106)
        status = Status(DeviceState.LOADED, Condition.LOCKED, 0, 400, self.cards % 65536, 0, 0)
        self.say(DEVICE, card, status)

    def run(self, until_s: float) -> None:
        while self.now_s < until_s:
            self.step(until_s)


def held(endpoint: Endpoint) -> int:
    """Bytes of frames that an end keeps for the link, both directions: under way, and come too early."""
    channel: Any = endpoint.link._channel  # noqa: SLF001  of each revision what it has
    frames = [*channel._in_flight, *getattr(channel, "_early", {}).values()]  # noqa: SLF001  as above
    return sum(len(frame if isinstance(frame, bytes) else frame.payload) for frame in frames)


def code_lines() -> dict[str, int]:
    """Lines of each module of the link that are neither empty nor text."""
    folder = Path(protocols.tdp.__file__).parent
    lines = {}
    for name in LINK:
        code, in_text = 0, False
        for raw in (folder / f"{name}.py").read_text(encoding="utf-8").splitlines():
            line = raw.strip()
            quotes = line.count('"""')
            is_text = in_text or line.startswith('"""')
            in_text ^= quotes == 1
            code += bool(line) and not is_text and not line.startswith("#")
        lines[name] = code
    return lines


def cards(count: int, errors: float) -> dict[str, float]:
    """Draw cards, one a second, and count what each needs until its permit is answered."""
    bench = Bench(Faults(byte_changed=errors))
    bench.run(bench.now_s + 1.0)
    frames = spent = 0
    for _ in range(count):
        begin_s = bench.now_s
        before = bench.line.frames, bench.line.spent
        bench.draw()
        bench.run(begin_s + QUIET_S)
        frames += bench.line.frames - before[0]
        spent += bench.line.spent - before[1]
        while bench.drawn_s is not None:
            bench.step(begin_s + 60)
        bench.run(max(begin_s + CARD_S, bench.now_s))
    took = sorted(1000 * one for one in bench.took_s)
    return {
        "frames": frames / count,
        "bytes": spent / count,
        "ms_median": statistics.median(took),
        "ms_p99": took[int(0.99 * len(took))],
        "ms_max": took[-1],
    }


def bulk(errors: float) -> dict[str, float]:
    """Send many messages from the device at once, as after a long time without a host."""
    bench = Bench(Faults(byte_changed=errors))
    device = bench.ends.links[DEVICE]
    message = Hello(1, "Bench", "Bench", "1", 1, "1", bytes(32), 0, 1, BootReason.POWER_ON, Capability.DISPENSES)
    begin_s, sent = bench.now_s, 0
    while sent < BULK_BYTES or device.backlog:
        while sent < BULK_BYTES and device.backlog < 2048:
            device.send(message)
            sent += 147
        bench.ends.flush()
        bench.step(bench.now_s + 1)
    return {"bytes_per_s": sent / (bench.now_s - begin_s), "held": bench.held}


def idle() -> float:
    """Bytes a second while nothing happens but a heartbeat each second."""
    bench = Bench(Faults())
    before, begin_s = bench.line.spent, bench.now_s
    for second in range(60):
        bench.say(DEVICE, Heartbeat(second, 1, 1, 0))
        bench.run(begin_s + second + 1)
    return (bench.line.spent - before) / 60


def main() -> None:
    """Print a figure a line."""
    lines = code_lines()
    print("lines of code", sum(lines.values()), lines)
    page = Path(protocols.tdp.__file__).parents[2] / "docs/protocols/tdp.md"
    text = page.read_text(encoding="utf-8")
    print(f"page {len(text.splitlines())} lines, {len(text.split())} words")
    for errors, count in ((0.0, 100), (ERRORS, 3000)):
        for name, value in cards(count, errors).items():
            print(f"card at {errors:g}: {name} {value:.1f}")
        for name, value in bulk(errors).items():
            print(f"bulk at {errors:g}: {name} {value:.0f}")
    print(f"idle bytes_per_s {idle():.1f}")


if __name__ == "__main__":
    main()
