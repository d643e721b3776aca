"""The events of one unit: new, durable, acknowledgeable (``docs/protocols/tdp.md``, section 12)."""

from enum import Enum
from typing import Final

from firmware_bridge.tdp.translation import event_of
from protocols.tdp.events import DeviceEvent, EventKey
from protocols.tdp.exactly_once import OUTBOX_MAX, EventDeduplicator, EventOrder


class EventStatus(Enum):
    NEW = "new"
    REPEATED = "repeated"
    GAP = "gap"
    DIFFERS = "differs"


class History:
    """One unit's events.

    Attributes:
        acknowledgeable: the last of this session that is durable with these bytes.
    """

    def __init__(self, state: EventDeduplicator | None = None) -> None:
        self.state: Final = state or EventDeduplicator(None)
        self._durable: EventKey | None = self.state.last
        self._here: EventKey | None = None
        self._known: Final[dict[EventKey, str]] = {}
        self._entries: Final[dict[EventKey, int]] = {}
        self.acknowledgeable: EventKey | None = None
        self.in_flight = 0

    @property
    def last(self) -> EventKey | None:
        """The last event that was passed on, or that a person gave up."""
        return self.state.last

    def replay(self, key: EventKey, raw: str, entry: int = 0) -> None:
        self._durable = self.state.last = self.state.last_other = key
        event = event_of(raw)
        if event is not None:
            self.state.made_durable(event)
        if raw:
            self.restore_bytes(key, raw, entry)

    def restore_bytes(self, key: EventKey, raw: str, entry: int) -> None:
        self._entries.setdefault(key, entry)
        self._remember(key, raw)

    def log_begun(self) -> None:
        """Only the presence of events of the log before counts."""
        self._entries.update(dict.fromkeys(self._entries, 0))

    def oldest_entry(self) -> int | None:
        return min(self._entries.values(), default=None)

    def judge(self, event: DeviceEvent, raw: str) -> EventStatus:
        """Say what an event is; nothing changes."""
        verdict = self.state.judge(event)
        if verdict is EventOrder.NEW:
            return EventStatus.NEW
        if verdict is EventOrder.GAP:
            return EventStatus.GAP
        return EventStatus.REPEATED if self._known.get(event.key) == raw else EventStatus.DIFFERS

    def passed_on(self, event: DeviceEvent, raw: str) -> None:
        self._here = key = event.key
        self.state.made_durable(event)
        self._remember(key, raw)
        self.in_flight += 1

    def repeated(self, key: EventKey) -> None:
        """An event came again with the same bytes."""
        self._here = key
        if self._durable is not None and key <= self._durable:
            self.acknowledgeable = key

    def made_durable(self, key: EventKey, raw: str, entry: int | None = None) -> None:
        """Events of another unit, or from before its memory was lost, are ignored."""
        if self._known.get(key) != raw:
            return
        if entry is not None:
            self._entries.setdefault(key, entry)
        self._durable = key
        self.in_flight -= 1
        if self._here is not None and not self._here < key:
            self.acknowledgeable = key

    def give_up(self, key: EventKey) -> None:
        self.state.last = self.state.last_other = key

    def session_over(self) -> None:
        """The next session may be with a device that lost its memory."""
        self._here = self.acknowledgeable = None

    def _remember(self, key: EventKey, raw: str) -> None:
        self._known[key] = raw
        while len(self._known) > 2 * OUTBOX_MAX:
            oldest = next(iter(self._known))
            del self._known[oldest]
            self._entries.pop(oldest, None)
