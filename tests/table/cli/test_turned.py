"""The effect of the options that turn a simulated device against the table."""

from pathlib import Path

import pytest

from cardshoe.cli.sim.hostile import Turned
from cardshoe.process.exits import Stop
from sim.firmware.build import key_of
from sim.tdp.hostile import Hostile
from sim.tdp.settings import TdpSettings
from sim.usb.hostile import KEYBOARD


def turned(*hostile: Hostile) -> Turned:
    return Turned(None, None, frozenset(hostile))


def settings_of(options: Turned, key: Path | None = None) -> TdpSettings:
    return options.settings(TdpSettings(), "TDP shoe", "SIM-0042", key, None, 1)


def test_a_clone_bears_the_serial_number_of_another_and_has_a_key_of_its_own() -> None:
    assert turned().serial("SIM-0042") == "SIM-0042"
    clone = turned(Hostile.CLONED_SERIAL)
    assert clone.serial("SIM-0042") == "SIM-0001"
    signer = settings_of(clone).signer
    assert signer is not None
    assert signer(b"x") == key_of("clone SIM-0042").sign(b"x") != key_of("unit SIM-0001").sign(b"x")


def test_switches_reach_the_device() -> None:
    assert settings_of(turned()) == TdpSettings()
    assert settings_of(turned(Hostile.SILENT_REBOOT)).tells_restarts is False
    assert settings_of(turned(Hostile.VERSION_CHANGED)).hostile == {Hostile.VERSION_CHANGED}
    assert turned(Hostile.USB_KEYBOARD).usb_extra == KEYBOARD
    assert turned(Hostile.SHARED_KEY).usb_extra is None


def test_a_key_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "device.key").write_text("no key")
    with pytest.raises(Stop, match="--key"):
        settings_of(turned(), tmp_path / "device.key")
