"""USB/IP 1.1.1 as bytes, at the server's end (Linux, ``Documentation/usb/usbip_protocol.rst``)."""

import struct
from dataclasses import dataclass
from typing import Final

VERSION: Final = 0x0111
_REQUEST_DEVLIST: Final = 0x8005
_REQUEST_IMPORT: Final = 0x8003
_REPLY_DEVLIST: Final = 0x0005
_REPLY_IMPORT: Final = 0x0003
_SUBMIT: Final = 1
_UNLINK: Final = 2
_RETURN_SUBMIT: Final = 3
_RETURN_UNLINK: Final = 4
_DIRECTION_IN: Final = 1

OK: Final = 0
BUSY: Final = 2
NO_DEVICE: Final = 4

SHORT_NOT_OK: Final = 0x0001
"""Transfer flag: fewer bytes than requested are EREMOTEIO."""

LONGEST_TRANSFER_BYTES: Final = 1 << 20
"""Above Linux's largest URB."""

_OPERATION: Final = struct.Struct(">HHI")
_BUS_ID_BYTES: Final = 32
_HEADER: Final = struct.Struct(">IIIII28s")
_SUBMIT_FIELDS: Final = struct.Struct(">IIIII8s")
_UNLINK_FIELDS: Final = struct.Struct(">I24x")
_RETURN_FIELDS: Final = struct.Struct(">IIIIIiIIII8x")
_RETURN_UNLINK_FIELDS: Final = struct.Struct(">IIIIIi24x")
_DEVICE: Final = struct.Struct(">256s32sIIIHHHBBBBBB")
_ISOCHRONOUS_NONE: Final = (0, 0xFFFFFFFF)
"""``number_of_packets`` of other transfers: Linux sends 0, its document FFFFFFFF."""


class ProtocolBroken(Exception):
    """The peer breaks USB/IP 1.1.1; close the connection.

    Attributes:
        raw: the bytes at fault.
    """

    def __init__(self, what: str, raw: bytes) -> None:
        super().__init__(
            f"not USB/IP 1.1.1 as served here: {what}; bytes {raw.hex(' ')}. Attach with Linux's usbip tool"
        )
        self.raw = raw


@dataclass(frozen=True, slots=True)
class ListRequest:
    """The request for a list of devices."""


@dataclass(frozen=True, slots=True)
class ImportRequest:
    bus_id: str


@dataclass(frozen=True, slots=True)
class Submit:
    """A transfer.

    Attributes:
        device_id: bus number in the upper 16 bits, device number in the lower.
        endpoint: address; bit 7: IN; 00 and 80 are control transfers.
        length: room for IN, bytes for OUT.
    """

    number: int
    device_id: int
    endpoint: int
    flags: int
    length: int
    start_frame: int
    packets: int
    setup: bytes
    data: bytes


@dataclass(frozen=True, slots=True)
class Unlink:
    number: int
    device_id: int
    victim: int


Request = ListRequest | ImportRequest | Submit | Unlink


@dataclass(frozen=True, slots=True)
class Exported:
    """A listed device.

    Attributes:
        bus_id: such as ``1-1``.
        speed: 2 full, 3 high.
        configuration: 0: none.
    """

    bus_id: str
    bus: int
    number: int
    speed: int
    device_descriptor: bytes
    configuration: int
    interfaces: tuple[tuple[int, int, int], ...]

    @property
    def device_id(self) -> int:
        return self.bus << 16 | self.number

    def to_bytes(self) -> bytes:
        triple = self.device_descriptor[4:7]
        vendor, product, release = struct.unpack("<HHH", self.device_descriptor[8:14])
        path = f"/sys/devices/platform/cardshoe-sim/usb{self.bus}/{self.bus_id}"
        return _DEVICE.pack(
            path.encode(),
            self.bus_id.encode(),
            self.bus,
            self.number,
            self.speed,
            vendor,
            product,
            release,
            *triple,
            self.configuration,
            self.device_descriptor[17],
            len(self.interfaces),
        )


class UsbIpDecoder:
    """Cut a host's bytes into requests: ``push`` bytes, then ``next`` until ``None``."""

    def __init__(self) -> None:
        self._held = bytearray()
        self.is_attached = False
        """Set it when an import was granted: transfers follow."""

    def push(self, data: bytes) -> None:
        """Append bytes."""
        self._held += data

    def next(self) -> Request | None:
        """The next complete request; ``None``: incomplete.

        Raises:
            ProtocolBroken: not a request.
        """
        return self._transfer() if self.is_attached else self._operation()

    def _operation(self) -> Request | None:
        if len(self._held) < _OPERATION.size:
            return None
        head = bytes(self._held[: _OPERATION.size])
        version, code, _status = _OPERATION.unpack(head)
        if version != VERSION:
            raise ProtocolBroken(f"version {version:04X}", head)
        if code == _REQUEST_DEVLIST:
            self._consume(_OPERATION.size)
            return ListRequest()
        if code != _REQUEST_IMPORT:
            raise ProtocolBroken(f"operation {code:04X}", head)
        if len(self._held) < _OPERATION.size + _BUS_ID_BYTES:
            return None
        bus_id = self._consume(_OPERATION.size + _BUS_ID_BYTES)[_OPERATION.size :]
        return ImportRequest(bus_id.split(b"\0")[0].decode("ascii", "replace"))

    def _transfer(self) -> Request | None:
        if len(self._held) < _HEADER.size:
            return None
        head = bytes(self._held[: _HEADER.size])
        command, number, device_id, direction, endpoint, rest = _HEADER.unpack(head)
        if command == _UNLINK:
            self._consume(_HEADER.size)
            (victim,) = _UNLINK_FIELDS.unpack(rest)
            return Unlink(number, device_id, victim)
        if command != _SUBMIT:
            raise ProtocolBroken(f"command {command:08X}", head)
        flags, length, start_frame, packets, _interval, setup = _SUBMIT_FIELDS.unpack(rest)
        if length > LONGEST_TRANSFER_BYTES or packets not in _ISOCHRONOUS_NONE:
            raise ProtocolBroken("a transfer too long, or isochronous", head)
        is_in = direction == _DIRECTION_IN
        if len(self._held) < _HEADER.size + (0 if is_in else length):
            return None
        self._consume(_HEADER.size)
        data = b"" if is_in else self._consume(length)
        address = (endpoint & 0xF) | (0x80 if is_in else 0)
        return Submit(number, device_id, address, flags, length, start_frame, packets, setup, data)

    def _consume(self, count: int) -> bytes:
        data = bytes(self._held[:count])
        del self._held[:count]
        return data


def device_list(devices: list[Exported]) -> bytes:
    reply = _OPERATION.pack(VERSION, _REPLY_DEVLIST, OK) + struct.pack(">I", len(devices))
    for device in devices:
        reply += device.to_bytes()
        for triple in device.interfaces:
            reply += bytes([*triple, 0])
    return reply


def import_granted(device: Exported) -> bytes:
    return _OPERATION.pack(VERSION, _REPLY_IMPORT, OK) + device.to_bytes()


def import_refused(status: int) -> bytes:
    return _OPERATION.pack(VERSION, _REPLY_IMPORT, status)


def submitted(request: Submit, status: int, moved: int, data: bytes = b"") -> bytes:
    return (
        _RETURN_FIELDS.pack(
            _RETURN_SUBMIT, request.number, 0, 0, 0, status, moved, request.start_frame, request.packets, 0
        )
        + data
    )


def unlinked(request: Unlink, status: int) -> bytes:
    """The answer to a cancellation: -ECONNRESET, or 0 if the transfer had ended."""
    return _RETURN_UNLINK_FIELDS.pack(_RETURN_UNLINK, request.number, 0, 0, 0, status)
