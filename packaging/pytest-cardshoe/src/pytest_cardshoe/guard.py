"""End started processes if pytest dies.

Standard input: `+123` adds a process group, `-123` drops it.
"""

import contextlib
import os
import select
import signal
import sys
import time

GRACE_S = 5.0
LOOK_S = 0.05


def alive(groups: set[int]) -> set[int]:
    found = set()
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, 0)
            found.add(group)
    return found


def end(groups: set[int]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        for group in alive(groups):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, number)
        deadline_s = time.monotonic() + GRACE_S
        while alive(groups) and time.monotonic() < deadline_s:
            select.select([], [], [], LOOK_S)


def main() -> None:
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
