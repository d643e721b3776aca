"""The live socket ``.TABLE.live`` in the journals' folder, or a link there.

A Unix socket's address has at most 107 bytes.
"""

import contextlib
import fcntl
import os
import shutil
import socket
import stat
from pathlib import Path
from typing import Final, NamedTuple

from cardshoe.table.log.journal_names import SUFFIX, journals_of, stem_of

ENDING: Final = ".live"
BACKLOG: Final = 16
_MOMENT: Final = len("-20260101T000000-000000Z")


class NotLive(Exception):
    """No table runs there."""


class TablePlace(NamedTuple):
    folder: Path
    stem: str

    @classmethod
    def of(cls, folder: Path, table_id: str) -> "TablePlace":
        """The place of a table by its id."""
        return cls(folder, stem_of(table_id))

    @classmethod
    def of_journal(cls, journal: Path) -> "TablePlace":
        return cls(journal.parent, journal.name[: -len(SUFFIX) - _MOMENT])

    @property
    def socket(self) -> Path:
        """The live socket."""
        return self.folder / f".{self.stem}{ENDING}"

    @property
    def newest_journal(self) -> Path | None:
        return next(reversed(journals_of(self.folder, self.stem)), None)

    def __str__(self) -> str:
        return str(self.socket)


def connected(place: TablePlace, timeout_s: float | None) -> socket.socket:
    """A connection to a table; ``timeout_s`` ``None``: no limit.

    Raises:
        NotLive: no listener.
        OSError: not reachable, such as without permission.
    """
    try:
        found = os.open(place.socket, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise NotLive(f"{place.socket}: no table runs here") from error
    try:
        if not stat.S_ISSOCK(os.fstat(found).st_mode):
            raise NotLive(f"{place.socket}: not a socket, so no table's")
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            # First: where a process that has stopped accepts nobody, a socket without it would wait for ever.
            connection.settimeout(timeout_s)
            connection.connect(f"/proc/self/fd/{found}")
        except BlockingIOError as error:
            connection.close()
            raise TimeoutError("the table does not answer") from error
        except ConnectionRefusedError as error:
            connection.close()
            raise NotLive(f"{place.socket}: left behind by a table that was killed") from error
        except BaseException:
            connection.close()
            raise
        return connection
    finally:
        os.close(found)


class Door:
    """The listening socket of a table, and its name in the folder.

    A lock protects a running table's name; a killed one's is replaced.

    Args:
        shared: folder for other accounts of its group (mode 2750).

    Raises:
        BlockingIOError: another process serves there.
        OSError: it cannot be created.
    """

    def __init__(self, place: TablePlace, shared: Path | None = None) -> None:
        self._path: Final = place.socket if shared is None else shared / place.socket.name
        self._link: Final = None if shared is None else place.socket
        self._lock: Final = os.open(f"{place.socket}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.listening: Final = self._made()
        except BaseException:
            os.close(self._lock)
            raise

    def _made(self) -> socket.socket:
        making = Path(f"{self._path}-new")
        shutil.rmtree(making, ignore_errors=True)  # of one that was killed just then
        making.mkdir(mode=0o700)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        try:
            folder = os.open(making, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                listening.bind(f"/proc/self/fd/{folder}/s")
            finally:
                os.close(folder)
            # Nobody sees it before only those may connect who shall, and it listens.
            (making / "s").chmod(0o600 if self._link is None else 0o660)
            if self._link is not None:
                self._link.unlink(missing_ok=True)
                self._link.symlink_to(self._path.absolute())
            listening.listen(BACKLOG)
            (making / "s").rename(self._path)
        except BaseException:
            listening.close()
            raise
        finally:
            shutil.rmtree(making, ignore_errors=True)
        return listening

    def close(self) -> None:
        """Remove the name and stop listening."""
        for path in (self._link, self._path):
            if path is not None:
                with contextlib.suppress(OSError):
                    path.unlink()
        self.listening.close()
        os.close(self._lock)
