"""The events of one unit: new, durable, acknowledgeable (``docs/protocols/tdp.md``, section 12)."""

from enum import Enum
from typing import Final

from firmware_bridge.tdp.translation import event_of
from protocols.tdp.events import DeviceEvent, EventKey
from protocols.tdp.exactly_once import OUTBOX_MAX, EventDeduplicator, EventOrder


class EventStatus(Enum):
    """The place of an event in the history."""

    NEW = "new"
    REPEATED = "repeated"
    GAP = "gap"
    DIFFERS = "differs"
    """A known key with other bytes, or one too old to compare."""


class History:
    """One unit's events.

    Args:
        state: where they stand: what was passed on, durable or on its way to be; left out: none came yet.

    Attributes:
        acknowledgeable: the last that came in this session and is durable with these bytes.
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
        """Take up an event of the journal.

        Args:
            raw: its bytes; empty if they were not recorded.
        """
        self._durable = self.state.last = self.state.last_other = key
        event = event_of(raw)
        if event is not None:
            self.state.made_durable(event)
        if raw:
            self.restore_bytes(key, raw, entry)

    def restore_bytes(self, key: EventKey, raw: str, entry: int) -> None:
        """Know again the bytes of an event that is before where the history stands."""
        self._entries.setdefault(key, entry)
        self._remember(key, raw)

    def log_begun(self) -> None:
        """Another log begins: where the one before has events is of no use to it, but that it has them."""
        self._entries.update(dict.fromkeys(self._entries, 0))

    def oldest_entry(self) -> int | None:
        """First line of the log with a known event; 0: in the log before; ``None``: none."""
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
        """Record an event passed to the table: it is not new again in this process."""
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
        """An event is in the journal for good, as this entry if that is known.

        Ignored: an event of another unit, or from before its memory was lost.
        """
        if self._known.get(key) != raw:
            return
        if entry is not None:
            self._entries.setdefault(key, entry)
        self._durable = key
        self.in_flight -= 1
        if self._here is not None and not self._here < key:
            self.acknowledgeable = key

    def give_up(self, key: EventKey) -> None:
        """A person has decided that what is missing up to ``key`` stays missing."""
        self.state.last = self.state.last_other = key

    def session_over(self) -> None:
        """Expect that the next session may be with a device that lost its memory."""
        self._here = self.acknowledgeable = None

    def _remember(self, key: EventKey, raw: str) -> None:
        self._known[key] = raw
        while len(self._known) > 2 * OUTBOX_MAX:
            oldest = next(iter(self._known))
            del self._known[oldest]
            self._entries.pop(oldest, None)
