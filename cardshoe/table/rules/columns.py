"""Columns of wrapped text, for a terminal of 100 characters."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

WIDTH: Final = 100
_GAP: Final = "  "


def columns(cells: Sequence[str], widths: Sequence[int], *, indent: str = "  ", width: int = WIDTH) -> Iterator[str]:
    last = width - len(indent) - sum(widths) - len(_GAP) * len(widths)
    wrapped = [
        textwrap.wrap(cell, room, break_long_words=False, break_on_hyphens=False) or [""]
        for cell, room in zip(cells, (*widths, last), strict=True)
    ]
    for parts in zip_longest(*wrapped, fillvalue=""):
        fields = [part.ljust(room) for part, room in zip(parts, (*widths, 0), strict=True)]
        yield (indent + _GAP.join(fields)).rstrip()


def paragraph(text: str, *, indent: str = "  ") -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
