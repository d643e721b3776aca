"""Which files of the law have changed since another revision."""

import ast
import subprocess
from pathlib import Path
from typing import Final

from tests.mutants.finding import REPOSITORY

BASES: Final = ("origin/main", "main")


def changed_files(base: str) -> list[Path]:
    """The files of the law that say something else than at a revision, uncommitted changes included.

    Args:
        base: the revision; empty: where this branch left the main one, or the commit before, on that one itself.
    """
    base = base or _base()
    if not base:
        return []
    told = _git("diff", "--name-only", "--diff-filter=d", base, "--", "regulations/*.py")
    return [REPOSITORY / name for name in told.splitlines() if meaning(_git("show", f"{base}:{name}")) != _now(name)]


def _now(name: str) -> str:
    return meaning((REPOSITORY / name).read_text())


def meaning(text: str) -> str:
    """A module's text as Python takes it, without its docstrings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [one for one in node.body if not _is_said_only(one)]
    return ast.dump(tree)


def _is_said_only(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _base() -> str:
    head = _git("rev-parse", "--verify", "--quiet", "HEAD")
    for name in BASES:
        found = _git("merge-base", "HEAD", name)
        if found and found != head:
            return found
    return _git("rev-parse", "--verify", "--quiet", "HEAD~1")


def _git(*words: str) -> str:
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
