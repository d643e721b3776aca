"""The deepest stack that an image for the Cortex-M3 can need, from what the compiler says of each function."""

import re
from functools import cache
from pathlib import Path
from typing import Final

FRAME_BYTES: Final = 32 + 4
"""What the core pushes when an interrupt comes, and a word to align it."""
HANDLERS: Final = ("uart0_received", "uart0_sent", "uart1_received", "timer1_over")
"""All have the same priority: no second one comes before the first is over."""
BY_POINTER: Final = {
    "hands_execute": ("hands/hands.c:",),
    "hands/": ("cortex-m3/main.c:plug", "cortex-m3/main.c:power"),
    "cortex-m3/main.c": ("cortex-m3/board.c:line_room", "cortex-m3/board.c:write_line"),
    "core/": (
        "cortex-m3/main.c:room",
        "cortex-m3/main.c:write_line",
        "cortex-m3/board.c:read_fram",
        "cortex-m3/board.c:write_fram",
        "core/plain.c:",
    ),
}
"""Whoever calls by pointer, a function or the functions of a file, and what it may call."""

_NODE: Final = re.compile(r'node: \{ title: "([^"]+)" label: "[^"]*?\\n(?:([^":\\]+):\d+:\d+)\\n(\d+) bytes \(static\)')
_EDGE: Final = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')


class Calls:
    """The graph of calls of an image.

    Args:
        folder: the compiler's `.ci` files.
    """

    def __init__(self, folder: Path) -> None:
        text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.ci")))
        self._bytes: Final = {name: int(count) for name, _file, count in _NODE.findall(text)}
        self._files: Final = {name: file for name, file, _count in _NODE.findall(text)}
        self._called: Final[dict[str, set[str]]] = {name: set() for name in self._bytes}
        for caller, called in _EDGE.findall(text):
            self._called[caller] |= {called} if called != "__indirect_call" else set(self._by_pointer(caller))
        self.deepest = cache(self._deepest)

    def _by_pointer(self, caller: str) -> list[str]:
        place = caller if caller in BY_POINTER else self._files[caller]
        starts = next(starts for start, starts in BY_POINTER.items() if place.startswith(start))
        found = [name for name in self._bytes if name.startswith(starts)]
        assert len(found) >= len(starts), f"of {starts} there are only {found}"
        return found

    def _deepest(self, name: str) -> int:
        """Bytes of a function and of all below it; a recursion has no end, and fails."""
        return self._bytes[name] + max(map(self.deepest, self._called[name]), default=0)


def deepest_stack(folder: Path) -> int:
    """Bytes of the program at its deepest, with an interrupt there."""
    calls = Calls(folder)
    return calls.deepest("reset") + FRAME_BYTES + max(map(calls.deepest, HANDLERS))
