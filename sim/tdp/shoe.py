"""A card-reading shoe: a magazine with the cut card in it, an eye, and a mouth with a lock."""

from collections.abc import Sequence

from protocols.tdp.codes import Capability
from protocols.tdp.commands import DeviceCommand
from regulations.events.cards import Card
from sim.clock import Clock
from sim.magazine import CUT_CARD, Item, Magazine
from sim.tdp.electronics import Electronics
from sim.tdp.eye import Eye
from sim.tdp.mouth import Mouth
from sim.tdp.trouble import Place


class TdpShoe(Mouth):
    """A shoe. It weighs its stack when the cover is closed.

    Args:
        electronics: its electronics.
        clock: the time it lives in.
        eye: reads the cards that leave.
    """

    places = (Place.EXIT,)

    def __init__(self, electronics: Electronics, clock: Clock, eye: Eye) -> None:
        super().__init__(electronics, clock, eye)
        self._magazine = Magazine()

    @property
    def capabilities(self) -> Capability:
        """It locks, counts, and sees the cut card; most shoes read."""
        can = Capability.COUNTS_CARDS | Capability.DETECTS_CUT_CARD | Capability.LOCKS
        return can | Capability.READS_CARDS if self.eye.reads else can

    @property
    def cards_before_cut_card(self) -> int | None:
        """Cards that come out before the cut card; None if it is out."""
        return self._magazine.cards_before_cut_card

    def load(self, cards: Sequence[Card], cut_card_behind: int | None) -> None:
        """Put a stack in under the cover, which is left as it was found.

        Raises:
            ValueError: there are cards in it, or the cut card does not fit.
        """
        with self._under_cover():
            self._magazine.load(cards, cut_card_behind)

    def unload(self) -> list[Card]:
        """Take all cards out, stuck ones and the cut card too."""
        if not self.cards and self._magazine.cards_before_cut_card is None:
            return []
        with self._under_cover():
            return [*self._pull_out(Place.EXIT), *self._magazine.take_all()]

    @property
    def _inside(self) -> list[Card]:
        return list(self._magazine.cards)

    @property
    def _next(self) -> Item | None:
        if self._magazine.cards_before_cut_card == 0:
            return CUT_CARD
        return next(iter(self._magazine.cards), None)

    @property
    def _has_card_below(self) -> bool:
        before = self._magazine.cards_before_cut_card
        return min(self._magazine.cards_left if before is None else before, self._magazine.cards_left) > 1

    def _take_next(self) -> None:
        self._magazine.take()

    def _take_card_below(self) -> Card | None:
        return self._magazine.take_card_below()

    def _lacks_cards(self, command: DeviceCommand) -> bool:
        del command
        return not self._inside
