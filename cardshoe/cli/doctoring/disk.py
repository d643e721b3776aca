"""Check the place of the journal."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cardshoe.cli.doctoring.findings import Finding, fine, problem, warning
from cardshoe.journal.file.disk_space import BALLAST_BYTES, BEGIN_BYTES, LOW_BYTES, free_space

MIB: Final = 1024 * 1024

SHOE_BYTES: Final = 8 * MIB

PLENTY_BYTES: Final = 1024 * MIB

PASSING: Final = frozenset({"tmpfs", "ramfs", "devtmpfs"})

REMOTE: Final = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "ceph", "glusterfs", "afs"})


def folder(path: Path) -> Iterator[Finding]:
    there = _nearest(path)
    if not there.is_dir():
        yield problem("disk", f"{there} is not a folder", "Name another folder in [journal].")
        return
    if not os.access(there, os.W_OK | os.X_OK):
        yield problem("disk", f"{there} cannot be written", f"sudo chown $USER {there}, or name another folder.")
    elif there != path:
        yield fine("disk", f"{path} is made at the first start")
    else:
        yield fine("disk", f"{path} can be written")
    yield from kind(file_system(there))
    yield room(free_space(there))


def room(free_bytes: int) -> Finding:
    free = f"{free_bytes // MIB} MiB free"
    if free_bytes < LOW_BYTES:
        what = (
            f"{free}: below {LOW_BYTES // MIB} MiB no round is opened, and below {BALLAST_BYTES // MIB} MiB the "
            "reserve that is kept to finish one is used up"
        )
        return problem("disk", what, "Move closed journals away; an open one stays where it is.")
    if free_bytes < BEGIN_BYTES:
        what = f"{free}: a table begins a log with {-(-BEGIN_BYTES // MIB)} MiB or more"
        return problem("disk", what, "Move closed journals away; an open log can continue.")
    if free_bytes < PLENTY_BYTES:
        what = f"{free}, enough for about {(free_bytes - LOW_BYTES) // SHOE_BYTES} shoe games"
        return warning("disk", what, "Move closed journals away soon.")
    return fine("disk", free)


def file_system(path: Path) -> str | None:
    try:
        mounts = Path("/proc/self/mountinfo").read_text("utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    resolved = path.resolve()
    found: tuple[Path, str | None] = (Path("/"), None)
    for mount in mounts:
        # "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw": the place is the fifth field, the kind
        # follows the lone hyphen. Of two mounts on one place the later one counts.
        before, _, after = mount.partition(" - ")
        place = Path(before.split()[4].replace("\\040", " "))
        if resolved.is_relative_to(place) and place.is_relative_to(found[0]):
            found = (place, after.split()[0])
    return found[1]


def kind(name: str | None) -> Iterator[Finding]:
    if name in PASSING:
        yield warning("disk", f"the folder is in memory ({name}): a power cut erases it", "Name a folder on a disk.")
    elif name in REMOTE:
        what = f"the folder lies on a network ({name}), where locks and syncs are not reliable"
        yield warning("disk", what, "Name a folder on a local disk.")


def _nearest(path: Path) -> Path:
    return next((one for one in (path, *path.absolute().parents) if one.exists()), Path("/"))
