"""Feeding cards from the entry into a machine, one by one, counted as they pass."""

from abc import abstractmethod

from protocols.tdp.codes import FaultCode
from regulations.events.cards import Card
from sim.clock import Act
from sim.tdp.dispenser import Dispenser
from sim.tdp.motion import Moves
from sim.tdp.motors import FEED_CARD_S
from sim.tdp.trouble import Module, Place, Trouble


class Feeder(Dispenser):
    """A machine that takes cards from its entry to somewhere inside."""

    @abstractmethod
    def _put_inside(self, card: Card) -> None:
        """Put a card that came from the entry to its place inside."""

    def _feed(self, note_passed: Act) -> Moves:
        """Feed what lies in the entry until it is empty.

        Args:
            note_passed: counts a card that passed the sensor of the entry, as the device sees it.
        """
        while self.entry:
            yield FEED_CARD_S
            self._pass_entry(note_passed)
            self.electronics.supply.step()

    def _pass_entry(self, note_passed: Act) -> None:
        self._turn()
        doubles = self._doubles() if len(self.entry) > 1 else None
        if doubles:
            # Seen before the rollers take hold: both are still in the entry.
            self._causes.add(FaultCode.DOUBLE_FEED)
            raise Trouble(FaultCode.DOUBLE_FEED, Module.ENTRY)
        card = self.entry.pop()
        if self._sticks(Place.ENTRY):
            raise self._stick(Place.ENTRY, card)
        if self._sticks(Place.CAROUSEL):
            raise self._stick(Place.CAROUSEL, card)
        note_passed()
        self._put_inside(card)
        if doubles is not None:
            self._put_inside(self.entry.pop())
