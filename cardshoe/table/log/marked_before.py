"""The log before another one of a table, which its header names (docs/adr/0079)."""

import contextlib
from collections.abc import Iterator

from msgspec import UNSET

from cardshoe.journal import Evidence
from cardshoe.journal.reading.marked import Marked, marked
from cardshoe.table.log.journal_names import journals_of


@contextlib.contextmanager
def marked_before(log: Evidence) -> Iterator[Marked | None]:
    """The log before one, where it lies beside it, held to the end that the header of the later one names.

    Raises:
        JournalBroken: it ended otherwise.
        JournalError: the file there cannot be read.
    """
    previous = log.header.previous
    older = [one for one in journals_of(log.path.parent, log.header.table_id) if one.name < log.path.name]
    if previous is UNSET or not older:
        yield None
        return
    with marked(older[-1], previous) as before:
        yield before if before.header.fingerprint == previous.log else None
