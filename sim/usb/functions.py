"""Functions of a simulated USB device: bulk or CDC-ACM (docs/protocols/tdp.md, section 2)."""

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID

from sim.usb import descriptors
from sim.usb.endpoints import Endpoint, InEndpoint, OutEndpoint
from sim.usb.setup import CLASS_TO_INTERFACE, IN, VENDOR_TO_DEVICE, Setup, Stalled

PACKET_BYTES: Final = 64
LIMIT_BYTES: Final = 16384
"""Bytes buffered each way before NAK or loss."""
BULK_OUT: Final = 0x01
BULK_IN: Final = 0x81
INTERRUPT_IN: Final = 0x82

_ATTENTION: Final = b"\x01"
_ATTENTION_PACKET_BYTES: Final = 8
_ATTENTION_INTERVAL_MS: Final = 8
_INTERFACE_GUID: Final = UUID("427C8CBD-3D77-4FBB-BD48-CAAEA207495C")

_MISCELLANEOUS: Final = (0xEF, 2, 1)
_NONE: Final = (0, 0, 0)
_VENDOR_CLASS: Final = (0xFF, 0, 0)
_CDC_ACM: Final = (2, 2, 0)
_CDC_DATA: Final = (10, 0, 0)
_NOTICE_PACKET_BYTES: Final = 16
_NOTICE_INTERVAL_MS: Final = 16
_CONTROL_INTERFACE: Final = 0
_LINE_CODING: Final = struct.Struct("<IBBB")


class Function(Protocol):
    """A device's function. Descriptors are bytes as a host reads them."""

    @property
    def product_id(self) -> int:
        """``idProduct`` under the vendor 1209."""

    @property
    def device_class(self) -> tuple[int, int, int]:
        """Class, subclass, protocol."""

    @property
    def interface_count(self) -> int:
        """Interfaces, numbered from 0."""

    @property
    def endpoints(self) -> Mapping[int, Endpoint]:
        """By address."""

    def interfaces(self) -> bytes:
        """The configuration descriptor behind its header."""

    def further_configurations(self) -> Sequence[bytes]:
        """Whole configurations behind the first."""

    def bos(self) -> bytes:
        """The BOS descriptor; empty: none."""

    def request(self, setup: Setup, data: bytes) -> bytes:
        """Answer a class or vendor request. Raises ``Stalled``."""

    @property
    def has_received(self) -> bool:
        """True if received bytes wait."""

    @property
    def lost_bytes(self) -> int:
        """Bytes without room, or dropped with a session."""

    def send(self, data: bytes) -> None:
        """Queue for the host."""

    def consume(self) -> bytes:
        """Return the received bytes."""

    def moved(self) -> None:
        """Called when an endpoint moved or dropped bytes."""


class _Stream:
    def __init__(self) -> None:
        self.bulk_in = InEndpoint(PACKET_BYTES, LIMIT_BYTES)
        self.bulk_out = OutEndpoint(PACKET_BYTES, LIMIT_BYTES)

    @property
    def has_received(self) -> bool:
        return self.bulk_out.has_bytes

    @property
    def lost_bytes(self) -> int:
        return self.bulk_in.lost_bytes

    def consume(self) -> bytes:
        return self.bulk_out.consume()

    def further_configurations(self) -> Sequence[bytes]:
        return ()

    @staticmethod
    def bulk_descriptors() -> bytes:
        return descriptors.endpoint(BULK_OUT, descriptors.BULK, PACKET_BYTES) + descriptors.endpoint(
            BULK_IN, descriptors.BULK, PACKET_BYTES
        )


class BulkFunction(_Stream):
    """One interface of class FF: bulk OUT, bulk IN, and an interrupt IN that announces bytes."""

    product_id: Final = 0x0001
    device_class: Final = _NONE
    interface_count: Final = 1

    def __init__(self) -> None:
        super().__init__()
        self._attention = InEndpoint(_ATTENTION_PACKET_BYTES, limit_bytes=len(_ATTENTION))
        self.endpoints: Final[Mapping[int, Endpoint]] = {
            BULK_OUT: self.bulk_out,
            BULK_IN: self.bulk_in,
            INTERRUPT_IN: self._attention,
        }
        self._told_at = (0, 0)
        self._ms_os_20 = descriptors.ms_os_20(_INTERFACE_GUID)

    def interfaces(self) -> bytes:
        """The interface descriptor with its endpoints."""
        return (
            descriptors.interface(0, 3, _VENDOR_CLASS)
            + self.bulk_descriptors()
            + descriptors.endpoint(INTERRUPT_IN, descriptors.INTERRUPT, _ATTENTION_PACKET_BYTES, _ATTENTION_INTERVAL_MS)
        )

    def bos(self) -> bytes:
        """The Microsoft OS 2.0 capability."""
        return descriptors.bos(len(self._ms_os_20))

    def request(self, setup: Setup, data: bytes) -> bytes:
        """Answer the Microsoft OS 2.0 request alone."""
        del data
        asked = (setup.kind, setup.request, setup.index)
        if asked != (VENDOR_TO_DEVICE | IN, descriptors.MS_VENDOR_CODE, descriptors.MS_OS_20_INDEX):
            raise Stalled(setup)
        return self._ms_os_20

    def send(self, data: bytes) -> None:
        """Queue for the host."""
        self.bulk_in.offer(data)
        self.moved()

    def moved(self) -> None:
        """Report waiting bytes once."""
        waiting = self.bulk_in.queued_bytes
        state = (waiting, self.bulk_in.taken_packets)
        if not waiting:
            # A notice that no host has fetched would send the next one to read where nothing is.
            self._attention.drop()
        elif state != self._told_at:
            self._attention.offer(_ATTENTION)
        self._told_at = state


@dataclass(frozen=True, slots=True)
class LineCoding:
    """SET_LINE_CODING (USB PSTN 1.2, 6.3.11); without effect here.

    Attributes:
        stop_bits: 0: 1, 1: 1.5, 2: 2.
        parity: 0 none, 1 odd, 2 even, 3 mark, 4 space.
    """

    baud: int = 115200
    stop_bits: int = 0
    parity: int = 0
    data_bits: int = 8


class CdcFunction(_Stream):
    """A serial port: control interface, data interface, and their association.

    Attributes:
        breaks_ms: durations of breaks; FFFF: until 0.
    """

    product_id: Final = 0x0002
    device_class: Final = _MISCELLANEOUS
    interface_count: Final = 2

    def __init__(self) -> None:
        super().__init__()
        # It never says anything: there are no modem lines behind.
        notices = InEndpoint(_NOTICE_PACKET_BYTES, limit_bytes=0)
        self.endpoints: Final[Mapping[int, Endpoint]] = {
            BULK_OUT: self.bulk_out,
            BULK_IN: self.bulk_in,
            INTERRUPT_IN: notices,
        }
        self.line_coding = LineCoding()
        self.dtr = False
        self.rts = False
        self.breaks_ms: list[int] = []
        self._requests: Final[Mapping[tuple[int, int], Callable[[Setup, bytes], bytes]]] = {
            (CLASS_TO_INTERFACE | IN, 0x21): self._get_line_coding,
            (CLASS_TO_INTERFACE, 0x20): self._set_line_coding,
            (CLASS_TO_INTERFACE, 0x22): self._set_control_line_state,
            (CLASS_TO_INTERFACE, 0x23): self._send_break,
        }

    def interfaces(self) -> bytes:
        """Functional descriptors of USB CDC 1.2, 5.2.3 and USB PSTN 1.2, 5.3."""
        header = bytes.fromhex("05 24 00 20 01")
        call_management = bytes.fromhex("05 24 01 00 01")  # none, over the data interface 1
        acm = bytes.fromhex("04 24 02 06")  # line coding and line state; break
        union = bytes.fromhex("05 24 06 00 01")  # interface 0 controls interface 1
        return (
            descriptors.association(0, 2, _CDC_ACM)
            + descriptors.interface(0, 1, _CDC_ACM)
            + header
            + call_management
            + acm
            + union
            + descriptors.endpoint(INTERRUPT_IN, descriptors.INTERRUPT, _NOTICE_PACKET_BYTES, _NOTICE_INTERVAL_MS)
            + descriptors.interface(1, 2, _CDC_DATA)
            + self.bulk_descriptors()
        )

    def bos(self) -> bytes:
        """Empty: Windows has its own driver for the class."""
        return b""

    def request(self, setup: Setup, data: bytes) -> bytes:
        """Requests of an abstract control model (USB PSTN 1.2, 6.2.2)."""
        answer = self._requests.get((setup.kind, setup.request))
        if answer is None or setup.index != _CONTROL_INTERFACE:
            raise Stalled(setup)
        return answer(setup, data)

    def send(self, data: bytes) -> None:
        """Queue for the host."""
        self.bulk_in.offer(data)

    def moved(self) -> None:
        """Nothing to announce."""

    def _get_line_coding(self, _setup: Setup, _data: bytes) -> bytes:
        coding = self.line_coding
        return _LINE_CODING.pack(coding.baud, coding.stop_bits, coding.parity, coding.data_bits)

    def _set_line_coding(self, setup: Setup, data: bytes) -> bytes:
        if len(data) != _LINE_CODING.size:
            raise Stalled(setup)
        self.line_coding = LineCoding(*_LINE_CODING.unpack(data))
        return b""

    def _set_control_line_state(self, setup: Setup, _data: bytes) -> bytes:
        self.dtr, self.rts = bool(setup.value & 1), bool(setup.value & 2)
        return b""

    def _send_break(self, setup: Setup, _data: bytes) -> bytes:
        self.breaks_ms.append(setup.value)
        return b""
