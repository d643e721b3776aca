"""Mechanical faults: cards stick, motors stall, sensors go blind."""

from collections.abc import Sequence
from typing import Final

from protocols.tdp.codes import FaultCode
from regulations.events.cards import Card
from sim.clock import Clock
from sim.draws import ShoeMisuse
from sim.tdp.card_reader import UNREAD_MAX, CardReader, CardReading
from sim.tdp.electronics import Electronics
from sim.tdp.machine_faults import JAM_AT, JamPlace, MachineStopped
from sim.tdp.motion import Motion
from sim.tdp.motors import COOLING_S


class MachineFaults:
    def __init__(
        self, places: Sequence[JamPlace], reader: CardReader, electronics: Electronics, motion: Motion, clock: Clock
    ) -> None:
        self._places: Final = places
        self._reader: Final = reader
        self._electronics: Final = electronics
        self._motion: Final = motion
        self._clock: Final = clock
        self._stuck: dict[JamPlace, list[Card]] = {place: [] for place in places}
        self.causes: Final[set[FaultCode]] = set()
        """Whether the electronics have seen them or not."""
        self._to_stick: JamPlace | None = None
        self._to_double: bool | None = None
        """None: one card; True: the device notices that two come."""
        self._miscount_by = 0

    # --- mishaps to come --------------------------------------------------------------------------------------------

    def jam(self, place: JamPlace) -> None:
        """Let the next card that passes a place stick there."""
        if place not in self._places:
            has = ", ".join(one.value for one in self._places)
            raise ShoeMisuse(f"no card can stick at the {place.value} of this machine: it has {has}")
        self._to_stick = place

    def double_feed_next(self, *, noticed: bool = True) -> None:
        self._to_double = noticed

    def miscount_next(self, by: int) -> None:
        self._miscount_by = by

    def stall_motor(self) -> None:
        self._needs_motors()
        self.causes.add(FaultCode.MOTOR_STALL)

    def lose_home(self) -> None:
        self._needs_motors()
        self.causes.add(FaultCode.HOMING_FAILED)

    def _needs_motors(self) -> None:
        if JamPlace.CAROUSEL not in self._places:
            raise ShoeMisuse("this machine has no motor: a hand draws its cards")

    # --- mishaps that a device sees though nothing moves ------------------------------------------------------------

    def block_sensor(self) -> None:
        self._come_upon(FaultCode.SENSOR_BLOCKED)

    def overheat(self) -> None:
        """In two minutes it has cooled down."""
        self._come_upon(FaultCode.OVER_TEMPERATURE)
        self._clock.call_later(COOLING_S, lambda: self.causes.discard(FaultCode.OVER_TEMPERATURE))

    def spoil_memory(self) -> None:
        """It passes again after the next start."""
        if self._electronics.supply.on:
            self._come_upon(FaultCode.MEMORY_ERROR)

    def cut_power_after(self, steps: int) -> None:
        self._electronics.supply.cut_after(steps)

    def _come_upon(self, code: FaultCode) -> None:
        self.causes.add(code)
        self._electronics.run(lambda: self._motion.interrupt(MachineStopped(code)))

    # --- for the machine --------------------------------------------------------------------------------------------

    @property
    def stuck(self) -> tuple[Card, ...]:
        """All cards that stick."""
        return tuple(card for stuck in self._stuck.values() for card in stuck)

    def has_stuck(self, place: JamPlace) -> bool:
        return bool(self._stuck.get(place))

    def pull_out(self, place: JamPlace) -> list[Card]:
        cards = self._stuck.get(place, [])
        if cards:
            self._stuck[place] = []
        return cards

    def turn(self) -> None:
        """Do what a motor does before it moves a card."""
        self._electronics.supply.step()
        if FaultCode.MOTOR_STALL in self.causes:
            raise MachineStopped(FaultCode.MOTOR_STALL)

    def sticks(self, place: JamPlace) -> bool:
        """True if the card that passes a place now sticks."""
        sticks = self._to_stick is place
        if sticks:
            self._to_stick = None
        return sticks

    def stick(self, place: JamPlace, card: Card) -> MachineStopped:
        """Leave a card stuck; return what is to be raised for it."""
        self._stuck[place].append(card)
        return MachineStopped(JAM_AT[place])

    def doubles(self) -> bool | None:
        """None if this feed brings one card; else True if the device notices that it brings two."""
        doubles, self._to_double = self._to_double, None
        return doubles

    def counted(self, cards: int) -> int:
        """The device's count where there are so many cards."""
        by, self._miscount_by = self._miscount_by, 0
        return max(cards + by, 0)

    def check(self, reading: CardReading) -> None:
        if reading.foreign:
            self.causes.add(FaultCode.FOREIGN_CARD)
            raise MachineStopped(FaultCode.FOREIGN_CARD)
        if self._reader.unread_in_a_row >= UNREAD_MAX:
            self.causes.add(FaultCode.UNREADABLE_CARD)
            raise MachineStopped(FaultCode.UNREADABLE_CARD)
