"""A PostgreSQL of this machine's own for tests: as an unprivileged user, on a Unix socket alone."""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Final, Self

import psycopg
import pytest

PATIENCE_S: Final = 60
ACCOUNTS: Final = ("postgres", "nobody")
"""As whom it runs where the tests are root's: `initdb` refuses root."""
NAME: Final = "cardshoe"


def programs() -> Path | None:
    """The folder of the newest PostgreSQL from 15 on that Debian has installed."""
    found = [Path(name) for name in glob.glob("/usr/lib/postgresql/*/bin/initdb")]  # noqa: PTH207  # one pattern
    numbered = sorted((int(path.parts[-3]), path.parent) for path in found if path.parts[-3].isdecimal())
    return next((path for number, path in reversed(numbered) if number >= 15), None)


needs_postgres: Final = pytest.mark.skipif(programs() is None, reason="needs Debian's package postgresql, 15 or newer")


class Postgres:
    """A cluster; gone at the end of a ``with`` block.

    Args:
        settings: of postgresql.conf.
    """

    def __init__(self, **settings: str) -> None:
        bin_folder = programs()
        assert bin_folder is not None
        self._bin: Final = bin_folder
        self._account: Final = None if os.geteuid() else _account()
        # Below /tmp and not below pytest's folder: that is root's alone, and a socket's path is short.
        self._folder: Final = Path(tempfile.mkdtemp(prefix="cardshoe-pg-", dir="/tmp"))
        if self._account is not None:
            os.chown(self._folder, self._account.pw_uid, self._account.pw_gid)
        self._settings: Final = {"shared_buffers": "32MB", "max_wal_size": "256MB", **settings}
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        data = self._folder / "data"
        self._run("initdb", "-D", data, "-U", NAME, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-N")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        data = self._folder / "data"
        options = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        self._process = subprocess.Popen(
            [*self._as, self._bin / "postgres", "-D", data, "-k", self._folder, "-c", "listen_addresses=", *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        self._run("pg_isready", "-h", self._folder, "-t", str(PATIENCE_S), "-d", "postgres", again=True)

    def kill(self) -> None:
        """Kills every process of it, as the power does."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(PATIENCE_S)
            self._process = None
            (self._folder / "data" / "postmaster.pid").unlink(missing_ok=True)

    def database(self, name: str) -> str:
        """Makes an empty database; how it is reached."""
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
        return self.address(name)

    def address(self, name: str) -> str:
        """How a database is reached."""
        return f"host={self._folder} user={NAME} dbname={name}"

    def dump(self, address: str, file: Path) -> None:
        """Makes a backup of a database."""
        data = subprocess.run([self._bin / "pg_dump", "-Fc", address], check=True, capture_output=True).stdout
        file.write_bytes(data)

    def restore(self, name: str, file: Path) -> str:
        """Makes a database of a backup; how it is reached."""
        address = self.database(name)
        subprocess.run([self._bin / "pg_restore", "-d", address, file], check=True, capture_output=True)
        return address

    def _run(self, program: str, *arguments: object, again: bool = False) -> None:
        command = [*self._as, str(self._bin / program), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, check=False, cwd="/")
        for _ in range(600 if again else 0):
            if done.returncode == 0:
                break
            done = subprocess.run(command, capture_output=True, check=False, cwd="/")
        assert done.returncode == 0, done.stderr.decode()

    @property
    def _as(self) -> list[str]:
        """What stands before a command, so that it runs as the account."""
        account = self._account
        if account is None:
            return []
        return ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]


def _account() -> pwd.struct_passwd:
    for name in ACCOUNTS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise AssertionError("no account to run PostgreSQL as")
