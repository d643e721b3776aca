"""Text that persons, devices and files bring along, made harmless for where it goes.

Control characters move cursors and erase lines, line separators forge lines, bidirectional overrides reorder text, and
a spreadsheet runs cells that begin like a formula. One function for each target.
"""

import re
import unicodedata
from typing import Final

_SIGNS: Final = "=+-@"
_WIDE: Final = 0xFEE0
_FORMULA: Final = re.compile(rf"(?<!\w)(?=[{re.escape(_SIGNS)}{''.join(chr(ord(sign) + _WIDE) for sign in _SIGNS)}])")
"""Where a spreadsheet would begin a formula, whatever its separator."""


def terminal_text(text: str) -> str:
    r"""A text for a line of a terminal or of a log file; what is not visible is written as ``\u001b``.

    Within JSON that is another way to write the same text.
    """
    if text.isprintable():
        return text
    return "".join(one if _is_visible(one) else _escaped(one) for one in text)


def terminal_lines(text: str) -> str:
    """As `terminal_text`, of text whose line feeds are ours."""
    return "\n".join(map(terminal_text, text.split("\n")))


def page_text(text: str) -> str:
    """A text for HTML, where it is escaped as well."""
    if text.isprintable():
        return text
    return "".join(one if _is_visible(one) else "\N{REPLACEMENT CHARACTER}" for one in text)


def csv_cell(text: str) -> str:
    """A text for a cell of CSV, to be quoted."""
    return _FORMULA.sub("'", page_text(text))


def siem_text(line: bytes) -> bytes:
    """A message for a SIEM, JSON or syslog, on one line and without what is not visible."""
    return terminal_text(line.decode("utf-8", "replace")).encode()


def _is_visible(one: str) -> bool:
    return one.isprintable() or unicodedata.category(one) == "Zs"


def _escaped(one: str) -> str:
    units = one.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
