"""Movers of cards: a shoe to draw from, a dispenser, a shuffler, a tray for returns. Time is an argument."""

import random
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from tests.second_device.messages import Type, Value
from tests.second_device.outbox import Outbox

FACE_DOWN: Final = 1
CONFIDENCE_PERCENT: Final = 99
CARD_S: Final = 0.01
"""A card of a packet."""

SHUFFLE_S: Final = 0.2
RETURN_S: Final = 0.05
EJECT_S: Final = 0.1
COUNT_MODULO: Final = 1 << 16
MEMORY_ERROR: Final = (14, 0)
"""The fault of a device that has no place left for what happens: code, and the module of its electronics."""

EXIT: Final = 3
CAROUSEL: Final = 2
COVER_OPEN: Final = 8
MODULE: Final = 1
"""The number of the only part there is; also that of the only cover."""


class Moving(IntEnum):
    """State in ``Status``."""

    IDLE = 0
    LOADED = 1
    SHUFFLING = 2
    DISPENSING = 3
    RETURNING = 4
    FAULT = 5


class UnableError(Exception):
    """The device cannot do now what was asked; the text says why."""


@dataclass(frozen=True)
class Operation:
    """An operation that takes time.

    Args:
        cards: of a packet; 0: does not apply.
    """

    moving: Moving
    ends_at_s: float
    cards: int = 0
    serves: int = 0
    ejects: bool = False


class Mechanism:
    """The mechanism; what happens goes to the outbox."""

    def __init__(self, outbox: Outbox, rng: random.Random) -> None:
        self._outbox = outbox
        self._rng = rng
        self._cards: list[int] = []
        self._news: list[bytes] = []
        self._jammed = False
        self._next_unread = False
        self._cut_card_above: int | None = None
        self._left: list[int] = []
        self._tray: list[int] = []
        self._has_no_place = False
        self._boot_reason = 0
        self.permit = 0
        self._serves = 0
        self.fault: tuple[int, int] | None = None
        self.cover_open = False
        self.cut_card_seen = False
        self.key = 0
        self.operation: Operation | None = None

    @property
    def remaining(self) -> int:
        """Cards in the device; what lies in the tray is not in it yet."""
        return len(self._cards)

    @property
    def moving(self) -> Moving:
        if self.fault is not None:
            return Moving.FAULT
        if self.operation is not None:
            return self.operation.moving
        return Moving.LOADED if self._cards else Moving.IDLE

    @property
    def is_jammed(self) -> bool:
        """A card is stuck: no command clears that, only a hand."""
        return self._jammed

    @property
    def is_fault_held(self) -> bool:
        """The cause of the fault is still there."""
        return self._jammed or self._has_no_place

    def take_news(self) -> list[bytes]:
        """The events recorded since the last call."""
        news, self._news = self._news, []
        return news

    def power_on(self, reason: int) -> None:
        """Start, as it was switched off; what holds is told anew, for the host forgets what it knew of it."""
        self._has_no_place = False
        self._outbox.memory.meters.power_cycles += 1
        self._boot_reason = reason
        self._outbox.boot(reason)
        if self._outbox.owes_start:
            self._stop()
            return
        if not self._cards and self._outbox.memory.stack:
            self._loaded(0)  # the stack went with the process that held it
        self._tell_what_holds()

    def power_off(self) -> None:
        """Lock, and stop what moves; a packet begun falls back, a shuffle has failed."""
        if self.operation is not None and self.operation.moving is Moving.SHUFFLING:
            self._outbox.memory.meters.shuffles_failed += 1
        self.fault = None
        self.permit = 0
        self.operation = None

    def room_came(self) -> None:
        """Events were forgotten: a device that had stopped for want of places says so now that the reserve is free."""
        if self._has_no_place and not self._outbox.is_full:
            self._has_no_place = False
            if self._outbox.owes_start:
                self._outbox.start_over(self._boot_reason)
                self._news.append(self._outbox.pending[-1])
            self._fail(*MEMORY_ERROR)
            self._tell_what_holds()

    def unlock(self, cards: int, serves: int) -> None:
        """Let so many cards be drawn, under the permit of this number."""
        self.permit = cards
        self._serves = serves

    def lock(self) -> None:
        self.permit = 0

    def load(self, cards: int, cut_card_after: int | None = None) -> None:
        """Put in a shuffled stack; 0 empties.

        Args:
            cut_card_after: so many cards come out before the cut card; None: there is none.

        Raises:
            UnableError: something moves or is stuck.
        """
        self._demand_ready()
        deck = [suit << 4 | rank for suit in range(1, 5) for rank in range(1, 14)]
        self._cards = (deck * (cards // len(deck) + 1))[:cards]
        self._rng.shuffle(self._cards)
        self._cut_card_above = None if cut_card_after is None else cards - cut_card_after
        self._loaded(cards)

    def draw(self) -> str:
        """A hand draws the next card, or the cut card before it.

        Returns:
            The card, as two hexadecimal digits; it has left.

        Raises:
            UnableError: it does not come out.
        """
        self._demand_ready()
        if not self.permit:
            raise UnableError("locked")
        if self._cut_card_above is not None and len(self._cards) <= self._cut_card_above:
            self.draw_cut_card()
            return "cut card"
        if not self._cards:
            raise UnableError("the stack is empty")
        card = self._next_card()
        self.permit -= 1
        read = (FACE_DOWN, CONFIDENCE_PERCENT) if card else (0, 0)
        self._record(
            Type.CARD_DRAWN,
            count=self._outbox.memory.count,
            permit=self._serves,
            card=card,
            face=read[0],
            confidence=read[1],
        )
        return f"{card:02X}"

    def draw_cut_card(self) -> None:
        """The cut card comes out; raises UnableError as `draw`."""
        self._demand_ready()
        if not self.permit:
            raise UnableError("locked")
        self._cut_card_above = None
        self.cut_card_seen = True
        self._record(Type.CUT_CARD_DRAWN, count=self._outbox.memory.count)

    def eject(self, now_s: float) -> None:
        """Begin to give out the whole stack."""
        self.operation = Operation(Moving.DISPENSING, now_s + EJECT_S, ejects=True)

    def begin(self, moving: Moving, now_s: float, cards: int = 0, serves: int = 0) -> None:
        """Begin what a command asks for; the caller has seen that it can be done."""
        takes_s = {Moving.SHUFFLING: SHUFFLE_S, Moving.RETURNING: RETURN_S}.get(moving, cards * CARD_S)
        self.operation = Operation(moving, now_s + takes_s, cards, serves)
        if moving is Moving.SHUFFLING:
            self._record(Type.SHUFFLE_STARTED)

    def tick(self, now_s: float) -> None:
        """Finish what is done by now."""
        operation = self.operation
        if operation is None or now_s < operation.ends_at_s:
            return
        self.operation = None
        if operation.moving is Moving.SHUFFLING:
            self._rng.shuffle(self._cards)
            meters = self._outbox.memory.meters
            meters.shuffles_done += 1
            meters.cards_per_shuffle = len(self._cards)
            self._record(Type.SHUFFLE_DONE, cards=len(self._cards))
        elif operation.ejects:
            self._left += self._cards
            self._cards.clear()
            self._loaded(0)
        elif operation.moving is Moving.DISPENSING:
            self._packet(operation.cards, operation.serves)
        else:
            returned, self._tray = self._tray, []
            self._cards[:0] = returned
            self._outbox.memory.stack = len(self._cards)
            self._record(Type.CARDS_RETURNED, cards=len(returned))

    def jam(self) -> None:
        """A card gets stuck; of a packet under way, half has left.

        Raises:
            UnableError: one is stuck already.
        """
        if self._jammed or self.fault is not None:
            raise UnableError("there is a fault already")
        self._jammed = True
        self._outbox.memory.meters.misfeeds += 1
        self._break_off(CAROUSEL, EXIT)

    def free(self) -> None:
        """A hand takes out what is stuck; the fault stays until it is cleared. Raises UnableError: nothing is stuck."""
        if not self._jammed:
            raise UnableError("nothing is stuck")
        self._jammed = False

    def clear_fault(self) -> None:
        """End the fault.

        Raises:
            UnableError: there is none, or its cause is still there.
        """
        if self.fault is None:
            raise UnableError("there is no fault")
        if self.is_fault_held:
            raise UnableError("a card is stuck, or no event can be kept")
        (code, module), self.fault = self.fault, None
        self._record(Type.FAULT_CLEARED, code=code, module=module)

    def cover(self, *, is_open: bool) -> None:
        """Open or close the cover; open, it locks, and what moves stops with a fault.

        Raises:
            UnableError: it is so already.
        """
        if is_open is self.cover_open:
            raise UnableError("the cover is so already")
        self.cover_open = is_open
        if is_open:
            self.permit = 0
            self._outbox.memory.meters.cover_openings += 1
        self._record(Type.COVER_OPENED if is_open else Type.COVER_CLOSED, cover=MODULE)
        if is_open and self.operation is not None and self.fault is None:
            self._break_off(COVER_OPEN, COVER_OPEN)

    def turn_key(self, position: int) -> None:
        if position != self.key:
            self.key = position
            self._record(Type.KEY_TURNED, position=position)

    def put_back(self, cards: int) -> None:
        """Lay cards that have left into the tray for returns; ``AcceptReturn`` takes them in.

        Raises:
            UnableError: so many are not out.
        """
        if cards > len(self._left):
            message = f"only {len(self._left)} cards are out"
            raise UnableError(message)
        self._tray += self._left[:cards]
        del self._left[:cards]

    def next_unread(self) -> None:
        """The next card will not be read."""
        self._next_unread = True

    def _demand_ready(self) -> None:
        if self.fault is not None or self._has_no_place:
            raise UnableError("there is a fault")
        if self.cover_open:
            raise UnableError("the cover is open")
        if self.operation is not None:
            raise UnableError("it moves")

    def _next_card(self) -> int:
        card = self._cards.pop()
        self._left.append(card)
        memory = self._outbox.memory
        memory.stack = len(self._cards)
        memory.count = (memory.count + 1) % COUNT_MODULO
        if self._next_unread:
            self._next_unread = False
            memory.meters.cards_not_read += 1
            return 0
        memory.meters.cards_read += 1
        return card

    def _packet(self, cards: int, serves: int) -> None:
        packet = bytes(self._next_card() for _ in range(cards))
        self._record(Type.PACKET_DISPENSED, count=self._outbox.memory.count, permit=serves, cards=packet)

    def _loaded(self, cards: int) -> None:
        self.cut_card_seen = False
        self._outbox.memory.stack = cards
        self._outbox.memory.count = 0
        self._record(Type.STACK_LOADED, cards=cards)

    def _break_off(self, shuffling: int, otherwise: int) -> None:
        operation, self.operation = self.operation, None
        if operation is not None and operation.cards > 1:
            self._packet(operation.cards // 2, operation.serves)
        if operation is not None and operation.moving is Moving.SHUFFLING:
            self._outbox.memory.meters.shuffles_failed += 1
            self._fail(shuffling, MODULE)
        else:
            self._fail(otherwise, MODULE)

    def _tell_what_holds(self) -> None:
        if self.cover_open:
            self._record(Type.COVER_OPENED, cover=MODULE)
        if self._jammed and self.fault is None:
            self._fail(EXIT, MODULE)
        if self.key:
            self._record(Type.KEY_TURNED, position=self.key)

    def _fail(self, code: int, module: int) -> None:
        self.permit = 0
        self.fault = (code, module)
        self._record(Type.FAULT, code=code, module=module)

    def _record(self, kind: Type, **values: Value) -> None:
        if self._has_no_place or self._outbox.free == 0:
            self._stop()
            return
        self._news.append(self._outbox.record(kind, **values))
        if self._outbox.is_full:
            self.permit = 0

    def _stop(self) -> None:
        self._has_no_place = True
        self.permit = 0
        self.operation = None
        self.fault = MEMORY_ERROR
