"""The session of one TDP device: its new events, and its identity.

After a gap in the numbers, events are kept until a person decides.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from firmware_bridge.session_state import SessionState, StatefulSession
from firmware_bridge.tdp.history import EventStatus, History
from firmware_bridge.tdp.identity import HelloIdentity
from firmware_bridge.tdp.translation import EXPECTED_STARTS, Translation, TranslationState, raw_of
from protocols.tdp.codes import Capability
from protocols.tdp.events import CardDrawn, DeviceEvent, EventKey, PacketDispensed, PowerRestored, StackLoaded
from protocols.tdp.exactly_once import OUTBOX_MAX, EventDeduplicator
from protocols.tdp.messages import Heartbeat, Hello, Message, Status
from regulations.events import inputs, notices
from regulations.events.inputs import AnyInput
from regulations.events.line import DeviceReport
from regulations.events.origins import origin_of

GAP: Final = "event_gap"
FLOOD: Final = "event_flood"
IDENTITY: Final = "identity_changed"
BOOT_BACK: Final = "boot_count_back"
NUMBERS_BACK: Final = "event_numbers_back"
EVENT_DIFFERS: Final = "event_differs"
LATE_CARD: Final = "late_card"
SILENT_START: Final = "restarted_silently"
IN_FLIGHT_MAX: Final = 2 * OUTBOX_MAX


Unit = tuple[str, str, str]


class TdpState(SessionState, kw_only=True, forbid_unknown_fields=True):
    """Bytes of events are left out: they may name face-down cards."""

    identity: HelloIdentity | None = None
    is_identified: bool = False
    is_lost: bool = False
    cards_out: bool = False
    meaning: TranslationState = msgspec.field(default_factory=TranslationState)
    history: EventDeduplicator = msgspec.field(default_factory=lambda: EventDeduplicator(None))
    others: list[tuple[Unit, EventDeduplicator]] = msgspec.field(default_factory=list)


UNITS_MAX: Final = 16
"""A hostile device may claim any number."""


class TdpSession(StatefulSession[Message, TdpState]):
    form = TdpState

    def _begin(self, state: TdpState) -> None:
        self.state = state
        self._translation = Translation(self._device, state.meaning)
        self._history = History(state.history)
        self._units = {unit: History(other) for unit, other in state.others}
        self._stood: Unit | None = None
        if state.identity is not None:
            self._stood = state.identity.unit
            self._units[state.identity.unit] = self._history
        is_forgotten = len(self._units) >= UNITS_MAX and self._history.last is None
        self._stands_since = 0
        self._was_settled_while_lost = False
        self._held: list[DeviceEvent] | None = [] if is_forgotten else None
        self._begins_anew = is_forgotten
        self._passes_gap = False
        self._behind: tuple[EventKey, EventKey | None] | None = None
        self._given_up: EventKey | None = None
        self._silent_boot = 0
        self.status: Status | None = None
        self.is_caught_up = False
        self.repeats = 0
        self.gaps = 0

    @property
    def capabilities(self) -> Capability:
        """The device's own list of what it can do."""
        return self._translation.capabilities

    def module_of(self, code: int) -> int:
        status = self.status
        if status is not None and status.fault_code == code:
            return status.fault_module
        return self._translation.module_of(code)

    @property
    def is_empty(self) -> bool:
        if self.status is None or self.status.stack_cards:
            return False
        return bool(self.capabilities & Capability.COUNTS_CARDS)

    @property
    def acknowledgement(self) -> EventKey | None:
        """Only what is durable with the same bytes: a device with lost memory would drop others."""
        return None if self._begins_anew else self._history.acknowledgeable

    # --- memory ------------------------------------------------------------------------------------------------------

    def replay(self, event: AnyInput) -> None:
        self.replay_refused(event)

    def replay_refused(self, event: AnyInput) -> None:
        if not isinstance(event, DeviceReport) or event.device != self._device or origin_of(event) != "device":
            return
        match event:
            case notices.DeviceIdentified():
                identity = HelloIdentity.logged(event)
                self._stands(identity.unit, _entry_of(event))
                self._become(identity)
                self.state.is_identified = True
            case inputs.DeviceLost() | inputs.DeviceBack():
                self.state.is_lost = isinstance(event, inputs.DeviceLost)
            case inputs.Loaded():
                self.state.cards_out = False
            case inputs.CardDrawn():
                self.state.cards_out = True
            case _:
                pass
        self._translation.replay(event)
        key = _key_of(event)
        if key is not None:
            self._history.replay(key, "" if event.raw is UNSET else event.raw, _entry_of(event))

    def _stands(self, unit: Unit, entry: int) -> None:
        if self._stood not in {None, unit}:
            self._stands_since = entry
        self._stood = unit

    def heard_from(self) -> int | None:
        """First entry that this unit may repeat; a repetition of an earlier unit needs a person."""
        first = self._history.oldest_entry()
        return None if first is None else max(first, self._stands_since)

    def recall(self, event: AnyInput) -> None:
        if not isinstance(event, DeviceReport) or event.device != self._device or event.raw is UNSET:
            return
        if (key := _key_of(event)) is not None:
            self._history.restore_bytes(key, event.raw, _entry_of(event))

    def made_durable(self, events: Sequence[AnyInput], entries: Sequence[int] = ()) -> None:
        for event, entry in itertools.zip_longest(events, entries):
            if isinstance(event, notices.DeviceIdentified):
                self._stands(HelloIdentity.logged(event).unit, entry or 0)
            elif isinstance(event, DeviceReport) and event.raw is not UNSET and (key := _key_of(event)) is not None:
                # Of several inputs that one message is, all have its key but those that a bridge puts before them.
                self._history.made_durable(key, event.raw, entry)
                return

    # --- hearing -----------------------------------------------------------------------------------------------------

    def translate(self, message: Message, now_s: float) -> list[AnyInput]:  # noqa: ARG002  # order is by number, not by time
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

    def settled(self) -> Iterator[list[AnyInput]]:
        """A person has acted: yield the held events' inputs, event by event."""
        self._was_settled_while_lost = self._was_settled_while_lost or self.state.is_lost
        held, self._held = self._held, None
        if held is None:
            return
        # The table has not taken these yet: nothing more is let out before the next heartbeat.
        self.is_caught_up = False
        # What is missing stays missing; the count of the next card tells the regulation how many cards it was.
        self._passes_gap = True
        if self._begins_anew:
            self._start_over()
        elif self._given_up is not None:
            self._history.give_up(self._given_up)
        self._given_up = None
        for event in held:
            if report := self._event(event):
                yield report

    def shoe_over(self) -> None:
        self.state.cards_out = False
        self.state.meaning.is_dealing = False

    def log_begun(self) -> None:
        self.state.is_identified = False
        self._stands_since = 0
        for history in self._units.values():
            history.log_begun()
        self._history.log_begun()

    def introduction(self) -> list[AnyInput]:
        """Its identity, once the device has named it."""
        if self.state.identity is None:
            return []
        self.state.is_identified = True
        return [self.state.identity.event(self._device)]

    @property
    def is_at_rest(self) -> bool:
        is_known = self.is_caught_up and self._held is None and not self.state.is_lost
        return super().is_at_rest and is_known and not self._history.in_flight

    def lost(self) -> list[AnyInput]:
        self.state.is_lost = True
        self.status = self._behind = None
        self.is_caught_up = False
        self._history.session_over()
        if self._held is not None:
            self._held = []
        return [inputs.DeviceLost(device=self._device)]

    def back(self) -> list[AnyInput]:
        was_lost, self.state.is_lost = self.state.is_lost, False
        self.is_caught_up = False
        return [inputs.DeviceBack(device=self._device)] if was_lost else []

    def stack_left(self) -> list[AnyInput]:
        """Empty if the device does not count, or the cards came from another."""
        if self.status is None or not self.state.cards_out or not self.capabilities & Capability.COUNTS_CARDS:
            return []
        return [inputs.StackCounted(cards=self.status.stack_cards, device=self._device)]

    # --- who it is ---------------------------------------------------------------------------------------------------

    def _hello(self, hello: Hello) -> list[AnyInput]:
        self._translation.capabilities = hello.capabilities
        events: list[AnyInput] = []
        before, now = self.state.identity, HelloIdentity.of(hello)
        if before is not None and before != now:
            events += self._passing_fault(IDENTITY)
            if before.unit != now.unit:
                events += self._translation.another_unit()
        self._become(now)
        if before != now or not self.state.is_identified:
            events.append(now.event(self._device))
            self.state.is_identified = True
        last = self._history.last
        if last is not None and hello.boot_count < last.boot:
            events += self._doubt(BOOT_BACK)
        return events

    def _become(self, identity: HelloIdentity) -> None:
        if self.state.identity is not None and self.state.identity.unit != identity.unit:
            # Its numbers have nothing to do with the other one's, and what was held was the other one's.
            known = self._units.pop(identity.unit, None)
            self._history = known or History()
            self.state.history = self._history.state
            # Where units are forgotten, one that is not known may repeat what it said before: a person must look.
            is_forgotten = known is None and len(self._units) >= UNITS_MAX - 1
            self._held, self._begins_anew, self._passes_gap = [] if is_forgotten else None, is_forgotten, False
        self._units[identity.unit] = self._history
        while len(self._units) > UNITS_MAX:
            del self._units[next(iter(self._units))]
        self.state.identity = identity
        self.state.others = [(unit, other.state) for unit, other in self._units.items() if unit != identity.unit]

    def _start_over(self) -> None:
        self._begins_anew = False
        self._history = History()
        self.state.history = self._history.state
        if self.state.identity is not None:
            self._units[self.state.identity.unit] = self._history

    def _heartbeat(self, beat: Heartbeat) -> list[AnyInput]:
        last, newest = self._history.last, EventKey(beat.boot, beat.last_number)
        if self._held is not None:
            return []
        heard = last if last is not None and last.boot == beat.boot else EventKey(beat.boot, 0)
        if newest < heard:
            # It began to number anew within a boot: its cards would be taken for repeated ones.
            return self._doubt(NUMBERS_BACK)
        if newest == heard:
            self._behind = None
            self.is_caught_up = True
            self._was_settled_while_lost = False
            return self._unheard_start(beat.boot)
        before, self._behind = self._behind, (newest, last)
        if before != self._behind:
            return []
        # A second since the same was said, and nothing came: what is missing does not come, or cannot be read.
        self._behind, self._given_up = None, newest
        return self._gap([], None)

    def _unheard_start(self, boot: int) -> list[AnyInput]:
        last = self._history.last
        if last is None or boot <= last.boot or boot == self._silent_boot:
            return []
        self._silent_boot = boot
        return self._passing_fault(SILENT_START)

    def _doubt(self, code: str, held: DeviceEvent | None = None) -> list[AnyInput]:
        if self._begins_anew:
            return []
        self._begins_anew = True
        self._held = [] if held is None else [held]
        return self._passing_fault(code, None if held is None else raw_of(held))

    # --- events ------------------------------------------------------------------------------------------------------

    def _event(self, event: DeviceEvent) -> list[AnyInput]:
        if self._held is not None:
            if len(self._held) < OUTBOX_MAX:
                self._held.append(event)
            return []
        raw = raw_of(event)
        found = self._history.judge(event, raw)
        if found is EventStatus.DIFFERS:
            return self._doubt(EVENT_DIFFERS, event)
        if found is EventStatus.REPEATED:
            self.repeats += 1
            self._history.repeated(event.key)
            return []
        if found is EventStatus.GAP and not self._passes_gap:
            return self._gap([event], raw)
        if self._history.in_flight >= IN_FLIGHT_MAX:
            self._held = [event]
            return self._passing_fault(FLOOD, raw)
        return self._pass_on(event, raw)

    def _pass_on(self, event: DeviceEvent, raw: str) -> list[AnyInput]:
        self._passes_gap = False
        is_first = self._history.last is None
        self._history.passed_on(event, raw)
        if isinstance(event, PowerRestored):
            # The first that this log hears of a device is where its history begins, whatever it is.
            is_expected = not self.state.cards_out and (is_first or event.reason in EXPECTED_STARTS)
            return self._translation.restarted(event, is_expected=is_expected)
        late: list[AnyInput] = []
        if isinstance(event, StackLoaded):
            self.state.cards_out = False
        elif isinstance(event, CardDrawn | PacketDispensed):
            self.state.cards_out = True
            if self._was_settled_while_lost:
                # It left before the link was lost, and a person has settled since what was to become of the round.
                late = self._passing_fault(LATE_CARD)
                self._was_settled_while_lost = False
        return late + self._translation.of(event)

    def _gap(self, held: list[DeviceEvent], raw: str | None) -> list[AnyInput]:
        self.gaps += 1
        self._held = held
        return self._passing_fault(GAP, raw)

    def _passing_fault(self, code: str, raw: str | None = None) -> list[AnyInput]:
        # Over as soon as it is told, and yet a person must look.
        told = UNSET if raw is None else raw
        return [
            inputs.Fault(device=self._device, code=code, raw=told),
            inputs.FaultCleared(device=self._device, code=code, raw=told),
        ]


def _entry_of(event: AnyInput) -> int:
    return 0 if event.seq is UNSET else event.seq


def _key_of(event: DeviceReport) -> EventKey | None:
    if event.boot is UNSET or event.number is UNSET:
        return None
    return EventKey(event.boot, event.number)
