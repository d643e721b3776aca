"""The staff registry: a TOML file of mode 0600, reread on change."""

import re
import threading
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from cardshoe.persons.files import alone, write_whole
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import read_plain
from firmware_bridge.trust.exposure import exposure
from regulations.events.vocabulary import Role

FILE_BYTES: Final = 1 << 20
ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_HEAD: Final = "# Who may say what at the table. Written by `cardshoe persons`. Secret: docs/persons.md.\n"


class Person(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person; unknown fields make the file unreadable.

    Attributes:
        pin: argon2id hash.
        disabled: all acts are refused; the id stays taken.
    """

    id: str
    role: Role
    pin: str
    disabled: bool = False


class PersonSource(Protocol):
    def persons(self) -> Mapping[str, Person]:
        """The known staff, by id.

        Raises:
            Stop: the source cannot be read.
        """


class _File(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    person: list[Person] = []


class StaffRegistry:
    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._guard: Final = threading.Lock()
        self._stamp: tuple[int, ...] | None = None
        self._persons: dict[str, Person] = {}

    def persons(self) -> Mapping[str, Person]:
        """The known staff, by id.

        Raises:
            Stop: others can reach the file, or it is no registry.
        """
        with self._guard:
            stamp = self._now()
            if stamp != self._stamp:
                self._persons = self._read() if stamp else {}
                self._stamp = stamp
            return self._persons

    def change(self, change: Callable[[dict[str, Person]], Iterable[Person]]) -> None:
        """Replace the staff under the lock, durably; after an error the file is unchanged.

        Raises:
            Stop: the file cannot be read or written.
        """
        try:
            with alone(self.path.parent):
                persons = change(dict(self.persons()))
                write_whole(self.path, (_HEAD + "".join(map(_entry, persons))).encode())
        except OSError as error:
            raise self._stop(f"cannot be written: {error.strerror}", "Check its folder, then try again.") from error

    def _now(self) -> tuple[int, ...]:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise self._stop(f"cannot be read: {error.strerror}", "Let the table's user read it.") from error
        return (found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)

    def _read(self) -> dict[str, Person]:
        if (found := exposure(self.path)) is not None:
            raise Stop(found.what, f"Fix it: {found.command}. Its readers can try PINs: change them.", Exit.USAGE)
        try:
            read = msgspec.convert(tomllib.loads(read_plain(self.path, FILE_BYTES).decode()), _File).person
        except OSError as error:
            raise self._stop(f"cannot be read: {error.strerror}", "Let the table's user read it.") from error
        except (ValueError, RecursionError) as error:
            raise self._stop(f"is not a registry of persons: {error}", "Restore the file from a copy.") from error
        persons = {one.id: one for one in read}
        if len(persons) < len(read) or not all(map(ID.fullmatch, persons)):
            raise self._stop("names an id twice, or an invalid one", "Restore the file from a copy.")
        return persons

    def _stop(self, what: str, remedy: str) -> Stop:
        return Stop(f"{self.path}: {what}", remedy, Exit.USAGE)


def _entry(person: Person) -> str:
    disabled = "disabled = true\n" if person.disabled else ""
    # Neither an id nor a hash has a sign that TOML would read otherwise.
    return f'\n[[person]]\nid = "{person.id}"\nrole = "{person.role}"\npin = "{person.pin}"\n{disabled}'
