"""Devices whose mechanism tells too little, too much, or lets cards out (sections 9 and 10)."""

import random
from typing import Final

from tests.conformance.defects import Defect, Parts
from tests.second_device.device import Device
from tests.second_device.mechanism import Mechanism, Moving
from tests.second_device.messages import (
    Type,
    Value,
)
from tests.second_device.outbox import Outbox


class CountsDouble(Mechanism):
    """Counts each card twice."""

    def _next_card(self) -> int:
        self._outbox.memory.count += 1
        return super()._next_card()


class NamesTheUnread(Mechanism):
    """Makes up a card where it could not read one."""

    def _next_card(self) -> int:
        return super()._next_card() or 0x11


class MetersNothing(Mechanism):
    """Its meters count no card."""

    def _next_card(self) -> int:
        meters = self._outbox.memory.meters
        before = meters.cards_read, meters.cards_not_read
        card = super()._next_card()
        meters.cards_read, meters.cards_not_read = before
        return card


class OpenThoughFull(Mechanism):
    """A full outbox does not end what was allowed."""

    def _record(self, kind: Type, **values: Value) -> None:
        before = self.permit
        super()._record(kind, **values)
        if not self._has_no_place:
            self.permit = before


class ReadsNothing(Mechanism):
    """Reads no card, and says that it does."""

    def _next_card(self) -> int:
        super()._next_card()
        return 0


class TellsNot(Mechanism):
    """Does not tell some events; a subclass says which."""

    untold: Type = Type.STACK_LOADED

    def _record(self, kind: Type, **values: Value) -> None:
        if kind is not self.untold:
            super()._record(kind, **values)


class NoCover(TellsNot):
    untold = Type.COVER_OPENED


class NoKey(TellsNot):
    untold = Type.KEY_TURNED


class NoFault(TellsNot):
    untold = Type.FAULT


class NoFaultCleared(TellsNot):
    untold = Type.FAULT_CLEARED


class NoShuffleDone(TellsNot):
    untold = Type.SHUFFLE_DONE


class NoReturns(TellsNot):
    untold = Type.CARDS_RETURNED


class KeepsPermits(Mechanism):
    """An open cover does not end what was allowed."""

    def cover(self, *, is_open: bool) -> None:
        permit = self.permit
        super().cover(is_open=is_open)
        self.permit = permit


class ForgetsToSay(Mechanism):
    """Does not tell anew what holds after a start."""

    def _tell_what_holds(self) -> None:
        """Nothing."""


class OpenAfterPower(Mechanism):
    """Is unlocked when the power comes."""

    def lock(self) -> None:
        self.permit = 0 if self.permit < 50 else self.permit

    def power_on(self, reason: int) -> None:
        super().power_on(reason)
        self.permit = 100 if self._outbox.memory.boot > 1 else 0


class BlindToTheCutCard(TellsNot):
    """Has a sensor for the cut card, and does not report it."""

    untold = Type.CUT_CARD_DRAWN


class CountsTheCutCard(Mechanism):
    def draw_cut_card(self) -> None:
        self._outbox.memory.count += 1
        super().draw_cut_card()


class AllowsTheCutCard(Mechanism):
    """The cut card uses up a card that was allowed."""

    def draw_cut_card(self) -> None:
        super().draw_cut_card()
        self.permit -= 1


class ForgetsTheCutCard(Mechanism):
    """Does not set condition 4."""

    def draw_cut_card(self) -> None:
        super().draw_cut_card()
        self.cut_card_seen = False


class SeesTheCutCardAlways(Mechanism):
    """Keeps condition 4 when a new stack is in."""

    def _loaded(self, cards: int) -> None:
        seen = self.cut_card_seen
        super()._loaded(cards)
        self.cut_card_seen = seen


class CountsBack(Mechanism):
    """Cards that come back lower the count."""

    def tick(self, now_s: float) -> None:
        returned = len(self._tray) if self.operation and self.operation.moving is Moving.RETURNING else 0
        super().tick(now_s)
        self._outbox.memory.count -= returned - len(self._tray) if returned else 0


class LosesReturnedCards(Mechanism):
    """Cards that come back are not in its stack."""

    def tick(self, now_s: float) -> None:
        stack = self._outbox.memory.stack
        returns = self.operation is not None and self.operation.moving is Moving.RETURNING
        super().tick(now_s)
        if returns and self.operation is None:
            self._outbox.memory.stack = stack


class OtherFaultOfTheCover(Mechanism):
    """Has a sensor blocked where the cover is open."""

    def _fail(self, code: int, module: int) -> None:
        super()._fail(10 if self.cover_open else code, module)


class MetersNoMisfeed(Mechanism):
    """Counts no card that sticks."""

    def jam(self) -> None:
        super().jam()
        self._outbox.memory.meters.misfeeds = 0


class ForgetsThePermit(Mechanism):
    """Reports a card that a hand drew without its permit."""

    def unlock(self, cards: int, _serves: int) -> None:
        super().unlock(cards, 0)


class SeesTheBackOfTheUnread(Mechanism):
    """Knows how a card lies that it has not read."""

    def _record(self, kind: Type, **values: Value) -> None:
        unread = kind is Type.CARD_DRAWN and not values["card"]
        super()._record(kind, **({**values, "face": 1} if unread else values))


class OpenWhenNew(Mechanism):
    """Is unlocked until its first session has ended."""

    def __init__(self, outbox: Outbox, rng: random.Random) -> None:
        super().__init__(outbox, rng)
        self.permit = 5


class ShufflesOn(Mechanism):
    """A power cut does not end a shuffle."""

    def power_off(self) -> None:
        operation = self.operation
        super().power_off()
        self.operation = operation


class ShufflesOnWithoutAPlace(Mechanism):
    """No place for events does not end a shuffle."""

    def _stop(self) -> None:
        operation = self.operation
        super()._stop()
        self.operation = operation


class NotEmptied(Mechanism):
    """Does not notice that its stack was taken out."""

    def load(self, cards: int, cut_card_after: int | None = None) -> None:
        if cards:
            super().load(cards, cut_card_after)


class OpenUntilASession(Device):
    """Is unlocked from a start to its first session."""

    def power_on(self, now_s: float, reason: int) -> None:
        super().power_on(now_s, reason)
        self.mechanism.unlock(5, 0)

    def session_began(self, now_s: float) -> None:
        self.mechanism.lock()
        super().session_began(now_s)


class OpenUntilTheNextSession(Device):
    """Locks when a session begins, not when one ends."""

    def session_ended(self) -> None:
        permit = self.mechanism.permit
        super().session_ended()
        self.mechanism.permit = permit

    def session_began(self, now_s: float) -> None:
        self.mechanism.lock()
        super().session_began(now_s)


class StuckUnderAPermit(Mechanism):
    """Reports the card that stuck with a permit."""

    def free(self) -> None:
        super().free()
        count = self._outbox.memory.count
        self._record(Type.CARD_DRAWN, count=count, permit=7, card=0, face=0, confidence=0)


class FailsAtEachStart(Mechanism):
    """Reports a stuck card after each start."""

    def _tell_what_holds(self) -> None:
        super()._tell_what_holds()
        if self.fault is None:
            self._fail(3, 1)


class ReportsAFaultAtEachStart(Mechanism):
    """Reports after each start a stuck card that it does not have."""

    def _tell_what_holds(self) -> None:
        super()._tell_what_holds()
        if self.fault is None:
            self._record(Type.FAULT, code=3, module=1)


class SaysThatItIsEmpty(Mechanism):
    """Has no cards in its reports of a start, and gives them out."""

    def power_on(self, reason: int) -> None:
        super().power_on(reason)
        self._loaded(0)


class MetersWhatPowerEnds(Mechanism):
    """Counts whatever moves when the power goes as a failed shuffle."""

    def power_off(self) -> None:
        operation = self.operation
        super().power_off()
        self._outbox.memory.meters.shuffles_failed += operation is not None and operation.moving is not Moving.SHUFFLING


class StaysWithoutAPlace(Mechanism):
    """Takes the places of a start for taken."""

    def power_on(self, reason: int) -> None:
        had_no_place = self._has_no_place
        super().power_on(reason)
        self._has_no_place |= had_no_place


class LocksWhenClosed(Mechanism):
    """The permit ends when the cover is closed."""

    def cover(self, *, is_open: bool) -> None:
        permit = self.permit
        super().cover(is_open=is_open)
        self.permit = permit if is_open else 0


class MetersAnyFailure(Mechanism):
    """Counts a packet that jams as a failed shuffle."""

    def _break_off(self, shuffling: int, otherwise: int) -> None:
        self._outbox.memory.meters.shuffles_failed += self.operation is not None
        super()._break_off(shuffling, otherwise)


class RunsTooSoon(Mechanism):
    """Runs again with the first place that is free."""

    def room_came(self) -> None:
        if self._has_no_place:
            self._has_no_place = False
            self._fail(14, 0)
            self._tell_what_holds()


class ForgetsTheKey(Mechanism):
    """Does not say, when there is room again, what still holds."""

    def room_came(self) -> None:
        if self._has_no_place and not self._outbox.is_full:
            self._has_no_place = False
            self._fail(14, 0)


class MetersAnew(Mechanism):
    """Counts from 0 after each start."""

    def power_on(self, reason: int) -> None:
        self._outbox.memory.meters.cards_read = 0
        super().power_on(reason)


class MetersTheCoverAgain(Mechanism):
    """Counts an open cover once more at a start."""

    def _tell_what_holds(self) -> None:
        self._outbox.memory.meters.cover_openings += self.cover_open
        super()._tell_what_holds()


class LosesABrokenPacket(Mechanism):
    """Tells nothing of the cards of a packet that jams."""

    def _break_off(self, shuffling: int, otherwise: int) -> None:
        self.breaks_off = self.operation is not None
        super()._break_off(shuffling, otherwise)
        self.breaks_off = False

    def _record(self, kind: Type, **values: Value) -> None:
        if kind is not Type.PACKET_DISPENSED or not getattr(self, "breaks_off", False):
            super()._record(kind, **values)


class FaultBeforeThePacket(Mechanism):
    """Tells the fault before the cards of the packet that it has broken off."""

    def _break_off(self, shuffling: int, otherwise: int) -> None:
        operation, self.operation = self.operation, None
        super()._break_off(shuffling, otherwise)
        if operation is not None and operation.cards > 1:
            self._packet(operation.cards // 2, operation.serves)


class MetersNoFailure(Mechanism):
    """Counts no failed shuffle."""

    def _break_off(self, shuffling: int, otherwise: int) -> None:
        super()._break_off(shuffling, otherwise)
        self._outbox.memory.meters.shuffles_failed = 0


class ForgetsFaults(Mechanism):
    """Does not tell anew, after a start, that a card is stuck."""

    def _tell_what_holds(self) -> None:
        jammed, self._jammed = self._jammed, False
        super()._tell_what_holds()
        self._jammed = jammed


class StaysJammed(Mechanism):
    """Does not notice that a hand has taken out what was stuck."""

    def free(self) -> None:
        """Nothing."""


STAYS_JAMMED: Final = Defect("stays jammed", ("machine.clears-the-fault-that-is-named",), Parts(mechanism=StaysJammed))
"""What it does in one check makes the next ones impossible."""

MECHANISMS: Final = [
    Defect("loses a broken packet", ("lock.jammed-packet-is-reported",), Parts(mechanism=LosesABrokenPacket)),
    Defect("the fault before the packet", ("lock.jammed-packet-is-reported",), Parts(mechanism=FaultBeforeThePacket)),
    Defect("meters no failed shuffle", ("machine.failed-shuffle-is-reported",), Parts(mechanism=MetersNoFailure)),
    Defect("forgets its faults with power", ("power.fault-is-reported-again",), Parts(mechanism=ForgetsFaults)),
    Defect("does not report the cut card", ("machine.cut-card-is-reported",), Parts(mechanism=BlindToTheCutCard)),
    Defect("counts the cut card", ("machine.cut-card-is-reported",), Parts(mechanism=CountsTheCutCard)),
    Defect("the cut card uses up a permit", ("machine.cut-card-is-reported",), Parts(mechanism=AllowsTheCutCard)),
    Defect("no condition for the cut card", ("machine.cut-card-is-reported",), Parts(mechanism=ForgetsTheCutCard)),
    Defect("has always seen the cut card", ("machine.cut-card-is-reported",), Parts(mechanism=SeesTheCutCardAlways)),
    Defect("loses returned cards", ("machine.accepts-returns",), Parts(mechanism=LosesReturnedCards)),
    Defect(
        "another fault for its cover", ("machine.failed-shuffle-is-reported",), Parts(mechanism=OtherFaultOfTheCover)
    ),
    Defect("meters no misfeed", ("machine.fault-and-its-end",), Parts(mechanism=MetersNoMisfeed)),
    Defect("no permit with a card drawn by hand", ("events.permit-is-echoed",), Parts(mechanism=ForgetsThePermit)),
    Defect("a face of the unread", ("events.unread-card-is-reported",), Parts(mechanism=SeesTheBackOfTheUnread)),
    Defect("open when new", ("run.sessions-begin-locked",), Parts(mechanism=OpenWhenNew)),
    Defect("shuffles on after a start", ("power.nothing-moves-after-power",), Parts(mechanism=ShufflesOn)),
    Defect(
        "shuffles on without a place",
        ("events.no-place-left-stops-a-shuffle",),
        Parts(mechanism=ShufflesOnWithoutAPlace),
    ),
    Defect("does not see that it was emptied", ("machine.emptying-is-reported",), Parts(mechanism=NotEmptied)),
    Defect("fails at each start", ("power.boot-count-grows-by-one",), Parts(mechanism=FailsAtEachStart)),
    Defect(
        "reports a fault at each start", ("power.boot-count-grows-by-one",), Parts(mechanism=ReportsAFaultAtEachStart)
    ),
    Defect("says that it is empty", ("power.locked-after-power",), Parts(mechanism=SaysThatItIsEmpty)),
    Defect(
        "meters whatever the power ends", ("power.nothing-moves-after-power",), Parts(mechanism=MetersWhatPowerEnds)
    ),
    Defect(
        "finds no place though it forgot its events",
        ("events.start-without-a-place-is-reported",),
        Parts(mechanism=StaysWithoutAPlace),
    ),
    Defect("locks when the cover is closed", ("lock.open-cover-takes-back",), Parts(mechanism=LocksWhenClosed)),
    Defect("meters any failure", ("lock.jammed-packet-is-reported",), Parts(mechanism=MetersAnyFailure)),
    Defect("runs again too soon", ("events.no-place-left-stops",), Parts(mechanism=RunsTooSoon)),
    Defect(
        "open until the next session",
        ("lock.loss-of-the-session-locks", "power.locked-after-power"),
        Parts(device=OpenUntilTheNextSession),
    ),
    Defect("open until a session", ("power.locked-after-power",), Parts(device=OpenUntilASession)),
    Defect("a permit for a stuck card", ("machine.fault-and-its-end",), Parts(mechanism=StuckUnderAPermit)),
    Defect("forgets its key with its events", ("events.no-place-left-stops",), Parts(mechanism=ForgetsTheKey)),
    Defect("returned cards lower the count", ("machine.accepts-returns",), Parts(mechanism=CountsBack)),
    Defect("meters begin again", ("power.meters-outlive-power",), Parts(mechanism=MetersAnew)),
    Defect("meters an open cover again", ("power.meters-outlive-power",), Parts(mechanism=MetersTheCoverAgain)),
    Defect("keeps permits over an open cover", ("lock.open-cover-takes-back",), Parts(mechanism=KeepsPermits)),
    Defect("does not say what holds", ("power.state-is-reported-again",), Parts(mechanism=ForgetsToSay)),
    Defect("counts cards twice", ("events.count-grows-with-each-card",), Parts(mechanism=CountsDouble)),
    Defect("makes up cards", ("events.unread-card-is-reported",), Parts(mechanism=NamesTheUnread)),
    Defect(
        "meters no card", ("events.unread-card-is-reported", "events.cards-are-read"), Parts(mechanism=MetersNothing)
    ),
    Defect("open though full", ("events.full-outbox-takes-back",), Parts(mechanism=OpenThoughFull)),
    Defect("reads nothing", ("events.cards-are-read",), Parts(mechanism=ReadsNothing)),
    Defect("does not tell of loading", ("machine.loading-is-reported",), Parts(mechanism=TellsNot)),
    Defect("does not tell of its cover", ("machine.cover-is-reported",), Parts(mechanism=NoCover)),
    Defect("does not tell of its key", ("machine.key-is-reported",), Parts(mechanism=NoKey)),
    Defect("does not tell of faults", ("machine.fault-and-its-end",), Parts(mechanism=NoFault)),
    Defect("does not tell of a fault's end", ("machine.fault-and-its-end",), Parts(mechanism=NoFaultCleared)),
    Defect("does not tell of a shuffle's end", ("machine.shuffles",), Parts(mechanism=NoShuffleDone)),
    Defect("does not tell of returns", ("machine.accepts-returns",), Parts(mechanism=NoReturns)),
    Defect("open after power", ("power.locked-after-power",), Parts(mechanism=OpenAfterPower)),
]
