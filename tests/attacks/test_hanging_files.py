"""Attack: whoever runs as the uplink puts a pipe in the place of a file that it writes and the table reads.

What was possible: the table opened the floor's list of persons as it came. The other end of a pipe never comes, so the
table did not start; while it ran, its thread for persons waited without an end, and nobody could sign in or out. The
doctor and the uplink itself hung in the same way.

What stops it now: such a file is opened without waiting, and only a plain file is read.
"""

import os
from datetime import datetime
from pathlib import Path

import pytest

from cardshoe.cli.doctoring import persons as doctor
from cardshoe.floor.certificates import Revoked
from cardshoe.floor.enrolled import FILE_BYTES, Enrolled
from cardshoe.persons.listed import FloorList
from cardshoe.persons.registry import Registry
from cardshoe.process.exits import Stop
from cardshoe.table.setup.config import load
from cardshoe.table.uplink import delivery_record as kept
from cardshoe.table.uplink.persons_list import ListKeeper
from regulations.events.notices import PersonsListed
from tests.cardshoe.persons.lists import AT, TABLE, Signer, Wall, put
from tests.kit.running_table import write_config

FLOOR = Signer()


@pytest.mark.timeout(20)
def test_a_pipe_in_the_place_of_the_floor_s_list_keeps_nobody_waiting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "T-1.persons"
    listed = FloorList(path, FLOOR.key.public, TABLE, Wall())
    os.mkfifo(path, 0o600)
    assert listed.look() is None
    assert "no plain file" in caplog.text
    keeper = ListKeeper(str(FLOOR.key.public), str(path), TABLE)
    keeper.hear("0" * 64, lambda _: FLOOR.issue(41))
    assert path.is_fifo()
    put(path, FLOOR.issue(41))
    assert isinstance(listed.look(), PersonsListed)
    # The list that holds goes on, whatever takes its file's place.
    path.unlink()
    os.mkfifo(path, 0o600)
    assert listed.look() is None
    assert listed.holding is not None


@pytest.mark.timeout(20)
def test_nor_the_doctor(tmp_path: Path) -> None:
    file = write_config(tmp_path, None)
    tls = '{ certificate = "a", key = "b", authority = "c" }'
    section = f'[persons]\nfile = "persons.toml"\nfloor = "{FLOOR.key.public}"\n'
    file.write_text(f'{file.read_text()}\n{section}[uplink]\nto = "https://floor:8471"\ntls = {tls}\n')
    (tmp_path / "journals").mkdir(mode=0o700)
    config = load(file, AT)
    os.mkfifo(config.persons_list, 0o600)
    (found,) = doctor.persons(config, datetime.fromisoformat(AT))
    assert (found.level, "no plain file" in found.what) == ("problem", True)


@pytest.mark.timeout(20)
def test_nor_do_the_tables_own_registry_and_memory_of_lists(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    os.mkfifo(tmp_path / "persons.toml", 0o600)
    with pytest.raises(Stop, match="no plain file"):
        Registry(tmp_path / "persons.toml").persons()
    path = tmp_path / "T-1.persons"
    put(path, FLOOR.issue(41))
    os.mkfifo(tmp_path / "T-1.persons-seen", 0o600)
    assert FloorList(path, FLOOR.key.public, TABLE, Wall()).look() is None
    assert "no plain file" in caplog.text


@pytest.mark.timeout(20)
def test_nor_does_the_floor_wait_for_its_lists(tmp_path: Path) -> None:
    for name in ("tables", "crl.pem"):
        os.mkfifo(tmp_path / name, 0o600)
    with pytest.raises(Stop, match="no plain file"):
        Enrolled(str(tmp_path / "tables"))
    (tmp_path / "many").write_text("T-1\n" * (FILE_BYTES // 4 + 1))
    with pytest.raises(Stop, match="more than"):
        Enrolled(str(tmp_path / "many"))
    revoked = Revoked(str(tmp_path / "crl.pem"), "authority.pem")
    assert "no plain file" in str(revoked.fault({"serialNumber": "01"}))


@pytest.mark.timeout(20)
def test_nor_whoever_asks_what_was_delivered(tmp_path: Path) -> None:
    journal = tmp_path / "T-1.journal"
    journal.touch()
    os.mkfifo(tmp_path / "T-1.journal-floor", 0o600)
    assert kept.read(journal, journal.parent) is None
