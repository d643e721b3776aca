"""The day report as CSV: RFC 4180, and no cell that a spreadsheet takes for a formula."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Final

from floor.pages.asked import Done
from floor.pages.days import ZONE

COLUMNS: Final = (
    "kind", "time", "table", "round", "persons", "code", "article", "reason", "irregularity", "settled", "log", "seq",
)  # fmt: skip
_SIGNS: Final = "=+-@"
_WIDE: Final = 0xFEE0
"""From a sign to the same in full width."""
_FORMULA: Final = (*_SIGNS, *(chr(ord(sign) + _WIDE) for sign in _SIGNS), "\t", "\r", "\n")
"""With what a formula begins (OWASP, CSV injection), and the same in full width, as East Asian spreadsheets read it."""
_CHUNK: Final = 256
BOM: Final = "\N{BYTE ORDER MARK}"
"""Spreadsheets take a file without it for one of the local code page."""


def sheet(rows: Iterable[Done]) -> Iterator[bytes]:
    """The parts of a CSV file, one after the other."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\r\n").writerow
    out.write(BOM)
    write(COLUMNS)
    for count, row in enumerate(rows, start=1):
        write([harmless(cell) for cell in _cells(row)])
        if count % _CHUNK == 0:
            yield _taken(out)
    yield _taken(out)


def harmless(cell: str) -> str:
    """A cell that is text to every spreadsheet."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell


def _cells(row: Done) -> list[str]:
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
