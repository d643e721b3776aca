"""The rounds of a game that is played at seats: what blackjack, casino war, q poker and three-card baccarat share.

A game's round derives from :class:`SeatRound`, gives it its rule table and phases, and adds its own predicates and
effects. The way of a card: ``fire("card")`` finds the row; its effect ``lay_card`` lays the card at the place that is
due and says ``dealt``; then the inner trigger ``laid`` lets the rows judge the table as it lies.
"""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar, cast

from msgspec import UNSET, UnsetType

from regulations.desk import Desk
from regulations.drawn import BURN_PLACE, Drawn, Place
from regulations.errors import StandingUnfit
from regulations.events.outputs import Burned, Dealt, Next, Voided
from regulations.events.vocabulary import BurnReason, Do, Holder, WayOut
from regulations.hands import Hands
from regulations.irregularities import OpenIrregularity
from regulations.machine import RuleMachine
from regulations.round.bets import BetLaw, Bets
from regulations.round.ledger import Ledger
from regulations.round.showing import Showing
from regulations.round.voiding import Voiding
from regulations.rows import Row
from regulations.standing import RoundStanding, SeatStanding

StateT = TypeVar("StateT", bound=StrEnum)
StateT_co = TypeVar("StateT_co", bound=StrEnum, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases(Generic[StateT_co]):
    """What the states of a game's round mean to the shared parts.

    Attributes:
        idle: no round is open.
        opened: the bets are closed and no card of the round is out, its burn included.
        dealing: the round's first card is out and its result is not.
        decided: the result is out and the round not closed.
        void: the round is void and not closed.
    """

    idle: StateT_co
    opened: StateT_co
    dealing: tuple[StateT_co, ...]
    decided: tuple[StateT_co, ...]
    void: StateT_co

    @property
    def voidable(self) -> tuple[StateT_co, ...]:
        """The states in which a round can be voided."""
        return (self.opened, *self.dealing, *self.decided)

    @property
    def in_round(self) -> tuple[StateT_co, ...]:
        """The states in which a round is open."""
        return (*self.voidable, self.void)

    @property
    def resting(self) -> tuple[StateT_co, ...]:
        """Every state in which a round rests between two inputs."""
        return (self.idle, *self.in_round)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundArticles:
    """The articles behind what the shared part of a round says.

    Attributes:
        deal: the order of dealing.
        bets: which wagers there are.
        wagered: who plays has a wager, which is put down before the first card.
        show: cards are turned.
        void: a round is void.
        round_burn: a card is burned at the start of a round; empty where none is.
        settle: the settlement as a whole.
        carried: carried wagers; empty where none are.
        bets_end: until when wagers may be put down; empty where that is the article of the wagers.
    """

    deal: str
    bets: str
    wagered: str
    show: str
    void: str
    settle: str
    round_burn: str = ""
    carried: str = ""
    bets_end: str = ""


class SeatRound(ABC, Generic[StateT]):
    """The rounds of one table, one after the other, on one long-lived machine.

    Args:
        desk: what the machines of the table share.
        rows: the rule table; its guards and effects are methods of this object and its parts.
        phases: what the states mean.
        articles: behind what the shared part says.
        bets: the wagers of the regulation.
        round_over: called when a round is closed: the shoe game goes on.
    """

    opens_with_card = False
    """Bets are closed before the first card."""
    deals_face_up = False
    """Whether all cards lie face up at once but those that are burned; a game where some do says so itself."""
    hides_card: Callable[[], bool] = staticmethod(lambda: False)
    """Whether a card lies hidden that makes the round void if it is seen; in q poker alone one does."""
    kept_result_disagrees: Callable[[], bool] = staticmethod(lambda: False)
    """No device reports results of its own in these games."""

    def __init__(
        self,
        desk: Desk,
        rows: Sequence[Row],
        phases: Phases[StateT],
        articles: RoundArticles,
        bets: BetLaw,
        round_over: Callable[[], None],
    ) -> None:
        self._desk: Final = desk
        self._phases: Final = phases
        self._articles: Final = articles
        self._round_over: Final = round_over
        self._hands: Final = Hands()
        self._ledger: Final = Ledger(desk)
        self._bets: Final = Bets(desk, bets, self._ledger)
        self._showing: Final = Showing(desk, self._hands)
        self._seats: list[int] = []
        """The seats that are dealt cards in the open round, in order."""
        self._rounds_in_shoe: int
        self._voiding: Final = Voiding(desk, self, self.hides_card)
        parts = (self, self._bets, self._showing, self._voiding, *self._parts())
        self.machine: Final[RuleMachine[StateT]] = RuleMachine(
            type(phases.idle), rows, desk, parts, phases.idle, self.moved
        )

    def _parts(self) -> Sequence[object]:
        """Further objects whose methods the rows name; called once, before the machine is built."""
        return ()

    # --- the machine's side ------------------------------------------------------------------------------------------

    @property
    def state(self) -> StateT:
        """Where the round stands."""
        return self.machine.state

    @property
    def state_name(self) -> str:
        """Where the round stands."""
        return self.state.value

    def fire(self, trigger: str) -> None:
        """Gives the round's machine a trigger."""
        self.machine.fire(trigger)

    def moved(self, row: Row) -> None:
        """Keeps what the desk shows of the round in step with the machine."""
        self._desk.round_open = row.dest is not self._phases.idle
        self._desk.round_voidable = row.dest in self._phases.voidable
        self._desk.round_decided = row.dest in self._phases.decided

    def tell_desk(self) -> None:
        """Shows on the desk where this round stands, once it takes another's place."""
        self.moved(cast("Row", self.machine.moved_by))

    @property
    def laid(self) -> Hands:
        """The hands on the table."""
        return self._hands

    @property
    def is_idle(self) -> bool:
        """Whether no round is open."""
        return self.state is self._phases.idle

    @property
    def is_dealing(self) -> bool:
        """Whether the round's first card, burn included, is out and its result is not."""
        return self.state in self._phases.dealing

    @property
    def is_over(self) -> bool:
        """Whether the open round is decided or void, and not closed yet."""
        return self.state in self._phases.decided or self.state is self._phases.void

    def new_shoe(self) -> None:
        """A new shoe game begins."""
        self._rounds_in_shoe = 0

    def standing(self) -> SeatStanding:
        """What outlives the rounds so far; between rounds."""
        carried, put_down = self._ledger.standing()
        row, rounds = self.machine.standing, self._rounds_in_shoe
        return SeatStanding(row=row, rounds_in_shoe=rounds, carried=carried, put_down=put_down)

    def take_up(self, standing: RoundStanding) -> None:
        """Takes up, in a new table, what :meth:`standing` gave.

        Raises:
            StandingUnfit: it is another game's, or names a rule that is not there.
        """
        if not isinstance(standing, SeatStanding):
            raise StandingUnfit("it is of a game without seats")
        self.machine.take_up(standing.row)
        self._rounds_in_shoe = standing.rounds_in_shoe
        self._ledger.take_up(standing.carried, standing.put_down)

    def due_in_a_row(self) -> int:
        """How many of the next cards the same owner gets, one after the other; 0 if none is due."""
        return int(self.due() is not None)

    def _missing_in_a_row(self, places: Iterable[Place]) -> int:
        """How many of the cards to come, at these places in dealing order, the first of their owners gets first."""
        due = self.due()
        if due is None:
            return 0
        missing = (place for place in places if self._hands.size(place.owner) < place.position)
        return max(sum(1 for _ in itertools.takewhile(lambda place: place.owner == due.owner, missing)), 1)

    # --- what each game says for itself ------------------------------------------------------------------------------

    @abstractmethod
    def due(self) -> Place | None:
        """The place that gets the next card, or ``None`` if no card is due."""

    def shows(self, place: Place) -> bool:
        """Whether a card at this place lies face up at once."""
        return self.deals_face_up and place != BURN_PLACE

    @abstractmethod
    def say_next_in_round(self) -> None:
        """Says what the croupier must do now, in a round that is neither decided nor void."""

    @abstractmethod
    def clear_game(self) -> None:
        """Forgets what the game keeps of the round that is being closed."""

    def ways_out(self, irregularity: OpenIrregularity, ways: list[WayOut]) -> list[WayOut]:  # noqa: ARG002  # games look
        """The ways out of an irregularity by this game's regulation; those common to all games."""
        return ways

    def accept(self, drawn: Drawn) -> None:
        """Takes an irregular card as valid, where :meth:`ways_out` offered that."""

    def cannot_correct(self, struck: Sequence[int]) -> str | None:  # noqa: ARG002  # games look
        """Why this game's regulation leaves no correction: it does."""
        return None

    def hear_device(self) -> None:
        """No device reports results of its own in these games."""

    # --- cards -------------------------------------------------------------------------------------------------------

    def say_next(self) -> None:
        """Says what the croupier must do now."""
        articles = self._articles
        if self.is_idle:
            actions = ["shoe_ended", "closed"]
            self._desk.say(Next(article=articles.wagered, do="close_bets", actions=actions))
        elif self.is_over:
            article = articles.void if self.state is self._phases.void else articles.settle
            self._desk.say(Next(article=article, do="close_round"))
        else:
            self.say_next_in_round()

    def say_draw(self, article: str) -> None:
        """Says that a card is to be drawn for the place that is due, or burned."""
        # Said only where a card is due.
        place = cast("Place", self.due())
        if place.to == "burn":
            self._desk.say(Next(article=article, do="burn"))
            return
        seat: int | UnsetType = place.seat or UNSET
        hand: int | UnsetType = place.hand or UNSET
        do: Do = "draw"
        to: Holder = place.to
        self._desk.say(Next(article=article, do=do, to=to, seat=seat, hand=hand, position=place.position))

    def lay_card(self) -> None:
        """Lays the card in hand at the place that is due, says so, and lets the rows judge the table."""
        # A row that lays a card stands only in states in which one is due.
        self._lay_at(self._desk.card_in_hand, cast("Place", self.due()))
        self.fire("laid")

    def _lay_at(self, drawn: Drawn, place: Place) -> None:
        drawn.is_open = drawn.is_open or drawn.face_up or self.shows(place)
        self._hands.lay(place, drawn)
        self._desk.say(
            Dealt(
                article=self.called_by(place),
                card=drawn.shown,
                to=cast("Holder", place.to),
                seat=place.seat or UNSET,
                hand=place.hand or UNSET,
                position=place.position,
            )
        )

    def called_by(self, place: Place) -> str:  # noqa: ARG002  # games look
        """The article by which a card goes to a place."""
        return self._articles.deal

    def burn_card(self, why: BurnReason, article: str) -> None:
        """Burns the card in hand."""
        drawn = self._desk.card_in_hand
        drawn.place = BURN_PLACE
        self._desk.say(Burned(article=article, card=drawn.shown, why=why))

    # --- guards ------------------------------------------------------------------------------------------------------

    @property
    def is_later_round(self) -> bool:
        """Whether the open round is not a shoe game's first."""
        return self._rounds_in_shoe > 1

    # --- effects -----------------------------------------------------------------------------------------------------

    def open_round(self) -> None:
        """A round begins: its seats and what lies on the table."""
        self._begin_round(by_bets=True)
        self.take_bets()

    def take_bets(self) -> None:
        """Notes the seats that play and what lies on the table, in place of what was noted before."""
        seats, wagers = self._bets.asked
        self._seats = sorted(seats)
        self._ledger.take_again(wagers)

    def begin_partial_round(self) -> None:
        """A round was joined in its middle: nobody knows its cards; its wagers are those that are carried."""
        self._begin_round(by_bets=False)
        self.doubt_count()

    def _begin_round(self, *, by_bets: bool) -> None:
        self._desk.open_round()
        self._rounds_in_shoe += 1
        self._voiding.begin_round(by_bets=by_bets)

    def burn_first(self) -> None:
        """Burns the card at the start of a round."""
        self.burn_card("round", self._articles.round_burn)

    def turn_cards(self) -> None:
        """Turns the cards that the event names, then lets the rows judge the table."""
        self._showing.turn(self._articles.show)
        self.fire("shown")

    def void(self, reason: str) -> None:
        """Voids the round, which can still be voided, for this reason."""
        self._voiding.void(reason)

    def void_round(self) -> None:
        """Undoes the round: what it settled is reversed, what was put down in it goes back (reading G3)."""
        self._voiding.close_irregularities()
        # The row that voids the round has just moved the machine.
        article = cast("Row", self.machine.moved_by).article
        returned = self._ledger.void(article)
        self._desk.say(Voided(article=article, reason=self._voiding.reason, wagers=returned))

    def clear_round(self) -> None:
        """The cards go to the discard rack; the table is ready."""
        self._ledger.close()
        self._seats = []
        self._hands.clear()
        self.clear_game()

    def abandon_round(self) -> None:
        """The shoe game ends: as :meth:`clear_round`."""
        self.clear_round()

    def tell_shoe_game(self) -> None:
        """The shoe game goes on, or ends."""
        self._round_over()

    def doubt_count(self) -> None:
        """Up to a whole round of cards may be out that nobody reported."""
        self._desk.stack.uncertain += self._desk.law.most_cards(self._desk.table.seats)

    def close_table(self) -> None:
        """The table closes: what is carried is returned."""
        returned = self._ledger.give_back_carried()
        if returned:
            self._desk.say(Voided(article=self._articles.carried, reason="closed", wagers=returned))
