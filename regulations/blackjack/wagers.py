"""The wagers of a round: who decides about them, when each is decided and by which rule (56/2004 arts. 9.º to 20.º)."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from regulations.blackjack.law import MOST_BETTORS, art
from regulations.blackjack.play import BANK, Play, SeatHand
from regulations.blackjack.ranking import INITIAL_CARDS, is_blackjack, is_bust, outcome_against, points_of
from regulations.blackjack.settlement import Verdict
from regulations.cards import Card, rank_of
from regulations.desk import Desk
from regulations.drawn import Drawn, Owner
from regulations.events.results import BlackjackCroupier, BlackjackHand, BlackjackResult, HandOutcome
from regulations.events.vocabulary import Bet
from regulations.hands import Hands
from regulations.open_wager import OpenWager
from regulations.payouts import Payout
from regulations.round.bets import Bets
from regulations.round.ledger import Decided, Ledger


class Wagers:
    """The wagers on the hands, and how they end; its questions are guards of the rule table.

    Args:
        desk: what the machines of the table share.
        play: the hands.
        laid: the cards on the table.
        bets: the wagers that are asked for.
        ledger: the wagers that lie.
        rule_for: the rule of settlement that decides a bet by a verdict.
    """

    def __init__(  # the parts of one round, all needed
        self,
        desk: Desk,
        play: Play,
        laid: Hands,
        bets: Bets,
        ledger: Ledger,
        rule_for: Callable[[Bet, Verdict], Payout[Verdict]],
    ) -> None:
        self._desk: Final = desk
        self._play: Final = play
        self._laid: Final = laid
        self._bets: Final = bets
        self._ledger: Final = ledger
        self._rule_for: Final = rule_for
        self._deciders: dict[int, int | None] = {}
        self._bettors: dict[int, set[int]] = {}
        self._later_pairs: Counter[Owner] = Counter()
        """How many later pairs were bet on each hand (reading J2)."""

    # --- several bettors on a seat (art. 20.º) -----------------------------------------------------------------------

    def fourth_bettor(self) -> bool:
        """True if more than three bettors bet on one seat, where the house has chosen art. 20.º-1(2) (reading J22)."""
        if self._desk.options["decider"] != "nearest_or_seated":
            return False
        bettors = _bettors_of(self._bets)
        crowded = next((seat for seat, ids in bettors.items() if len(ids) > MOST_BETTORS), None)
        return self._desk.finds(None if crowded is None else f"seat {crowded} has {len(bettors[crowded])}")

    def note_deciders(self) -> None:
        """Notes who decides on each seat: the seated bettor, whose id is the lowest, or the highest wager's.

        Where the table is not told the stakes, persons see whose wager is the highest: nobody is noted.
        """
        mains = [one for one in self._ledger.open if one.bet == "main"]
        self._bettors = {}
        self._later_pairs.clear()
        for one in mains:
            self._bettors.setdefault(one.seat, set()).add(one.id)
        self._deciders = {seat: min(ids) for seat, ids in self._bettors.items()}
        if self._desk.options["decider"] == "highest":
            for seat in self._bettors:
                highest = min((one for one in mains if one.seat == seat), key=lambda one: (-one.stake, one.id))
                self._deciders[seat] = highest.id if self._desk.is_tracked else None

    def bettors_on(self, seat: int) -> set[int]:
        """Who has a main wager on a seat."""
        return self._bettors.get(seat, set())

    def decider_on(self, seat: int) -> int | None:
        """Who decides on a seat that plays; ``None``: one of its bettors, by a wager that the table is not told."""
        return self._deciders[seat]

    def stake_on(self, hand: SeatHand) -> int:
        """The decider's own stake on a hand."""
        decider, mains = self.decider_on(hand.seat), self._ledger.on(hand.seat, "main", hand.number)
        return next(one.stake for one in mains if decider in (None, one.id))

    # --- putting down more -------------------------------------------------------------------------------------------

    def double(self, hand: SeatHand) -> None:
        """Every wager on the hand is doubled (art. 17.º)."""
        for one in self._ledger.on(hand.seat, "main", hand.number):
            one.stake += one.original

    def split(self, hand: SeatHand, new: SeatHand, bettor: int, any_pair: int | None) -> None:
        """Every wager on the hand is put down on the new hand once more (art. 16.º-2).

        Args:
            hand: the hand that was split.
            new: the new hand.
            bettor: who decided it.
            any_pair: the stake on the next pair of the hand that was split (reading J2).
        """
        for one in self._ledger.on(hand.seat, "main", hand.number):
            self._ledger.put(one.seat, "main", one.id, stake=one.original, hand=new.number)
        if any_pair is not None:
            self._later_pairs[hand.owner] += 1
            number = self._later_pairs[hand.owner]
            self._ledger.put(hand.seat, "any_pair", bettor, stake=any_pair, hand=hand.number, pair=number)

    def insure(self, hand: SeatHand, bettor: int, amount: int) -> None:
        """The decider insures the wager (art. 12.º-1)."""
        self._ledger.put(hand.seat, "insurance", bettor, stake=amount)

    @property
    def anything_left(self) -> bool:
        """True if a hand or an insurance is left for the croupier's hand to decide (reading J11)."""
        return any(one.bet in ("main", "insurance") for one in self._ledger.open)

    # --- what is decided ---------------------------------------------------------------------------------------------

    def settle_decided(self) -> None:
        """Settles what is decided before the result."""
        self._settle([(one, verdict) for one in self._ledger.open if (verdict := self._verdict(one)) is not None])

    def settle_all(self) -> None:
        """Settles what the result decides: every hand that is left, and an insurance decided with it."""
        found = [(one, self._verdict(one) or self._against_bank(self._hand_of(one))) for one in self._ledger.open]
        self._settle(found)

    def _settle(self, verdicts: Sequence[tuple[OpenWager, Verdict]]) -> None:
        decided: list[Decided] = [(one, self._rule_for(one.bet, verdict)) for one, verdict in verdicts]
        if decided:
            self._ledger.settle(decided, decided[0][1].article)

    def _verdict(self, one: OpenWager) -> Verdict | None:
        """The facts that decide a wager already now, if any do."""
        if one.bet == "main":
            outcome = self._play.at_once(self._hand_of(one))
            return None if outcome is None else Verdict(outcome=outcome)
        if one.bet == "insurance":
            bank = self._play.bank
            return Verdict(croupier=bank) if len(bank) >= INITIAL_CARDS else None
        cards = self._cards_of_side(one)
        return None if cards is None else Verdict(cards=cards)

    def _cards_of_side(self, one: OpenWager) -> list[Card] | None:
        """The cards that decide a side wager, once they lie open (arts. 13.º, 14.º)."""
        if one.bet == "any_pair" and self._hand_of(one).is_split:
            return _open(self._laid.of(self._hand_of(one).owner))
        cards = _open(self._play.initial.get(one.seat, []))
        if one.bet != "sevens" or cards is None or any(rank_of(card) != "7" for card in cards):
            return cards
        hand = self._hand_of(one)
        if not hand.is_split:
            return cards if hand.has_decided else None
        third = self._play.third.get(one.seat)
        return None if third is None else [*cards, third]

    def _hand_of(self, one: OpenWager) -> SeatHand:
        return self._play.hand(one.seat, one.hand)

    def _against_bank(self, hand: SeatHand) -> Verdict:
        cards, bank = self._play.cards(hand), self._laid.cards(BANK)
        return Verdict(
            outcome=outcome_against(cards, bank, is_split=hand.is_split),
            hand=cards,
            croupier=bank,
            is_doubled=hand.is_doubled,
            is_limited=self._desk.options["croupier_blackjack_against_double"] == "loses_original",
        )

    def result(self) -> BlackjackResult:
        """The verdict on the round as it lies."""
        bank = self._laid.cards(BANK)
        return BlackjackResult(
            article=art("9.º"),
            croupier=BlackjackCroupier(
                cards=bank, points=points_of(bank), blackjack=is_blackjack(bank), bust=is_bust(bank)
            ),
            hands=[
                BlackjackHand(
                    seat=hand.seat,
                    hand=hand.number,
                    cards=self._play.cards(hand),
                    points=points_of(self._play.cards(hand)),
                    outcome=self._outcome(hand, bank),
                )
                for hand in self._play.hands
            ],
        )

    def _outcome(self, hand: SeatHand, bank: Sequence[Card]) -> HandOutcome:
        at_once = self._play.at_once(hand)
        return at_once or outcome_against(self._play.cards(hand), bank, is_split=hand.is_split)


def _open(drawn: Sequence[Drawn]) -> list[Card] | None:
    """The first two of these cards, if they are there and lie open."""
    first = drawn[:INITIAL_CARDS]
    cards = [card.shown for card in first if card.shown is not None]
    return cards if len(cards) == INITIAL_CARDS else None


def _bettors_of(bets: Bets) -> dict[int, set[int]]:
    _, wagers = bets.asked
    found: dict[int, set[int]] = {}
    for wager in wagers:
        found.setdefault(wager.seat, set()).add(wager.id)
    return found
