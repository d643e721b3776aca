"""Faults of a shoe, through the simulator's or rig's control channel."""

from collections.abc import Sequence
from typing import Final

import pytest

from pytest_cardshoe.control import Data
from pytest_cardshoe.shoes import Shoe

__tracebackhide__ = True  # a failure is shown where the test asked for it, not where it was found

Way = Sequence[str]
WAYS: Final[dict[str, Sequence[Way]]] = {
    "jam": (("jam", "exit"), ("jam",), ("half",)),
    "power_cut": (("cut-power",), ("power-cycle",)),
    "power_back": (("restore-power",),),
    "unread": (("unread",),),
    "double_feed": (("double-feed",),),
    "unplug": (("unplug",),),
    "replug": (("replug",),),
}


class Faults:
    """Mishaps of one shoe."""

    def __init__(self, shoe: Shoe) -> None:
        self._shoe: Final = shoe
        self._usages: dict[str, str] | None = None

    def jam(self) -> Data:
        """Jam a card in the mouth."""
        return self._first_of("jam")

    def unjam(self) -> Data:
        """Free the jammed card."""
        return self.do("draw" if self._way("jam") == ("half",) else "clear")

    def unplug(self) -> Data:
        """Pull the cable."""
        return self._first_of("unplug")

    def replug(self) -> Data:
        """Put the cable in."""
        return self._first_of("replug")

    def misread(self, card: str) -> Data:
        """Misread the next card as `card`, such as `TH`."""
        return self.do("misread", card)

    def unread(self) -> Data:
        """Leave the next card unread."""
        return self._first_of("unread")

    def double_feed(self) -> Data:
        """Feed two cards at the next pull."""
        return self._first_of("double_feed")

    def power_cut(self) -> Data:
        """Cut the power; devices that cannot stay off restart at once."""
        return self._first_of("power_cut")

    def power_back(self) -> Data:
        """Restore the power after `power_cut`."""
        if self._way("power_cut") == ("power-cycle",):
            return {"said": "it is on already"}
        return self._first_of("power_back")

    # --- the line ---------------------------------------------------------------------------------------------------

    def damage(self, writes: int = 1, by: str = "device") -> Data:
        """Flip a bit in each of the next writes of `device` or `host`."""
        return self.do("damage", writes, by)

    def lose(self, writes: int = 1, by: str = "device") -> Data:
        """Lose the next writes of one end."""
        return self.do("lose", writes, by)

    def duplicate(self, writes: int = 1, by: str = "device") -> Data:
        """Duplicate the next writes of one end."""
        return self.do("duplicate", writes, by)

    def split(self, piece_bytes: int = 1, by: str = "device") -> Data:
        """Split the writes of one end."""
        return self.do("split", piece_bytes, by)

    def delay(self, milliseconds: int, by: str = "device") -> Data:
        """Delay the writes of one end."""
        return self.do("delay", milliseconds, by)

    def baud(self, device: int, host: int | None = None) -> Data:
        """Set the speeds of device and host; default: equal."""
        return self.do("baud", device, device if host is None else host)

    def straighten(self) -> Data:
        """End all faults of the line."""
        return self.do("straighten")

    def do(self, command: str, *arguments: str | int) -> Data:
        """Any other mishap, by command."""
        if self._shoe.control is None:
            pytest.skip(f"a real device cannot be made to fail by {command!r}: use the simulator or --cardshoe-control")
        if command not in self._commands():
            pytest.skip(f"this {self._shoe.family} has no command {command!r}")
        return self._shoe.control.do(command, *arguments)

    def _first_of(self, mishap: str) -> Data:
        return self.do(*(self._way(mishap) or WAYS[mishap][0]))

    def _way(self, mishap: str) -> Way | None:
        known = self._commands()
        return next((way for way in WAYS[mishap] if way[0] in known and all(one in known[way[0]] for one in way)), None)

    def _commands(self) -> dict[str, str]:
        if self._usages is None:
            self._usages = self._shoe.control.usages() if self._shoe.control is not None else {}
        return self._usages
