"""The files of the repository that are ours."""

import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ["regulations", "protocols", "drivers", "conformance", "firmware_bridge", "sim", "cardshoe"]
# Not ours, or not text.
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
