"""A hand's acts at the device: one line of text, one line of answer."""

import json
from collections.abc import Callable

from tests.second_device.lines import Line
from tests.second_device.mechanism import UnableError
from tests.second_device.station import Station

STACK_MAX = 65535


class Bench:
    """The device on a bench, with its line and its power."""

    def __init__(self, station: Station, line: Line, cards: int) -> None:
        self.station = station
        self.line = line
        self.is_plugged = False
        self.is_over = False
        self._cards = cards
        self._now_s = 0.0

    def start(self, now_s: float) -> None:
        self.station.power_on(now_s)
        self._plug()

    def stop(self) -> None:
        self.line.unplug()

    def obey(self, text: str, now_s: float) -> str:
        """Do what a line says.

        Args:
            text: for instance ``load 416``.
        """
        self._now_s = now_s
        word, *arguments = text.split() or [""]
        at_any_time: dict[str, Callable[..., str]] = {
            "unplug": self._unplug,
            "replug": self._plug,
            "cut-power": self._cut_power,
            "restore-power": self._restore_power,
            "status": self._status,
            "quit": self._quit,
        }
        with_power: dict[str, Callable[..., str]] = {
            "draw": self._draw,
            "cut": self._cut,
            "load": self._load,
            "unload": self._unload,
            "take": self._take,
            "load-with-cut-card": self._load_with_cut_card,
            "jam": self._jam,
            "free": self._free,
            "clear": self._clear,
            "cover": self._cover,
            "key": self._key,
            "unread": self._unread,
            "return": self._return,
        }
        action = at_any_time.get(word) or with_power.get(word)
        if action is None:
            return f"error: no such command {word!r}; there are {', '.join([*at_any_time, *with_power])}"
        if word in with_power and not self.station.has_power:
            return "error: no power; restore-power first"
        try:
            return f"ok: {action(*arguments)}"
        except UnableError as error:
            return f"error: {error}"
        except (TypeError, ValueError) as error:
            return f"error: {word} does not take {arguments}: {error}"

    def _plug(self) -> str:
        if self.is_plugged:
            raise UnableError("the line is plugged in")
        self.is_plugged = True
        if self.station.has_power or not self.line.dies_with_power:
            self.line.plug()
        return self.line.address

    def _unplug(self) -> str:
        if not self.is_plugged:
            raise UnableError("the line is not plugged in")
        self.is_plugged = False
        self.line.unplug()
        self.station.line_lost(self._now_s)
        return "unplugged"

    def _cut_power(self) -> str:
        if not self.station.has_power:
            raise UnableError("there is no power")
        self.station.power_off()
        if self.line.dies_with_power:
            self.line.unplug()
        return "off"

    def _restore_power(self) -> str:
        if self.station.has_power:
            raise UnableError("there is power")
        self.station.power_on(self._now_s)
        if self.line.dies_with_power and self.is_plugged:
            self.line.plug()
        return f"boot {self.station.outbox.memory.boot}"

    def _status(self) -> str:
        station, memory = self.station, self.station.outbox.memory
        mechanism = station.device.mechanism
        return json.dumps(
            {
                "link": station.link.state.value if station.has_power else "off",
                "plugged": self.is_plugged,
                "boot": memory.boot,
                "last": memory.last,
                "pending": len(memory.events),
                "highest_id": memory.highest_id,
                "state": mechanism.moving.name.lower(),
                "permit": mechanism.permit,
                "stack": memory.stack,
                "count": memory.count,
                "remaining": mechanism.remaining,
                "fault": mechanism.fault,
                "cover_open": mechanism.cover_open,
                "key": mechanism.key,
                "lamps": station.device.lamps,
                "skipped": station.link.skipped if station.has_power else {},
                "dropped": station.link.dropped if station.has_power else 0,
                "invalid": [str(error) for error in station.device.invalid],
            }
        )

    def _quit(self) -> str:
        self.is_over = True
        return "bye"

    def _draw(self) -> str:
        return self.station.device.mechanism.draw()

    def _cut(self) -> str:
        self.station.device.mechanism.draw_cut_card()
        return "cut card"

    def _load(self, cards: str | None = None) -> str:
        number = self._cards if cards is None else _number(cards, STACK_MAX)
        self.station.device.mechanism.load(number)
        return f"{number} cards"

    def _unload(self) -> str:
        self.station.device.mechanism.load(0)
        return "empty"

    def _take(self) -> str:
        return "nothing waits: what it ejects has left"

    def _load_with_cut_card(self, behind: str) -> str:
        self.station.device.mechanism.load(self._cards, _number(behind, self._cards))
        return f"{self._cards} cards, the cut card behind {behind}"

    def _jam(self) -> str:
        self.station.device.mechanism.jam()
        return "jammed"

    def _free(self) -> str:
        self.station.device.mechanism.free()
        return "free"

    def _clear(self) -> str:
        mechanism = self.station.device.mechanism
        if mechanism.is_jammed:
            mechanism.free()
        mechanism.clear_fault()
        return "cleared"

    def _cover(self, how: str) -> str:
        if how not in {"open", "close"}:
            raise ValueError("open or close")
        self.station.device.mechanism.cover(is_open=how == "open")
        return how

    def _key(self, position: str) -> str:
        self.station.device.mechanism.turn_key(_number(position, 255))
        return position

    def _unread(self) -> str:
        self.station.device.mechanism.next_unread()
        return "the next card will not be read"

    def _return(self, cards: str) -> str:
        self.station.device.mechanism.put_back(_number(cards, STACK_MAX))
        return f"{cards} in the tray"


def _number(text: str, highest: int) -> int:
    number = int(text)
    if not 0 <= number <= highest:
        message = f"{number} is not in 0 to {highest}"
        raise ValueError(message)
    return number
