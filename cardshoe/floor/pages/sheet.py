"""Tables as CSV (RFC 4180), such as the day report: each cell quoted, and no part of it a formula to a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cardshoe.floor.pages.days import ZONE
from cardshoe.floor.pages.queries import Done
from cardshoe.process.free_text import csv_cell

ACT_COLUMNS: Final = (
    "kind", "time", "table", "round", "persons", "code", "article", "reason", "irregularity", "settled", "log", "seq",
)  # fmt: skip
_CHUNK: Final = 256
BOM: Final = "\N{BYTE ORDER MARK}"
"""Spreadsheets take a file without it for one of the local code page."""


def sheet(columns: Sequence[str], rows: Iterable[Sequence[str | int]]) -> Iterator[bytes]:
    """The parts of a CSV file, one after the other.

    Args:
        columns: their names.
        rows: the cells of each; a number is no formula, even below 0.
    """
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerow
    out.write(BOM)
    write(columns)
    for count, row in enumerate(rows, start=1):
        write([str(cell) if isinstance(cell, int) else csv_cell(cell) for cell in row])
        if count % _CHUNK == 0:
            yield _taken(out)
    yield _taken(out)


def act_cells(row: Done) -> list[str]:
    """The cells of an act."""
    return [
        row.kind,
        row.at.astimezone(ZONE).isoformat(),
        row.table,
        "" if row.round is None else str(row.round),
        " ".join(row.by),
        row.code,
        row.article,
        row.reason,
        "" if row.irregularity is None else str(row.irregularity),
        "" if row.over_at is None else row.over_at.astimezone(ZONE).isoformat(),
        row.log,
        str(row.seq),
    ]


def _taken(out: io.StringIO) -> bytes:
    text = out.getvalue()
    out.seek(0)
    out.truncate()
    return text.encode()
