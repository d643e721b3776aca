"""The admitted tables: a file of IDs, reread on change."""

import logging
from pathlib import Path
from typing import Final

import msgspec

from cardshoe.floor.certificates import NAME_MAX
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain

logger: Final = logging.getLogger(__name__)

FILE_BYTES: Final = 1 << 20


class Enrolled:
    """The list of a floor's tables: an ID per line, plain or as a JSON string; ``#`` comments.

    Raises:
        Stop: it cannot be read, or a line is no ID.
    """

    def __init__(self, file: str) -> None:
        self._file: Final = Path(file)
        self._seen: tuple[int, int, int] | None = None
        self._ids: frozenset[str] = frozenset()
        self._fault = ""
        self._look()
        if self._fault:
            raise Stop(f"{file}: {self._fault}", "Write the ID of each table, one in a line.", Exit.USAGE)

    @property
    def ids(self) -> list[str]:
        """Sorted; empty while the file cannot be read."""
        self._look()
        return [] if self._fault else sorted(self._ids)

    def has(self, table: str) -> bool:
        """False for all while the file cannot be read."""
        return table in self.ids

    def _look(self) -> None:
        try:
            found = self._file.stat()
            seen = (found.st_mtime_ns, found.st_size, found.st_ino)
            if seen == self._seen:
                return
            ids = frozenset(map(_id, filter(_is_one, read_plain(self._file, FILE_BYTES).decode().splitlines())))
        except OSError as error:
            self._fail(f"cannot be read: {error.strerror or error}")
        except (ValueError, msgspec.MsgspecError) as error:
            self._fail(f"is not a list of tables: {error}")
        else:
            self._seen, self._ids, self._fault = seen, ids, ""

    def _fail(self, fault: str) -> None:
        if self._seen is not None and fault != self._fault:
            logger.error("%s: %s; every table is refused", self._file, fault)
        self._seen, self._fault = None, fault


def _is_one(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _id(line: str) -> str:
    found = line.strip()
    if found.startswith('"'):
        found = msgspec.json.decode(found, type=str)
    if not 1 <= len(found) <= NAME_MAX or not found.isprintable():
        raise ValueError(f"{found[:80]!r} is not an ID of 1 to {NAME_MAX} printable characters")
    return found
