"""The rounds of one table on their machine."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

from msgspec import ValidationError, convert, structs

from regulations.events.errors import SnapshotUnfit
from regulations.events.outputs import Burned, ReturnedWager, Voided
from regulations.events.vocabulary import BurnReason
from regulations.law.rows import RegulationRow
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardStatus, DrawnCard
from regulations.play.context.due import Due
from regulations.play.context.irregularities import OpenIrregularity
from regulations.play.context.machine import RuleMachine
from regulations.play.context.open_round import OpenRound, Phase
from regulations.play.context.snapshot import RoundSnapshot, adopt_snapshot, renew
from regulations.play.context.voiding import VoidRules

StateT = TypeVar("StateT", bound=StrEnum)
StateT_co = TypeVar("StateT_co", bound=StrEnum, covariant=True)


@dataclass(frozen=True, kw_only=True)
class Phases(Generic[StateT_co]):
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
        return (*self.voidable, self.void)

    @cached_property
    def shown(self) -> Mapping[StrEnum, Phase]:
        """The phase of each state."""
        states = type(self.idle)
        return {state: Phase(state is not self.idle, state in self.voidable, state in self.decided) for state in states}

    @property
    def resting(self) -> tuple[StateT_co, ...]:
        """Every state in which a round rests between two inputs."""
        return (self.idle, *self.in_round)


class Round(OpenRound, Generic[StateT]):
    def __init__(
        self,
        context: RuleContext,
        rows: Sequence[RegulationRow],
        phases: Phases[StateT],
        round_over: Callable[[], None],
        lasting: RoundSnapshot,
    ) -> None:
        self._context: Final = context
        self._phases: Final = phases
        self._round_over: Final = round_over
        self._lasting: Final = lasting
        self._voiding: Final = VoidRules(context, self, self.hides_card)
        parts = (self, self._voiding, *self._parts())
        self.machine: Final[RuleMachine[StateT]] = RuleMachine(
            type(phases.idle), rows, context, parts, phases.idle, self._show, self._answered
        )

    @abstractmethod
    def _parts(self) -> Sequence[object]:
        """Further objects whose methods rows name; called once."""

    # --- where it stands ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> StateT:
        return self.machine.state

    @property
    def phase(self) -> Phase:
        return self._phases.shown[self.machine.state]

    @property
    def is_idle(self) -> bool:
        return self.machine.state is self._phases.idle

    @property
    def is_dealing(self) -> bool:
        state = self.machine.state
        if state is self._phases.opened:
            return self._voiding.is_partial or bool(self._context.scope.irregularities.to_be_laid())
        return state in self._phases.dealing

    @property
    def is_over(self) -> bool:
        state = self.machine.state
        return state in self._phases.decided or state is self._phases.void

    def fire(self, trigger: str) -> None:
        self.machine.fire(trigger)

    def _show(self, state: StrEnum) -> None:
        scope = self._context.scope
        scope.phase = self._phases.shown[state]
        scope.changed()

    def _answered(self) -> None:
        self._context.scope.changed()

    def due_to(self, drawn: DrawnCard) -> Due:  # noqa: ARG002  # games look
        return self._context.scope.due

    def snapshot(self) -> RoundSnapshot:
        return structs.replace(self._lasting, row=self.machine.snapshot)

    def restore(self, snapshot: RoundSnapshot) -> None:
        self.machine.restore(snapshot.row)
        adopt_snapshot(self._lasting, snapshot)

    def resume(self, stored: Mapping[str, Any]) -> None:
        try:
            snapshot = convert(stored, type(self._lasting))
        except ValidationError as error:
            raise SnapshotUnfit(f"its rounds are another game's ({error})") from error
        self.restore(snapshot)

    @abstractmethod
    def clear_round(self) -> None:
        """Clear the table for the next round."""

    @abstractmethod
    def _return_wagers(self, article: str) -> list[ReturnedWager]:
        """Reverse what was settled; return what goes back."""

    def new_shoe(self) -> None:
        renew(self._lasting, "rounds_in_shoe")
        self._context.scope.changed()

    def burned_by(self, irregularity: OpenIrregularity) -> str:
        turned = irregularity.code == "card_turned"
        return irregularity.article if turned else self._context.law.articles.undue_card

    def burn_waiting(self) -> None:
        context = self._context
        for drawn in context.scope.record.came_out:
            if drawn.status is CardStatus.WAITING:
                drawn.place, drawn.status = BURN_PLACE, CardStatus.BURNED
                context.emit(Burned(article=context.law.articles.undue_card, card=drawn.shown, why="invalid"))

    # --- effects -----------------------------------------------------------------------------------------------------

    def _begin_round(self) -> None:
        self._context.open_round()
        self._lasting.rounds_in_shoe += 1
        self._voiding.begin_round()

    def burn_card(self, why: BurnReason, article: str) -> None:
        drawn = self._context.card_in_hand
        drawn.place = BURN_PLACE
        self._context.emit(Burned(article=article, card=drawn.shown, why=why))

    def void(self, reason: str) -> None:
        self._voiding.void(reason)

    def void_round(self) -> None:
        self._voiding.close_irregularities()
        # The row that voids the round has just moved the machine.
        article = self.machine.moved_by.article
        returned = self._return_wagers(article)
        self._context.emit(Voided(article=article, reason=self._voiding.reason, wagers=returned))

    def abandon_round(self) -> None:
        self.clear_round()

    def report_round_over(self) -> None:
        self._round_over()

    def doubt_count(self) -> None:
        self._voiding.is_partial = True
        self._context.scope.stack.uncertain += self._context.law.most_cards(self._context.table.seats)
