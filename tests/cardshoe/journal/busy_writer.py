"""A process that signs, changes keys and checkpoints as fast as it can, until killed: `… busy_writer PATH NOTES`.

The eight behind them are the number up to which it may go on: what a copy costs must not depend on how fast the disk
is.
"""

import os
import struct
import sys
from pathlib import Path

from cardshoe.journal import Journal, Keyring
from tests.cardshoe.journal.samples import HEADER, entry
from tests.cardshoe.journal.sealed import AT
from tests.kit.waiting import eventually

SHOE = 12
"""The first entries between two copies of the log into the database."""
GROWTH = 64
"""Later there are as many as the journal's entries divided by this: as a journal grows, so does the time to copy it,
and a copy must have its chance on any machine."""


def main(path: Path, notes: Path) -> None:
    """Write for ever."""
    journal = Journal.create(path, HEADER, Keyring(path))
    descriptor = os.open(notes, os.O_RDWR)
    done, shoe_ends = 0, SHOE
    while True:
        eventually(lambda: journal.last < struct.unpack("<q", os.pread(descriptor, 8, 8))[0], "room to go on")
        journal.append([entry(journal.last_seq + 1, padding=500)], AT if done % 3 == 0 else None)
        os.pwrite(descriptor, struct.pack("<q", journal.last), 0)
        done += 1
        if done == shoe_ends:
            journal.begin_shoe(AT)
            shoe_ends += max(SHOE, done // GROWTH)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
