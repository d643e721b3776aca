"""Wagers of a round: who decides, when, by which rule (56/2004 arts. 9.º–20.º)."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, cast

from msgspec import UNSET

from regulations.engine.rows import Found
from regulations.events.cards import Card, rank_of
from regulations.events.outputs import BettorActions
from regulations.events.vocabulary import Bet
from regulations.games.blackjack.decisions import ACTIONS, EARLY, OWN
from regulations.games.blackjack.law import art
from regulations.games.blackjack.play import BANK, SeatHand, SeatHands
from regulations.games.blackjack.ranking import INITIAL_CARDS, is_blackjack, is_bust, outcome_against, points_of
from regulations.games.blackjack.result import (
    BlackjackBettor,
    BlackjackCroupier,
    BlackjackHand,
    BlackjackResult,
    HandOutcome,
)
from regulations.games.blackjack.settlement import SettlementFacts
from regulations.law.payouts import Payout
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import CardOwner, DrawnCard
from regulations.play.context.hands import Hands
from regulations.play.context.open_wager import OpenWager
from regulations.play.rounds.bets import SeatBetGuards
from regulations.play.rounds.ledger import Decided, Ledger


class WagerRules:
    def __init__(  # the parts of one round, all needed
        self,
        context: RuleContext,
        play: SeatHands,
        laid: Hands,
        bets: SeatBetGuards,
        ledger: Ledger,
        rule_for: Callable[[Bet, SettlementFacts], Payout[SettlementFacts]],
    ) -> None:
        self._context: Final = context
        self._play: Final = play
        self._laid: Final = laid
        self._bets: Final = bets
        self._ledger: Final = ledger
        self._rule_for: Final = rule_for
        self._deciders: dict[int, int | None] = {}
        self._bettors: dict[int, set[int]] = {}
        self._later_pairs: Counter[CardOwner] = Counter()

    # --- several bettors on a seat (art. 20.º) -----------------------------------------------------------------------

    def fourth_bettor(self) -> Found:
        options = self._context.deal.options
        most, on_seats = options["bettors_at_most"], ((seat, len(ids)) for seat, ids in _bettors_of(self._bets).items())
        found = (f"seat {seat} has {n}, at most {most}" for seat, n in on_seats if n > most)
        return options["decider"] == "nearest_or_seated" and next(found, "")

    def set_deciders(self) -> None:
        mains = [one for one in self._ledger.open if one.bet == "main"]
        self._bettors = {}
        self._later_pairs.clear()
        for one in mains:
            self._bettors.setdefault(one.seat, set()).add(one.id)
        self._deciders = {seat: min(ids) for seat, ids in self._bettors.items()}
        if self._context.deal.options["decider"] == "highest":
            for seat, ids in self._bettors.items():
                highest = min((one for one in mains if one.seat == seat), key=lambda one: (-one.stake, one.id))
                self._deciders[seat] = highest.id if self._context.deal.is_tracked or len(ids) == 1 else None

    @property
    def bettors(self) -> dict[int, set[int]]:
        """Bettors with a main wager, by seat."""
        return self._bettors

    def bettors_on(self, seat: int) -> set[int]:
        return self._bettors.get(seat, set())

    def decider_on(self, hand: SeatHand) -> int | None:
        if self.each_decides and hand.playing:
            return min(hand.playing)
        return self._deciders[hand.seat]

    @property
    def each_decides(self) -> bool:
        return bool(self._context.deal.options["decider"] == "nearest_or_seated")

    def is_own(self, action: str) -> bool:
        return action == "insurance" or (action in OWN and self.each_decides)

    def others_asked(self) -> list[BettorActions]:
        play, found = self._play, list[BettorActions]()
        current = cast("SeatHand", play.current())  # a prompt asks it
        kinds = [one for one in EARLY if self._comes_early(one)]
        for hand in play.hands if kinds else (current,):
            if hand.is_finished:
                continue
            decider = self.decider_on(hand)
            for bettor in sorted(hand.playing):
                if hand is current and decider in (None, bettor):
                    continue
                open_to = play.choices(hand, bettor, ACTIONS if hand is current else kinds)
                actions = [one for one in open_to if self.is_own(one) or decider in (None, bettor)]
                if actions:
                    found.append(BettorActions(seat=hand.seat, hand=hand.number, id=bettor, actions=actions))
        return found

    def is_early(self, action: str, hand: SeatHand) -> bool:
        play = self._play
        waits = action == "insurance" or (hand is not play.current() and not play.is_finished(hand))
        return waits and self._comes_early(action)

    def _comes_early(self, action: str) -> bool:
        options = self._context.deal.options
        if action == "insurance":
            return bool(options["insurance_asked"] == "together")
        return action == "surrender" and options["surrender_before"] == "any_card" and not self._play.more_cards

    def stake_on(self, hand: SeatHand, bettor: int) -> int:
        return next(one.stake for one in self._ledger.on(hand.seat, "main", hand.number) if one.id == bettor)

    # --- putting down more -------------------------------------------------------------------------------------------

    def double(self, hand: SeatHand) -> None:
        for one in self._ledger.on(hand.seat, "main", hand.number):
            one.stake += one.original

    def split(self, hand: SeatHand, new: SeatHand, bettor: int, any_pair: int | None) -> None:
        for one in self._ledger.on(hand.seat, "main", hand.number):
            self._ledger.put(one.seat, "main", one.id, stake=one.original, hand=new.number)
        if any_pair is not None:
            self._later_pairs[hand.owner] += 1
            number = self._later_pairs[hand.owner]
            self._ledger.put(hand.seat, "any_pair", bettor, stake=any_pair, hand=hand.number, pair=number)

    def insure(self, hand: SeatHand, bettor: int, amount: int) -> None:
        """A bettor insures the own wager (art. 12.º-1)."""
        self._ledger.put(hand.seat, "insurance", bettor, stake=amount)

    @property
    def anything_left(self) -> bool:
        return self.hand_left or any(one.bet == "insurance" for one in self._ledger.open)

    @property
    def hand_left(self) -> bool:
        return any(one.bet == "main" for one in self._ledger.open)

    # --- what is decided ---------------------------------------------------------------------------------------------

    def settle_decided(self) -> None:
        seat = self._laid.concerned.seat
        concerned = [one for one in self._ledger.open if (one.seat == seat if seat else one.bet == "insurance")]
        self._settle([(one, verdict) for one in concerned if (verdict := self._verdict(one)) is not None])

    def settle_all(self) -> None:
        self._settle([(one, self._against_bank(self._hand_of(one))) for one in self._ledger.open])

    def _settle(self, verdicts: Sequence[tuple[OpenWager, SettlementFacts]]) -> None:
        decided: list[Decided] = [(one, self._rule_for(one.bet, verdict)) for one, verdict in verdicts]
        if decided:
            self._ledger.settle(decided, decided[0][1].article)

    def _verdict(self, one: OpenWager) -> SettlementFacts | None:
        if one.bet == "main":
            hand = self._hand_of(one)
            outcome = hand.ended.get(one.id) or self._play.at_once(hand)
            return None if outcome is None else SettlementFacts(outcome=outcome)
        if one.bet == "insurance":
            bank = self._play.bank
            return SettlementFacts(croupier=bank) if len(bank) >= INITIAL_CARDS else None
        cards = self._cards_of_side(one)
        return None if cards is None else SettlementFacts(cards=cards)

    def _cards_of_side(self, one: OpenWager) -> list[Card] | None:
        if one.bet == "any_pair" and self._hand_of(one).is_split:
            return _open(self._laid.of(self._hand_of(one).owner))
        cards = _open(self._play.initial.get(one.seat, []))
        if one.bet != "sevens" or cards is None or any(rank_of(card) != "7" for card in cards):
            return cards
        hand = self._hand_of(one)
        if not hand.is_split:
            return cards if hand.has_decided or self._play.is_over(hand) else None
        third = self._play.third.get(one.seat)
        return None if third is None else [*cards, third]

    def _hand_of(self, one: OpenWager) -> SeatHand:
        return self._play.hand(one.seat, one.hand)

    def _against_bank(self, hand: SeatHand) -> SettlementFacts:
        cards, bank = self._play.cards(hand), self._laid.cards(BANK)
        return SettlementFacts(
            outcome=outcome_against(cards, bank, is_split=hand.is_split),
            hand=cards,
            croupier=bank,
            is_doubled=hand.is_doubled,
            is_limited=self._context.deal.options["croupier_blackjack_against_double"] == "loses_original",
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
                    outcome=next((one.outcome for one in ended if one.id in hand.playing), ended[0].outcome),
                    bettors=ended if len({one.outcome for one in ended}) > 1 else UNSET,
                )
                for hand in self._play.hands
                for ended in (self._outcomes(hand, bank),)
            ],
        )

    def _outcomes(self, hand: SeatHand, bank: Sequence[Card]) -> list[BlackjackBettor]:
        at_once = self._play.at_once(hand)
        cards: HandOutcome = at_once or outcome_against(self._play.cards(hand), bank, is_split=hand.is_split)
        return [BlackjackBettor(id=bettor, outcome=hand.ended.get(bettor, cards)) for bettor in sorted(hand.bettors)]


def _open(drawn: Sequence[DrawnCard]) -> list[Card] | None:
    first = drawn[:INITIAL_CARDS]
    cards = [card.shown for card in first if card.shown is not None]
    return cards if len(cards) == INITIAL_CARDS else None


def _bettors_of(bets: SeatBetGuards) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for wager in bets.asked.wagers:
        found.setdefault(wager.seat, set()).add(wager.id)
    return found
