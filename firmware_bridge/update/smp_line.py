"""A transport of ``smpclient`` over a port of ``drivers``; console output is skipped."""

import asyncio
import binascii
import struct
from collections.abc import Generator
from typing import Final

from smp import packet
from smp.exceptions import SMPException
from smp.header import Header
from smpclient.transport import SMPTransport

from drivers.port import WAIT_SLICE_S, Port

LINE_MAX: Final = 128
_KEPT_MAX: Final = 4096
_FRAME_OVERHEAD: Final = packet.FRAME_LENGTH_STRUCT.size + packet.CRC16_STRUCT.size


_TAG: Final = 6
_STRINGS: Final = (2, 3)
_ARGUMENT_BYTES: Final = {24: 1, 25: 2, 26: 4, 27: 8}


class LineDamaged(Exception):
    """The bytes that came are no packet."""


class SmpLine(SMPTransport):
    def __init__(self, port: Port) -> None:
        self._port: Final = port
        self._rest = b""
        self.damaged = 0

    async def connect(self, address: str, timeout_s: float) -> None:  # noqa: ARG002  # the port knows where it is
        self._port.open()

    async def disconnect(self) -> None:
        self._port.close()

    async def send(self, data: bytes) -> None:
        for line in packet.encode(data, LINE_MAX):
            self._port.write(line)

    async def receive(self) -> bytes:
        decoder: Generator[None, bytes, bytes] | None = None
        while True:
            line = await self._line()
            if line.startswith(packet.START_DELIMITER):
                decoder = packet.decode()
                next(decoder)
            if decoder is None:
                self.damaged += 1
                continue
            try:
                decoder.send(line)
            except StopIteration as whole:
                # The package takes for granted that a packet has a header; and it would compute what a tag says: a
                # number of 10⁹ digits stands in ten bytes, and the host were never done with it. SMP has no tags.
                if len(whole.value) >= Header.SIZE and not has_tag(whole.value[Header.SIZE :]):
                    return bytes(whole.value)
                self.damaged += 1
                decoder = None
            except (SMPException, binascii.Error, struct.error, ValueError):
                self.damaged += 1
                decoder = None

    async def send_and_receive(self, data: bytes) -> bytes:
        await self.send(data)
        return await self.receive()

    @property
    def mtu(self) -> int:
        """Bytes of a packet at most."""
        return self.max_unencoded_size

    @property
    def max_unencoded_size(self) -> int:
        return (self._smp_server_transport_buffer_size or LINE_MAX // 4 * 3) - _FRAME_OVERHEAD

    async def _line(self) -> bytes:
        while b"\n" not in self._rest:
            if len(self._rest) > _KEPT_MAX:
                self._rest = b""
                self.damaged += 1
            # The port waits a short while by itself; in between the client's own time limit has its turn.
            self._rest += self._port.read(WAIT_SLICE_S)
            await asyncio.sleep(0)
        line, _, self._rest = self._rest.partition(b"\n")
        return line + b"\n"


def has_tag(body: bytes) -> bool:
    at = 0
    while at < len(body):
        major, low = body[at] >> 5, body[at] & 0x1F
        if major == _TAG:
            return True
        at += 1
        argument_bytes = _ARGUMENT_BYTES.get(low, 0)
        argument = int.from_bytes(body[at : at + argument_bytes], "big") if argument_bytes else low
        at += argument_bytes
        # One of no length told is followed by its pieces, each with a head of its own.
        if major in _STRINGS and low <= max(_ARGUMENT_BYTES):
            at += argument
    return False
