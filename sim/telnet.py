"""Telnet of a serial-to-TCP box: RFC 854, 855, both directions binary (RFC 856). Pure."""

from collections.abc import Callable, Generator
from typing import Final

IAC: Final = 0xFF
DONT: Final = 0xFE
DO: Final = 0xFD
WONT: Final = 0xFC
WILL: Final = 0xFB
SB: Final = 0xFA
SE: Final = 0xF0

BINARY: Final = 0
SUPPRESS_GO_AHEAD: Final = 3

PARAMETER_LIMIT: Final = 256
"""Bytes kept of a subnegotiation; the rest is skipped."""


def doubled(data: bytes) -> bytes:
    return data.replace(bytes([IAC]), bytes([IAC, IAC]))


def subnegotiation(option: int, parameters: bytes) -> bytes:
    return bytes([IAC, SB, option]) + doubled(parameters) + bytes([IAC, SE])


class Telnet:
    """The box's end of one connection; ``options`` are accepted at both ends, others declined."""

    def __init__(self, options: frozenset[int], subnegotiated: Callable[[int, bytes], bytes]) -> None:
        self._options = options
        self._subnegotiated = subnegotiated
        # What either end does; a request for what is so already is not answered, else both would answer for ever.
        self._we: set[int] = set()
        self._they: set[int] = set()
        self._answers = bytearray()
        self._parser = self._parse()
        next(self._parser)

    def greeting(self) -> bytes:
        """Request the box's options, in the order of their numbers."""
        asked = b"".join(bytes([IAC, WILL, option, IAC, DO, option]) for option in sorted(self._options))
        self._we |= self._options
        self._they |= self._options
        return asked

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """Take bytes of the host, cut anywhere; return data and answers."""
        heard = bytearray()
        for byte in data:
            passed = self._parser.send(byte)
            if passed is not None:
                heard.append(passed)
        answers = bytes(self._answers)
        self._answers.clear()
        return bytes(heard), answers

    def _parse(self) -> Generator[int | None, int, None]:
        passed: int | None = None
        while True:
            byte = yield passed
            passed = byte if byte != IAC else (yield from self._command())

    def _command(self) -> Generator[int | None, int, int | None]:
        command = yield None
        if command == IAC:
            return IAC
        if command in {DO, DONT, WILL, WONT}:
            self._negotiate(command, (yield None))
        elif command == SB:
            parameters = yield from self._subnegotiation()
            if 0 < len(parameters) <= PARAMETER_LIMIT:
                self._answers += self._subnegotiated(parameters[0], bytes(parameters[1:]))
        return None  # any other command (no operation, break, are you there) asks nothing of a box

    def _subnegotiation(self) -> Generator[int | None, int, bytearray]:
        parameters = bytearray()
        while True:
            byte = yield None
            if byte == IAC:
                byte = yield None
                if byte != IAC:  # SE; whatever else it is, it ends here, or a lost SE would swallow all that follows
                    return parameters
            if len(parameters) <= PARAMETER_LIMIT:
                parameters.append(byte)

    def _negotiate(self, command: int, option: int) -> None:
        side, yes, no = (self._we, WILL, WONT) if command in {DO, DONT} else (self._they, DO, DONT)
        wanted = command in {DO, WILL}
        if wanted == (option in side):
            return
        if wanted and option not in self._options:
            self._answers += bytes([IAC, no, option])
        elif wanted:
            side.add(option)
            self._answers += bytes([IAC, yes, option])
        else:
            side.discard(option)
            self._answers += bytes([IAC, no, option])
