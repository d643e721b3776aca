"""Free text of people, devices and files, escaped per target.

Control characters, line separators, bidirectional overrides and spreadsheet formulas are neutralised.
"""

import re
import unicodedata
from typing import Final

_SIGNS: Final = "=+-@"
_WIDE: Final = 0xFEE0
_FORMULA: Final = re.compile(rf"(?<!\w)(?=[{re.escape(_SIGNS)}{''.join(chr(ord(sign) + _WIDE) for sign in _SIGNS)}])")


def terminal_text(text: str) -> str:
    r"""For a terminal or log line; invisible characters become ``\u001b``, valid in JSON."""
    if text.isprintable():
        return text
    return "".join(one if _is_visible(one) else _escaped(one) for one in text)


def terminal_lines(text: str) -> str:
    """The same for text whose line feeds are ours."""
    return "\n".join(map(terminal_text, text.split("\n")))


def page_text(text: str) -> str:
    """For HTML, which also escapes it."""
    if text.isprintable():
        return text
    return "".join(one if _is_visible(one) else "\N{REPLACEMENT CHARACTER}" for one in text)


def csv_cell(text: str) -> str:
    """For a quoted CSV cell."""
    return _FORMULA.sub("'", page_text(text))


def siem_text(line: bytes) -> bytes:
    """For a SIEM: one line without invisible characters."""
    return terminal_text(line.decode("utf-8", "replace")).encode()


def _is_visible(one: str) -> bool:
    return one.isprintable() or unicodedata.category(one) == "Zs"


def _escaped(one: str) -> str:
    units = one.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
