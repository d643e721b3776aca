"""The com port option of RFC 2217 (section 3), at the box's end. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from sim.telnet import subnegotiation

COM_PORT_OPTION: Final = 44

SIGNATURE: Final = 0
SET_BAUDRATE: Final = 1
SET_DATASIZE: Final = 2
SET_PARITY: Final = 3
SET_STOPSIZE: Final = 4
SET_CONTROL: Final = 5
NOTIFY_LINESTATE: Final = 6
NOTIFY_MODEMSTATE: Final = 7
FLOWCONTROL_SUSPEND: Final = 8
FLOWCONTROL_RESUME: Final = 9
SET_LINESTATE_MASK: Final = 10
SET_MODEMSTATE_MASK: Final = 11
PURGE_DATA: Final = 12
SERVER: Final = 100
"""Added to a request's number for its answer."""

BOX_NAME: Final = b"cardshoe sim"
LINESTATE: Final = 0x60
"""Both registers of the transmitter are empty."""
MODEMSTATE: Final = 0xB0

_BAUD_BYTES: Final = 4
_DATASIZES: Final[Mapping[int, int]] = {5: 5, 6: 6, 7: 7, 8: 8}
_PARITIES: Final[Mapping[int, str]] = {1: "N", 2: "O", 3: "E", 4: "M", 5: "S"}
_STOPSIZES: Final[Mapping[int, float]] = {1: 1.0, 2: 2.0, 3: 1.5}
_FLOWS: Final[Mapping[int, str]] = {1: "none", 2: "xonxoff", 3: "hardware"}
_SWITCHES: Final[Mapping[int, tuple[str, bool]]] = {
    5: ("breaking", True),
    6: ("breaking", False),
    8: ("dtr", True),
    9: ("dtr", False),
    11: ("rts", True),
    12: ("rts", False),
}
_SWITCH_QUESTIONS: Final[Mapping[int, str]] = {4: "breaking", 7: "dtr", 10: "rts"}
_INBOUND_FLOW: Final = frozenset({13, 14, 15, 16, 18})
_NO_INBOUND_FLOW: Final = 14
_PURGES_RECEIVED: Final = frozenset({1, 3})


@dataclass(frozen=True, slots=True, kw_only=True)
class LineState:
    baud: int = 9600
    bytesize: int = 8
    parity: str = "N"
    stopbits: float = 1.0
    flow: str = "none"
    breaking: bool = False
    dtr: bool = False
    rts: bool = False


class ComPort:
    def __init__(self, purge: Callable[[], None]) -> None:
        self.line = LineState()
        self.suspended = False
        self._purge = purge
        self._requests: Mapping[int, Callable[[bytes], bytes | None]] = {
            SIGNATURE: lambda value: None if value else BOX_NAME,  # with a value it is the host's own name
            SET_BAUDRATE: self._set_baud,
            SET_DATASIZE: lambda value: self._choose("bytesize", _DATASIZES, value),
            SET_PARITY: lambda value: self._choose("parity", _PARITIES, value),
            SET_STOPSIZE: lambda value: self._choose("stopbits", _STOPSIZES, value),
            SET_CONTROL: self._set_control,
            NOTIFY_LINESTATE: lambda _value: bytes([LINESTATE]),
            NOTIFY_MODEMSTATE: lambda _value: bytes([MODEMSTATE]),
            FLOWCONTROL_SUSPEND: lambda _value: self._suspend(suspended=True),
            FLOWCONTROL_RESUME: lambda _value: self._suspend(suspended=False),
            SET_LINESTATE_MASK: lambda value: value[:1] or None,  # neither state ever changes, so no mask matters
            SET_MODEMSTATE_MASK: lambda value: value[:1] or None,
            PURGE_DATA: self._purge_data,
        }

    def execute(self, option: int, parameters: bytes) -> bytes:
        """If it cannot be done, the answer has the present setting, as the RFC requires."""
        act = self._requests.get(parameters[0]) if option == COM_PORT_OPTION and parameters else None
        answer = None if act is None else act(parameters[1:])
        return b"" if answer is None else notice(parameters[0], answer)

    def _set_baud(self, value: bytes) -> bytes | None:
        if len(value) != _BAUD_BYTES:
            return None
        asked = int.from_bytes(value, "big")
        if asked:  # nought is the question which it is
            self.line = replace(self.line, baud=asked)
        return self.line.baud.to_bytes(_BAUD_BYTES, "big")

    def _choose(self, what: str, choices: Mapping[int, object], value: bytes) -> bytes | None:
        if not value:
            return None
        if value[0] in choices:
            self._change(what, choices[value[0]])
        return bytes(code for code, meaning in choices.items() if meaning == getattr(self.line, what))

    def _set_control(self, value: bytes) -> bytes | None:
        if not value:
            return None
        code = value[0]
        if code in _SWITCHES:
            what, state = _SWITCHES[code]
            self._change(what, state)
            return value[:1]
        if code in _SWITCH_QUESTIONS:
            what = _SWITCH_QUESTIONS[code]
            now = (what, getattr(self.line, what))
            return bytes(code for code, switch in _SWITCHES.items() if switch == now)
        if code in _INBOUND_FLOW:
            return bytes([_NO_INBOUND_FLOW])
        return self._choose("flow", _FLOWS, value)

    def _change(self, what: str, state: object) -> None:
        changed: dict[str, Any] = {what: state}
        self.line = replace(self.line, **changed)

    def _suspend(self, *, suspended: bool) -> None:
        self.suspended = suspended

    def _purge_data(self, value: bytes) -> bytes | None:
        if value[:1] and value[0] in _PURGES_RECEIVED:
            self._purge()
        return value[:1] or None


def notice(request: int, value: bytes) -> bytes:
    return subnegotiation(COM_PORT_OPTION, bytes([request + SERVER]) + value)
