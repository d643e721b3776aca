"""Sticks and sites that several tests read."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.trust.approved.store import FirmwareStore
from tests.firmware_bridge.trust.houses import founded, house
from tests.firmware_bridge.trust.sticks import NOW, Makers, in_memory

__all__ = ["founded", "house"]


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """In memory: these tests sync much, and show nothing about a disk."""
    with in_memory() as folder:
        yield folder


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``repository`` after two releases, and the sticks ``one`` and ``two``, taken after each."""
    folder = tmp_path_factory.mktemp("published")
    makers = Makers(folder / "repository").begin()
    makers.release("1.0.0")
    makers.stick(folder / "one")
    makers.release("1.1.0", 2)
    makers.stick(folder / "two")
    return folder


@pytest.fixture
def makers(published: Path, tmp_path: Path) -> Makers:
    """The makers after two releases; they may go on."""
    shutil.copytree(published / "repository", tmp_path / "repository")
    return Makers(tmp_path / "repository")


@pytest.fixture
def one(published: Path, tmp_path: Path) -> Path:
    """The first stick."""
    return Path(shutil.copytree(published / "one", tmp_path / "one"))


@pytest.fixture
def two(published: Path, tmp_path: Path) -> Path:
    """The second, with a newer firmware."""
    return Path(shutil.copytree(published / "two", tmp_path / "two"))


@pytest.fixture
def store(makers: Makers, one: Path, tmp_path: Path) -> FirmwareStore:
    """A site that took the first stick."""
    found = makers.store(tmp_path / "state")
    found.import_from(one, NOW)
    return found
