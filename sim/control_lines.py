"""The common part of the control lines of all simulated shoes."""

import difflib
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from regulations.events.cards import DECK, Card
from sim.croupier_actions import CroupierActions, DealingDevice
from sim.draws import Draw, ShoeMisuse
from sim.wires.wire import Wire

CARDS: Final[dict[str, Card]] = {card: card for card in DECK}
COUNT_MAX: Final = 1000
_CUT_CARD_BEHIND: Final = 14
"""Cards behind the cut card after ``load`` (55/2004 art. 2.º-1)."""
FIRST_CARDS: Final = "cards"
_ANY_CARD: Final = "?"
LOAD_USAGE: Final = "load [SEED] | load cards CARD..."
ARRANGE: Final = ("arrange CARD...", "let these cards come next; ? is any card")


class BadCommand(ValueError):
    """The text says what is wrong and what to do."""


NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


class ControlResult(NamedTuple):
    text: str
    data: Mapping[str, object] = NOTHING


class ControlCommand(NamedTuple):
    usage: str
    what: str
    do: Callable[[Sequence[str]], str | ControlResult]


class CommandReply(NamedTuple):
    """``usage``: of the failed command; empty for an unknown one."""

    ok: bool
    text: str
    data: Mapping[str, object] = NOTHING
    usage: str = ""

    def line(self) -> str:
        if self.ok:
            return f"ok: {self.text}"
        return f"error: {self.text}; usage: {self.usage}" if self.usage else f"error: {self.text}"


class ReadingShoe(DealingDevice, Protocol):
    def misread_next(self, card: Card) -> None:
        """Take the next card for ``card``."""

    def double_feed_next(self) -> None:
        """Let two cards leave at the next pull."""

    def power_cycle(self) -> None:
        """Switch off and on."""


H = TypeVar("H", bound=CroupierActions[ReadingShoe])


class ControlLines(Generic[H]):
    def __init__(self, hands: H, wire: Wire, seed: int) -> None:
        self._hands: Final = hands
        self._wire: Final = wire
        self._rng = random.Random(seed)
        self._commands: Mapping[str, ControlCommand] = {}

    @property
    def commands(self) -> Mapping[str, ControlCommand]:
        return self._commands

    def include(self, commands: Mapping[str, ControlCommand]) -> None:
        """The device's own ones win."""
        self._commands = {**commands, **self._commands}

    @property
    def hands(self) -> H:
        return self._hands

    def execute(self, line: str) -> str:
        """Return ``ok: …`` or ``error: …``; an empty line gives ``""``."""
        name, *arguments = line.split() or [""]
        return self.do(name, arguments).line() if name else ""

    def do(self, name: str, arguments: Sequence[str]) -> CommandReply:
        """Do a command; whatever is wrong with it is in the answer."""
        command = self._commands.get(name)
        if command is None:
            near = difflib.get_close_matches(name, self._commands, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            return CommandReply(ok=False, text=f"unknown command {name!r}; {hint}`help` lists the commands")
        try:
            said = command.do(arguments)
        except (BadCommand, ShoeMisuse) as error:
            return CommandReply(ok=False, text=f"{name}: {error}", usage=command.usage)
        return (
            CommandReply(ok=True, text=said)
            if isinstance(said, str)
            else CommandReply(ok=True, text=said.text, data=said.data)
        )

    def state(self) -> dict[str, object]:
        """``sim.watch`` reports changes of ``plugged``, ``cut_card_after`` and ``faults``."""
        return {
            "cards_left": self._hands.device.cards_left,
            "cards_out": len(self._hands.out),
            "plugged": self._wire.is_plugged,
            "lost_bytes": self._wire.lost_bytes,
        }

    def _draw(self, arguments: Sequence[str]) -> ControlResult:
        count = number(arguments, default=1, least=1, most=COUNT_MAX)
        drawn: list[str] = []
        cards: list[Card] = []
        told: list[Card | None] = []
        cut_card = empty = False
        while len(drawn) < count and not empty:
            pulled = self._hands.draw()
            cards += [out.card for out in pulled.cards]
            told += [out.told for out in pulled.cards]
            cut_card |= pulled.cut_card
            empty = not pulled.cards and not pulled.cut_card
            drawn.append("nothing, the shoe is empty" if empty else name_of(pulled))
        data = {"cards": cards, "told": told, "cut_card": cut_card, "empty": empty}
        return ControlResult("drew " + ", ".join(drawn), data)

    def _load(self, arguments: Sequence[str]) -> ControlResult:
        hands = self._hands
        first = cards_of(arguments[1:], hands.felt.decks) if list(arguments[:1]) == [FIRST_CARDS] else ()
        seeded = arguments and not first
        rng = random.Random(number(arguments, default=0, least=0, most=2**63)) if seeded else self._rng
        hands.shuffle(rng)
        hands.cut(rng)
        hands.place_cut_card(_CUT_CARD_BEHIND)
        cards = hands.load()
        hands.arrange(first)
        text = f"loaded {cards} cards, the cut card before the last {_CUT_CARD_BEHIND}"
        return ControlResult(text, {"cards": cards, "cut_card_behind": _CUT_CARD_BEHIND})

    def _arrange(self, arguments: Sequence[str]) -> str:
        self._hands.arrange(cards_of(arguments, self._hands.felt.decks))
        return f"{' '.join(arguments)} come next"

    def _misread(self, arguments: Sequence[str]) -> str:
        card = CARDS[one_of(arguments, CARDS, "a card: rank A23456789TJQK, suit SHDC, as in TH")]
        self._hands.device.misread_next(card)
        return f"the next card will be taken for {card}"

    def _double_feed(self, arguments: Sequence[str]) -> str:
        none(arguments)
        self._hands.device.double_feed_next()
        return "the next pull brings two cards"

    def _unplug(self, arguments: Sequence[str]) -> str:
        none(arguments)
        self._wire.unplug()
        return "unplugged"

    def _replug(self, arguments: Sequence[str]) -> str:
        none(arguments)
        self._wire.replug()
        return "plugged in"

    def _power_cycle(self, arguments: Sequence[str]) -> str:
        none(arguments)
        self._hands.device.power_cycle()
        return "switched off and on"

    def _help(self, arguments: Sequence[str]) -> ControlResult:
        none(arguments)
        commands = self._commands.items()
        return ControlResult(
            " | ".join(f"{command.usage}: {command.what}" for _, command in commands),
            {"commands": [{"do": name, "usage": one.usage, "what": one.what} for name, one in commands]},
        )


def cards_of(named: Sequence[str], decks: int) -> Sequence[Card | None]:
    """``None``: any card."""
    for text in named:
        if text not in CARDS and text != _ANY_CARD:
            raise BadCommand(f"{text!r} is no card such as TH, nor {_ANY_CARD} for any card")
    if not named:
        raise BadCommand("name the cards that come next, such as 8S KD")
    counts = Counter(text for text in named if text != _ANY_CARD)
    card, count = max(counts.items(), key=lambda one: one[1], default=("", 0))
    if count > decks or len(named) > decks * len(DECK):
        given = f"{count} cards {card}" if count > decks else f"{len(named)} cards"
        raise BadCommand(f"{given} are more than there are (decks: {decks})")
    return [CARDS.get(text) for text in named]


def name_of(pulled: Draw) -> str:
    """The result of a pull in words; empty if it brought nothing."""
    if pulled.cut_card:
        return "the cut card"
    return " and ".join(out.card for out in pulled.cards)


def none(arguments: Sequence[str]) -> None:
    if arguments:
        raise BadCommand(f"takes nothing after it, {' '.join(arguments)!r} given")


def one_of(arguments: Sequence[str], allowed: Iterable[str], what: str = "") -> str:
    if len(arguments) != 1 or arguments[0] not in allowed:
        given = repr(" ".join(arguments)) if arguments else "nothing"
        raise BadCommand(f"{given} given, expected {what or 'one of ' + ', '.join(allowed)}")
    return arguments[0]


def number(arguments: Sequence[str], *, default: int | None, least: int, most: int) -> int:
    if not arguments and default is not None:
        return default
    if len(arguments) != 1 or not arguments[0].isascii() or not arguments[0].isdigit():
        given = repr(" ".join(arguments)) if arguments else "nothing"
        raise BadCommand(f"{given} given, expected a number")
    number = int(arguments[0]) if len(arguments[0]) < len(str(most)) + 1 else most + 1
    if not least <= number <= most:
        raise BadCommand(f"{arguments[0]} given, expected {least} to {most}")
    return number
