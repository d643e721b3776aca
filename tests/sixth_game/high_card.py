"""High card, a game that no package knows: an ante, a side bet on red, stay or swap, the banker's card face down."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum, unique
from fractions import Fraction
from typing import ClassVar, Final, NamedTuple

from msgspec import UNSET, Struct, structs

from regulations.events.cards import RANKS, Card, rank_of, suit_of
from regulations.events.outputs import Next
from regulations.events.results import HandShown, Result
from regulations.events.vocabulary import EquipmentKind, Holder
from regulations.law.game_law import EquipmentRules, GameLaw, RoundArticles, ShoeArticles
from regulations.law.guide import COMMON_OPTIONS, VOID, Guide, GuideStep
from regulations.law.payouts import LOST, STANDS, WON, Payout, rule_for
from regulations.law.rows import RegulationRow, accept, irregular, move, refusals, refuse
from regulations.law.sheet import BetLaw, Choice, GameWords, Layout, Options, Sheet
from regulations.law.stakes import stakes_options
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import CardOwner, CardPosition
from regulations.play.context.due import NO_CARD, Due
from regulations.play.context.game import Game
from regulations.play.context.game_round import Phases
from regulations.play.resolution.assembly import rulebook_of
from regulations.play.rounds.ante_decisions import AnteDecisions
from regulations.play.rounds.rows import bets_rows, closing_rows, gone_wrong_rows, showing_rows
from regulations.play.rounds.seat_round import SeatRound

BANKER: Final = CardOwner("banker")
BETS: Final = frozenset({"ante", "red"})
A: Final = RoundArticles(
    deal="1/99 art. 2.º", bets="1/99 art. 3.º", wagered="1/99 art. 3.º", show="1/99 art. 4.º", settle="1/99 art. 5.º"
)
LAW: Final = GameLaw(
    game="high_card",
    title="High card",
    edition="1/99",
    seats=3,
    equipment={"shoe": EquipmentRules(decks=(2, 8), cut_card_from=None)},
    options=stakes_options(BETS),
    articles=ShoeArticles(
        decks=A.deal,
        equipment=A.deal,
        seats=A.bets,
        prepare=A.deal,
        no_cut_card=A.deal,
        deal=A.deal,
        undue_card=A.deal,
        misdeal=A.deal,
        reassign=A.deal,
        face_up=A.deal,
        cards_returned=A.deal,
        house_end="reading G15",
        reshuffle=A.deal,
    ),
    cards_per_round=2 * 3 + 1,
    cards_per_seat=2,
    cut_card_behind=(0, 0),
)


class HighCardSeat(Struct, frozen=True, kw_only=True):
    """A seat's cards, the last of which counts, and how it ended."""

    seat: int
    shown: list[Card]
    ended: str


class HighCardResult(Result, frozen=True, kw_only=True, tag="result"):
    """The verdict on a round; its members are its own."""

    OUTCOMES: ClassVar[tuple[str, ...]] = ("higher", "level", "lower")
    bank: Card
    places: list[HighCardSeat]

    def shown(self) -> Iterator[HandShown]:
        yield HandShown("banker", [self.bank])
        for one in self.places:
            yield HandShown("seat", one.shown, one.seat, 1, outcome=one.ended)


def _lies_open(owner: Holder, _at: int, _options: Options, _kind: EquipmentKind, _split: bool) -> bool:
    return owner == "seat"


@unique
class R(StrEnum):
    """Where a round can be."""

    IDLE, OPENED, DEALING, DECIDING = "idle", "opened", "dealing", "deciding"
    SWAPPING, SHOWING, DECIDED, VOID = "swapping", "showing", "decided", "void"


PHASES: Final[Phases[R]] = Phases(
    idle=R.IDLE,
    opened=R.OPENED,
    dealing=(R.DEALING, R.DECIDING, R.SWAPPING, R.SHOWING),
    decided=(R.DECIDED,),
    void=R.VOID,
)


class Verdict(NamedTuple):
    """The facts that settle a wager."""

    outcome: str
    is_red: bool


def _ended(outcome: str) -> Callable[[Verdict], bool]:
    return lambda verdict: verdict.outcome == outcome


PAYOUTS: Final[tuple[Payout[Verdict], ...]] = (
    Payout(bet="ante", name="higher", holds=_ended("higher"), odds=WON, article=A.settle),
    Payout(bet="ante", name="level", holds=_ended("level"), odds=STANDS, article=A.settle),
    Payout(bet="ante", name="lower", holds=_ended("lower"), odds=LOST, article=A.settle),
    Payout(bet="red", name="red", holds=lambda one: one.is_red, odds=Fraction(9, 10), article=A.settle),
    Payout(bet="red", name="black", holds=lambda one: not one.is_red, odds=LOST, article=A.settle),
)


SHEET: Final = Sheet(
    law=LAW,
    result=HighCardResult,
    bets=BetLaw(
        main="ante",
        first=("ante",),
        side=("red",),
        needs={"red": "ante"},
        usual="ante",
        payouts=PAYOUTS,
    ),
    choices=(Choice(name="stay", says="stay"), Choice(name="swap", says="swap the card")),
    layout=Layout(tops=("banker",), cards=1, bands=(("red",), ("ante",)), lies_open=_lies_open),
    words=GameWords(
        title="High Card",
        short="HC",
        bets={"ante": "Ante", "red": "Red card"},
        outcomes={"higher": ("higher", "+"), "level": ("level", "="), "lower": ("lower", "−")},
    ),
    cards_needed=lambda _options, seats: 2 * seats + 1,
    hidden_house="banker",
)


class HighCardRound(SeatRound[R]):
    """The rounds of one table."""

    def __init__(
        self,
        context: RuleContext,
        rows: Sequence[RegulationRow],
        payouts: Sequence[Payout[Verdict]],
        round_over: Callable[[], None],
    ) -> None:
        super().__init__(context, rows, PHASES, A, SHEET.bets, round_over)
        self._payouts: Final = payouts

    def _parts(self) -> Sequence[object]:
        self._antes = AnteDecisions(self._context, ("stay", "swap"))
        self._swaps = 0
        return (*super()._parts(), self._antes)

    def record_bets(self) -> None:
        super().record_bets()
        self._antes.open(self._bets.asked.wagers)

    def find_due(self) -> Due:
        if self.state is R.SWAPPING:
            return Due(
                CardPosition("seat", self._hands.size(CardOwner("seat", self._swaps, 1)) + 1, self._swaps, 1),
                1,
                lies_open=True,
            )
        due = self.packet() if self.state in (R.OPENED, R.DEALING) else NO_CARD
        return structs.replace(due, lies_open=due.place is not None and due.place.to == "seat")

    def dealing_order(self, seats: Sequence[int]) -> Sequence[CardPosition]:
        return [*(CardPosition("seat", 1, seat, 1) for seat in seats), CardPosition("banker", 1)]

    def emit_next_in_round(self) -> None:
        if self._context.scope.due.place is not None:
            self.emit_draw(A.deal)
        elif self.state is R.DECIDING and (bettor := self._antes.next_to_decide) is not None:
            who = bettor.id if self._antes.shares_seat(bettor) else UNSET
            self._context.emit(
                Next(article=A.deal, do="decide", seat=bettor.seat, hand=1, id=who, actions=["stay", "swap"])
            )
        else:
            self._context.emit(Next(article=A.show, do="reveal", to="banker"))

    def too_few_cards(self) -> bool:
        """True if fewer cards are left than the round can take."""
        return self._context.scope.stack.left < 2 * len(self._bets.asked.seats) + 1

    def hand_waits(self) -> bool:
        """True if a hand waits for a card."""
        return self._context.scope.due.place is not None

    def banker_hidden(self) -> bool:
        """True if the banker's card lies face down."""
        return bool(self._hands.hidden(BANKER))

    def asks_to_swap(self) -> bool:
        """True if the seat gets another card."""
        return self._antes._asked.action == "swap"  # noqa: SLF001  the guards of its own rows

    def choose(self) -> None:
        """Notes the decision."""
        self._swaps = self._antes.choose().seat

    def go_on(self) -> None:
        """Lets the rows see what follows."""
        self.fire("chosen")

    def decide(self) -> None:
        """Says the result and settles."""
        bank = self._hands.cards(BANKER)[0]
        cards = {seat: self._hands.cards(CardOwner("seat", seat, 1)) for seat in self._seats}
        verdicts = {seat: Verdict(_compared(held[-1], bank), suit_of(held[0]) in "HD") for seat, held in cards.items()}
        places = [HighCardSeat(seat=seat, shown=held, ended=verdicts[seat].outcome) for seat, held in cards.items()]
        self._context.emit(HighCardResult(article=A.settle, bank=bank, places=places))
        decided = [(one, rule_for(self._payouts, one.bet, verdicts[one.seat])) for one in self._ledger.open]
        self._ledger.settle(decided, A.settle)

    def clear_game(self) -> None:
        self._antes.forget()


def _compared(card: Card, bank: Card) -> str:
    apart = RANKS.index(rank_of(card)) - RANKS.index(rank_of(bank))
    return "higher" if apart > 0 else "lower" if apart < 0 else "level"


G: Final = HighCardRound
Q: Final = AnteDecisions
ROWS: Final[tuple[RegulationRow, ...]] = (
    *bets_rows(
        PHASES,
        A,
        seats=A.bets,
        dest=R.OPENED,
        needs=A.bets,
        more=((G.too_few_cards, "not_enough_cards", A.deal, "too few cards are left"),),
    ),
    move("card", R.OPENED, R.DEALING, A.deal, do=G.lay_card),
    accept("card", (R.DEALING, R.SWAPPING), A.deal, do=G.lay_card),
    accept("laid", R.DEALING, A.deal, when=G.hand_waits),
    move("laid", R.DEALING, R.DECIDING, A.deal),
    move("laid", R.SWAPPING, R.DECIDING, A.deal, do=G.go_on),
    irregular("card", (R.DECIDING, R.SHOWING, R.DECIDED, R.VOID), "card_not_due", A.deal, "no card is due"),
    *refusals(
        "decision",
        R.DECIDING,
        (
            (Q.decider_unknown, "no_such_seat", A.bets, "no such seat in this round"),
            (Q.decider_without_ante, "no_wager", A.deal, "this bettor has no ante"),
            (Q.decider_has_chosen, "not_now", A.deal, "this bettor has decided"),
            (Q.another_seat_decides, "not_now", A.deal, "the seats decide in their order"),
            (Q.no_choice_of_the_game, "not_allowed", A.deal, "the game knows no such decision"),
            (Q.another_hand, "not_allowed", A.deal, "a seat has one hand"),
        ),
    ),
    move("decision", R.DECIDING, R.SWAPPING, A.deal, when=G.asks_to_swap, do=G.choose),
    accept("decision", R.DECIDING, A.deal, do=(G.choose, G.go_on)),
    refuse(
        "decision", tuple(one for one in PHASES.resting if one is not R.DECIDING), "not_now", A.deal, "none decides"
    ),
    accept("chosen", R.DECIDING, A.deal, when=Q.somebody_decides),
    move("chosen", R.DECIDING, R.SHOWING, A.show, when=G.banker_hidden),
    move("chosen", R.DECIDING, R.DECIDED, A.show, do=G.decide),
    *showing_rows(PHASES, (R.SHOWING,), A),
    move("shown", R.SHOWING, R.DECIDED, A.show, do=G.decide),
    accept("exposed", PHASES.resting, A.show),
    *gone_wrong_rows(PHASES, misdeal=A.deal),
    *closing_rows(PHASES, A.settle),
)
GUIDE: Final = Guide(
    order=(GuideStep(what="Deal", says="A card each.", articles=(A.deal,)),),
    choices=(),
    trouble=(VOID,),
    options=COMMON_OPTIONS,
)
ARTICLES: Final = {f"1/99 art. {number}.º": "An article of high card." for number in range(1, 6)}
HIGH_CARD: Final = Game(
    sheet=SHEET,
    rulebook=rulebook_of(LAW, ROWS, PAYOUTS),
    round=HighCardRound,
    articles=ARTICLES,
    not_enforced={},
    own_readings=(),
    guide=GUIDE,
)
