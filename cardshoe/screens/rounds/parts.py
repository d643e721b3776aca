"""The facts of a round: plain data, storable as JSON."""

from msgspec import Struct

from cardshoe.screens.rounds.acts import Act
from cardshoe.screens.view.parts import IrregularityView, RoundView, WagerView
from regulations.events.cards import Card
from regulations.events.vocabulary import EquipmentKind


class StaffAtPlace(Struct, frozen=True):
    person: str
    role: str


class RoundStart(Struct, kw_only=True, omit_defaults=True):
    """The state before a round's first line.

    Attributes:
        equipment: ``None``: the profile's.
        standing: wagers kept from earlier rounds.
        astray: cards that left before; ``None``: face down.
    """

    shoe: int = 0
    equipment: EquipmentKind | None = None
    signed_in: dict[str, StaffAtPlace] = {}
    standing: list[WagerView] = []
    demonstration: bool = False
    irregularities: list[IrregularityView] = []
    astray: list[Card | None] = []


class ReportedCard(Struct, kw_only=True, omit_defaults=True):
    """A reported card of the round; never a card that stayed sealed.

    Attributes:
        seq: of its line; 0: it left before the round.
        card: ``None``: never disclosed.
        device: empty: entered by a person.
        unseen: not read.
        to: holder or ``burn``; empty: no place.
        position: in the hand, from 1.
        named, changed: line of the naming or correction; 0: none.
        is_struck: declared never to have left.
        is_counted: False in a gap of the count.
    """

    seq: int = 0
    at: str = ""
    card: Card | None = None
    device: str = ""
    unseen: bool = False
    to: str = ""
    seat: int = 0
    hand: int = 0
    position: int = 0
    article: str = ""
    named: int = 0
    changed: int = 0
    was: Card | None = None
    is_struck: bool = False
    is_counted: bool = True


class Occurrence(Struct, kw_only=True, omit_defaults=True):
    """An irregularity of the round.

    Attributes:
        seq: 0: open before the round.
        reason: of a misdeal or dispute, as given.
        action: the resolution; empty: open.
        mark: what surveillance must check.
    """

    irregularity: int
    code: str
    seq: int = 0
    at: str = ""
    article: str = ""
    detail: str = ""
    reason: str = ""
    action: str = ""
    by: list[str] = []
    resolved_seq: int = 0
    resolved_at: str = ""
    resolved_article: str = ""
    ground: str = ""
    mark: str = ""


class RoundCorrection(Struct, kw_only=True, omit_defaults=True):
    """A change of recorded cards or bets.

    Attributes:
        what: ``bets_corrected``, ``void``, or the resolution.
        reason: as given; of a resolution, the irregularity's code.
    """

    seq: int
    at: str
    what: str
    by: list[str]
    reason: str
    before: RoundView
    after: RoundView


class EntryFacts(Struct, kw_only=True, omit_defaults=True):
    """An entry of the round.

    Attributes:
        origin: ``device``, ``person`` or ``table``; empty: the journal's own.
        who: the device, or the named people.
        answers: without the last ``next``.
        refused: code of a refusal.
    """

    entry: int
    seq: int
    lines: int
    at: str
    event: str
    origin: str = ""
    who: list[str] = []
    answers: list[str] = []
    articles: list[str] = []
    refused: str = ""


class RoundFacts(Struct, kw_only=True, omit_defaults=True):
    """A round's facts beside its view.

    Attributes:
        drawn: in drawing order.
        people: signed in or authorising, each once.
    """

    number: int
    start: RoundStart
    entries: list[EntryFacts] = []
    drawn: list[ReportedCard] = []
    occurrences: list[Occurrence] = []
    corrections: list[RoundCorrection] = []
    acts: list[Act] = []
    people: list[StaffAtPlace] = []
    is_over: bool = False

    @property
    def seq(self) -> int:
        """Number of the first line."""
        return self.entries[0].seq

    @property
    def last_seq(self) -> int:
        return self.entries[-1].seq + self.entries[-1].lines - 1

    @property
    def articles(self) -> list[str]:
        """Cited articles, each once, in order."""
        return list(dict.fromkeys(article for one in self.entries for article in one.articles))


class RoundsState(Struct, kw_only=True, omit_defaults=True):
    """The fold's state between two entries, beside the view."""

    signed_in: dict[str, StaffAtPlace] = {}
    facts: RoundFacts | None = None
