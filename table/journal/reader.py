"""Reading entries and checking them on the way; what the open journal and the copy of a closed one share."""

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from table.journal.chain import Chain, Entry, NotNext, check_header, verify_chain
from table.journal.errors import JournalBroken
from table.journal.header import Header, decode_header
from table.journal.store import Store


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """What the chain objects to leaves the block as `JournalBroken`."""
    try:
        yield
    except NotNext as error:
        raise JournalBroken(path, error.seq, error.reason) from error


def read_header(store: Store) -> tuple[Entry, Header]:
    """Entry 0, checked.

    Raises:
        JournalBroken: it is missing, or not what was written.
    """
    entry = next(store.entries(0), None)
    if entry is None or entry.seq != 0:
        raise JournalBroken(store.shown_as, 0, "the header is missing")
    with naming(store.shown_as):
        check_header(entry)
    try:
        return entry, decode_header(entry.line)
    except ValueError as error:
        raise JournalBroken(store.shown_as, 0, f"no header of a journal: {error}") from error


def followed(path: Path, chain: Chain, entries: Iterable[Entry]) -> Iterator[Entry]:
    """The same entries, each checked to be the next one; ``chain`` moves along.

    Raises:
        JournalBroken: with the first that is not.
    """
    with naming(path):
        for entry in entries:
            chain.check(entry)
            yield entry
        chain.check_end()


def checked_entries(store: Store, from_seq: int) -> Iterator[Entry]:
    """The entries from a number on, each checked against the one before it.

    Args:
        store: an open database.
        from_seq: the first number wanted, from 1; the entry before it is trusted.

    Raises:
        JournalBroken: with the first entry that does not hold.
        JournalFailed: the disk cannot be read.
    """
    before = next(store.entries(from_seq - 1), None)
    if before is None:
        return
    if before.seq != from_seq - 1:
        raise JournalBroken(store.shown_as, from_seq - 1, f"missing; the next one there is {before.seq}")
    with naming(store.shown_as):
        chain = Chain.after(before)
    yield from followed(store.shown_as, chain, store.entries(from_seq))


def check_mark(store: Store, header: Entry) -> Entry:
    """The last entry before the open shoe, as the mark names it.

    Raises:
        JournalBroken: the mark does not fit the entries.
    """
    seq, digest = store.mark()
    entry = header if seq == 0 else next(store.entries(seq), None)
    if entry is None or (entry.seq, entry.digest) != (seq, digest):
        raise JournalBroken(store.shown_as, None, f"the mark of the open shoe names entry {seq}, which does not fit it")
    return entry


def check_count(store: Store) -> None:
    """See that no number is missing, without reading the lines.

    Raises:
        JournalBroken: one is.
    """
    count, first, last = store.extent()
    if (count, first) != (last + 1, 0):
        raise JournalBroken(
            store.shown_as, None, f"{last + 1 - count} entries are missing; `cardshoe verify` names the first"
        )


def verify_store(store: Store) -> tuple[int, bytes]:
    """Verify everything that a database of ours holds.

    Returns:
        Number and digest of the last entry.

    Raises:
        JournalBroken: with the first entry that does not hold.
    """
    header, _ = read_header(store)
    digest = verify_chain(store.entries(1), header, store.shown_as)
    store.quick_check()
    check_mark(store, header)
    _, _, last = store.extent()
    return last, digest
