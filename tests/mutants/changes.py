"""Which files of the law have changed since another revision."""

import subprocess
from pathlib import Path
from typing import Final

from tests.mutants.finding import REPOSITORY

BASES: Final = ("origin/main", "main")


def changed_files(base: str) -> list[Path]:
    """The files of the law that differ from a revision, uncommitted changes included.

    Args:
        base: the revision; empty: where this branch left the main one, or the commit before, on that one itself.
    """
    base = base or _base()
    if not base:
        return []
    told = _git("diff", "--name-only", "--diff-filter=d", base, "--", "regulations/*.py")
    return [REPOSITORY / name for name in told.splitlines()]


def _base() -> str:
    head = _git("rev-parse", "--verify", "--quiet", "HEAD")
    for name in BASES:
        found = _git("merge-base", "HEAD", name)
        if found and found != head:
            return found
    return _git("rev-parse", "--verify", "--quiet", "HEAD~1")


def _git(*words: str) -> str:
    """Git's output; nothing where it fails: without git, or without a history."""
    try:
        return subprocess.run(
            ["git", *words],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            check=False,
        ).stdout.strip()
    except OSError:
        return ""
