"""Why a USB device may not be a card device, and the remedy's role."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class RefusalCode(StrEnum):
    """Stable: they stand in logs (``usb_`` and the code) and in runbooks."""

    UNKNOWN_DEVICE = "unknown_device"
    WRONG_PORT_PATH = "wrong_port_path"
    SERIAL_MISSING = "serial_missing"
    SERIAL_CLONED = "serial_cloned"
    FORBIDDEN_INTERFACE = "forbidden_interface"
    UNEXPECTED_INTERFACE = "unexpected_interface"
    INTERFACE_CHANGED = "interface_changed"
    DESCRIPTORS_UNREADABLE = "descriptors_unreadable"


class ResponsibleRole(StrEnum):
    TECHNICIAN = "the technician"
    SURVEILLANCE = "the technician together with surveillance"


FAULT_PREFIX: Final = "usb_"
"""Codes of devices' own faults lack it."""

RESOLVERS: Final = {
    RefusalCode.UNKNOWN_DEVICE: ResponsibleRole.SURVEILLANCE,
    RefusalCode.WRONG_PORT_PATH: ResponsibleRole.TECHNICIAN,
    RefusalCode.SERIAL_MISSING: ResponsibleRole.TECHNICIAN,
    RefusalCode.SERIAL_CLONED: ResponsibleRole.SURVEILLANCE,
    RefusalCode.FORBIDDEN_INTERFACE: ResponsibleRole.SURVEILLANCE,
    RefusalCode.UNEXPECTED_INTERFACE: ResponsibleRole.TECHNICIAN,
    RefusalCode.INTERFACE_CHANGED: ResponsibleRole.SURVEILLANCE,
    RefusalCode.DESCRIPTORS_UNREADABLE: ResponsibleRole.TECHNICIAN,
}


@dataclass(frozen=True, slots=True)
class FailedUsbCheck:
    code: RefusalCode
    problem: str
    remedy: str

    @property
    def fault_code(self) -> str:
        return f"{FAULT_PREFIX}{self.code}"

    @property
    def resolver(self) -> ResponsibleRole:
        """The role that can resolve it."""
        return RESOLVERS[self.code]

    def __str__(self) -> str:
        return f"{self.code}: {self.problem}. {self.remedy} Who can resolve it: {self.resolver}."


FAULT_CODES: Final = frozenset(f"{FAULT_PREFIX}{code}" for code in RefusalCode)
