"""Locks between a running table and updates of its devices.

System locks end with the process; each device of a site has its own (``at-work/NAME``).
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain
from cardshoe.table.log.journal_names import stem_of
from firmware_bridge.trust.files import sync_folder


@contextlib.contextmanager
def at_work(folder: Path, table_id: str, *, updates: bool = False) -> Iterator[None]:
    """Exclude updates while a table runs; ``updates``: exclude tables and updates.

    Raises:
        Stop: the other is at work, or the folder is not writable.
    """
    path = folder / f".{stem_of(table_id)}.at-work"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Stop(
            f"{path}: {error.strerror}", "Name a folder that can be written in [journal].", Exit.USAGE
        ) from error
    try:
        try:
            # Two tables are told apart by their journal, which says who has it; so they share this.
            fcntl.flock(descriptor, (fcntl.LOCK_EX if updates else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError as error:
            who = (
                "this table is at work, or another device of it is updated" if updates else "a device is being updated"
            )
            raise Stop(f"{path}: {who}", "Wait until that has ended, then try again.", Exit.FAILURE) from error
        yield
    finally:
        os.close(descriptor)


FOLDER: Final = "at-work"


class UnderWay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    log: str
    config: str


class DeviceFile:
    def __init__(self, site: Path, device: str) -> None:
        self.path: Final = site / FOLDER / device

    def read(self) -> UnderWay | None:
        """The update under way; ``None``: none."""
        try:
            data = read_plain(self.path)
            return msgspec.json.decode(data, type=UnderWay) if data.strip() else None
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as error:
            what = f"{self.path}: its content does not name an update: {error}"
            raise Stop(
                what, "Find out who changed the file, then run the newest update of the device again.", Exit.USAGE
            ) from error

    def write(self, said: UnderWay | None) -> None:
        """Record an update, or its end, durably."""
        data = b"" if said is None else msgspec.json.encode(said) + b"\n"
        with self._opened() as descriptor:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, data, 0)
            os.fsync(descriptor)
        sync_folder(self.path.parent)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other tables and updates off the device while the block runs.

        Raises:
            Stop: one has it, or the lock file cannot be created.
        """
        with self._opened(writes=False) as descriptor:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                what = f"{self.path}: another table has this device, or it is being updated"
                raise Stop(what, "Wait until that has ended, then try again.", Exit.FAILURE) from error
            yield

    @contextlib.contextmanager
    def _opened(self, *, writes: bool = True) -> Iterator[int]:
        try:
            descriptor = self._open(writes=writes)
        except OSError as error:
            raise Stop(
                f"{self.path}: {error.strerror}: the device cannot be kept from other tables and from updates",
                f"Make it with an account that may write there: install -D -m 644 /dev/null {self.path}",
                Exit.USAGE,
            ) from error
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _open(self, *, writes: bool) -> int:
        # A table only reads its site's folder: a file that is there is enough for it.
        with contextlib.suppress(FileNotFoundError):
            return os.open(self.path, (os.O_RDWR if writes else os.O_RDONLY) | os.O_CLOEXEC | os.O_NOFOLLOW)
        self.path.parent.mkdir(mode=0o755, exist_ok=True)
        return os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
