"""Greatest nesting depth of a line of the table log."""

import re
from typing import Final

MAX_DEPTH: Final = 32
_TEXT: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)


def nests_too_deep(line: bytes) -> bool:
    return line.count(b"{") + line.count(b"[") > MAX_DEPTH and _depth(line) > MAX_DEPTH


def _depth(line: bytes) -> int:
    depth = deepest = 0
    for mark in _TEXT.sub(b"", line):
        depth += (mark in b"{[") - (mark in b"}]")
        deepest = max(deepest, depth)
    return deepest
