"""Reading entries and checking them on the way; what the open journal and the copy of a closed one share."""

import contextlib
import hashlib
import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from cardshoe.journal.file.chain import Chain, Entry, NotNext, check_header
from cardshoe.journal.file.errors import JournalBroken, NotWitnessed
from cardshoe.journal.file.header import Header, decode_header
from cardshoe.journal.file.retirement import Attested, Retirement, check_part
from cardshoe.journal.file.segment import Segment
from cardshoe.journal.file.store import Store
from cardshoe.journal.file.watching import Watch, unwatched
from cardshoe.journal.proof.note import BadNote, Note, VerifyKey
from cardshoe.journal.proof.signatures import Numbered, SignatureBroken, Signatures
from cardshoe.journal.proof.statements import Checkpoint, read_statement
from cardshoe.journal.proof.tree import Frontier, edge_rows


class Stood(NamedTuple):
    """Where a table stood at a change of keys.

    Attributes:
        epoch: of the key that took over.
        last_seq: the last entry before.
        state: as it was stored.
    """

    epoch: int
    last_seq: int
    state: bytes


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A journal that holds.

    Attributes:
        last_seq: number of its last entry.
        root: the root of the tree over all entries, 32 bytes.
        proved_seq: the last entry that is under a signature; ``None`` if nobody signed.
        witnessed_seq: the last entry under a signature that the witness holds; ``None`` if none was asked.
        checkpoints: how many there are.
        keys: the public keys as text, by epoch.
        segment: which part of the log it holds.
        retired: the signed entry about what is retired by which a part was judged; ``None`` for a whole journal.
    """

    last_seq: int
    root: bytes
    proved_seq: int | None
    witnessed_seq: int | None
    checkpoints: int
    keys: list[str]
    segment: Segment
    retired: Retirement | None


@contextlib.contextmanager
def naming(path: Path, signatures: Signatures | None = None) -> Iterator[None]:
    """Turn objections of the chain and the signatures into `JournalBroken`."""
    try:
        yield
    except NotNext as error:
        raise JournalBroken(path, error.seq, error.reason, _proved(signatures)) from error
    except SignatureBroken as error:
        raise JournalBroken(path, error.first, error.reason, _proved(signatures)) from error


def read_header(store: Store) -> tuple[Entry, Header]:
    """Entry 0, checked.

    Raises:
        JournalBroken: it is missing, or not what was written.
    """
    entry = next(store.entries(), None)
    if entry is None or entry.seq != 0:
        found = "" if entry is None else f"; the first one there is entry {entry.seq}"
        raise JournalBroken(store.shown_as, 0, f"the header is missing{found}")
    with naming(store.shown_as):
        check_header(entry)
    try:
        return entry, decode_header(entry.line)
    except (ValueError, RecursionError) as error:
        raise JournalBroken(store.shown_as, 0, f"not a header of a journal: {error}") from error


def chain_after(store: Store, entry: Entry) -> Chain:
    """The chain after an entry that is trusted, with the tree as the rows up to it hold it.

    Raises:
        JournalBroken: a row is missing.
    """
    size = entry.seq + 1
    with naming(store.shown_as):
        return Chain.after(entry, Frontier(size, store.nodes(edge_rows(size))))


def read_signatures(store: Store, header: Header, from_size: int = 0) -> Signatures | None:
    """The signatures over the entries, ready to be compared; ``None`` for a journal that nobody signed.

    Args:
        store: an open database.
        header: its header.
        from_size: the size from which on the tree will be followed.

    Raises:
        JournalBroken: the succession of the keys does not hold, or there are signatures and no key.
    """
    path = store.shown_as
    keys = store.key_notes()
    if not header.key:
        if keys or next(store.checkpoints(), None) is not None or not store.segment.is_whole:
            raise JournalBroken(path, 0, "there are signatures, or entries are retired, and the header names no key")
        return None
    start_number, checkpoints = 1, store.checkpoints()
    segment = store.segment
    if from_size:
        with naming(path):
            recent = list(_recent(store, from_size))[::-1]
        start_number, checkpoints = (recent[0][0] if recent else 1), iter(recent)
    elif not segment.is_whole:
        start_number, checkpoints = _from_first_number(checkpoints)
        from_size = segment.size
    try:
        first = VerifyKey.parse(header.key)
        signatures = Signatures(header.origin, first, keys, checkpoints, from_size, start_number)
    except BadNote as error:
        raise JournalBroken(path, 0, f"the header names no key: {error.reason}") from error
    except SignatureBroken as error:
        raise JournalBroken(path, error.first, error.reason) from error
    if store.attested is not None:
        with naming(path):
            _check_segment(store, signatures)
        _read_attested(store, store.attested, signatures)
    return signatures


def _from_first_number(checkpoints: Iterator[Numbered]) -> tuple[int, Iterator[Numbered]]:
    first = next(checkpoints, None)
    return (1, iter(())) if first is None else (first[0], itertools.chain([first], checkpoints))


def _check_segment(store: Store, signatures: Signatures) -> None:
    """See that a part of a log begins where the statements of keys say that it may.

    Raises:
        SignatureBroken: it does not.
    """
    segment, takeovers = store.segment, signatures.takeovers
    # What the tree proves in a whole journal: entry 0 is what its first key was made for.
    header = store.entry(0)
    if (takeovers[0].size, takeovers[0].root) != (1, header.node):
        raise SignatureBroken("the statement of key 0 was signed for another header", 0)
    begins = takeovers[segment.epoch] if segment.epoch < len(takeovers) else None
    if begins is None or (begins.size, begins.root) != (segment.size, segment.frontier().root()):
        raise SignatureBroken(
            f"the tree before its first entry is not what the statement of key {segment.epoch} was signed for"
        )
    if segment.archived and segment.epoch >= len(takeovers) - 1:
        raise SignatureBroken("an archive without the key that took over at its end")
    # The one before the first is kept, so that nobody can take away the first and say that it was retired.
    for number, data in itertools.islice(store.checkpoints(), 1):
        if number != 1 and _epoch_of(number, data) >= segment.epoch:
            raise SignatureBroken(f"checkpoint {number - 1} is missing")


def _read_attested(store: Store, attested: Attested, signatures: Signatures) -> Retirement:
    """Return a part's proved retirement.

    Raises:
        JournalBroken: the part does not begin and end where it says.
    """
    with naming(store.shown_as):
        said = attested.verified(signatures.origin, store.key_notes(), signatures)
        check_part(said, store.segment, signatures.takeovers[-1 if store.segment.archived else store.segment.epoch])
    return said


def read_retired(store: Store, signatures: Signatures | None) -> Retirement | None:
    """The signed entry by which a part of a log is judged; ``None`` for a whole journal.

    Args:
        store: an open database; where a part begins is verified.
        signatures: its keys, verified.

    Raises:
        JournalBroken: there is none, or the part holds less than it leaves to it.
    """
    if signatures is None or store.attested is None:
        return None
    said = _read_attested(store, store.attested, signatures)
    if store.segment.archived:
        last = store.last_seq()
        if last + 1 < said.size:
            raise JournalBroken(store.shown_as, last + 1, "missing")
    elif store.entry(said.seq).line != said.line():
        raise JournalBroken(store.shown_as, said.seq, "it is not the one that tells what is retired")
    return said


def _epoch_of(number: int, data: bytes) -> int:
    try:
        return Checkpoint.read(Note(data)).epoch
    except BadNote as error:
        raise SignatureBroken(f"checkpoint {number}: {error.reason}") from error


def read_snapshots(store: Store, signatures: Signatures | None) -> list[Stood]:
    """The stored snapshots, each of which is what the statement of its key was signed for.

    Raises:
        JournalBroken: one is not, is missing, or nobody signed it.
    """
    stored = store.snapshots()
    found: list[Stood] = []
    for takeover in () if signatures is None else signatures.takeovers[store.segment.epoch :]:
        state = stored.pop(takeover.epoch, None)
        signed = takeover.state
        if (None if state is None else hashlib.sha256(state).digest()) != signed:
            reason = "is missing" if state is None else "is not what its statement was signed for"
            raise JournalBroken(store.shown_as, None, f"the snapshot at key {takeover.epoch} {reason}")
        if state is not None:
            found.append(Stood(takeover.epoch, takeover.size - 1, state))
    if stored:
        raise JournalBroken(
            store.shown_as, None, f"the snapshot at key {min(stored)} belongs to no key of this journal"
        )
    return found


def followed(
    path: Path, chain: Chain, entries: Iterable[Entry], signatures: Signatures | None = None
) -> Iterator[Entry]:
    """The same entries, each checked to be the next one; ``chain`` and ``signatures`` move along.

    Raises:
        JournalBroken: with the first that is not.
    """
    with naming(path, signatures):
        if signatures is not None and signatures.next_size == chain.edge.size:
            signatures.check(chain.edge.size, chain.edge.root())
        for entry in entries:
            chain.check(entry)
            if signatures is not None and signatures.next_size == chain.edge.size:
                signatures.check(chain.edge.size, chain.edge.root())
            yield entry
        if signatures is not None:
            signatures.finish(chain.edge.size)
        chain.check_end()


def checked_entries(store: Store, from_seq: int) -> Iterator[Entry]:
    """The entries from a number on, each checked against the tree before it.

    Args:
        store: an open database.
        from_seq: the first number wanted, from 1; the entry before it is trusted.

    Raises:
        JournalBroken: with the first entry that does not hold.
        JournalFailed: the disk cannot be read.
    """
    if from_seq <= store.segment.size and not store.segment.is_whole:
        yield from followed(store.shown_as, Chain(store.segment.frontier()), store.entries(1))
        return
    before = next(store.entries(from_seq - 1), None)
    if before is None:
        return
    if before.seq != from_seq - 1:
        raise JournalBroken(store.shown_as, from_seq - 1, f"missing; the next one there is {before.seq}")
    yield from followed(store.shown_as, chain_after(store, before), store.entries(from_seq))


def chain_at_mark(store: Store, header: Entry) -> Chain:
    """The chain after the last entry before the open shoe, which the mark names.

    Raises:
        JournalBroken: the mark does not fit the entries.
    """
    seq, node = store.mark()
    if not store.segment.is_whole and (seq, node) == (store.segment.size - 1, store.segment.edge[-1]):
        return Chain(store.segment.frontier())
    entry = header if seq == 0 else next(store.entries(seq), None)
    if entry is None or (entry.seq, entry.node) != (seq, node):
        raise JournalBroken(store.shown_as, None, f"the mark of the open shoe names entry {seq}, which does not fit it")
    return chain_after(store, entry)


def check_mark(store: Store, signatures: Signatures | None) -> None:
    """See that the open shoe begins where the last key took over.

    A mark that was moved on would keep the entries before it from being looked at when the journal is opened.

    Raises:
        JournalBroken: it does not.
    """
    seq, _ = store.mark()
    if signatures is not None and seq != signatures.takeovers[-1].size - 1:
        reason = f"the mark of the open shoe names entry {seq}, and its key took over after another"
        raise JournalBroken(store.shown_as, None, reason)


def check_count(store: Store) -> None:
    """See that no number is missing, without reading the lines.

    Raises:
        JournalBroken: one is.
    """
    missing = store.missing()
    if missing:
        raise JournalBroken(
            store.shown_as,
            None,
            f"{abs(missing)} entries are {'missing' if missing > 0 else 'too many'}; `cardshoe verify` names the first",
        )


def verify_store(
    store: Store, witnessed: Sequence[bytes] | None = None, first_key: str | None = None, watch: Watch = unwatched
) -> Checked:
    """Verify everything that a database of ours holds.

    Args:
        store: the database.
        witnessed: the notes of this journal that a witness holds; ``None`` if none is asked.
        first_key: the first key as text, if it is known from elsewhere.
        watch: looks on.

    Raises:
        JournalBroken: with the first entry that does not hold.
    """
    path = store.shown_as
    store.quick_check()  # first: pages that belong to many rows at once would be read again and again
    header, meaning = read_header(store)
    with naming(path):
        chain = check_header(header)
        if not store.segment.is_whole:
            chain = Chain(store.segment.frontier())
    if first_key is not None and meaning.key != first_key:
        raise JournalBroken(path, 0, f"its first key is {meaning.key or 'missing'!r}, not {first_key}")
    signatures = read_signatures(store, meaning)
    entries = watch("tree and signatures", store.entries(1), store.last_seq() + 1 - store.segment.size)
    for _ in followed(path, chain, entries, signatures):
        pass
    if signatures is not None and store.segment.archived and signatures.takeovers[-1].size != chain.edge.size:
        ends = signatures.takeovers[-1].size
        raise JournalBroken(
            path, ends, "an archive that does not end where its last key took over", _proved(signatures)
        )
    retired = read_retired(store, signatures)
    _check_newest(store)
    witnessed_seq = None if witnessed is None else _check_witness(store, witnessed, chain.edge.size, signatures)
    check_count(store)
    chain_at_mark(store, header)
    check_mark(store, signatures)
    read_snapshots(store, signatures)
    return Checked(
        last_seq=chain.seq,
        root=chain.edge.root(),
        proved_seq=_proved(signatures),
        witnessed_seq=witnessed_seq,
        checkpoints=0 if signatures is None else signatures.checkpoints,
        keys=[] if signatures is None else [str(key) for key in signatures.keys],
        segment=store.segment,
        retired=retired,
    )


def _check_newest(store: Store) -> None:
    """See that a rest lacks no more than its newest entry about retired shoe games says: an older one was taken back.

    Raises:
        JournalBroken: it does.
    """
    segment = store.segment
    newest = None if segment.archived or store.attested is None else store.last_retirement()
    if newest is not None and newest.size < segment.size:
        reason = f"only entries up to {newest.size - 1} are retired by it, and the rest begins with {segment.size}"
        raise JournalBroken(store.shown_as, newest.seq, reason)


def _check_witness(store: Store, witnessed: Sequence[bytes], size: int, signatures: Signatures | None) -> int:
    """See that the journal holds every note that the witness holds; the last entry that this proves."""
    path = store.shown_as
    # By their texts: whoever passed a note on may have doubled a signature line, or added another.
    stored = {Note(note).text for _, note in itertools.chain(store.key_notes(), store.checkpoints())}
    if not witnessed:
        raise NotWitnessed(path)
    held = [0]
    # In the order in which they came: where a journal was cut off and went on, the witness has notes of both histories,
    # and those that came first are about what really happened.
    for note in map(Note, witnessed):
        said = read_statement(note)
        if signatures is not None and not store.segment.holds(said, signatures.takeovers[-1]):
            continue
        if note.text not in stored:
            proved = max(one for one in held if one <= said.size)
            what = f"checkpoint {said.number}" if isinstance(said, Checkpoint) else f"the statement of key {said.epoch}"
            over = f"over entries up to {said.size - 1}"
            if signatures is None or not signatures.has_signed(note, said):
                over += ", which no key of this journal has signed"  # anybody may have written it there
            reason = (
                f"missing: the witness holds {what} {over}"
                if said.size > size
                else f"the witness holds {what} {over}, and the journal another or none: "
                f"it was cut off and went on, or was written anew"
            )
            raise JournalBroken(path, size if said.size > size else proved, reason, proved - 1 if proved else None)
        held.append(said.size)
    return max(held) - 1


def _proved(signatures: Signatures | None) -> int | None:
    return signatures.proved_size - 1 if signatures is not None and signatures.proved_size else None


def _recent(store: Store, from_size: int) -> Iterator[Numbered]:
    """The last checkpoints, the last one first, back to one that says it is of a smaller tree.

    That one comes along: its signature tells whether it is what it says, and not one that hides those before it.
    """
    for number, data in store.checkpoints_backwards():
        try:
            size = Checkpoint.read(Note(data)).size
        except BadNote as error:
            raise SignatureBroken(f"checkpoint {number}: {error.reason}") from error
        yield number, data
        if size < from_size:
            return
