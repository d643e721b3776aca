"""A shuffler: inserts each card at a random place, then deals or ejects."""

import random
from collections.abc import Sequence

from protocols.tdp.codes import Capability, DeviceState, FaultCode
from protocols.tdp.commands import DeviceCommand, Dispense, Shuffle
from protocols.tdp.events import ShuffleDone, ShuffleStarted
from regulations.events.cards import Card
from sim.clock import Clock
from sim.shuffling import Shuffling
from sim.tdp.card_reader import CardReader
from sim.tdp.dispenser import Dispenser
from sim.tdp.electronics import Electronics
from sim.tdp.machine_faults import MachineStopped
from sim.tdp.motion import Moves
from sim.tdp.motors import LIFT_S, RECIRCULATE_S


class Shuffler(Dispenser):
    def __init__(
        self, electronics: Electronics, clock: Clock, reader: CardReader, rng: random.Random, *, dispenses: bool
    ) -> None:
        super().__init__(electronics, clock, reader)
        self._rng = rng
        self._lift: list[Card] = []
        self._dispenses = dispenses
        self.mix = Shuffling()

    @property
    def capabilities(self) -> Capability:
        can = Capability.SHUFFLES | Capability.COUNTS_CARDS | Capability.EJECTS
        if self._dispenses:
            can |= Capability.DISPENSES
            can |= Capability.READS_CARDS if self.reader.reads else Capability(0)
        return can

    # --- hands ------------------------------------------------------------------------------------------------------

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        if cut_card_behind is not None:
            raise ValueError("a shuffler takes no cut card")
        with self._under_cover():
            self.entry.cards += cards

    # --- inside -----------------------------------------------------------------------------------------------------

    @property
    def inside(self) -> list[Card]:
        return [*self.entry.cards, *self._lift]

    def _remove_cards(self) -> list[Card]:
        cards, self.entry.cards, self._lift = self.inside, [], []
        return cards

    def _put_inside(self, card: Card) -> None:
        at = self._rng.randrange(len(self._lift) + 1) if self.mix.is_ideal else len(self._lift)
        self._lift.insert(at, card)

    def _next_out(self) -> Sequence[Card]:
        return self._lift

    def _remove_next(self) -> Card:
        return self._lift.pop(0)

    def _exchange(self, card: Card) -> None:
        if card in self._lift:
            at = self._lift.index(card)
            self._lift[0], self._lift[at] = card, self._lift[0]

    def _bring(self) -> Moves:
        yield LIFT_S
        if not self._lift:
            raise MachineStopped(FaultCode.OUT_OF_CARDS)

    # --- commands ---------------------------------------------------------------------------------------------------

    def power_came(self) -> None:
        if self._counts.shuffling:
            self._count_failed()
        super().power_came()

    def _lacks_cards(self, command: DeviceCommand) -> bool:
        if isinstance(command, Dispense):
            return not self._counts.shuffled or command.cards > self._counts.stack
        return not self.inside

    def _moves_for(self, command: DeviceCommand) -> Moves | None:
        if isinstance(command, Shuffle):
            self._state_now = DeviceState.SHUFFLING
            return self._shuffle()
        return super()._moves_for(command)

    def _shuffle(self) -> Moves:
        counts = self._counts

        def update_memory() -> None:
            counts.shuffling, counts.shuffled, counts.fed = True, False, 0

        self.store_event(ShuffleStarted, update_memory)
        self.electronics.supply.step()
        try:
            if self._lift:
                yield RECIRCULATE_S
                self.mishaps.turn()
                self.entry.cards, self._lift = [*self.entry.cards, *self._lift], []
                self.electronics.supply.step()
            yield from self.entry.feed(self._count_fed)
            self._compare(self.mishaps.counted(counts.fed))
        except MachineStopped:
            self._count_failed()
            raise
        if not self.mix.is_ideal:
            self._lift = self.mix(self._lift, self._rng)
        self._store_done(counts.fed)

    def _count_fed(self) -> None:
        self._counts.fed += 1

    def _count_failed(self) -> None:
        self._counts.shuffling = False
        self._memory.meters.shuffles_failed += 1

    def _compare(self, counted: int) -> None:
        if counted != self._counts.stack:
            self.mishaps.causes.add(FaultCode.WRONG_COUNT)
            raise MachineStopped(FaultCode.WRONG_COUNT)

    def _store_done(self, cards: int) -> None:
        counts, meters = self._counts, self._memory.meters

        def update_memory() -> None:
            counts.shuffling, counts.shuffled = False, True
            meters.shuffles_done += 1
            meters.cards_per_shuffle = cards

        self.store_event(lambda boot, number: ShuffleDone(boot, number, cards), update_memory)
        self.electronics.supply.step()
