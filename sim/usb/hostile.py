"""A card device with extra interfaces: a keyboard, a disk, a network card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sim.usb import descriptors
from sim.usb.endpoints import Endpoint, InEndpoint
from sim.usb.functions import Function
from sim.usb.setup import Setup

FURTHER_VALUE: Final = 2
_PACKET_BYTES: Final = 8
_INTERVAL_MS: Final = 16
_FIRST_ENDPOINT: Final = 0x84


@dataclass(frozen=True, slots=True)
class ExtraInterface:
    triple: tuple[int, int, int]
    extra: bytes = b""


KEYBOARD: Final = ExtraInterface((3, 1, 1), bytes.fromhex("09 21 11 01 00 01 22 3f 00"))
"""HID 1.11, appendix E.4: boot keyboard; its 63-byte report descriptor is stalled."""
DISK: Final = ExtraInterface((8, 6, 0x50))
NETWORK: Final = ExtraInterface((2, 6, 0))


class GrownFunction:
    def __init__(self, inner: Function) -> None:
        self._inner = inner
        self._guises: Sequence[ExtraInterface] = ()
        self._hidden: Sequence[ExtraInterface] = ()
        self._more: Mapping[int, Endpoint] = {}

    def wear(self, *guises: ExtraInterface) -> None:
        """Replace the extra interfaces from the next plugging in on."""
        self._guises = guises
        self._more = {_FIRST_ENDPOINT + at: InEndpoint(_PACKET_BYTES, limit_bytes=0) for at in range(len(guises))}

    def hide(self, *guises: ExtraInterface) -> None:
        """Add interfaces in a second configuration, which hosts read but do not set."""
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
        """All endpoints, the extra ones included."""
        return {**self._inner.endpoints, **self._more}

    def interfaces(self) -> bytes:
        """All interfaces, the extra ones included."""
        return self._inner.interfaces() + _shown(self._inner.interface_count, self._guises)

    def further_configurations(self) -> Sequence[bytes]:
        hidden = _shown(0, self._hidden)
        return (descriptors.configuration(hidden, len(self._hidden), FURTHER_VALUE),) if hidden else ()

    def bos(self) -> bytes:
        """Unchanged."""
        return self._inner.bos()

    def request(self, setup: Setup, data: bytes) -> bytes:
        """Unchanged."""
        return self._inner.request(setup, data)

    @property
    def has_received(self) -> bool:
        return self._inner.has_received

    @property
    def lost_bytes(self) -> int:
        return self._inner.lost_bytes

    def send(self, data: bytes) -> None:
        """Unchanged."""
        self._inner.send(data)

    def consume(self) -> bytes:
        """Unchanged."""
        return self._inner.consume()

    def moved(self) -> None:
        """Unchanged."""
        self._inner.moved()


def _shown(first: int, guises: Sequence[ExtraInterface]) -> bytes:
    return b"".join(
        descriptors.interface(first + at, 1, guise.triple)
        + guise.extra
        + descriptors.endpoint(_FIRST_ENDPOINT + at, descriptors.INTERRUPT, _PACKET_BYTES, _INTERVAL_MS)
        for at, guise in enumerate(guises)
    )
