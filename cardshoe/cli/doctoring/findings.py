"""Findings: how bad each is, and what to do about it."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from cardshoe.process.exits import Exit


class Level(StrEnum):
    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


class Finding(Struct, frozen=True, kw_only=True):
    about: str
    level: Level
    what: str
    remedy: str = ""
    exit_code: int = 0


def fine(about: str, what: str) -> Finding:
    return Finding(about=about, level=Level.OK, what=what)


def warning(about: str, what: str, remedy: str) -> Finding:
    return Finding(about=about, level=Level.WARNING, what=what, remedy=remedy)


def problem(about: str, what: str, remedy: str, code: Exit = Exit.FAILURE) -> Finding:
    return Finding(about=about, level=Level.PROBLEM, what=what, remedy=remedy, exit_code=code)


def exit_code(findings: Iterable[Finding]) -> Exit:
    """Missing device before broken journal before any other problem."""
    codes = {finding.exit_code for finding in findings}
    return next((code for code in (Exit.DEVICE, Exit.JOURNAL, Exit.FAILURE) if code in codes), Exit.OK)
