"""The entry of a machine: cards are fed one by one and counted."""

from collections.abc import Callable
from typing import Final

from protocols.tdp.codes import FaultCode
from regulations.events.cards import Card
from sim.clock import Act
from sim.tdp.electronics import Electronics
from sim.tdp.machine_faults import JamPlace, MachineStopped, Module
from sim.tdp.mishaps import MachineFaults
from sim.tdp.motion import Moves
from sim.tdp.motors import FEED_CARD_S


class CardEntry:
    def __init__(self, electronics: Electronics, mishaps: MachineFaults, put: Callable[[Card], None]) -> None:
        self._electronics: Final = electronics
        self._mishaps: Final = mishaps
        self._put: Final = put
        self.cards: list[Card] = []
        """The last one is fed first."""

    def feed(self, note_passed: Act) -> Moves:
        """Feed what lies in it until it is empty."""
        while self.cards:
            yield FEED_CARD_S
            self._pass(note_passed)
            self._electronics.supply.step()

    def _pass(self, note_passed: Act) -> None:
        mishaps = self._mishaps
        mishaps.turn()
        doubles = mishaps.doubles() if len(self.cards) > 1 else None
        if doubles:
            # Seen before the rollers take hold: both are still in the entry.
            mishaps.causes.add(FaultCode.DOUBLE_FEED)
            raise MachineStopped(FaultCode.DOUBLE_FEED, Module.ENTRY)
        card = self.cards.pop()
        for place in (JamPlace.ENTRY, JamPlace.CAROUSEL):
            if mishaps.sticks(place):
                raise mishaps.stick(place, card)
        note_passed()
        self._put(card)
        if doubles is not None:
            self._put(self.cards.pop())
