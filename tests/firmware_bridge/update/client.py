"""A host's end of SMP, as small as can be: one question, one answer, without a line between."""

import struct
from collections.abc import Callable
from typing import Any, Final

import cbor2

from sim.firmware.lines import LineReader, to_lines
from sim.firmware.loader import BootLoader, RunningImage
from sim.firmware.server import SmpServer

HEADER: Final = struct.Struct(">BBHHBB")
READ, WRITE = 0, 2
OS, IMAGE = 0, 1
STATE, UPLOAD, ERASE = 0, 1, 5
ECHO, RESET, PARAMETERS = 0, 5, 6
PIECE_BYTES: Final = 700
"""Of an image in one packet; no multiple of a page, so that pages fill over packets."""


class SmpClient:
    """Asks whoever answers packets.

    Args:
        version: of the protocol, 0 the first, 1 the second.
    """

    def __init__(self, exchange: Callable[[bytes], list[bytes]], version: int = 1) -> None:
        self.raw: Final = exchange
        self._version = version
        self._sequence = 0

    def ask(self, operation: int, group: int, command: int, **fields: object) -> dict[str, Any]:
        body = cbor2.dumps(fields)
        self._sequence = (self._sequence + 1) % 256
        head = HEADER.pack(self._version << 3 | operation, 0, len(body), group, self._sequence, command)
        (answer,) = self.raw(head + body)
        operation_said, _flags, size, group_said, sequence, command_said = HEADER.unpack(answer[: HEADER.size])
        assert (operation_said, group_said, sequence, command_said) == (
            self._version << 3 | operation + 1,
            group,
            self._sequence,
            command,
        )
        assert size == len(answer) - HEADER.size
        said: dict[str, Any] = cbor2.loads(answer[HEADER.size :])
        return said

    def upload(self, image: bytes, *, until: int | None = None, **more: object) -> dict[str, Any]:
        """Send an image, or its first ``until`` bytes; returns the last answer."""
        at, end = 0, len(image) if until is None else until
        while True:
            fields = {"off": at, "data": image[at : min(at + PIECE_BYTES, end)]}
            said = self.ask(WRITE, IMAGE, UPLOAD, **fields, **({"len": len(image), **more} if at == 0 else {}))
            if "off" not in said or said["off"] >= end:
                return said
            at = said["off"]

    def states(self) -> list[dict[str, Any]]:
        images: list[dict[str, Any]] = self.ask(READ, IMAGE, STATE)["images"]
        return images

    def test(self, digest: bytes) -> dict[str, Any]:
        return self.ask(WRITE, IMAGE, STATE, hash=digest)

    def confirm(self) -> dict[str, Any]:
        return self.ask(WRITE, IMAGE, STATE, confirm=True)


class Client(SmpClient):
    """Asks the server of one boot."""

    def __init__(self, loader: BootLoader, running: RunningImage | None, *, version: int = 1) -> None:
        super().__init__(self._exchange, version)
        self.resets = 0
        self._sent: list[bytes] = []
        self._server: Final = SmpServer(loader, running, self._sent.append, self._reset)

    def _reset(self) -> None:
        self.resets += 1

    def _exchange(self, packet: bytes) -> list[bytes]:
        self._sent.clear()
        self._server.receive(to_lines(packet))
        return LineReader().feed(b"".join(self._sent))
