"""A disk on which only what was synced is certain, and every state that a power cut may leave on it."""

import hashlib
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from tests.powercut.layer import epoch_of
from tests.powercut.operations import (
    SECTOR_BYTES,
    Acknowledged,
    Bound,
    Erased,
    FolderSynced,
    Operation,
    Resized,
    Synced,
    Unbound,
    Written,
)

Kept = Literal["none", "all", "torn"]
"""What a power cut keeps of what was not synced."""

_SPAN: Final = 2**256


@dataclass
class Remains:
    """The remains of one file: its durable bytes up to ``cut``, then these sectors, then this size."""

    cut: int
    size: int
    sectors: dict[int, bytearray] = field(default_factory=dict)


class Inode:
    """One file: its durable bytes, in a real file too, and what was done since its last sync."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pending: list[Written | Resized] = []
        self._data = bytearray()
        self._hashes: dict[int, int] = {}
        self._sum = 0
        self._size = 0  # with all that is pending
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)

    def close(self) -> None:
        """Gives the descriptor back."""
        os.close(self._descriptor)

    def change(self, operation: Written | Resized) -> None:
        """A write, a cut, a growth."""
        if isinstance(operation, Resized):
            self._size = operation.size
        else:
            end = operation.end
            if operation.offset >= self._size and not operation.data.strip(b"\0"):
                operation = Resized(operation.file, end)  # zeros behind the end: the same as a growth, and quicker
            self._size = max(self._size, end)
        self.pending.append(operation)

    def durable(self) -> Remains:
        """The remains if nothing was kept that was not synced."""
        return Remains(len(self._data), len(self._data))

    def everything(self) -> Remains:
        """The remains if all was kept."""
        count = len(self.pending)
        return self._remains(lambda: count, count, count)

    def torn(self, chance: random.Random) -> Remains:
        """The remains if each sector was written back at some moment of its own."""
        count = len(self.pending)
        lean = chance.choice((0.0, 0.5, 0.9))
        latest = chance.choice((0, count, count))
        last = chance.randint(0, count)  # as often, all in the order of the writes

        def moment() -> int:
            return latest if chance.random() < lean else chance.randint(0, count)

        moments = (lambda: last) if chance.random() < 0.2 else moment
        return self._remains(moments, chance.randint(0, count), chance.randint(0, count))

    def _remains(self, moment: Callable[[], int], cuts_until: int, size_at: int) -> Remains:
        remains = Remains(len(self._data), len(self._data))
        moments: dict[int, int] = {}
        for index, operation in enumerate(self.pending):
            if isinstance(operation, Resized):
                if index < cuts_until:
                    _cut(remains, operation.size)
                if index < size_at:
                    remains.size = operation.size
                continue
            if index < size_at:
                remains.size = max(remains.size, operation.end)
            for sector in range(operation.offset // SECTOR_BYTES, (operation.end - 1) // SECTOR_BYTES + 1):
                if sector not in moments:
                    moments[sector] = moment()
                if index < moments[sector]:
                    self._write(remains, sector, operation)
        return remains

    def _write(self, remains: Remains, sector: int, operation: Written) -> None:
        start = sector * SECTOR_BYTES
        if sector not in remains.sectors:
            found = self._data[start : max(start, min(remains.cut, start + SECTOR_BYTES))]
            remains.sectors[sector] = found + bytes(SECTOR_BYTES - len(found))
        first, behind = max(start, operation.offset), min(start + SECTOR_BYTES, operation.end)
        part = operation.data[first - operation.offset : behind - operation.offset]
        remains.sectors[sector][first - start : behind - start] = part

    def content(self, remains: Remains) -> bytes:
        """The bytes themselves."""
        data = self._data[: remains.cut]
        end = max([remains.size, len(data), *((sector + 1) * SECTOR_BYTES for sector in remains.sectors)])
        data.extend(bytes(end - len(data)))
        for sector, found in remains.sectors.items():
            data[sector * SECTOR_BYTES : (sector + 1) * SECTOR_BYTES] = found
        return bytes(data[: remains.size])

    def fingerprint(self, remains: Remains) -> bytes:
        """Stands for the content: the sum of the hashes of its sectors that are not empty, each with its place."""
        if self._is_shorter(remains):
            total = sum(_hashes(self.content(remains)).values())
        else:
            total = self._sum
            for sector, data in remains.sectors.items():
                inside = remains.size - sector * SECTOR_BYTES
                if inside > 0:
                    total += _hash(sector, data[:inside]) - self._hashes.get(sector, 0)
        return (total % _SPAN).to_bytes(32, "big") + remains.size.to_bytes(8, "big")

    def put(self, remains: Remains) -> None:
        """Makes the real file hold what is left."""
        if self._is_shorter(remains):
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, self.content(remains), 0)
            return
        for sector, data in remains.sectors.items():
            os.pwrite(self._descriptor, data, sector * SECTOR_BYTES)
        os.ftruncate(self._descriptor, remains.size)

    def take_back(self, remains: Remains) -> None:
        """Makes the real file hold the durable bytes again."""
        if self._is_shorter(remains):
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, self._data, 0)
            return
        for sector in remains.sectors:
            start = sector * SECTOR_BYTES
            os.pwrite(self._descriptor, self._data[start : start + SECTOR_BYTES], start)
        os.ftruncate(self._descriptor, len(self._data))

    def holds(self, secret: bytes) -> bool:
        """True if the bytes are there in some state that a power cut may leave, seen without any name."""
        written = (one.data for one in self.pending if isinstance(one, Written))
        return secret in self._data or any(secret in data for data in written)

    def sync(self) -> None:
        if not self.pending:
            return
        remains = self.everything()
        self.put(remains)
        if self._is_shorter(remains):
            self._data = bytearray(self.content(remains))
            self._hashes = _hashes(self._data)
            self._sum = sum(self._hashes.values())
        else:
            self._data.extend(bytes(remains.size - len(self._data)))
            for sector, data in remains.sectors.items():
                start = sector * SECTOR_BYTES
                inside = min(SECTOR_BYTES, remains.size - start)
                self._data[start : start + inside] = data[:inside]
                now = _hash(sector, data[:inside])
                self._sum += now - self._hashes.get(sector, 0)
                self._hashes[sector] = now
        self.pending.clear()

    def _is_shorter(self, remains: Remains) -> bool:
        return min(remains.cut, remains.size) < len(self._data)


def _cut(remains: Remains, size: int) -> None:
    remains.cut = min(remains.cut, size)
    for sector, data in remains.sectors.items():
        inside = min(SECTOR_BYTES, max(0, size - sector * SECTOR_BYTES))
        data[inside:] = bytes(SECTOR_BYTES - inside)


def _hash(sector: int, data: bytes | bytearray) -> int:
    stripped = bytes(data).rstrip(b"\0")
    if not stripped:
        return 0
    return int.from_bytes(hashlib.blake2b(stripped, digest_size=32, salt=sector.to_bytes(8, "big")).digest(), "big")


def _hashes(data: bytes | bytearray) -> dict[int, int]:
    used = len(data.rstrip(b"\0"))
    return {
        start // SECTOR_BYTES: _hash(start // SECTOR_BYTES, data[start : start + SECTOR_BYTES])
        for start in range(0, used, SECTOR_BYTES)
    }


@dataclass(frozen=True)
class Image:
    """The state that a power cut leaves."""

    names: dict[str, int]
    files: dict[int, Remains]
    digest: bytes


class Disk:
    """One folder of a disk that only promises what was synced."""

    def __init__(self, store: Path, shown: Path) -> None:
        self.shown = shown
        self._store = store
        self._files: dict[int, Inode] = {}
        self._names: dict[str, int] = {}
        self._earlier: dict[str, list[int | None]] = {}
        """Of each name that changed since the folder's last sync: where it led, from the durable one on; without the
        newest."""
        self._put: dict[str, int] = {}
        self._first: dict[Path, Path] = {}

    def close(self) -> None:
        """Gives the descriptors back."""
        for file in self._files.values():
            file.close()

    @property
    def is_settled(self) -> bool:
        """True if all is durable, so that there is only one state."""
        return not self._earlier and not any(self._files[number].pending for number in self._names.values())

    def apply(self, operation: Operation) -> None:
        """One operation is done."""
        match operation:
            case Bound(name, number):
                if number not in self._files:
                    self._files[number] = Inode(self._store / str(number))
                self._lead(name, number)
            case Unbound(name):
                self._lead(name, None)
            case Written(number) | Resized(number):
                self._files[number].change(operation)
            case Synced(number):
                self._files[number].sync()
            case FolderSynced():
                self._earlier.clear()
            case Acknowledged() | Erased():
                pass  # nothing of the disk

    def _lead(self, name: str, number: int | None) -> None:
        self._earlier.setdefault(name, []).append(self._names.pop(name, None))
        if number is not None:
            self._names[name] = number

    def image(self, names: Kept, files: Kept, chance: random.Random) -> Image:
        """One state after a power cut now."""
        led = dict(self._names)
        for name, earlier in self._earlier.items() if names != "all" else ():
            options = [*earlier, self._names.get(name)]
            chosen = options[0] if names == "none" else chance.choice(options)
            led.pop(name, None)
            if chosen is not None:
                led[name] = chosen
        remains: dict[int, Remains] = {}
        for number in sorted(set(led.values())):
            file = self._files[number]
            if files == "torn":
                remains[number] = file.torn(chance)
            else:
                remains[number] = file.durable() if files == "none" else file.everything()
        digest = hashlib.blake2b(digest_size=32)
        for name, number in sorted(led.items()):
            digest.update(name.encode() + b"\0" + self._files[number].fingerprint(remains[number]))
        return Image(led, remains, digest.digest())

    def holds(self, secret: bytes) -> bool:
        """True if these bytes, which lie within one sector, may be found in any file, with or without a name."""
        return any(file.holds(secret) for file in self._files.values())

    def content(self, image: Image) -> dict[str, bytes]:
        """The bytes of every file, by name."""
        return {name: self._files[number].content(image.files[number]) for name, number in image.names.items()}

    def put(self, image: Image) -> None:
        """Lets the image appear in the shown folder."""
        for number, remains in image.files.items():
            self._files[number].put(remains)
        # Opening a journal overwrites keys: they are shown as copies.
        linked = {name: number for name, number in image.names.items() if epoch_of(name) is None}
        if linked != self._put:
            self._hide()
            for name, number in linked.items():
                self._show(name, self._files[number].path)
            self._put = linked
        for name in image.names.keys() - linked.keys():
            (self.shown / name).write_bytes(self._files[image.names[name]].content(image.files[image.names[name]]))

    def _show(self, name: str, home: Path) -> None:
        if home.exists():
            home.rename(self.shown / name)
            self._first[home] = self.shown / name
        else:
            (self.shown / name).hardlink_to(self._first[home])

    def _hide(self) -> None:
        for name, number in self._put.items():
            if self._files[number].path.exists():
                (self.shown / name).unlink()
            else:
                (self.shown / name).rename(self._files[number].path)

    def take_back(self, image: Image) -> None:
        """Makes room for the next image; what was opened meanwhile may have added names, and bytes to copies."""
        for found in list(self.shown.iterdir()):
            if found.name not in self._put:
                found.unlink()
        for number, remains in image.files.items():
            self._files[number].take_back(remains)
