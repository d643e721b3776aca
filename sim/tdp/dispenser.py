"""A machine with an exit shutter that opens when the event is stored."""

from abc import abstractmethod
from collections import deque
from collections.abc import Sequence
from typing import Final

from protocols.tdp.codes import DeviceState, FaultCode
from protocols.tdp.commands import DeviceCommand, Dispense, Eject
from protocols.tdp.events import CardDrawn, DeviceEvent, PacketDispensed, StackLoaded
from regulations.events.cards import Card
from sim.clock import Clock
from sim.draws import Draw, PulledCard
from sim.magazine import must_have
from sim.tdp.card_reader import NOTHING, CardReader, CardReading
from sim.tdp.electronics import Electronics
from sim.tdp.entry import CardEntry
from sim.tdp.machine import Machine
from sim.tdp.machine_faults import JamPlace, MachineStopped, Module
from sim.tdp.memory import CardCounts
from sim.tdp.motion import Moves
from sim.tdp.motors import DISPENSE_CARD_S, EJECT_STACK_S, HOMING_S, ROOM_WAIT_S, SHUTTER_S


class Dispenser(Machine):
    places = (JamPlace.ENTRY, JamPlace.CAROUSEL, JamPlace.EXIT)

    def __init__(self, electronics: Electronics, clock: Clock, reader: CardReader) -> None:
        super().__init__(electronics, clock, reader)
        self.entry: Final = CardEntry(electronics, self.mishaps, self._put_inside)
        self.exit: list[PulledCard] = []
        self.is_exit_open = False
        self._arranged: deque[Card | None] = deque()
        self._is_homed = False

    @abstractmethod
    def _bring(self) -> Moves:
        """Bring the next card before the reader."""

    @abstractmethod
    def _next_out(self) -> Sequence[Card]:
        """The cards before the reader, the next one first."""

    @abstractmethod
    def _remove_next(self) -> Card:
        """The next card leaves."""

    @abstractmethod
    def _exchange(self, card: Card) -> None:
        """Let ``card`` change places with the next one, if it can come next."""

    @abstractmethod
    def _put_inside(self, card: Card) -> None:
        """Put a card from the entry to its place inside."""

    @abstractmethod
    def _remove_cards(self) -> list[Card]:
        """Take out all cards that neither stick nor lie at the exit."""

    # --- what anybody can see ---------------------------------------------------------------------------------------

    @property
    def cards(self) -> tuple[Card, ...]:
        return (*super().cards, *(out.card for out in self.exit))

    @property
    def cards_left(self) -> int:
        return len(self.cards) - (len(self.exit) if self.is_exit_open else 0)

    @property
    def can_draw(self) -> bool:
        return self.is_exit_open and bool(self.exit)

    def can_clear(self, code: FaultCode) -> bool:
        return not self._has_untold and super().can_clear(code)

    @property
    def _has_untold(self) -> bool:
        return bool(self.exit) and not self.is_exit_open and not self._counts.packet_told

    # --- hands ------------------------------------------------------------------------------------------------------

    def draw(self) -> Draw:
        """The lowest card: it was dispensed first and is first in the event."""
        if not (self.is_exit_open and self.exit):
            return Draw()
        pulled = Draw((self.exit.pop(0),))
        self._close_empty_exit()
        return pulled

    def remove_stack(self) -> list[Card]:
        if not self.is_exit_open:
            return []
        cards = [out.card for out in self.exit]
        self.exit = []
        self._close_empty_exit()
        return cards

    def unload(self) -> list[Card]:
        if not self.cards:
            return []
        with self._under_cover():
            stuck = [card for place in self.places for card in self._pull_out(place)]
            at_exit = self.remove_stack() if self.is_exit_open else [out.card for out in self.exit]
            self.exit = []
            return [*self._remove_cards(), *stuck, *at_exit]

    def _pull_out(self, place: JamPlace) -> list[Card]:
        cards = super()._pull_out(place)
        if place is JamPlace.EXIT and self._has_untold:
            cards = [*cards, *(out.card for out in self.exit)]
            self.exit = []
        return cards

    def _close_empty_exit(self) -> None:
        if not self.exit:
            self.is_exit_open = False  # a spring closes it behind the last card
            self.electronics.run(self._see_exit)

    def _see_exit(self) -> None:
        if not self.exit:
            self._counts.packet_told = False
            self.resume()

    # --- power ------------------------------------------------------------------------------------------------------

    def power_came(self) -> None:
        self._is_homed = False
        super().power_came()

    def _are_cards_moving(self) -> bool:
        return super()._are_cards_moving() and self._is_homed

    def _rest(self) -> bool:
        if not self._is_homed:
            self._state_now = DeviceState.IDLE
            self._motion.start(self._home())
            return True
        if self.exit and not self.is_exit_open and self._counts.packet_told:
            self._state_now = DeviceState.DISPENSING
            self._motion.start(self._open_exit())
            return True
        return False

    def _home(self) -> Moves:
        yield HOMING_S
        self.mishaps.turn()
        if FaultCode.HOMING_FAILED in self.mishaps.causes:
            raise MachineStopped(FaultCode.HOMING_FAILED)
        self._is_homed = True
        if self._has_untold:
            raise MachineStopped(FaultCode.STUCK_AT_EXIT)
        self._see_exit()

    def _open_exit(self) -> Moves:
        yield SHUTTER_S
        self.electronics.supply.step()
        self.is_exit_open = True

    # --- commands ---------------------------------------------------------------------------------------------------

    def _exit_is_taken(self) -> bool:
        return bool(self.exit)

    def _moves_for(self, command: DeviceCommand) -> Moves | None:
        self._state_now = DeviceState.DISPENSING
        match command:
            case Dispense(_, cards, permit):
                return self._dispense(cards, permit)
            case Eject():
                return self._eject()
            case _:
                return None

    def _dispense(self, cards: int, permit: int) -> Moves:
        readings: list[CardReading] = []
        try:
            while len(readings) < cards:
                yield from self._bring()
                yield DISPENSE_CARD_S
                self._pass_reader(readings)
                self.electronics.supply.step()
                self.mishaps.check(readings[-1])
        except MachineStopped:
            if readings:
                yield from self._hand_over(readings, permit)  # what has left is told before what went wrong
            raise
        yield from self._hand_over(readings, permit)

    def arrange(self, cards: Sequence[Card | None]) -> None:
        must_have(self.cards, cards)
        self._arranged = deque(cards)

    def _bring_arranged(self) -> None:
        card = self._arranged.popleft() if self._arranged else None
        if card is not None:
            self._exchange(card)

    def _pass_reader(self, readings: list[CardReading]) -> None:
        self.mishaps.turn()
        self._bring_arranged()
        below = len(self._next_out()) > 1
        doubles = self.mishaps.doubles() if below else None
        card = self._remove_next()
        if self.mishaps.sticks(JamPlace.EXIT):
            raise self.mishaps.stick(JamPlace.EXIT, card)
        reading = self.reader.scan(card)
        readings.append(reading)
        self.exit.append(PulledCard(card, reading.card))
        if doubles is not None:
            # The reader sees only the upper one of two.
            self.exit.append(PulledCard(self._remove_next(), None))
            if doubles:
                readings.append(NOTHING)
                self.mishaps.causes.add(FaultCode.DOUBLE_FEED)
                raise MachineStopped(FaultCode.DOUBLE_FEED, Module.EXIT)

    def _hand_over(self, readings: Sequence[CardReading], permit: int) -> Moves:
        while self._memory.free <= 0:
            yield ROOM_WAIT_S  # events of other things took what room there was
        self._store_packet(readings, permit)
        yield from self._open_exit()

    def _store_packet(self, readings: Sequence[CardReading], permit: int) -> None:
        # Keep the event of what lies behind the shutter: `CardDrawn` for one card, else `PacketDispensed`.
        counts = [0]

        def update_memory() -> None:
            counts[0] = [self._count_card(reading) for reading in readings][-1]
            self._counts.packet_told = True

        def told(boot: int, number: int) -> DeviceEvent:
            if len(readings) == 1:
                only = readings[0]
                return CardDrawn(boot, number, counts[0], only.card, only.face, only.confidence, permit)
            return PacketDispensed(boot, number, counts[0], tuple(reading.card for reading in readings), permit)

        self.store_event(told, update_memory)
        self.electronics.supply.step()

    def _eject(self) -> Moves:
        yield EJECT_STACK_S
        self.mishaps.turn()
        cards = self._remove_cards()
        if cards and self.mishaps.sticks(JamPlace.EXIT):
            stuck = cards.pop()
            self.exit = [PulledCard(card, None) for card in cards]
            raise self.mishaps.stick(JamPlace.EXIT, stuck)
        self.exit = [PulledCard(card, None) for card in cards]
        self.electronics.supply.step()

        def update_memory() -> None:
            self._memory.counts = CardCounts(packet_told=True)

        self.store_event(lambda boot, number: StackLoaded(boot, number, 0), update_memory)
        self.electronics.supply.step()
        yield from self._open_exit()
