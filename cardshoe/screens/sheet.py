"""CSV (RFC 4180): cells quoted, without formulas."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cardshoe.process.free_text import csv_cell

_CHUNK: Final = 256
BOM: Final = "\N{BYTE ORDER MARK}"
"""Without it spreadsheets assume the local code page."""


def sheet(columns: Sequence[str], rows: Iterable[Sequence[str | int]]) -> Iterator[bytes]:
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerow
    out.write(BOM)
    write(columns)
    for count, row in enumerate(rows, start=1):
        write([str(cell) if isinstance(cell, int) else csv_cell(cell) for cell in row])
        if count % _CHUNK == 0:
            yield _taken(out)
    yield _taken(out)


def _taken(out: io.StringIO) -> bytes:
    text = out.getvalue()
    out.seek(0)
    out.truncate()
    return text.encode()
