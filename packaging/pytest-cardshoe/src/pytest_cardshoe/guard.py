"""Ends what was started if pytest dies without ending it.

Standard input: `+123` adds a process group, `-123` drops it; at its end the others are ended.
"""

import contextlib
import os
import select
import signal
import sys
import time

GRACE_S = 5.0
"""Seconds between asking and killing: a table closes its journal and its ports in less."""
LOOK_S = 0.05


def alive(groups: set[int]) -> set[int]:
    """Those of the process groups that have a process."""
    found = set()
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, 0)
            found.add(group)
    return found


def end(groups: set[int]) -> None:
    """Ask them to end, then kill what is left."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for group in alive(groups):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, number)
        deadline_s = time.monotonic() + GRACE_S
        while alive(groups) and time.monotonic() < deadline_s:
            select.select([], [], [], LOOK_S)


def main() -> None:
    """Read until the end, then end what is left."""
    groups: set[int] = set()
    for line in sys.stdin:
        sign, number = line[:1], line[1:].strip()
        if sign == "+":
            groups.add(int(number))
        elif sign == "-":
            groups.discard(int(number))
    end(groups)


if __name__ == "__main__":
    main()
