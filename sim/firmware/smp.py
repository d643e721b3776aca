"""SMP packets of the simulated device (``docs/protocols/smp.md``, sections 3 and 4)."""

import struct
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, Final, NamedTuple

import cbor2

_HEADER: Final = struct.Struct(">BBHHBB")
READ: Final = 0
WRITE: Final = 2
_ANSWER: Final = 1
_OPERATION_BITS: Final = 0b111
_VERSION_SHIFT: Final = 3
_VERSION_BITS: Final = 0b11
_SECOND: Final = 1


class General(IntEnum):
    INVALID = 3
    BAD_STATE = 6
    NOT_SUPPORTED = 8


class SmpError(Exception):
    def __init__(self, code: int, general: General = General.INVALID) -> None:
        super().__init__(code, general)
        self.code: Final = code
        self.general: Final = general


Fields = Mapping[str, Any]
Serve = Callable[[Fields], Fields]


class GeneralRefusal(Exception):
    def __init__(self, code: General) -> None:
        super().__init__(code)
        self.code: Final = code


class SmpRequest(NamedTuple):
    operation: int
    group: int
    command: int


def answer(packet: bytes, services: Mapping[SmpRequest, Serve]) -> bytes | None:
    """The answer to a packet; None for what is no request."""
    if len(packet) < _HEADER.size:
        return None
    first, _flags, size, group, sequence, command = _HEADER.unpack_from(packet)
    operation, version = first & _OPERATION_BITS, first >> _VERSION_SHIFT & _VERSION_BITS
    if operation not in {READ, WRITE} or size != len(packet) - _HEADER.size:
        return None
    try:
        fields = _served(SmpRequest(operation, group, command), packet[_HEADER.size :], services)
    except GeneralRefusal as refusal:
        fields = {"rc": int(refusal.code)}
    except SmpError as refusal:
        second = version >= _SECOND
        fields = {"err": {"group": group, "rc": refusal.code}} if second else {"rc": int(refusal.general)}
    body = cbor2.dumps(fields)
    first = version << _VERSION_SHIFT | operation + _ANSWER
    return _HEADER.pack(first, 0, len(body), group, sequence, command) + body


def _served(request: SmpRequest, body: bytes, services: Mapping[SmpRequest, Serve]) -> Fields:
    serve = services.get(request)
    if serve is None:
        raise GeneralRefusal(General.NOT_SUPPORTED)
    try:
        fields = cbor2.loads(body) if body else {}
    except (cbor2.CBORDecodeError, RecursionError) as error:
        raise GeneralRefusal(General.INVALID) from error
    if not isinstance(fields, dict) or not all(isinstance(key, str) for key in fields):
        raise GeneralRefusal(General.INVALID)
    return serve(fields)


def field(fields: Fields, name: str, kind: type, default: Any = ...) -> Any:  # noqa: ANN401  # as CBOR has it
    value = fields.get(name, default)
    if value is ...:
        raise GeneralRefusal(General.INVALID)
    # For CBOR a truth is no number; for Python it is.
    if value is not default and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise GeneralRefusal(General.INVALID)
    return value
