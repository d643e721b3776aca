"""The floor's list at a table: verified, never replaced by an older one."""

import logging
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from cardshoe.journal.proof.note import BadNote, VerifyKey
from cardshoe.persons.files import write_whole
from cardshoe.persons.registry import Person, StaffRegistry
from cardshoe.persons.signed_list import LIST_BYTES, ListEdition, SignedList
from cardshoe.process.clock import wall_time
from cardshoe.process.plain_file import read_plain
from firmware_bridge.trust.exposure import exposure
from regulations.events.notices import PersonsListed

logger: Final = logging.getLogger(__name__)


_SEEN_BYTES: Final = 4096


class _Seen(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: str
    version: int
    issued: str


class ActiveList(Struct, frozen=True):
    issued: SignedList
    persons: Mapping[str, Person]
    lapsed: bool


class FloorList:
    """The floor's signed list in a file of another account.

    Args:
        memory: folder that records the newest list against rollback; ``None``: the file's.
        writer: number of the writing account; ``None``: the table's own.
    """

    def __init__(
        self,
        path: Path,
        key: VerifyKey,
        table: str,
        now: Callable[[], str] = wall_time,
        *,
        memory: Path | None = None,
        writer: int | None = None,
    ) -> None:
        self._path: Final = path
        self._memory: Final = (memory or path.parent) / f"{path.name}-seen"
        self._writer: Final = writer
        self._key: Final = key
        self._table: Final = table
        self._now: Final = now
        self._stamp: tuple[int, ...] | None = None
        self._told = ""
        self._turn: Final = threading.Lock()
        self.holding: ActiveList | None = None
        """The active list, replaced as a whole: any thread may read it."""

    def poll(self) -> PersonsListed | None:
        """Read a new list and check expiry; return the event to log, ``None``: no change."""
        with self._turn:
            return self._polled()

    def _polled(self) -> PersonsListed | None:
        before = self.holding
        issued = self._newer() or (None if before is None else before.issued)
        if issued is None:
            return None
        lapsed = self._now() >= issued.until
        if before is not None and (before.issued.edition, before.lapsed) == (issued.edition, lapsed):
            return None
        self.holding = ActiveList(issued, issued.persons, lapsed)
        if lapsed:
            logger.warning("%s: it expired at %s: only its croupiers may sign in", self._path, issued.until)
        return self.listed

    @property
    def listed(self) -> PersonsListed | None:
        """The log entry for the active list; ``None``: no list."""
        now = self.holding
        if now is None:
            return None
        issued = now.issued
        return PersonsListed(
            version=issued.version,
            issued=issued.issued,
            until=issued.until,
            persons=len(issued.entries),
            lapsed=now.lapsed,
        )

    @property
    def left_s(self) -> float | None:
        """Seconds until expiry, negative afterwards; ``None``: no list."""
        if self.holding is None:
            return None
        until, now = (datetime.fromisoformat(at) for at in (self.holding.issued.until, self._now()))
        return (until - now).total_seconds()

    def _newer(self) -> SignedList | None:
        try:
            found = self._path.stat()
            stamp = (found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)
            if stamp == self._stamp:
                return None
            self._stamp = stamp
            if (open_to := exposure(self._path, self._writer)) is not None:
                self._log_once(f"{open_to.what}. Fix it: {open_to.command}")
                return None
            issued = SignedList.read(read_plain(self._path, LIST_BYTES), self._key, self._table)
            seen = self._seen()
            before = None if self.holding is None else self.holding.issued
            if issued.edition < seen or not (before in (None, issued) or issued.follows(before)):
                what = f"list {issued.version} of {issued.issued} is older than an accepted one, or differs from it"
                self._log_once(f"{self._path}: {what}")
                return None
            if issued.edition > seen:
                # Before anybody is let in by it: what was taken once is never gone back behind.
                self._remember(issued.edition)
        except FileNotFoundError:
            self._stamp = None
        except OSError as error:
            self._stamp = None
            self._log_once(f"{self._path}: cannot be used: {error.strerror or error}")
        except BadNote as error:
            self._log_once(f"{self._path}: was rejected: {error.reason}")
        else:
            self._told = ""
            return issued
        return None

    def _seen(self) -> ListEdition:
        if self.holding is not None:
            return self.holding.issued.edition
        try:
            seen = msgspec.json.decode(read_plain(self._memory, _SEEN_BYTES), type=_Seen)
        except FileNotFoundError:
            return ListEdition()
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise OSError(
                f"{self._memory} cannot be read as this table's memory of lists; remove it to begin again"
            ) from error
        return ListEdition(seen.version, seen.issued) if seen.key == str(self._key) else ListEdition()

    def _remember(self, edition: ListEdition) -> None:
        seen = _Seen(key=str(self._key), version=edition.version, issued=edition.issued)
        write_whole(self._memory, msgspec.json.encode(seen) + b"\n")

    def _log_once(self, what: str) -> None:
        if what != self._told:
            logger.warning("%s", what)
        self._told = what


class MergedPersons:
    """Staff of a table's file and the floor's list.

    A valid list alone counts. After expiry its croupiers stay valid and disabled people stay disabled.
    """

    def __init__(self, registry: StaffRegistry, listed: FloorList) -> None:
        self._registry: Final = registry
        self._listed: Final = listed
        self._mixed: tuple[ActiveList, Mapping[str, Person], Mapping[str, Person]] | None = None

    def persons(self) -> Mapping[str, Person]:
        """The valid staff, by id.

        Raises:
            Stop: others can reach the file, or it is no registry.
        """
        holding = self._listed.holding
        if holding is not None and not holding.lapsed:
            return holding.persons
        own = self._registry.persons()
        if holding is None:
            return own
        mixed = self._mixed
        if mixed is None or mixed[0] is not holding or mixed[1] is not own:
            still = {name: one for name, one in holding.persons.items() if one.disabled or one.role == "croupier"}
            mixed = self._mixed = (holding, own, {**own, **still})
        return mixed[2]
