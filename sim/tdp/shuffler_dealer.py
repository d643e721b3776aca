"""A shuffler-dealer: carousel, draw slot, exit and entry."""

from collections.abc import Sequence
from typing import Final

from protocols.tdp.codes import Capability, DeviceState, FaultCode
from protocols.tdp.commands import AcceptReturn, DeviceCommand, Dispense
from protocols.tdp.events import CardsReturned
from regulations.events.cards import Card
from sim.clock import Clock
from sim.draws import Draw
from sim.magazine import Magazine
from sim.tdp.card_reader import CardReader
from sim.tdp.carousel import Carousel
from sim.tdp.dispenser import Dispenser
from sim.tdp.draw_slot import DrawSlot
from sim.tdp.electronics import Electronics
from sim.tdp.machine_faults import JamPlace, MachineStopped
from sim.tdp.motion import Moves
from sim.tdp.motors import EJECT_SHELF_S, RETURN_SETTLE_S


class ShufflerDealer(Dispenser):
    def __init__(
        self, electronics: Electronics, clock: Clock, reader: CardReader, carousel: Carousel, buffer_cards: int
    ) -> None:
        super().__init__(electronics, clock, reader)
        self._carousel = carousel
        self._buffer: Final = Magazine()
        self._slot: Final = DrawSlot(self, self._buffer)
        self._buffer_cards = buffer_cards
        self._is_load_pressed = False

    @property
    def capabilities(self) -> Capability:
        can = (
            Capability.DISPENSES
            | Capability.COUNTS_CARDS
            | Capability.LOCKS
            | Capability.TAKES_RETURNS
            | Capability.EJECTS
        )
        return can | Capability.READS_CARDS if self.reader.reads else can

    @property
    def cards(self) -> tuple[Card, ...]:
        return (*super().cards, *self.entry.cards)

    @property
    def can_draw(self) -> bool:
        return self._slot.is_free or super().can_draw

    def can_clear(self, code: FaultCode) -> bool:
        if code is FaultCode.OUT_OF_CARDS and self.entry.cards:
            return not self._has_untold
        return super().can_clear(code)

    # --- hands ------------------------------------------------------------------------------------------------------

    def draw(self) -> Draw:
        if super().can_draw:
            return super().draw()
        if self._slot.is_free:
            self._bring_arranged()
        return self._slot.pull()

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        if cut_card_behind is not None:
            raise ValueError("a shuffler-dealer takes no cut card")
        if self.cards:
            raise ValueError(f"{self.cards_left} cards are still in the machine: take them out first")
        if len(cards) > self._carousel.capacity:
            raise ValueError(f"{len(cards)} cards do not fit: there is room for {self._carousel.capacity}")
        self._is_load_pressed = bool(cards)
        self.return_cards(cards)

    def return_cards(self, cards: Sequence[Card]) -> None:
        self.entry.cards += cards
        self.electronics.run(self._see_entry)

    def _see_entry(self) -> None:
        if self.entry.cards:
            self._motion.go_on()
        self.resume()

    # --- inside -----------------------------------------------------------------------------------------------------

    @property
    def inside(self) -> list[Card]:
        return [*self._buffer.cards, *self._carousel.cards]

    def _remove_cards(self) -> list[Card]:
        cards = [*self._buffer.unload(), *self._carousel.remove_cards(), *self.entry.cards]
        self.entry.cards, self._is_load_pressed = [], False
        return cards

    def _put_inside(self, card: Card) -> None:
        self._carousel.put(card)

    def _next_out(self) -> Sequence[Card]:
        return self._buffer.cards

    def _remove_next(self) -> Card:
        card = self._buffer.draw_card_below()
        if card is None:
            raise MachineStopped(FaultCode.OUT_OF_CARDS)
        return card

    def _exchange(self, card: Card) -> None:
        if not self._buffer.swap_first(card) and card in self._carousel.cards:
            self._carousel.exchange(card, self._buffer.replace_first(card))

    def _bring(self) -> Moves:
        while not self._buffer.cards_left:
            if self._carousel.is_empty:
                raise MachineStopped(FaultCode.OUT_OF_CARDS)
            yield EJECT_SHELF_S
            self._eject_shelf()

    def _eject_shelf(self) -> None:
        self.mishaps.turn()
        packet = self._carousel.eject()
        if packet and self.mishaps.sticks(JamPlace.CAROUSEL):
            self._buffer.put_behind(packet[:-1])
            raise self.mishaps.stick(JamPlace.CAROUSEL, packet[-1])
        self._buffer.put_behind(packet)
        self.electronics.supply.step()

    # --- what it does by itself -------------------------------------------------------------------------------------

    def power_came(self) -> None:
        super().power_came()
        if self._counts.returning:
            self._store_returned()

    def _rest(self) -> bool:
        if super()._rest():
            return True
        if self._is_load_pressed or self._counts.loading:
            self._state_now = DeviceState.SHUFFLING
            self._motion.start(self._load())
            return True
        if self._needs_filling:
            self._motion.start(self._fill(), background=True)
            return True
        return False

    @property
    def _needs_filling(self) -> bool:
        return self._buffer.cards_left < self._buffer_cards and not self._carousel.is_empty

    def _fill(self) -> Moves:
        while self._needs_filling:
            yield EJECT_SHELF_S
            self._eject_shelf()

    def _load(self) -> Moves:
        self.electronics.supply.step()
        self._counts.loading = True
        self._is_load_pressed = False
        yield from self.entry.feed(self._count_fed)
        self._store_loaded(self._counts.fed)

    def _count_fed(self) -> None:
        self._counts.fed += 1

    def _count_returned(self) -> None:
        self._counts.fed += 1
        self._counts.stack += 1

    # --- commands ---------------------------------------------------------------------------------------------------

    def _lacks_cards(self, command: DeviceCommand) -> bool:
        match command:
            case Dispense(_, cards):
                return cards > self._counts.stack
            case AcceptReturn():
                return False
            case _:
                return not self.inside

    def _moves_for(self, command: DeviceCommand) -> Moves | None:
        if isinstance(command, AcceptReturn):
            self._state_now = DeviceState.RETURNING
            return self._accept()
        return super()._moves_for(command)

    def _accept(self) -> Moves:
        counts = self._counts
        self.electronics.supply.step()
        counts.returning = True
        try:
            while True:
                if self.entry.cards:
                    yield from self.entry.feed(self._count_returned)
                elif counts.fed:
                    yield RETURN_SETTLE_S
                    if not self.entry.cards:
                        break
                else:
                    yield None
        except MachineStopped:
            self._store_returned()
            raise
        self._store_returned()

    def _end_waiting(self) -> None:
        was_waiting = self._motion.is_waiting
        super()._end_waiting()
        if was_waiting:
            self._store_returned()

    def _store_returned(self) -> None:
        counts = self._counts
        counted = self.mishaps.counted(counts.fed)

        def update_memory() -> None:
            counts.stack += counted - counts.fed
            counts.fed, counts.returning = 0, False

        self.store_event(lambda boot, number: CardsReturned(boot, number, counted), update_memory)
        self.electronics.supply.step()
