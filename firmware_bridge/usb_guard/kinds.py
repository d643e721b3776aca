"""Purposes of interfaces (usb.org, Defined Class Codes; CDC 1.2, table 4)."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from drivers.usb_facts.facts import InterfaceKind


class ForbiddenKind(StrEnum):
    STORAGE = "storage"
    INPUT = "keyboard or mouse"
    NETWORK = "network"
    HUB = "hub"


PATTERNS: Final[Mapping[ForbiddenKind, tuple[str, ...]]] = {
    ForbiddenKind.STORAGE: ("06:*:*", "08:*:*"),
    ForbiddenKind.INPUT: ("03:*:*",),
    ForbiddenKind.HUB: ("09:*:*",),
    ForbiddenKind.NETWORK: (
        "02:02:ff",
        "02:06:*",
        "02:07:*",
        "02:0a:*",
        "02:0c:*",
        "02:0d:*",
        "02:0e:*",
        "0a:00:01",
        "0a:00:02",
        "e0:*:*",
        "ef:04:*",
    ),
}
"""As usbguard writes them, ``*`` is anything; 06 is still image: MTP and PTP carry files.

Network: RNDIS in three guises (02:02:ff, e0:01:03, ef:04), CDC's ECM, ATM, mobile direct line, EEM, NCM and
MBIM, and Bluetooth.
"""

_CDC_CLASS: Final = 0x02
_CDC_ACM: Final = 0x02
_CDC_DATA_CLASS: Final = 0x0A
_VENDOR_CLASS: Final = 0xFF

_ACM_PROTOCOLS: Final = frozenset({0x00, 0x01})
"""None, or modem commands (V.250)."""

MAKER_SHAPE: Final = ("ff:*:*",)
SERIAL_SHAPES: Final = tuple((f"02:02:{protocol:02x}", "0a:00:00") for protocol in sorted(_ACM_PROTOCOLS))


def danger_of(kind: InterfaceKind) -> ForbiddenKind | None:
    return next(
        (danger for danger, patterns in PATTERNS.items() if any(_fits(kind, pattern) for pattern in patterns)), None
    )


def _fits(kind: InterfaceKind, pattern: str) -> bool:
    return all(wanted in ("*", said) for wanted, said in zip(pattern.split(":"), str(kind).split(":"), strict=True))


def dangers(kinds: Iterable[InterfaceKind]) -> dict[ForbiddenKind, list[InterfaceKind]]:
    found: dict[ForbiddenKind, list[InterfaceKind]] = {}
    for kind in kinds:
        danger = danger_of(kind)
        if danger is not None and kind not in found.setdefault(danger, []):
            found[danger].append(kind)
    return found


def is_maker_defined(kinds: tuple[InterfaceKind, ...]) -> bool:
    return len(kinds) == 1 and kinds[0].class_code == _VENDOR_CLASS


def is_serial_port(kinds: tuple[InterfaceKind, ...]) -> bool:
    return any(
        kinds == (InterfaceKind(_CDC_CLASS, _CDC_ACM, protocol), InterfaceKind(_CDC_DATA_CLASS, 0, 0))
        for protocol in _ACM_PROTOCOLS
    )
