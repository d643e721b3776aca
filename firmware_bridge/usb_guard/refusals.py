"""Why a USB device may not be a card device, and who can resolve it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class RefusalCode(StrEnum):
    """The check that failed. Stable: they stand in logs (``usb_`` and the code) and in runbooks."""

    UNKNOWN_DEVICE = "unknown_device"
    """Not the vendor, product or serial number that is expected."""
    WRONG_PORT_PATH = "wrong_port_path"
    """The right device in another socket than its own."""
    SERIAL_MISSING = "serial_missing"
    """A device without a distinguishing identity."""
    SERIAL_CLONED = "serial_cloned"
    """Two devices with the same vendor, product and serial number at once."""
    FORBIDDEN_INTERFACE = "forbidden_interface"
    """It is storage, an input device, a network card or a hub as well."""
    UNEXPECTED_INTERFACE = "unexpected_interface"
    """Other interfaces than a card device has, or than the configuration names."""
    INTERFACE_CHANGED = "interface_changed"
    """Other interfaces than when the table was started."""
    DESCRIPTORS_UNREADABLE = "descriptors_unreadable"
    """The device's descriptors cannot be read, or contradict themselves."""


class ResponsibleRole(StrEnum):
    """The role that can resolve it, in words."""

    TECHNICIAN = "the technician"
    SURVEILLANCE = "the technician together with surveillance"


FAULT_PREFIX: Final = "usb_"
"""Before the refusal's code in the table log, where the faults that devices report have codes of their own."""

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
    """One check that failed."""

    code: RefusalCode
    problem: str
    remedy: str

    @property
    def fault_code(self) -> str:
        """The code of the fault in the table log."""
        return f"{FAULT_PREFIX}{self.code}"

    @property
    def resolver(self) -> ResponsibleRole:
        """The role that can resolve it."""
        return RESOLVERS[self.code]

    def __str__(self) -> str:
        return f"{self.code}: {self.problem}. {self.remedy} Who can resolve it: {self.resolver}."


FAULT_CODES: Final = frozenset(f"{FAULT_PREFIX}{code}" for code in RefusalCode)
"""All codes under which the guard reports."""
