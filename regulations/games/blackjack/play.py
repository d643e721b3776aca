"""The hands of a round as they are played (56/2004 arts. 5.º, 6.º)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, cast

from regulations.events.cards import Card, Rank, rank_of
from regulations.events.vocabulary import DecisionAction
from regulations.games.blackjack.decisions import ACTIONS, HandView, choices_of, has_choice, is_free
from regulations.games.blackjack.law import art
from regulations.games.blackjack.ranking import (
    INITIAL_CARDS,
    TWENTY_ONE,
    is_ace,
    is_bust,
    is_special,
    low_points_of,
)
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import CardOwner, CardPosition, DrawnCard
from regulations.play.context.hands import Hands

BANK: Final = CardOwner("croupier")
_DOUBLED_SIZE: Final = INITIAL_CARDS + 1
Ended = Literal["surrendered", "half_paid", "even_money"]


@dataclass(slots=True, kw_only=True)
class SeatHand:
    """A hand of a seat.

    Attributes:
        number: within the seat, from 1; it never changes.
    """

    seat: int
    bettors: frozenset[int]
    number: int = 1
    splits: int = 0
    of_aces: bool = False
    is_doubled: bool = False
    is_finished: bool = False
    has_decided: bool = False
    ended: dict[int, Ended] = field(default_factory=dict)
    owner: CardOwner = field(init=False)

    def __post_init__(self) -> None:
        self.owner = CardOwner("seat", self.seat, self.number)

    @property
    def is_split(self) -> bool:
        return self.splits > 0

    @property
    def playing(self) -> frozenset[int]:
        """The bettors whose wagers no decision has ended."""
        return self.bettors.difference(self.ended)


class SeatHands:
    def __init__(self, context: RuleContext, laid: Hands) -> None:
        self._context: Final = context
        self._laid: Final = laid
        self._hands: dict[tuple[int, int], SeatHand]
        self.initial: dict[int, list[DrawnCard]]
        self.third: dict[int, Card]
        self.insured: set[tuple[int, int]]
        self.declined: set[tuple[int, Rank]]
        self.more_cards: bool
        self._dealt: SeatHand | None
        self.clear()

    def begin(self, seats: Sequence[int], bettors: Mapping[int, set[int]]) -> None:
        self._hands = {(seat, 1): SeatHand(seat=seat, bettors=frozenset(bettors[seat])) for seat in seats}

    def clear(self) -> None:
        self._hands, self._dealt = {}, None
        self.initial, self.third, self.insured, self.declined = {}, {}, set(), set()
        self.more_cards = False

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def hands(self) -> Collection[SeatHand]:
        return self._hands.values()

    def find(self, seat: int, number: int) -> SeatHand | None:
        return self._hands.get((seat, number))

    def hand(self, seat: int, number: int) -> SeatHand:
        return self._hands[seat, number]

    def size(self, hand: SeatHand) -> int:
        return self._laid.size(hand.owner)

    def cards(self, hand: SeatHand) -> list[Card]:
        return self._laid.cards(hand.owner)

    def is_hidden(self, hand: SeatHand) -> bool:
        return self._laid.hides_any(hand.owner)

    @property
    def bank(self) -> list[Card]:
        """The croupier's open cards."""
        return self._laid.open_cards(BANK)

    def shown_at_once_by(self, hand: SeatHand) -> str | None:
        if not self.is_hidden(hand):
            return None
        # No card of a split hand is hidden: the pair was shown before, and what came after lies open. One that nobody
        # knows counts at least 1: with 21 in three others the hand is bust, and has no special prize.
        cards = self.cards(hand)
        if low_points_of(cards) + self.size(hand) - len(cards) > TWENTY_ONE:
            return art("6.º-2")
        return art("15.º") if is_special(cards) else None

    def at_once(self, hand: SeatHand) -> Literal["bust", "special"] | None:
        if self.is_hidden(hand):
            return None
        cards = self.cards(hand)
        if is_special(cards):
            return "special"
        return "bust" if is_bust(cards) else None

    def is_over(self, hand: SeatHand) -> bool:
        return not hand.playing or self.at_once(hand) is not None

    def may_insure(self, hand: SeatHand) -> bool:
        """Before the seat's first decision, or any (reading J28)."""
        if hand.number > 1 or hand.has_decided:
            return False
        together = self._context.deal.options["insurance_asked"] == "together"
        return not (together and any(one.has_decided or one.ended for one in self.hands))

    def view(self, hand: SeatHand, bettor: int | None = None, *, to_offer: bool) -> HandView:
        """The hand, as far as it is known."""
        cards, size, hidden = self.cards(hand), self.size(hand), self.is_hidden(hand)
        is_known = len(cards) == size and not (to_offer and hidden)
        shown = [card for drawn in self._laid.of(hand.owner) if (card := drawn.shown) is not None]
        asking = hand.playing if bettor is None else {bettor}
        is_open = size == INITIAL_CARDS and not hidden
        seat, hands = hand.seat, 0
        for owner, _ in self._hands:
            hands += owner == seat
        return HandView(
            size=size,
            is_hidden=hidden,
            cards=cards if is_known else None,
            least=low_points_of(shown) + size - len(shown),
            is_split=hand.is_split,
            of_aces=hand.of_aces,
            hands=hands,
            may_insure=self.may_insure(hand),
            is_insured=all((seat, one) in self.insured for one in asking),
            declined=is_open and (seat, rank_of(cards[0])) in self.declined,
            bank=self.bank[0],
            more_cards=self.more_cards,
            options=self._context.deal.options,
        )

    def choices(self, hand: SeatHand, bettor: int | None, of: Sequence[DecisionAction] = ACTIONS) -> list[str]:
        """The decisions, of these, that a bettor on the hand is offered."""
        return choices_of(self.view(hand, bettor, to_offer=True), of)

    def may_hit(self, hand: SeatHand) -> bool:
        return is_free("hit", self.view(hand, to_offer=True))

    def is_finished(self, hand: SeatHand) -> bool:
        if hand.is_finished or self.is_over(hand):
            return True
        size = self.size(hand)
        if hand.is_doubled:
            return size >= _DOUBLED_SIZE
        # A natural against an ace is offered even money with its insurance, so this asks it as well.
        return size >= INITIAL_CARDS and not has_choice(self.view(hand, to_offer=True))

    def current(self) -> SeatHand | None:
        """The hand whose turn it is."""
        for hand in self._hands.values():
            if not hand.is_finished:
                if not self.is_finished(hand):
                    return hand
                hand.is_finished = True
        return None

    def to_show_at_once(self) -> SeatHand | None:
        hand = cast("SeatHand", self._dealt)  # cards are shown after the deal
        return hand if self.shown_at_once_by(hand) else None

    def to_show(self) -> SeatHand | None:
        first = self._laid.first_hidden()
        return self.to_show_at_once() or (None if first is None else self.find(first.seat, first.hand))

    # --- places ------------------------------------------------------------------------------------------------------

    def next_place(self, hand: SeatHand) -> CardPosition:
        return CardPosition("seat", self.size(hand) + 1, hand.seat, hand.number)

    def next_of_bank(self) -> CardPosition:
        return CardPosition("croupier", self._laid.size(BANK) + 1)

    # --- playing -----------------------------------------------------------------------------------------------------

    def record_card(self, place: CardPosition) -> None:
        if place.to != "seat":
            return
        self._dealt = hand = self.hand(place.seat, place.hand)
        drawn = self._laid.of(hand.owner)
        if not hand.is_split and len(drawn) <= INITIAL_CARDS:
            self.initial[hand.seat] = list(drawn)
        else:
            self.more_cards = True
        if hand.is_split:
            # The seat's first card after the split is its first hand's second: hands play in order, and it lies open.
            self.third.setdefault(hand.seat, self.cards(hand)[1])

    def play_on(self, hand: SeatHand) -> None:
        if not self.is_hidden(hand) and is_free("split", self.view(hand, to_offer=True)):
            self.declined.update((hand.seat, rank_of(card)) for card in self.cards(hand))
        hand.has_decided = True
        self._laid.concerned = hand.owner

    def end(self, hand: SeatHand, bettors: Iterable[int], how: Ended) -> None:
        hand.ended.update(dict.fromkeys(bettors, how))
        self._laid.concerned = hand.owner

    def split(self, hand: SeatHand) -> SeatHand:
        number = 1 + max(other.number for other in self.hands if other.seat == hand.seat)
        first, _ = self.cards(hand)
        aces = is_ace(first)
        hand.splits += 1
        hand.of_aces, hand.has_decided = aces, True
        new = SeatHand(seat=hand.seat, bettors=hand.playing, number=number, splits=hand.splits, of_aces=aces)
        self._laid.move(hand.owner, INITIAL_CARDS - 1, CardPosition("seat", 1, new.seat, new.number))
        self._hands = dict(sorted({**self._hands, (new.seat, number): new}.items()))
        return new
