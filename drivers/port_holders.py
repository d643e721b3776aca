"""The processes that have a port open: for ``PortBusy`` and ``cardshoe doctor``."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

_PROC: Final = Path("/proc")
_COMMAND_CHARACTERS: Final = 80


class PortHolder(NamedTuple):
    """A process that has a port open.

    Attributes:
        command: cut at 80 characters.
        role: ``run``, ``sim``; ``None``: another program.
    """

    pid: int
    command: str
    role: str | None = None

    @property
    def is_table(self) -> bool:
        """Ending it in a round would stop the game."""
        return self.role in {"run", "demo"}


def holders(path: str) -> list[PortHolder]:
    """By pid, this one included; without root only one's own and locks, without ``/proc`` none."""
    device = os.path.realpath(path)
    pids = sorted(int(entry.name) for entry in _entries(_PROC) if entry.name.isdecimal())
    locking = _lockers(device)
    return [holder_of(pid) for pid in pids if pid in locking or _has_open(pid, device)]


def strangers(path: str) -> list[PortHolder]:
    """Owners of the device's side (``cardshoe sim``) count only if they locked the port."""
    device = os.path.realpath(path)
    locking = _lockers(device)
    return [
        one
        for one in holders(device)
        if one.pid != os.getpid()
        and (one.pid in locking or not (one.role == "sim" or _has_other_side(one.pid, device)))
    ]


def _has_other_side(pid: int, device: str) -> bool:
    number = device.removeprefix("/dev/pts/")
    folder = _PROC / str(pid)
    for descriptor in _entries(folder / "fd"):
        try:
            if descriptor.readlink().name != "ptmx":
                continue
            said = (folder / "fdinfo" / descriptor.name).read_text("utf-8").split()
        except OSError:  # closed meanwhile
            continue
        if "tty-index:" in said and said[said.index("tty-index:") + 1] == number:
            return True
    return False


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # another user's process, or one that has ended meanwhile
        return []


def _lockers(device: str) -> set[int]:
    try:
        found = os.stat(device)  # noqa: PTH116  paths of ports are text, as configured
        lines = (_PROC / "locks").read_text("utf-8").splitlines()
    except OSError:
        return set()
    wanted = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    # "1: FLOCK  ADVISORY  WRITE 1234 00:18:7 0 EOF"; a waiting lock has "->" in the second place.
    held = (fields for line in lines if wanted in (fields := line.split()) and fields[1] == "FLOCK")
    return {int(fields[4]) for fields in held}


def _has_open(pid: int, device: str) -> bool:
    for descriptor in _entries(_PROC / str(pid) / "fd"):
        try:
            if str(descriptor.readlink()) == device:
                return True
        except OSError:  # closed meanwhile
            continue
    return False


def holder_of(pid: int) -> PortHolder:
    try:
        raw = (_PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return PortHolder(pid, "a program that has just ended")
    words = raw.decode(errors="replace").split("\0")
    return PortHolder(pid, " ".join(words).strip()[:_COMMAND_CHARACTERS], _role(words))


def _role(words: Sequence[str]) -> str | None:
    for index, word in enumerate(words):
        if Path(word).name == "cardshoe":
            return next((after for after in words[index + 1 :] if after and not after.startswith("-")), "")
    return None
