"""The simulated disk: what it says was kept is what the real files held, at once or at some moment before."""

import os
import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from cardshoe.table.log.sealing_keys import make_keys
from tests.powercut.disk import Disk, Kept
from tests.powercut.layer import Folder, under
from tests.powercut.life import script_of, whole_life
from tests.powercut.operations import (
    SECTOR_BYTES,
    Bound,
    FolderSynced,
    Operation,
    Resized,
    Synced,
    Unbound,
    Written,
)
from tests.powercut.recorder import Recorder, witnessed


@dataclass
class Photographer(Recorder):
    """Notes the real bytes of the folder now and then."""

    path: Path = Path()
    photos: dict[int, dict[str, bytes]] = field(default_factory=dict)

    def after(self, act: str, name: str, operation: Operation) -> None:
        super().after(act, name, operation)
        if len(self.operations) % 7 == 0:
            self.photos[len(self.operations)] = {one.name: one.read_bytes() for one in self.path.iterdir()}


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    (tmp_path / "store").mkdir()
    (tmp_path / "shown").mkdir()
    return Disk(tmp_path / "store", tmp_path / "shown")


def test_every_operation_of_a_journal_is_seen(tmp_path: Path, disk: Disk, seed: int) -> None:
    path = tmp_path / "journals"
    path.mkdir()
    photographer = Photographer(path=path)
    make_keys(tmp_path / "sealing.key")
    folder = Folder(path, photographer)
    with under(folder):
        whole_life(folder, script_of("casino_war", seed, rounds=1), witnessed(photographer), tmp_path / "sealing.key")
    compared = 0
    for place, operation in enumerate(photographer.operations):
        # Between a photo and an acknowledgement nothing happens on the disk.
        if place in photographer.photos:
            image = disk.image("all", "all", random.Random(0))
            assert disk.content(image) == photographer.photos[place]
            compared += 1
        disk.apply(operation)
    disk.close()
    assert compared >= 20


def test_every_call_of_the_system_is_seen(tmp_path: Path, disk: Disk) -> None:
    path = tmp_path / "journals"
    path.mkdir()
    recorder = Recorder()
    with under(Folder(path, recorder)):
        for flags in os.O_TRUNC, os.O_APPEND:
            descriptor = os.open(path / "a", os.O_RDWR | os.O_CREAT | flags)
            assert os.write(descriptor, b"one") + os.write(descriptor, b"three") == 8
            os.pwrite(descriptor, b"X", 20) if flags == os.O_TRUNC else os.ftruncate(descriptor, 30)
            os.fdatasync(descriptor)
            os.close(descriptor)
        os.link(path / "a", path / "b")
        (path / "a").rename(path / "c")
        (path / "b").unlink()
        descriptor = os.open(path / "d", os.O_WRONLY | os.O_CREAT)
        os.write(descriptor, b"long")
        os.close(descriptor)
        os.close(os.open(path / "d", os.O_WRONLY | os.O_TRUNC))
        for operation in recorder.operations:
            disk.apply(operation)
        real = {one.name: one.read_bytes() for one in path.iterdir()}
    assert disk.content(disk.image("all", "none", random.Random(0))) == real
    assert real == {"c": b"onethree" + bytes(12) + b"Xonethree\0", "d": b""}
    assert disk.content(disk.image("none", "none", random.Random(0))) == {}
    disk.close()


OPERATIONS: list[Operation] = [
    Bound("a", 1),
    FolderSynced(),
    Written(1, 0, b"A" * 1200),
    Synced(1),
    Written(1, 500, b"B" * 600),
    Bound("b", 2),
    Written(2, 0, b"C" * 700),
    Resized(1, 800),
    Unbound("a"),
    Written(1, 900, b"D" * 400),
    Bound("a", 2),
    Resized(1, 300),
    Written(1, 280, b"E" * 900),
    Synced(1),
    Written(1, 1000, b"F" * 700),
    Synced(2),
    FolderSynced(),
    Resized(1, 0),
]
KEPT: list[Kept] = ["none", "all", "torn"]


def test_what_is_shown_is_what_the_model_says(disk: Disk, seed: int) -> None:
    chance = random.Random(seed)
    digests: dict[bytes, dict[str, bytes]] = {}
    for operation in OPERATIONS:
        disk.apply(operation)
        for _ in range(60):
            image = disk.image(chance.choice(KEPT), chance.choice(KEPT), chance)
            disk.put(image)
            shown = {one.name: one.read_bytes() for one in disk.shown.iterdir()}
            disk.take_back(image)
            assert shown == disk.content(image)
            # The digest stands for the content, whatever way led to it.
            assert digests.setdefault(image.digest, shown) == shown
    assert len(digests) == len({tuple(sorted(one.items())) for one in digests.values()}) >= 60
    disk.close()


def test_each_sector_holds_what_it_held_at_some_moment_and_nothing_synced_is_lost(disk: Disk, seed: int) -> None:
    chance = random.Random(seed)
    for operation in (Bound("a", 1), FolderSynced(), Written(1, 0, b"0" * 2048), Synced(1)):
        disk.apply(operation)
    for version in b"1", b"2":
        disk.apply(Written(1, 512, version * 1024))
    seen = set()
    for _ in range(200):
        (data,) = disk.content(disk.image("torn", "torn", chance)).values()
        sectors = [data[start : start + SECTOR_BYTES] for start in range(0, len(data), SECTOR_BYTES)]
        assert all(len(set(sector)) == 1 for sector in sectors)
        seen.add("".join(chr(sector[0]) for sector in sectors))
    assert seen == {f"0{one}{two}0" for one in "012" for two in "012"}
    disk.apply(Synced(1))
    assert disk.is_settled
    assert disk.image("none", "none", chance).digest == disk.image("torn", "torn", chance).digest
    disk.close()


def test_a_name_is_durable_with_its_folder_alone(disk: Disk, seed: int) -> None:
    chance = random.Random(seed)
    for operation in (Bound("a", 1), Written(1, 0, b"old"), Synced(1), FolderSynced()):
        disk.apply(operation)
    changes: list[Operation] = [Unbound("a"), Bound("a", 2), Written(2, 0, b"new"), Synced(2)]
    for change in changes:
        disk.apply(change)
    found = {disk.content(disk.image("torn", "all", chance)).get("a") for _ in range(50)}
    assert found == {b"old", None, b"new"}
    assert disk.content(disk.image("none", "none", chance)) == {"a": b"old"}
    disk.apply(FolderSynced())
    assert disk.content(disk.image("none", "none", chance)) == {"a": b"new"}
    disk.close()


def test_bytes_are_found_without_a_name_until_they_are_overwritten_for_good(disk: Disk) -> None:
    secret = b"K" * 64
    for operation in (Bound("a", 1), Written(1, 0, secret), Synced(1), FolderSynced(), Unbound("a"), FolderSynced()):
        disk.apply(operation)
    assert disk.content(disk.image("all", "all", random.Random(0))) == {}
    assert disk.holds(secret)
    disk.apply(Written(1, 0, bytes(64)))
    assert disk.holds(secret)
    disk.apply(Synced(1))
    assert not disk.holds(secret)
    disk.apply(Written(1, 0, secret))
    assert disk.holds(secret)  # it may be written back at any moment
    disk.close()


def test_a_key_that_an_opening_overwrites_is_there_again_in_the_next_image(disk: Disk) -> None:
    for operation in (Bound("x-key-1", 1), Written(1, 0, b"secret"), Synced(1), FolderSynced()):
        disk.apply(operation)
    for _ in range(2):
        image = disk.image("none", "none", random.Random(0))
        disk.put(image)
        key = disk.shown / "x-key-1"
        assert key.read_bytes() == b"secret"
        key.write_bytes(bytes(6))
        key.unlink()
        disk.take_back(image)
    disk.close()
