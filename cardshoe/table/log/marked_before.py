"""The log before, named by a header (docs/adr/0079)."""

import contextlib
from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec
from msgspec import UNSET

from cardshoe.journal import Evidence, JournalBroken
from cardshoe.journal.reading.marked import Marked, marked
from cardshoe.table.log.journal_names import journals_of
from cardshoe.table.log.log_before import last_round

_WINDOW: Final = 16


@contextlib.contextmanager
def marked_before(log: Evidence) -> Iterator[Marked | None]:
    """The log before, verified to the end that the header names.

    Raises:
        JournalError: it cannot be read.
        JournalBroken: it ended otherwise.
    """
    previous = log.header.previous
    older = [one for one in journals_of(log.path.parent, log.header.table_id) if one.name < log.path.name]
    if previous is UNSET or not older:
        yield None
        return
    with marked(older[-1], previous) as before:
        yield before if before.header.fingerprint == previous.log else None


def begins_with(log: Evidence, first_key: str) -> bool:
    """True if a log or an earlier one has this first key: each signs the next one's."""
    with contextlib.ExitStack() as reading:
        at: Evidence | None = log
        while at is not None and at.header.key != first_key:
            newer, step = reading.pop_all(), marked_before(at)
            at = reading.enter_context(step)
            newer.close()
        return at is not None


def continues(log: Evidence) -> bool:
    """True if the log before is present and continued correctly.

    Raises:
        JournalBroken: it ended otherwise, or round numbers do not continue.
    """
    with marked_before(log) as before:
        if before is not None and log.last:
            begins, ended = last_round(islice(log.entries(), 1)), _last_round(before)
            if begins != ended:
                reason = f"it continues after round {begins}, the log before it ended with {ended}"
                raise JournalBroken(log.path, 1, reason)
        return before is not None


def _last_round(log: Marked) -> int:
    found, window, first = 0, _WINDOW, log.last + 1
    try:
        while not found and first > 1:
            first, window = max(1, log.last - window), 2 * window
            found = last_round(log.between(first, log.last))
    except msgspec.DecodeError as error:
        raise JournalBroken(log.path, None, f"not a line of the table log: {error}") from error
    return found
