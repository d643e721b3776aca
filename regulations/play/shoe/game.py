"""The shoe game of one table, with the rounds inside it."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from msgspec import UNSET, UnsetType, structs

from regulations.events.inputs import (
    BetsClosed,
    BetsCorrected,
    Decision,
    DeviceResult,
    Exposed,
    Revealed,
    Table,
)
from regulations.events.outputs import Irregularity, Next, Refused
from regulations.events.vocabulary import Do
from regulations.law.rows import RegulationRow
from regulations.play.context.context import RuleContext, ShoePhase
from regulations.play.context.drawn_card import DrawnCard
from regulations.play.context.due import NO_CARD, Due
from regulations.play.context.machine import RuleMachine
from regulations.play.context.open_round import OpenRound
from regulations.play.context.record import RoundAction, RoundRecord, Stage, faced
from regulations.play.context.snapshot import ShoeSnapshot, adopt_snapshot
from regulations.play.context.turn import Subject
from regulations.play.shoe.cut_card import CutCardRules
from regulations.play.shoe.devices import DeviceRules
from regulations.play.shoe.ending import EndingRules
from regulations.play.shoe.initial_burn import InitialBurnRules
from regulations.play.shoe.profile_guards import ProfileGuards
from regulations.play.shoe.stack_steps import StackRules
from regulations.play.shoe.states import IN_ROUNDS, RUNNING, ShoeState

S = ShoeState
NEXT_ACT: Final[dict[ShoeState, Do]] = {
    S.SHUFFLE: "shuffle",
    S.CUT: "cut",
    S.PLACE_CUT_CARD: "place_cut_card",
    S.FILL: "load",
    S.MIX: "shuffle",
    S.LOAD: "load",
    S.BURN: "burn",
    S.RETURN: "return_cards",
    S.CLOSED: "nothing",
}
PHASES: Final[dict[StrEnum, ShoePhase]] = {
    state: ShoePhase(state in RUNNING, state in IN_ROUNDS or state is S.RETURN, state is S.LAST) for state in ShoeState
}
CUT_CARD_MOVED: Final[dict[Stage, tuple[str, ...]]] = {
    "bets": ("cut_card_first", "cut_card_earlier"),
    "deal": ("cut_card_earlier", "cut_card_within"),
    "result": ("cut_card_later",),
}


class ShoeGame:
    def __init__(self, context: RuleContext, rows: Sequence[RegulationRow]) -> None:
        self._context: Final = context
        self._lasting: Final = ShoeSnapshot()
        profile = ProfileGuards(context)
        self._steps: Final = StackRules(context, self._lasting, profile, lambda: self.machine)
        self._burn: Final = InitialBurnRules(context, self._lasting)
        self.ending: Final = EndingRules(context, lambda: self.machine)
        self.devices: Final = DeviceRules(context)
        self.cut_cards: Final = CutCardRules(context, self._lasting, self.fire)
        context.cut_card_may_count = self.cut_cards.may_count
        parts = (self, profile, self._steps, self._burn, self.ending, self.devices, self.cut_cards)
        self.machine: Final[RuleMachine[ShoeState]] = RuleMachine(
            ShoeState, rows, context, parts, S.OPENING, self.moved
        )

    @property
    def state(self) -> ShoeState:
        """The next step of the shoe game."""
        return self.machine.state

    def fire(self, trigger: str, about: Subject | None = None) -> None:
        """Gives the machine a trigger, and what its rows are about; by default what they are about already."""
        if about is None:
            self.machine.fire(trigger)
        else:
            self.machine.fire_about(trigger, about)

    def moved(self, state: StrEnum) -> None:
        """Keeps what the context shows of the shoe game in step with the machine."""
        self._context.shoe = PHASES[state]

    def snapshot(self) -> ShoeSnapshot:
        return structs.replace(self._lasting, row=self.machine.snapshot)

    def restore(self, snapshot: ShoeSnapshot) -> None:
        self.machine.restore(snapshot.row)
        adopt_snapshot(self._lasting, snapshot)
        self.ending.begin()

    @property
    def due(self) -> Due:
        """What is due: in a round, or in the initial burn."""
        state = self.machine.state
        if state in IN_ROUNDS:
            return self._context.scope.due
        return self._burn.due if state is S.BURN else NO_CARD

    def due_to(self, drawn: DrawnCard) -> Due:
        return self._context.scope.round.due_to(drawn) if self.machine.state in IN_ROUNDS else self.due

    def cut_card_is_missing(self) -> bool:
        return self.cut_cards.is_missing() and not self.ending.house_ends()

    def emit_next(self) -> None:
        context, state = self._context, self.machine.state
        if state in IN_ROUNDS:
            awaited = context.awaited
            if awaited is not None:
                context.emit(
                    Next(article="reading G13", do="resolve", irregularity=awaited.number, actions=["end_shoe"])
                )
            else:
                context.scope.round.emit_next()
                if isinstance(context.scope.turn.event, Exposed):
                    self._cite_valid_exposure()
            return
        act: Do = NEXT_ACT[state] if state is not S.OVER else "shuffle" if self._steps.by_hand() else "load"
        article = self._article_of_next()
        if isinstance(context.scope.turn.event, Table):
            context.emit(Next(article=article, do=act, edition=context.law.edition, options=context.deal.options))
        else:
            left = self._lasting.burn_left if state is S.BURN else None
            context.emit(Next(article=article, do=act, left=UNSET if left is None else left))

    def _cite_valid_exposure(self) -> None:
        context = self._context
        if self._context.scope.round.is_dealing and context.law.articles.exposed:
            answer = context.scope.turn.answer
            answer[-1] = structs.replace(answer[-1], article=context.law.articles.exposed)

    def _article_of_next(self) -> str | UnsetType:
        articles = self._context.law.articles
        if self.state is S.BURN:
            return articles.initial_burn
        if self.state in (S.CUT, S.PLACE_CUT_CARD):
            return articles.prepare
        if self.state is S.LOAD or (self.state is S.OVER and not self._steps.by_hand()):
            if self._context.deal.is_direct:
                return articles.direct
            return articles.mixed if self._steps.by_shuffler() else articles.prepare
        return UNSET if self.state is S.CLOSED else self.machine.moved_by.article

    def card_to_round(self) -> None:
        self._context.scope.round.fire("card")

    def to_round(self) -> None:
        context, record, event = self._context, self._context.scope.record, self._context.scope.turn.event
        act = None
        if isinstance(event, Decision | Revealed):
            hand, bank = faced(event, self._context.scope.round.laid)
            act = RoundAction(event=event, after=len(record.came_out), hand=hand, bank=bank)
        elif isinstance(event, BetsClosed) and self._context.scope.round.is_idle:
            record.begin(self._context.scope.round.snapshot(), event)
        self._context.scope.round.fire(str(event.__struct_config__.tag))
        if self._context.scope.round.is_idle:
            record.clear()
            return
        record.device_reported = record.device_reported or isinstance(event, DeviceResult)
        if not isinstance(next(iter(context.scope.turn.answer), None), Refused | Irregularity):
            record.acts += [act] if act is not None else []
            if isinstance(event, BetsCorrected):
                record.opening = BetsClosed(seats=event.seats, wagers=event.wagers)

    def open_with_card(self) -> None:
        self._context.scope.record.begin(self._context.scope.round.snapshot(), None)
        self._context.scope.round.fire("first_card")

    def adopt(self, again: OpenRound, record: RoundRecord) -> None:
        """Replace the open round by its replay; the cut card keeps its place among its cards."""
        scope = self._context.scope
        was_at = scope.record.cut_card_at
        scope.adopt(again, record)
        if again.is_idle:
            # No card that opened it ever left: the next round has its number.
            scope.number -= 1
            record.clear()
        self._move_cut_card(was_at, record.cut_card_at)

    def place_cut_card(self) -> None:
        record = self._context.scope.record
        was_at, record.cut_card_at = record.cut_card_at, self._context.scope.round.stage
        self._move_cut_card(was_at, record.cut_card_at)

    def _move_cut_card(self, was_at: Stage, now_at: Stage) -> None:
        moved = (one for one in CUT_CARD_MOVED[now_at] if self.machine.answers(one))
        if was_at != now_at and (trigger := next(moved, None)) is not None:
            self.fire(trigger)
