"""Standard input, line by line, for a thread that may be left reading it when the program ends."""

import sys
from collections.abc import Iterator


def typed_lines() -> Iterator[str]:
    """What is typed, to its end; a byte that is no UTF-8 becomes a replacement character and ends nothing.

    Read past Python's own buffer: a thread that waits there holds a lock, for want of which the interpreter aborts at
    its end.
    """
    if sys.stdin is None:
        return
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as lines:
        for line in lines:
            yield line.decode("utf-8", "replace")
