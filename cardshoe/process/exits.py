"""Exit codes of the command line, and the error that carries them."""

from enum import IntEnum


class Exit(IntEnum):
    OK = 0
    FAILURE = 1
    USAGE = 2
    IRREGULAR = 3
    """A refusal or an irregularity under ``--strict``."""
    JOURNAL = 4
    DEVICE = 5
    NEWER_BUILD = 6
    """A newer build is installed; the table ended between shoe games: restart it."""


class Stop(Exception):  # it ends a command, whether or not something is wrong
    """Ends a command with a message and an exit code."""

    def __init__(self, what: str, remedy: str, code: Exit) -> None:
        super().__init__(f"{what}\n{remedy}")
        self.what = what
        self.remedy = remedy
        self.code = code
