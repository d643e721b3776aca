"""A croupier's hands: everything they do to cards and shoe, so that no card is lost between the two."""

import random
from typing import Final

from regulations.cards import Card
from sim.angel_eye.settings import ShoeSettings
from sim.angel_eye.shoe import AngelEyeShoe, Out, Pulled
from sim.clock import Clock
from sim.felt import Felt
from sim.wires.wire import Wire


class Hands:
    """Hands at a table with one shoe. Buttons, key and lamps are on ``shoe`` itself.

    Args:
        shoe: the shoe.
        felt: the table; holds all cards that are not in the shoe.
    """

    def __init__(self, shoe: AngelEyeShoe, felt: Felt) -> None:
        self.shoe: Final = shoe
        self.felt: Final = felt
        self.out: list[Out] = []
        """The cards pulled since the stack was last loaded, in order, each with what the shoe told of it."""
        self._cut_card_behind: int | None = None

    @property
    def last_card_in_hand(self) -> Card | None:
        """The card that was pulled last; ``None`` if none was since the stack was loaded."""
        return self.out[-1].card if self.out else None

    @property
    def cards_are_complete(self) -> bool:
        """Whether shoe, table and discard rack together hold exactly the decks that came to the table."""
        return self.felt.is_complete(self.shoe.cards)

    # --- the stack --------------------------------------------------------------------------------------------------

    def shuffle(self, rng: random.Random) -> None:
        """Gather all cards, from the shoe too, and shuffle them."""
        self.felt.gather(self.shoe.unload())
        rng.shuffle(self.felt.stack)
        self._cut_card_behind = None
        self.out = []

    def cut(self, rng: random.Random) -> None:
        """Cut the stack somewhere, both parts at least one card; with fewer than two there is nothing to cut."""
        stack = self.felt.stack
        if len(stack) > 1:
            at = rng.randrange(1, len(stack))
            self.felt.stack = stack[at:] + stack[:at]

    def place_cut_card(self, behind: int) -> None:
        """Put the cut card before the last ``behind`` cards, 0 to all."""
        self._cut_card_behind = behind

    def load(self) -> int:
        """Put the stack into the shoe; return how many cards it has."""
        stack, self.felt.stack = self.felt.stack, []
        self.shoe.load(stack, self._cut_card_behind)
        return len(stack)

    # --- cards ------------------------------------------------------------------------------------------------------

    def draw(self) -> Pulled:
        """Pull from the shoe and lay what comes on the table."""
        return self._lay(self.shoe.draw())

    def finish_draw(self) -> Pulled:
        """Pull the card that is half out, and lay it on the table."""
        return self._lay(self.shoe.finish_draw())

    def collect(self, keep: int = 0) -> None:
        """Put the cards on the table into the discard rack, but for the last ``keep``."""
        self.felt.collect(keep)

    def _lay(self, pulled: Pulled) -> Pulled:
        self.out += pulled.cards
        self.felt.laid += [out.card for out in pulled.cards]
        return pulled


def hands_at(wire: Wire, clock: Clock, decks: int, settings: ShoeSettings | None = None) -> Hands:
    """A shoe at the end of a wire, a table with ``decks`` decks, and hands for both. The shoe is off and empty.

    Args:
        wire: the line to the host.
        clock: the time it all lives in.
        decks: decks of 52 cards, at least 1.
        settings: the shoe's menu; by default it burns one card per deck.
    """
    shoe = AngelEyeShoe(clock, wire.send, settings or ShoeSettings(burn_cards=decks))
    wire.listen(shoe.receive)
    return Hands(shoe, Felt(decks))
