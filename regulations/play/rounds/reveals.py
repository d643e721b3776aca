"""Turning cards face up: whose, and whether they are the cards dealt."""

from typing import Final, cast

from msgspec import UNSET

from regulations.engine.rows import Found
from regulations.events.cards import Card
from regulations.events.inputs import Exposed, Revealed
from regulations.events.outputs import Reveal
from regulations.events.vocabulary import Holder
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import CardOwner, DrawnCard
from regulations.play.context.hands import Hands
from regulations.play.context.record import owner_of
from regulations.play.context.turn import Subject


class RevealRules:
    def __init__(self, context: RuleContext, hands: Hands) -> None:
        self._context: Final = context
        self._hands: Final = hands

    @property
    def owner(self) -> CardOwner:
        """The owner of the hand in the event; default: the seat's first hand."""
        # Rows ask it of these two kinds of event alone.
        return owner_of(cast("Revealed | Exposed", self._context.scope.turn.event))

    def _hidden(self) -> list[DrawnCard]:
        return self._hands.hidden(self.owner)

    def _named(self) -> list[Card] | None:
        event = self._context.event_as(Revealed)
        if event.cards is UNSET:
            return None
        hand = self._hands.of(self.owner)
        # A person may name the cards just turned or the whole hand, its open cards as they lie.
        whole = len(event.cards) == len(hand) and all(
            drawn.card == card for card, drawn in zip(event.cards, hand, strict=True) if drawn.is_open
        )
        if not whole:
            return event.cards
        return [card for card, drawn in zip(event.cards, hand, strict=True) if not drawn.is_open]

    # --- guards ------------------------------------------------------------------------------------------------------

    def shows_no_hand(self) -> str | None:
        return None if self.owner in self._hands else f"{_who(self.owner)} has no cards"

    def shows_open_cards(self) -> str | None:
        return None if self._hidden() else f"{_who(self.owner)}: all cards lie open"

    def unseen_cards_not_named(self) -> bool:
        return self._named() is None and any(drawn.card is None for drawn in self._hidden())

    def other_cards_named(self) -> Found:
        named = self._named()
        return named is not None and self._speaks_against(named)

    def _speaks_against(self, named: list[Card]) -> str | None:
        hidden, stack = self._hidden(), self._context.scope.stack
        if len(named) != len(hidden):
            return f"{len(named)} cards named, {len(hidden)} lie face down"
        for card, drawn in zip(named, hidden, strict=True):
            if drawn.card is not None and drawn.card != card:
                return "report a misdeal if the device misread one"
            if drawn.card is None and stack.copies_open(card) + named.count(card) > stack.decks:
                # A copy that lies face down elsewhere does not count: to refuse would tell of it (reading G8).
                return f"more copies of {card} than the decks hold would lie open"
        return None

    def turns_surplus(self) -> Subject | None:
        drawn = self._surplus()
        return None if drawn is None else Subject(card=drawn, why="it lies open already")

    def _surplus(self) -> DrawnCard | None:
        stack, hidden = self._context.scope.stack, self._hidden()
        cards = [drawn.card for drawn in hidden]
        return next(
            (
                drawn
                for drawn, card in zip(hidden, cards, strict=True)
                if card is not None and stack.copies_open(card) + cards.count(card) > stack.decks
            ),
            None,
        )

    # --- effects -----------------------------------------------------------------------------------------------------

    def show_surplus(self) -> None:
        cast("DrawnCard", self._surplus()).is_open = True

    def turn(self, article: str) -> None:
        """Turns the owner's hidden cards and says which they are."""
        owner, hidden, named = self.owner, self._hidden(), self._named()
        for drawn, card in zip(hidden, named or (), strict=named is not None):
            if drawn.card is None:
                self._context.scope.stack.name(drawn, card)
        for drawn in hidden:
            drawn.is_open = True
        self._hands.concerned = owner
        turned = [drawn.card for drawn in hidden if drawn.card is not None]
        self._context.emit(
            Reveal(
                article=article,
                who=cast("Holder", owner.to),
                seat=owner.seat or UNSET,
                hand=owner.hand or UNSET,
                cards=turned,
            )
        )


def _who(owner: CardOwner) -> str:
    return f"seat {owner.seat} hand {owner.hand}" if owner.to == "seat" else owner.to
