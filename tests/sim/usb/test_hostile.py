"""A device that is more than it should be: what a host reads of it, and that it works as before."""

import errno

import pytest

from sim.usb import usb_wire
from sim.usb.hostile import DISK, KEYBOARD, NETWORK, ExtraInterface
from sim.usb.setup import Setup, Stalled
from tests.sim.usb.buses import BULK_CONFIGURATION, BULK_DEVICE, LONG, Host


@pytest.mark.parametrize(
    ("extra", "triple", "more"),
    [(DISK, "08 06 50", ""), (KEYBOARD, "03 01 01", "09 21 11 01 00 01 22 3f 00"), (NETWORK, "02 06 00", "")],
)
def test_it_offers_an_interface_more(extra: ExtraInterface, triple: str, more: str) -> None:
    device = usb_wire("bulk", "SN-1", product="Shuffler", extra=extra).device
    configuration = device.control(Setup(0x80, 6, 0x0200, 0, LONG))
    own = bytes.fromhex(BULK_CONFIGURATION)
    behind = bytes.fromhex(f"09 04 01 00 01 {triple} 00 {more} 07 05 84 03 08 00 10")
    assert configuration[9:] == own[9:] + behind
    assert configuration[:9] == own[:2] + bytes([len(own) + len(behind), 0, 2]) + own[5:9]
    assert device.control(Setup(0x80, 6, 0x0100, 0, LONG)) == bytes.fromhex(BULK_DEVICE)


@pytest.mark.parametrize("kind", ["bulk", "cdc"])
def test_it_works_as_before_and_nothing_comes_from_behind_the_other_interface(kind: str) -> None:
    host = Host()
    host.wire = usb_wire("bulk" if kind == "bulk" else "cdc", "SN-1", product="Shuffler", extra=DISK)
    host.device = host.wire.device
    heard: list[bytes] = []
    host.wire.listen(heard.append)
    host.wire.send(b"lost")
    host.device.control(Setup(0x00, 9, 1))
    assert host.write(b"still a shuffler").status == 0
    host.wire.pump()
    assert heard == [b"still a shuffler"]
    host.wire.send(b"as it says")
    assert bytes(host.read(64).data) == b"as it says"
    assert host.wire.lost_bytes == 4
    assert host.read(8, 0x84).status is None
    assert bool(host.device.control(Setup(0x80, 6, 0x0F00, 0, LONG)) if kind == "bulk" else True)
    with pytest.raises(Stalled):
        host.device.control(Setup(0xA1, 0xFE, 0, 2, 1))  # the number of its disks, which a host would ask for
    waits = host.read(64)
    host.wire.unplug()
    assert waits.status == errno.ENODEV
