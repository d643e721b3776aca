"""A croupier's remedies for irregularities at an Angel Eye shoe: errors, cards half out, cards it did not tell."""

from typing import Final

from regulations.events.cards import Card
from regulations.events.outputs import Irregularity
from sim.draws import PulledCard
from sim.hands import AngelEyeActions


class ShoeRemedies:
    """Remedies of a croupier who deals from a shoe that tells its cards itself.

    Args:
        hands: what it can do to the shoe, and the cards it holds.
    """

    def __init__(self, hands: AngelEyeActions) -> None:
        self._hands: Final = hands
        self._known: Final[set[int]] = set()

    def mark_reported(self, index: int) -> None:
        """A person reported card number ``index`` of ``hands.out`` to the table."""
        self._known.add(index)

    def stack_is_gone(self) -> None:
        """Reset the numbers in ``hands.out`` for new cards."""
        self._known.clear()

    def mend(self) -> None:
        """Pull out the card that hangs in the mouth, or else clear the errors."""
        if self._hands.shoe.panel.is_card_half_out:
            self._hands.finish_draw()
        else:
            self._hands.shoe.panel.clear_error()

    def cards_of(self, irregularity: Irregularity | None) -> list[Card]:
        """The cards that an irregularity is about, as they lie in its hand."""
        out = list(enumerate(self._hands.out))
        if irregularity is not None and irregularity.code == "surplus_card":
            misread = [(i, one) for i, one in out if one.told not in (None, one.card) and i not in self._known]
            shown = [(i, one) for i, one in misread if irregularity.card in (None, one.told)]
            return self._mark_all_reported(shown[-1:])
        untold = [(i, one) for i, one in out if one.told is None and i not in self._known]
        if irregularity is not None and irregularity.code == "count_gap":
            return self._mark_all_reported(untold)
        # Untold cards come up in the order in which they left. If none is left, it is the one in its hand.
        return self._mark_all_reported(untold[:1] or out[-1:])

    def _mark_all_reported(self, found: list[tuple[int, PulledCard]]) -> list[Card]:
        self._known.update(index for index, _out in found)
        return [out.card for _index, out in found]
