"""A shuffler-dealer: a carousel that shuffles all the time, a mouth and an exit to deal from, and an entry.

A card put in goes to a shelf by chance; shelves by chance fill the buffer before the mouth. There is no order of all
cards that anybody could ask for.
"""

from collections.abc import Sequence

from protocols.tdp.codes import Capability, DeviceState, FaultCode
from protocols.tdp.commands import AcceptReturn, DeviceCommand, Dispense
from protocols.tdp.events import CardsReturned
from regulations.events.cards import Card
from sim.clock import Clock
from sim.magazine import Item
from sim.tdp.carousel import Carousel
from sim.tdp.electronics import Electronics
from sim.tdp.eye import Eye
from sim.tdp.feeder import Feeder
from sim.tdp.motion import Moves
from sim.tdp.motors import EJECT_SHELF_S, RETURN_SETTLE_S
from sim.tdp.mouth import Mouth
from sim.tdp.trouble import Place, Trouble


class ShufflerDealer(Feeder, Mouth):
    """A shuffler-dealer.

    Args:
        electronics: its electronics.
        clock: the time it lives in.
        eye: reads the cards that leave.
        carousel: where the cards are.
        buffer_cards: it draws the next shelf when fewer cards wait before the mouth.
    """

    def __init__(self, electronics: Electronics, clock: Clock, eye: Eye, carousel: Carousel, buffer_cards: int) -> None:
        super().__init__(electronics, clock, eye)
        self._carousel = carousel
        self._buffer: list[Card] = []
        self._buffer_cards = buffer_cards
        self._is_load_pressed = False

    @property
    def capabilities(self) -> Capability:
        """It deals in both ways and takes used cards back."""
        can = (
            Capability.DISPENSES
            | Capability.COUNTS_CARDS
            | Capability.LOCKS
            | Capability.TAKES_RETURNS
            | Capability.EJECTS
        )
        return can | Capability.READS_CARDS if self.eye.reads else can

    @property
    def cards(self) -> tuple[Card, ...]:
        return (*super().cards, *self.entry)

    def can_clear(self, code: FaultCode) -> bool:
        """As of every dispenser; and with cards in the entry it is not out of cards any more."""
        if code is FaultCode.OUT_OF_CARDS and self.entry:
            return not self._has_untold
        return super().can_clear(code)

    # --- hands ------------------------------------------------------------------------------------------------------

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        """Put a stack into the entry and press the button that has it fed in.

        Raises:
            ValueError: there are cards in it, there are too many, or a cut card comes with them.
        """
        if cut_card_behind is not None:
            raise ValueError("a shuffler-dealer takes no cut card")
        if self.cards:
            raise ValueError(f"{self.cards_left} cards are still in the machine: take them out first")
        if len(cards) > self._carousel.capacity:
            raise ValueError(f"{len(cards)} cards do not fit: there is room for {self._carousel.capacity}")
        self._is_load_pressed = bool(cards)
        self.take_back(cards)

    def take_back(self, cards: Sequence[Card]) -> None:
        """Put used cards into the entry; they are fed in when the host has asked for them."""
        self.entry += cards
        self.electronics.run(self._see_entry)

    def _see_entry(self) -> None:
        if self.entry:
            self._motion.go_on()
        self._resume()

    # --- inside -----------------------------------------------------------------------------------------------------

    @property
    def _inside(self) -> list[Card]:
        return [*self._buffer, *self._carousel.cards]

    def _take_out(self) -> list[Card]:
        cards = [*self._buffer, *self._carousel.take_out(), *self.entry]
        self._buffer, self.entry, self._is_load_pressed = [], [], False
        return cards

    def _put_inside(self, card: Card) -> None:
        self._carousel.put(card)

    @property
    def _next(self) -> Item | None:
        return self._buffer[0] if self._buffer else None

    @property
    def _has_card_below(self) -> bool:
        return len(self._buffer) > 1

    def _take_next(self) -> None:
        self._buffer.pop(0)

    def _take_card_below(self) -> Card | None:
        return self._buffer.pop(0)

    def _next_out(self) -> Sequence[Card]:
        return self._buffer

    def _take_next_out(self) -> Card:
        return self._buffer.pop(0)

    def _bring(self) -> Moves:
        while not self._buffer:
            if self._carousel.is_empty:
                raise Trouble(FaultCode.OUT_OF_CARDS)
            yield EJECT_SHELF_S
            self._eject_shelf()

    def _eject_shelf(self) -> None:
        self._turn()
        packet = self._carousel.eject()
        if packet and self._sticks(Place.CAROUSEL):
            self._buffer += packet[:-1]
            raise self._stick(Place.CAROUSEL, packet[-1])
        self._buffer += packet
        self.electronics.supply.step()

    # --- what it does by itself -------------------------------------------------------------------------------------

    def power_came(self) -> None:
        """See ``Mechanism``; what had been taken back when the power went is told."""
        super().power_came()
        if self._counts.returning:
            self._tell_returned()

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
        return len(self._buffer) < self._buffer_cards and not self._carousel.is_empty

    def _fill(self) -> Moves:
        while self._needs_filling:
            yield EJECT_SHELF_S
            self._eject_shelf()

    def _load(self) -> Moves:
        """Feed a stack in; begun anew after a mishap, go on."""
        self.electronics.supply.step()
        self._counts.loading = True
        self._is_load_pressed = False
        yield from self._feed(self._note_fed)
        self._tell_loaded(self._counts.fed)

    def _note_fed(self) -> None:
        self._counts.fed += 1

    def _note_returned(self) -> None:
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
                return not self._inside

    def _moves_for(self, command: DeviceCommand) -> Moves | None:
        if isinstance(command, AcceptReturn):
            self._state_now = DeviceState.RETURNING
            return self._accept()
        return super()._moves_for(command)

    def _accept(self) -> Moves:
        """Take back what is put into the entry, until no more comes."""
        counts = self._counts
        self.electronics.supply.step()
        counts.returning = True
        try:
            while True:
                if self.entry:
                    yield from self._feed(self._note_returned)
                elif counts.fed:
                    yield RETURN_SETTLE_S
                    if not self.entry:
                        break
                else:
                    yield None
        except Trouble:
            self._tell_returned()
            raise
        self._tell_returned()

    def _end_waiting(self) -> None:
        was_waiting = self._motion.is_waiting
        super()._end_waiting()
        if was_waiting:
            self._tell_returned()

    def _tell_returned(self) -> None:
        counts = self._counts
        counted = self._counted(counts.fed)

        def note() -> None:
            counts.stack += counted - counts.fed
            counts.fed, counts.returning = 0, False

        self._keep(lambda boot, number: CardsReturned(boot, number, counted), note)
        self.electronics.supply.step()
