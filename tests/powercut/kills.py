"""kill -9 at every named point of a journal's life.

The files of keys are called ``key`` if there is none of a later shoe game, else ``old-key``: ``begin_shoe: after sync
key`` is when the next key is there and nobody speaks of it, ``begin_shoe: after sync wal`` when the journal names it
and holds the snapshot, ``begin_shoe: before write old-key`` when the one before it must go.
"""

import functools
import os
import random
import signal
import struct
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Final

from cardshoe.journal import JournalMissing, KeyMissing, Keyring, read_only
from cardshoe.journal.proof.note import VerifyKey
from cardshoe.journal.writing.signer import JournalSigner
from cardshoe.process.progress import Progress
from cardshoe.table.log.sealing_keys import FILE_NAME, make_keys, read_keys
from cardshoe.table.log.verify import verify
from regulations.events.inputs import Closed
from tests.cardshoe.journal.samples import HEADER, entry
from tests.cardshoe.journal.sealed import AT
from tests.powercut.explore import fast_folder
from tests.powercut.layer import PLENTY_BYTES, Folder, epoch_of, under
from tests.powercut.life import LITTLE_BYTES, NAME, Script, go_on, open_table, script_of
from tests.powercut.operations import NOTHING, Operation, Stored
from tests.powercut.recorder import WitnessedJournal, witnessed

LONGEST_GROUP: Final = 5
AGAIN: Final = 0.8
"""How often the journal of the process before is taken up, where the point wanted is not one of making a new one."""
GAMES: Final = 1 / 3
"""How often a game is played, where the point wanted is passed in one."""
_STORED: Final = struct.Struct("<3q")


@dataclass
class Killer:
    """Kills its own process at a point.

    Attributes:
        tell: a descriptor that hears each acknowledgement, or ``None``.
        point: where; never, if empty.
        nth: at which of the times that it is passed, from 1.
    """

    tell: int | None = None
    point: str = ""
    nth: int = 1
    seen: Counter[str] = field(default_factory=Counter)
    during: str = ""
    names: Collection[str] = ()

    def watch(self, path: Path) -> Folder:
        """The journal's folder, observed."""
        folder = Folder(path.parent, self)
        for file in path.parent.iterdir():
            folder.bind_new(file.name)
        self.names = folder.names
        return folder

    def before(self, act: str, name: str) -> None:
        """A point."""
        self._pass(f"{self.during}: before {act} {role_of(name, self.names)}")

    def after(self, act: str, name: str, operation: Operation) -> None:  # noqa: ARG002  as the layer calls it
        """Another."""
        self._pass(f"{self.during}: after {act} {role_of(name, self.names)}")

    def acknowledge(self, stored: Stored, to: str) -> None:
        """Who waits for the answer has it; then a point."""
        if self.tell is not None:
            os.write(self.tell, _STORED.pack(*stored))
        self._pass(f"{self.during}: acknowledged to {to}")

    def erase(self, secret: bytes) -> None:  # noqa: ARG002  a kill leaves what the system holds: it is gone
        """A key has gone; another point."""
        self._pass(f"{self.during}: old key erased")

    def _pass(self, point: str) -> None:
        self.seen[point] += 1
        if point == self.point and self.seen[point] == self.nth:
            os.kill(os.getpid(), signal.SIGKILL)


def role_of(name: str, beside: Collection[str] = ()) -> str:
    """The kind of a file, whatever its name, among others of these names."""
    epoch = epoch_of(name)
    if epoch is not None:
        return "key" if epoch >= max((epoch_of(other) or 0 for other in beside), default=0) else "old-key"
    kind = "passing" if name.startswith(".") else "journal"
    for end in ("-wal", "-ballast", "-journal"):
        if name.endswith(end):
            return f"{kind}{end}" if kind == "passing" else end[1:]
    return "folder" if name == "folder" else kind


Life = Callable[[Path, Killer, int], None]
"""What a process does: the journal's file, who kills it, and the seed of its chance."""


def every_step(path: Path, killer: Killer, seed: int) -> None:
    """Makes a journal or takes it up, and takes every step that a journal can take."""
    folder, keyring = killer.watch(path), Keyring(path)
    journals = witnessed(killer)
    chance = random.Random(seed)
    with under(folder):
        is_there = path.exists()
        journal: WitnessedJournal = journals.open(path, keyring) if is_there else journals.create(path, HEADER, keyring)
        _append(journal, chance, 3)
        journal.begin_shoe(AT, b"{%s}" % (b"x" * chance.choice([0, 1000, 9000])))
        _append(journal, chance, 3)
        journal.sign(AT)
        for free_bytes in LITTLE_BYTES, PLENTY_BYTES:
            folder.free_bytes = free_bytes
            journal.room()
            _append(journal, chance, 1)
        journal.close()
        # As if a change of keys had been cut short before it counted, and one after it.
        [epoch] = keyring.held()
        for other in epoch - 1, epoch + 1:
            keyring.path(other).write_bytes(keyring.path(epoch).read_bytes())
            folder.bind_new(keyring.path(other).name)
        journal = journals.open(path, keyring)
        _append(journal, chance, 2)
        journal.close()


def _append(journal: WitnessedJournal, chance: random.Random, groups: int) -> None:
    for number in range(groups):
        outputs = chance.randint(1, LONGEST_GROUP - 1)
        data = entry(journal.last_seq + 1, outputs, chance.choice([0, 100, 1000, 6000]))
        journal.append([data], AT if number % 2 else None)


@functools.cache
def script() -> Script:
    """A game that is not closed at its end, so that the next process takes it up whenever it was killed."""
    whole = script_of("blackjack", 1, rounds=2)
    return replace(whole, events=[event for event in whole.events if not isinstance(event, Closed)])


def game(path: Path, killer: Killer, seed: int) -> None:  # noqa: ARG001  its chance is in the script
    """Begins a table's log or takes it up, and plays what is left of a game through the table's own thread."""
    folder = killer.watch(path)
    with under(folder):
        log = open_table(folder, script(), witnessed(killer), sealing_key_of(path))
        go_on(log, script().events[max(0, log.recovered - 1) :], folder, fills_up=True)


def sealing_key_of(path: Path) -> Path:
    """The file of the sealing key of a game's journal."""
    return path.parent.parent / FILE_NAME


LIVES: Final[tuple[Life, ...]] = (every_step, game)


def points() -> dict[Life, dict[bool, Counter[str]]]:
    """How often each point is passed: in a life that makes the journal (true), and in one that takes it up."""
    found: dict[Life, dict[bool, Counter[str]]] = {}
    for life in LIVES:
        with TemporaryDirectory(prefix="powercut-", dir=fast_folder()) as name:
            path = Path(name) / "1" / NAME
            path.parent.mkdir()
            make_keys(sealing_key_of(path))
            found[life] = {}
            for is_new in True, False:
                killer = Killer()
                life(path, killer, 1)
                found[life][is_new] = killer.seen
    return found


@dataclass
class Kills:
    """The fate of the killed processes."""

    cycles: int = 0
    games: int = 0
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
            f"kills: cycles={self.cycles} games={self.games} points={len(+self.hit)} of {len(self.hit)} "
            f"fewest={min(self.hit.values())} lost={self.lost} broken={self.broken}"
        )


def kill_cycles(cycles: int, seed: int, say: Callable[[str], None]) -> Kills:
    """Kills so many processes, at all points in turn."""
    chance = random.Random(seed)
    passed = points()
    everything = sorted({point for life in LIVES for point in passed[life][True]})
    kills = Kills(hit=Counter(dict.fromkeys(everything, 0)))
    bar = Progress("kills", cycles, unit="processes")
    turn: list[str] = []
    with TemporaryDirectory(prefix="powercut-", dir=fast_folder()) as name, bar:
        make_keys(Path(name) / FILE_NAME)
        paths: dict[Life, Path] = {}
        lives = 0
        while kills.cycles < cycles:
            if not turn:
                turn = chance.sample(everything, len(everything))
            point = turn.pop()
            life = _one_with(point, passed, chance)
            path = paths.get(life)
            if path is None or not path.exists() or point.startswith("create") or chance.random() > AGAIN:
                path = _fresh(Path(name))
            # A game that was killed goes on where it was: how often it will pass the point depends on where.
            nth = chance.randint(1, max(1, passed[life][not path.exists()][point]))
            while not _kill(life, path, Killer(point=point, nth=nth), seed + lives, kills, say):
                # A journal of a killed process needs less: its log is long already, its ballast there, its game over.
                path, nth = _fresh(Path(name)), 1
                lives += 1
            paths[life] = path
            lives += 1
            bar.reached(kills.cycles)
    return kills


def _one_with(point: str, passed: dict[Life, dict[bool, Counter[str]]], chance: random.Random) -> Life:
    able = [life for life in LIVES if passed[life][True][point]]
    return able[-1] if len(able) == 1 or chance.random() < GAMES else able[0]


def _fresh(folder: Path) -> Path:
    return Path(mkdtemp(dir=folder)) / NAME


def _kill(life: Life, path: Path, killer: Killer, seed: int, kills: Kills, say: Callable[[str], None]) -> bool:
    was_killed, acknowledged = _killed(life, path, killer, seed)
    problem = look_at(path, acknowledged, kills, is_game=life is game)
    if problem:
        kills.described.append(f"{killer.point}, time {killer.nth}: {problem}")
        say(kills.described[-1])
    if was_killed:
        kills.cycles += 1
        kills.hit[killer.point] += 1
        kills.games += life is game
    return was_killed


def _killed(life: Life, path: Path, killer: Killer, seed: int) -> tuple[bool, Stored]:
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
    return was_killed, Stored(*_STORED.unpack(told[-_STORED.size :])) if told else NOTHING


def look_at(path: Path, acknowledged: Stored, kills: Kills, *, is_game: bool = False) -> str:
    """The faults of a killed process's journal; empty if there are none.

    Args:
        acknowledged: what must be there.
    """
    try:
        with read_only(path) as evidence:
            checked = evidence.verify()
        JournalSigner.resume(Keyring(path), [VerifyKey.parse(key) for key in checked.keys], checked.checkpoints)
        if is_game:
            verify(path, keys=read_keys(sealing_key_of(path)))
    except JournalMissing:
        if acknowledged == NOTHING:
            return ""
        kills.lost += 1
        return f"acknowledged: {acknowledged}; there is no journal"
    except KeyMissing as error:
        kills.lost += 1
        return str(error)
    except Exception as error:  # noqa: BLE001  whatever it is, it is what the campaign looks for
        kills.broken += 1
        return str(error)
    there = Stored(checked.last, len(checked.keys), checked.checkpoints)
    if not there.holds(acknowledged):
        kills.lost += 1
        return f"acknowledged: {acknowledged}; there: {there}"
    return ""
