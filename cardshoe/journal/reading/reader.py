"""Read entries and check them."""

import contextlib
import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from cardshoe.journal.file.chain import Chain, Entry, OutOfOrder, check_header
from cardshoe.journal.file.errors import JournalBroken, NotWitnessed
from cardshoe.journal.file.header import Header, decode_header
from cardshoe.journal.file.line import NonCanonicalLine, read_line
from cardshoe.journal.file.store import Store
from cardshoe.journal.file.watching import Watch, unwatched
from cardshoe.journal.proof.note import BadNote, Note, VerifyKey
from cardshoe.journal.proof.signatures import Numbered, SignatureBroken, Signatures
from cardshoe.journal.proof.statements import Checkpoint, read_statement
from cardshoe.journal.proof.tree import Frontier, edge_rows, leaf_hash


class Stood(NamedTuple):
    epoch: int
    last: int
    state: bytes


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A valid journal.

    Attributes:
        root: over all entries, 32 bytes.
        proved: last signed entry; ``None``: unsigned.
        witnessed: last entry under a witnessed signature; ``None``: no witness asked.
    """

    last: int
    lines: int
    root: bytes
    proved: int | None
    witnessed: int | None
    checkpoints: int
    keys: list[str]


@contextlib.contextmanager
def naming(path: Path, signatures: Signatures | None = None) -> Iterator[None]:
    try:
        yield
    except OutOfOrder as error:
        raise JournalBroken(path, error.number, error.reason, _proved(signatures)) from error
    except SignatureBroken as error:
        raise JournalBroken(path, error.first, error.reason, _proved(signatures)) from error


def read_header(store: Store) -> tuple[Entry, Header]:
    entry = next(store.entries(), None)
    if entry is None or entry.number != 0:
        found = "" if entry is None else f"; the first one there is entry {entry.number}"
        raise JournalBroken(store.shown_as, 0, f"the header is missing{found}")
    with naming(store.shown_as):
        check_header(entry)
    try:
        return entry, decode_header(entry.data[:-1] if entry.data[-1:] == b"\n" else b"")
    except (ValueError, RecursionError) as error:
        raise JournalBroken(store.shown_as, 0, f"not a header of a journal: {error}") from error


def chain_after(store: Store, number: int) -> Chain:
    entry = store.entry(number)
    with naming(store.shown_as):
        edge = Frontier(number, store.nodes(edge_rows(number)))
        if edge.add(leaf_hash(entry.data)) != entry.node:
            raise OutOfOrder(number, "the node does not fit: this entry was altered")
        return Chain.after(entry, edge)


def read_signatures(store: Store, header: Header, from_size: int = 0) -> Signatures | None:
    """The signatures over the entries; ``None``: unsigned."""
    path = store.shown_as
    keys = store.key_notes()
    if not header.key:
        if keys or next(store.checkpoints(), None) is not None:
            raise JournalBroken(path, 0, "there are signatures, and the header names no key")
        return None
    start_number, checkpoints = 1, store.checkpoints()
    if from_size:
        with naming(path):
            recent = list(_recent(store, from_size))[::-1]
        start_number, checkpoints = (recent[0][0] if recent else 1), iter(recent)
    try:
        first = VerifyKey.parse(header.key)
        return Signatures(header.origin, first, keys, checkpoints, from_size, start_number, header.key_before)
    except BadNote as error:
        raise JournalBroken(path, 0, f"the header names no key: {error.reason}") from error
    except SignatureBroken as error:
        raise JournalBroken(path, error.first, error.reason) from error


def read_snapshots(store: Store, signatures: Signatures | None) -> list[Stood]:
    """The stored snapshots, each verified by its key's statement."""
    stored = store.snapshots()
    found: list[Stood] = []
    for takeover in () if signatures is None else signatures.takeovers:
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


def checked_entries(store: Store, first: int) -> Iterator[Entry]:
    """Entries from ``first`` on, checked; the tree before is trusted."""
    if first <= store.last():
        yield from followed(store.shown_as, chain_after(store, first - 1), store.entries(first))


def entry_of_line(store: Store, seq: int) -> int:
    """The entry of a line, by binary search; the last one for a later line."""
    low, high = min(1, store.last()), store.last()
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if line_of(store, middle, 0) <= seq else (low, middle - 1)
    return low


def line_of(store: Store, number: int, at: int) -> int:
    try:
        return read_line(store.entry(number).lines[at])[1]
    except NonCanonicalLine as error:
        raise JournalBroken(store.shown_as, number, f"not a line of the table log: {error}") from error


def check_count(store: Store) -> None:
    missing = store.missing()
    if missing:
        raise JournalBroken(
            store.shown_as,
            None,
            f"{abs(missing)} entries are {'missing' if missing > 0 else 'too many'}; `cardshoe verify` names the first",
        )


def exhausted(entries: Iterable[Entry]) -> None:
    for _ in entries:
        pass


def verify_store(
    store: Store,
    witnessed: Sequence[bytes] | None = None,
    first_key: str | None = None,
    watch: Watch = unwatched,
    follow: Callable[[Iterable[Entry]], None] = exhausted,
) -> Checked:
    """Verify everything in the database; ``witnessed``: the witness's notes, ``None``: not asked.

    Raises:
        JournalBroken: with the first invalid entry.
    """
    path = store.shown_as
    store.quick_check()  # first: pages that belong to many rows at once would be read again and again
    header, meaning = read_header(store)
    with naming(path):
        chain = check_header(header)
    if first_key is not None and meaning.key != first_key:
        raise JournalBroken(path, 0, f"its first key is {meaning.key or 'missing'!r}, not {first_key}")
    signatures = read_signatures(store, meaning)
    entries = watch("tree and signatures", store.entries(1), store.last())
    follow(followed(path, chain, entries, signatures))
    seen = None if witnessed is None else _check_witness(store, witnessed, chain.edge.size, signatures)
    check_count(store)
    read_snapshots(store, signatures)
    return Checked(
        last=chain.number,
        lines=chain.seq,
        root=chain.edge.root(),
        proved=_proved(signatures),
        witnessed=seen,
        checkpoints=0 if signatures is None else signatures.checkpoints,
        keys=[] if signatures is None else [str(key) for key in signatures.keys],
    )


def _check_witness(store: Store, witnessed: Sequence[bytes], size: int, signatures: Signatures | None) -> int:
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
                f"it was cut off and continued, or rewritten"
            )
            raise JournalBroken(path, size if said.size > size else proved, reason, proved - 1 if proved else None)
        held.append(said.size)
    return max(held) - 1


def _proved(signatures: Signatures | None) -> int | None:
    return signatures.proved_size - 1 if signatures is not None and signatures.proved_size else None


def _recent(store: Store, from_size: int) -> Iterator[Numbered]:
    """Newest checkpoints back to one of a smaller tree, which is verified too."""
    for number, data in store.checkpoints_backwards():
        try:
            size = Checkpoint.read(Note(data)).size
        except BadNote as error:
            raise SignatureBroken(f"checkpoint {number}: {error.reason}") from error
        yield number, data
        if size < from_size:
            return
