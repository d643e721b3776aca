"""Faults of a machine, how it sees and tells them, and what hands can do about them."""

from collections.abc import Callable
from functools import partial
from typing import Final

from protocols.tdp.codes import FaultCode
from protocols.tdp.events import Fault, FaultCleared
from regulations.events.cards import Card
from sim.clock import Clock
from sim.draws import ShoeMisuse
from sim.tdp.electronics import Electronics
from sim.tdp.eye import UNREAD_MAX, Eye, Reading
from sim.tdp.frame import Frame
from sim.tdp.hostile import Hostile
from sim.tdp.motors import COOLING_S
from sim.tdp.trouble import JAM_AT, JAMS, MISFEEDS, NO_HAND, SEEN_AT_REST, Place, Trouble


class Faulty(Frame):
    """A frame in which cards stick, motors stall and sensors go blind.

    What is wrong with the metal is one thing, which fault the electronics have told another: a fault ends when its
    cause is gone and the host, or the button, clears it.

    Args:
        electronics: its electronics.
        clock: the time it lives in.
        eye: reads the cards that leave.
    """

    def __init__(self, electronics: Electronics, clock: Clock, eye: Eye) -> None:
        super().__init__(electronics, clock)
        self.eye: Final = eye
        self._stuck: dict[Place, list[Card]] = {place: [] for place in self.places}
        self._causes: set[FaultCode] = set()
        """Faults of the metal, whether the electronics have seen them or not."""
        self._to_stick: Place | None = None
        self._to_double: bool | None = None
        """None if the next feed brings one card; else True if the device notices that it brings two."""

    # --- what anybody can see ---------------------------------------------------------------------------------------

    @property
    def faults(self) -> tuple[FaultCode, ...]:
        """The faults that hold, as its display shows them."""
        return tuple(FaultCode(code) for code, _ in self._memory.faults)

    def can_clear(self, code: FaultCode) -> bool:
        """True if what brought a fault about is gone."""
        if code in JAMS:
            return not self._stuck.get(JAMS[code])
        if code is FaultCode.COVER_OPEN:
            return not self._cover_open
        if code is FaultCode.OUT_OF_CARDS:
            return bool(self._inside)
        return code not in self._causes

    # --- seeing and telling -----------------------------------------------------------------------------------------

    def power_came(self) -> None:
        """See ``Mechanism``: tell anew what holds still, and look what is wrong."""
        self._causes.discard(FaultCode.MEMORY_ERROR)
        for code, module in self._memory.faults:
            self._keep(partial(_fault, code, module))
        super().power_came()
        for code in SEEN_AT_REST:
            if code in self._causes:
                self._motion.interrupt(Trouble(code))
        self._resume()

    def press_clear(self) -> None:
        """Press the button that clears all faults whose causes are gone, as ``ClearFault`` does."""
        self.electronics.run(self._clear_all)

    def _fail(self, trouble: Trouble) -> None:
        memory = self._memory
        fault = (int(trouble.code), int(trouble.module))
        if not self.electronics.is_turned(Hostile.PERMIT_SURVIVES):
            self._permits = 0
        if self._motion.is_background:
            self._motion.stop()
        if fault in memory.faults:
            return

        def note() -> None:
            memory.faults.append(fault)
            memory.meters.misfeeds += trouble.code in MISFEEDS

        self._keep(partial(_fault, *fault), note)
        self.electronics.supply.step()

    def _clear(self, code: int, module: int) -> None:
        memory = self._memory

        def note() -> None:
            memory.faults.remove((code, module))
            self._counts.stack = len(self._inside)  # counted anew: hands may have taken some out

        self._keep(lambda boot, number: FaultCleared(boot, number, code, module), note)
        self.electronics.supply.step()
        self._resume()

    def _clear_all(self) -> None:
        if not self._cover_open:
            for code, module in tuple(self._memory.faults):
                if self.can_clear(FaultCode(code)):
                    self._clear(code, module)

    def _come_upon(self, code: FaultCode) -> None:
        """Let trouble come that a device sees though nothing moves."""
        self._causes.add(code)
        self.electronics.run(lambda: self._motion.interrupt(Trouble(code)))

    # --- mishaps ----------------------------------------------------------------------------------------------------

    def jam(self, place: Place) -> None:
        """Let the next card that passes a place stick there.

        Raises:
            ShoeMisuse: the machine has no such place.
        """
        if place not in self.places:
            has = ", ".join(one.value for one in self.places)
            raise ShoeMisuse(f"no card can stick at the {place.value} of this machine: it has {has}")
        self._to_stick = place

    def double_feed_next(self, *, noticed: bool = True) -> None:
        """Let two cards go together at the next feed; the device notices it or not."""
        self._to_double = noticed

    def miscount_next(self, by: int) -> None:
        """Let the next count of a stack or of returned cards be wrong by so many."""
        self._miscount_by = by

    def fail_next_read(self) -> None:
        """Do not read one more card."""
        self.eye.fail_next()

    def misread_next(self, card: Card) -> None:
        """Take one more card for ``card``."""
        self.eye.misread_next(card)

    def foreign_next(self) -> None:
        """Let one more card have a back of another set."""
        self.eye.foreign_next()

    def block_sensor(self) -> None:
        """Put dust before a sensor."""
        self._come_upon(FaultCode.SENSOR_BLOCKED)

    def overheat(self) -> None:
        """Let it become too hot; in two minutes it has cooled down."""
        self._come_upon(FaultCode.OVER_TEMPERATURE)
        self._clock.call_later(COOLING_S, lambda: self._causes.discard(FaultCode.OVER_TEMPERATURE))

    def spoil_memory(self) -> None:
        """Let a check of its memory fail; it passes again after the next start."""
        if self.is_powered:
            self._come_upon(FaultCode.MEMORY_ERROR)

    def stall_motor(self) -> None:
        """Block a motor; seen when it is to run."""
        self._needs_motors()
        self._causes.add(FaultCode.MOTOR_STALL)

    def lose_home(self) -> None:
        """Put the zero mark of the carousel out of place; seen when it is looked for."""
        self._needs_motors()
        self._causes.add(FaultCode.HOMING_FAILED)

    def remedy(self, code: FaultCode) -> list[Card]:
        """Take away by hand, under the cover, what brings a fault about; return the cards that came out with it.

        Raises:
            ShoeMisuse: no hand can do that.
        """
        if code in NO_HAND:
            raise ShoeMisuse(f"no hand can take that away: {NO_HAND[code]}")
        if code is FaultCode.COVER_OPEN:
            cards = self._pull_out(Place.EXIT)
            self.close_cover()
            return cards
        was_open = self._cover_open
        self.open_cover()
        self._causes.discard(code)
        cards = self._pull_out(JAMS.get(code, Place.EXIT))
        if code is FaultCode.UNREADABLE_CARD:
            self.eye.unread_in_a_row = 0
        if not was_open:
            self.close_cover()
        return cards

    def pull_stuck_out(self) -> list[Card]:
        """Pull out what sticks at the exit, from outside: no cover is opened for it. The fault is still to be cleared.

        Raises:
            ShoeMisuse: nothing sticks there.
        """
        if not self._stuck.get(Place.EXIT):
            raise ShoeMisuse("nothing sticks at the exit")
        return self._pull_out(Place.EXIT)

    def cut_power_after(self, steps: int) -> None:
        """Let the power go after so many more steps: between any two things that are each done whole."""
        self.electronics.supply.cut_after(steps)

    def limit_outbox(self, events: int) -> None:
        """Let it have room for so many events only; 512 is what it is made for."""
        self._memory.room = events
        self.electronics.run(self._see_room)

    def _see_room(self) -> None:
        self._memory.flush()
        self._look_for_room()

    def _needs_motors(self) -> None:
        if Place.CAROUSEL not in self.places:
            raise ShoeMisuse("this machine has no motor: a hand draws its cards")

    def _pull_out(self, place: Place) -> list[Card]:
        cards = self._stuck.get(place, [])
        if cards:
            self._stuck[place] = []
        return cards

    # --- cards on their way -----------------------------------------------------------------------------------------

    def _turn(self) -> None:
        """Do what a motor does before it moves a card.

        Raises:
            Trouble: it cannot.
        """
        self.electronics.supply.step()
        if FaultCode.MOTOR_STALL in self._causes:
            raise Trouble(FaultCode.MOTOR_STALL)

    def _sticks(self, place: Place) -> bool:
        """True if the card that passes a place now sticks."""
        sticks = self._to_stick is place
        if sticks:
            self._to_stick = None
        return sticks

    def _stick(self, place: Place, card: Card) -> Trouble:
        """Leave a card stuck; return what is to be raised for it."""
        self._stuck[place].append(card)
        return Trouble(JAM_AT[place])

    def _doubles(self) -> bool | None:
        """None if this feed brings one card; else True if the device notices that it brings two."""
        doubles, self._to_double = self._to_double, None
        return doubles

    def _complain(self, reading: Reading) -> None:
        """See what a reading says beyond the card.

        Raises:
            Trouble: the card is of another set, or the eye has become blind.
        """
        if reading.foreign:
            self._causes.add(FaultCode.FOREIGN_CARD)
            raise Trouble(FaultCode.FOREIGN_CARD)
        if self.eye.unread_in_a_row >= UNREAD_MAX:
            self._causes.add(FaultCode.UNREADABLE_CARD)
            raise Trouble(FaultCode.UNREADABLE_CARD)

    def _attempt(self, act: Callable[[], None]) -> None:
        """Do what may bring trouble, outside of any moves."""
        try:
            act()
        except Trouble as trouble:
            self._fail(trouble)


def _fault(code: int, module: int, boot: int, number: int) -> Fault:
    return Fault(boot, number, code, module)
