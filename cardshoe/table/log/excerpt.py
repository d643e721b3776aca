"""A few entries of a table's logs, by round or from the end."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from cardshoe.journal import Header
from cardshoe.journal.reading.marked import Marked, marked
from cardshoe.table.log.marked_before import marked_before
from cardshoe.table.log.query import LineGroup, Query, matching
from cardshoe.table.log.replaying import opened_lines
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.sealing_keys import SealingKeys

ENTRIES_MAX: Final = 10_000


class Excerpt(NamedTuple):
    """Matching entries of one log; ``signed``: the last signed entry, if some are later."""

    path: Path
    header: Header
    answers: list[LineGroup]
    signed: int | None
    opening: list[bytes]


def is_short(query: Query, last: int | None) -> bool:
    if query.irregularities:  # which number has which code, only the lines before tell
        return False
    return query.rounds is not None or (last is not None and query == Query())


def excerpts(path: Path, query: Query, last: int | None, keys: SealingKeys | None = None) -> list[Excerpt] | None:
    """The entries of a short query, verified, oldest log first; ``None``: more than `ENTRIES_MAX`.

    Raises:
        JournalError: a log is busy, no journal or broken.
        SealingKeyMissing: a sealing key is missing.
    """
    found: list[Excerpt] = []
    with contextlib.ExitStack() as stack:
        log: Marked | None = stack.enter_context(marked(path))
        wanted = last
        while log is not None and wanted != 0:
            first, end = _span(log, query, wanted)
            if end - first + sum(len(one.answers) for one in found) >= ENTRIES_MAX:
                return None
            matched = list(matching(_answers(log, first, end, keys), query))[-(wanted or 0) :]
            signed = log.mark.size - 1 if end >= log.mark.size else None
            opening = [line for entry in log.between(1, min(1, log.last)) for line in entry.lines]
            found.append(Excerpt(log.path, log.header, matched, signed, opening))
            wanted = None if wanted is None else wanted - len(matched)
            begins_here = query.rounds is not None and any(one.round == query.rounds[0] for one in matched)
            log = None if first > 1 or begins_here else stack.enter_context(marked_before(log))
    return found[::-1]


@contextlib.contextmanager
def log_of_round(path: Path, number: int) -> Iterator[Marked]:
    with contextlib.ExitStack() as stack:
        log = named = stack.enter_context(marked(path))
        while log.first_of_round(number + 1) == 1:  # what it holds is later
            before = stack.enter_context(marked_before(log))
            if before is None:
                break
            log = before
        yield log if log.first_of_round(number) < log.first_of_round(number + 1) else named


def _span(log: Marked, query: Query, last: int | None) -> tuple[int, int]:
    if query.rounds is None:
        return max(1, log.last + 1 - (last or 0)), log.last
    first, end = query.rounds
    return log.first_of_round(first), log.last if end is None else log.first_of_round(end + 1) - 1


def _answers(log: Marked, first: int, end: int, keys: SealingKeys | None) -> Iterator[LineGroup]:
    sealer = None if keys is None else Sealer(keys, log.header.origin)
    for entry in log.between(first, end):
        yield LineGroup.of(entry.lines if sealer is None else opened_lines(log.path, entry, sealer))
