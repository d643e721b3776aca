"""One PostgreSQL and one site for all tests of the floor: each takes seconds to make."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from regulations.events.inputs import AnyInput
from tests.cardshoe.floor.postgres import Postgres
from tests.cardshoe.floor.site import Site
from tests.cardshoe.floor.tables import played


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with Postgres() as cluster:
        yield cluster


@pytest.fixture
def database(postgres: Postgres) -> str:
    return postgres.database("floor")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return Site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def inputs() -> list[AnyInput]:
    return played(rounds=5)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o700)
    return folder
