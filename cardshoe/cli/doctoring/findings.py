"""Findings: how bad each is, and what to do about it."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from cardshoe.process.exits import Exit


class Level(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    """The table can be played, and somebody should look at it."""
    PROBLEM = "problem"


class Finding(Struct, frozen=True, kw_only=True):
    """A finding of a check.

    Attributes:
        remedy: the next step; empty if it is in order.
    """

    about: str
    level: Level
    what: str
    remedy: str = ""
    exit_code: int = 0


def fine(about: str, what: str) -> Finding:
    """It is well."""
    return Finding(about=about, level=Level.OK, what=what)


def warning(about: str, what: str, remedy: str) -> Finding:
    """The table can be played, and somebody should look at it."""
    return Finding(about=about, level=Level.WARNING, what=what, remedy=remedy)


def problem(about: str, what: str, remedy: str, code: Exit = Exit.FAILURE) -> Finding:
    """The table cannot be played, or not as it must be."""
    return Finding(about=about, level=Level.PROBLEM, what=what, remedy=remedy, exit_code=code)


def exit_code(findings: Iterable[Finding]) -> Exit:
    """How the command ends: a missing device before a broken journal before any other problem."""
    codes = {finding.exit_code for finding in findings}
    return next((code for code in (Exit.DEVICE, Exit.JOURNAL, Exit.FAILURE) if code in codes), Exit.OK)
