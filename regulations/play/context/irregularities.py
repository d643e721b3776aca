"""Open irregularities and their resolutions, in the order of the cards (reading G17)."""

from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from regulations.events.errors import RegulationBug
from regulations.events.inputs import AnyInput, DeviceBack, DeviceLost, Fault, FaultCleared
from regulations.events.origins import origin_of
from regulations.events.vocabulary import NOT_UNDERSTOOD, Ground, IrregularityCode, Origin, ResolutionAction
from regulations.play.context.drawn_card import DrawnCard

RESOLUTIONS: Final[dict[IrregularityCode, tuple[ResolutionAction, ...]]] = {
    "card_not_due": ("burn", "void"),
    "card_before_bets_closed": ("burn", "enter_bets"),
    "card_after_last_round": ("burn",),
    "unread_card": ("identify", "void"),
    "surplus_card": ("identify", "void", "end_shoe"),
    "count_gap": ("identify", "void", "end_shoe"),
    "cut_card_not_due": ("counts", "set_aside", "end_shoe"),
    "cut_card_missing": ("continue", "end_shoe"),
    "card_turned": ("burn",),
    "croupier_card_exposed": ("void",),
    "misdeal": ("reassign", "identify", "void"),
    "stack_exhausted": ("void",),
    "device_fault": ("continue", "void", "end_shoe"),
    "device_lost": ("continue", "void", "end_shoe"),
    "round_partial": ("void", "end_shoe"),
    "device_disagrees": ("continue", "void"),
    "wrong_stack_count": ("continue",),
    "dispute": ("settle",),
    "card_by_hand": ("accept", "strike"),
}

TWO_PERSONS: Final[frozenset[ResolutionAction]] = frozenset(
    {"void", "identify", "reassign", "end_shoe", "settle", "counts", "set_aside", "strike", "decision", "enter_bets"}
)

TWO_PERSONS_FOR: Final[frozenset[tuple[IrregularityCode, ResolutionAction]]] = frozenset(
    {("device_disagrees", "continue"), ("card_by_hand", "accept"), ("card_not_due", "accept")}
)
"""Readings G19, J23."""

NAMED: Final[frozenset[IrregularityCode]] = frozenset({"unread_card", "surplus_card", "count_gap"})

LATCHED: Final[frozenset[IrregularityCode]] = frozenset({"device_fault", "device_lost"})
"""``continue`` only after the device has reported the fault cleared."""

HOLDING: Final[frozenset[IrregularityCode]] = LATCHED | {"dispute"}

DeviceKey = tuple[Origin, str, int | str]
LINK: Final = "link"


def device_key(event: AnyInput) -> DeviceKey:
    if isinstance(event, Fault | FaultCleared):
        return origin_of(event), event.device, event.code
    return "device", event.device if isinstance(event, DeviceLost | DeviceBack) else "", LINK


def needs_two_persons(code: IrregularityCode | None, way: ResolutionAction) -> bool:
    return way in TWO_PERSONS or (code, way) in TWO_PERSONS_FOR


GROUND_OF: Final[dict[IrregularityCode, Ground]] = {
    "croupier_card_exposed": "exposed",
    "device_fault": "malfunction",
    "device_lost": "malfunction",
    "stack_exhausted": "stack",
}
"""Default ``misdeal`` (reading G12)."""


@dataclass(slots=True, kw_only=True)
class OpenIrregularity:
    """An open irregularity.

    Attributes:
        at: number of its card, else of the last card out.
        leads_to_void: it can void a decided round (reading G12).
    """

    number: int
    at: float
    code: IrregularityCode
    article: str
    drawn: DrawnCard | None
    missing: int
    device: DeviceKey | None
    leads_to_void: bool
    cleared: bool = False
    not_due: str = ""
    is_back: bool = False

    @property
    def rank(self) -> tuple[float, bool, int]:
        return self.at, self.drawn is None, self.number

    @property
    def unplaced(self) -> DrawnCard | None:
        """The card concerned, if it is out and has no place."""
        return None if self.drawn is None or self.is_back or self.drawn.place is not None else self.drawn

    @property
    def is_malfunction(self) -> bool:
        is_unknown = self.device is not None and (self.device[0], self.device[2]) == ("table", NOT_UNDERSTOOD)
        return self.code in LATCHED and not is_unknown

    @property
    def card(self) -> DrawnCard:
        if self.drawn is None:
            raise RegulationBug(self.code, "a card")
        return self.drawn


class IrregularityRegister:
    def __init__(self) -> None:
        self._numbered = 0
        self.open: list[OpenIrregularity] = []
        self.waiting: list[DrawnCard] = []
        self.last_left = 0
        self.awaited: list[OpenIrregularity] = []

    def snapshot(self) -> tuple[list[OpenIrregularity], int, int]:
        return [replace(one) for one in self.open], self._numbered, self.last_left

    def restore(self, still_open: Sequence[OpenIrregularity], numbered: int, last_left: int) -> None:
        self.open, self._numbered, self.last_left = [replace(one) for one in still_open], numbered, last_left

    @property
    def next_number(self) -> int:
        return self._numbered + 1

    def first_open(self) -> OpenIrregularity:
        if not self.open:
            raise RegulationBug("clear", "an open irregularity")
        return self.open[0]

    def first_of_device(self) -> OpenIrregularity | None:
        # Asked with each event, and most times nothing is open: a generator would cost more than this.
        for one in self.open:
            if one.code in LATCHED:
                return one
        return None

    @property
    def holds(self) -> bool:
        return any(one.code in HOLDING for one in self.open)

    @property
    def blocks(self) -> bool:
        """One is open that is no unplaced card (reading G17)."""
        return any(one.unplaced is None for one in self.open)

    def lets_pass(self, drawn: DrawnCard) -> bool:
        return not self.open or (self.open[0].rank > (drawn.left, True) and not self.holds)

    def wait(self, *cards: DrawnCard) -> None:
        self.waiting += cards
        self.waiting.sort(key=lambda one: one.left)

    def about(self, drawn: DrawnCard) -> OpenIrregularity:
        """The irregularity about this card, where one is open."""
        return next(one for one in self.open if one.drawn is drawn)

    def unresolved(self) -> list[DrawnCard]:
        """The cards that wait: their names, or whether they count, are open."""
        return [one.drawn for one in self.open if one.drawn is not None] + self.waiting

    def to_be_laid(self) -> list[DrawnCard]:
        return [one.card for one in self.open if one.code in NAMED] + self.waiting

    def add(
        self,
        code: IrregularityCode,
        article: str,
        *,
        drawn: DrawnCard | None,
        missing: int,
        device: DeviceKey | None,
        leads_to_void: bool,
        behind: DrawnCard | None = None,
    ) -> OpenIrregularity:
        self._numbered += 1
        irregularity = OpenIrregularity(
            number=self._numbered,
            at=behind.left if behind is not None else self.last_left if drawn is None else drawn.left,
            code=code,
            article=article,
            drawn=drawn,
            missing=missing,
            device=device,
            leads_to_void=leads_to_void,
        )
        insort(self.open, irregularity, key=lambda one: one.rank)
        return irregularity

    def close_first(self) -> OpenIrregularity:
        return self.open.pop(0)

    def close_where(self, closes: Callable[[OpenIrregularity], bool]) -> list[OpenIrregularity]:
        closed = [irregularity for irregularity in self.open if closes(irregularity)]
        self.open = [irregularity for irregularity in self.open if not closes(irregularity)]
        return closed

    def forget_awaited(self, number: int) -> list[OpenIrregularity]:
        found = [one for one in self.awaited if one.number == number]
        self.awaited = [one for one in self.awaited if one.number != number]
        return found

    def set_cleared(self, key: DeviceKey, *, is_well: bool) -> None:
        irregularity = self.of_device(key)
        if irregularity is not None:
            irregularity.cleared = is_well
            self.awaited = [one for one in self.awaited if not one.cleared]

    def of_device(self, key: DeviceKey) -> OpenIrregularity | None:
        return next((one for one in (*self.open, *self.awaited) if one.device == key), None)
