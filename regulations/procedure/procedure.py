"""One table: one event in, its outputs out, ending with exactly one ``next``."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, Self, cast

from msgspec import UNSET, UnsetType, to_builtins

from regulations.events.cards import Card
from regulations.events.errors import NoSnapshot, SealedInput
from regulations.events.inputs import (
    Amendment,
    AnyInput,
    CardDrawn,
    CardsReturned,
    CutCard,
    DeviceBack,
    DeviceLost,
    DeviceReadmitted,
    DeviceResult,
    Dispute,
    Exposed,
    Fault,
    FaultCleared,
    Loaded,
    Proposed,
    Resolve,
    Revealed,
    RoundPartial,
    Shuffled,
    StackCounted,
    Table,
    Void,
)
from regulations.events.notices import (
    ClockStepped,
    DeviceIdentified,
    DeviceJudged,
    DeviceNoted,
    PersonsListed,
    SignedIn,
    SignedOut,
    SignInsRefused,
    SupervisorCalled,
    TableOpened,
    WitnessBehind,
    WitnessCurrent,
)
from regulations.events.origins import origin_of
from regulations.events.outputs import AnyOutput, Irregularity, Next, Refused
from regulations.games.registry import GAMES
from regulations.law.rulebook import Rulebook
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardStatus
from regulations.play.context.game import Game
from regulations.play.context.open_round import OpenRound
from regulations.play.context.snapshot import Snapshot
from regulations.play.context.turn import Subject
from regulations.play.resolution.card_intake import CardIntake
from regulations.play.resolution.resolver import IrregularityResolver
from regulations.play.shoe.game import ShoeGame
from regulations.play.shoe.states import ShoeState

ALWAYS_TAKEN: Final = (
    CardDrawn,
    CutCard,
    Fault,
    FaultCleared,
    DeviceLost,
    DeviceBack,
    DeviceReadmitted,
    DeviceResult,
    DeviceIdentified,
    DeviceJudged,
    DeviceNoted,
    RoundPartial,
    Void,
    WitnessBehind,
    WitnessCurrent,
    ClockStepped,
    SignedIn,
    SignedOut,
    SignInsRefused,
    PersonsListed,
    SupervisorCalled,
    Proposed,
    TableOpened,
    Dispute,
)
"""An open irregularity does not block them."""


REPORTED: Final = (Loaded, Shuffled, CardsReturned, StackCounted)
"""An open irregularity blocks them if a person gives them (reading G7)."""


NO_ANSWER: Final = "the program cannot process this input; nothing changed. Report the number of its line"


def _has_happened(event: AnyInput) -> bool:
    return isinstance(event, ALWAYS_TAKEN) or (isinstance(event, REPORTED) and origin_of(event) == "device")


def _names(entry: Card | Amendment) -> bool:
    return not isinstance(entry, Amendment) or entry.card is not UNSET


class Procedure:
    def __init__(self, table: Table, rulebook: Rulebook | None = None) -> None:
        self.game: Final[Game] = GAMES[table.game]
        rules = self.game.rulebook if rulebook is None else rulebook
        self._context: Final = RuleContext(table, self.game.law)
        self._shoe: Final = ShoeGame(self._context, rules.shoe)
        self._make_round: Final[Callable[[], OpenRound]] = partial(
            self.game.round, self._context, rules.round, rules.payouts, lambda: self._shoe.fire("round_over")
        )
        self._context.scope.round = self._make_round()
        self._intake: Final = CardIntake(self._context, self._shoe)
        self._gate: Final = IrregularityResolver(self._context, self._shoe, self._make_round, self._intake, rules.gate)
        self.opening: Final = self._open()

    @property
    def _round(self) -> OpenRound:
        return self._context.scope.round

    @classmethod
    def resume(cls, table: Table, snapshot: Snapshot, rulebook: Rulebook | None = None, *, lines: int = 0) -> Self:
        """A table in the state of a snapshot; ``lines``: of its log at that time.

        Raises:
            SnapshotUnfit: another game's or other rules': replay the whole log.
        """
        procedure = cls(table, rulebook)
        procedure._restore(snapshot, lines)  # its own class
        return procedure

    def snapshot(self) -> Snapshot:
        """The state of a table with a new stack.

        Raises:
            NoSnapshot: a card is out, a round is open, or no shoe game has begun.
        """
        if (needed := self._needed_of_the_past()) is not None:
            raise NoSnapshot(needed)
        context = self._context
        still_open, irregularities, left = context.scope.irregularities.snapshot()
        return Snapshot(
            at=context.at,
            equipment=context.deal.equipment,
            round_no=context.scope.number,
            counted=context.scope.stack.counted,
            uncertain=context.scope.stack.uncertain,
            irregularities=irregularities,
            left=left,
            open=still_open,
            gate=self._gate.machine.snapshot,
            shoe=self._shoe.snapshot(),
            round=to_builtins(self._round.snapshot()),
            awaited=[replace(one) for one in context.scope.irregularities.awaited],
            absent=list(context.absent),
            roles=dict(context.roles),
            readers=dict(self._shoe.devices.readers),
            dealt_from=self._shoe.devices.dealt_from,
        )

    def _needed_of_the_past(self) -> str | None:
        context = self._context
        if not context.shoe.running:
            return "no shoe game runs"
        if context.scope.stack.out or any(one.drawn is not None for one in context.scope.irregularities.snapshot()[0]):
            return "cards are out"
        if not self._round.is_idle:
            return "a round is open"
        return (
            "a device may still report a card that a person entered" if context.scope.stack.waits_for_device else None
        )

    def _restore(self, snapshot: Snapshot, lines: int) -> None:
        context = self._context
        context.adopt(snapshot.equipment)
        context.at, context.scope.number = snapshot.at, snapshot.round_no
        context.scope.stack.counted, context.scope.stack.uncertain = snapshot.counted, snapshot.uncertain
        context.scope.irregularities.restore(snapshot.open, snapshot.irregularities, snapshot.left)
        context.scope.irregularities.awaited = [replace(one) for one in snapshot.awaited]
        context.absent, context.roles = list(snapshot.absent), dict(snapshot.roles)
        self._shoe.devices.readers, self._shoe.devices.dealt_from = dict(snapshot.readers), snapshot.dealt_from
        self._gate.machine.restore(snapshot.gate)
        self._shoe.restore(snapshot.shoe)
        self._round.resume(snapshot.round)
        context.scope.turn.answer = []
        self._emit_next()
        self._count_lines()
        context.calls.lines = context.calls.first = lines

    @property
    def is_refused(self) -> bool:
        return self._shoe.state is ShoeState.OPENING

    @property
    def is_closed(self) -> bool:
        return self._shoe.state is ShoeState.CLOSED

    @property
    def is_complete(self) -> bool:
        context, register = self._context, self._context.scope.irregularities
        is_over = self._shoe.state is ShoeState.OVER
        is_left = register.open or register.awaited or context.absent or self._round.carries
        return is_over and not is_left and context.deal.equipment == context.table.equipment

    @property
    def last_round(self) -> int:
        """The open one included; 0 before the first."""
        return self._context.scope.number

    @property
    def is_mid_round(self) -> bool:
        return self._context.scope.phase.open or self._shoe.state is ShoeState.RETURN

    @property
    def is_dealt_from(self) -> bool:
        return self._context.shoe.running

    @property
    def edition(self) -> str:
        """The edition of the regulation that is enforced."""
        return self._context.law.edition

    @property
    def open_round(self) -> int | UnsetType:
        return self._context.scope.number if self._context.scope.phase.open else UNSET

    @property
    def due_in_a_row(self) -> int:
        """Next cards of the same hand or burn; 0: none is due."""
        return self._shoe.due.in_a_row

    @property
    def lines(self) -> int:
        """The log's lines; the log sets it after lines of its own."""
        return self._context.calls.lines

    @lines.setter
    def lines(self, lines: int) -> None:
        self._context.calls.lines = lines

    @property
    def hides_the_event(self) -> bool:
        """It identifies a face-down card and must be sealed (reading G8); a damaged frame may."""
        context = self._context
        match context.scope.turn.event:
            case CardDrawn() as event:
                tells = event.card is not None or event.raw is not UNSET
                return tells and any(drawn.shown is None for drawn in context.scope.turn.told)
            case Resolve() as event:
                names = event.card is not UNSET or any(_names(entry) for entry in event.cards or ())
                return names and (
                    not context.scope.turn.told or any(drawn.shown is None for drawn in context.scope.turn.told)
                )
            case Revealed() as event:
                return event.cards is not UNSET and self._has_refused
            case Exposed() as event:
                return event.cards is not UNSET or event.raw is not UNSET
            case DeviceResult():
                return self._result_tells
            case Fault() | FaultCleared() | RoundPartial() as event:
                return event.raw is not UNSET
            case _:
                return False

    @property
    def _result_tells(self) -> bool:
        came_out = [drawn for drawn in self._context.scope.record.came_out if drawn.status is not CardStatus.HELD]
        if any(drawn.shown is None for drawn in came_out if drawn.place != BURN_PLACE):
            return True
        # Of burned cards too, where it counts one for a hand, after a misdeal; not where it says what all can see.
        has_unseen = all(drawn.place == BURN_PLACE for drawn in came_out) or any(one.shown is None for one in came_out)
        return has_unseen and isinstance(self._context.scope.turn.answer[0], Irregularity)

    @property
    def _has_refused(self) -> bool:
        return isinstance(self._context.scope.turn.answer[0], Refused)

    @property
    def states(self) -> tuple[str, str, str]:
        """Where gate, shoe game and round stand."""
        return self._gate.machine.state.value, self._shoe.state.value, self._round.state.value

    def _open(self) -> list[AnyOutput]:
        self._shoe.fire("table")
        if self.is_refused:
            self._context.emit(Next(do="nothing"))
        else:
            self._shoe.emit_next()
        self._count_lines()
        return self._context.scope.turn.answer

    def apply(self, event: AnyInput) -> list[AnyOutput]:
        """Outputs in causal order, the last of them a ``next``.

        Raises:
            SealedInput: open it with the table's key first.
            RegulationBug: the rule tables have no answer.
        """
        if event.sealed is not UNSET:
            raise SealedInput(str(event.__struct_config__.tag), event.seq if isinstance(event.seq, int) else None)
        context = self._context
        context.begin(event)
        if isinstance(event, CardDrawn):
            self._intake.receive(event)
        elif isinstance(event, Resolve):
            self._gate.fire("resolve")
        elif self._gate.is_blocked and not _has_happened(event):
            self._gate.fire("request")
        else:
            self._shoe.fire(str(event.__struct_config__.tag))
        self._intake.lay_waiting()
        self._check_afterwards()
        self._gate.sync_state()
        self._emit_next()
        if isinstance(event, CutCard):
            self._shoe.cut_cards.add_depth(cast("Next", context.scope.turn.answer[-1]))
        self._count_lines()
        return context.scope.turn.answer

    def forget_hidden_cards(self) -> None:
        """The next answer depends on the open ones alone (reading G8)."""
        self._context.scope.stack.forget_hidden()

    def without_answer(self) -> list[AnyOutput]:
        """The refusal of an input on which :meth:`apply` failed, in the state before it (reading G7)."""
        self._context.scope.turn.answer = []
        self._context.emit(Refused(article="reading G7", code="no_answer", detail=NO_ANSWER))
        self._emit_next()
        self._count_lines()
        return self._context.scope.turn.answer

    def _emit_next(self) -> None:
        if self._context.scope.irregularities.open:
            self._gate.emit_next()
        else:
            self._shoe.emit_next()

    def _count_lines(self) -> None:
        answer = self._context.scope.turn.answer
        is_missed = self._context.scope.irregularities.first_of_device() is not None
        act = cast("Next", answer[-1]).do
        self._context.calls.answered(len(answer), act, self._shoe.due.in_a_row, is_missed=is_missed)

    def _check_afterwards(self) -> None:
        scope = self._context.scope
        if scope.round.stored_result_disagrees():
            self._report("device_disagrees", "its result is not the regulation's")
        if scope.phase.open and scope.stack.left <= 0 and not scope.irregularities.open and scope.due.place is not None:
            self._report("stack_exhausted", "")
        if self._context.law.articles.too_few_cards and self._shoe.ending.serves_no_seat():
            self._shoe.fire("too_few_cards")

    def _report(self, trigger: str, why: str) -> None:
        self._shoe.fire(trigger, Subject(why=why))
