"""Another program on the line is named where the line is lost; an adapter without a port is told from none."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardshoe.cli.doctoring.devices import port
from drivers.driverless import plugged_without_port
from drivers.os_errors import loss
from tests.firmware_bridge.usb_guard.sockets import Tree, Unit
from tests.kit.far_ends import PtyEnd


@pytest.fixture
def line(tmp_path: Path) -> Iterator[PtyEnd]:
    end = PtyEnd(tmp_path / "shoe")
    yield end
    end.vanish()


@pytest.fixture
def reader(line: PtyEnd) -> Iterator[int]:
    """Another program that has the line open without a lock."""
    with line.link.open("rb") as opened, subprocess.Popen(["/bin/sleep", "60"], stdin=opened) as program:
        yield program.pid
        program.kill()


def test_the_program_that_reads_the_line_as_well_is_named_at_the_loss(line: PtyEnd, reader: int) -> None:
    error = loss("shoe", OSError("returned no data"), str(line.link))
    assert error.problem == f"the line was lost: held by /bin/sleep 60 (pid {reader})"
    assert error.remedy == f"End it first: kill {reader}"


def test_a_loss_without_another_program_is_about_the_cable(line: PtyEnd) -> None:
    assert "Check cable and power" in loss("shoe", OSError("returned no data"), str(line.link)).remedy


def test_doctor_names_it(line: PtyEnd, reader: int) -> None:
    found, in_use = port("device shoe", "shoe", str(line.link), ())
    assert f"/bin/sleep 60 (pid {reader})" in str(found)
    assert not in_use


@pytest.mark.parametrize("name", ["usb:1209:0001", "usb:1209:0001:SN-1", "/dev/cardshoe/1209-0001-SN-1"])
def test_an_adapter_that_no_driver_gives_a_port_is_named_with_its_socket(tmp_path: Path, name: str) -> None:
    tree = Tree(tmp_path)
    tree.plug(Unit("SN-1"), "2-1")
    error = plugged_without_port(name, tmp_path)
    assert error is not None
    assert error.problem == "adapter 1209:0001 is plugged in at 2-1, and no driver gives it a port"
    assert "modprobe cdc_acm" in error.remedy
    assert "brltty" in error.remedy


def test_an_adapter_that_a_program_took_from_its_driver(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    folder = tree.plug(Unit("SN-1"), "2-1")
    interface, driver = folder / "2-1:1.0", tmp_path / "bus/usb/drivers/usbfs"
    interface.mkdir()
    driver.mkdir(parents=True)
    (interface / "driver").symlink_to(driver)
    error = plugged_without_port("usb:1209:0001", tmp_path)
    assert error is not None
    assert "a program has taken it" in error.problem
    assert "apt remove brltty" in error.remedy


@pytest.mark.parametrize("name", ["usb:1209:0002", "usb:1209:0001:SN-2", "/dev/ttyS0", "/dev/serial/by-id/usb-X_Y-if0"])
def test_no_such_adapter_is_no_adapter(tmp_path: Path, name: str) -> None:
    tree = Tree(tmp_path)
    tree.plug(Unit("SN-1"), "2-1")
    assert plugged_without_port(name, tmp_path) is None
