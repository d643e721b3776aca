"""Ask a person at the terminal, past pytest's capture."""

from pathlib import Path

import pytest

__tracebackhide__ = True  # a failure is shown where the test asked for it, not where it was found


def ask(what: str) -> None:
    try:
        terminal = Path("/dev/tty").open("r+b", buffering=0)  # noqa: SIM115  # closed by the `with` below
    except OSError:
        pytest.skip(
            f"needs a person at the device ({what}): run pytest at a terminal, or name a rig with --cardshoe-control"
        )
    with terminal:
        terminal.write(f"\n  AT THE DEVICE: {what}. Enter when it is done, s to skip: ".encode())
        answer = terminal.readline()
    if not answer or answer.strip().lower().startswith(b"s"):
        pytest.skip(f"the person at the device skipped it: {what}")
