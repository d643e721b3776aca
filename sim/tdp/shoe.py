"""A card-reading shoe: magazine, reader, and a mouth with a lock."""

from collections.abc import Sequence
from typing import Final

from protocols.tdp.codes import Capability
from protocols.tdp.commands import DeviceCommand
from regulations.events.cards import Card
from sim.clock import Clock
from sim.draws import Draw
from sim.magazine import Magazine
from sim.tdp.card_reader import CardReader
from sim.tdp.draw_slot import DrawSlot
from sim.tdp.electronics import Electronics
from sim.tdp.machine import Machine
from sim.tdp.machine_faults import JamPlace


class TdpShoe(Machine):
    """A shoe; it weighs its stack when the cover is closed."""

    places = (JamPlace.EXIT,)

    def __init__(self, electronics: Electronics, clock: Clock, reader: CardReader) -> None:
        super().__init__(electronics, clock, reader)
        self._magazine: Final = Magazine()
        self._slot: Final = DrawSlot(self, self._magazine)

    @property
    def capabilities(self) -> Capability:
        can = Capability.COUNTS_CARDS | Capability.DETECTS_CUT_CARD | Capability.LOCKS
        return can | Capability.READS_CARDS if self.reader.reads else can

    @property
    def can_draw(self) -> bool:
        return self._slot.is_free

    def draw(self) -> Draw:
        return self._slot.pull()

    @property
    def cards_before_cut_card(self) -> int | None:
        """None if the cut card is out."""
        return self._magazine.cards_before_cut_card

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        with self._under_cover():
            self._magazine.load(cards, cut_card_behind)

    def arrange(self, cards: Sequence[Card | None]) -> None:
        self._magazine.arrange(cards)

    def unload(self) -> list[Card]:
        if not self.cards and self._magazine.cards_before_cut_card is None:
            return []
        with self._under_cover():
            return [*self._pull_out(JamPlace.EXIT), *self._magazine.unload()]

    @property
    def inside(self) -> list[Card]:
        return list(self._magazine.cards)

    def _lacks_cards(self, command: DeviceCommand) -> bool:
        del command
        return not self.inside
