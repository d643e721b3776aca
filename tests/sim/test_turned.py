"""The effect of the options that turn a simulated device against the table."""

from pathlib import Path
from typing import Any

import pytest

from sim.clock import VirtualClock
from sim.firmware.build import key_of
from sim.kinds.tdp import settings_of, usb_side
from sim.simulated import BadOrder, DeviceOrder
from sim.tdp.hostile import Hostile
from sim.tdp.settings import TdpMachineSettings
from sim.usb.hostile import KEYBOARD
from sim.wires.direct import DirectWire
from sim.wires.wire import was_quiet
from tests.kit.certificates import openssl


def ordered(*hostile: Hostile, **values: Any) -> TdpMachineSettings:  # noqa: ANN401  # the options' values
    values = {"hostile": tuple(way.value for way in hostile), **values}
    return settings_of("TDP shoe", DeviceOrder(DirectWire(was_quiet), VirtualClock(), 8, 1, "SIM-0042", values), None)


def test_a_clone_bears_the_serial_number_of_another_and_has_a_key_of_its_own() -> None:
    assert usb_side("SIM-0042", {}) == ("SIM-0042", None)
    clone = ordered(Hostile.CLONED_SERIAL)
    assert clone.identity is not None
    assert clone.identity.serial == "SIM-0001" == usb_side("SIM-0042", {"hostile": ["cloned-serial"]})[0]
    assert clone.signer is not None
    assert clone.signer(b"x") == key_of("clone SIM-0042").sign(b"x") != key_of("unit SIM-0001").sign(b"x")


def test_switches_reach_the_device() -> None:
    plain = ordered()
    assert plain == TdpMachineSettings(identity=plain.identity)
    assert ordered(Hostile.SILENT_REBOOT).tells_restarts is False
    assert ordered(Hostile.VERSION_CHANGED).hostile == {Hostile.VERSION_CHANGED}
    turned = ordered(blind=True, forgetful=True, shelves=19, no_dispense=True)
    assert (turned.reads, turned.keeps_events, turned.shelves, turned.dispenses) == (False, False, 19, False)
    assert usb_side("SIM-0042", {"hostile": ["usb-keyboard"]})[1] == KEYBOARD
    assert usb_side("SIM-0042", {"hostile": ["shared-key"]})[1] is None


def test_a_key_that_signs_no_attestation_is_told(tmp_path: Path) -> None:
    openssl(tmp_path, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "d.key", "-out", "d.pem",
            "-subj", "/CN=d", "-days", "2")  # fmt: skip
    pem, key = tmp_path / "d.pem", tmp_path / "d.key"
    with pytest.raises(BadOrder, match="--key"):
        ordered(certificate=pem, key=key, authority=pem)
    key.write_text("no key")
    with pytest.raises(BadOrder, match="Give PEM files"):
        ordered(certificate=pem, key=key, authority=pem)
