"""The USB guard at a real kernel: a shoe that comes back with a keyboard, or with a disk in a second configuration."""

from pathlib import Path

from tests.kernel.uml import boot, needs_kernel


@needs_kernel
def test_a_shoe_that_turns_into_something_else(tmp_path: Path) -> None:
    """One boot for all of it."""
    seen = boot("guard", tmp_path)
    assert seen["facts"] == ["1209:0002", "SN-2", ["02:02:00", "0a:00:00"], None]

    # At work: a fault that stands until the keyboard is gone, whatever way out a person takes.
    assert seen["continue"] == "the device has not reported the fault cleared"
    assert seen["said again"] == ["fault", "usb_forbidden_interface", "resolve"]
    assert seen["in the end"] == "shuffle"
    assert "serial number SN-2, at 2-1 is also: keyboard or mouse (03:01:01)" in str(seen["said to people"])
    assert seen["ended"] == 0

    # At the start.
    refused = seen["refused"]
    assert isinstance(refused, list)
    code, message = refused
    assert code == 5
    assert "device shoe: forbidden_interface: 1209:0002, serial number SN-2" in message
    assert "storage (08:06:50)" in message
    assert "Who can resolve it: the technician together with surveillance." in message
    assert seen["ports"] == ["    in socket 2-1, interfaces 02:02:00 08:06:50 0a:00:00"]
    assert "usb shoe        forbidden_interface: 1209:0002" in str(seen["doctor"])

    # The rules that are made for udev: the serial port is its group's, and no driver is let at the keyboard.
    assert seen["authorized"] == ["1", "1", "0"]
    assert seen["node"] == ["dialout", "660"]
