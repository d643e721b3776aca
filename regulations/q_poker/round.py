"""One q poker table's rounds: the actor behind the rows of :mod:`regulations.q_poker.rows`."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import UNSET

from regulations.desk import Desk
from regulations.drawn import Owner, Place
from regulations.events.outputs import Next
from regulations.events.results import PokerBettor, PokerCroupier, PokerSeat, QPokerResult
from regulations.events.vocabulary import Bet, WayOut
from regulations.irregularities import LATCHED, OpenIrregularity
from regulations.open_wager import OpenWager
from regulations.payouts import Payout, rule_for
from regulations.q_poker.antes import Antes
from regulations.q_poker.law import BETS, POSITIONS, ROUND_ARTICLES, art, cards_for
from regulations.q_poker.ranking import category_of, compared_by, plays, strength_of
from regulations.q_poker.settlement import Verdict
from regulations.q_poker.states import CROUPIER_HIDDEN, PHASES, RoundState
from regulations.round.ante_decisions import Bettor
from regulations.round.bets import BetLaw
from regulations.round.ledger import Decided
from regulations.round.seat_round import SeatRound
from regulations.rows import Row

R = RoundState
CROUPIER: Final = Owner("croupier")


def seat_owner(seat: int) -> Owner:
    """The owner of a seat's cards."""
    return Owner("seat", seat, 1)


class QPokerRound(SeatRound[RoundState]):
    """The rounds of one table, one after the other, on one long-lived machine.

    Args:
        desk: what the machines of the table share.
        rows: the rule table.
        payouts: the rules of settlement.
        round_over: called when a round is closed: the shoe game goes on.
    """

    _antes: Antes

    def __init__(
        self, desk: Desk, rows: Sequence[Row], payouts: Sequence[Payout[Verdict]], round_over: Callable[[], None]
    ) -> None:
        super().__init__(desk, rows, PHASES, ROUND_ARTICLES, BetLaw(bets=BETS, main="ante"), round_over)
        self._payouts: Final = payouts
        self._dealt_by: str

    def _parts(self) -> Sequence[object]:
        self._antes = Antes(self._desk)
        return (*super()._parts(), self._antes)

    # --- cards -------------------------------------------------------------------------------------------------------

    def due(self) -> Place | None:
        if self.state not in (R.OPENED, R.DEALING):
            return None
        return self.first_missing()

    def due_in_a_row(self) -> int:
        """Three to each hand, but from a shoe, where they come one at a time (art. 7.º)."""
        return self._missing_in_a_row()

    def dealing_order(self, seats: Sequence[int]) -> Sequence[Place]:
        """Art. 7.º: the hands from the left, the croupier's last; a card at a time from a shoe, else three."""
        owners = [*map(seat_owner, seats), CROUPIER]
        if self.deals_one_at_a_time():
            return [Place(to, position, seat, hand) for position in POSITIONS for to, seat, hand in owners]
        return [Place(to, position, seat, hand) for to, seat, hand in owners for position in POSITIONS]

    def called_by(self, place: Place) -> str:  # noqa: ARG002  # the equipment decides
        return self._dealt_by

    def say_next_in_round(self) -> None:
        if self.due() is not None:
            self.say_draw(art("7.º-1") if self.deals_one_at_a_time() else art("7.º-2"))
        elif self.state is R.SHOWING:
            seat = next(seat for seat in self._seats if self._hands.hidden(seat_owner(seat)))
            self._desk.say(Next(article=art("9.º-1"), do="reveal", to="seat", seat=seat, hand=1))
        elif (bettor := self._antes.next_to_decide) is not None:
            self._desk.say(
                Next(
                    article=art("9.º-2"),
                    do="decide",
                    seat=bettor.seat,
                    hand=1,
                    id=bettor.id if self._antes.shares_seat(bettor) else UNSET,
                    actions=list(self._antes.choices),
                )
            )
        else:
            self._desk.say(Next(article=art("9.º-3"), do="reveal", to="croupier"))

    # --- guards ------------------------------------------------------------------------------------------------------

    def deals_one_at_a_time(self) -> bool:
        """True if the cards are dealt one at a time, from a shoe (art. 7.º-1); a shuffler gives three (art. 7.º-2)."""
        return self._desk.equipment == "shoe"

    def too_few_cards(self) -> bool:
        """True if fewer cards are left than all hands take."""
        left, needed = self._desk.stack.left, cards_for(len(self._bets.asked[0]))
        return self._desk.finds(f"{left} are left, {needed} are needed" if left < needed else None)

    def hand_incomplete(self) -> bool:
        """True if a hand waits for a card."""
        return self.due() is not None

    def hand_face_down(self) -> bool:
        """True if a player's hand is still to be opened."""
        return any(self._hands.hidden(seat_owner(seat)) for seat in self._seats)

    def croupier_card_came_face_up(self) -> bool:
        """True if a card of the croupier's came out for all to see (art. 11.º-3)."""
        return bool(self._hands.open_cards(CROUPIER))

    def shows_the_croupier(self) -> bool:
        """True if the event is about the croupier's cards."""
        return self._showing.owner == CROUPIER

    def exposes_nobody(self) -> bool:
        """True if nobody's cards are said to have been seen."""
        return not self._hands.size(self._showing.owner)

    # --- effects -----------------------------------------------------------------------------------------------------

    def take_bets(self) -> None:
        super().take_bets()
        self._antes.open(self._bets.asked[1])

    def lay_one(self) -> None:
        """Lays a card that a shoe gave (art. 7.º-1)."""
        self._dealt_by = art("7.º-1")
        self.lay_card()

    def lay_one_of_three(self) -> None:
        """Lays a card of the three that a shuffler gives at a time (art. 7.º-2)."""
        self._dealt_by = art("7.º-2")
        self.lay_card()

    def look(self) -> None:
        """Lets the rows judge the hands as they lie: all of them may have come out face up (art. 11.º-2)."""
        self.fire("shown")

    def settle_pair_plus(self) -> None:
        """All players' hands lie open: settles what they decide alone (art. 9.º-1)."""
        self._settle("pair_plus", art("9.º-1"))

    def play(self) -> None:
        """The bettor plays against the croupier (art. 9.º-2)."""
        self._antes.choose()

    def fold(self) -> None:
        """The bettor gives up, which decides the ante (art. 9.º-3)."""
        bettor = self._antes.choose()
        folded = [one for one in self._ledger.on(bettor.seat, "ante") if one.id == bettor.id]
        self._ledger.settle(map(self._decided, folded), art("9.º-3"))

    def go_on(self) -> None:
        """Lets the rows see what follows a decision."""
        self.fire("chosen")

    def decide(self) -> None:
        """Says the result and settles what it decides (art. 9.º)."""
        self._desk.say(self._result())
        self._settle("ante", ROUND_ARTICLES.settle)

    def _settle(self, bet: Bet, article: str) -> None:
        self._ledger.settle([self._decided(one) for one in self._ledger.open if one.bet == bet], article)

    def _decided(self, one: OpenWager) -> Decided:
        return one, rule_for(self._payouts, one.bet, self._verdict(Bettor(one.seat, one.id)))

    def _verdict(self, bettor: Bettor) -> Verdict:
        cards, croupier = self._hands.cards(seat_owner(bettor.seat)), self._hands.open_cards(CROUPIER)
        return Verdict(
            category=category_of(cards),
            folded=self._antes.has_folded(bettor),
            qualifies=plays(croupier) if croupier else None,
            # From one deck no two hands are equal (reading Q6).
            is_higher=bool(croupier) and max(croupier, cards, key=strength_of) is cards,
        )

    def _result(self) -> QPokerResult:
        cards = self._hands.open_cards(CROUPIER)
        return QPokerResult(
            article=ROUND_ARTICLES.settle,
            croupier=PokerCroupier(
                cards=cards,
                category=category_of(cards),
                qualifies=plays(cards),
                article=art("9.º-4" if plays(cards) else "9.º-5"),
            ),
            seats=[self._seat(seat) for seat in self._seats],
        )

    def _seat(self, seat: int) -> PokerSeat:
        cards = self._hands.open_cards(seat_owner(seat))
        outcomes = {bettor.id: self._verdict(bettor).outcome for bettor in self._antes.bettors_on(seat)}
        differ = len(set(outcomes.values())) > 1
        croupier = self._hands.open_cards(CROUPIER)
        return PokerSeat(
            seat=seat,
            cards=cards,
            category=category_of(cards),
            outcome=next(iter(outcomes.values()), UNSET),
            bettors=[PokerBettor(id=bettor, outcome=one) for bettor, one in outcomes.items()] if differ else UNSET,
            articles=compared_by(cards, croupier) if {"win", "lose"} & set(outcomes.values()) else UNSET,
        )

    def clear_game(self) -> None:
        self._antes.forget()

    # --- what goes wrong ---------------------------------------------------------------------------------------------

    def ways_out(self, irregularity: OpenIrregularity, ways: list[WayOut]) -> list[WayOut]:
        """Most of what goes wrong in a round leaves nothing but to void it (art. 11.º, readings Q10, Q12)."""
        if irregularity.code == "misdeal":
            # A hand on a place without a wager is void, and play goes on (art. 11.º-4); once the result is out a
            # correction must be refused before the round is void (reading G12).
            is_asked = len(self._seats) < self._desk.table.seats or self._desk.round_decided
            return [way for way in ways if way == "void" or (way == "reassign" and is_asked)]
        if irregularity.code in LATCHED and not irregularity.is_malfunction:
            # Art. 11.º-5 is about equipment that fails.
            return [way for way in ways if way != "void"]
        alone = irregularity.code == "card_not_due" or (irregularity.code in LATCHED and self.state is R.DEALING)
        return ["void"] if alone and "void" in ways else ways

    def hides_card(self) -> bool:
        """True if a card of the croupier's lies there before that hand is due to be opened (art. 11.º-3)."""
        return self.state in CROUPIER_HIDDEN and self._hands.size(CROUPIER) > 0

    def cannot_correct(self, struck: Sequence[int]) -> str | None:
        """Cards on a place without a wager are burned if no hand was shifted after them; else the round is void.

        Art. 11.º-4, reading Q10.
        """
        places = [place for _, place in self._order]
        counting = [index for index, one in enumerate(self._desk.record.came_out, start=1) if one.place in places]
        last = counting[len(counting) - len(struck) :]
        if struck and (self._desk.round_decided or sorted(struck) != last):
            return "only the last cards of the round, before its result, for they lie on places without a wager"
        return None
