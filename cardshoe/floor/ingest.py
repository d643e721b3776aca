"""Verify and store a table's entries in one transaction, with the signed receipt.

Stored entries are never rewritten, only compared.
"""

import logging
import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Final, TypeVar

import msgspec
from msgspec import UNSET, Struct

from cardshoe.floor.alarm_kinds import Alarm, NotTaken
from cardshoe.floor.alarms import raise_alarm
from cardshoe.floor.database import Database, Db, Unavailable, month_of
from cardshoe.floor.enrolled import Enrolled
from cardshoe.floor.facts.guessing import count, read_refusals
from cardshoe.floor.persons.list_distribution import Handing
from cardshoe.floor.senders import LEASE_S, claim
from cardshoe.floor.streams import LineEvent, Statement, Stream
from cardshoe.floor.witness import FloorWitness
from cardshoe.journal.delivery.wire import LOGS_MAX, NONE, Batch, Code, Has, Mark, Marks, OneLog, Refusal, Stands
from cardshoe.journal.file.chain import Chain, Entry, OutOfOrder, lines_of
from cardshoe.journal.file.header import Header, Previous, decode_header
from cardshoe.journal.proof.note import BadNote, Note, SigningKey, VerifyKey
from cardshoe.journal.proof.statements import Takeover, read_statement
from cardshoe.journal.proof.tree import Frontier, leaf_hash
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Stop

logger: Final = logging.getLogger(__name__)
AnswerT = TypeVar("AnswerT")

_EVENT: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
"""Only such names reach a column that pages show."""
_BEGUN: Final = """
SELECT count(*) FROM streams WHERE table_id = %(table)s AND began_at > coalesce(
    (SELECT max(closed_at) FROM alarms WHERE table_id = %(table)s AND kind = 'many_logs'), '-infinity')
"""
_named: Final = msgspec.json.Decoder(LineEvent)


class Signed(Struct, frozen=True):
    note: bytes
    said: Statement
    root: bytes


class Collector:
    """Accepts batches of tables; from any thread.

    Args:
        handing: lists of staff; ``None``: none.
        enrolled: ``None``: all tables with a certificate.
        lease_s: silence after which another uplink may send for a table.
    """

    def __init__(
        self,
        database: Database,
        key: SigningKey,
        witness: FloorWitness,
        handing: Handing | None = None,
        enrolled: Enrolled | None = None,
        *,
        lease_s: float = LEASE_S,
        now: Callable[[], str] = wall_time,
    ) -> None:
        self._database: Final = database
        self._key: Final = key
        self._witness: Final = witness
        self._handing: Final = handing
        self._enrolled: Final = enrolled
        self._lease_s: Final = lease_s
        self._now: Final = now
        self._month: date | None = None

    @property
    def key(self) -> str:
        """The public key of the receipts, as text."""
        return str(self._key.public)

    def marks(self, table: str, has: Has) -> Marks | Refusal:
        """The floor's position in each log of a table."""

        def answer() -> Marks:
            self._check_sender(table, has.table, has.sender)
            with self._database.transaction() as db:
                here = {stream.log: stream for stream in Stream.all_locked(db, table, [one.log for one in has.logs])}
                stands = [self._stands(db, table, one, here.get(one.log)) for one in has.logs]
            marks = Marks(key=self.key, witness=self._witness.key, logs=stands, persons=self._news(table))
            if has.persons is UNSET or self._handing is None:
                return marks
            return msgspec.structs.replace(marks, list=self._handing.list_for(table, has.persons))

        return self._answered(answer)

    def land(self, table: str, batch: Batch) -> Stands | Refusal:
        """Store a batch; entries up to a returned receipt are committed."""
        head = batch.head

        def answer() -> Stands:
            self._check_sender(table, head.table, head.sender)
            self._make_partition()
            try:
                with self._database.transaction() as db:
                    stands = self._land(db, table, batch)
                return msgspec.structs.replace(stands, persons=self._news(table))
            except Alarm as alarm:
                return self._stopped(table, head.log, alarm)

        return self._answered(answer)

    def _news(self, table: str) -> str:
        return "" if self._handing is None else self._handing.news(table)

    # --- who sends ---------------------------------------------------------------------------------------------------

    def _answered(self, answer: Callable[[], AnswerT]) -> AnswerT | Refusal:
        try:
            return answer()
        except NotTaken as refused:
            return refused.refusal
        except (Unavailable, Stop, LookupError) as error:
            logger.warning("%s", error)
            return Refusal(code="database", reason="The floor cannot store anything now. Send it again later.")

    def refuse(self, name: str, reason: str) -> Refusal:
        """Refuse a foreign certificate, with an alarm."""

        def answer() -> Refusal:
            self._raise(name, "", Alarm("not_enrolled", reason))
            return Refusal(code="not_enrolled", reason=reason)

        return self._answered(answer)

    def _check_sender(self, table: str, said: str, sender: str) -> None:
        if self._enrolled is not None and not self._enrolled.has(table):
            reason = f"table {table!r} is not on this floor's list of tables"
            self._raise(table, "", Alarm("not_enrolled", reason))
            raise NotTaken("not_enrolled", reason)
        if said != table:
            alarm = Alarm("not_yours", f"a certificate of table {table!r} was used for table {said[:200]!r}")
            self._raise(table, "", alarm)
            raise NotTaken("not_yours", f"this certificate is of table {table!r}")
        try:
            with self._database.transaction() as db:
                refused = claim(db, table, sender, self._lease_s)
        except Alarm as alarm:
            self._raise(table, "", alarm)
            refused = alarm.detail
        if refused:
            raise NotTaken("other_sender", refused)

    # --- what a table has --------------------------------------------------------------------------------------------

    def _stands(self, db: Db, table: str, one: OneLog, stream: Stream | None) -> Stands:
        try:
            _check_reach(one, NONE if stream is None else stream.mark, "" if stream is None else stream.stopped)
        except Alarm as alarm:
            raise_alarm(db, table, one.log, alarm)
            return Stands(stopped=alarm.kind)
        if stream is None:
            return Stands()
        # Of a witness that was set up anew the keys are wanted again, whatever the database has.
        epoch = min(stream.epoch, self._witness.held(stream.origin).epoch)
        return msgspec.structs.replace(stream.stands(), epoch=epoch)

    # --- entries -----------------------------------------------------------------------------------------------------

    def _land(self, db: Db, table: str, batch: Batch) -> Stands:
        head = batch.head
        stream = Stream.locked(db, table, head.log)
        if stream is None:
            stream = self._begun(db, table, batch)
        if stream.stopped:
            raise NotTaken("stopped", f"an alarm has stopped this log: {stream.stopped}", stream.stands())
        if stream.dropped:
            if batch.end > stream.size:
                raise NotTaken("stopped", "the entries of this log were dropped as too old", stream.stands())
            return stream.stands()
        if head.first > stream.size:
            raise NotTaken("behind", f"the floor has this log up to {stream.mark}", stream.stands())
        if head.last < batch.end - 1:
            raise NotTaken("malformed", f"the batch ends at entry {batch.end - 1}, and the table has only {head.last}")
        known = self._compare(db, stream, batch)
        cosigned = self._add(db, stream, batch, known)
        stream.save(db, head.last)
        return stream.stands(cosigned)

    def _begun(self, db: Db, table: str, batch: Batch) -> Stream:
        if batch.head.first != 0 or not batch.entries:
            raise NotTaken("behind", "the floor has nothing of this log", Stands())
        header = _header(table, batch)
        (begun,) = db.execute(_BEGUN, {"table": table}).fetchone() or (0,)
        if begun >= LOGS_MAX:
            raise Alarm("many_logs", f"the table has begun {begun} logs here: another program may have its certificate")
        month = month_of(date.fromisoformat(self._now()[:10]))
        db.execute(
            "INSERT INTO streams "
            "(table_id, log, month, origin, first_key, game, program, mark, edge, seq, note, last) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, '', 0, '', %s) ON CONFLICT DO NOTHING",
            (
                *(table, batch.head.log, month, header.origin, header.key, _shown(header.game), _shown(header.program)),
                *(NONE, batch.head.last),
            ),
        )
        stream = Stream.locked(db, table, batch.head.log)
        if stream is None:
            raise LookupError(f"{batch.head.log} cannot be begun")
        if header.previous is not UNSET:
            _check_previous(db, table, batch.head.log, header.previous)
        return stream

    def _compare(self, db: Db, stream: Stream, batch: Batch) -> int:
        head = batch.head
        known = min(stream.size, batch.end) - head.first
        if head.before != _root(db, stream, head.first):
            raise Alarm("fork", f"the entries before {head.first} differ from those stored here", None)
        stored = stream.entries(db, head.first, head.first + known)
        for number, (here, sent) in enumerate(zip(stored, batch.entries, strict=False), start=head.first):
            if here != sent:
                raise Alarm("fork", f"entry {number} differs from the one stored here", number)
        return known

    def _add(self, db: Db, stream: Stream, batch: Batch, known: int) -> str:
        before = stream.size
        notes = [_statement(note, stream.origin, batch.end) for note in batch.head.notes]
        chain = stream.chain() if before else Chain(Frontier(0, []))
        entries, roots = _followed(chain, batch.entries[known:], {said.size for _, said in notes})
        takeovers = sorted(said.size for _, said in notes if isinstance(said, Takeover) and said.epoch > stream.epoch)
        if entries:
            epochs = [stream.epoch + sum(size <= entry.number for size in takeovers) for entry in entries]
            stream.add(db, chain, entries, epochs)
            count(db, stream.table, stream.log, [*read_refusals(entry.lines[0] for entry in entries)])
        signed = [Signed(note, said, roots.get(said.size) or stream.root(db, said.size)) for note, said in notes]
        cosigned = self._take_notes(db, stream, signed)
        if entries:
            mark = Mark(table=stream.table, log=stream.log, entry=stream.mark, root=stream.edge.root(), at=self._now())
            stream.note = mark.signed(self._key)
        return cosigned

    def _take_notes(self, db: Db, stream: Stream, notes: Sequence[Signed]) -> str:
        cosigned = ""
        for one in notes:
            if one.said.root != one.root:
                reason = f"the entries up to {one.said.size - 1} are not what key {one.said.epoch} has signed"
                raise Alarm("not_signed", reason, max(0, stream.proved + 1))
            if isinstance(one.said, Takeover) and one.said.epoch == 0:
                _check_certified(db, stream, one.note)
                self._witness.register(one.said.key)
            line = self._witness.take(one.note, one.said, lambda: stream.tree(db))
            if line is not None:
                stream.take_note(db, one.said, one.note)
                cosigned = line or cosigned
        return cosigned

    # --- alarms ------------------------------------------------------------------------------------------------------

    def _stopped(self, table: str, log: str, alarm: Alarm) -> Stands:
        self._raise(table, log, alarm)
        code: Code = "not_yours" if alarm.kind == "not_yours" else "stopped"
        raise NotTaken(code, alarm.detail, Stands(stopped=alarm.kind))

    def _raise(self, table: str, log: str, alarm: Alarm) -> None:
        with self._database.transaction() as db:
            raise_alarm(db, table, log, alarm)

    def _make_partition(self) -> None:
        month = month_of(date.fromisoformat(self._now()[:10]))
        if self._month != month:
            self._database.make_partition(month)
            self._month = month


def _check_reach(one: OneLog, mark: int, stopped: str) -> None:
    if stopped:
        return
    if one.last < mark:
        raise Alarm("rolled_back", _less(one.last, mark), one.last + 1)


def _check_previous(db: Db, table: str, log: str, previous: Previous) -> None:
    before = Stream.locked(db, table, previous.log)
    if before is None or before.size < previous.size:
        here = "nothing" if before is None else f"{before.size} entries"
        detail = f"the log before it, {previous.log}, has {previous.size} entries, and {here} of it is here"
        raise_alarm(db, table, log, Alarm("missing_log", detail))
    elif (before.size, before.edge.root().hex(), before.key(db)) != (previous.size, previous.root, previous.key):
        raise Alarm("fork", f"the log before it, {previous.log}, has another end than this one names")


def _check_certified(db: Db, stream: Stream, note: bytes) -> None:
    [line] = lines_of(stream.entries(db, 0, 1)[0])
    certifies = decode_header(line).key_before
    if certifies is not None and not Note(note).carries(certifies):
        raise Alarm("not_signed", "the last key of the log before did not sign the statement of key 0", 0)


def _root(db: Db, stream: Stream, size: int) -> str:
    if size == 0:
        return ""
    return (stream.edge.root() if size == stream.size else stream.root(db, size)).hex()


def _header(table: str, batch: Batch) -> Header:
    try:
        [line] = lines_of(batch.entries[0])
        header = decode_header(line)
        VerifyKey.parse(header.key)
    except (ValueError, RecursionError, BadNote) as error:
        raise NotTaken("malformed", f"entry 0 is not a journal's header: {error}") from error
    if header.table_id != table:
        raise Alarm("not_yours", f"it sends a journal of table {header.table_id[:200]!r}")
    if header.fingerprint != batch.head.log:
        raise NotTaken("malformed", "the log does not belong to the journal's first key")
    return header


def _statement(note: str, origin: str, end: int) -> tuple[bytes, Statement]:
    data = note.encode()
    try:
        said = read_statement(Note(data))
    except BadNote as error:
        raise NotTaken("malformed", f"a note cannot be read: {error.reason}") from error
    if said.origin != origin:
        raise NotTaken("malformed", "a note of another journal")
    if not 0 < said.size <= end:
        raise NotTaken("malformed", f"a note over {said.size} entries, where the batch ends before {end}")
    return data, said


def _followed(chain: Chain, sent: Sequence[bytes], wanted: set[int]) -> tuple[list[Entry], dict[int, bytes]]:
    entries, roots = [], {}
    if chain.edge.size in wanted and chain.edge.size:
        roots[chain.edge.size] = chain.edge.root()
    try:
        for data in sent:
            entries.append(_entry(chain, data))
            if chain.edge.size in wanted:
                roots[chain.edge.size] = chain.edge.root()
    except OutOfOrder as error:
        raise Alarm("no_journal", f"entry {error.number} cannot follow: {error}", error.number) from error
    return entries, roots


def _entry(chain: Chain, data: bytes) -> Entry:
    if not chain.edge.size:
        return Entry(0, data, chain.edge.add(leaf_hash(data)))
    entry = chain.add(data)
    if not all(_EVENT.fullmatch(_named.decode(line).event) for line in entry.lines):
        raise OutOfOrder(entry.number, "the table log has no such event")
    return entry


def _shown(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)[:100]


def _less(last: int, mark: int) -> str:
    return f"the table has {last} entries, and the floor had {mark} of it: the table runs from an old copy of its disk"
