"""Irregularities that are open: what happened, which ways out there are, in the order of their numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from regulations.drawn import Drawn
from regulations.errors import RegulationBug
from regulations.events.vocabulary import Ground, IrregularityCode, Origin, WayOut

WAYS_OUT: Final[dict[IrregularityCode, tuple[WayOut, ...]]] = {
    "card_not_due": ("burn", "void"),
    "card_before_bets_closed": ("burn",),
    "card_after_last_round": ("burn",),
    "unread_card": ("identify", "void"),
    "surplus_card": ("identify", "void", "end_shoe"),
    "count_gap": ("identify", "void", "end_shoe"),
    "cut_card_not_due": ("continue", "end_shoe"),
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
}
"""The ways out of each irregularity common to all games, in the order in which they are offered."""

TWO_PERSONS: Final[frozenset[WayOut]] = frozenset(
    {"void", "identify", "reassign", "end_shoe", "settle", "accept", "decision"}
)
"""The ways out for which two persons answer."""

ONE_PERSON: Final[frozenset[tuple[WayOut, IrregularityCode]]] = frozenset({("accept", "card_turned")})
"""Of those, what one person does: all saw the first card of the game, and the option makes it valid."""

NAMED: Final[frozenset[IrregularityCode]] = frozenset({"unread_card", "surplus_card", "count_gap"})
"""Those that persons end by naming cards, which then lie where they were due."""

LATCHED: Final[frozenset[IrregularityCode]] = frozenset({"device_fault", "device_lost"})
"""These let the table continue only once the device reports that it is well again."""

HOLDING: Final[frozenset[IrregularityCode]] = LATCHED | {"dispute"}
"""These hold the deal without being about a card: one that left by the permit in force lies where it was due, later."""

DeviceKey = tuple[Origin, str, int | str]
"""Who says that something is wrong with a device, which device, and the fault's code: the same ends it."""


GROUND_OF: Final[dict[IrregularityCode, Ground]] = {
    "croupier_card_exposed": "exposed",
    "device_fault": "malfunction",
    "device_lost": "malfunction",
    "stack_exhausted": "stack",
}
"""On what ground an irregularity voids the round; the others: a misdeal (reading G12)."""


@dataclass(slots=True, kw_only=True)
class OpenIrregularity:
    """An irregularity that nobody has resolved yet.

    Attributes:
        number: its number in the log, from 1.
        code: what happened.
        article: the article or reading behind it.
        drawn: the card concerned.
        missing: with ``count_gap``: how many cards the device counted that nobody reported.
        device: with ``device_fault`` and ``device_lost``: who says so, the device, and the fault's code.
        leads_to_void: whether a void is a way out even once the result is out (reading G12): it was open before, or a
            correction of it was refused.
        cleared: with those: whether the device is well again.
        not_due: with ``surplus_card``: the trigger of the rule by which the card was not due either; empty: it was.
        following: the cards that left behind it in the same packet, or in the same correction; or by the permit in
            force, and were told while the device was lost or faulty: they wait for it.
        is_back: whether the card went back into the equipment with all others before anybody resolved this.
    """

    number: int
    code: IrregularityCode
    article: str
    drawn: Drawn | None
    missing: int
    device: DeviceKey | None
    leads_to_void: bool
    cleared: bool = False
    not_due: str = ""
    following: list[Drawn] = field(default_factory=list)
    is_back: bool = False

    @property
    def lost_cards(self) -> list[Drawn]:
        """The cards that left the equipment and found no place because of this, in the order in which they left."""
        first = [] if self.drawn is None else [self.drawn]
        return [] if self.is_back else [drawn for drawn in (*first, *self.following) if drawn.place is None]

    @property
    def card(self) -> Drawn:
        """The card concerned.

        Raises:
            RegulationBug: there is none: a way out that is about a card is offered for something else.
        """
        if self.drawn is None:
            raise RegulationBug(self.code, "a card")
        return self.drawn


class Register:
    """The open irregularities of a table, resolved in the order of their numbers."""

    def __init__(self) -> None:
        self._numbered = 0
        self.open: list[OpenIrregularity] = []
        """Those that nobody has resolved yet."""
        self.awaited: list[OpenIrregularity] = []
        """Those that a void has closed while their device is not well: the next round waits (reading G13)."""

    def snapshot(self) -> tuple[list[OpenIrregularity], int]:
        """Those that are open, and how many there ever were."""
        return [replace(one) for one in self.open], self._numbered

    def restore(self, still_open: Sequence[OpenIrregularity], numbered: int) -> None:
        """Restores what :meth:`snapshot` gave."""
        self.open, self._numbered = [replace(one) for one in still_open], numbered

    def first_open(self) -> OpenIrregularity:
        """The irregularity that must be resolved next, where the gate is blocked.

        Raises:
            RegulationBug: none is open.
        """
        if not self.open:
            raise RegulationBug("clear", "an open irregularity")
        return self.open[0]

    def first_of_device(self) -> OpenIrregularity | None:
        """The first that is about a device, which persons go on from once it is well."""
        # Asked with each event, and most times nothing is open: a generator would cost more than this.
        for one in self.open:
            if one.code in LATCHED:
                return one
        return None

    def first_holding(self) -> OpenIrregularity | None:
        """The first for which a card that left by the permit in force waits."""
        return next((one for one in self.open if one.code in HOLDING), None)

    def last_open(self) -> OpenIrregularity:
        """The irregularity that was opened last, where one was."""
        return self.open[-1]

    def waiting(self) -> list[Drawn]:
        """The cards that wait for a way out: which they are, or whether they count, is still open."""
        about = [drawn for one in self.open for drawn in (one.drawn, *one.following)]
        return [drawn for drawn in about if drawn is not None]

    def to_be_laid(self) -> list[Drawn]:
        """The cards that lie where they were due, once what is open is resolved: late ones, and those of a gap."""
        return [drawn for one in self.open if one.code in HOLDING or one.missing for drawn in one.lost_cards]

    @property
    def newest(self) -> OpenIrregularity | None:
        """The open irregularity that was opened last."""
        return self.open[-1] if self.open else None

    def add(
        self,
        code: IrregularityCode,
        article: str,
        *,
        drawn: Drawn | None,
        missing: int,
        device: DeviceKey | None,
        leads_to_void: bool,
    ) -> OpenIrregularity:
        """Opens an irregularity under the next number."""
        self._numbered += 1
        irregularity = OpenIrregularity(
            number=self._numbered,
            code=code,
            article=article,
            drawn=drawn,
            missing=missing,
            device=device,
            leads_to_void=leads_to_void,
        )
        self.open.append(irregularity)
        return irregularity

    def close_first(self) -> OpenIrregularity:
        """Takes the first one off the list."""
        return self.open.pop(0)

    def close_where(self, closes: Callable[[OpenIrregularity], bool]) -> list[OpenIrregularity]:
        """Takes off the list whatever ``closes`` says, and returns it in the order of the numbers."""
        closed = [irregularity for irregularity in self.open if closes(irregularity)]
        self.open = [irregularity for irregularity in self.open if not closes(irregularity)]
        return closed

    def before_in_packet(self, drawn: Drawn) -> OpenIrregularity | None:
        """The open irregularity of a card that lies before this one in the same packet, and is to be named first."""
        if drawn.message is None:
            return None
        named = (one for one in self.open if one.code in NAMED)
        return next((one for one in named if one.card.message == drawn.message), None)

    def cards_are_back(self) -> None:
        """The cards of those that are open lie in the equipment again, with all others."""
        for irregularity in self.open:
            irregularity.is_back = irregularity.drawn is not None

    def forget_awaited(self, number: int) -> list[OpenIrregularity]:
        """Waits no longer for the device of this irregularity; returns it."""
        found = [one for one in self.awaited if one.number == number]
        self.awaited = [one for one in self.awaited if one.number != number]
        return found

    def note_health(self, key: DeviceKey, *, is_well: bool) -> None:
        """Notes whether a device is well again; a round that waits for that alone waits no longer."""
        irregularity = self.of_device(key)
        if irregularity is not None:
            irregularity.cleared = is_well
            self.awaited = [one for one in self.awaited if not one.cleared]

    def of_device(self, key: DeviceKey) -> OpenIrregularity | None:
        """The irregularity of this device and fault code that is open, or whose device is waited for.

        The table's own is another than the device's.
        """
        return next((one for one in (*self.open, *self.awaited) if one.device == key), None)
