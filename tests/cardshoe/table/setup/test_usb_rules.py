"""``cardshoe usb-rules``: the rules that are made, and what usbguard's own parser says to them."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from cardshoe.process.exits import Exit
from cardshoe.table.setup.config import DeviceSection
from cardshoe.table.setup.usb_opening import UsbRefused, found_on_usb
from cardshoe.table.setup.usb_rules import RuleSubject, Unwritable, subject_of, udev_rules, usbguard_rules
from cardshoe.table.setup.usb_section import UsbSection
from drivers.usb_devices import UsbBus
from drivers.usb_facts import InterfaceKind
from firmware_bridge.usb_guard.kinds import PATTERNS, danger_of
from firmware_bridge.usb_guard.policy import allowed
from sim.usb.hostile import KEYBOARD
from tests.cardshoe.cli.support import invoke
from tests.firmware_bridge.usb_guard.sockets import Tree, Unit
from tests.kit.running_table import write_config

ROOT: Final = Path(__file__).resolve().parents[4]
PACKAGED: Final = ROOT / "packaging" / "usbguard"
UNPACKED: Final = ROOT / ".cache" / "usbguard" / "usr" / "bin"
"""Where `.ci/run` puts the parser: the whole package would start a daemon that blocks what is plugged in next."""


def _parser() -> str | None:
    found = shutil.which("usbguard-rule-parser", path=f"{os.environ.get('PATH', '')}{os.pathsep}{UNPACKED}")
    starts = found is not None and subprocess.run([found, "--help"], capture_output=True, check=False).returncode == 0
    return found if starts else None


PARSER: Final = _parser()

needs_parser = pytest.mark.skipif(PARSER is None, reason="needs usbguard-rule-parser of the Debian package usbguard")
SHOE: Final = DeviceSection(
    name="shoe",
    family="angel_eye",
    port="usb:1209:0002:SN-2",
    usb=UsbSection(path="1-1.2", interfaces=["0a:00:00", "02:02:00"]),
)
SHUFFLER: Final = DeviceSection(name="shuffler", family="tdp", port="bulk:1209:0001")


def subjects(bus: UsbBus, *devices: DeviceSection) -> list[RuleSubject]:
    return [subject_of(may_be, found) for may_be, found in found_on_usb(devices, bus)]


def parsed(text: str, folder: Path) -> list[str]:
    """The rules as usbguard understood them."""
    assert PARSER is not None
    file = folder / "rules.conf"
    file.write_text(text)
    done = subprocess.run([PARSER, "-f", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # A comment comes out as an empty rule.
    rules = [line.removeprefix("OUTPUT:").strip() for line in done.stdout.splitlines() if line.startswith("OUTPUT:")]
    return [rule for rule in rules if rule]


def test_rules_from_the_configuration_alone(tmp_path: Path) -> None:
    lines = list(usbguard_rules(subjects(Tree(tmp_path).bus, SHOE, SHUFFLER)))
    assert lines[1].startswith("reject id one-of { 1209:0001 1209:0002 } with-interface one-of { 02:02:ff ")
    assert lines[2:] == [
        "# device shoe",
        'allow id 1209:0002 serial "SN-2" via-port "1-1.2" with-interface equals { 02:02:00 0a:00:00 }',
        "# device shuffler",
        "allow id 1209:0001 with-interface equals { ff:*:* }",
        "# Whatever else calls itself one of these.",
        "reject id one-of { 1209:0001 1209:0002 }",
    ]


def test_what_the_configuration_leaves_open_is_taken_from_what_is_there(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.plug(Unit("SN-1"), "1-3")
    lines = list(usbguard_rules(subjects(tree.bus, SHUFFLER)))
    assert "# device shuffler: as it is plugged in, where the configuration leaves it open" in lines
    assert 'allow id 1209:0001 serial "SN-1" with-interface equals { ff:00:00 }' in lines


def test_no_rules_for_a_device_that_the_guard_refuses(tmp_path: Path) -> None:
    tree, unit = Tree(tmp_path), Unit("SN-1")
    unit.function.wear(KEYBOARD)
    unit.replug()
    tree.plug(unit, "1-3")
    with pytest.raises(UsbRefused, match="device shuffler: forbidden_interface: 1209:0001") as refused:
        subjects(tree.bus, SHUFFLER)
    assert refused.value.code is Exit.DEVICE


def test_a_device_that_nothing_names(tmp_path: Path) -> None:
    unnamed = DeviceSection(name="shoe", family="angel_eye", port="/dev/shoe", usb=UsbSection(path="1-1"))
    with pytest.raises(Unwritable, match="/dev/shoe does not say which USB device it is") as unwritable:
        subjects(Tree(tmp_path).bus, unnamed)
    assert (unwritable.value.device, "Plug it in" in unwritable.value.remedy) == ("shoe", True)


@pytest.mark.parametrize("serial_number", ['A"10', "A*", "A\\", "a|b", "é", "\t"])
def test_a_serial_number_that_would_mean_something_else_in_a_rule(serial_number: str) -> None:
    with pytest.raises(Unwritable, match="has signs that mean something in rules"):
        subject_of(allowed("shoe", "usb:1209:0002", serial_number=serial_number), None)


@needs_parser
def test_usbguard_reads_what_is_made(tmp_path: Path) -> None:
    (tmp_path / "sys").mkdir()
    unpinned = DeviceSection(name="spare", family="angel_eye", port="usb:0403:6001")
    text = "\n".join(usbguard_rules(subjects(Tree(tmp_path / "sys").bus, SHOE, SHUFFLER, unpinned)))
    rules = parsed(text, tmp_path)
    assert [rule.split()[0] for rule in rules] == ["reject", "allow", "allow", "allow", "allow", "allow", "reject"]
    assert 'allow id 1209:0002 serial "SN-2" via-port "1-1.2" with-interface { 02:02:00 0a:00:00 }' in rules
    assert "allow id 0403:6001 with-interface ff:*:*" in rules


@needs_parser
def test_usbguard_reads_what_is_shipped(tmp_path: Path) -> None:
    rules = parsed((PACKAGED / "70-cardshoe.conf").read_text(), tmp_path)
    assert rules[0].startswith("reject ")
    assert rules[-1].startswith("reject ")
    assert any(rule.startswith("allow ") for rule in rules)


@needs_parser
def test_the_parser_is_no_yes_man(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="RuleParserError"):
        parsed("allow id 1209:0001 with-interface equal { ff:00:00 }\n", tmp_path)


def test_what_is_shipped_is_what_is_made_for_the_example_there(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    config.write_text(config.read_text() + (PACKAGED / "example-devices.toml").read_text())
    made = invoke("usb-rules", config)
    assert made.exit_code == 0
    body = made.stdout.partition("\n")[2]
    assert (PACKAGED / "70-cardshoe.conf").read_text().endswith(body)


def test_rules_for_udev(tmp_path: Path) -> None:
    lines = list(udev_rules(subjects(Tree(tmp_path).bus, SHOE, SHUFFLER)))
    assert (
        'SUBSYSTEM=="tty", SUBSYSTEMS=="usb", ATTRS{idVendor}=="1209", ATTRS{idProduct}=="0002", '
        'ATTRS{serial}=="SN-2", KERNELS=="1-1.2", ENV{ID_MM_DEVICE_IGNORE}="1", GROUP="dialout", MODE="0660"'
    ) in lines
    assert (
        'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="1209", ATTR{idProduct}=="0001", '
        'ENV{ID_MM_DEVICE_IGNORE}="1", GROUP="plugdev", MODE="0660"'
    ) in lines
    assert (
        'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_interface", ATTRS{idVendor}=="1209", ATTRS{idProduct}=="0001", '
        'ATTR{bInterfaceClass}=="03", ATTR{authorized}="0"'
    ) in lines
    assert all(re.fullmatch(r'(#.*|([A-Z]+(\{\w+\})?(==|=)"[^"]*"(, |$))+)', line) for line in lines)


def test_the_command_without_a_device_on_usb(tmp_path: Path) -> None:
    done = invoke("usb-rules", write_config(tmp_path, "socket://192.0.2.7:4001"))
    assert done.exit_code == 0
    assert "# No rules: no [[device]] has a port on USB." in done.stdout


def test_the_command_with_a_device_that_nothing_names(tmp_path: Path) -> None:
    done = invoke("usb-rules", write_config(tmp_path, "/dev/serial/by-id/usb-none-if00-port0"))
    assert done.exit_code == 5
    assert "device shoe: /dev/serial/by-id/usb-none-if00-port0 does not say which USB device it is" in done.stderr


@pytest.mark.parametrize("pattern", sorted(pattern for some in PATTERNS.values() for pattern in some))
def test_every_pattern_is_one_that_usbguard_can_have(pattern: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{2}:(\*:\*|[0-9a-f]{2}:(\*|[0-9a-f]{2}))", pattern)
    assert danger_of(InterfaceKind.parsed(pattern.replace("*", "55"))) is not None
