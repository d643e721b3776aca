"""The session of one TDP device: which of its events are new, and whether it is still the device that it was.

An event is passed on once and acknowledged when it is durable, by its key (boot, number); ``docs/protocols/tdp.md``,
section 12. After a gap nothing more is passed on until a person has decided; what came meanwhile is kept.
"""

from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from firmware_bridge.tdp.meaning import EXPECTED_STARTS, Meaning, event_of, raw_of
from protocols.tdp.codes import Capability
from protocols.tdp.events import CardDrawn, DeviceEvent, EventKey, PacketDispensed, PowerRestored, StackLoaded
from protocols.tdp.exactly_once import OUTBOX_MAX, EventGate, Verdict
from protocols.tdp.messages import Heartbeat, Hello, Message, Status
from regulations.events import inputs
from regulations.events.inputs import AnyInput, DeviceReport

GAP: Final = "event_gap"
IDENTITY: Final = "identity_changed"
BOOT_BACK: Final = "boot_count_back"
NUMBERS_BACK: Final = "event_numbers_back"
EVENT_DIFFERS: Final = "event_differs"
BETWEEN_SHOES: Final = (inputs.Shuffled, inputs.Cut, inputs.CutCardPlaced, inputs.ShoeEnded, inputs.StackCounted)
"""Inputs that are taken only while no stack is dealt from."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the device says it is; a change of any of it is a matter for a person."""

    maker: str
    model: str
    serial: str
    firmware: str
    digest: str
    security_counter: int

    @classmethod
    def of(cls, hello: Hello) -> "Identity":
        """The identity in a ``Hello``."""
        return cls(
            hello.maker,
            hello.model,
            hello.serial,
            hello.firmware_version,
            hello.image_digest.hex(),
            hello.security_counter,
        )

    def is_another_unit(self, other: "Identity") -> bool:
        """Whether these are two different devices, and not one that was updated."""
        return (self.maker, self.model, self.serial) != (other.maker, other.model, other.serial)


class TdpSession:
    """Turns what one device says into events of the table log.

    Args:
        device: the device's name in the log.
    """

    def __init__(self, device: str) -> None:
        self._device: Final = device
        self._meaning: Final = Meaning(device)
        self._gate: Final = EventGate(None)
        """What was passed on; durable or on its way to be."""
        self._durable: EventKey | None = None
        self._here: EventKey | None = None
        """The last event heard in this session, new or not."""
        self._acknowledgeable: EventKey | None = None
        self._identity: Identity | None = None
        self._is_lost = False
        self._held: list[DeviceEvent] | None = None
        """After a gap: the events that wait for a person's decision."""
        self._passes_gap = False
        """Whether a person has decided about the gap that comes next."""
        self._cards_out = False
        self._begins_anew = False
        """Whether what is held has nothing to do with the events before: the device has lost its numbers."""
        self._known: dict[EventKey, str] = {}
        """The newest events, as many as a device may repeat, as they travelled."""
        self.status: Status | None = None
        """The newest of this session."""
        self.is_caught_up = False
        """Whether all that happened before this session was heard in it: before, nothing more may be let out."""
        self.repeats = 0
        """Events heard again."""
        self.gaps = 0
        """Times that events were missing."""

    @property
    def capabilities(self) -> Capability:
        """What the device says it can do; nothing before it was heard."""
        return self._meaning.capabilities

    def module_of(self, code: int) -> int:
        """Where a fault is that holds, 0 if nobody knows: the device clears no other."""
        status = self.status
        if status is not None and status.fault_code == code:
            return status.fault_module
        return self._meaning.module_of(code)

    @property
    def is_empty(self) -> bool:
        """Whether the device counts, and counts no card in itself."""
        counts = bool(self.capabilities & Capability.COUNTS_CARDS)
        return counts and self.status is not None and self.status.stack_cards == 0

    @property
    def acknowledgement(self) -> EventKey | None:
        """The last event that came in this session and is durable with these bytes; ``None`` if there is none.

        Nothing else is acknowledged: a device that lost its memory would forget new events that have old numbers.
        """
        return None if self._begins_anew else self._acknowledgeable

    # --- memory ------------------------------------------------------------------------------------------------------

    def remember(self, event: AnyInput) -> None:
        """Takes up an event of the journal after a restart, in its order."""
        if isinstance(event, inputs.Loaded):
            self._cards_out = False
        elif isinstance(event, BETWEEN_SHOES) or (isinstance(event, inputs.Resolve) and event.action == "end_shoe"):
            self.shoe_over()
        if not isinstance(event, DeviceReport) or event.device != self._device:
            return
        match event:
            case inputs.DeviceIdentified():
                self._become(
                    Identity(
                        event.maker, event.model, event.serial, event.firmware, event.digest, event.security_counter
                    )
                )
            case inputs.DeviceLost() | inputs.DeviceBack():
                self._is_lost = isinstance(event, inputs.DeviceLost)
            case inputs.CardDrawn():
                self._cards_out = True
            case _:
                pass
        self._meaning.remember(event)
        if event.boot is not UNSET and event.number is not UNSET:
            self._restore(EventKey(event.boot, event.number), "" if event.raw is UNSET else event.raw)

    def _restore(self, key: EventKey, raw: str) -> None:
        self._durable = self._gate.last = self._gate.last_other = key
        event = event_of(raw)
        if event is not None:
            self._gate.made_durable(event)
            self._know(key, raw)

    def made_durable(self, event: AnyInput) -> None:
        """An event that was passed on is in the journal for good."""
        if isinstance(event, DeviceReport) and event.boot is not UNSET and event.number is not UNSET:
            self._durable = EventKey(event.boot, event.number)
            if self._here is not None and self._durable <= self._here:
                self._acknowledgeable = self._durable

    # --- hearing -----------------------------------------------------------------------------------------------------

    def hear(self, message: Message, now_s: float) -> list[AnyInput]:  # noqa: ARG002  # order is by number, not by time
        """What a message means for the table; nothing for a repeated event."""
        match message:
            case Hello():
                return self._hello(message)
            case Status():
                self.status = message
            case Heartbeat():
                return self._heartbeat(message)
            case DeviceEvent():
                return self._event(message)
            case _:
                pass
        return []

    def settled(self) -> list[list[AnyInput]]:
        """A person has decided about a gap: what came after it is passed on, each event's inputs by themselves."""
        held, self._held = self._held, None
        if held is None:
            return []
        # What is missing stays missing; the count of the next card tells the regulation how many cards it was.
        self._passes_gap = True
        if self._begins_anew:
            self._forget_history()
        reports: list[list[AnyInput]] = [self._event(event) for event in held]
        return [report for report in reports if report]

    def shoe_over(self) -> None:
        """The shoe game is over: a start of the device can lose nothing of it any more."""
        self._cards_out = False
        self._meaning.is_dealing = False

    def lost(self) -> list[AnyInput]:
        """The link is gone. What is held comes again in the next session."""
        self._is_lost = True
        self.status = None
        self.is_caught_up = False
        self._here = self._acknowledgeable = None
        if self._held is not None:
            self._held = []
        return [inputs.DeviceLost(device=self._device)]

    def back(self) -> list[AnyInput]:
        """A session is ready; no event if the device was not lost. Its events come again by themselves."""
        was_lost, self._is_lost = self._is_lost, False
        self.is_caught_up = False
        return [inputs.DeviceBack(device=self._device)] if was_lost else []

    def stack_left(self) -> list[AnyInput]:
        """How many cards the device counts in itself, at the end of a shoe game.

        Nothing if it does not count, or if the cards came from another device.
        """
        if self.status is None or not self._cards_out or not self.capabilities & Capability.COUNTS_CARDS:
            return []
        return [inputs.StackCounted(cards=self.status.stack_cards, device=self._device)]

    # --- who it is ---------------------------------------------------------------------------------------------------

    def _hello(self, hello: Hello) -> list[AnyInput]:
        self._meaning.capabilities = hello.capabilities
        events: list[AnyInput] = []
        before, now = self._identity, Identity.of(hello)
        last = self._gate.last
        if before is not None and before != now:
            events += self._passing_fault(IDENTITY)
        elif last is not None and hello.boot_count < last.boot:
            events += self._doubt(BOOT_BACK)
        if before != now:
            self._become(now)
            events.append(
                inputs.DeviceIdentified(
                    device=self._device,
                    maker=now.maker,
                    model=now.model,
                    serial=now.serial,
                    firmware=now.firmware,
                    digest=now.digest,
                    security_counter=now.security_counter,
                )
            )
        return events

    def _become(self, identity: Identity) -> None:
        if self._identity is not None and identity.is_another_unit(self._identity):
            # Its numbers have nothing to do with the other one's.
            self._forget_history()
        self._identity = identity

    def _heartbeat(self, beat: Heartbeat) -> list[AnyInput]:
        """A device that began to number anew within a boot would have its cards taken for repeated ones."""
        last = self._gate.last
        heard = last if last is not None and last.boot == beat.boot else EventKey(beat.boot, 0)
        self.is_caught_up = self.is_caught_up or heard.number >= beat.last_number
        is_back = last is not None and beat.boot == last.boot and beat.last_number < last.number
        return self._doubt(NUMBERS_BACK) if is_back else []

    def _doubt(self, code: str, held: DeviceEvent | None = None) -> list[AnyInput]:
        """The device numbers its events anew: what it says is kept until a person has looked; told once."""
        if self._begins_anew:
            return []
        self._begins_anew = True
        self._held = [] if held is None else [held]
        return self._passing_fault(code, None if held is None else raw_of(held))

    def _forget_history(self) -> None:
        self._begins_anew = False
        self._here = self._acknowledgeable = None
        self._gate.last = self._gate.last_other = self._durable = None
        self._known.clear()

    def _know(self, key: EventKey, raw: str) -> None:
        self._known[key] = raw
        while len(self._known) > OUTBOX_MAX:
            del self._known[next(iter(self._known))]

    # --- events ------------------------------------------------------------------------------------------------------

    def _event(self, event: DeviceEvent) -> list[AnyInput]:
        if self._held is not None:
            if len(self._held) < OUTBOX_MAX:
                self._held.append(event)
            return []
        verdict = self._gate.judge(event)
        raw = raw_of(event)
        if verdict is Verdict.REPEATED:
            if self._known.get(event.key) != raw:
                return self._doubt(EVENT_DIFFERS, event)
            self.repeats += 1
            self._here = event.key
            if self._durable is not None and event.key <= self._durable:
                self._acknowledgeable = event.key
            return []
        if verdict is Verdict.GAP and not self._passes_gap:
            self.gaps += 1
            self._held = [event]
            return self._passing_fault(GAP, raw)
        self._passes_gap = False
        is_first = self._gate.last is None
        self._here = event.key
        self._gate.made_durable(event)  # on its way to be: what this process passed on is not new again
        self._know(event.key, raw)
        if isinstance(event, PowerRestored):
            # The first that this log hears of a device is where its history begins, whatever it is.
            is_expected = not self._cards_out and (is_first or event.reason in EXPECTED_STARTS)
            return self._meaning.restarted(event, is_expected=is_expected)
        if isinstance(event, StackLoaded):
            self._cards_out = False
        elif isinstance(event, CardDrawn | PacketDispensed):
            self._cards_out = True
        return self._meaning.of(event)

    def _passing_fault(self, code: str, raw: str | None = None) -> list[AnyInput]:
        """Over as soon as it is told, and yet a person must look."""
        told = UNSET if raw is None else raw
        return [
            inputs.Fault(device=self._device, code=code, raw=told),
            inputs.FaultCleared(device=self._device, code=code, raw=told),
        ]
