"""The doctor on a USB device that has no serial port."""

from pathlib import Path

import pytest

from cardshoe.cli.doctoring.devices import device, unreachable
from cardshoe.cli.doctoring.findings import Level
from cardshoe.table.setup.config import DeviceSection
from drivers.port_names import PortCandidate
from drivers.usb_port import libusb

NAME = "bulk:1209:0001:SHOE1"


def configured(name: str) -> DeviceSection:
    return DeviceSection(name="shuffler", family="angel_eye", port=name)


def test_one_that_is_not_there_is_missing() -> None:
    (found,) = device(configured("bulk:1209:0001:NONE"), (), 0)
    assert (found.level, found.exit_code) == (Level.PROBLEM, 5)
    assert "no device matches; USB bulk devices there:" in found.what


def test_without_libusb_that_is_the_finding(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("drivers.usb_port.backend.UDEV_RUNS", tmp_path / "none")  # so that it is looked for each time
    with monkeypatch.context() as nowhere:
        nowhere.setattr("drivers.usb_port.backend.SEARCHES", ())
        (found,) = device(configured(NAME), (), 0)
    libusb(NAME)  # found again, for the tests that follow
    assert (found.level, found.exit_code) == (Level.PROBLEM, 5)
    assert "no libusb is installed" in found.what
    assert "pip install libusb-package" in found.remedy


def test_a_wrong_name_is_said_before_anything_is_looked_for() -> None:
    (found,) = device(configured("bulk:0403:6001"), (), 0)
    assert "FTDI FT232R is a serial adapter, write usb:0403:6001" in found.what


def test_one_that_may_not_be_opened_has_its_own_rule(tmp_path: Path) -> None:
    node = tmp_path / "004"
    node.touch()
    node.chmod(0)
    candidate = PortCandidate(str(node), "Bulk shoe", 0x1209, 0x0001, "SHOE1", kind="bulk")
    error = PermissionError(13, "Permission denied")
    found = unreachable("device shuffler", NAME, str(node), error, (candidate,))
    assert (found.level, found.exit_code) == (Level.PROBLEM, 5)
    assert 'SUBSYSTEM=="usb", ATTR{idVendor}=="1209", ATTR{idProduct}=="0001"' in found.remedy
