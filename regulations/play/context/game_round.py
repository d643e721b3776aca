"""The rounds of one table, whichever its game: what the shoe game, the gate and corrections know of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import ClassVar, Final, Generic, TypeVar, cast

from msgspec import UNSET, UnsetType, structs

from regulations.events.errors import SnapshotUnfit
from regulations.events.inputs import Decision, Revealed
from regulations.events.outputs import Burned, ReturnedWager, Voided
from regulations.events.vocabulary import BurnReason, DecisionAction, WayOut
from regulations.law.rows import Row
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, Drawn, Fate, Place
from regulations.play.context.hands import Hands
from regulations.play.context.irregularities import OpenIrregularity
from regulations.play.context.machine import RuleMachine
from regulations.play.context.record import Act, Stage
from regulations.play.context.snapshot import RoundSnapshot, SeatSnapshot, renew, take_over
from regulations.play.context.voiding import Voiding

StateT = TypeVar("StateT", bound=StrEnum)
StateT_co = TypeVar("StateT_co", bound=StrEnum, covariant=True)


@dataclass(frozen=True, kw_only=True)
class Phases(Generic[StateT_co]):
    """The states of a game's round, as the shared parts need them.

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

    @cached_property
    def shown(self) -> Mapping[StrEnum, tuple[bool, bool, bool]]:
        """True if a round is open in a state, can be voided in it, and is decided in it."""
        states = type(self.idle)
        return {state: (state is not self.idle, state in self.voidable, state in self.decided) for state in states}

    @property
    def resting(self) -> tuple[StateT_co, ...]:
        """Every state in which a round rests between two inputs."""
        return (self.idle, *self.in_round)


class Round(ABC, Generic[StateT]):
    """The rounds of one table, one after the other, on one long-lived machine.

    Args:
        context: what the machines of the table share.
        rows: the rule table; its guards and effects are methods of this object and its parts.
        phases: what the states mean.
        round_over: called when a round is closed: the shoe game goes on.
        lasting: all that outlives a round, but for where the machine stands; the game's parts have it too.
    """

    decided_otherwise: Callable[[DecisionAction], Decision | None] = staticmethod(lambda _action: None)
    """The decision that people put in the place of the one which the last card was taken for, if they can (J30)."""
    cards_await_decisions: ClassVar[bool] = False
    """True if a card that left before a decision may wait for it, as in blackjack (reading J30)."""
    hides_card: Callable[[], bool] = staticmethod(lambda: False)
    """True if a card lies hidden that makes the round void if it is seen; in q poker alone one does."""
    kept_result_disagrees: Callable[[], bool] = staticmethod(lambda: False)
    """True if a device's result that was kept turns out not to be the regulation's; asked once (baccarat)."""

    def __init__(
        self,
        context: RuleContext,
        rows: Sequence[Row],
        phases: Phases[StateT],
        round_over: Callable[[], None],
        lasting: RoundSnapshot,
    ) -> None:
        self._context: Final = context
        self._phases: Final = phases
        self._round_over: Final = round_over
        self._lasting: Final = lasting
        self._voiding: Final = Voiding(context, self, self.hides_card)
        parts = (self, self._voiding, *self._parts())
        self.machine: Final[RuleMachine[StateT]] = RuleMachine(
            type(phases.idle), rows, context, parts, phases.idle, self._show
        )

    @abstractmethod
    def _parts(self) -> Sequence[object]:
        """Further objects whose methods the rows name; called once, before the machine is built."""

    # --- where it stands ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> StateT:
        """Where the round stands."""
        return self.machine.state

    @property
    def is_idle(self) -> bool:
        """True if no round is open."""
        return self.machine.state is self._phases.idle

    @property
    def opens_with_card(self) -> bool:
        """True if the first card of the coming round closes its bets; else they must be closed before it."""
        return False

    @property
    def is_dealing(self) -> bool:
        """True if the round's first card, burn included, is out and its result is not, be it known and laid or not."""
        state = self.machine.state
        if state is self._phases.opened:
            return self._voiding.is_partial or bool(self._context.irregularities.to_be_laid())
        return state in self._phases.dealing

    @property
    def is_over(self) -> bool:
        """True if the open round is decided or void, and not closed yet."""
        state = self.machine.state
        return state in self._phases.decided or state is self._phases.void

    @property
    def stage(self) -> Stage:
        """How far the open round has come."""
        if self.is_over:
            return "result"
        return "deal" if self.is_dealing else "bets"

    def fire(self, trigger: str) -> None:
        """Gives the round's machine a trigger."""
        self.machine.fire(trigger)

    def tell_context(self) -> None:
        """Shows on the context where this round stands, once it takes another's place."""
        self._show(self.state)

    def _show(self, state: StrEnum) -> None:
        """Keeps what the context shows of the round in step with the machine."""
        context = self._context
        context.round_open, context.round_voidable, context.round_decided = self._phases.shown[state]

    # --- what each game says for itself ------------------------------------------------------------------------------

    @property
    @abstractmethod
    def laid(self) -> Hands:
        """The hands on the table."""

    @abstractmethod
    def due(self) -> Place | None:
        """The place that gets the next card, or ``None`` if no card is due."""

    def due_to(self, drawn: Drawn) -> Place | None:  # noqa: ARG002  # games look
        """The place that gets this card, or ``None``; a game may take the card itself for a decision."""
        return self.due()

    def due_in_a_row(self) -> int:
        """How many of the next cards the same place's owner gets, one after the other; 0 if none is due."""
        return int(self.due() is not None)

    def seats_served(self) -> int | UnsetType:
        """How many of the table's seats the cards left suffice for; ``UNSET`` where no reading bounds that."""
        return UNSET

    @abstractmethod
    def shows(self, place: Place) -> bool:
        """True if a card at this place lies face up at once."""

    @abstractmethod
    def say_next(self) -> None:
        """Says what the croupier must do now."""

    def snapshot(self) -> RoundSnapshot:
        """The state that outlives the rounds so far; between rounds."""
        return structs.replace(self._lasting, row=self.machine.snapshot)

    def restore(self, snapshot: RoundSnapshot) -> None:
        """Restores what :meth:`snapshot` gave.

        Raises:
            SnapshotUnfit: it is another game's, or names a rule that is not there.
        """
        if type(snapshot) is not type(self._lasting):
            raise SnapshotUnfit(f"it is of a game {'at' if isinstance(snapshot, SeatSnapshot) else 'without'} seats")
        self.machine.restore(snapshot.row)
        take_over(self._lasting, snapshot)

    @abstractmethod
    def clear_round(self) -> None:
        """The cards go to the discard rack; the table is ready."""

    @abstractmethod
    def _take_back(self, article: str) -> list[ReturnedWager]:
        """Reverses what the open round settled, by this article; returns what goes back to the bettors."""

    def new_shoe(self) -> None:
        """A new shoe game begins."""
        renew(self._lasting, "rounds_in_shoe")

    def ways_out(self, irregularity: OpenIrregularity, ways: list[WayOut]) -> list[WayOut]:  # noqa: ARG002  # games look
        """The ways out of an irregularity by this game's regulation.

        Args:
            irregularity: which one.
            ways: those that are common to all games, as things stand.
        """
        return ways

    def burned_by(self, irregularity: OpenIrregularity) -> str:
        """The article by which the card of an irregularity is burned."""
        turned = irregularity.code == "card_turned"
        return irregularity.article if turned else self._context.law.articles.undue_card

    def accept(self, drawn: Drawn) -> None:
        """Takes an irregular card as valid, where :meth:`ways_out` offered that."""

    def burn_waiting(self) -> None:
        """Burn the cards that wait for a decision which is not taken any more (readings J30, G14)."""
        context = self._context
        for drawn in context.record.came_out:
            if drawn.fate is Fate.WAITING:
                drawn.place, drawn.fate = BURN_PLACE, Fate.BURNED
                context.say(Burned(article=context.law.articles.undue_card, card=drawn.shown, why="invalid"))

    def cannot_correct(self, struck: Sequence[int]) -> str | None:  # noqa: ARG002  # games look
        """Why this game's regulation leaves no correction.

        Args:
            struck: the numbers of the cards that are to be burned.
        """
        return None

    def meets(self, act: Act) -> bool:
        """True if a decision or reveal can be repeated on the hands as they lie now (reading G11)."""
        return act.meets(self.laid)

    def repeat(self, event: Decision | Revealed) -> None:
        """Repeats a decision or reveal, which is the event in hand, while the round is run again."""
        self.fire(str(event.__struct_config__.tag))

    def judge_corrected(self) -> None:
        """Lets the rows judge the table as it lies after a correction."""

    def hear_device(self) -> None:
        """A device's result was told before: no other is waited for."""

    def close_table(self) -> None:
        """The table closes: what is carried on it is returned."""

    # --- effects -----------------------------------------------------------------------------------------------------

    def _begin_round(self) -> None:
        self._context.open_round()
        self._lasting.rounds_in_shoe += 1
        self._voiding.begin_round()

    def burn_card(self, why: BurnReason, article: str) -> None:
        """Burns the card in hand."""
        drawn = self._context.card_in_hand
        drawn.place = BURN_PLACE
        self._context.say(Burned(article=article, card=drawn.shown, why=why))

    def void(self, reason: str) -> None:
        """Voids the round, which can still be voided, for this reason: an irregularity's code, or ``cut_card``."""
        self._voiding.void(reason)

    def void_round(self) -> None:
        """Undoes the round: what it settled is reversed, what was put down in it goes back (reading G3)."""
        self._voiding.close_irregularities()
        # The row that voids the round has just moved the machine.
        article = cast("Row", self.machine.moved_by).article
        returned = self._take_back(article)
        self._context.say(Voided(article=article, reason=self._voiding.reason, wagers=returned))

    def abandon_round(self) -> None:
        """The shoe game ends: as :meth:`clear_round`."""
        self.clear_round()

    def tell_shoe_game(self) -> None:
        """The shoe game goes on, or ends."""
        self._round_over()

    def doubt_count(self) -> None:
        """Up to a whole round of cards may be out that nobody reported."""
        self._voiding.is_partial = True
        self._context.stack.uncertain += self._context.law.most_cards(self._context.table.seats)
