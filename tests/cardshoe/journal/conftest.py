"""Fixtures that several tests of the journal share."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardshoe.journal import Entry
from tests.cardshoe.journal.samples import closed_journal, stored
from tests.cardshoe.journal.watched_disk import WatchedDisk, WatchedFiles


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "b-101.journal"


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Entry]]:
    """The bytes of a closed journal of two shoes, and its entries."""
    path = tmp_path_factory.mktemp("sound") / "sound.journal"
    entries = closed_journal(path)
    return path.read_bytes(), entries


@pytest.fixture(scope="session")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes, list[Entry]]:
    """The bytes of a journal whose writer was killed, of its write-ahead log, and its entries."""
    path = tmp_path_factory.mktemp("killed") / "killed.journal"
    subprocess.run(
        [sys.executable, "-m", "tests.cardshoe.journal.writer", path, "7", "12"], stdout=subprocess.PIPE, check=False
    )
    wal = path.with_name("killed.journal-wal")
    return path.read_bytes(), wal.read_bytes().rstrip(b"\0"), stored(path)


@pytest.fixture
def watched_disk() -> Iterator[WatchedDisk]:
    """A disk that sees all further writes and syncs of the database library."""
    disk = WatchedDisk()
    layer = WatchedFiles(disk)
    yield disk
    layer.unregister()
