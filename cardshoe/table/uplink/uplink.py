"""Deliver every log, oldest first, then the running one.

After an error it restarts at the receipt. Only lines that the live socket reports as durable are sent.
"""

import logging
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from cardshoe.journal import JournalError
from cardshoe.journal.delivery.wire import BATCH_ENTRIES, EVIDENCE_BYTES, Has, OneLog, Stands
from cardshoe.journal.file.chain import data_of
from cardshoe.journal.file.wal import wal_of
from cardshoe.journal.reading.backups import copied
from cardshoe.journal.witness.cosigned import Cosigned, store_cosigned
from cardshoe.process.clock import wall_time
from cardshoe.process.log_throttle import LogThrottle
from cardshoe.table.live import messages as says
from cardshoe.table.live.client import LiveClient, number_of
from cardshoe.table.live.place import NotLive
from cardshoe.table.live.session import LiveError
from cardshoe.table.log.journal_names import journals_of
from cardshoe.table.uplink import delivery_record as kept
from cardshoe.table.uplink.carriers import carrier_to
from cardshoe.table.uplink.delivery import Behind, Delivery
from cardshoe.table.uplink.delivery_record import Kept
from cardshoe.table.uplink.figures import UplinkFigures
from cardshoe.table.uplink.persons_list import ListKeeper
from cardshoe.table.uplink.settings import UplinkSettings
from cardshoe.table.uplink.transport import FloorUnavailable, SenderConflict, UplinkRejected

logger: Final = logging.getLogger(__name__)


class Times(NamedTuple):
    """Waiting times in seconds; ``again`` and ``unread``: first and longest, doubling."""

    linger: float = 0.1
    pulse: float = 3.0
    again: tuple[float, float] = (0.5, 30.0)
    look: float = 2.0
    stopped: float = 20.0
    keep: float = 30.0
    unread: tuple[float, float] = (30.0, 900.0)


TIMES: Final = Times()
_OVER: Final = frozenset({"bye", "other_log"})
_LAST: Final = b'{"event":"next",'


class _AnotherLog(Exception):
    """The table has begun another log."""


class Uplink:
    """One table's uplink."""

    def __init__(self, settings: UplinkSettings, times: Times = TIMES, now: Callable[[], str] = wall_time) -> None:
        self._settings: Final = settings
        self._place: Final = settings.place
        self._times: Final = times
        self._carrier: Final = carrier_to(settings.section)
        self._sender: Final = secrets.token_hex(16)
        self._over: Final = threading.Event()
        self._witness = ""
        self._told = ""
        self._quiet: Final = LogThrottle()
        self._stopped: Final[set[str]] = set()
        self._unread: Final[dict[Path, JournalError]] = {}
        self._kept_s = 0.0
        self._seq = 0
        self._waiting: list[bytes] = []
        own = settings.section.folder
        self._folder: Final = self._place.folder if own is None else Path(own)
        mode = 0o600 if own is None else 0o640
        self._list: Final = None if settings.persons is None else ListKeeper(*settings.persons, settings.table_id, mode)
        self.figures: Final = UplinkFigures(now)

    def stop(self) -> None:
        """Let `run` return soon; from any thread."""
        self._over.set()
        self._carrier.close()

    def run(self) -> None:
        """Deliver until stopped."""
        wait_s = self._times.again[0]
        while not self._over.is_set():
            delivered = self.figures.delivered
            try:
                self._round()
            except (FloorUnavailable, Behind, LiveError, _AnotherLog, OSError) as error:
                self._tell(str(error))
                if isinstance(error, SenderConflict):
                    wait_s = self._times.again[0]
            except UplinkRejected as refused:
                self._tell(f"the floor accepts no more: {refused.refusal.reason} ({refused.refusal.code})")
                self._over.wait(self._times.stopped)
            except JournalError as error:
                self._tell(str(error))
            else:
                self._told = ""
            if self.figures.delivered > delivered:
                wait_s = self._times.again[0]
            self._over.wait(wait_s)
            wait_s = min(2 * wait_s, self._times.again[1])

    def _tell(self, what: str) -> None:
        is_new = what and what != self._told and not self._over.is_set()
        if is_new and self._quiet.is_due(what, time.monotonic()):
            logger.warning("%s", what)
        self._told = what

    def _tell_stopped(self, path: Path, log: str, stands: Stands) -> None:
        if log not in self._stopped:
            self._stopped.add(log)
            logger.error(
                "%s: the floor accepts no more of this log: %s. Tell the supervisor", path.name, stands.stopped
            )

    # --- one look at everything --------------------------------------------------------------------------------------

    def _round(self) -> None:
        try:
            client = LiveClient(self._place)
        except NotLive:
            self._deliver_closed("")
            self._over.wait(self._times.look)
            return
        # Where the floor is away this is all that is done for the table until it is tried again.
        with client:
            hello = client.hello
            self.figures.durable(hello.log, hello.entry)
            # From here on its lines wait there, and those before are in the journal.
            if not isinstance(client.subscribe(hello.seq, hello.log, notes=True), says.Resumed):
                raise _AnotherLog
            self._deliver_closed(hello.log)
            self._follow(client)

    def _deliver_closed(self, running: str, *, unread: bool = False) -> None:
        journals = journals_of(self._place.folder, self._settings.table_id)
        for gone in self._unread.keys() - journals:
            del self._unread[gone]
        # What is kept of one that is not closed is older than the floor's mark may be.
        closed: list[tuple[Path, Kept]] = []
        for path in journals:
            if (path in self._unread or not unread) and not self._may_grow(path, running):
                with self._by_itself(path):
                    closed.append((path, kept.read(path, self._folder) or _looked_at(path)))
        stands = self._asked([OneLog(log=one.log, last=one.last) for _, one in closed])
        for (path, one), there in zip(closed, stands, strict=True):
            mark = self._carrier.mark(there, self._settings.table_id, one.log)
            self.figures.log(one.log, one.last, -1 if mark is None else mark.entry)
            with self._by_itself(path):
                if there.stopped:
                    self._tell_stopped(path, one.log, there)
                elif not one.finished or mark is None or mark.entry < one.last:
                    self._deliver_one(path, one, there)
                if self._unread.pop(path, None) is not None:
                    logger.warning("%s: can be read again", path)
        self.figures.unread(self._unread)

    @contextmanager
    def _by_itself(self, path: Path) -> Iterator[None]:
        try:
            yield
        except JournalError as error:
            if str(self._unread.get(path)) != str(error):
                logger.error("%s It is not delivered now, and tried again", error)  # noqa: TRY400  its text says it all
            self._unread[path] = error
            self.figures.unread(self._unread)

    def _may_grow(self, path: Path, running: str) -> bool:
        return path == self._place.newest_journal and (running != "" or wal_of(path).exists())

    def _deliver_one(self, path: Path, one: Kept, stands: Stands) -> None:
        delivery = self._delivery(one.log, stands)
        before = path.stat()
        with copied(path, unlocked=True) as evidence:
            delivery.begin(evidence)
            for entries in delivery.stored(evidence, one.last):
                self._send(delivery, entries, one.last, with_all_notes=False)
            self._send(delivery, [], one.last)
        self._keep(path, delivery, one.last, finished=before)

    # --- the running log ---------------------------------------------------------------------------------------------

    def _follow(self, client: LiveClient) -> None:
        log, last = client.hello.log, client.hello.entry
        self._seq, self._waiting = client.hello.seq, []
        path = self._place.newest_journal
        if path is None:
            raise _AnotherLog
        (stands,) = self._asked([OneLog(log=log, last=last)])
        delivery = self._delivery(log, stands)
        self.figures.log(log, last, delivery.last)
        if stands.stopped:
            self._tell_stopped(path, log, stands)
            self._over.wait(self._times.stopped)
            return
        with copied(path, unlocked=True) as evidence:
            if evidence.header.fingerprint != log:
                raise _AnotherLog
            delivery.begin(evidence)
            for entries in delivery.stored(evidence, last):
                self._send(delivery, entries, last, with_all_notes=False)
        self._send(delivery, [], last)
        pause_s = self._times.unread[0]
        again_s = time.monotonic() + pause_s
        while not self._over.is_set():
            entries, is_over = self._gathered(client, delivery)
            self._send(delivery, entries, delivery.size + len(entries) - 1)
            self._keep(path, delivery, delivery.last)
            if is_over:
                return
            if time.monotonic() >= again_s:
                self._deliver_closed(log, unread=True)
                pause_s = min(2 * pause_s, self._times.unread[1])
                again_s = time.monotonic() + pause_s

    def _gathered(self, client: LiveClient, delivery: Delivery) -> tuple[list[bytes], bool]:
        entries: list[bytes] = []
        until_s = time.monotonic() + self._times.pulse
        while len(entries) < BATCH_ENTRIES and not self._over.is_set():
            try:
                said = client.news(max(0.0, until_s - time.monotonic()))
            except LiveError as error:
                if error.code not in _OVER:
                    raise
                return entries, True
            if said is None:
                break
            if isinstance(said, says.NoteMessage):
                if not delivery.note(said.note.encode()):
                    raise Behind
            else:
                self._take_line(bytes(said.line))
                if self._waiting[-1].startswith(_LAST):
                    entries.append(data_of(self._waiting))
                    self._waiting = []
                    self.figures.waits(delivery.log, delivery.size + len(entries) - 1, entries[-1])
            until_s = min(until_s, time.monotonic() + self._times.linger)
        return entries, False

    def _take_line(self, line: bytes) -> None:
        self._seq += 1
        if number_of(line) != self._seq:
            raise LiveError("gap", "the table left a line out")
        self._waiting.append(line)

    # --- helpers -----------------------------------------------------------------------------------------------------

    def _asked(self, logs: Sequence[OneLog]) -> list[Stands]:
        marks = self._carrier.has(Has(table=self._settings.table_id, sender=self._sender, logs=list(logs)))
        if len(marks.logs) != len(logs):
            raise FloorUnavailable("the floor answered for logs that were not named")
        self._witness = marks.witness
        self._receive_list(marks.persons)
        return marks.logs

    def _delivery(self, log: str, stands: Stands) -> Delivery:
        return Delivery(self._carrier, self._settings.table_id, log, self._sender, stands)

    def _send(self, delivery: Delivery, entries: list[bytes], last: int, *, with_all_notes: bool = True) -> None:
        if self._over.is_set():
            raise FloorUnavailable("")
        if entries:
            self.figures.waits(delivery.log, last, entries[0])
        delivery.send(entries, last, with_all_notes=with_all_notes)
        self.figures.sent(delivery.log, delivery.last)
        self._receive_list(delivery.stands.persons)

    def _receive_list(self, digest: str) -> None:
        if self._list is not None:
            self._list.hear(digest, self._fetched)

    def _fetched(self, kept: bytes) -> bytes:
        shown = kept.decode() if len(kept) <= EVIDENCE_BYTES else ""
        has = Has(table=self._settings.table_id, sender=self._sender, logs=[], persons=shown)
        return self._carrier.has(has).list.encode()

    def _keep(self, path: Path, delivery: Delivery, last: int, *, finished: os.stat_result | None = None) -> None:
        if finished is None and time.monotonic() - self._kept_s < self._times.keep:
            return
        self._kept_s = time.monotonic()
        kept.write(
            path,
            self._folder,
            Kept(
                log=delivery.log,
                last=last,
                finished=finished is not None,
                mark=delivery.stands.mark,
                size=0 if finished is None else finished.st_size,
                changed_ns=0 if finished is None else finished.st_mtime_ns,
            ),
        )
        if delivery.signed_note:
            store_cosigned(
                self._folder / path.name,
                Cosigned(self._settings.section.to, self._witness, delivery.signed_note.decode()),
            )


def _looked_at(path: Path) -> Kept:
    with copied(path, unlocked=True) as evidence:
        return Kept(
            log=evidence.header.fingerprint,
            last=evidence.last,
            finished=False,
            mark="",
            size=0,
            changed_ns=0,
        )
