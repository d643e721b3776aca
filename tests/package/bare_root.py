"""A bare Debian in a folder, and what one does in it: made by `debootstrap` from the mirror that apt uses here."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
CACHED: Final = ROOT / ".cache" / "package-test"
NEEDED: Final = ("debootstrap", "dpkg-deb", "chroot", "mount", "nsenter", "unshare")


def why_not() -> str | None:
    """Why no bare root can be made here; ``None``: one can."""
    if os.geteuid() != 0:
        return "only root can make a bare Debian and go into it"
    missing = [name for name in NEEDED if shutil.which(name) is None]
    return f"not installed here: {', '.join(missing)} (apt-get install debootstrap)" if missing else None


def mirror() -> tuple[str, str]:
    """The codename of this Debian, and where apt gets it."""
    codename = subprocess.run(
        ["sh", "-c", ". /etc/os-release; echo $VERSION_CODENAME"], capture_output=True, text=True, check=True
    ).stdout.strip()
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Identifier: Packages", f"Codename: {codename}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return codename, said[0]


def debian(python: str) -> Path:
    """A bare Debian that nobody has used, with what the package depends on and can use; made once."""
    fresh = CACHED / python
    if not fresh.is_dir():
        codename, address = mirror()
        making = CACHED / f".{python}"
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        parts = f"--include={python},systemd"
        command = ["debootstrap", "--variant=minbase", parts, codename, str(making), address]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        making.rename(fresh)
    return fresh


class BareRoot:
    """A bare Debian to be used."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder

    def at(self, path: str) -> Path:
        """A path in it."""
        return self.folder / path.lstrip("/")

    def run(self, *command: str, user: str = "root") -> subprocess.CompletedProcess[str]:
        """Runs a command in it, to its end; both outputs together."""
        return subprocess.run(
            ["chroot", f"--userspec={user}:{user}", str(self.folder), *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"},
        )

    def does(self, *command: str, user: str = "root") -> str:
        """Runs a command that must succeed; what it said."""
        done = self.run(*command, user=user)
        assert done.returncode == 0, f"{' '.join(command)}: {done.returncode}\n{done.stdout}"
        return done.stdout

    def refuses(self, *command: str, because: str) -> None:
        """Runs a command that must fail, and say this."""
        done = self.run(*command)
        assert done.returncode != 0, f"{' '.join(command)} was done"
        assert because in done.stdout, done.stdout


@contextlib.contextmanager
def bare_root(python: str, folder: Path) -> Iterator[BareRoot]:
    """A fresh bare Debian with processes to be seen; gone at the end."""
    subprocess.run(["cp", "-a", "--reflink=auto", str(debian(python)), str(folder)], check=True)
    proc = folder / "proc"
    subprocess.run(["mount", "-t", "proc", "proc", str(proc)], check=True)
    try:
        yield BareRoot(folder)
    finally:
        subprocess.run(["umount", str(proc)], check=True)
        assert not os.path.ismount(proc)
        shutil.rmtree(folder)
