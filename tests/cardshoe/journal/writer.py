"""A process that writes a journal until it is killed: `python -m tests.cardshoe.journal.writer PATH SEED [GROUPS]`."""

import os
import random
import signal
import sys
from pathlib import Path

from cardshoe.journal import Journal
from tests.cardshoe.journal.samples import HEADER, entry

SHOE = 40  # entries between two shoes: few, so that checkpoints are among what is interrupted


def main(path: Path, seed: int, entries: int | None) -> None:
    """Write for ever, or as many entries as wanted."""
    chance = random.Random(seed)
    journal = Journal.open(path) if path.exists() else Journal.create(path, HEADER)
    done = 0
    os.write(1, f"{journal.last}\n".encode())
    while entries is None or done < entries:
        journal.append([entry(journal.last_seq + 1, chance.randint(1, 4), chance.choice([0, 100, 1000, 6000]))])
        os.write(1, f"{journal.last}\n".encode())
        done += 1
        if entries is None and done % SHOE == 0:
            journal.begin_shoe()
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else None)
