"""The shoe's physical truth, telegram by telegram, against what the host made of it.

Whatever differs must be one of the cases that ``docs/protocols/angel-eye.md``, section 10, names; anything else is an
error.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from regulations.events.cards import Card
from regulations.events.inputs import AnyInput, CardDrawn, Fault

COLLISION: Final = "10.1/2: damage whose check fits"
NINE: Final = "10.5: a gap of nine or a multiple"
BEFORE_START: Final = "10.6: a loss before a start"
END: Final = "10.7: loss of the last telegram"
NINTH: Final = "10.10: after a loss of the line, the ninth telegram has the bytes of the last one heard"
REPEAT: Final = "10.11: behind a gap that is shown, the same card at the same place"
NAMED: Final = frozenset({COLLISION, NINE, BEFORE_START, END, NINTH, REPEAT})
"""Everything that may go unnoticed; the other cases of the page are not of the line's making, or need a command."""
_NUMBERS: Final = 9
_UNREADABLE: Final = (1, 6)
_TELL_OF_LOSS: Final = ("sequence_gap", "restarted")
"""Faults by which the table is told that it may not have heard of everything."""


@dataclass(eq=False, slots=True)
class OutCard:
    """A card that left the shoe.

    Attributes:
        read: what the shoe read; ``None`` if nothing.
    """

    card: Card
    read: Card | None
    known: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A telegram that the shoe sent three times, and the card that it tells of."""

    frame: bytes
    card: OutCard | None

    @property
    def kind(self) -> str:
        """The type byte, as a letter."""
        return chr(self.frame[2])


class Truth:
    """The witness at the shoe's end of the line."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.counts: Counter[str] = Counter()
        self.undetectable: Counter[str] = Counter()
        self.in_hand: OutCard | None = None
        """The card that was pulled last, unless the shoe keeps it for its retransmission."""
        self.overdrawn: list[OutCard] = []
        self.is_adrift = False
        """After an undetectable case session and shoe differ, until the next stack."""
        self._seq_adrift = False
        self._shown_since_card = False
        """True if a fault has told of a loss since the last card or result: then a card may be taken for a repeat."""
        self._of_round: set[bytes] = set()
        """Place and card of what was heard since the last result: what a card can be taken for a repeat of."""
        self._before_break: bytes | None = None
        """The telegram heard last when the plug was pulled, until another one is heard."""
        self._last_heard = -1
        self._count = 0
        self._stack_at = 0

    # --- the shoe's end ----------------------------------------------------------------------------------------------

    def says(self, frame: bytes) -> None:
        """The shoe sends the first copy of a telegram."""
        kind = chr(frame[2])
        card = None
        if kind == "D" or (kind == "E" and frame[3] & 0x3F in _UNREADABLE):
            card = self.in_hand
        elif kind == "R":
            card = self.overdrawn.pop(0)
        self.told.append(Told(frame, card))

    # --- the host's end ----------------------------------------------------------------------------------------------

    def new_stack(self) -> None:
        """The table's cards are counted anew."""
        self._count = 0
        self._stack_at = len(self.told)
        self.is_adrift = False

    def broken(self) -> None:
        """The plug is out; the host is told."""
        if self._last_heard >= 0:
            self._before_break = self.told[self._last_heard].frame

    def entered(self, card: OutCard) -> None:
        """A person entered a card that the table did not hear of."""
        card.known = True
        self._count += 1

    def heard(self, frame: bytes, events: list[AnyInput]) -> Told | None:
        """The decoder accepted a frame and the session made events of it; returns the telegram, ``None`` for others.

        Raises:
            AssertionError: a difference that no documented case explains.
        """
        number = len(self.told) - 1
        if frame != self.told[number].frame:
            self._heard_what_nobody_said(frame)
            return None
        if number == self._last_heard:
            self.counts["copies heard"] += 1
            assert not events or self._seq_adrift, f"a copy of {frame.hex(' ')} became {events}"
            return None
        self._heard_new(number, events)
        return self.told[number]

    def lost_since(self) -> set[OutCard]:
        """Cards of this stack that the table has not heard of though the shoe told of them."""
        return {told.card for told in self.told[self._stack_at :] if told.card is not None and not told.card.known}

    def finish(self) -> None:
        """The run is over; what was told last and not heard can no longer show."""
        self.undetectable[END] += len(self.told) - 1 - self._last_heard
        self.counts["telegrams"] = len(self.told)

    def _heard_what_nobody_said(self, frame: bytes) -> None:
        check = 0
        for value in frame[1:-2]:
            check ^= value
        assert frame[-2:] == b"%02X" % check, f"{frame.hex(' ')} was accepted although its check does not fit"
        self.undetectable[COLLISION] += 1
        self.is_adrift = self._seq_adrift = True

    def _heard_new(self, number: int, events: list[AnyInput]) -> None:
        told = self.told[number]
        lost = self.told[self._last_heard + 1 : number]
        self._last_heard = number
        before_break, self._before_break = self._before_break, None
        self.counts["telegrams lost"] += len(lost)
        cards = [event for event in events if isinstance(event, CardDrawn)]
        is_new = told.card is not None and not told.card.known
        jump = self._jump(cards)
        if told.card is not None and cards:
            told.card.known = True
        seq_adrift, self._seq_adrift = self._seq_adrift, False
        if self.is_adrift or seq_adrift:
            return
        where = f"telegram {number}, {told.frame.hex(' ')}, after {len(lost)} lost: {events}"
        if told.frame == before_break and not events and len(lost) % _NUMBERS == _NUMBERS - 1:
            self.undetectable[NINTH] += 1
            self.is_adrift = True
            return
        self._check_gap(number, lost, jump, events, where)
        is_repeat = is_new and not cards and self._shown_since_card and told.frame[3:5] in self._of_round
        self._note_round(told, is_card=bool(cards))
        if is_repeat:
            # It looks like a card that was told before the gap; somebody looks, and finds that it is another.
            self.undetectable[REPEAT] += 1
            return
        read = [told.card.read] if told.card is not None and is_new else []
        assert self._has_come_adrift() or [card.card for card in cards] == read, where

    def _note_round(self, told: Told, *, is_card: bool) -> None:
        if is_card or told.kind == "G":
            self._shown_since_card = False
        if told.kind == "G":
            self._of_round.clear()
        elif told.kind in "DR":
            self._of_round.add(told.frame[3:5])

    def _has_come_adrift(self) -> bool:
        return self.is_adrift

    @staticmethod
    def _is_lost_count(lost: list[Told]) -> bool:
        return bool(lost) and len(lost) % _NUMBERS == 0

    def _jump(self, cards: list[CardDrawn]) -> int:
        jump = 0
        for card in cards:
            assert card.count is not UNSET
            jump, self._count = card.count - self._count - 1, card.count
        return jump

    def _check_gap(self, number: int, lost: list[Told], jump: int, events: list[AnyInput], where: str) -> None:
        told = self.told[number]
        shown = any(isinstance(event, Fault) and event.code == "sequence_gap" for event in events)
        self._shown_since_card |= any(isinstance(event, Fault) and event.code in _TELL_OF_LOSS for event in events)
        missing = len(lost) % _NUMBERS
        unknown = self.lost_since() - {told.card}
        assert 0 <= jump <= len(unknown), f"more cards missed than were told: {where}"
        is_first = told.kind == "S" or len(lost) == number
        if is_first or not missing:
            assert not shown, f"a loss that never was: {where}"
        else:
            assert shown == (missing > jump), f"a loss that nobody is told of: {where}"
            self.counts["gaps shown"] += 1
        if is_first and lost:
            self.undetectable[BEFORE_START] += 1
        elif self._is_lost_count(lost):
            self.undetectable[NINE] += 1
            self.is_adrift = True
