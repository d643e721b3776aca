"""``python -m tests.bench.walk``: through which files one card goes, and how often it changes from one to another.

From the bytes to the journalled verdict, and with TDP to the acknowledgement; calls and returns alike. Only files
of the product count. Of some cards of baccarat rounds the one in the middle is told.
"""

import argparse
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Final

from tests.bench.link import OurTable, crossed, process
from tests.bench.virtual_table import VirtualTable

SEED: Final = 20261121
ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("regulations", "protocols", "drivers", "firmware_bridge", "cardshoe")
OURS: Final = tuple(f"{ROOT / package}/" for package in PACKAGES)
WARM_UP: Final = 30
"""Cards before those that are followed: what is made once is made by then."""
FOLLOWED: Final = 21


class Walk:
    """Follows calls and returns, each thread by itself."""

    def __init__(self) -> None:
        self.files: Final[Counter[str]] = Counter()
        self.switches = 0
        self.calls = 0
        self._at: Final[dict[int, str]] = {}

    def follow(self, frame: FrameType, event: str, _argument: Any) -> None:  # noqa: ANN401  as the interpreter calls it
        """Take note of a call or a return."""
        if event not in {"call", "return"}:
            return
        here: FrameType | None = frame if event == "call" else frame.f_back
        if here is None or not here.f_code.co_filename.startswith(OURS):
            return
        name = here.f_code.co_filename[len(str(ROOT)) + 1 :]
        if event == "call":
            self.calls += 1
        thread = threading.get_ident()
        if self._at.get(thread) != name:
            self.switches += thread in self._at
            self._at[thread] = name
            self.files[name] += 1

    def __str__(self) -> str:
        """The counts of a walk, in one line."""
        return f"files={len(self.files)} switches={self.switches} calls={self.calls}"


class FollowedTable(VirtualTable):
    """A table of which some cards are followed, each with the first copy of its telegram."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, SEED, 1)
        self.walks: Final[list[Walk]] = []

    def _heard(self, data: bytes) -> None:
        follows = len(self.card_cpu_ns) >= WARM_UP and not self._pending
        walk = Walk()
        if follows:
            sys.setprofile(walk.follow)
        super()._heard(data)
        sys.setprofile(None)
        if follows and self._pending:  # it was a card
            self.walks.append(walk)


def middle(walks: Sequence[Walk]) -> Walk:
    """Of several walks the one in the middle, by its changes of file."""
    return sorted(walks, key=lambda one: one.switches)[len(walks) // 2]


def angel_eye() -> Walk:
    """A card of an Angel Eye shoe, its first telegram."""
    with tempfile.TemporaryDirectory() as folder:
        table = FollowedTable(Path(folder))
        table.play()
    return middle(table.walks[:FOLLOWED])


def tdp() -> Walk:
    """A card that a TDP device deals on command, in the port's thread and in the table's."""
    walks: list[Walk] = []

    def follow(frame: FrameType, event: str, argument: Any) -> None:  # noqa: ANN401  as the interpreter calls it
        if walks:
            walks[-1].follow(frame, event, argument)

    threading.setprofile(follow)
    with (
        tempfile.TemporaryDirectory() as folder,
        crossed() as (near, far),
        process("tests.bench.tdp_end", far),
    ):
        table = OurTable(Path(folder), near, "full")
        table.start()
        try:
            table.block(WARM_UP)
            sys.setprofile(follow)
            for _ in range(FOLLOWED):
                walks.append(Walk())
                table.block(1)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            table.close()
    return middle(walks)


def main() -> None:
    """Follows both; the last two lines are for programs."""
    parser = argparse.ArgumentParser(prog="tests.bench.walk", description=__doc__)
    parser.add_argument("--files", action="store_true", help="name the files, with how often each was entered")
    arguments = parser.parse_args()
    for name, walk in (("angel_eye", angel_eye()), ("tdp", tdp())):
        if arguments.files:
            for file, entered in walk.files.most_common():
                print(f"  {entered:4} {file}")
        print(f"walk-{name}: {walk}")


if __name__ == "__main__":
    main()
