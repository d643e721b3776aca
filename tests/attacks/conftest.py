"""A journal with a witness, and a database, for those who attack them."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.cardshoe.floor.postgres import Postgres
from tests.cardshoe.journal.sealed import ENTRIES, SHOES, sealed_journal
from tests.tamper.campaign import separate_verifier


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "b-101.journal"


@pytest.fixture(scope="session")
def verifier() -> ModuleType:
    """The separate verifier, in this process: a process for each file would take most of the time."""
    return separate_verifier()


@pytest.fixture
def journal(tmp_path: Path, path: Path) -> Path:
    """A closed journal with all its signatures in the hands of a witness."""
    assert len(sealed_journal(path, shoes=SHOES, witness=tmp_path / "witness")) == ENTRIES
    return path


@pytest.fixture
def witness(tmp_path: Path) -> Path:
    return tmp_path / "witness"


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    with Postgres() as made:
        yield made
