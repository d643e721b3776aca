"""A table's newest known registry head, firmware list, security counters and time.

Stored with the journals, so that an old copy of the site's folder or a clock set back is noticed.
"""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from firmware_bridge.trust import files
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import ActRefused, FirmwareRefused, KeyRefused
from firmware_bridge.trust.facts import RegistryHead, Unit
from firmware_bridge.trust.times import CLOCK_TOLERANCE, format_time, parse_time
from regulations.events.notices import DeviceJudged

FILE: Final = "trust-seen.json"


class _Content(Struct, frozen=True, forbid_unknown_fields=True):
    head: str = ""
    time: str = ""
    counters: dict[str, Annotated[int, Meta(ge=0, lt=1 << 32)]] = {}
    lists: dict[str, Annotated[int, Meta(gt=0)]] = {}


class TrustMemory:
    """Written at each change; without ``keeps`` read only.

    Raises:
        KeyRefused: the file was altered.
    """

    def __init__(self, path: Path, *, keeps: bool = True) -> None:
        self._path: Final = path
        self._keeps: Final = keeps
        self._content = _Content()
        if path.exists():
            try:
                self._content = msgspec.json.decode(files.read(path), type=_Content)
                self._head = RegistryHead.parse(self._content.head) if self._content.head else None
                self._time = parse_time(self._content.time) if self._content.time else None
            except (msgspec.MsgspecError, ValueError, ActRefused) as error:
                raise KeyRefused(TrustCode.FILE_DAMAGED, f"{path} is not what was written there: {error}") from error
        else:
            self._head, self._time = None, None

    @property
    def head(self) -> RegistryHead | None:
        """The newest head of the registry; ``None`` before the first."""
        return self._head

    def counter(self, unit: Unit) -> int:
        """The highest security counter that a device ever attested here; 0 before the first."""
        return self._content.counters.get(_key(unit), 0)

    def check_clock(self, now: datetime) -> None:
        """The clock may not be set back.

        Raises:
            ActRefused: further behind the latest time than a time server corrects.
        """
        if self._time is not None and now < self._time - CLOCK_TOLERANCE:
            raise ActRefused(
                TrustCode.CLOCK_WENT_BACK, f"it is {format_time(now)}, and was {format_time(self._time)} before"
            )

    def check_list(self, anchor: str | None, version: int) -> None:
        """``anchor``: SHA-256 of the root; each has versions of its own.

        Raises:
            FirmwareRefused: a list older than the newest known.
        """
        newest = self._content.lists.get(anchor or "", 0)
        if version < newest:
            what = f"the list of approved firmware has version {version}, but the newest seen here had {newest}"
            raise FirmwareRefused(TrustCode.ROLLED_BACK, what)

    def record_head(self, head: RegistryHead, now: datetime | None = None) -> None:
        is_later = now is not None and (self._time is None or now > self._time)
        if head == self._head and not is_later:
            return
        self._head = head
        if now is not None and is_later:
            self._time = parse_time(format_time(now))
        self._write()

    def record_list(self, anchor: str | None, version: int) -> None:
        if self._content.lists.get(anchor or "") != version:
            self._write(lists={anchor or "": version})

    def attested(self, unit: Unit, counter: int) -> None:
        """Remember a security counter that an admitted device attested."""
        if counter > self.counter(unit):
            self._write(counters={_key(unit): counter})

    def recall(self, judged: DeviceJudged) -> None:
        """Apply a journal's newer decision, so that an old or missing file loses nothing."""
        head = _head_of(judged)
        is_newer = head is not None and (self._head is None or head.seq > self._head.seq)
        if is_newer:
            self._head = head
        facts = (judged.maker, judged.model, judged.serial)
        counter = judged.security_counter
        counters: dict[str, int] = {}
        if judged.verdict == "admitted" and not isinstance(counter, UnsetType) and UNSET not in facts:
            unit = Unit(*map(str, facts))
            counters = {_key(unit): counter} if counter > self.counter(unit) else {}
        if is_newer or counters:
            self._write(counters=counters)

    def _write(self, *, counters: dict[str, int] | None = None, lists: dict[str, int] | None = None) -> None:
        head = "" if self._head is None else str(self._head)
        time = "" if self._time is None else format_time(self._time)
        # A list of another anchor says nothing any more: two persons have replaced it.
        self._content = _Content(
            head, time, {**self._content.counters, **(counters or {})}, self._content.lists if lists is None else lists
        )
        if not self._keeps:
            return
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        files.replace(self._path, msgspec.json.encode(self._content) + b"\n", files.SECRET)


def _key(unit: Unit) -> str:
    return msgspec.json.encode([unit.maker, unit.model, unit.serial]).decode()


def _head_of(judged: DeviceJudged) -> RegistryHead | None:
    if isinstance(judged.registry, UnsetType):
        return None
    try:
        return RegistryHead.parse(judged.registry)
    except ValueError:
        return None  # a journal that was imported may say anything
