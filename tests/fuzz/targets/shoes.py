"""The lines that move simulated devices (``docs/simulator.md``)."""

import random
from collections.abc import Iterable
from typing import Any, Final, get_args

from sim.angel_eye.settings import ShoeSettings
from sim.bee_tek.control import BeeTekControl
from sim.bee_tek.hands import bee_tek_at
from sim.clock import VirtualClock
from sim.control import AngelEyeControl
from sim.control_lines import ControlLines
from sim.hands import hands_at
from sim.tdp.control import TdpControl
from sim.tdp.hands import TdpKind, tdp_at
from sim.wires.direct import DirectWire
from tests.fuzz.target import Target

_LINES_MAX: Final = 12
_KINDS: Final[tuple[TdpKind, ...]] = get_args(TdpKind)


def check_control(data: bytes) -> None:
    """Lines that move simulated shoes: each gives one line, and no card is lost, whatever they do."""
    lines = data.decode("utf-8", "replace").splitlines()[:_LINES_MAX]
    clock, wire = VirtualClock(), DirectWire(lambda _: None)
    hands = hands_at(wire, clock, 1, ShoeSettings(initial_burn="none"))
    other = bee_tek_at(DirectWire(lambda _: None), clock, 1)
    hands.shoe.power_on()
    other.device.power_on()
    _execute(AngelEyeControl(hands, wire, seed=7), lines, clock)
    _execute(BeeTekControl(other, wire, seed=7), lines, clock)
    assert hands.cards_are_complete
    assert other.cards_are_complete


def check_tdp_control(data: bytes) -> None:
    """The same for a TDP device; the first byte says of which kind."""
    kind = _KINDS[data[0] % len(_KINDS)] if data else _KINDS[0]
    lines = data[1:].decode("utf-8", "replace").splitlines()[:_LINES_MAX]
    clock, wire = VirtualClock(), DirectWire(lambda _: None)
    hands = tdp_at(kind, wire, clock, 1, random.Random(7))
    hands.device.power_on()
    _execute(TdpControl(hands, wire, seed=7), lines, clock)
    assert hands.cards_are_complete


def _execute(control: ControlLines[Any], lines: list[str], clock: VirtualClock) -> None:
    for line in ["load", *lines]:
        answer = control.execute(line)
        assert "\n" not in answer, "the answer is more than a line"
        assert answer.startswith(("ok: ", "error: ")) or not line.strip(), f"{line!r} gave {answer!r}"
        clock.advance(1.0)


def _control_seeds() -> Iterable[bytes]:
    shoe = (b"draw 3\npress tie\nclear 2", b"half\npushback midway\nclear", b"unread 6\ndraw\nclear 6\nforce-end")
    wire = (b"unplug\ndraw\nreplug\nstatus", b"double-feed\ndraw\nmisread TH\ndraw 34", b"power-cycle\nload 7\nhelp")
    rest = (b"fault 4\nclear 4\nkey lock\ndraw\nkey unlock", b"preset 07 0120\nstandby\nsetting on\ndraw\nsetting off")
    lines = (b"drop-telegrams 2\ndraw 60", b"alarm Door\nwarn 1\njunk 5B0D\ndrop-lines 1\ndraw")
    return shoe + wire + rest + lines


def _tdp_seeds() -> Iterable[bytes]:
    cards = (b"draw 3\nstatus\nhelp", b"shuffle-in\ntake\nreturn\nstatus", b"unread 2\nmisread TH\nforeign\ndraw 9")
    parts = (b"cover open\nload 7\ncover close\nkey 1\nkey 0", b"jam exit\ndraw\nclear\npress clear\nclear double-feed")
    rest = (b"miscount +1\ndouble-feed unnoticed\nstall-motor\nblock-sensor\nlose-home", b"unplug\npower-cycle\nreplug")
    return [bytes([kind]) + lines for kind in range(len(_KINDS)) for lines in cards + parts + rest]


_WORDS: Final = (b"draw ", b"load\n", b"replug\n", b"status\n", b"clear ", b"\n")

TARGETS: Final = {
    "control-lines": Target(check_control, _control_seeds, 300, words=_WORDS),
    "control-lines-tdp": Target(check_tdp_control, _tdp_seeds, 200, words=_WORDS),
}
