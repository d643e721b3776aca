"""Devices that keep their events wrongly (sections 9 and 12)."""

from typing import Final

from tests.conformance.defects import Defect, Parts
from tests.second_device.device import BAD_VALUE, Device
from tests.second_device.mechanism import CAROUSEL, MEMORY_ERROR, MODULE, Mechanism
from tests.second_device.messages import (
    Message,
    Type,
    Value,
    decode,
    encode,
)
from tests.second_device.outbox import CAPACITY, NEVER, RESERVE, Outbox

_ALL_BYTES: Final = "events.acknowledgement-is-read-whole"


class Forgetful(Outbox):
    """Forgets an event once it is sent."""

    def record(self, kind: Type, **values: Value) -> bytes:
        message = super().record(kind, **values)
        self.memory.events.clear()
        return message


class OnePlaceLess(Outbox):
    """Keeps 511 events."""

    @property
    def free(self) -> int:
        return max(0, super().free - 1)


class NeverForgets(Outbox):
    """Does not mind acknowledgements."""

    def acknowledged(self, _boot: int, _number: int) -> None:
        """Nothing."""


class ForgetsAll(Outbox):
    """Any acknowledgement is one of all."""

    def acknowledged(self, boot: int, number: int) -> None:
        before = len(self.memory.events)
        super().acknowledged(boot, number)
        if len(self.memory.events) < before:
            self.memory.events.clear()


class BelievesTheFuture(Outbox):
    """Takes an acknowledgement of what never was for one of all."""

    def acknowledged(self, boot: int, number: int) -> None:
        self.memory.events = [event for event in self.memory.events if event[:2] > (boot, number)]


class SkipsNumbers(Outbox):
    """Counts cards twice in its numbers."""

    def record(self, kind: Type, **values: Value) -> bytes:
        self.memory.last += kind in {Type.CARD_DRAWN, Type.PACKET_DISPENSED}
        return super().record(kind, **values)


class NewNumbersAgain(Outbox):
    """Gives what it sends again another count: it makes the message anew."""

    @property
    def pending(self) -> list[bytes]:
        again: list[bytes] = []
        for raw in super().pending:
            message = decode(raw[2:])
            fields = dict(message.fields)
            if "count" in fields:
                fields["count"] = self.memory.count + 1
            again.append(encode(message.type, **fields))
        return again


class TellsTheNewestPermit(Outbox):
    """Keeps no permit with an event: what is sent again bears that of the newest card."""

    @property
    def pending(self) -> list[bytes]:
        messages = [decode(raw[2:]) for raw in super().pending]
        permits = [message.fields["permit"] for message in messages if "permit" in message.fields]
        return [
            encode(message.type, **{**message.fields, "permit": permits[-1]}) if "permit" in message.fields else raw
            for message, raw in zip(messages, super().pending, strict=True)
        ]


class StartsSilently(Outbox):
    """No PowerRestored."""

    @property
    def owes_start(self) -> bool:
        return False

    def start_over(self, reason: int) -> None:
        """Nothing is told."""


class OwesNoStart(Outbox):
    """Does not tell a start that found no place."""

    @property
    def owes_start(self) -> bool:
        return False


class ForgetsWhatWas(Outbox):
    """PowerRestored does not name the last event of the boot before."""

    def start_over(self, reason: int) -> None:
        self.memory.other = (0, 0)
        super().start_over(reason)


class NamesTheLastStart(Outbox):
    """PowerRestored names the PowerRestored before it."""

    def record(self, kind: Type, **values: Value) -> bytes:
        message = super().record(kind, **values)
        self.memory.other = (self.memory.boot, self.memory.last)
        return message


class HasAlwaysRoom(Outbox):
    """Is never full."""

    @property
    def is_full(self) -> bool:
        return False


class HalfAReserve(Outbox):
    """Says that it is full with 16 places free, and has eight of them."""

    @property
    def free(self) -> int:
        free = super().free
        return max(0, free - 8) if free <= RESERVE else free


class FullTooLate(Outbox):
    """Is full with twelve places free."""

    @property
    def is_full(self) -> bool:
        return self.free <= 12


class MindsNoBoot(Outbox):
    """Takes an acknowledgement of any boot for one of this."""

    def acknowledged(self, boot: int, number: int) -> None:
        super().acknowledged(self.memory.boot if boot else boot, number)


class LosesEvents(Outbox):
    """Says that it keeps events, and loses them with power."""

    def boot(self, reason: int) -> None:
        self.memory.events.clear()
        super().boot(reason)


class SameBoot(Outbox):
    """Counts no boots."""

    def boot(self, reason: int) -> None:
        self.memory.boot = max(self.memory.boot - 1, 0)
        super().boot(reason)


class DoesTheLastAgain(Outbox):
    """Takes the last command of before a start for a new one."""

    def boot(self, reason: int) -> None:
        self.memory.highest_id -= 1
        super().boot(reason)


class MindsNoNumber(Outbox):
    """Takes an acknowledgement of number 0 for one of all earlier boots."""

    def acknowledged(self, boot: int, number: int) -> None:
        super().acknowledged(boot, number)
        if not number:
            self.memory.events = [event for event in self.memory.events if event[0] >= boot]


class TakesZeroAfterAStart(Device):
    """Takes a place without an answer for that of id 0."""

    def _command(self, message: Message, body: bytes, now_s: float) -> bytes:
        if message.number("id") or self._answers:
            return super()._command(message, body, now_s)
        return encode(Type.DONE, id=0)


class KeepsTheNewest(Outbox):
    """Writes new events over the oldest."""

    @property
    def free(self) -> int:
        return CAPACITY

    def record(self, kind: Type, **values: Value) -> bytes:
        message = super().record(kind, **values)
        del self.memory.events[:-CAPACITY]
        return message


class ForgetsThatItStopped(Mechanism):
    """Has no fault 14 any more when it has reported it."""

    def room_came(self) -> None:
        super().room_came()
        if self.fault == MEMORY_ERROR and not self._has_no_place:
            self.fault = None


class NamesAnotherFault(Mechanism):
    """Has a fault that it never reported, when one of two is cleared."""

    def clear_fault(self) -> None:
        fault = self.fault
        super().clear_fault()
        if fault == MEMORY_ERROR:
            self.fault = (CAROUSEL, MODULE)


class LoadsItself(Mechanism):
    """Reports its stack as a new one when there is room again."""

    def room_came(self) -> None:
        had_no_place = self._has_no_place
        super().room_came()
        if had_no_place and not self._has_no_place:
            self._loaded(self.remaining)


class ClearsItsMemory(Device):
    """Clears fault 14 though it has none."""

    def _obstacle(self, message: Message) -> int | None:
        reason = super()._obstacle(message)
        fault = (message.fields.get("code"), message.fields.get("module"))
        return None if message.type is Type.CLEAR_FAULT and fault == MEMORY_ERROR and reason == BAD_VALUE else reason

    def _do(self, message: Message, now_s: float) -> None:
        if message.type is not Type.CLEAR_FAULT or self.mechanism.fault is not None:
            super()._do(message, now_s)


class ReadsThreeBytes(Outbox):
    """Reads the lower three bytes of what is acknowledged."""

    def acknowledged(self, boot: int, number: int) -> None:
        super().acknowledged(boot & 0xFFFFFF, number & 0xFFFFFF)


class MakesUpAHistory(Outbox):
    """Its first PowerRestored names an event that never was."""

    def start_over(self, reason: int) -> None:
        if self.memory.other == NEVER:
            self.memory.other = (0, 1)
        super().start_over(reason)


MEMORIES: Final = [
    Defect(
        "does the last command again after a start",
        ("power.command-ids-outlive-power",),
        Parts(outbox=DoesTheLastAgain),
    ),
    Defect("reads three bytes of an acknowledgement", (_ALL_BYTES,), Parts(outbox=ReadsThreeBytes)),
    Defect(
        "takes number 0 for all earlier boots",
        ("power.acknowledgement-between-boots-ignored",),
        Parts(outbox=MindsNoNumber, keeps_in_process=True),
    ),
    Defect("makes up a history", ("run.starts-name-earlier-events",), Parts(outbox=MakesUpAHistory)),
    Defect("names the last start", ("power.two-starts-name-the-same",), Parts(outbox=NamesTheLastStart)),
    Defect("takes 0 after a start", ("power.command-ids-outlive-power",), Parts(device=TakesZeroAfterAStart)),
    Defect("keeps the newest events", ("events.no-place-left-stops",), Parts(outbox=KeepsTheNewest)),
    Defect("forgets that it stopped", ("events.no-place-left-stops",), Parts(mechanism=ForgetsThatItStopped)),
    Defect("names another fault", ("events.two-faults-end-one-by-one",), Parts(mechanism=NamesAnotherFault)),
    Defect("loads itself", ("events.no-place-left-stops",), Parts(mechanism=LoadsItself)),
    Defect("clears a fault 14 that it has not", ("commands.clear-of-no-fault",), Parts(device=ClearsItsMemory)),
    Defect("has 511 places", ("events.no-place-left-stops",), Parts(outbox=OnePlaceLess)),
    Defect("is never full", ("events.full-outbox-keeps-cards-in",), Parts(outbox=HasAlwaysRoom)),
    Defect("has eight places left when full", ("events.full-outbox-keeps-cards-in",), Parts(outbox=HalfAReserve)),
    Defect("is full too late", ("events.full-outbox-keeps-cards-in",), Parts(outbox=FullTooLate)),
    Defect("minds no boot", ("power.acknowledgement-of-an-earlier-boot",), Parts(outbox=MindsNoBoot)),
    Defect("forgets what it sent", ("events.kept-until-acknowledged",), Parts(outbox=Forgetful)),
    Defect(
        "forgets nothing",
        ("events.acknowledged-never-again", "events.acknowledged-up-to"),
        Parts(outbox=NeverForgets),
    ),
    Defect("forgets all", ("events.acknowledged-up-to",), Parts(outbox=ForgetsAll)),
    Defect("believes the future", ("events.acknowledgement-of-the-future-ignored",), Parts(outbox=BelievesTheFuture)),
    Defect("skips numbers", ("events.numbered-without-a-gap", "run.events-add-up"), Parts(outbox=SkipsNumbers)),
    Defect("keeps no permit with an event", ("events.permit-is-echoed",), Parts(outbox=TellsTheNewestPermit)),
    Defect("sends other events again", ("events.kept-until-acknowledged",), Parts(outbox=NewNumbersAgain)),
    Defect("no PowerRestored", ("power.power-restored-is-event-1",), Parts(outbox=StartsSilently)),
    Defect("PowerRestored that names nothing", ("power.power-restored-is-event-1",), Parts(outbox=ForgetsWhatWas)),
    Defect(
        "owes no start", ("events.start-without-a-place-is-reported",), Parts(outbox=OwesNoStart, keeps_in_process=True)
    ),
    Defect("loses events with power", ("power.events-outlive-power",), Parts(outbox=LosesEvents, keeps=True)),
    Defect("counts no boots", ("power.boot-count-grows-by-one",), Parts(outbox=SameBoot)),
]
