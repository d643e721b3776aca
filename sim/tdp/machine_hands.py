"""Hands at a machine that reports its cards, simulated or in a process."""

from typing import Protocol, TypeAlias, TypeVar

from protocols.tdp.codes import FaultCode
from regulations.events.cards import Card
from sim.croupier_actions import CroupierActions, DealingDevice


class DealingMachine(DealingDevice, Protocol):
    @property
    def is_busy(self) -> bool:
        """True if its motors do something that may not be broken off."""

    @property
    def can_draw(self) -> bool:
        """True if a hand would get something."""

    @property
    def faults(self) -> tuple[FaultCode, ...]:
        """The faults that hold, as its display shows them."""

    def power_on(self) -> None:
        """Switch it on, if it is off."""

    def power_cycle(self) -> None:
        """Switch it off and on."""

    def turn_key(self, position: int) -> None:
        """Turn the key, 0 for dealing."""

    def close_cover(self) -> None:
        """Close the cover, if it is open."""

    def press_clear(self) -> None:
        """Press the button that clears faults whose causes are gone."""

    def remedy(self, code: FaultCode) -> list[Card]:
        """Remove a fault's cause; return the cards that came out."""


M_co = TypeVar("M_co", bound=DealingMachine, covariant=True)


class MachineHands(CroupierActions[M_co]):
    @property
    def can_draw(self) -> bool:
        return self.device.can_draw

    def make_ready(self) -> None:
        self.device.power_on()

    def remove_stack(self) -> int:
        return 0

    def remedy(self, code: FaultCode) -> list[Card]:
        """Remove a fault's cause; its cards go into the discard rack."""
        cards = self.device.remedy(code)
        self.felt.rack += cards
        return cards


AnyMachineHands: TypeAlias = MachineHands[DealingMachine]
