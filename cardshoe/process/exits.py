"""Exit codes of the command line, and the one error that carries them to the surface."""

from enum import IntEnum


class Exit(IntEnum):
    """The exit statuses of ``cardshoe``."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    """Usage or bad input."""
    IRREGULAR = 3
    """A refusal or an irregularity under ``--strict``."""
    JOURNAL = 4
    """The journal is broken, or its disk failed."""
    DEVICE = 5
    """A device is missing, busy or forbidden."""
    NEWER_BUILD = 6
    """A table ended between two shoe games because a newer build is installed: start it again."""


class Stop(Exception):  # it ends a command, whether or not something is wrong
    """Ends a command with a message of at most a screen and an exit code."""

    def __init__(self, what: str, remedy: str, code: Exit) -> None:
        super().__init__(f"{what}\n{remedy}")
        self.what = what
        self.remedy = remedy
        self.code = code
