"""The setup packet, with which every control transfer begins (USB 2.0, 9.3)."""

import struct
from dataclasses import dataclass
from typing import Final, Self

SETUP_BYTES: Final = 8

IN: Final = 0x80
TO_DEVICE: Final = 0x00
TO_INTERFACE: Final = 0x01
TO_ENDPOINT: Final = 0x02
CLASS_TO_INTERFACE: Final = 0x21
VENDOR_TO_DEVICE: Final = 0x40

GET_STATUS: Final = 0
CLEAR_FEATURE: Final = 1
SET_FEATURE: Final = 3
SET_ADDRESS: Final = 5
GET_DESCRIPTOR: Final = 6
GET_CONFIGURATION: Final = 8
SET_CONFIGURATION: Final = 9
GET_INTERFACE: Final = 10
SET_INTERFACE: Final = 11

ENDPOINT_HALT: Final = 0


class Stalled(Exception):
    def __init__(self, setup: "Setup") -> None:
        super().__init__(f"request stalled: {setup}; the device does not know it or is not in a state for it")
        self.setup = setup


@dataclass(frozen=True, slots=True)
class Setup:
    """A control request.

    Attributes:
        length: ``wLength``, bytes to send or most bytes to receive.
    """

    kind: int
    request: int
    value: int = 0
    index: int = 0
    length: int = 0

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """Parse the 8 bytes of the packet."""
        return cls(*struct.unpack("<BBHHH", data))

    @property
    def is_in(self) -> bool:
        return bool(self.kind & IN)
