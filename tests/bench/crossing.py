"""Two pseudo-terminals crossed, as a cable between two serial ports."""

import os
import select
import sys
import tty
from typing import Final

AT_ONCE: Final = 4096
"""Bytes moved at a time: what a terminal holds."""


def main() -> None:
    """Carries bytes in both directions as they come."""
    masters: list[int] = []
    for _ in range(2):
        master, slave = os.openpty()
        tty.setraw(slave)
        # The slave stays open here as well: else the line would go down between two users of it.
        masters.append(master)
        print(os.ttyname(slave), flush=True)
    other = {masters[0]: masters[1], masters[1]: masters[0]}
    poll = select.poll()
    for file in (*masters, sys.stdin.fileno()):
        poll.register(file, select.POLLIN)
    while True:
        for ready, _ in poll.poll():
            if ready not in other:
                return
            os.write(other[ready], os.read(ready, AT_ONCE))


if __name__ == "__main__":
    main()
