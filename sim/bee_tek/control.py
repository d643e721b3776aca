"""Lines that a person types to move a simulated Bee-Tek shoe."""

from collections.abc import Sequence
from typing import Final

from protocols.errors import EncodeError
from sim.bee_tek.hands import BeeTekHands
from sim.control_lines import (
    ARRANGE,
    COUNT_MAX,
    LOAD_USAGE,
    BadCommand,
    ControlCommand,
    ControlLines,
    ControlResult,
    none,
    number,
)
from sim.wires.wire import Wire

_HIGHEST_WARNING: Final = 255
_JUNK: Final = b"\xff[Ga\x00e]<Ca\r\n"


class BeeTekControl(ControlLines[BeeTekHands]):
    def __init__(self, hands: BeeTekHands, wire: Wire, seed: int) -> None:
        super().__init__(hands, wire, seed)
        self._commands = {
            "draw": ControlCommand("draw [N]", "pull a card, or N", self._draw),
            "unread": ControlCommand("unread", "do not read the next card", self._unread),
            "arrange": ControlCommand(*ARRANGE, self._arrange),
            "misread": ControlCommand("misread CARD", "take the next card for CARD, such as TH", self._misread),
            "double-feed": ControlCommand("double-feed", "two cards at the next pull", self._double_feed),
            "drop-lines": ControlCommand("drop-lines N", "lose the next N lines", self._drop_lines),
            "alarm": ControlCommand("alarm TEXT", "raise an alarm, such as E5 Door Open", self._alarm),
            "warn": ControlCommand("warn CODE", "give warning CODE, 0 to 255", self._warn),
            "junk": ControlCommand("junk", "send what is left of a damaged line", self._junk),
            "unplug": ControlCommand("unplug", "pull the cable", self._unplug),
            "replug": ControlCommand("replug", "put the cable in again", self._replug),
            "power-cycle": ControlCommand("power-cycle", "switch off and on", self._power_cycle),
            "load": ControlCommand(LOAD_USAGE, "shuffle all cards and load them; named cards come first", self._load),
            "status": ControlCommand("status", "show the shoe", self._status),
            "help": ControlCommand("help", "list the commands", self._help),
        }

    def _unread(self, arguments: Sequence[str]) -> str:
        none(arguments)
        self._hands.device.fail_next_read()
        return "the next card will not be read"

    def _drop_lines(self, arguments: Sequence[str]) -> str:
        count = number(arguments, default=None, least=1, most=COUNT_MAX)
        self._hands.device.drop_lines(count)
        return f"the next {count} lines will be lost"

    def _alarm(self, arguments: Sequence[str]) -> str:
        try:
            self._hands.device.alarm(" ".join(arguments))
        except EncodeError as error:
            raise BadCommand("give 1 to 40 printable ASCII characters without < and >") from error
        return "raised"

    def _warn(self, arguments: Sequence[str]) -> str:
        self._hands.device.warn(number(arguments, default=None, least=0, most=_HIGHEST_WARNING))
        return "told"

    def _junk(self, arguments: Sequence[str]) -> str:
        none(arguments)
        self._hands.device.junk(_JUNK)
        return "sent"

    def state(self) -> dict[str, object]:
        shoe = self._hands.device
        return super().state() | {
            "cut_card_after": shoe.cards_before_cut_card,
            "mode": shoe.settings.mode.name.lower(),
            "powered": shoe.is_powered,
        }

    def _status(self, arguments: Sequence[str]) -> ControlResult:
        none(arguments)
        shoe = self._hands.device
        before = shoe.cards_before_cut_card
        parts = [
            f"mode {shoe.settings.mode.name.lower()}",
            f"{shoe.cards_left} cards in the shoe",
            "cut card out" if before is None else f"cut card after {before}",
            "plugged in" if self._wire.is_plugged else "unplugged",
        ]
        return ControlResult("; ".join(parts), self.state())
