"""The common part of all machines."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Final

from protocols.tdp.codes import Capability, Condition, DeviceState, FaultCode, Lamp, LampMode, RefusalReason
from protocols.tdp.commands import (
    ClearFault,
    DeviceCommand,
    Dispense,
    Eject,
    Lock,
    SetLamp,
    Shuffle,
    Unlock,
)
from protocols.tdp.events import PACKET_MAX, CardDrawn, Fault, FaultCleared
from protocols.tdp.messages import Status
from regulations.events.cards import Card
from sim.clock import Clock
from sim.draws import Draw, ShoeMisuse
from sim.tdp.card_reader import CardReader, CardReading
from sim.tdp.chassis import FOR_DEALING, Chassis
from sim.tdp.electronics import Electronics
from sim.tdp.hostile import Hostile
from sim.tdp.machine_faults import JAMS, MISFEEDS, NO_HAND, SEEN_AT_REST, JamPlace, MachineStopped
from sim.tdp.motion import Moves

COUNT_MODULO: Final = 1 << 16
UNLOCK_MAX: Final = 0xFFFF


class Machine(Chassis):
    def __init__(self, electronics: Electronics, clock: Clock, reader: CardReader) -> None:
        super().__init__(electronics, clock, reader)
        self.lamps: dict[Lamp, LampMode] = {}
        self._state_now = DeviceState.IDLE
        electronics.attach(self)

    # --- what each machine does in its own way ----------------------------------------------------------------------

    @property
    @abstractmethod
    def capabilities(self) -> Capability:
        """The machine's abilities, but for those of its electronics."""

    @abstractmethod
    def unload(self) -> list[Card]:
        """Take all cards out."""

    @abstractmethod
    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        """Put a stack in."""

    @abstractmethod
    def arrange(self, cards: Sequence[Card | None]) -> None:
        """Let these cards come next, whatever the shuffle did; ``None``: any card."""

    @abstractmethod
    def _lacks_cards(self, command: DeviceCommand) -> bool:
        """True if there are too few cards for a command that moves some."""

    def _moves_for(self, command: DeviceCommand) -> Moves | None:
        del command
        return None

    def _exit_is_taken(self) -> bool:
        return False

    # --- what anybody can see ---------------------------------------------------------------------------------------

    @property
    def cards(self) -> tuple[Card, ...]:
        return (*self.inside, *self.mishaps.stuck)

    @property
    def cards_left(self) -> int:
        return len(self.cards)

    @property
    def can_draw(self) -> bool:
        return False

    def draw(self) -> Draw:
        return Draw()

    @property
    def faults(self) -> tuple[FaultCode, ...]:
        """The faults that hold, as its display shows them."""
        return tuple(FaultCode(code) for code, _ in self._memory.faults)

    def can_clear(self, code: FaultCode) -> bool:
        if code in JAMS:
            return not self.mishaps.has_stuck(JAMS[code])
        if code is FaultCode.COVER_OPEN:
            return not self._cover_open
        if code is FaultCode.OUT_OF_CARDS:
            return bool(self.inside)
        return code not in self.mishaps.causes

    @property
    def is_locked(self) -> bool:
        return not (
            self.is_powered
            and self._permits
            and self._key == FOR_DEALING
            and not self._cover_open
            and not self._memory.faults
            and self._memory.has_room_for_cards
        )

    def status(self) -> Status:
        memory = self._memory
        conditions = Condition(0)
        for condition, holds in (
            (Condition.LOCKED, self.is_locked),
            (Condition.COVER_OPEN, self._cover_open),
            (Condition.FAULT, bool(memory.faults) or memory.is_overrun),
            (Condition.OUTBOX_FULL, not memory.has_room_for_cards),
            (Condition.CUT_CARD_SEEN, self._counts.cut_card_seen),
        ):
            conditions |= condition if holds else Condition(0)
        code, module = memory.faults[0] if memory.faults else (0, 0)
        if memory.is_overrun:
            # Not an event: there is no room for one.
            code, module = FaultCode.MEMORY_ERROR, 0
        return Status(self._state(), conditions, self._key, self._counts.stack, self._counts.left, code, module)

    def _state(self) -> DeviceState:
        if self._memory.faults or self._memory.is_overrun:
            return DeviceState.FAULT
        if self.electronics.is_updating:
            return DeviceState.UPDATING
        if self._motion.is_busy or self._motion.is_waiting:
            return self._state_now
        if self._exit_is_taken():
            return DeviceState.DISPENSING  # until a hand has taken what lies there: a host waits for it with the next
        return DeviceState.LOADED if self._counts.stack else DeviceState.IDLE

    # --- mishaps of every shoe --------------------------------------------------------------------------------------

    def misread_next(self, card: Card) -> None:
        self.reader.misread_next(card)

    def double_feed_next(self, *, noticed: bool = True) -> None:
        self.mishaps.double_feed_next(noticed=noticed)

    # --- hands that put it right ------------------------------------------------------------------------------------

    def press_clear(self) -> None:
        self.electronics.run(self._clear_all)

    def remedy(self, code: FaultCode) -> list[Card]:
        """Remove a fault's cause under the cover; return the cards that came out."""
        if code in NO_HAND:
            raise ShoeMisuse(f"no hand can take that away: {NO_HAND[code]}")
        if code is FaultCode.COVER_OPEN:
            cards = self._pull_out(JamPlace.EXIT)
            self.close_cover()
            return cards
        was_open = self._cover_open
        self.open_cover()
        self.mishaps.causes.discard(code)
        cards = self._pull_out(JAMS.get(code, JamPlace.EXIT))
        if code is FaultCode.UNREADABLE_CARD:
            self.reader.unread_in_a_row = 0
        if not was_open:
            self.close_cover()
        return cards

    def pull_stuck_out(self) -> list[Card]:
        """The fault is still to be cleared."""
        if not self.mishaps.has_stuck(JamPlace.EXIT):
            raise ShoeMisuse("nothing sticks at the exit")
        return self._pull_out(JamPlace.EXIT)

    def limit_outbox(self, events: int) -> None:
        """A sound device has room for 512."""
        self._memory.room = events
        self.electronics.run(self._see_room)

    def _see_room(self) -> None:
        self._memory.flush()
        self._lock_if_full()

    def _pull_out(self, place: JamPlace) -> list[Card]:
        return self.mishaps.pull_out(place)

    # --- commands ---------------------------------------------------------------------------------------------------

    def why_not(self, command: DeviceCommand) -> RefusalReason | None:
        if isinstance(command, Lock | SetLamp):
            return None
        if isinstance(command, ClearFault):
            return self._why_not_clear(command)
        if not _in_range(command):
            return RefusalReason.BAD_VALUE
        return self._why_not_move(command)

    def _why_not_clear(self, command: ClearFault) -> RefusalReason | None:
        if (command.code, command.module) not in self._memory.faults:
            return RefusalReason.BAD_VALUE
        if self._cover_open:
            return RefusalReason.COVER_OPEN
        return None if self.can_clear(FaultCode(command.code)) else RefusalReason.FAULT

    def _why_not_move(self, command: DeviceCommand) -> RefusalReason | None:
        takes_exit = isinstance(command, Dispense | Eject | Unlock)
        # Nothing moves where a hand may draw: the host locks first.
        may_draw = self._permits > 0 and isinstance(command, Dispense | Shuffle | Eject)
        for holds, reason in (
            (bool(self._memory.faults) or self._memory.is_overrun, RefusalReason.FAULT),
            (self._cover_open, RefusalReason.COVER_OPEN),
            (self._key != FOR_DEALING, RefusalReason.LOCKED),
            (self._motion.is_busy or may_draw or (takes_exit and self._exit_is_taken()), RefusalReason.BUSY),
            (not self._memory.has_room_for_cards, RefusalReason.EVENTS_PENDING),
            (self._lacks_cards(command), RefusalReason.OUT_OF_CARDS),
        ):
            if holds:
                return reason
        return None

    def begin(self, command: DeviceCommand) -> None:
        match command:
            case SetLamp(_, lamp, mode):
                self.lamps[lamp] = mode
            case ClearFault(_, code, module):
                self._clear(code, module)
            case Unlock(_, cards, permit):
                self._end_waiting()
                self._permits, self._permit = cards, permit
            case Lock():
                self._end_waiting()
                self._permits = 0
            case _:
                self._end_waiting()
                moves = self._moves_for(command)
                if moves is not None:
                    self._motion.start(moves)

    # --- for the electronics ----------------------------------------------------------------------------------------

    def power_came(self) -> None:
        self.mishaps.causes.discard(FaultCode.MEMORY_ERROR)
        for code, module in self._memory.faults:
            self.store_event(partial(_fault, code, module))
        super().power_came()
        for code in SEEN_AT_REST:
            if code in self.mishaps.causes:
                self._motion.interrupt(MachineStopped(code))
        self.resume()

    def power_went(self) -> None:
        super().power_went()
        self.lamps = {}

    # --- faults -----------------------------------------------------------------------------------------------------

    def fail(self, trouble: MachineStopped) -> None:
        memory = self._memory
        fault = (int(trouble.code), int(trouble.module))
        if not self.electronics.is_turned(Hostile.PERMIT_SURVIVES):
            self._permits = 0
        if self._motion.is_background:
            self._motion.stop()
        if fault in memory.faults:
            return

        def update_memory() -> None:
            memory.faults.append(fault)
            memory.meters.misfeeds += trouble.code in MISFEEDS

        self.store_event(partial(_fault, *fault), update_memory)
        self.electronics.supply.step()

    def _clear(self, code: int, module: int) -> None:
        memory = self._memory

        def update_memory() -> None:
            memory.faults.remove((code, module))
            self._counts.stack = len(self.inside)  # counted anew: hands may have taken some out

        self.store_event(lambda boot, number: FaultCleared(boot, number, code, module), update_memory)
        self.electronics.supply.step()
        self.resume()

    def _clear_all(self) -> None:
        if not self._cover_open:
            for code, module in tuple(self._memory.faults):
                if self.can_clear(FaultCode(code)):
                    self._clear(code, module)

    # --- cards on their way -----------------------------------------------------------------------------------------

    def _count_card(self, reading: CardReading, cards: int = 1) -> int:
        counts, meters = self._counts, self._memory.meters
        counts.left = (counts.left + cards) % COUNT_MODULO
        counts.stack = max(counts.stack - cards, 0)
        meters.cards_read += reading.card is not None
        meters.cards_not_read += reading.card is None and self.reader.reads
        return counts.left

    def store_drawn(self, reading: CardReading, cards: int = 1) -> None:
        """Before the card can be touched; it uses up a permit."""
        count, permit = [0], self._permit

        def update_memory() -> None:
            count[0] = self._count_card(reading, cards)

        self.store_event(
            lambda boot, number: CardDrawn(
                boot, number, count[0], reading.card, reading.face, reading.confidence, permit
            ),
            update_memory,
        )
        self._permits = max(self._permits - 1, 0)


def _fault(code: int, module: int, boot: int, number: int) -> Fault:
    return Fault(boot, number, code, module)


def _in_range(command: DeviceCommand) -> bool:
    if isinstance(command, Dispense):
        return command.cards in range(1, PACKET_MAX + 1)
    if isinstance(command, Unlock):
        return command.cards in range(1, UNLOCK_MAX + 1)
    return True
