"""Verdicts, kind by kind: which interfaces are dangerous, which a card device has, and who can resolve a refusal."""

from typing import Final

import pytest

from drivers.usb_facts import InterfaceKind, UsbFacts, UsbInterface
from firmware_bridge.usb_guard.kinds import ForbiddenKind, danger_of
from firmware_bridge.usb_guard.policy import allowed
from firmware_bridge.usb_guard.refusals import FAULT_CODES, RESOLVERS, RefusalCode, ResponsibleRole
from firmware_bridge.usb_guard.verdict import chosen, judge

SERIAL: Final = "usb:0403:6001"


def facts(
    *configurations: tuple[str, ...], path: str = "1-1", serial: str | None = "SN-1", device: str = "00:00:00"
) -> UsbFacts:
    return UsbFacts(
        path=path,
        node="/dev/bus/usb/001/002",
        vid=0x0403,
        pid=0x6001,
        serial_number=serial,
        device_kind=InterfaceKind.parsed(device),
        interfaces=tuple(
            UsbInterface(value, number, 0, InterfaceKind.parsed(kind))
            for value, kinds in enumerate(configurations, 1)
            for number, kind in enumerate(kinds)
        ),
    )


def codes(
    found: UsbFacts, *, interfaces: tuple[str, ...] | None = None, approved: UsbFacts | None = None
) -> list[RefusalCode]:
    kinds = None if interfaces is None else tuple(InterfaceKind.parsed(one) for one in interfaces)
    return [one.code for one in judge(allowed("shoe", SERIAL, interfaces=kinds), found, [found], approved)]


@pytest.mark.parametrize(
    ("kind", "danger"),
    [
        ("08:06:50", ForbiddenKind.STORAGE),
        ("08:06:62", ForbiddenKind.STORAGE),
        ("06:01:01", ForbiddenKind.STORAGE),
        ("03:01:01", ForbiddenKind.INPUT),
        ("03:00:00", ForbiddenKind.INPUT),
        ("09:00:00", ForbiddenKind.HUB),
        ("02:06:00", ForbiddenKind.NETWORK),  # ECM
        ("02:0c:07", ForbiddenKind.NETWORK),  # EEM
        ("02:0d:00", ForbiddenKind.NETWORK),  # NCM
        ("02:0e:00", ForbiddenKind.NETWORK),  # MBIM
        ("02:02:ff", ForbiddenKind.NETWORK),  # RNDIS
        ("ef:04:01", ForbiddenKind.NETWORK),  # RNDIS
        ("e0:01:03", ForbiddenKind.NETWORK),  # RNDIS
        ("e0:01:01", ForbiddenKind.NETWORK),  # Bluetooth
        ("0a:00:01", ForbiddenKind.NETWORK),  # transfer blocks of NCM
        ("0a:00:02", ForbiddenKind.NETWORK),  # and of MBIM
        ("02:02:00", None),
        ("02:02:01", None),
        ("0a:00:00", None),
        ("ff:ff:ff", None),
        ("ef:02:01", None),
        ("01:01:00", None),  # audio: not dangerous by itself, and not expected either
    ],
)
def test_what_is_dangerous(kind: str, danger: ForbiddenKind | None) -> None:
    assert danger_of(InterfaceKind.parsed(kind)) is danger
    both = facts(("ff:ff:ff", kind))
    expected = RefusalCode.UNEXPECTED_INTERFACE if danger is None else RefusalCode.FORBIDDEN_INTERFACE
    assert codes(both) == [expected]
    assert codes(both, approved=facts(("ff:ff:ff",))) == [
        RefusalCode.INTERFACE_CHANGED if danger is None else RefusalCode.FORBIDDEN_INTERFACE
    ]


@pytest.mark.parametrize(
    "kinds",
    [("ff:00:00",), ("ff:ff:ff",), ("02:02:00", "0a:00:00"), ("02:02:01", "0a:00:00"), ("0a:00:00", "02:02:01")],
)
def test_serial_ports_are_expected(kinds: tuple[str, ...]) -> None:
    assert codes(facts(kinds)) == []
    assert codes(facts(kinds, kinds)) == []  # both of two configurations


@pytest.mark.parametrize(
    "configurations",
    [
        (),
        ((),),
        (("02:02:00",),),
        (("0a:00:00",),),
        (("02:02:05", "0a:00:00"),),
        (("02:02:00", "0a:00:00", "0a:00:00"),),
        (("02:02:00", "0a:00:00", "02:02:00", "0a:00:00"),),
        (("ff:ff:ff", "ff:ff:ff"),),
        (("0e:01:00",),),
        (("fe:01:01",),),
        (("ff:ff:ff",), ("0b:00:00",)),
    ],
)
def test_anything_else_is_not(configurations: tuple[tuple[str, ...], ...]) -> None:
    assert codes(facts(*configurations)) == [RefusalCode.UNEXPECTED_INTERFACE]


def test_a_port_of_bulk_pipes_is_no_serial_port() -> None:
    may_be = allowed("shuffler", "bulk:1209:0001")
    found = facts(("02:02:00", "0a:00:00"))
    assert RefusalCode.UNEXPECTED_INTERFACE in [one.code for one in judge(may_be, found, [found], None)]


def test_what_the_configuration_names_is_exact() -> None:
    four = ("ff:ff:ff",) * 4
    assert codes(facts(four), interfaces=four) == []
    assert codes(facts(four[:3]), interfaces=four) == [RefusalCode.UNEXPECTED_INTERFACE]
    assert codes(facts(("0a:00:00", "02:02:00")), interfaces=("02:02:00", "0a:00:00")) == []
    assert codes(facts(("ff:ff:ff",)), interfaces=("ff:00:00",)) == [RefusalCode.UNEXPECTED_INTERFACE]


def test_a_device_that_is_a_danger_as_a_whole() -> None:
    assert codes(facts(("ff:ff:ff",), device="09:00:01")) == [RefusalCode.FORBIDDEN_INTERFACE]


@pytest.mark.parametrize("serial", [None, "", " "])
def test_blank_is_no_serial_number(serial: str | None) -> None:
    assert codes(facts(("ff:ff:ff",), serial=serial)) == [RefusalCode.SERIAL_MISSING]


def test_two_without_serial_numbers_are_no_copies_of_each_other() -> None:
    one, other = facts(("ff:ff:ff",), serial=None), facts(("ff:ff:ff",), serial=None, path="1-2")
    may_be = allowed("shoe", SERIAL, path="1-2")
    assert chosen(may_be, [one, other], [one, other], None) == other
    assert judge(may_be, other, [one, other], None) == ()
    assert chosen(may_be, [one], [one], other) == one  # moved: judged, and refused for its socket
    assert [refusal.code for refusal in judge(may_be, one, [one], other)] == [RefusalCode.WRONG_PORT_PATH]


def test_what_its_port_leads_to_is_judged_before_what_it_was() -> None:
    was, now = facts(("ff:ff:ff",), path="1-2"), facts(("ff:ff:ff",), serial="SN-2")
    may_be = allowed("shoe", "/dev/shoe")
    assert chosen(may_be, [now], [now, was], was) == now
    assert [refusal.code for refusal in judge(may_be, now, [now, was], was)] == [RefusalCode.UNKNOWN_DEVICE]


def test_every_refusal_says_who_can_resolve_it() -> None:
    assert set(RESOLVERS) == set(RefusalCode)
    assert set(RESOLVERS.values()) == set(ResponsibleRole)
    assert {f"usb_{code}" for code in RefusalCode} == FAULT_CODES


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"usb_id": (0x0403, 0x6015)}, "`id` is not the one in the port's name usb:0403:6001:A10"),
        ({"serial_number": "A11"}, "`serial` is not the one in the port's name usb:0403:6001:A10"),
    ],
)
def test_a_configuration_that_contradicts_itself(keys: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        allowed("shoe", "usb:0403:6001:A10", **keys)  # type: ignore[arg-type]  # one of each
