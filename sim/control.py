"""Control lines of a simulated shoe, answered with ``ok: …`` or ``error: …``."""

from collections.abc import Sequence
from typing import Final

from protocols.angel_eye.messages import ErrorCode, Outcome
from regulations.events.cards import Card
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
    one_of,
)
from sim.hands import AngelEyeActions
from sim.wires.wire import Wire

_OUTCOMES: Final = {"player": Outcome.PLAYER, "tie": Outcome.TIE, "banker": Outcome.BANKER}
_KEY: Final = {"lock": True, "unlock": False}
_SETTING: Final = {"on": True, "off": False}
_MIDWAY: Final = {"exit": False, "midway": True}
_ERRORS_MAX: Final = 63


class AngelEyeControl(ControlLines[AngelEyeActions]):
    def __init__(self, hands: AngelEyeActions, wire: Wire, seed: int) -> None:
        super().__init__(hands, wire, seed)
        self._commands = {
            "draw": ControlCommand("draw [N]", "pull a card, or N", self._draw),
            "half": ControlCommand("half", "pull a card half out (after 5 s: error 7)", self._half),
            "pushback": ControlCommand("pushback exit|midway", "push the card back (errors 4, 5)", self._pushback),
            "press": ControlCommand("press player|banker|tie", "press a result button", self._press),
            "force-end": ControlCommand("force-end", "end the round by force", self._force_end),
            "key": ControlCommand("key lock|unlock", "turn the key", self._key),
            "setting": ControlCommand("setting on|off", "open or leave the menu", self._setting),
            "preset": ControlCommand("preset AA VVVV", "change a preset", self._preset),
            "standby": ControlCommand("standby", "say stand-by", self._standby),
            "clear": ControlCommand("clear [CODE]", "clear error CODE, or all", self._clear),
            "fault": ControlCommand("fault CODE", "raise error CODE, 0 to 63", self._fault),
            "unread": ControlCommand("unread [1|6]", "do not read the next card", self._unread),
            "arrange": ControlCommand(*ARRANGE, self._arrange),
            "misread": ControlCommand("misread CARD", "take the next card for CARD, such as TH", self._misread),
            "double-feed": ControlCommand("double-feed", "two cards at the next pull", self._double_feed),
            "drop-telegrams": ControlCommand("drop-telegrams N", "lose the next N telegrams", self._drop_telegrams),
            "unplug": ControlCommand("unplug", "pull the cable", self._unplug),
            "replug": ControlCommand("replug", "put the cable in again", self._replug),
            "power-cycle": ControlCommand("power-cycle", "switch off and on", self._power_cycle),
            "load": ControlCommand(LOAD_USAGE, "shuffle all cards and load them; named cards come first", self._load),
            "status": ControlCommand("status", "show the shoe", self._status),
            "help": ControlCommand("help", "list the commands", self._help),
        }

    # --- cards ------------------------------------------------------------------------------------------------------

    def _half(self, arguments: Sequence[str]) -> str:
        none(arguments)
        return "half out" if self._hands.shoe.start_draw() else "the shoe is empty"

    def _pushback(self, arguments: Sequence[str]) -> str:
        midway = _MIDWAY[one_of(arguments, _MIDWAY)]
        if not self._hands.shoe.panel.is_card_half_out and not self._hands.shoe.start_draw():
            raise BadCommand("the shoe is empty: load it first")
        self._hands.shoe.push_back(midway=midway)
        return "pushed back"

    # --- buttons ----------------------------------------------------------------------------------------------------

    def _press(self, arguments: Sequence[str]) -> str:
        self._hands.shoe.panel.press(_OUTCOMES[one_of(arguments, _OUTCOMES)])
        return self._errors("pressed")

    def _force_end(self, arguments: Sequence[str]) -> str:
        none(arguments)
        self._hands.shoe.panel.force_end()
        return self._errors("pressed")

    def _key(self, arguments: Sequence[str]) -> str:
        word = one_of(arguments, _KEY)
        self._hands.shoe.panel.turn_key(locked=_KEY[word])
        return f"{word}ed"

    def _setting(self, arguments: Sequence[str]) -> str:
        word = one_of(arguments, _SETTING)
        self._hands.shoe.panel.set_setting_mode(on=_SETTING[word])
        return f"setting mode {word}"

    def _preset(self, arguments: Sequence[str]) -> str:
        if [len(one) for one in arguments] != [2, 4] or not all(
            one.isascii() and one.isprintable() for one in arguments
        ):
            raise BadCommand("give an address of 2 and a value of 4 ASCII characters, such as 07 0120")
        self._hands.shoe.panel.change_preset(*arguments)
        return "told"

    def _standby(self, arguments: Sequence[str]) -> str:
        none(arguments)
        self._hands.shoe.panel.stand_by()
        return "told"

    def _clear(self, arguments: Sequence[str]) -> str:
        code = number(arguments, default=-1, least=0, most=_ERRORS_MAX)
        if not self._hands.shoe.panel.clear_error(None if code < 0 else code):
            raise BadCommand("no such error is on the display; `status` shows which are")
        return self._errors("cleared")

    # --- mishaps ----------------------------------------------------------------------------------------------------

    def _fault(self, arguments: Sequence[str]) -> str:
        self._hands.shoe.fault(number(arguments, default=None, least=0, most=_ERRORS_MAX))
        return self._errors("raised")

    def _unread(self, arguments: Sequence[str]) -> str:
        code = number(arguments, default=1, least=1, most=_ERRORS_MAX)
        if code not in (ErrorCode.CANNOT_READ, ErrorCode.CARD_CODE):
            raise BadCommand(f"{code} is neither 1 (cannot read) nor 6 (card code)")
        self._hands.shoe.fail_next_read(ErrorCode(code))
        return "the next card will not be read"

    def _drop_telegrams(self, arguments: Sequence[str]) -> str:
        count = number(arguments, default=None, least=1, most=COUNT_MAX)
        self._hands.shoe.drop_telegrams(count)
        return f"the next {count} telegrams will be lost"

    # --- seeing -----------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, object]:
        shoe, panel = self._hands.shoe, self._hands.shoe.panel
        return super().state() | {
            "cut_card_after": shoe.cards_before_cut_card,
            "faults": list(panel.errors),
            "player": list(panel.player),
            "banker": list(panel.banker),
            "due": {"to": panel.due.target.name.lower(), "position": panel.due.number} if panel.due else None,
            "verdict": panel.verdict.name.lower() if panel.verdict else None,
            "card_half_out": panel.is_card_half_out,
            "setting_mode": panel.is_in_setting_mode,
            "locked": panel.is_locked,
            "powered": shoe.is_powered,
        }

    def _status(self, arguments: Sequence[str]) -> ControlResult:
        none(arguments)
        shoe, panel = self._hands.shoe, self._hands.shoe.panel
        due = f"{panel.due.target.name.lower()} {panel.due.number}" if panel.due else "none"
        before = shoe.cards_before_cut_card
        parts = [
            f"player {_hand(panel.player)}",
            f"banker {_hand(panel.banker)}",
            f"due {due}",
            f"verdict {panel.verdict.name.lower() if panel.verdict else 'none'}",
            f"{shoe.cards_left} cards in the shoe",
            "cut card out" if before is None else f"cut card after {before}",
            f"errors {' '.join(map(str, panel.errors)) or 'none'}",
            *(["a card half out"] if panel.is_card_half_out else []),
            *(["setting mode"] if panel.is_in_setting_mode else []),
            "locked" if panel.is_locked else "unlocked",
            "plugged in" if self._wire.is_plugged else "unplugged",
        ]
        return ControlResult("; ".join(parts), self.state())

    def _errors(self, done: str) -> str:
        errors = self._hands.shoe.panel.errors
        return f"{done}, errors {' '.join(map(str, errors))}" if errors else done


def _hand(cards: Sequence[Card | None]) -> str:
    return " ".join(card or "?" for card in cards) or "-"
