"""The shoe in C among everything that can happen, in any order: hands, commands, a bad line, strangers, power."""

import random
import re
from collections import Counter
from pathlib import Path
from typing import Final

from tests.kit.length import at_length
from tests.reference_shoe.building import built, needs_compiler
from tests.reference_shoe.given_time import GivenTime
from tests.reference_shoe.hosts import frame
from tests.reference_shoe.table import Table
from tests.second_device.messages import Message, Type

pytestmark = needs_compiler

STORMS: Final = at_length(4, 400)
ACTS: Final = 120
"""Of a storm: so few that the outbox never fills, where events that are no cards may be dropped (rule D7)."""
CALM_MS: Final = 6000
"""The line's own times, three times over."""
LOGS: Final = 3
CONDITIONS: Final = {"locked": 1, "cover": 2, "fault": 4, "full": 8, "cut card": 16}

DREW: Final = re.compile(r"ok: drew ([2-9TJQKA])([SHDC])")
LOADED: Final = re.compile(r"ok: loaded cards: (\d+)")


class BadWire:
    """Loses, changes, repeats and cuts what passes, until it is repaired."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._before: list[bytes] = []
        self.damage = 0.0

    def __call__(self, data: bytes) -> list[bytes]:
        if not data or not self.damage:
            return [data] if data else []
        rng = self._rng
        self._before = [*self._before[-20:], data]
        found = bytearray(rng.choice(self._before) if rng.random() < self.damage else data)
        for _ in range(sum(rng.random() < self.damage for _ in range(4))):
            at = rng.randrange(len(found) + 1)
            found[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
        cut = rng.randrange(len(found) + 1)
        reads = [bytes(found[:cut]), bytes(found[cut:])]
        return [read for read in reads if read and rng.random() >= self.damage / 2]


class Storm:
    """A shoe, its host, and the truth: what hands did to the cards.

    Args:
        memory: the file of the shoe's memory.
    """

    def __init__(self, rng: random.Random, memory: Path) -> None:
        self._rng = rng
        self._memory = memory
        self._wires = (BadWire(rng), BadWire(rng))
        self.table = Table(*self._wires)
        self.truth: list[tuple[str, int]] = []
        self.unlocked: dict[int, int] = {}
        self.roots: dict[int, list[tuple[int, int]]] = {log: [] for log in range(LOGS)}
        self._stack = 0
        self._is_covered = False
        self.process = self._start()
        self.hand("load")

    def _start(self) -> GivenTime:
        return GivenTime(built("posix") / "shoe", "--given-time", "--seed", "1", "--keep", self._memory)

    def act(self) -> None:
        """Let one thing happen, and then some time pass."""
        rng = self._rng
        act = rng.choices(
            [self._hand, self._command, self._break, self._stranger, self._outage, self._wait],
            [45, 35, 4, 5, 3, 5],
        )[0]
        act()
        self.table.live(self.process, rng.choice([5, 5, 20, 60]))

    def hand(self, line: str) -> str:
        """Do a control line, and note what it did to the cards."""
        answer = self.process.ask(line).text
        if drew := DREW.match(answer):
            card = ("SHDC".index(drew[2]) + 1) << 4 | ("A23456789TJQK".index(drew[1]) + 1)
            self.truth.append(("card", 0 if self._is_covered else card))
            self._is_covered = False
            self._stack -= 1
        elif answer == "ok: drew the cut card":
            self.truth.append(("cut card", 0))
        elif loaded := LOADED.match(answer):
            self._stack = int(loaded[1])
            self.truth.append(("stack", self._stack))
        elif line == "clear" and answer.startswith("ok"):
            self._stack -= 1
            self.truth.append(("stack", self._stack))
        elif line == "unread":
            self._is_covered = True
        return answer

    def calm(self) -> None:
        """Repair everything, and give both ends their time."""
        for wire in self._wires:
            wire.damage = 0.0
        for line in ("room 4294967295", "replug", "restore-power", "cover close", "pull-out", "press clear", "key 0"):
            self.hand(line)
        self.table.live(self.process, CALM_MS)
        self.table.command(self.process, Type.LOCK)

    def _hand(self) -> None:
        rng = self._rng
        lines = ["draw", "unread", "jam", "pull-out", "clear", "press clear", "cover open", "cover close"]
        cards = [rng.choice("A23456789TJQK") + rng.choice("SHDC") for _ in range(rng.randrange(12))]
        cards.insert(rng.randrange(len(cards) + 1), "CUT")
        more = [f"key {rng.randrange(3)}", "load", f"load cards {' '.join(cards)}"]
        line = rng.choices([*lines, *more], [40, 4, 3, 3, 2, 4, 2, 4, 2, 2, 2])[0]
        for _ in range(rng.choice([1, 1, 4]) if line == "draw" else 1):
            self.hand(line)

    def _command(self) -> None:
        if self.table.link.session is None:
            return
        rng = self._rng
        log = rng.randrange(LOGS)
        size = rng.randrange(1, 20)
        match rng.randrange(6):
            case 0 | 1 | 2:
                permit = rng.randrange(1, 1 << 32)
                self.unlocked[permit] = rng.choice([1, 3, 8])
                self.table.send(Type.UNLOCK, cards=self.unlocked[permit], permit=permit)
            case 3:
                root = bytes([size]) * 32
                sent = self.table.send(Type.REMEMBER_ROOT, log=bytes([log]) * 32, size=size, root=root)
                self.roots[log].append((sent, size))
            case 4:
                self.table.send(rng.choice([Type.LOCK, Type.READ_METERS]))
            case _:
                self.table.send(Type.CLEAR_FAULT, code=rng.choice([3, 14]), module=rng.choice([1, 2]))

    def _break(self) -> None:
        for wire in self._wires:
            wire.damage = self._rng.choice([0.0, 0.0, 0.1, 0.5])
        self.process.ask(f"room {self._rng.choice([0, 40, 300, 4294967295])}")

    def _stranger(self) -> None:
        """Bytes of nobody, and sound frames of other sessions: none of them has the host's number."""
        rng = self._rng
        session = rng.choice([9, 200]) << 8 | rng.choice([0, 1, rng.randrange(256)])
        offer = bytes([rng.randrange(3), rng.randrange(3), rng.randrange(6), rng.randrange(256), rng.randrange(3)])
        payload = rng.choice([b"", offer, rng.randbytes(rng.randrange(225))])
        sound = frame(rng.randrange(8), session, rng.randrange(256), payload)
        self.process.ask(f"rx {rng.choice([rng.randbytes(rng.randrange(1, 600)), sound, sound]).hex()}")

    def _outage(self) -> None:
        match self._rng.randrange(3):
            case 0:
                self.process.kill()
                self.process = self._start()
                self.process.ask(f"at {self.table.now_ms}")
                self.table.restart()
            case 1:
                self.hand(self._rng.choice(["unplug", "replug"]))
                self.table.restart()
            case _:
                self.hand(self._rng.choice(["cut-power", "restore-power"]))

    def _wait(self) -> None:
        self.table.live(self.process, self._rng.choice([100, 400, 2000]))


def told(events: list[Message]) -> list[tuple[str, int]]:
    """What the journal says of the cards."""
    names = {Type.CARD_DRAWN: ("card", "card"), Type.STACK_LOADED: ("stack", "cards")}
    found = []
    for event in events:
        if event.type in names:
            word, field = names[event.type]
            found.append((word, event.number(field)))
        elif event.type is Type.CUT_CARD_DRAWN:
            found.append(("cut card", 0))
    return found


def right_counts(events: list[Message]) -> bool:
    """Each card counts one, from the stack on."""
    count = 0
    for event in events:
        if event.type is Type.STACK_LOADED:
            count = 0
        elif event.type is Type.CARD_DRAWN:
            count += 1
        if "count" in event.fields and event.number("count") != count:
            return False
    return True


def check(storm: Storm) -> None:
    """What must hold whenever it is calm."""
    application = storm.table.application
    assert application.gaps == []
    assert told(application.journal) == storm.truth
    assert right_counts(application.journal)
    drawn = Counter(event.number("permit") for event in application.of(Type.CARD_DRAWN))
    assert all(number <= storm.unlocked[permit] for permit, number in drawn.items() if permit)
    (status, beat) = (application.of(kind)[-1] for kind in (Type.STATUS, Type.HEARTBEAT))
    assert beat.number("pending") == 0
    assert status.number("conditions") & ~CONDITIONS["cut card"] == CONDITIONS["locked"]
    assert (status.number("key"), status.number("fault")) == (0, 0)


def check_roots(storm: Storm) -> None:
    """The memory of a log is the last root that was answered, or a larger one whose answer was lost."""
    done = {message.number("id") for message in storm.table.application.heard if message.type is Type.DONE}
    for log, sent in storm.roots.items():
        storm.table.command(storm.process, Type.RECALL_ROOT, log=bytes([log]) * 32)
        found = storm.table.application.of(Type.ROOT_REMEMBERED)[-1]
        size = found.number("size")
        assert found.raw("root") == bytes([size]) * 32
        assert size >= max((size for id_, size in sent if id_ in done), default=0)
        assert size in {0, *(size for _id, size in sent)}


def test_storms(seed: int, tmp_path: Path) -> None:
    for number in range(STORMS):
        storm = Storm(random.Random(seed + number), tmp_path / f"memory-{number}")
        try:
            for _ in range(ACTS):
                storm.act()
            storm.calm()
            check(storm)
            check_roots(storm)
        finally:
            storm.process.kill()
