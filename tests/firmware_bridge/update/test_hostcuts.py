"""The short form of ``make updatecut``; and that the campaign finds what is wrong."""

from pathlib import Path

import pytest

from firmware_bridge.update.states import UpdateState
from tests.firmware_bridge.update import __main__ as updatecut
from tests.firmware_bridge.update.hostcuts import STORIES, Faults, HostCuts
from tests.firmware_bridge.update.hostile import LiesOfAll
from tests.firmware_bridge.update.wrong_machines import Gullible, RecordsLate

NIGHTS = 180


def test_whoever_dies_and_whenever_every_update_ends_as_it_says(tmp_path: Path, seed: int) -> None:
    hosts = HostCuts(tmp_path)
    hosts.campaign(NIGHTS, seed)
    found = hosts.found
    assert not found.faults, found.examples
    assert found.nights >= NIGHTS
    assert len(found.hashes) >= NIGHTS // 5
    assert {end.partition(":")[0] for end in found.ends} == {story.name for story in STORIES}


def test_the_host_dies_at_every_boundary_of_an_update(tmp_path: Path) -> None:
    hosts = HostCuts(tmp_path)
    update = STORIES[0]
    boundaries, _operations = hosts.tell(update, Faults())
    for kill in range(boundaries):
        hosts.tell(update, Faults(kill=kill))
    assert not hosts.found.faults, hosts.found.examples
    assert hosts.found.ends[f"{update.name}: {UpdateState.CONFIRMED}"] == boundaries + 1, (
        "a dead host delays, and no more"
    )


def test_a_machine_that_records_too_late_is_caught(tmp_path: Path, seed: int) -> None:
    hosts = HostCuts(tmp_path, RecordsLate)
    hosts.campaign(12, seed)
    assert hosts.found.faults["unattested"]


def test_a_machine_that_believes_a_device_is_caught(tmp_path: Path, seed: int) -> None:
    gullible = HostCuts(tmp_path / "gullible", judge=Gullible, device=LiesOfAll)
    gullible.tell(STORIES[0], Faults())
    assert gullible.found.faults["lost"]
    sound = HostCuts(tmp_path / "sound", device=LiesOfAll)
    sound.tell(STORIES[0], Faults(seed=seed))
    assert set(sound.found.ends) == {"update: refused signature_wrong"}


def test_it_is_run_from_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    few = ("--stories", "1", "--every", "1000", "--nights", "20", "--mutations", "3", "--control-nights", "6")
    monkeypatch.setattr("sys.argv", ["updatecut", *few])
    assert updatecut.main() == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith("update: states=")
    assert ("bricks=0 unapproved=0 rollbacks=0 packages=3 accepted=0 lost=0 others=0 controls=caught") in line
