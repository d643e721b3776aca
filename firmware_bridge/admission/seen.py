"""What a table remembers of judging: the registry's newest head, each device's highest security counter, the time.

It lies with the table's journals, not in the site's folder: whoever puts an old copy of that folder back, or an older
firmware into a device, or the clock, is noticed by it. Without it nothing but that is lost.
"""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from firmware_bridge.trust import files
from firmware_bridge.trust.approved.store import CLOCK_TOLERANCE
from firmware_bridge.trust.certificates import Unit
from firmware_bridge.trust.codes import Code
from firmware_bridge.trust.errors import ActRefused, KeyRefused
from firmware_bridge.trust.registry import Head
from firmware_bridge.trust.times import format_time, parse_time

FILE: Final = "trust-seen.json"


class _Content(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in the file."""

    head: str = ""
    time: str = ""
    counters: dict[str, Annotated[int, Meta(ge=0, lt=1 << 32)]] = {}


class Seen:
    """The memory, in a file; written when something in it changes.

    Args:
        path: the file; made when there is something to remember.
        keeps: ``False``: nothing is written, for whoever only looks.

    Raises:
        KeyRefused: the file is not what was written.
    """

    def __init__(self, path: Path, *, keeps: bool = True) -> None:
        self._path: Final = path
        self._keeps: Final = keeps
        self._content = _Content()
        if path.exists():
            try:
                self._content = msgspec.json.decode(files.read(path), type=_Content)
                self._head = Head.parse(self._content.head) if self._content.head else None
                self._time = parse_time(self._content.time) if self._content.time else None
            except (msgspec.MsgspecError, ValueError, ActRefused) as error:
                raise KeyRefused(Code.FILE_DAMAGED, f"{path} is not what was written there: {error}") from error
        else:
            self._head, self._time = None, None

    @property
    def head(self) -> Head | None:
        """The newest head of the registry; ``None`` before the first."""
        return self._head

    def counter(self, unit: Unit) -> int:
        """The highest security counter that a device ever attested here; 0 before the first."""
        return self._content.counters.get(_key(unit), 0)

    def check_clock(self, now: datetime) -> None:
        """See that the clock was not set back.

        Raises:
            ActRefused: it is further behind the latest time noted than a time server sets it.
        """
        if self._time is not None and now < self._time - CLOCK_TOLERANCE:
            raise ActRefused(
                Code.CLOCK_WENT_BACK, f"it is {format_time(now)}, and was {format_time(self._time)} before"
            )

    def note(self, head: Head, now: datetime | None = None) -> None:
        """Remember a head of the registry, and the time if it is given.

        Raises:
            KeyRefused: the file cannot be written.
        """
        is_later = now is not None and (self._time is None or now > self._time)
        if head == self._head and not is_later:
            return
        self._head = head
        if now is not None and is_later:
            self._time = parse_time(format_time(now))
        self._write(self._content.counters)

    def attested(self, unit: Unit, counter: int) -> None:
        """Remember a security counter that an admitted device attested.

        Raises:
            KeyRefused: the file cannot be written.
        """
        if counter > self.counter(unit):
            self._write({**self._content.counters, _key(unit): counter})

    def _write(self, counters: dict[str, int]) -> None:
        head = "" if self._head is None else str(self._head)
        time = "" if self._time is None else format_time(self._time)
        self._content = _Content(head, time, counters)
        if not self._keeps:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        files.replace(self._path, msgspec.json.encode(self._content) + b"\n", files.SECRET)


def _key(unit: Unit) -> str:
    return msgspec.json.encode([unit.maker, unit.model, unit.serial]).decode()
