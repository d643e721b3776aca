"""Devices that do commands wrongly (sections 10 and 12)."""

from dataclasses import replace
from typing import Final

from tests.conformance.defects import Defect, Parts
from tests.second_device.device import BUSY, COVER_OPEN, ID_USED, IN_FAULT, OUT_OF_CARDS, Device
from tests.second_device.mechanism import Moving
from tests.second_device.messages import (
    Message,
    MessageError,
    Type,
    decode,
    encode,
)


class AnswersAnew(Device):
    """Forgets every answer, but knows the highest id."""

    def _command(self, message: Message, body: bytes, now_s: float) -> bytes:
        self._answers.clear()
        return super()._command(message, body, now_s)


class DoesAgain(Device):
    """Does a command that comes again once more."""

    def _command(self, message: Message, body: bytes, now_s: float) -> bytes:
        self._answers.pop(message.number("id"), None)
        self._outbox.memory.highest_id = 0
        return super()._command(message, body, now_s)


class TakesZero(Device):
    def _command(self, message: Message, body: bytes, now_s: float) -> bytes:
        if message.number("id"):
            return super()._command(message, body, now_s)
        return encode(Type.DONE, id=0)


class FirstCommandWins(Device):
    """Takes another command with a used id for the first."""

    def _command(self, message: Message, body: bytes, now_s: float) -> bytes:
        answer = super()._command(message, body, now_s)
        used = encode(Type.REFUSED, id=message.number("id"), reason=ID_USED)
        return encode(Type.DONE, id=message.number("id")) if answer == used else answer


class ShortMemory(Device):
    """Remembers four answers."""

    def _command(self, message: Message, body: bytes, now_s: float) -> bytes:
        while len(self._answers) > 4:
            self._answers.popitem(last=False)
        return super()._command(message, body, now_s)


class ForgetsIds(Device):
    """Does not keep the highest id over a power cut."""

    def power_off(self) -> None:
        super().power_off()
        self._outbox.memory.highest_id = 0


class DoesAnything(Device):
    """Says Done to what it cannot do."""

    def _obstacle(self, message: Message) -> int | None:
        return None if message.type is Type.ATTEST else super()._obstacle(message)


class Generous(Device):
    """Takes a packet of none for a packet of one."""

    def message(self, body: bytes, now_s: float) -> None:
        try:
            decode(body)
        except MessageError:
            if body[0] in {Type.DISPENSE, Type.UNLOCK} and len(body) > 9:
                body = body[:-5] + b"\x01" + body[-4:]  # the permit's number stands last
        super().message(body, now_s)


class NoLamps(Device):
    """Refuses to let a lamp blink."""

    def _obstacle(self, message: Message) -> int | None:
        return 2 if message.type is Type.SET_LAMP and message.number("mode") == 2 else super()._obstacle(message)


class LockRefused(Device):
    """Refuses to lock what is locked."""

    def _obstacle(self, message: Message) -> int | None:
        return 4 if message.type is Type.LOCK and not self.mechanism.permit else super()._obstacle(message)


class ClearsNothing(Device):
    """Reports the end of a fault that never was."""

    def _obstacle(self, message: Message) -> int | None:
        if message.type is Type.CLEAR_FAULT and self.mechanism.fault is None:
            self.mechanism._record(Type.FAULT_CLEARED, code=1, module=1)  # noqa: SLF001  the defect is there
        return super()._obstacle(message)


class LockDoesNothing(Device):
    """Lock is done in word only."""

    def _do(self, message: Message, now_s: float) -> None:
        permit = self.mechanism.permit
        super()._do(message, now_s)
        if message.type is Type.LOCK:
            self.mechanism.permit = permit


class OneTooMany(Device):
    """Unlocks for a card more."""

    def _do(self, message: Message, now_s: float) -> None:
        super()._do(message, now_s)
        self.mechanism.permit += message.type is Type.UNLOCK


class AddsPermits(Device):
    """Adds what is allowed to what was."""

    def _do(self, message: Message, now_s: float) -> None:
        permit = self.mechanism.permit
        super()._do(message, now_s)
        self.mechanism.permit += permit if message.type is Type.UNLOCK else 0


class MovesWhileUnlocked(Device):
    """Dispenses though a hand may draw."""

    def _obstacle_to_moving(self, message: Message) -> int | None:
        if message.type is Type.DISPENSE:
            self.mechanism.permit = 0
        return super()._obstacle_to_moving(message)


class StaysOpen(Device):
    """Does not lock when the session is lost."""

    def session_ended(self) -> None:
        permit = self.mechanism.permit
        super().session_ended()
        self.mechanism.permit = permit


class StartsOpen(Device):
    """Begins each session unlocked."""

    def session_began(self, now_s: float) -> None:
        self.mechanism.permit = 100
        super().session_began(now_s)


class SaysLocked(StartsOpen):
    """Begins each session unlocked, and says that it is locked."""

    def _make_status(self) -> bytes:
        permit, self.mechanism.permit = self.mechanism.permit, 0
        status = super()._make_status()
        self.mechanism.permit = permit
        return status


class ShortPackets(Device):
    """Dispenses a card less of three."""

    def _do(self, message: Message, now_s: float) -> None:
        if message.type is Type.DISPENSE and message.number("cards") == 3:
            self.mechanism.begin(Moving.DISPENSING, now_s, 2)
        else:
            super()._do(message, now_s)


class BlindToReasons(Device):
    """Gives cards out while its cover is open or a fault holds."""

    def _obstacle_to_moving(self, message: Message) -> int | None:
        blind = self.mechanism.remaining and (self.mechanism.cover_open or self.mechanism.fault)
        return None if blind else super()._obstacle_to_moving(message)


class ForgetsRefusals(Device):
    """Remembers what was done, and no refusal."""

    def _command(self, message: Message, body: bytes, now_s: float) -> bytes:
        answer = super()._command(message, body, now_s)
        number = message.number("id")
        if answer[2] == Type.REFUSED and self._answers.get(number, (b"", 0))[1]:
            del self._answers[number]
            self._outbox.memory.highest_id = number - 1
        return answer


class UsesIdsUp(Device):
    """A command that it cannot read uses its id."""

    def message(self, body: bytes, now_s: float) -> None:
        try:
            decode(body)
        except MessageError:
            if body[0] >= 0x50 and len(body) >= 5:
                self._outbox.memory.highest_id = int.from_bytes(body[1:5])
        super().message(body, now_s)


class ClearsAnyModule(Device):
    """Clears a fault of whatever module."""

    field = "module"

    def _obstacle(self, message: Message) -> int | None:
        fault = self.mechanism.fault
        if message.type is Type.CLEAR_FAULT and fault is not None:
            fields = {**message.fields, self.field: fault[("code", "module").index(self.field)]}
            message = decode(encode(Type.CLEAR_FAULT, **fields)[2:])
        return super()._obstacle(message)


class ClearsAnyCode(ClearsAnyModule):
    field = "code"


class ClearsUnderTheCover(Device):
    """Does not mind the cover when a fault is cleared."""

    def _obstacle(self, message: Message) -> int | None:
        reason = super()._obstacle(message)
        held = IN_FAULT if self.mechanism.is_fault_held else None
        return held if message.type is Type.CLEAR_FAULT and reason == COVER_OPEN else reason


class BusyWhenEmpty(Device):
    """Says that it is busy when it has no cards."""

    def _obstacle_to_moving(self, message: Message) -> int | None:
        reason = super()._obstacle_to_moving(message)
        return BUSY if reason == OUT_OF_CARDS else reason


class IdleWhileEjecting(Device):
    """Does not say that cards move to the exit."""

    def _make_status(self) -> bytes:
        operation = self.mechanism.operation
        if operation is not None and operation.ejects:
            self.mechanism.operation = None
        status = super()._make_status()
        self.mechanism.operation = operation
        return status


class EjectsWhileReturning(Device):
    """Says that cards move to the exit while it takes some back."""

    def _make_status(self) -> bytes:
        operation = self.mechanism.operation
        if operation is not None and operation.moving is Moving.RETURNING:
            self.mechanism.operation = replace(operation, moving=Moving.DISPENSING)
        status = super()._make_status()
        self.mechanism.operation = operation
        return status


class CoverFirst(Device):
    """Minds its cover before a fault."""

    def _obstacle_to_moving(self, message: Message) -> int | None:
        return COVER_OPEN if self.mechanism.cover_open else super()._obstacle_to_moving(message)


class AnswersReports(Device):
    """Refuses what is below the types of commands."""

    def message(self, body: bytes, now_s: float) -> None:
        super().message(body, now_s)
        if body[0] == 0x4F and len(body) >= 5:
            self._out += encode(Type.REFUSED, id=int.from_bytes(body[1:5]), reason=1)


class MetersOnce(Device):
    """Sends its meters once for an id."""

    def _command(self, message: Message, body: bytes, now_s: float) -> bytes:
        number = message.number("id")
        known = number in self._answers
        answer = super()._command(message, body, now_s)
        return encode(Type.DONE, id=number) if known and answer[2] == Type.METERS else answer


class OneIsNotBusy(Device):
    """Dispenses while a hand may draw one card."""

    def _obstacle_to_moving(self, message: Message) -> int | None:
        if message.type is Type.DISPENSE and self.mechanism.permit == 1:
            self.mechanism.permit = 0
        return super()._obstacle_to_moving(message)


class MetersWithEachAnswer(Device):
    """Sends its meters with each answer."""

    def _tell_asked(self, message: Message) -> bytes:
        meters = Message(Type.READ_METERS, {"id": message.number("id")})
        return super()._tell_asked(message if message.type is Type.RECALL_ROOT else meters)


class HelloAgain(Device):
    """Begins with Hello again at each message."""

    def message(self, body: bytes, now_s: float) -> None:
        out = bytes(self._out)
        self.session_began(now_s)
        self._out[:0] = out
        super().message(body, now_s)


class SilentToLongShuffles(Device):
    """Does not answer a Shuffle of a wrong length."""

    def message(self, body: bytes, now_s: float) -> None:
        if body[0] != Type.SHUFFLE or len(body) == 5:
            super().message(body, now_s)


class ClearsWhileStopped(Device):
    """Clears fault 14 while no event has a place."""

    def _obstacle(self, message: Message) -> int | None:
        reason = super()._obstacle(message)
        return None if message.type is Type.CLEAR_FAULT and reason == IN_FAULT else reason

    def _do(self, message: Message, now_s: float) -> None:
        if message.type is not Type.CLEAR_FAULT or not self.mechanism.is_fault_held:
            super()._do(message, now_s)


class OpenWhenStopped(Device):
    """Says that a hand may draw while no event has a place."""

    def _make_status(self) -> bytes:
        stopped = self.mechanism.is_fault_held and not self.mechanism.is_jammed
        self.mechanism.permit += stopped
        status = super()._make_status()
        self.mechanism.permit -= stopped
        return status


class ReturnsNeedCards(Device):
    """Takes no returns when it has no cards."""

    def _obstacle_to_moving(self, message: Message) -> int | None:
        return super()._obstacle_to_moving(message) or (0 if self.mechanism.remaining else OUT_OF_CARDS)


class NeedsTwoCards(Device):
    """Has too few cards with one."""

    def _obstacle_to_moving(self, message: Message) -> int | None:
        return super()._obstacle_to_moving(message) or (OUT_OF_CARDS if self.mechanism.remaining == 1 else None)


class AlwaysIn(Device):
    """Has one state when nothing moves, whether there are cards or not."""

    state = Moving.LOADED

    def _make_status(self) -> bytes:
        status = bytearray(super()._make_status())
        status[3] = self.state if status[3] in {Moving.IDLE, Moving.LOADED} else status[3]
        return bytes(status)


class AlwaysIdle(AlwaysIn):
    state = Moving.IDLE


class UptimeOfTheProcess(Device):
    """Counts its uptime on at a start."""

    def power_on(self, now_s: float, reason: int) -> None:
        super().power_on(now_s, reason)
        self._started_at_s = 0.0


class ThreeBytesOfAnId(Device):
    """Answers with the lower three bytes of an id."""

    def take_out(self) -> bytes:
        out = super().take_out()
        at = out.find(bytes((0, 6, Type.REFUSED)))
        return out if at < 0 else out[: at + 3] + b"\0" + out[at + 4 :]


class LoadedWhileShuffling(Device):
    """Does not say that it shuffles."""

    def _make_status(self) -> bytes:
        operation = self.mechanism.operation
        if operation is not None and operation.moving is Moving.SHUFFLING:
            self.mechanism.operation = None
        status = super()._make_status()
        self.mechanism.operation = operation
        return status


class ThirtyOneAtMost(Device):
    """Dispenses 31 cards at most."""

    def _do(self, message: Message, now_s: float) -> None:
        if message.type is Type.DISPENSE and message.number("cards") == 32:
            self.mechanism.begin(Moving.DISPENSING, now_s, 31)
        else:
            super()._do(message, now_s)


COMMANDS: Final = [
    Defect("answers with half an id", ("commands.id-is-answered-whole",), Parts(device=ThreeBytesOfAnId)),
    Defect("does not say that it shuffles", ("machine.shuffling-is-state-2",), Parts(device=LoadedWhileShuffling)),
    Defect("dispenses 31 cards at most", ("lock.dispenses-32-at-once",), Parts(device=ThirtyOneAtMost)),
    Defect("is busy when empty", ("machine.ejects",), Parts(device=BusyWhenEmpty)),
    Defect("deals while it takes returns", ("machine.accepts-returns",), Parts(device=EjectsWhileReturning)),
    Defect("minds the cover before a fault", ("machine.clears-the-fault-that-is-named",), Parts(device=CoverFirst)),
    Defect("answers what is no command", ("messages.unknown-type-skipped",), Parts(device=AnswersReports)),
    Defect("sends meters once for an id", ("commands.same-id-same-answer",), Parts(device=MetersOnce)),
    Defect("dispenses while one may be drawn", ("lock.nothing-moves-while-unlocked",), Parts(device=OneIsNotBusy)),
    Defect("sends meters with each answer", ("commands.lamps",), Parts(device=MetersWithEachAnswer)),
    Defect("says Hello at each message", ("messages.hello-then-status",), Parts(device=HelloAgain)),
    Defect(
        "is silent to a Shuffle that it cannot read",
        ("commands.wrong-length-refused",),
        Parts(device=SilentToLongShuffles),
    ),
    Defect("clears fault 14 while stopped", ("events.no-place-left-stops",), Parts(device=ClearsWhileStopped)),
    Defect("says that it is open when stopped", ("events.no-place-left-stops",), Parts(device=OpenWhenStopped)),
    Defect("takes no returns when empty", ("machine.ejects",), Parts(device=ReturnsNeedCards)),
    Defect("is empty with one card", ("machine.ejects",), Parts(device=NeedsTwoCards)),
    Defect("is loaded without cards", ("machine.ejects",), Parts(device=AlwaysIn)),
    Defect("is idle with cards", ("machine.loading-is-reported",), Parts(device=AlwaysIdle)),
    Defect("is idle while it ejects", ("machine.ejects",), Parts(device=IdleWhileEjecting)),
    Defect("counts its uptime over starts", ("power.boot-count-grows-by-one",), Parts(device=UptimeOfTheProcess)),
    Defect("forgets refusals", ("commands.refusals-remembered",), Parts(device=ForgetsRefusals)),
    Defect("uses up ids it cannot read", ("commands.unreadable-commands-use-no-id",), Parts(device=UsesIdsUp)),
    Defect("clears any module", ("machine.clears-the-fault-that-is-named",), Parts(device=ClearsAnyModule)),
    Defect("clears any code", ("machine.clears-the-fault-that-is-named",), Parts(device=ClearsAnyCode)),
    Defect("clears under the cover", ("machine.clears-the-fault-that-is-named",), Parts(device=ClearsUnderTheCover)),
    Defect("takes 0 for an id", ("commands.id-zero-is-old",), Parts(device=TakesZero)),
    Defect("adds permits", ("lock.unlock-replaces",), Parts(device=AddsPermits)),
    Defect("moves while a hand may draw", ("lock.nothing-moves-while-unlocked",), Parts(device=MovesWhileUnlocked)),
    Defect(
        "forgets its answers",
        ("commands.same-id-same-answer", "commands.last-sixteen-remembered"),
        Parts(device=AnswersAnew),
    ),
    Defect(
        "does a command again",
        (
            "commands.other-command-same-id",
            "commands.old-id-refused",
            "lock.unlock-again-is-not-done-again",
            "lock.dispense-again-is-not-done-again",
        ),
        Parts(device=DoesAgain),
    ),
    Defect("the first command wins", ("commands.other-command-same-id",), Parts(device=FirstCommandWins)),
    Defect("remembers four answers", ("commands.last-sixteen-remembered",), Parts(device=ShortMemory)),
    Defect("forgets ids with power", ("power.command-ids-outlive-power",), Parts(device=ForgetsIds)),
    Defect("does what it cannot", ("commands.not-supported",), Parts(device=DoesAnything)),
    Defect("takes 0 for 1", ("commands.bad-values-refused",), Parts(device=Generous)),
    Defect("has half a lamp", ("commands.lamps",), Parts(device=NoLamps)),
    Defect("refuses to lock again", ("commands.lock-when-locked",), Parts(device=LockRefused)),
    Defect("clears a fault that never was", ("commands.clear-of-no-fault",), Parts(device=ClearsNothing)),
    Defect("Lock does nothing", ("lock.lock-takes-back",), Parts(device=LockDoesNothing)),
    Defect("unlocks for one more", ("lock.unlocks-for-so-many",), Parts(device=OneTooMany)),
    Defect(
        "stays open",
        ("lock.loss-of-the-session-locks", "lock.another-session-locks"),
        Parts(device=StaysOpen),
    ),
    Defect("starts open", ("lock.starts-locked",), Parts(device=StartsOpen)),
    Defect("starts open and says locked", ("lock.starts-locked",), Parts(device=SaysLocked)),
    Defect("a packet of two for three", ("lock.dispenses-so-many",), Parts(device=ShortPackets)),
    Defect(
        "moves with an open cover or a fault",
        ("machine.cover-is-reported", "machine.fault-and-its-end"),
        Parts(device=BlindToReasons),
    ),
]
