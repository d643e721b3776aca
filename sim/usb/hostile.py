"""A card device with extra interfaces: a keyboard, a disk, a network card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sim.usb import descriptors
from sim.usb.endpoints import Endpoint, InEndpoint
from sim.usb.functions import Function
from sim.usb.setup import Setup

FURTHER_VALUE: Final = 2
"""``bConfigurationValue`` of the second configuration."""
_PACKET_BYTES: Final = 8
_INTERVAL_MS: Final = 16
_FIRST_ENDPOINT: Final = 0x84


@dataclass(frozen=True, slots=True)
class ExtraInterface:
    """An interface that does not belong to a card device."""

    triple: tuple[int, int, int]
    extra: bytes = b""


KEYBOARD: Final = ExtraInterface((3, 1, 1), bytes.fromhex("09 21 11 01 00 01 22 3f 00"))
"""HID 1.11, appendix E.4: a boot keyboard, whose report descriptor of 63 bytes is asked for and stalled."""
DISK: Final = ExtraInterface((8, 6, 0x50))
"""Mass storage, SCSI, bulk-only."""
NETWORK: Final = ExtraInterface((2, 6, 0))
"""CDC Ethernet (ECM)."""


class GrownFunction:
    """A function that shows more from the next plugging in on."""

    def __init__(self, inner: Function) -> None:
        self._inner = inner
        self._guises: Sequence[ExtraInterface] = ()
        self._hidden: Sequence[ExtraInterface] = ()
        self._more: Mapping[int, Endpoint] = {}

    def wear(self, *guises: ExtraInterface) -> None:
        """Shows these as well, and nothing else of the kind, from the next plugging in on."""
        self._guises = guises
        self._more = {_FIRST_ENDPOINT + at: InEndpoint(_PACKET_BYTES, limit_bytes=0) for at in range(len(guises))}

    def hide(self, *guises: ExtraInterface) -> None:
        """As :meth:`wear`, in a second configuration, which a host reads and has no reason to set."""
        self._hidden = guises

    @property
    def product_id(self) -> int:
        return self._inner.product_id

    @property
    def device_class(self) -> tuple[int, int, int]:
        return self._inner.device_class

    @property
    def interface_count(self) -> int:
        return self._inner.interface_count + len(self._guises)

    @property
    def endpoints(self) -> Mapping[int, Endpoint]:
        """With those of what it wears."""
        return {**self._inner.endpoints, **self._more}

    def interfaces(self) -> bytes:
        """With what it wears."""
        return self._inner.interfaces() + _shown(self._inner.interface_count, self._guises)

    def further_configurations(self) -> Sequence[bytes]:
        """The configuration that the device hides."""
        hidden = _shown(0, self._hidden)
        return (descriptors.configuration(hidden, len(self._hidden), FURTHER_VALUE),) if hidden else ()

    def bos(self) -> bytes:
        """The same as ever."""
        return self._inner.bos()

    def request(self, setup: Setup, data: bytes) -> bytes:
        """The same as ever."""
        return self._inner.request(setup, data)

    @property
    def has_received(self) -> bool:
        return self._inner.has_received

    @property
    def lost_bytes(self) -> int:
        return self._inner.lost_bytes

    def send(self, data: bytes) -> None:
        """The same as ever."""
        self._inner.send(data)

    def consume(self) -> bytes:
        """The same as ever."""
        return self._inner.consume()

    def moved(self) -> None:
        """The same as ever."""
        self._inner.moved()


def _shown(first: int, guises: Sequence[ExtraInterface]) -> bytes:
    return b"".join(
        descriptors.interface(first + at, 1, guise.triple)
        + guise.extra
        + descriptors.endpoint(_FIRST_ENDPOINT + at, descriptors.INTERRUPT, _PACKET_BYTES, _INTERVAL_MS)
        for at, guise in enumerate(guises)
    )
