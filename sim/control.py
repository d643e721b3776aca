"""Lines that a person types to move a simulated shoe, and the one-line answers: ``ok: …`` or ``error: …``."""

import difflib
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from protocols.angel_eye.messages import ErrorCode, Outcome
from regulations.cards import DECK, Card
from sim.angel_eye.shoe import Pulled, ShoeMisuse
from sim.hands import Hands
from sim.wires.wire import Wire

_OUTCOMES: Final = {"player": Outcome.PLAYER, "tie": Outcome.TIE, "banker": Outcome.BANKER}
_KEY: Final = {"lock": True, "unlock": False}
_SETTING: Final = {"on": True, "off": False}
_MIDWAY: Final = {"exit": False, "midway": True}
_CARDS: Final[dict[str, Card]] = {card: card for card in DECK}
_ERRORS_MAX: Final = 63
_COUNT_MAX: Final = 1000
_CUT_CARD_BEHIND: Final = 14
"""Cards behind the cut card after ``load`` (55/2004 art. 2.º-1)."""


class BadLine(ValueError):
    """A line that cannot be done; the text says what is wrong and what to do."""


class _Command(NamedTuple):
    usage: str
    what: str
    do: Callable[[Sequence[str]], str]


class Control:
    """Executes lines, one at a time, on the thread of the shoe's clock.

    Args:
        hands: shoe and cards.
        wire: the shoe's line, for ``unplug`` and ``replug``.
        seed: of the shuffle that ``load`` does without a seed of its own.
    """

    def __init__(self, hands: Hands, wire: Wire, seed: int) -> None:
        self._hands: Final = hands
        self._wire: Final = wire
        self._rng = random.Random(seed)
        self._commands: Final[dict[str, _Command]] = {
            "draw": _Command("draw [N]", "pull a card, or N", self._draw),
            "half": _Command("half", "pull a card half out (after 5 s: error 7)", self._half),
            "pushback": _Command("pushback exit|midway", "push the card back (errors 4, 5)", self._pushback),
            "press": _Command("press player|banker|tie", "press a result button", self._press),
            "force-end": _Command("force-end", "end the round by force", self._force_end),
            "key": _Command("key lock|unlock", "turn the key", self._key),
            "setting": _Command("setting on|off", "open or leave the menu", self._setting),
            "preset": _Command("preset AA VVVV", "change a preset", self._preset),
            "standby": _Command("standby", "say stand-by", self._standby),
            "clear": _Command("clear [CODE]", "clear error CODE, or all", self._clear),
            "fault": _Command("fault CODE", "raise error CODE, 0 to 63", self._fault),
            "unread": _Command("unread [1|6]", "do not read the next card", self._unread),
            "misread": _Command("misread CARD", "take the next card for CARD, such as TH", self._misread),
            "double-feed": _Command("double-feed", "two cards at the next pull", self._double_feed),
            "drop-telegrams": _Command("drop-telegrams N", "lose the next N telegrams", self._drop_telegrams),
            "unplug": _Command("unplug", "pull the cable", self._unplug),
            "replug": _Command("replug", "put the cable in again", self._replug),
            "power-cycle": _Command("power-cycle", "switch off and on", self._power_cycle),
            "load": _Command("load [SEED]", "shuffle all cards and load them", self._load),
            "status": _Command("status", "show the shoe", self._status),
            "help": _Command("help", "list the commands", self._help),
        }

    def execute(self, line: str) -> str:
        """Do what ``line`` says; return one line: ``ok: …`` or ``error: …``. An empty line gives ``""``."""
        name, *arguments = line.split() or [""]
        if not name:
            return ""
        command = self._commands.get(name)
        if command is None:
            near = difflib.get_close_matches(name, self._commands, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            return f"error: unknown command {name!r}; {hint}`help` lists the commands"
        try:
            return f"ok: {command.do(arguments)}"
        except (BadLine, ShoeMisuse) as error:
            return f"error: {name}: {error}; usage: {command.usage}"

    # --- cards ------------------------------------------------------------------------------------------------------

    def _draw(self, arguments: Sequence[str]) -> str:
        count = _number(arguments, default=1, least=1, most=_COUNT_MAX)
        drawn: list[str] = []
        while len(drawn) < count:
            drawn.append(_name(self._hands.draw()))
            if not drawn[-1]:
                drawn[-1] = "nothing, the shoe is empty"
                break
        return "drew " + ", ".join(drawn)

    def _half(self, arguments: Sequence[str]) -> str:
        _none(arguments)
        return "half out" if self._hands.shoe.start_draw() else "the shoe is empty"

    def _pushback(self, arguments: Sequence[str]) -> str:
        midway = _MIDWAY[_one_of(arguments, _MIDWAY)]
        if not self._hands.shoe.is_card_half_out and not self._hands.shoe.start_draw():
            raise BadLine("the shoe is empty: load it first")
        self._hands.shoe.push_back(midway=midway)
        return "pushed back"

    def _load(self, arguments: Sequence[str]) -> str:
        rng = random.Random(_number(arguments, default=0, least=0, most=2**63)) if arguments else self._rng
        hands = self._hands
        hands.shuffle(rng)
        hands.cut(rng)
        hands.place_cut_card(_CUT_CARD_BEHIND)
        return f"loaded {hands.load()} cards, the cut card before the last {_CUT_CARD_BEHIND}"

    # --- buttons ----------------------------------------------------------------------------------------------------

    def _press(self, arguments: Sequence[str]) -> str:
        self._hands.shoe.press(_OUTCOMES[_one_of(arguments, _OUTCOMES)])
        return self._errors("pressed")

    def _force_end(self, arguments: Sequence[str]) -> str:
        _none(arguments)
        self._hands.shoe.force_end()
        return self._errors("pressed")

    def _key(self, arguments: Sequence[str]) -> str:
        word = _one_of(arguments, _KEY)
        self._hands.shoe.turn_key(locked=_KEY[word])
        return f"{word}ed"

    def _setting(self, arguments: Sequence[str]) -> str:
        word = _one_of(arguments, _SETTING)
        self._hands.shoe.set_setting_mode(on=_SETTING[word])
        return f"setting mode {word}"

    def _preset(self, arguments: Sequence[str]) -> str:
        if [len(one) for one in arguments] != [2, 4] or not all(one.isascii() for one in arguments):
            raise BadLine("give an address of 2 and a value of 4 characters, such as 07 0120")
        self._hands.shoe.change_preset(*arguments)
        return "told"

    def _standby(self, arguments: Sequence[str]) -> str:
        _none(arguments)
        self._hands.shoe.stand_by()
        return "told"

    def _clear(self, arguments: Sequence[str]) -> str:
        code = _number(arguments, default=-1, least=0, most=_ERRORS_MAX)
        if not self._hands.shoe.clear_error(None if code < 0 else code):
            raise BadLine("no such error is on the display; `status` shows which are")
        return self._errors("cleared")

    # --- mishaps ----------------------------------------------------------------------------------------------------

    def _fault(self, arguments: Sequence[str]) -> str:
        self._hands.shoe.fault(_number(arguments, default=None, least=0, most=_ERRORS_MAX))
        return self._errors("raised")

    def _unread(self, arguments: Sequence[str]) -> str:
        code = _number(arguments, default=1, least=1, most=_ERRORS_MAX)
        if code not in (ErrorCode.CANNOT_READ, ErrorCode.CARD_CODE):
            raise BadLine(f"{code} is neither 1 (cannot read) nor 6 (card code)")
        self._hands.shoe.fail_next_read(ErrorCode(code))
        return "the next card will not be read"

    def _misread(self, arguments: Sequence[str]) -> str:
        card = _CARDS[_one_of(arguments, _CARDS, "a card: rank A23456789TJQK, suit SHDC, as in TH")]
        self._hands.shoe.misread_next(card)
        return f"the next card will be taken for {card}"

    def _double_feed(self, arguments: Sequence[str]) -> str:
        _none(arguments)
        self._hands.shoe.double_feed_next()
        return "the next pull brings two cards"

    def _drop_telegrams(self, arguments: Sequence[str]) -> str:
        count = _number(arguments, default=None, least=1, most=_COUNT_MAX)
        self._hands.shoe.drop_telegrams(count)
        return f"the next {count} telegrams will be lost"

    def _unplug(self, arguments: Sequence[str]) -> str:
        _none(arguments)
        self._wire.unplug()
        return "unplugged"

    def _replug(self, arguments: Sequence[str]) -> str:
        _none(arguments)
        self._wire.replug()
        return "plugged in"

    def _power_cycle(self, arguments: Sequence[str]) -> str:
        _none(arguments)
        self._hands.shoe.power_cycle()
        return "switched off and on"

    # --- seeing -----------------------------------------------------------------------------------------------------

    def _status(self, arguments: Sequence[str]) -> str:
        _none(arguments)
        shoe = self._hands.shoe
        due = f"{shoe.due.target.name.lower()} {shoe.due.number}" if shoe.due else "none"
        before = shoe.cards_before_cut_card
        parts = [
            f"player {_hand(shoe.player)}",
            f"banker {_hand(shoe.banker)}",
            f"due {due}",
            f"verdict {shoe.verdict.name.lower() if shoe.verdict else 'none'}",
            f"{shoe.cards_left} cards in the shoe",
            "cut card out" if before is None else f"cut card after {before}",
            f"errors {' '.join(map(str, shoe.errors)) or 'none'}",
            *(["a card half out"] if shoe.is_card_half_out else []),
            *(["setting mode"] if shoe.is_in_setting_mode else []),
            "locked" if shoe.is_locked else "unlocked",
            "plugged in" if self._wire.is_plugged else "unplugged",
        ]
        return "; ".join(parts)

    def _help(self, arguments: Sequence[str]) -> str:
        _none(arguments)
        return " | ".join(f"{command.usage}: {command.what}" for command in self._commands.values())

    def _errors(self, done: str) -> str:
        errors = self._hands.shoe.errors
        return f"{done}, errors {' '.join(map(str, errors))}" if errors else done


def _name(pulled: Pulled) -> str:
    if pulled.cut_card:
        return "the cut card"
    return " and ".join(out.card for out in pulled.cards)


def _hand(cards: Sequence[Card | None]) -> str:
    return " ".join(card or "?" for card in cards) or "-"


def _none(arguments: Sequence[str]) -> None:
    if arguments:
        raise BadLine(f"takes nothing after it, {' '.join(arguments)!r} given")


def _one_of(arguments: Sequence[str], allowed: Iterable[str], what: str = "") -> str:
    if len(arguments) != 1 or arguments[0] not in allowed:
        given = repr(" ".join(arguments)) if arguments else "nothing"
        raise BadLine(f"{given} given, expected {what or 'one of ' + ', '.join(allowed)}")
    return arguments[0]


def _number(arguments: Sequence[str], *, default: int | None, least: int, most: int) -> int:
    if not arguments and default is not None:
        return default
    if len(arguments) != 1 or not arguments[0].isascii() or not arguments[0].isdigit():
        given = repr(" ".join(arguments)) if arguments else "nothing"
        raise BadLine(f"{given} given, expected a number")
    number = int(arguments[0]) if len(arguments[0]) < len(str(most)) + 1 else most + 1
    if not least <= number <= most:
        raise BadLine(f"{arguments[0]} given, expected {least} to {most}")
    return number
