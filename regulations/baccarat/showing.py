"""Turning cards face up: whose, and are they the cards that were dealt (55/2004 arts. 7.º-1, 16.º)?"""

from collections.abc import Callable
from typing import Final

from msgspec import UNSET

from regulations.baccarat.hands import Hands
from regulations.baccarat.law import art
from regulations.cards import Card
from regulations.desk import Desk
from regulations.drawn import Drawn
from regulations.events.inputs import Revealed
from regulations.events.outputs import Reveal
from regulations.events.vocabulary import Side


class Showing:
    """The hand that is to be shown; its questions are guards of the rule table.

    Args:
        desk: what the machines of the table share.
        hands: the hands on the table.
        turn: whose cards are to be shown now.
    """

    def __init__(self, desk: Desk, hands: Hands, turn: Callable[[], Side]) -> None:
        self._desk: Final = desk
        self._hands: Final = hands
        self._turn: Final = turn

    def _hidden(self) -> list[Drawn]:
        return self._hands.hidden(self._turn())

    def _named(self) -> list[Card] | None:
        """The cards that are named for those that are turned now, if any are."""
        event = self._desk.event
        if not isinstance(event, Revealed) or event.cards is UNSET:
            return None
        # A person may name the cards just turned or the whole hand.
        whole = len(event.cards) == self._hands.size(self._turn())
        return event.cards[-len(self._hidden()) :] if whole else event.cards

    def not_a_hand_of_baccarat(self) -> bool:
        """Whether somebody else's cards are shown."""
        event = self._desk.event
        return isinstance(event, Revealed) and event.who not in ("player", "banker")

    def other_hand_first(self) -> bool:
        """Whether the other hand must be shown now."""
        event, first = self._desk.event, self._turn()
        wrong = isinstance(event, Revealed) and event.who != first
        return self._desk.finds(f"the {first} hand" if wrong else None)

    def unseen_cards_not_named(self) -> bool:
        """Whether cards that nothing read are turned without being named."""
        return self._named() is None and any(drawn.card is None for drawn in self._hidden())

    def other_cards_named(self) -> bool:
        """Whether the named cards are not those that were dealt, or cannot be."""
        named, hidden, stack = self._named(), self._hidden(), self._desk.stack
        if named is None:
            return False
        if len(named) != len(hidden):
            return self._desk.finds(f"{len(named)} cards named, {len(hidden)} lie face down")
        unseen = [card for card, drawn in zip(named, hidden, strict=True) if drawn.card is None]
        for card, drawn in zip(named, hidden, strict=True):
            if drawn.card is not None and drawn.card != card:
                return self._desk.finds("report a misdeal if the device misread one")
            if drawn.card is None and stack.copies_out(card) + unseen.count(card) > stack.decks:
                return self._desk.finds(f"all {stack.decks} copies of {card} are out")
        return False

    def show_hand(self, side: Side) -> None:
        """Turns the hidden cards of a hand face up."""
        hidden = self._hands.hidden(side)
        event = self._desk.event
        if isinstance(event, Revealed) and event.cards is not UNSET:
            for drawn, card in zip(hidden, event.cards[-len(hidden) :], strict=True):
                if drawn.card is None:
                    drawn.card = card
                    self._desk.stack.identify(card)
        for drawn in hidden:
            drawn.is_open = True
        turned = [drawn.card for drawn in hidden if drawn.card is not None]
        third = self._hands.size(side) > 2  # noqa: PLR2004  # art. 16.º-2 speaks of the additional card
        self._desk.say(Reveal(article=art("16.º-2") if third else art("7.º-1"), who=side, cards=turned))
