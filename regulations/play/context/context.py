"""What the machines of one table share: profile, stack, open irregularities, and the answer in the making."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from msgspec import UNSET, UnsetType, structs

from regulations.engine.rows import Found
from regulations.events.codec import EPOCH
from regulations.events.errors import RegulationBug
from regulations.events.inputs import AnyInput, CardDrawn, DeviceLost, Resolve, Table
from regulations.events.line import DeviceReport, Input
from regulations.events.origins import origin_of
from regulations.events.outputs import AnyOutput, Burned, Irregularity, Refused, Resolved
from regulations.events.vocabulary import EquipmentKind, IrregularityCode, Mark, RefusalCode, Role, WayOut
from regulations.law.game_law import GameLaw
from regulations.law.profile import options_in_force
from regulations.law.rows import Row
from regulations.law.stakes import are_told
from regulations.play.context.card_permits import Calls
from regulations.play.context.drawn_card import BURN_PLACE, Drawn
from regulations.play.context.irregularities import LATCHED, WAYS_OUT, DeviceKey, OpenIrregularity, Register
from regulations.play.context.record import HEARD, Record
from regulations.play.context.stack import Stack

InputT = TypeVar("InputT", bound=Input)


class RuleContext:
    """The shared state of one table.

    Args:
        table: the profile.
        law: what the game's regulation fixes.
    """

    def __init__(self, table: Table, law: GameLaw) -> None:
        self.table: Final = table
        self.law: Final = law
        self.equipment: EquipmentKind = table.equipment
        self.options: dict[str, Any] = {}
        self.stack = Stack(0)
        """None is in until the first is loaded."""
        self.calls: Final = Calls()
        self.irregularities = Register()
        self.event: AnyInput = table
        self.at = table.at if isinstance(table.at, str) else EPOCH
        self.drawn: Drawn | None = None
        """The card that the machines are looking at."""
        self.behind: Drawn | None = None
        """The card behind which an irregularity without one stands, if not behind the last that is out."""
        self.device: DeviceKey | None = None
        """The device and fault that the machines are looking at."""
        self.told: list[Drawn] = []
        """The cards whose identity the event in hand tells."""
        self.missing: int
        """With a gap in the device's count: how many cards nobody reported."""
        self.roles: dict[str, Role] = {}
        """By person: the role of the last sign-in."""
        self.readers: dict[str, bool] = {}
        """Devices that read the cards that they deal; whether they report the cut card."""
        self.dealt_from = ""
        """The device in which the stack lies; empty: not known."""
        self.held: list[Drawn] = []
        """Cards not due that become the first of the next round (reading B11)."""
        self.round_no = 0
        self.round_began: int
        """The number of the last card that left before the open round began."""
        # Each is about the open round.
        self.round_open = self.round_voidable = self.round_decided = False
        self.voided_with: list[int] = []
        """The irregularities of which a void was a way out when the event came, by their numbers."""
        self.absent: list[str] = []
        """Devices that persons have given up, until they report anew (reading G13)."""
        self.shoe_running: bool
        self.in_rounds: bool
        self.last_round: bool
        self.why: str
        """What is found out of a trigger that no guard asks about."""
        self.answer: list[AnyOutput] = []
        self.record = Record()
        """The inputs of the open round, and what was told of it."""
        self.cut_card_may_count: Callable[[], bool]
        """True if two people can have an unexpected cut card count."""
        self.ways_of_the_round: Callable[[OpenIrregularity, list[WayOut]], list[WayOut]]
        """Changes the ways out as the game's own regulation asks."""

    def begin(self, event: AnyInput) -> None:
        """Turns to the next event, with nothing in hand."""
        self.event, self.answer = event, []
        self.stack.was_out = self.stack.out
        self.drawn, self.device, self.missing, self.why = None, None, 0, ""
        self.told, self.voided_with = [], []
        # A card voids no round, and thousands may come while irregularities are open: each would look at all of them.
        if not isinstance(event, CardDrawn):
            self.voided_with = [one.number for one in self.irregularities.open if "void" in self.ways_out(one)]
        if self.absent and isinstance(event, DeviceReport) and not isinstance(event, DeviceLost):
            # What the table says of it, such as a verdict, is no word of the device's own.
            self.absent = [device for device in self.absent if (origin_of(event), event.device) != ("device", device)]
        if isinstance(event.at, str):
            self.at = event.at

    @property
    def is_direct(self) -> bool:
        """True if a shuffler-dealer deals: no stack, no cut, cards returned after each round."""
        return self.equipment == "shuffler_dealer"

    @property
    def initial_burn(self) -> int | None:
        """Number of cards burned before the first round; ``None``: the first card fixes it, or there is no burn."""
        burn = self.law.initial_burn
        return burn.cards(self.options, self.table.decks, self.equipment) if burn is not None else None

    @property
    def is_tracked(self) -> bool:
        """True if the table is told the stakes."""
        return are_told(self.options)

    @property
    def awaited(self) -> OpenIrregularity | None:
        """The void round's irregularity whose device must be well before a round can begin (reading G13)."""
        awaited = self.irregularities.awaited
        return awaited[0] if awaited and not self.round_open else None

    def open_round(self) -> None:
        """Numbers the round that begins, and notes how many cards were out before it."""
        self.round_no += 1
        self.round_began = self.irregularities.last_left - (self.stack.out - self.stack.was_out)
        self.stack.round_began = self.stack.was_out

    def adopt(self, equipment: EquipmentKind) -> None:
        """Deals from this equipment from now on."""
        self.equipment = equipment
        self.options = options_in_force(self.table, self.law, equipment)

    def say(self, output: AnyOutput) -> None:
        """Adds an output to the answer, with the open round's number."""
        if self.round_open:
            # The line is ours alone until it is said; a copy of each would cost more than making it.
            structs.force_setattr(output, "round", self.round_no)
            if isinstance(output, HEARD):
                self.record.told.hear(output)
        self.answer.append(output)

    @contextmanager
    def aside(self) -> Iterator[Record]:
        """Runs the open round again from its opening, with nobody to hear of it: all stands as before afterwards.

        Yields:
            The record of the round that is run.
        """
        names = (
            "event", "answer", "irregularities", "stack", "record", "ways_of_the_round",
            "round_no", "round_began", "round_open", "round_voidable", "round_decided",
        )  # fmt: skip
        kept = {name: getattr(self, name) for name in names}
        began = self.record
        self.answer, self.irregularities, self.record = [], Register(), Record()
        self.stack = self.stack.before_the_round()
        self.round_no -= 1
        self.record.begin(began.began, began.opening)
        try:
            yield self.record
        finally:
            for name, value in kept.items():
                setattr(self, name, value)

    def event_as(self, kind: type[InputT]) -> InputT:
        """The event in hand, where a row is about one kind only.

        Raises:
            RegulationBug: it is of another kind: the row stands under a wrong trigger.
        """
        if not isinstance(self.event, kind):
            raise RegulationBug(str(self.event.__struct_config__.tag), kind.__name__)
        return self.event

    @property
    def card_in_hand(self) -> Drawn:
        """The card that the machines are looking at, where a row is about one.

        Raises:
            RegulationBug: there is none: the row stands under a wrong trigger.
        """
        if self.drawn is None:
            raise RegulationBug(str(self.event.__struct_config__.tag), "a card")
        return self.drawn

    def refuse(self, row: Row, code: RefusalCode, found: Found) -> None:
        """Refuses a person's request by a row, with what its last guard found."""
        self.say(Refused(article=row.article, code=code, detail=self._detail(row, found)))

    def _detail(self, row: Row, found: Found) -> str:
        why = found if isinstance(found, str) else self.why
        return f"{row.says}: {why}" if why else row.says

    def open_irregularity(self, row: Row, code: IrregularityCode, found: Found) -> None:
        """Opens the irregularity of a row, about the card or device in hand where there is one."""
        drawn = self.drawn
        irregularity = self.irregularities.add(
            code,
            row.article,
            drawn=drawn,
            behind=self.behind,
            missing=self.missing,
            device=self.device,
            leads_to_void=not self.round_decided,
        )
        if drawn is not None and not self.round_decided:
            drawn.was_irregular = True
        self.say(
            Irregularity(
                article=row.article,
                irregularity=irregularity.number,
                code=code,
                card=drawn.shown if drawn is not None else None,
                actions=self.ways_out(irregularity),
                detail=self._detail(row, found),
            )
        )

    def ways_out(self, irregularity: OpenIrregularity) -> list[WayOut]:
        """The ways out of an irregularity as things stand, a latched fault's ``continue`` included."""
        ways = [way for way in WAYS_OUT[irregularity.code] if self._is_possible(way, irregularity)]
        return self.ways_of_the_round(irregularity, ways) or ["end_shoe"]

    def _is_possible(self, way: WayOut, irregularity: OpenIrregularity) -> bool:
        if way == "void":
            return self.round_voidable and (irregularity.leads_to_void or not self.round_decided)
        if way == "counts":
            return self.cut_card_may_count()
        if way == "enter_bets":
            return bool(self.law.articles.late_bets) and self.in_rounds and not irregularity.is_back
        # A device that stays dead must not hold the table for ever: after this way out it can be replaced or closed.
        return way != "end_shoe" or self.shoe_running or irregularity.code in LATCHED

    def ways_out_now(self, irregularity: OpenIrregularity) -> list[WayOut]:
        """The ways out that can be taken at once."""
        latched = irregularity.code in LATCHED and not irregularity.cleared
        return [way for way in self.ways_out(irregularity) if not (latched and way == "continue")]

    def settle(
        self,
        irregularity: OpenIrregularity,
        action: WayOut,
        by: Sequence[int | str],
        article: str = "",
        mark: Mark | UnsetType = UNSET,
    ) -> None:
        """Says how an irregularity was settled, and what becomes of its cards and its device where that says so.

        Args:
            irregularity: which one; it is closed, or its device is waited for no longer.
            action: the way out that was taken.
            by: who answers for it.
            article: by which; the irregularity's own if left out.
            mark: what surveillance is to look at.
        """
        event = self.event
        self.say(
            Resolved(
                article=article or irregularity.article,
                irregularity=irregularity.number,
                action=action,
                by=list(by),
                mark=mark,
                decision=event.decision if action == "decision" and isinstance(event, Resolve) else UNSET,
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
            self.irregularities.awaited.append(irregularity)

    def cards_are_back(self) -> None:
        """All cards lie in the equipment again, also those that wait or of which an irregularity is open."""
        self.burn_waiting()
        for irregularity in self.irregularities.open:
            irregularity.is_back = irregularity.drawn is not None

    def burn_waiting(self) -> None:
        """The cards that wait for a place get none any more."""
        for drawn in self.irregularities.waiting:
            self._burn(drawn)
        self.irregularities.waiting = []

    def _burn(self, drawn: Drawn) -> None:
        drawn.place = BURN_PLACE
        self.say(Burned(article="reading G14", card=drawn.shown, why="invalid"))
