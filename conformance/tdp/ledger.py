"""Every event of a run: none may change, be missing, or come again."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from protocols.tdp.codec import encode_message
from protocols.tdp.events import DeviceEvent, EventKey, PowerRestored
from protocols.tdp.messages import Heartbeat, Message


class Violation(NamedTuple):
    what: str
    raw: bytes


class EventLedger:
    """Events by key, over all sessions and boots of a run.

    Attributes:
        given: acknowledged on the line.
        acknowledged: taken by the device, as a later ``Heartbeat`` showed.
    """

    def __init__(self) -> None:
        self.last: EventKey | None = None
        self.last_other: EventKey | None = None
        self.given: EventKey | None = None
        self.acknowledged: EventKey | None = None
        self.trespasses: Final[list[Violation]] = []
        self._raw: Final[dict[EventKey, bytes]] = {}

    def __len__(self) -> int:
        return len(self._raw)

    def apply(self, event: DeviceEvent, message: Message, *, acknowledged_before: EventKey | None) -> bool:
        """``acknowledged_before``: what is not after it must not come in this session."""
        key, raw = event.key, encode_message(message)
        if acknowledged_before is not None and key <= acknowledged_before:
            self._add_violation(
                f"event {_text(key)} came again, though {_text(acknowledged_before)} was acknowledged", raw
            )
        known = self._raw.get(key)
        if known is not None:
            if known != raw:
                self._add_violation(
                    f"event {_text(key)} came twice with different contents, first {known.hex(' ')}", raw
                )
            return False
        if self.last is not None:
            self._follows(event, self.last, raw)
        self._raw[key] = raw
        self.last = key if self.last is None else max(key, self.last)
        if not isinstance(event, PowerRestored):
            self.last_other = key if self.last_other is None else max(key, self.last_other)
        return True

    def confirm(self, key: EventKey) -> None:
        """Record that an acknowledgement of everything up to ``key`` was given to the line."""
        self.given = key if self.given is None else max(self.given, key)

    def beat(self, beat: Heartbeat, told: Sequence[EventKey]) -> None:
        """It shows which acknowledgements the device has taken."""
        last = self.last.number if self.last is not None and self.last.boot == beat.boot else 0
        on_the_way = max(beat.last_number - last, 0)
        kept = max(beat.pending - on_the_way, 0)
        forgotten = told[: max(len(told) - kept, 0)]
        if self.given is None or not (forgotten or beat.pending == 0):
            return
        key = min(self.given, forgotten[-1]) if forgotten else self.given
        self.acknowledged = key if self.acknowledged is None else max(self.acknowledged, key)

    def _follows(self, event: DeviceEvent, last: EventKey, raw: bytes) -> None:
        key = event.key
        if key.boot == last.boot and key.number == last.number + 1:
            return
        if key.boot > last.boot and key.number == 1 and isinstance(event, PowerRestored):
            return  # what it says of the boot before is a check of its own
        self._add_violation(f"event {_text(key)} came after {_text(last)}: a gap, or out of order", raw)

    def _add_violation(self, what: str, raw: bytes) -> None:
        self.trespasses.append(Violation(what, raw))


def _text(key: EventKey) -> str:
    return f"{key.number} of boot {key.boot}"
