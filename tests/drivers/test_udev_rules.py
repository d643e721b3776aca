"""The udev rules in packaging/udev: each says something of something, and of the devices that the code knows."""

import fnmatch
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from drivers.adapters import ADAPTERS
from drivers.errors import DEFAULT_GROUP, DEFAULT_USB_GROUP, PortForbidden
from sim.usb.device import VENDOR_ID
from sim.usb.functions import BulkFunction, CdcFunction

ROOT: Final = Path(__file__).resolve().parent.parent.parent
RULES: Final = ROOT / "packaging" / "udev" / "70-cardshoe.rules"

_PART: Final = re.compile(r'([A-Z_]+)(\{[^}]+\})?(==|!=|\+=|:=|=)"([^"]*)"')
MATCHES: Final = frozenset({"SUBSYSTEM", "SUBSYSTEMS", "ATTR", "ATTRS", "ENV"})
EFFECTS: Final = frozenset({"GROUP", "MODE", "SYMLINK", "ENV"})


class Rule(NamedTuple):
    """A line: what it asks (`==`; `!=` with that behind the key) and what it does (`=`, `+=`), by key."""

    asks: dict[str, str]
    does: dict[str, str]

    @property
    def numbers(self) -> tuple[int, int]:
        """Vendor and product."""
        asked = {key.removeprefix("ATTRS").removeprefix("ATTR"): value for key, value in self.asks.items()}
        return int(asked["{idVendor}"], 16), int(asked["{idProduct}"], 16)


def parsed(line: str) -> Rule:
    rule = Rule({}, {})
    for part in line.split(", "):
        found = _PART.fullmatch(part)
        assert found is not None, f"not a part of a rule: {part}"
        key, of, sign, value = found.groups(default="")
        is_asked = sign in {"==", "!="}
        side = rule.asks if is_asked else rule.does
        assert key in (MATCHES if is_asked else EFFECTS), part
        assert is_asked or sign in {"=", "+="}
        name = key + of + ("!=" if sign == "!=" else "")
        assert name not in side, f"twice in {line}"
        side[name] = value
    return rule


def rules() -> list[Rule]:
    lines = RULES.read_text().splitlines()
    return [parsed(line) for line in lines if line and not line.startswith("#")]


def test_each_rule_asks_and_does() -> None:
    assert rules()
    for rule in rules():
        assert rule.asks
        assert rule.does
        assert rule.asks["SUBSYSTEM"] in {"tty", "usb"}


def test_parents_are_asked_of_a_tty_and_the_device_itself_of_usb() -> None:
    """ATTR asks the device that the event is about, ATTRS it or one above it; a tty's numbers stand above it."""
    for rule in rules():
        keys = {key.partition("{")[0] for key in rule.asks}
        if rule.asks["SUBSYSTEM"] == "tty":
            assert "ATTR" not in keys
            assert rule.asks["SUBSYSTEMS"] == "usb"
        else:
            assert "ATTRS" not in keys
            assert rule.asks["ENV{DEVTYPE}"] == "usb_device"  # not its interfaces


def test_the_devices_are_those_that_the_code_knows() -> None:
    opened = {
        subsystem: {rule.numbers for rule in rules() if rule.asks["SUBSYSTEM"] == subsystem and "GROUP" in rule.does}
        for subsystem in ("tty", "usb")
    }
    assert opened["tty"] == set(ADAPTERS) | {(VENDOR_ID, CdcFunction.product_id)}
    assert opened["usb"] == {(VENDOR_ID, BulkFunction.product_id)}


def test_nobody_else_may_open_them() -> None:
    for rule in rules():
        assert ("GROUP" in rule.does) == ("MODE" in rule.does)
        if "GROUP" in rule.does:
            assert rule.does["MODE"] == "0660"
            assert rule.does["GROUP"] == (DEFAULT_GROUP if rule.asks["SUBSYSTEM"] == "tty" else DEFAULT_USB_GROUP)


def test_modem_manager_is_kept_from_all_of_them() -> None:
    told = {rule.numbers for rule in rules() if rule.does.get("ENV{ID_MM_DEVICE_IGNORE}") == "1"}
    assert told == {rule.numbers for rule in rules()}
    usb_told = {
        rule.numbers
        for rule in rules()
        if rule.asks["SUBSYSTEM"] == "usb" and rule.does.get("ENV{ID_MM_DEVICE_IGNORE}") == "1"
    }
    assert usb_told == told


def test_links_are_by_serial_number_and_tell_the_devices_apart() -> None:
    linking = [rule for rule in rules() if "SYMLINK" in rule.does]
    for rule in linking:
        vid, pid = rule.numbers
        assert rule.does["SYMLINK"] == f"cardshoe/{vid:04x}-{pid:04x}-$attr{{serial}}"
        # A space would make a second link, of any name; a slash leads elsewhere.
        (refused,) = [value for key, value in rule.asks.items() if key.endswith("{serial}!=")]
        for serial in ("A cardshoe/0403-6001-X", "../sda", "a/b", "x\ty", "é"):
            assert fnmatch.fnmatchcase(serial, refused.replace("[^", "[!"))
        assert not fnmatch.fnmatchcase("A10K3_X.Y-Z", refused.replace("[^", "[!"))
        assert "?*" in {rule.asks.get("ATTRS{serial}"), rule.asks.get("ATTR{serial}")}  # there is a number at all
    assert len({rule.numbers for rule in linking}) == len(linking)


@pytest.mark.parametrize("usb", [None, (0x1209, 0x0001)])
def test_the_line_that_an_error_shows_is_such_a_rule(usb: tuple[int, int] | None) -> None:
    remedy = PortForbidden("shoe", None, usb=usb).remedy
    found = re.search(r"70-cardshoe\.rules: (SUBSYSTEM.*?MODE=\"0660\")", remedy)
    assert found is not None
    shown = parsed(found[1])
    if usb is None:
        shown.asks.update({"ATTRS{idVendor}": "0403", "ATTRS{idProduct}": "6001"})
    ours = next(rule for rule in rules() if rule.numbers == shown.numbers and "GROUP" in rule.does)
    assert shown.asks.items() <= ours.asks.items()
    assert shown.does.items() <= ours.does.items()


def test_udev_takes_them() -> None:
    """By `udevadm verify` where it is new enough to have that (254); elsewhere the tests above have to do."""
    tool = shutil.which("udevadm")
    if tool is None:
        return
    done = subprocess.run([tool, "verify", str(RULES)], capture_output=True, text=True, check=False, timeout=60)
    if "Unknown command verb" not in done.stderr:
        assert done.returncode == 0, done.stderr
