"""A check that only its owner can read or replace a secret."""

import os
import stat
from pathlib import Path
from typing import Final, NamedTuple

OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


class Exposure(NamedTuple):
    what: str
    command: str

    def __str__(self) -> str:
        return f"{self.what}; fix it: {self.command}"


def exposure(path: Path, writer: int | None = None) -> Exposure | None:
    """``None``: safe or missing; the service manager protects ``$CREDENTIALS_DIRECTORY``.

    ``writer``: another account that writes the file, for this one to read by its group.
    """
    try:
        real = path.resolve(strict=True)
        return None if _is_credential(real) else _of_file(real, writer) or _of_folders(real, writer)
    except OSError:
        return None  # whoever reads it says why it cannot be read


def _of_file(path: Path, writer: int | None) -> Exposure | None:
    found = path.stat()
    mode = stat.S_IMODE(found.st_mode)
    allowed = 0o600 if writer is None else 0o640
    if mode & OTHERS & ~allowed:
        return Exposure(f"{path}: others may read or change it (mode {mode:04o})", f"chmod {allowed:o} {path}")
    return _of_owner(path, found.st_uid, writer)


def _of_folders(path: Path, writer: int | None) -> Exposure | None:
    for folder in path.parents:
        found = folder.stat()
        # Further up a folder that all may write, such as /tmp, does if nobody can rename what is another's in it.
        is_held = folder != path.parent and found.st_mode & stat.S_ISVTX
        if found.st_mode & OTHERS_WRITE and not is_held:
            mode = stat.S_IMODE(found.st_mode)
            what = f"{path}: others may replace it: they can write to the folder {folder} (mode {mode:04o})"
            return Exposure(what, f"chmod go-w {folder}")
        if (theirs := _of_owner(folder, found.st_uid, writer)) is not None:
            return theirs
    return None


def _of_owner(path: Path, owner: int, writer: int | None) -> Exposure | None:
    own = os.geteuid()
    if own == 0 or owner in {0, own, writer}:
        return None
    return Exposure(f"{path}: it belongs to another user (number {owner})", f"chown {own} {path}")


def _is_credential(path: Path) -> bool:
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    return bool(folder) and path.parent == Path(folder or "").resolve()
