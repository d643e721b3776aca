"""The doctor on the floor's list of persons."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from cardshoe.cli.doctoring.persons import persons
from cardshoe.table.setup.config import TableConfig, load
from tests.cardshoe.persons.lists import AT, Signer, put
from tests.kit.running_table import write_config

FLOOR = Signer()


@pytest.fixture
def config(tmp_path: Path) -> TableConfig:
    path = write_config(tmp_path, None)
    tls = '{ certificate = "a", key = "b", authority = "c" }'
    section = f'[persons]\nfile = "persons.toml"\nfloor = "{FLOOR.key.public}"\n'
    path.write_text(f'{path.read_text()}\n{section}[uplink]\nto = "https://floor:8471"\ntls = {tls}\n')
    (tmp_path / "journals").mkdir(mode=0o700)
    return load(path, AT)


def test_a_table_without_a_floor_has_nothing_to_say(tmp_path: Path) -> None:
    assert not list(persons(load(write_config(tmp_path, None), AT)))


@pytest.mark.parametrize(
    ("days", "level"), [(0, "ok"), (6.9, "ok"), (7.1, "warning"), (13.9, "warning"), (14, "problem"), (400, "problem")]
)
def test_how_long_a_list_counts_still(config: TableConfig, days: float, level: str) -> None:
    put(config.persons_list, FLOOR.issue(41))
    (found,) = persons(config, datetime.fromisoformat(AT) + timedelta(days=days))
    assert (found.level, "list 41 of the floor" in found.what) == (level, True)


def test_a_list_that_is_missing_or_none(config: TableConfig) -> None:
    (found,) = persons(config)
    assert (found.level, "no list from the floor yet" in found.what) == ("warning", True)
    put(config.persons_list, Signer(2).issue(41))
    (found,) = persons(config)
    assert (found.level, "was rejected" in found.what) == ("problem", True)
