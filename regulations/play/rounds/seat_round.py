"""The rounds of a game that is played at seats.

``card`` runs its row, which lays the card; then ``laid`` lets the rows judge the table.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final, TypeVar, cast

from msgspec import UNSET, UnsetType

from regulations.events.outputs import Dealt, Duty, Next, ReturnedWager, Voided
from regulations.events.vocabulary import Do, Holder
from regulations.law.game_law import RoundArticles
from regulations.law.rows import RegulationRow
from regulations.law.sheet import BetLaw
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import CardOwner, CardPosition, DrawnCard
from regulations.play.context.due import NO_CARD, Due
from regulations.play.context.game_round import Phases, Round
from regulations.play.context.hands import Hands
from regulations.play.context.snapshot import RoundSnapshot, SeatSnapshot
from regulations.play.rounds.bets import SeatBetGuards
from regulations.play.rounds.ledger import Ledger
from regulations.play.rounds.reveals import RevealRules

StateT = TypeVar("StateT", bound=StrEnum)


class SeatRound(Round[StateT]):
    opens_with_card = False

    def __init__(
        self,
        context: RuleContext,
        rows: Sequence[RegulationRow],
        phases: Phases[StateT],
        articles: RoundArticles,
        bets: BetLaw,
        round_over: Callable[[], None],
    ) -> None:
        self._articles: Final = articles
        self._hands: Final = Hands()
        lasting = SeatSnapshot()
        self._ledger: Final = Ledger(context, lasting)
        self._bets: Final = SeatBetGuards(context, bets, self._ledger)
        self._showing: Final = RevealRules(context, self._hands)
        self._seats: list[int] = []
        self._order: list[tuple[CardOwner, CardPosition]] = []
        super().__init__(context, rows, phases, round_over, lasting)

    def _parts(self) -> Sequence[object]:
        return (self._bets, self._showing)

    # --- where it stands ---------------------------------------------------------------------------------------------

    @property
    def laid(self) -> Hands:
        return self._hands

    def restore(self, snapshot: RoundSnapshot) -> None:
        super().restore(snapshot)
        self._ledger.carry_over()

    def packet(self) -> Due:
        """The first place of the dealing order that has no card yet, and how many cards its owner gets first."""
        first: CardPosition | None = None
        in_a_row = 0
        for owner, place in self._order:
            if self._hands.size(owner) >= place.position:
                continue
            if first is None:
                first = place
            elif owner != first.owner:
                break
            in_a_row += 1
        return NO_CARD if first is None else Due(first, in_a_row)

    # --- what each game says for itself ------------------------------------------------------------------------------

    @abstractmethod
    def dealing_order(self, seats: Sequence[int]) -> Sequence[CardPosition]:
        """The places of a deal to these seats, in order."""

    @abstractmethod
    def emit_next_in_round(self) -> None:
        """Emit the croupier's act in a round that is neither decided nor void."""

    @abstractmethod
    def clear_game(self) -> None:
        """Forget the game's part of a closed round."""

    # --- cards -------------------------------------------------------------------------------------------------------

    def emit_next(self) -> None:
        articles = self._articles
        if self.is_idle:
            self._emit_close_bets()
        elif self.is_over:
            article = "reading G3" if self.state is self._phases.void else articles.settle
            self._context.emit(Next(article=article, do="close_round"))
        else:
            self.emit_next_in_round()

    def _emit_close_bets(self) -> None:
        context, served = self._context, self.seats_served()
        is_bounded = served is not UNSET and served < context.table.seats
        context.emit(
            Next(
                article=context.law.articles.too_few_cards if is_bounded else self._articles.wagered,
                do="close_bets",
                actions=["shoe_ended", "closed"],
                duties=self._duties_between_rounds(),
                seats_at_most=served,
            )
        )

    def _duties_between_rounds(self) -> list[Duty] | UnsetType:
        """Reading T15."""
        if not self._ledger.carried or self._context.deal.is_tracked:
            return UNSET
        return [Duty(article=self._articles.carried, says="a stake that is carried is not withdrawn, in part or whole")]

    def emit_draw(self, article: str) -> None:
        place = self._context.scope.place_due
        if place.to == "burn":
            self._context.emit(Next(article=article, do="burn", left=self.burns_left))
            return
        seat: int | UnsetType = place.seat or UNSET
        hand: int | UnsetType = place.hand or UNSET
        do: Do = "draw"
        to: Holder = place.to
        self._context.emit(Next(article=article, do=do, to=to, seat=seat, hand=hand, position=place.position))

    def lay_card(self) -> None:
        scope = self._context.scope
        self._lay_at(self._context.card_in_hand, scope.place_due, lies_open=scope.due.lies_open)
        self.fire("laid")

    def _lay_at(self, drawn: DrawnCard, place: CardPosition, *, lies_open: bool) -> None:
        drawn.is_open = drawn.is_open or drawn.face_up or lies_open
        self._hands.lay(place, drawn)
        exposed = self._context.law.articles.exposed if drawn.face_up else ""
        self._context.emit(
            Dealt(
                article=exposed or ("reading J30" if drawn.decides else self.called_by(place)),
                card=drawn.shown,
                to=cast("Holder", place.to),
                seat=place.seat or UNSET,
                hand=place.hand or UNSET,
                position=place.position,
                decided_by="card" if drawn.decides else UNSET,
            )
        )

    @property
    def burns_left(self) -> int:
        return 1

    def called_by(self, place: CardPosition) -> str:  # noqa: ARG002  # games look
        return self._articles.deal

    # --- guards ------------------------------------------------------------------------------------------------------

    @property
    def is_later_round(self) -> bool:
        return self._lasting.rounds_in_shoe > 1

    # --- effects -----------------------------------------------------------------------------------------------------

    def open_round(self) -> None:
        self._begin_round()
        self.record_bets()

    def record_bets(self) -> None:
        asked = self._bets.asked
        self._deal_to(sorted(asked.seats))
        self._ledger.replace_all(asked.wagers)

    def _deal_to(self, seats: list[int]) -> None:
        self._seats = seats
        self._order = [(place.owner, place) for place in self.dealing_order(seats)]

    def begin_partial_round(self) -> None:
        self._begin_round()
        self._deal_to([])
        self.doubt_count()

    def burn_first(self) -> None:
        self.burn_card("round", self._articles.round_burn)

    def turn_cards(self) -> None:
        self._showing.turn(self._articles.show)
        self.fire("shown")

    def _return_wagers(self, article: str) -> list[ReturnedWager]:
        return self._ledger.void(article)

    def clear_round(self) -> None:
        self._ledger.close()
        self._seats = []
        self._order = []
        self._hands.clear()
        self.clear_game()

    @property
    def carries(self) -> bool:
        return bool(self._ledger.carried)

    def close_table(self) -> None:
        returned = self._ledger.give_back_carried()
        if returned:
            self._context.emit(Voided(article=self._articles.carried_back, reason="closed", wagers=returned))
