"""The facts of a round: plain data, which can be stored as JSON and read back."""

from msgspec import Struct

from cardshoe.screens.rounds.acts import Act
from cardshoe.screens.view.parts import IrregularityView, RoundView, WagerView
from regulations.events.cards import Card
from regulations.events.vocabulary import EquipmentKind


class SignedIn(Struct, frozen=True):
    """Who is signed in at a place."""

    person: str
    role: str


class RoundStart(Struct, kw_only=True, omit_defaults=True):
    """The state before the first line of a round, as far as the round depends on it.

    Attributes:
        shoe: number of the shoe game.
        equipment: what is dealt from; ``None``: that of the profile.
        signed_in: who is signed in, by place.
        standing: wagers that are kept from earlier rounds.
        demonstration: whether the round was announced as a demonstration.
        irregularities: those that were open.
        astray: cards that had left before the round, ``None`` for one that is face down.
    """

    shoe: int = 0
    equipment: EquipmentKind | None = None
    signed_in: dict[str, SignedIn] = {}
    standing: list[WagerView] = []
    demonstration: bool = False
    irregularities: list[IrregularityView] = []
    astray: list[Card | None] = []


class ReportedCard(Struct, kw_only=True, omit_defaults=True):
    """A card that left in the round, as it was reported; never a card that stayed sealed.

    Attributes:
        seq: number of the line that reported it; 0: it left before the round began.
        at: when, RFC 3339, UTC.
        card: ``None`` while it was never disclosed.
        device: that reported it; empty: a person entered it.
        unseen: whether nothing read it.
        to: whose card it became, or ``burn``; empty: it has no place.
        seat: of a seat's card, else 0.
        hand: of the seat, else 0.
        position: in the hand, from 1.
        article: by which it was laid or burned.
        named: number of the line by which people named it; 0: they did not.
        changed: number of the line that corrected it; 0: none did.
        was: the card before the correction.
        is_struck: whether people declared that it never left.
        is_counted: whether it has a number among the cards of the round; a card of a gap in the count has none.
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
        irregularity: its number in the log.
        code: what happened.
        seq: of its line; 0: it was open before the round.
        at: when, RFC 3339, UTC.
        article: behind it.
        detail: what happened, for a person.
        reason: of a misdeal or dispute, as the person gave it.
        action: the resolution; empty while it is open.
        by: the people who authorised it.
        resolved_seq: of the line that resolved it.
        resolved_at: when.
        resolved_article: by which.
        ground: of the resolution, as it was given.
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
    """A change of what had been recorded: cards or bets.

    Attributes:
        seq: of the input.
        at: when, RFC 3339, UTC.
        what: ``bets_corrected``, ``void``, or the resolution.
        by: the people who authorised it.
        reason: as it was given; of a resolution the code of the irregularity.
        before: the round before it.
        after: the round behind it.
    """

    seq: int
    at: str
    what: str
    by: list[str]
    reason: str
    before: RoundView
    after: RoundView


class EntryFacts(Struct, kw_only=True, omit_defaults=True):
    """An entry of the journal in the round.

    Attributes:
        entry: its number.
        seq: of its first line.
        lines: how many lines it has.
        at: when, RFC 3339, UTC.
        event: the input.
        origin: who reported it: ``device``, ``person`` or ``table``; empty: the journal's own entry.
        who: the device, or the people that the input names.
        answers: the outputs, without the last ``next``.
        articles: that they cite.
        refused: the code, if it was refused.
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
    """A round, besides what its view has.

    Attributes:
        number: in the log.
        start: the state before its first line.
        entries: in order, each that was taken while the round was open.
        drawn: cards, in the order in which they left.
        occurrences: irregularities.
        corrections: in order.
        acts: of people in place of the equipment or the rule.
        people: who was signed in during the round, and who authorised something, each once.
        is_over: whether the round is closed.
    """

    number: int
    start: RoundStart
    entries: list[EntryFacts] = []
    drawn: list[ReportedCard] = []
    occurrences: list[Occurrence] = []
    corrections: list[RoundCorrection] = []
    acts: list[Act] = []
    people: list[SignedIn] = []
    is_over: bool = False

    @property
    def seq(self) -> int:
        """Number of the first line."""
        return self.entries[0].seq

    @property
    def last_seq(self) -> int:
        """Number of the last line."""
        return self.entries[-1].seq + self.entries[-1].lines - 1

    @property
    def articles(self) -> list[str]:
        """All articles that answers in the round cite, each once, in the order in which they came first."""
        return list(dict.fromkeys(article for one in self.entries for article in one.articles))


class RoundsState(Struct, kw_only=True, omit_defaults=True):
    """The state of a fold of rounds between two entries, besides the view.

    Attributes:
        signed_in: who is signed in, by place.
        facts: of the open round, or of the last one.
    """

    signed_in: dict[str, SignedIn] = {}
    facts: RoundFacts | None = None
