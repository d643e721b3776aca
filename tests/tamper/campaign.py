"""Mutates journals and asks both verifiers; lets journals crash and sees that no verifier complains of them."""

import importlib.util
import random
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from cardshoe.journal import Header, Journal, JournalBroken, Keyring, NotAJournal, WitnessFile, read_only
from cardshoe.process.progress import watched
from tests.cardshoe.journal.sealed import VERIFIER
from tests.tamper.mutations import Done, Tamperer
from tests.tamper.specimen import Specimen, at, entry, play, specimen

T = TypeVar("T")

PER_SPECIMEN = 200
"""Mutations until another journal is made."""

MEMORY = Path("/dev/shm")  # noqa: S108  # a file system in memory: the disk has nothing to do with this

SECTOR = 512
WAL_HEADER_BYTES, FRAME_BYTES = 32, 24 + 4096
_UPPER = (
    re.compile(r"one of the entries (?:\d+|from here) to (?P<to>\d+)"),
    re.compile(r"the witness holds .* over entries up to (?P<to>\d+), and the journal another"),
)
_OTHERS = re.compile(r"or one from (?P<from>\d+) on")
_SIGNED = ("key", "checkpoint", "beside it lies")
"""How a verifier names what is wrong where it is no entry."""
_PROVED = re.compile(r"proved up to entry (?P<seq>\d+)")


@dataclass
class Result:
    """The result of a run."""

    mutations: int = 0
    found: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    crashes: int = 0
    false_alarms: int = 0


def separate_verifier() -> ModuleType:
    """The separate verifier, loaded into this process for speed; tests elsewhere run it as a process of its own."""
    spec = importlib.util.spec_from_file_location("cardshoe_verify", VERIFIER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module


class Campaign:
    """A number of mutations."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.result = Result()
        self.verifier = separate_verifier()

    def mutate(self, count: int) -> None:
        """Make and judge so many mutations."""
        sound: Specimen | None = None
        for number in watched("mutations", range(count), count, unit="mutations"):
            if sound is None or number % PER_SPECIMEN == 0:
                sound = self._in_new_folder(lambda folder: specimen(folder, self.chance))
            of = sound
            self._in_new_folder(partial(self._one, of=of))

    def crash(self, count: int) -> None:
        """Let so many journals crash, go on, and be verified."""
        for _ in watched("crashes", range(count), count, unit="journals"):
            alarm = self._in_new_folder(self._crashed)
            self.result.crashes += 1
            if alarm:
                self.result.false_alarms += 1
                self.result.missed.append(f"false alarm: {alarm}")

    def _in_new_folder(self, act: Callable[[Path], T]) -> T:
        folder = self.folder / "work"
        folder.mkdir()
        try:
            return act(folder)
        finally:
            shutil.rmtree(folder)

    def _one(self, folder: Path, of: Specimen) -> None:
        journal, witness = folder / "x.journal", folder / "witness"
        journal.write_bytes(of.database)
        Keyring(journal).path(of.epoch).write_bytes(of.key)
        witness.write_bytes(of.witness)
        self._judge(Tamperer(journal, witness, of, self.chance).any(), journal, witness)

    def _judge(self, done: Done, journal: Path, witness: Path) -> None:
        self.result.mutations += 1
        self.result.by_kind[done.kind] += 1
        complaints = []
        for who, (seq, said) in (("ours", _ours(journal, witness)), ("theirs", self._theirs(journal, witness))):
            complaint = judged(done, seq, said)
            if complaint:
                complaints.append(f"{done}: {who}: {complaint}")
        self.result.missed += complaints
        self.result.found += not complaints

    def _theirs(self, journal: Path, witness: Path) -> tuple[int | None, str]:
        try:
            self.verifier.verify(journal, witness)
        except self.verifier.Wrong as wrong:
            return wrong.entry, str(wrong)
        return None, ""

    def _crashed(self, folder: Path) -> str:
        path, notes = folder / "x.journal", WitnessFile(folder / "witness")
        image = folder / "image"
        image.mkdir()
        with Journal.create(
            path, Header(table_id="1", game="g", edition="e", program="p", created_at=at(0), rules=1), Keyring(path)
        ) as journal:
            notes.append(journal.notes())
            journal.listen(lambda note: notes.append([note]))
            for _ in range(self.chance.randint(0, 3)):
                journal.begin_shoe(at(journal.last_seq))
                play(journal, self.chance, self.chance.randint(0, 2))
            self._cut_short(journal, notes, image)
        return self._goes_on(image / path.name, WitnessFile(image / "witness"))

    def _cut_short(self, journal: Journal, notes: WitnessFile, image: Path) -> None:
        path = journal.path
        wal = path.with_name(f"{path.name}-wal")
        before = _files(path.parent)
        held = notes.path.read_bytes()
        if self.chance.random() < 0.25:  # one in four: a change of keys, with one key too many left
            journal.begin_shoe(at(journal.last_seq))
            files = {
                **before,
                **_files(path.parent),
                **{name: data for name, data in before.items() if "-key-" in name},
            }
            if self.chance.random() < 0.5:  # before or after it counted
                files = {**files, **{name: before[name] for name in (path.name, wal.name)}}
            else:
                held = notes.path.read_bytes()
        else:
            seq = journal.last_seq + 1
            journal.append([entry(seq, self.chance)], at(seq) if self.chance.random() < 0.5 else None)
            cut = self.chance.randrange(0, len(before[wal.name]) + 1, SECTOR)
            files = {**before, wal.name: wal.read_bytes()[:cut] + before[wal.name][cut:]}
        for name, data in {**files, "witness": held}.items():
            (image / name).write_bytes(data)

    def _goes_on(self, journal: Path, witness: WitnessFile) -> str:
        for step in ("as it was left", "after it went on"):
            for who, (_, said) in (
                ("ours", _ours(journal, witness.path)),
                ("theirs", self._theirs(journal, witness.path)),
            ):
                if said:
                    return f"{who}, {step}: {said}"
            if step == "as it was left":
                with Journal.open(journal, Keyring(journal)) as again:
                    held = set(witness.read(again.origin))
                    witness.append(note for note in again.notes() if note not in held)
                    again.listen(lambda note: witness.append([note]))
                    again.sign(at(again.last_seq))
                    again.begin_shoe(at(again.last_seq))
                    play(again, self.chance, 1)
        return ""


def judged(done: Done, seq: int | None, said: str) -> str:
    """The fault of a verifier's answer to a mutation; empty if it found the mutation and named it rightly."""
    if not said:
        return "not found"
    proved = _PROVED.search(said)
    if done.first is None:
        return "" if any(word in said for word in _SIGNED) else f"does not name the note: {said}"
    if proved is not None and int(proved["seq"]) >= done.first:
        return f"says that too much is proved: {said}"
    if seq is None:
        return "" if not done.exact and any(word in said for word in _SIGNED) else f"names no entry: {said}"
    uppers = [int(found["to"]) for form in _UPPER if (found := form.search(said))]
    upper = max([seq, *uppers])
    if done.first > upper:
        return f"names entries up to {upper}, all before it: {said}"
    others = _OTHERS.search(said)
    if done.exact and seq != done.first and (others is None or int(others["from"]) > done.first):
        return f"names another entry: {said}"
    return ""


def _ours(journal: Path, witness: Path) -> tuple[int | None, str]:
    try:
        with read_only(journal) as evidence:
            evidence.verify(WitnessFile(witness))
    except JournalBroken as broken:
        return broken.entry, broken.problem
    except NotAJournal as error:
        return None, error.problem
    return None, ""


def _files(folder: Path) -> dict[str, bytes]:
    files = {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}
    return {
        name: _used(data) if name.endswith("-wal") else data
        for name, data in files.items()
        if not name.endswith("-ballast")
    }


def _used(wal: bytes) -> bytes:
    written = len(wal.rstrip(b"\0"))
    frames = -(-max(0, written - WAL_HEADER_BYTES) // FRAME_BYTES)
    return wal[: WAL_HEADER_BYTES + frames * FRAME_BYTES] if written else b""
