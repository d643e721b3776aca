"""The chassis of a machine: power, cover, key, stack and motors."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Final

from protocols.tdp.codes import BootReason, FaultCode
from protocols.tdp.events import CoverClosed, CoverOpened, KeyTurned, StackLoaded
from regulations.events.cards import Card
from sim.clock import Act, Clock
from sim.draws import ShoeMisuse
from sim.tdp.card_reader import CardReader
from sim.tdp.electronics import Electronics
from sim.tdp.machine_faults import JamPlace, MachineStopped
from sim.tdp.memory import CardCounts, DeviceMemory, MakeEvent
from sim.tdp.mishaps import MachineFaults
from sim.tdp.motion import Motion

FOR_DEALING: Final = 0
COVER: Final = 0
KEY_POSITIONS: Final = range(256)


class Chassis(ABC):
    places: tuple[JamPlace, ...] = ()

    def __init__(self, electronics: Electronics, clock: Clock, reader: CardReader) -> None:
        self.electronics: Final = electronics
        self.reader: Final = reader
        self._motion: Final = Motion(electronics, self.fail, self.resume)
        self.mishaps: Final = MachineFaults(self.places, reader, electronics, self._motion, clock)
        self._permits = 0
        self._permit = 0
        self._cover_open = False
        self._key = FOR_DEALING
        self._touched = False

    @property
    @abstractmethod
    def inside(self) -> list[Card]:
        """The cards that it counts as its stack."""

    @abstractmethod
    def fail(self, trouble: MachineStopped) -> None:
        """Record a fault, report it, and let nothing out."""

    def _rest(self) -> bool:
        # Begin what the machine does when nothing else is to be done; return whether it began something.
        return False

    def _end_waiting(self) -> None:
        if self._motion.is_waiting:
            self._motion.stop()

    def _are_cards_moving(self) -> bool:
        return self._motion.is_running

    def store_event(self, make: MakeEvent, and_update: Act | None = None) -> None:
        """If no card may leave after it, what was unlocked is locked."""
        self.electronics.store_event(make, and_update)
        self._lock_if_full()

    def _lock_if_full(self) -> None:
        if not self._memory.has_room_for_cards:
            self._permits = 0

    @property
    def _memory(self) -> DeviceMemory:
        return self.electronics.memory

    @property
    def _counts(self) -> CardCounts:
        return self._memory.counts

    # --- what anybody can see ---------------------------------------------------------------------------------------

    @property
    def is_powered(self) -> bool:
        return self.electronics.supply.on

    @property
    def is_cover_open(self) -> bool:
        return self._cover_open

    @property
    def is_busy(self) -> bool:
        return self._motion.is_busy

    @property
    def is_moving(self) -> bool:
        return self._motion.is_running

    @property
    def key(self) -> int:
        """0 for dealing."""
        return self._key

    # --- power ------------------------------------------------------------------------------------------------------

    def power_on(self, reason: BootReason = BootReason.POWER_ON) -> None:
        self.electronics.power_on(reason)

    def power_off(self) -> None:
        self.electronics.power_off()

    def power_cycle(self) -> None:
        self.power_off()
        self.power_on()

    def power_came(self) -> None:
        self._see_cover()
        self._see_key()

    def power_went(self) -> None:
        self._motion.stop()
        self._permits = 0

    def session_lost(self) -> None:
        """A motion under way ends first (Q8)."""
        self._permits = 0
        self._end_waiting()

    def resume(self) -> None:
        ready = self.is_powered and not (self._memory.faults or self._cover_open or self._key != FOR_DEALING)
        if ready and not self._motion.is_busy and not self._motion.is_waiting:
            self._rest()

    # --- cover and key ----------------------------------------------------------------------------------------------

    def open_cover(self) -> None:
        if not self._cover_open:
            self._cover_open = True
            self.electronics.run(self._see_cover)

    def close_cover(self) -> None:
        if self._cover_open:
            self._cover_open = False
            self.electronics.run(self._see_cover)

    def turn_key(self, position: int) -> None:
        """0 for dealing, 1 to 255 for something else."""
        if position not in range(256):
            raise ShoeMisuse(f"the key has no position {position}: 0 is for dealing, 1 to 255 are for something else")
        self._key = position
        self.electronics.see_key(position)
        self.electronics.run(self._see_key)

    @contextlib.contextmanager
    def _under_cover(self) -> Iterator[None]:
        # Hands put in or take out cards under the cover, which they leave as they found it.
        was_open = self._cover_open
        self.open_cover()
        try:
            yield
            self._touched = True
        finally:
            if not was_open:
                self.close_cover()

    def _see_cover(self) -> None:
        memory = self._memory
        if self._cover_open != memory.cover_told_open:
            self._permits = 0
            is_open = self._cover_open

            def update_memory() -> None:
                memory.cover_told_open = is_open
                memory.meters.cover_openings += is_open and not memory.cover_known_open
                memory.cover_known_open = is_open

            told = CoverOpened if is_open else CoverClosed
            self.store_event(lambda boot, number: told(boot, number, COVER), update_memory)
            self.electronics.supply.step()
        if self._cover_open:
            self._end_waiting()
            if self._are_cards_moving():
                self._motion.interrupt(MachineStopped(FaultCode.COVER_OPEN))
            else:
                self._motion.stop()
            return
        memory.cover_known_open = False
        if self._touched:
            self._store_loaded(len(self.inside))
        self.resume()

    def _see_key(self) -> None:
        memory = self._memory
        position = self._key
        if position != memory.key_told:
            self._permits = 0

            def update_memory() -> None:
                memory.key_told = position

            self.store_event(lambda boot, number: KeyTurned(boot, number, position), update_memory)
            self.electronics.supply.step()
        self.resume()

    def _store_loaded(self, cards: int) -> None:
        counted = self.mishaps.counted(cards)

        def update_memory() -> None:
            self._touched = False
            self._memory.counts = CardCounts(stack=counted)

        self.store_event(lambda boot, number: StackLoaded(boot, number, counted), update_memory)
        self.electronics.supply.step()
