"""kill -9 at every named point of a journal's life.

A point is named by the step that the journal is at, the moment, the act, and the file: ``append: before sync wal``. A
process of its own writes the journal and kills itself there; then the journal is read, and taken up by the next one.
"""

import os
import random
import signal
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from table.journal import JournalMissing, read_only
from tests.powercut.explore import fast_folder
from tests.powercut.layer import PLENTY_BYTES, Folder, under
from tests.powercut.life import LITTLE_BYTES
from tests.powercut.operations import Operation
from tests.powercut.recorder import WitnessedJournal, witnessed
from tests.table.journal.samples import HEADER, group

NAME: Final = "b-101.journal"
LONGEST_GROUP: Final = 5
AGAIN: Final = 0.8
"""How often the journal of the process before is taken up, where the point wanted is not one of making a new one."""
_SEQ: Final = struct.Struct("<q")


@dataclass
class Killer:
    """Kills its own process at a point.

    Attributes:
        tell: a descriptor that hears each acknowledgement, or ``None``.
        point: where; never, if empty.
        nth: at which of the times that it is passed, from 1.
        seen: how often each point was passed.
        during: the step that is under way.
    """

    tell: int | None = None
    point: str = ""
    nth: int = 1
    seen: Counter[str] = field(default_factory=Counter)
    during: str = ""

    def before(self, act: str, name: str) -> None:
        """A point."""
        self._pass(f"{self.during}: before {act} {role_of(name)}")

    def after(self, act: str, name: str, operation: Operation) -> None:  # noqa: ARG002  as the layer calls it
        """Another."""
        self._pass(f"{self.during}: after {act} {role_of(name)}")

    def acknowledge(self, seq: int) -> None:
        """Who waits for the answer has it; then a point."""
        if self.tell is not None:
            os.write(self.tell, _SEQ.pack(seq))
        self._pass(f"{self.during}: acknowledged")

    def _pass(self, point: str) -> None:
        self.seen[point] += 1
        if point == self.point and self.seen[point] == self.nth:
            os.kill(os.getpid(), signal.SIGKILL)


def role_of(name: str) -> str:
    """What a file is, whatever its name."""
    kind = "passing" if name.startswith(".") else "journal"
    for end in ("-wal", "-ballast", "-journal"):
        if name.endswith(end):
            return f"{kind}{end}" if kind == "passing" else end[1:]
    return "folder" if name == "folder" else kind


def life(path: Path, killer: Killer, seed: int) -> None:
    """Makes a journal or takes it up, and takes every step that a journal can take."""
    folder = Folder(path.parent, killer)
    for file in path.parent.iterdir():
        folder.bind_new(file.name)
    journals = witnessed(killer)
    chance = random.Random(seed)
    with under(folder):
        journal: WitnessedJournal = journals.open(path) if path.exists() else journals.create(path, HEADER)
        _append(journal, chance, 3)
        journal.begin_shoe()
        _append(journal, chance, 3)
        for free_bytes in LITTLE_BYTES, PLENTY_BYTES:
            folder.free_bytes = free_bytes
            journal.room()
            _append(journal, chance, 1)
        journal.close()
        journal = journals.open(path)
        _append(journal, chance, 2)
        journal.close()


def _append(journal: WitnessedJournal, chance: random.Random, groups: int) -> None:
    for _ in range(groups):
        outputs = chance.randint(1, LONGEST_GROUP - 1)
        journal.append(group(journal.last_seq + 1, outputs, chance.choice([0, 100, 1000, 6000])))


def points() -> dict[bool, Counter[str]]:
    """How often each point is passed: in a life that makes the journal (true), and in one that takes it up.

    Found by living both.
    """
    found: dict[bool, Counter[str]] = {}
    with TemporaryDirectory(prefix="powercut-", dir=fast_folder()) as folder:
        path = Path(folder) / NAME
        for is_new in True, False:
            killer = Killer()
            life(path, killer, seed=1)
            found[is_new] = killer.seen
    return found


@dataclass
class Kills:
    """What became of the killed.

    Attributes:
        cycles: processes killed.
        hit: by point.
        lost: journals in which something acknowledged was missing.
        broken: journals that did not verify.
        described: what was wrong, in words.
    """

    cycles: int = 0
    hit: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    broken: int = 0
    described: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Nothing is missing, nothing broken, and the points were hit in turn."""
        hits = self.hit.values()
        return not self.lost and not self.broken and bool(hits) and max(hits) - min(hits) <= 1

    def summary(self) -> str:
        """One line for people."""
        return (
            f"kills: cycles={self.cycles} points={len(+self.hit)} of {len(self.hit)} fewest={min(self.hit.values())} "
            f"lost={self.lost} broken={self.broken}"
        )


def kill_cycles(cycles: int, seed: int, say: Callable[[str], None]) -> Kills:
    """Kills so many processes, at all points in turn.

    Args:
        cycles: how many.
        seed: of the order, and at which passing of its point each is killed.
        say: hears what goes wrong.
    """
    chance = random.Random(seed)
    passed = points()
    everything = sorted(set(passed[True]) | set(passed[False]))
    kills = Kills(hit=Counter(dict.fromkeys(everything, 0)))
    turn: list[str] = []
    with TemporaryDirectory(prefix="powercut-", dir=fast_folder()) as name:
        path: Path | None = None
        lives = 0
        while kills.cycles < cycles:
            if not turn:
                turn = chance.sample(everything, len(everything))
            point = turn.pop()
            if path is None or not path.exists() or not passed[False][point] or chance.random() > AGAIN:
                path = _fresh(Path(name))
            nth = chance.randint(1, passed[not path.exists()][point])
            while not _kill(path, Killer(point=point, nth=nth), seed + lives, kills, say):
                # A journal of a killed process needs less: its log is long already, its ballast there.
                path, nth = _fresh(Path(name)), 1
                lives += 1
            lives += 1
    return kills


def _fresh(folder: Path) -> Path:
    path = folder / str(len(list(folder.iterdir()))) / NAME
    path.parent.mkdir()
    return path


def _kill(path: Path, killer: Killer, seed: int, kills: Kills, say: Callable[[str], None]) -> bool:
    """Lets a process live and looks at what it left; whether it was killed at its point."""
    was_killed, acknowledged = _killed(path, killer, seed)
    problem = look_at(path, acknowledged, kills)
    if problem:
        kills.described.append(f"{killer.point}, time {killer.nth}: {problem}")
        say(kills.described[-1])
    if was_killed:
        kills.cycles += 1
        kills.hit[killer.point] += 1
    return was_killed


def _killed(path: Path, killer: Killer, seed: int) -> tuple[bool, int | None]:
    """A process lives: whether it was killed at its point, and the last entry that it acknowledged, if it did."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            killer.tell = writing
            life(path, killer, seed)
            os._exit(0)
        finally:
            os._exit(3)
    os.close(writing)
    told = b""
    while block := os.read(reading, 1 << 16):
        told += block
    os.close(reading)
    _, status = os.waitpid(child, 0)
    was_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    if not was_killed and os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError(f"the process failed before {killer.point}, time {killer.nth}: status {status}")
    return was_killed, _SEQ.unpack(told[-_SEQ.size :])[0] if told else None


def look_at(path: Path, acknowledged: int | None, kills: Kills) -> str:
    """What is wrong with the journal of a killed process; nothing, if it is as it should be."""
    try:
        with read_only(path) as evidence:
            last = evidence.verify().last_seq
    except JournalMissing:
        if acknowledged is None:
            return ""
        kills.lost += 1
        return f"acknowledged up to {acknowledged}, and there is no journal"
    except Exception as error:  # noqa: BLE001  whatever it is, it is what the campaign looks for
        kills.broken += 1
        return str(error)
    if last < (acknowledged or 0):
        kills.lost += 1
        return f"acknowledged up to {acknowledged}, there up to {last}"
    return ""
