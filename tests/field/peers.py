"""Far ends written by hand: bytes on a real pty, and a table in this process that listens."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.firmware_bridge.bee_tek import wired as bee_tek
from tests.firmware_bridge.desk import BURN
from tests.firmware_bridge.lossy.wired import Wired
from tests.firmware_bridge.pen import Pen
from tests.kit.command import Line
from tests.kit.far_ends import PtyEnd
from tests.kit.live_table import LiveTable
from tests.kit.running_table import write_config
from tests.kit.waiting import eventually

COPIES: Final = 3
PREPARED: Final[tuple[Line, ...]] = (
    {"event": "shuffled", "by": "croupier"},
    {"event": "cut", "by": "player"},
    {"event": "cut_card_placed", "behind": 14},
    {"event": "loaded", "cards": 416},
)
"""From a fresh table to its burn."""
BETS: Final[Line] = {
    "event": "bets_closed",
    "seats": [1],
    "wagers": [{"seat": 1, "bet": "banker", "stake": 10_000}],
}


class ShoeByHand:
    """An Angel Eye shoe of which each byte is written here, at a table of baccarat."""

    def __init__(self, end: PtyEnd, table: LiveTable) -> None:
        self._end: Final = end
        self.pen: Final = Pen()
        self.table: Final = table

    def send(self, raw: bytes, copies: int = COPIES) -> None:
        """Sends a frame, as often as a shoe does."""
        self._end.send(raw * copies)

    def receive(self, count: int) -> bytes:
        """Waits for exactly so many bytes from the table."""
        return self._end.receive(count)

    def say(self, word: str) -> list[Line]:
        """Sends a telegram of the pen; the answer to it."""
        self.send(self.pen.write(word))
        return self.table.answer()

    def answers(self, raw: bytes) -> list[Line]:
        """Sends a frame; the answer to it."""
        self.send(raw)
        return self.table.answer()

    def begin_round(self) -> None:
        """Prepares the stack, burns and closes the bets."""
        for line in PREPARED:
            self.table.tell(line)
        for word in BURN.split(","):
            self.say(word.strip())
        self.table.tell(BETS)


@contextmanager
def shoe_by_hand(folder: Path, commands: tuple[str, ...] = ()) -> Iterator[ShoeByHand]:
    """A shoe and its table; gone at the end."""
    end = PtyEnd(folder / "shoe")
    try:
        with LiveTable(write_config(folder, end.url, commands=commands)) as table:
            eventually(lambda: table.bridges[0].health().connections == 1, "the port is open")
            (identified, *_) = table.answer()
            assert identified["event"] == "device_identified", "its bridge says what it is"
            yield ShoeByHand(end, table)
    finally:
        end.vanish()


def told(rig: Wired | bee_tek.Wired) -> list[str]:
    """What the table is told next, in brief."""
    said: list[str] = []

    def is_told() -> bool:
        said.extend(rig.told())
        return bool(said)

    eventually(is_told, "the table is told")
    return said
