"""A dealer without clock or devices: one shoe of any game through the law."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from cardshoe.cli.campaign.games import PLAYED
from cardshoe.cli.campaign.games.played_game import RoundRead
from cardshoe.cli.campaign.totals import STAKE, ShoeTotals
from regulations.events.cards import Card
from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardDrawn,
    Cut,
    CutCard,
    CutCardPlaced,
    Decision,
    Loaded,
    Revealed,
    RoundClosed,
    ShoeEnded,
    Shuffled,
    Table,
    Wager,
)
from regulations.events.outputs import AnyOutput, Irregularity, Next, Refused, Settled
from regulations.law.rulebook import Rulebook
from regulations.procedure.procedure import Procedure

DECLINES: Final = "stand"
"""Declines offers without a strategy: insurance, even money."""

Answers = Callable[[AnyInput], Sequence[AnyOutput]]


class Dealer:
    def __init__(
        self, table: Table, cards: Sequence[Card], strategy: str = "", rulebook: Rulebook | None = None
    ) -> None:
        self._played: Final = PLAYED[table.game]
        self._strategy: Final = strategy or next(iter(self._played.strategies), "")
        self._table: Final = table
        self._rulebook: Final = rulebook
        self._cards: Final = cards
        self._out = 0
        self._is_cut = False
        self._carried: set[tuple[int, str]] = set()
        self._round: RoundRead | None = None
        self._began = 0
        self._decisions: dict[tuple[int, int], list[str]] = {}
        self._paid: Counter[tuple[int, str]] = Counter()
        self._totals: Final = ShoeTotals(self._played.rounds)

    def play(self) -> ShoeTotals:
        """Deal until the law asks for the next shuffle."""
        procedure = Procedure(self._table, self._rulebook)
        return self.play_with(procedure.opening, procedure.apply)

    def play_with(self, opening: Sequence[AnyOutput], answers: Answers) -> ShoeTotals:
        answer, has_begun = opening, False
        while True:
            for one in answer:
                if isinstance(one, Settled):
                    self._note(one)
            if any(isinstance(one, (Refused, Irregularity)) for one in answer):
                raise RuntimeError(f"the law did not accept an input of a campaign: {answer}")
            asked = answer[-1]
            if not isinstance(asked, Next) or (has_begun and asked.do == "shuffle"):
                return self._totals
            has_begun |= asked.do == "load"
            answer = answers(self._answer_to(asked))

    def _answer_to(self, asked: Next) -> AnyInput:
        match asked.do:
            case "draw" | "burn" | "close_bets" if self._comes_cut_card():
                return _CUT_CARD
            case "draw":
                if self._round is None:
                    self._begin_round()
                self._out += 1
                return _card(self._cards[self._out - 1])
            case "decide":
                return self._decide(asked)
            case "reveal":
                return Revealed(who=asked.to or "seat", seat=asked.seat, hand=asked.hand, origin="person")
            case "burn":
                self._out += 1
                return _UNSEEN
            case "close_round":
                self._end_round()
                return _ROUND_CLOSED
            case _:
                return self._between_rounds(asked)

    def _between_rounds(self, asked: Next) -> AnyInput:
        match asked.do:
            case "close_bets" if asked.seats_at_most and asked.seats_at_most < self._played.wagers[-1][0]:
                return ShoeEnded(reason="too_few_cards", origin="person")
            case "close_bets":
                return self._wagers()
            case "shuffle":
                return Shuffled(by="croupier", origin="person")
            case "cut":
                return Cut(by=self._played.cut_by, origin="person")
            case "place_cut_card":
                return CutCardPlaced(behind=self._played.behind, origin="person")
            case "load":
                return Loaded(cards=len(self._cards), origin="person")
            case _:
                raise RuntimeError(f"a campaign does not know what the law asks: {asked}")

    def _comes_cut_card(self) -> bool:
        if self._is_cut or not self._played.behind or len(self._cards) - self._out > self._played.behind:
            return False
        self._is_cut = True
        return True

    def _wagers(self) -> BetsClosed:
        wagers = self._played.wagers
        fresh = [Wager(seat=seat, bet=bet, stake=STAKE) for seat, bet in wagers if (seat, bet) not in self._carried]
        return BetsClosed(seats=sorted({seat for seat, _ in wagers}), wagers=fresh, origin="person")

    def _begin_round(self) -> None:
        self._round = self._played.read(self._cards[self._out :], self._strategy)
        self._began = self._out
        self._decisions = {hand: [*wishes] for hand, wishes in self._round.decisions.items()}

    def _decide(self, asked: Next) -> Decision:
        seat, hand = asked.seat or 1, asked.hand or 1
        wishes, offered = self._decisions.get((seat, hand), []), asked.actions or [DECLINES]
        wish = wishes.pop(0) if wishes else DECLINES
        if wish not in offered:
            self._totals.count_wrong(f"decision: {wish} is not offered, only {', '.join(offered)}")
            wish = offered[0]
        return Decision(seat=seat, hand=hand, action=wish, origin="person")

    def _note(self, settled: Settled) -> None:
        for one in settled.wagers:
            place = (one.seat or 1, one.bet)
            self._paid[place] += int(one.net or 0)
            (self._carried.add if one.is_carried else self._carried.discard)(place)

    def _end_round(self) -> None:
        read, self._round = self._round, None
        if read is None:
            raise RuntimeError("the law ends a round without a card")
        dealt = self._out - self._began
        if dealt != read.cards:
            self._totals.count_wrong(f"cards: {dealt} were dealt where {read.cards} are due: {read.way}")
        for wishes in self._decisions.values():
            for wish in wishes:
                self._totals.count_wrong(f"decision: {wish} was not asked")
        self._totals.count_round(read, self._paid)
        self._paid.clear()


@cache
def _card(card: Card) -> CardDrawn:
    return CardDrawn(card=card, origin="person")


_UNSEEN: Final = CardDrawn(card=None, unseen=True, origin="person")
_CUT_CARD: Final = CutCard(origin="person")
_ROUND_CLOSED: Final = RoundClosed(origin="person")
