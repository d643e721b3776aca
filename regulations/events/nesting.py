"""Greatest nesting depth of a line of the table log."""

import re
from typing import Final

MAX_DEPTH: Final = 32
"""Arrays and objects that may stand in each other, the line itself counted."""
_TEXT: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""A text, or what begins as one and does not end; it gives nothing back, so that it takes time in proportion."""


def nests_too_deep(line: bytes) -> bool:
    """True if a line nests deeper than :data:`MAX_DEPTH`, be it JSON or not.

    Args:
        line: the bytes of a line.
    """
    return line.count(b"{") + line.count(b"[") > MAX_DEPTH and _depth(line) > MAX_DEPTH


def _depth(line: bytes) -> int:
    depth = deepest = 0
    for mark in _TEXT.sub(b"", line):
        depth += (mark in b"{[") - (mark in b"}]")
        deepest = max(deepest, depth)
    return deepest
