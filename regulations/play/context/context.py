"""The state that the machines of one table share."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self, TypeVar

from msgspec import UNSET, UnsetType, structs

from regulations.engine.rows import Found
from regulations.events.codec import EPOCH
from regulations.events.errors import RegulationBug
from regulations.events.inputs import AnyInput, CardDrawn, DeviceLost, Resolve, Table
from regulations.events.line import DeviceReport, Input
from regulations.events.origins import origin_of
from regulations.events.outputs import AnyOutput, Burned, Irregularity, Refused, Resolved
from regulations.events.vocabulary import EquipmentKind, IrregularityCode, Mark, RefusalCode, ResolutionAction, Role
from regulations.law.game_law import GameLaw
from regulations.law.profile import options_in_force
from regulations.law.rows import RegulationRow
from regulations.law.stakes import are_recorded
from regulations.play.context.card_permits import CardPermits
from regulations.play.context.drawn_card import BURN_PLACE, DrawnCard
from regulations.play.context.irregularities import LATCHED, RESOLUTIONS, OpenIrregularity, device_key
from regulations.play.context.open_round import OpenRound
from regulations.play.context.record import TRACKED
from regulations.play.context.scope import Scope
from regulations.play.context.stack import Stack
from regulations.play.context.turn import Subject, Turn

InputT = TypeVar("InputT", bound=Input)


@dataclass(frozen=True, slots=True)
class Deal:
    """Equipment and options; they change only between shoe games."""

    equipment: EquipmentKind
    options: dict[str, Any]
    is_direct: bool
    is_tracked: bool

    @classmethod
    def of(cls, table: Table, law: GameLaw, equipment: EquipmentKind) -> Self:
        """The deal of a profile from this equipment."""
        options = options_in_force(table, law, equipment)
        return cls(equipment, options, equipment == "shuffler_dealer", are_recorded(options))


class ShoePhase(NamedTuple):
    running: bool
    in_rounds: bool
    last: bool


class RuleContext:
    cut_card_may_count: Callable[[], bool]

    def __init__(self, table: Table, law: GameLaw) -> None:
        self.table: Final = table
        self.law: Final = law
        self.calls: Final = CardPermits()
        self.deal = Deal.of(table, law, table.equipment)
        self.held: list[DrawnCard] = []
        """They begin the next round (reading B11)."""
        self.absent: list[str] = []
        """Until their next report (reading G13)."""
        self.roles: dict[str, Role] = {}
        self.at = table.at if isinstance(table.at, str) else EPOCH
        self.shoe: ShoePhase
        stack = Stack(table.decks)
        number = 0 if table.rounds is UNSET else table.rounds
        self.scope = Scope(turn=Turn(table, stack.out), stack=stack, number=number)

    def begin(self, event: AnyInput) -> None:
        scope = self.scope
        scope.turn = Turn(event, scope.stack.out)
        # A card voids no round, and thousands may come while irregularities are open: each would look at all of them.
        if not isinstance(event, CardDrawn):
            scope.turn.voidable = [one.number for one in scope.irregularities.open if "void" in self.resolutions(one)]
        if isinstance(event, DeviceReport) and not isinstance(event, DeviceLost):
            # What the table says of it, such as a verdict, is no word of the device's own.
            self.absent = [device for device in self.absent if (origin_of(event), event.device) != ("device", device)]
        if isinstance(event.at, str):
            self.at = event.at

    @property
    def initial_burn(self) -> int | None:
        """``None``: the first card fixes it, or there is no burn."""
        burn = self.law.initial_burn
        return burn.cards(self.deal.options, self.table.decks, self.deal.equipment) if burn is not None else None

    @property
    def awaited(self) -> OpenIrregularity | None:
        """The voided irregularity whose device must be cleared before a round can begin (reading G13)."""
        awaited = self.scope.irregularities.awaited
        return awaited[0] if awaited and not self.scope.phase.open else None

    def open_round(self) -> None:
        scope = self.scope
        scope.number += 1
        scope.began = scope.irregularities.last_left - (scope.stack.out - scope.turn.out_before)
        scope.stack.round_began = scope.turn.out_before

    def adopt(self, equipment: EquipmentKind) -> None:
        """Deals from this equipment from now on."""
        self.deal = Deal.of(self.table, self.law, equipment)

    def emit(self, output: AnyOutput) -> None:
        """Adds an output to the answer, with the open round's number."""
        scope = self.scope
        if scope.phase.open:
            # The line is ours alone until it is said; a copy of each would cost more than making it.
            structs.force_setattr(output, "round", scope.number)
            if isinstance(output, TRACKED):
                scope.record.told.apply(output)
        scope.turn.answer.append(output)

    @contextmanager
    def aside(self, fresh: OpenRound) -> Iterator[Scope]:
        """Run the open round again from its opening in a scope of its own, which is discarded."""
        kept = self.scope
        self.scope = kept.from_its_opening(fresh)
        try:
            yield self.scope
        finally:
            self.scope = kept

    def event_as(self, kind: type[InputT]) -> InputT:
        event = self.scope.turn.event
        if not isinstance(event, kind):
            raise RegulationBug(str(event.__struct_config__.tag), kind.__name__)
        return event

    @property
    def card_in_hand(self) -> DrawnCard:
        drawn = self.scope.turn.subject.card
        if drawn is None:
            raise RegulationBug(str(self.scope.turn.event.__struct_config__.tag), "a card")
        return drawn

    def refuse(self, row: RegulationRow, code: RefusalCode, found: Found) -> None:
        """Refuses a person's request by a row, with what its last guard found."""
        self.emit(Refused(article=row.article, code=code, detail=_detail(row, found)))

    def open_irregularity(self, row: RegulationRow, code: IrregularityCode, found: Found) -> None:
        scope = self.scope
        subject = found if isinstance(found, Subject) else scope.turn.subject
        drawn = subject.card
        irregularity = scope.irregularities.add(
            code,
            row.article,
            drawn=drawn,
            behind=subject.behind,
            missing=subject.missing,
            device=device_key(scope.turn.event) if code in LATCHED else None,
            leads_to_void=not scope.phase.decided,
        )
        if drawn is not None and not scope.phase.decided:
            drawn.was_irregular = True
        self.emit(
            Irregularity(
                article=row.article,
                irregularity=irregularity.number,
                code=code,
                card=drawn.shown if drawn is not None else None,
                actions=self.resolutions(irregularity),
                detail=_detail(row, found if isinstance(found, str) else subject.why),
            )
        )

    def resolutions(self, irregularity: OpenIrregularity) -> list[ResolutionAction]:
        """The current resolutions of an irregularity, a latched fault's ``continue`` included."""
        ways = [way for way in RESOLUTIONS[irregularity.code] if self._is_possible(way, irregularity)]
        return self.scope.round.resolutions(irregularity, ways) or ["end_shoe"]

    def _is_possible(self, way: ResolutionAction, irregularity: OpenIrregularity) -> bool:
        if way == "void":
            phase = self.scope.phase
            return phase.voidable and (irregularity.leads_to_void or not phase.decided)
        if way == "counts":
            return self.cut_card_may_count()
        if way == "enter_bets":
            # Until it is resolved, no round begins, and no card goes back.
            return bool(self.law.articles.late_bets)
        # A device that stays dead must not hold the table for ever: after this way out it can be replaced or closed.
        return way != "end_shoe" or self.shoe.running or irregularity.code in LATCHED

    def resolutions_now(self, irregularity: OpenIrregularity) -> list[ResolutionAction]:
        latched = irregularity.code in LATCHED and not irregularity.cleared
        return [way for way in self.resolutions(irregularity) if not (latched and way == "continue")]

    def settle(
        self,
        irregularity: OpenIrregularity,
        action: ResolutionAction,
        by: Sequence[int | str],
        article: str = "",
        mark: Mark | UnsetType = UNSET,
    ) -> None:
        """Emit how an irregularity was resolved; after ``void`` or ``end_shoe`` release its card and its device."""
        event = self.scope.turn.event
        self.emit(
            Resolved(
                article=article or irregularity.article,
                irregularity=irregularity.number,
                action=action,
                by=list(by),
                mark=mark,
                decision=event.decision if isinstance(event, Resolve) else UNSET,
            )
        )
        if action not in {"void", "end_shoe"}:
            return
        if irregularity.unplaced is not None:
            self._burn(irregularity.unplaced)
        if irregularity.device is None:
            return
        if action == "end_shoe":
            self.absent.append(irregularity.device[1])
        elif not irregularity.cleared:
            self.scope.irregularities.awaited.append(irregularity)

    def cards_are_back(self) -> None:
        self.burn_waiting()
        for irregularity in self.scope.irregularities.open:
            irregularity.is_back = irregularity.drawn is not None

    def burn_waiting(self) -> None:
        for drawn in self.scope.irregularities.waiting:
            self._burn(drawn)
        self.scope.irregularities.waiting = []

    def _burn(self, drawn: DrawnCard) -> None:
        drawn.place = BURN_PLACE
        self.emit(Burned(article="reading G14", card=drawn.shown, why="invalid"))


def _detail(row: RegulationRow, found: Found) -> str:
    return f"{row.says}: {found}" if isinstance(found, str) and found else row.says
