"""Every prefix of what was done to a disk, and the states that a power cut leaves there."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from cardshoe.process.progress import watched
from tests.powercut.disk import Disk, Image, Kept
from tests.powercut.judge import Found, Judge
from tests.powercut.layer import little_room
from tests.powercut.life import NAME
from tests.powercut.operations import NOTHING, Acknowledged, Erased, Operation, Stored, Written

SHOWN = 20
"""Problems that are described."""


@dataclass
class Tally:
    """The findings so far."""

    found: dict[bytes, Found] = field(default_factory=dict)
    problems: Counter[str] = field(default_factory=Counter)
    described: list[str] = field(default_factory=list)
    prefixes: int = 0

    @property
    def states(self) -> int:
        """How many distinct states were opened."""
        return len(self.found)

    def add(self, problem: str, where: str, text: str) -> None:
        """One more state with a problem."""
        self.problems[problem] += 1
        if len(self.described) < SHOWN:
            self.described.append(f"{problem}: {where}: {text}")


@dataclass(frozen=True)
class Recording:
    """The operations on a folder.

    Attributes:
        acknowledged: what must be there at that point.
    """

    what: str
    operations: Sequence[Operation]
    begin: int = 0
    acknowledged: Stored = NOTHING


def images_at(disk: Disk, tears: int, chance: random.Random) -> Iterator[Image]:
    """The states that a power cut leaves now: nothing kept, all kept, and some torn ones."""
    yield disk.image("none", "none", chance)
    if disk.is_settled:
        return
    plain: list[tuple[Kept, Kept]] = [("all", "all"), ("all", "none"), ("none", "all")]
    for names, files in plain:
        yield disk.image(names, files, chance)
    for _ in range(tears):
        yield disk.image("torn", "torn", chance)


def explore(
    recording: Recording,
    judge: Judge,
    tears: int,
    seed: int,
    tally: Tally,
    *,
    every: int = 1,
    enough: int | None = None,
    until: str = "",
) -> None:
    """Cuts the power at every point of a recording, or until so many states or such a problem have been found.

    Args:
        every: cut it at one point of so many only, drawn by the seed.
    """
    acknowledged, erased = recording.acknowledged, set[bytes]()
    with TemporaryDirectory(prefix="powercut-", dir=fast_folder()) as name, little_room():
        store, shown = Path(name) / "store", Path(name) / "shown"
        store.mkdir()
        shown.mkdir()
        disk = Disk(store, shown)
        try:
            places = len(recording.operations) + 1
            for place in watched(recording.what, range(places), places, unit="operations"):
                here = f"{seed} {recording.what} {place}"
                if place >= recording.begin and random.Random(f"{here} or not").randrange(every) == 0:
                    tally.prefixes += 1
                    chance = random.Random(here)
                    for image in images_at(disk, tears, chance):
                        _check(disk, image, judge, acknowledged, f"{recording.what}, operation {place}", tally)
                    if (enough is not None and tally.states >= enough) or tally.problems[until]:
                        return
                if place < len(recording.operations):
                    operation = recording.operations[place]
                    disk.apply(operation)
                    if isinstance(operation, Acknowledged):
                        acknowledged = acknowledged.joined(operation.stored)
                    elif isinstance(operation, Erased):
                        erased.add(operation.secret)
                    if _shows(disk, operation, erased):
                        tally.add("corrupt", f"{recording.what}, operation {place}", "an erased key is on the disk")
        finally:
            disk.close()


def _shows(disk: Disk, operation: Operation, erased: set[bytes]) -> bool:
    match operation:
        case Erased(secret):
            return disk.holds(secret)
        case Written(data=data):
            return any(secret in data for secret in erased)
    return False


def _check(disk: Disk, image: Image, judge: Judge, acknowledged: Stored, where: str, tally: Tally) -> None:
    found = tally.found.get(image.digest)
    if found is None:
        disk.put(image)
        found = judge.look(disk.shown / NAME)
        disk.take_back(image)
        tally.found[image.digest] = found
        if found.problem is not None:
            tally.add(found.problem, where, found.text)
    if found.problem is None and not found.stored.holds(acknowledged):
        tally.add("lost", where, f"acknowledged: {acknowledged}; there: {found.stored}")


def fast_folder() -> Path | None:
    """A file system in memory, if there is one: the disk is simulated, so the real one need not be waited for."""
    memory = Path("/dev/shm")  # noqa: S108  a file system in memory; the folder made in it is our own
    return memory if memory.is_dir() else None
