"""The files of the repository that are ours."""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ["regulations", "protocols", "drivers", "conformance", "firmware_bridge", "sim", "cardshoe"]
# Not ours, or not text.
_JOINTS = re.compile(r"""["']\s*[bfru]{0,2}["']""", re.IGNORECASE)
"""Where Python joins two strings."""
SKIPPED_FOLDERS = {".git", ".venv", ".cache", "__pycache__", ".hypothesis", "node_modules", "dist", "build"}


def our_files(*suffixes: str) -> Iterator[Path]:
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)  # and what is in those is not walked
        for path in map(Path(folder).joinpath, sorted(names)):
            if path.suffix in suffixes and path.is_file():
                yield path


def our_modules() -> list[Path]:
    return [path for path in our_files(".py") if path.relative_to(ROOT).parts[0] in {*PACKAGES, "tests", "tools"}]


def place(path: Path, line: int = 0) -> str:
    return f"{path.relative_to(ROOT)}:{line}" if line else str(path.relative_to(ROOT))


def spoken(text: str, word: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Line and text of each name, import and string of a module that has this word; its docstrings do not count."""
    if word.search(_JOINTS.sub("", text)):  # else there is nothing to parse it for
        yield from ((line, said) for line, said in _spoken(text) if word.search(said))


def _spoken(text: str) -> Iterator[tuple[int, str]]:
    tree = ast.parse(text)
    prose = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(said)) if id(node) not in prose:
                yield node.lineno, said
            case ast.Name(id=said) | ast.Attribute(attr=said):
                yield node.lineno, said
            case ast.FunctionDef(name=said) | ast.ClassDef(name=said) | ast.arg(arg=said):
                yield node.lineno, said
            case ast.Import(names=names):
                yield from ((node.lineno, one.name) for one in names)
            case ast.ImportFrom(module=module, names=names):
                yield from ((node.lineno, f"{module}.{one.name}") for one in names)
            case _:
                continue
