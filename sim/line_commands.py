"""Control lines for faults of a line, whatever the device."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from sim.control_lines import COUNT_MAX, BadCommand, ControlCommand, none, number
from sim.wires.faulty import End, FaultyWire

_PIECE_MAX: Final = 4096
_DELAY_MAX_MS: Final = 60_000
_BAUD_MAX: Final = 4_000_000
_ENDS: Final[Mapping[str, End]] = {"device": "device", "host": "host"}
_OFF: Final = "off"


def line_commands(wire: FaultyWire) -> Mapping[str, ControlCommand]:
    return {
        "damage": ControlCommand(
            "damage [N] [device|host]", "flip a bit in the next N writes of one end", _counted(wire, "damaged")
        ),
        "lose": ControlCommand("lose [N] [device|host]", "lose the next N writes", _counted(wire, "lost")),
        "duplicate": ControlCommand(
            "duplicate [N] [device|host]", "let the next N writes arrive twice", _counted(wire, "doubled")
        ),
        "split": ControlCommand(
            "split [BYTES]|off [device|host]", "let writes arrive in pieces", lambda words: _split(wire, words)
        ),
        "delay": ControlCommand(
            "delay MS|off [device|host]", "let writes arrive late", lambda words: _delay(wire, words)
        ),
        "baud": ControlCommand(
            "baud DEVICE [HOST]|off", "set the speeds of the two ends", lambda words: _baud(wire, words)
        ),
        "straighten": ControlCommand(
            "straighten", "end all faults of the line", lambda words: _straighten(wire, words)
        ),
    }


def _counted(wire: FaultyWire, what: str) -> Callable[[Sequence[str]], str]:
    def do(words: Sequence[str]) -> str:
        end, rest = _end_of(words)
        writes = number(rest, default=1, least=1, most=COUNT_MAX)
        setattr(wire.lines[end], what, writes)
        return f"the next {writes} writes of the {end} are {what}"

    return do


def _split(wire: FaultyWire, words: Sequence[str]) -> str:
    end, rest = _end_of(words)
    size = 0 if rest == [_OFF] else number(rest, default=1, least=1, most=_PIECE_MAX)
    wire.lines[end].piece_bytes = size
    return f"writes of the {end} arrive {f'in pieces of {size} bytes' if size else 'whole'}"


def _delay(wire: FaultyWire, words: Sequence[str]) -> str:
    end, rest = _end_of(words)
    late_ms = 0 if rest == [_OFF] else number(rest, default=None, least=0, most=_DELAY_MAX_MS)
    wire.lines[end].delay_s = late_ms / 1000
    return f"writes of the {end} arrive {late_ms} ms late"


def _baud(wire: FaultyWire, words: Sequence[str]) -> str:
    if list(words) == [_OFF]:
        wire.lines["device"].baud = wire.lines["host"].baud = None
        return "bytes take no time"
    if not 1 <= len(words) <= len(_ENDS):
        raise BadCommand("give the device's speed and, if it differs, the host's, such as 9600 4800")
    speeds = [number([word], default=None, least=1, most=_BAUD_MAX) for word in words]
    device, host = speeds[0], speeds[-1]
    wire.lines["device"].baud = device, host
    wire.lines["host"].baud = host, device
    return f"the device is at {device} baud, the host at {host}"


def _straighten(wire: FaultyWire, words: Sequence[str]) -> str:
    none(words)
    for line in wire.lines.values():
        line.straighten()
    return "the line has no fault"


def _end_of(words: Sequence[str]) -> tuple[End, list[str]]:
    if words and words[-1] in _ENDS:
        return _ENDS[words[-1]], list(words[:-1])
    return "device", list(words)
