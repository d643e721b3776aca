"""The drivers' ports at a real kernel: the permissions that udev gives, losing a device and finding it again."""

from pathlib import Path

from tests.kernel.uml import boot, needs_kernel

BULK = "bulk:1209:0001:SN-1"
SERIAL = "usb:1209:0002:SN-2"


@needs_kernel
def test_usb_and_serial_ports_at_linux(tmp_path: Path) -> None:
    """One boot for all of it."""
    seen = boot("ports", tmp_path)

    # The udev line in the error's text is one that helps: it lets in the group that it names, and nobody else.
    assert seen["forbidden"] == "PortForbidden"
    assert seen["as told, in no group"] == "PortForbidden"
    assert seen["as told, in its group"] == ["open", ""]

    # The rules that are shipped: groups, modes and names that stay.
    assert seen["node 1209-0001-SN-1"] == [True, "plugdev", "660"]
    assert seen["node 1209-0002-SN-2"] == [True, "dialout", "660"]
    assert seen["bulk in plugdev"] == ["open", ""]
    assert seen["serial in dialout"] == ["open", ""]
    assert seen["serial in no group"] == "PortForbidden"
    assert seen["names"] == ["/dev/serial/by-id/usb-cardshoe_simulator_echo_cdc_SN-2-if00", BULK]

    for name in (BULK, SERIAL):
        assert seen[f"{name}: echo"] is True
        assert seen[f"{name}: a second one"] == "PortBusy"
        assert seen[f"{name}: unplugged"] == "PortLost"
        assert seen[f"{name}: looked for"] == "PortMissing"
        assert seen[f"{name}: heard of"] is True
        assert seen[f"{name}: again"] is True
