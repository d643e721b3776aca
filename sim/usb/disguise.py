"""A USB device that is more than it should be: one more interface, of a class that no card device has any use for."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sim.usb import descriptors
from sim.usb.endpoints import Endpoint, InEndpoint
from sim.usb.functions import Function
from sim.usb.setup import Setup

EXTRA_IN: Final = 0x83
_PACKET_BYTES: Final = 8
_INTERVAL_MS: Final = 10


class InterfaceClass(NamedTuple):
    """Class, subclass and protocol of an interface (USB-IF, "Defined Class Codes")."""

    number: int
    subclass: int
    protocol: int


STORAGE: Final = InterfaceClass(0x08, 0x06, 0x50)
KEYBOARD: Final = InterfaceClass(0x03, 0x01, 0x01)
NETWORK: Final = InterfaceClass(0x02, 0x06, 0x00)


class Disguised:
    """A ``Function`` with an interface more, behind its own. A host is told of it; nothing works behind it.

    Args:
        function: what the device is good for.
        extra: what it offers besides.
    """

    def __init__(self, function: Function, extra: InterfaceClass) -> None:
        self._function: Final = function
        self._extra: Final = extra
        self.endpoints: Final[Mapping[int, Endpoint]] = {
            **function.endpoints,
            EXTRA_IN: InEndpoint(_PACKET_BYTES, limit_bytes=0),
        }

    @property
    def product_id(self) -> int:
        """See ``Function``."""
        return self._function.product_id

    @property
    def device_class(self) -> tuple[int, int, int]:
        """See ``Function``."""
        return self._function.device_class

    @property
    def interface_count(self) -> int:
        """One more."""
        return self._function.interface_count + 1

    def interfaces(self) -> bytes:
        """Those of the function, then the other."""
        return (
            self._function.interfaces()
            + descriptors.interface(self._function.interface_count, 1, self._extra)
            + descriptors.endpoint(EXTRA_IN, descriptors.INTERRUPT, _PACKET_BYTES, _INTERVAL_MS)
        )

    def bos(self) -> bytes:
        """See ``Function``."""
        return self._function.bos()

    def request(self, setup: Setup, data: bytes) -> bytes:
        """See ``Function``; the other interface stalls whatever it is asked."""
        return self._function.request(setup, data)

    @property
    def has_received(self) -> bool:
        """See ``Function``."""
        return self._function.has_received

    @property
    def lost_bytes(self) -> int:
        """See ``Function``."""
        return self._function.lost_bytes

    def send(self, data: bytes) -> None:
        """See ``Function``."""
        self._function.send(data)

    def take(self) -> bytes:
        """See ``Function``."""
        return self._function.take()

    def moved(self) -> None:
        """See ``Function``."""
        self._function.moved()
