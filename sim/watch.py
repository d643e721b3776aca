"""Events of a simulated device: cards, faults, cable."""

from collections.abc import Sequence
from typing import Final, Protocol

from sim.draws import PulledCard

Event = dict[str, object]
KINDS: Final = (
    "card",
    "cut_card",
    "loaded",
    "fault",
    "fault_cleared",
    "plugged",
    "unplugged",
    "command",
    "bytes",
)


class WatchedActions(Protocol):
    out: list[PulledCard]


class WatchedDevice(Protocol):
    @property
    def hands(self) -> WatchedActions:
        """The simulated hands, which know the cards that came out."""

    def state(self) -> dict[str, object]:
        """The device's state as data."""


class DeviceWatcher:
    """Poll a device in the thread of its clock."""

    def __init__(self, device: WatchedDevice) -> None:
        self._device: Final = device
        self._out = device.hands.out
        self._cards = len(self._out)
        self._state = device.state()

    def poll(self) -> list[Event]:
        """The events since the last poll, cards first."""
        before, self._state = self._state, self._device.state()
        return [*self._loaded(), *self._new_cards(), *_changes(before, self._state)]

    def _loaded(self) -> list[Event]:
        out = self._device.hands.out
        if out is self._out:
            return []
        # A shuffle begins a new list: what was in the old one since the last look went back into the stack.
        self._out, self._cards = out, 0
        return [{"event": "loaded", "cards": _count(self._state.get("cards_left")) + len(out)}]

    def _new_cards(self) -> list[Event]:
        new = self._out[self._cards :]
        self._cards += len(new)
        return [{"event": "card", "card": one.card, "told": one.told} for one in new]


def _changes(before: dict[str, object], now: dict[str, object]) -> list[Event]:
    events: list[Event] = []
    if before.get("cut_card_after") is not None and now.get("cut_card_after") is None:
        events.append({"event": "cut_card"})
    old, new = _faults(before), _faults(now)
    events += [{"event": "fault_cleared", "code": code} for code in old if code not in new]
    events += [{"event": "fault", "code": code} for code in new if code not in old]
    if before.get("plugged") != now.get("plugged"):
        events.append({"event": "plugged" if now.get("plugged") else "unplugged"})
    return events


def _faults(state: dict[str, object]) -> Sequence[object]:
    faults = state.get("faults")
    return faults if isinstance(faults, list | tuple) else ()


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
