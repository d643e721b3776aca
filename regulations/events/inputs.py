"""What enters the table: what a person does or asks for, and what a device reports.

Every input is a frozen struct; its tag is the ``"event"`` of the table log. A device's report has happened and is
always taken; what a person asks for can be refused (reading G7).
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from regulations.cards import Card
from regulations.events.vocabulary import (
    Bet,
    Cutter,
    DecisionAction,
    DeviceOutcome,
    DeviceVerdict,
    EquipmentKind,
    Face,
    Game,
    Holder,
    Shuffler,
    Side,
    Target,
    WayOut,
)


def event_name(type_name: str) -> str:
    """``BetsClosed`` -> ``bets_closed``: the tag of a struct in the table log."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in type_name).lstrip("_")


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event", tag=event_name):
    """What every written line carries besides its own fields.

    Attributes:
        seq: number of the line in its log, from 1 without gap.
        at: RFC 3339 time, UTC.
        round: number of the open round in its log, from 1.
        article: the article or reading that decides, ``"55/2004 art. 9.º-3(3)"``.
    """

    seq: int | UnsetType = UNSET
    at: str | UnsetType = UNSET
    round: int | UnsetType = UNSET
    article: str | UnsetType = UNSET


class Input(Line, frozen=True, kw_only=True):
    """An input; its ``seq``, ``round`` and ``article``, if a written log is fed back, are not read.

    Attributes:
        sealed: what the line does not show because it tells of a card that lies face down, encrypted (reading G8). Such
            an input is opened before the regulation takes it.
    """

    sealed: str | UnsetType = UNSET


class DeviceReport(Input, frozen=True, kw_only=True):
    """An input that may come from a device.

    Attributes:
        device: name of the device; absent when a person entered the report.
        raw: the device's frame, hexadecimal.
        boot: the device's boot count, where it numbers its events; with ``number`` it tells each event for ever.
        number: the event's number within that boot, from 1.
    """

    device: str | UnsetType = UNSET
    raw: str | UnsetType = UNSET
    boot: int | UnsetType = UNSET
    number: int | UnsetType = UNSET


# --- the profile -----------------------------------------------------------------------------------------------------


class Authorisation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An authorisation of the DICJ for one option's value (55/2004 art. 19.º, reading G4).

    Attributes:
        option: the option, or ``equipment``.
        value: the authorised value.
        reference: the regulator's reference of the authorisation.
        requested: date it was asked for, ``YYYY-MM-DD``.
        effective: date from which it holds, ``YYYY-MM-DD``.
    """

    option: str
    value: Any
    reference: str
    requested: str
    effective: str


class Table(Input, frozen=True, kw_only=True):
    """The table profile; opens the log.

    Attributes:
        table_id: the house's name of the table.
        game: one of the five games.
        decks: decks of 52 cards in play.
        seats: players' places at the table.
        equipment: the dealing equipment.
        options: the regulation's options by name; those left out have the first value of the regulation.
        authorisations: the authorisations that the house holds.
    """

    table_id: str
    game: Game
    decks: int
    seats: int
    equipment: EquipmentKind
    options: dict[str, Any] = {}
    authorisations: list[Authorisation] = []


# --- the stack -------------------------------------------------------------------------------------------------------


class Shuffled(DeviceReport, frozen=True, kw_only=True):
    """The cards were shuffled."""

    by: Shuffler


class Cut(Input, frozen=True, kw_only=True):
    """The stack was cut."""

    by: Cutter


class CutCardPlaced(Input, frozen=True, kw_only=True):
    """The cut card was put into the stack, ``behind`` cards before its end."""

    behind: int


class Loaded(DeviceReport, frozen=True, kw_only=True):
    """The stack of ``cards`` cards is in the shoe, box, shuffler or shuffler-dealer."""

    cards: int


class CardsReturned(DeviceReport, frozen=True, kw_only=True):
    """``cards`` used cards were put back into the shuffler-dealer; counted by ``device`` if that is given."""

    cards: int


class StackCounted(DeviceReport, frozen=True, kw_only=True):
    """After the end of a shoe game: ``cards`` cards were found left."""

    cards: int


class Equipment(Input, frozen=True, kw_only=True):
    """Other dealing equipment from now on."""

    equipment: EquipmentKind


# --- cards -----------------------------------------------------------------------------------------------------------


class Claimed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a device that plays along believes that its card goes."""

    to: Target
    position: int | UnsetType = UNSET


class CardDrawn(DeviceReport, frozen=True, kw_only=True, tag="card"):
    """A card left the device.

    Attributes:
        card: the card; ``None`` if it could not be read.
        face: how it lay as it left the device.
        unseen: with ``card`` ``None``: nobody and nothing reads it here, which is regular.
        count: the device's own running count of cards since ``loaded``, from 1.
        claimed: where the device believes that it goes.
    """

    card: Card | None
    face: Face = "down"
    unseen: bool = False
    count: int | UnsetType = UNSET
    claimed: Claimed | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.unseen and self.card is not None:
            raise ValueError("`unseen` means that nothing read the card: `card` must be null with it")


class CutCard(DeviceReport, frozen=True, kw_only=True):
    """The cut card came out."""


# --- the round -------------------------------------------------------------------------------------------------------


class Wager(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one bettor put on one bet.

    Attributes:
        seat: seat number from 1.
        bet: the kind of wager.
        stake: minor units of money, at least 1.
        id: tells several bettors on one seat apart.
    """

    seat: int
    bet: Bet
    stake: int
    id: int = 1


class BetsClosed(Input, frozen=True, kw_only=True):
    """No more bets: the seats that play and what lies on the table."""

    seats: list[int]
    wagers: list[Wager]


class Demonstration(Input, frozen=True, kw_only=True):
    """The coming round is a demonstration (55/2004 art. 2.º-2)."""


class Decision(Input, frozen=True, kw_only=True):
    """What a bettor decides about a hand."""

    seat: int
    action: DecisionAction
    hand: int = 1
    id: int = 1
    amount: int | UnsetType = UNSET
    any_pair: int | UnsetType = UNSET


class Revealed(DeviceReport, frozen=True, kw_only=True):
    """Cards were turned face up; ``cards`` in dealing order, needed where one of them is unseen."""

    who: Holder
    seat: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET
    cards: list[Card] | UnsetType = UNSET


class Exposed(DeviceReport, frozen=True, kw_only=True):
    """A card was seen that should not have been."""

    who: Holder
    seat: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET
    cards: list[Card] | UnsetType = UNSET


class RoundClosed(Input, frozen=True, kw_only=True):
    """The cards are collected, the table is ready."""


class ShoeEnded(Input, frozen=True, kw_only=True):
    """The house ends the shoe game between rounds."""

    reason: str


class Closed(Input, frozen=True, kw_only=True):
    """The table closes."""


# --- what goes wrong -------------------------------------------------------------------------------------------------


class Misdeal(Input, frozen=True, kw_only=True):
    """A person reports that the cards lie wrong."""

    detail: str


class Reassignment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The place that a card of the round should have had.

    Attributes:
        index: the card's number among the round's cards, in the order in which they left the shoe, from 1.
        to: whose card it is, or ``burn``.
        seat: the seat, where ``to`` is ``seat``.
        hand: the seat's hand, from 1.
        position: the card's number within the hand, from 1.
    """

    index: int
    to: Target
    seat: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET
    position: int | UnsetType = UNSET


class Resolve(Input, frozen=True, kw_only=True):
    """Settles an irregularity.

    Attributes:
        irregularity: its number.
        action: one of its ways out.
        by: ids of the persons who answer for it.
        card: ``identify``: the card.
        cards: ``identify`` of several cards: them, in order; ``reassign``: the new places.
    """

    irregularity: int
    action: WayOut
    by: list[int | str]
    card: Card | UnsetType = UNSET
    cards: list[Card | Reassignment] | UnsetType = UNSET

    def __post_init__(self) -> None:
        wanted = Reassignment if self.action == "reassign" else str
        if self.cards is not UNSET and not all(isinstance(card, wanted) for card in self.cards):
            form = "places {index, to, position}" if self.action == "reassign" else 'cards such as "9H"'
            raise ValueError(f"`cards` of the action {self.action} are {form}")


class Void(Input, frozen=True, kw_only=True):
    """Asks to cancel the round; ``by`` names two persons."""

    reason: str
    by: list[int | str]


class Fault(DeviceReport, frozen=True, kw_only=True):
    """A device reports a fault."""

    device: str
    code: int | str


class FaultCleared(DeviceReport, frozen=True, kw_only=True):
    """A device reports that a fault is over."""

    device: str
    code: int | str


class DeviceLost(DeviceReport, frozen=True, kw_only=True):
    """The link to a device is gone."""

    device: str


class DeviceBack(DeviceReport, frozen=True, kw_only=True):
    """The link to a device is there again."""

    device: str


class DeviceResult(DeviceReport, frozen=True, kw_only=True):
    """A shoe that plays along reports its own result.

    Attributes:
        outcome: who won; ``None`` only where it is sealed.
        pairs: whose first two cards make a pair.
    """

    device: str
    outcome: DeviceOutcome | None
    pairs: list[Side] = []

    def __post_init__(self) -> None:
        if self.outcome is None and self.sealed is UNSET:
            raise ValueError("`outcome` must say who won")


class RoundPartial(DeviceReport, frozen=True, kw_only=True):
    """The device was joined in mid-round: its cards so far are unknown."""

    device: str


class DeviceIdentified(DeviceReport, frozen=True, kw_only=True):
    """A device has said who it is; at the table nothing changes.

    Attributes:
        maker: who made it.
        model: the maker's name for the kind of device.
        serial: the number of this device.
        firmware: the version of the firmware that runs.
        digest: SHA-256 of that firmware, hexadecimal, as the device says it.
        security_counter: of that firmware.
    """

    device: str
    maker: str
    model: str
    serial: str
    firmware: str
    digest: str
    security_counter: int


class Checked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One comparison that was made of a device.

    Attributes:
        check: what was looked at: ``certificate``, ``enrolment``, ``identity``, ``attestation``, ``firmware``,
            ``admission``, ``registry``.
        ok: whether it holds.
        code: ``ok``, or why it does not hold (``docs/trust.md`` has them all).
        detail: what was found, for a person; where it does not hold, or rests on persons alone.
    """

    check: str
    ok: bool
    code: str
    detail: str | UnsetType = UNSET


class DeviceJudged(DeviceReport, frozen=True, kw_only=True):
    """Whether a device may be at the table was judged; at the table nothing changes: a refusal comes with a ``fault``.

    Attributes:
        verdict: what came of it.
        maker: who made it; this and what follows is there as far as it is known.
        model: the maker's name for the kind of device.
        serial: the number of this device.
        firmware: the version of the firmware that runs.
        digest: SHA-256 of that firmware, hexadecimal; attested if the check ``attestation`` holds.
        security_counter: of that firmware.
        checks: all that were made, in their order.
        by: the persons who let it in: who proposed it, who approved it.
        registry: head of the site's registry by which it was judged.
    """

    device: str
    verdict: DeviceVerdict
    maker: str | UnsetType = UNSET
    model: str | UnsetType = UNSET
    serial: str | UnsetType = UNSET
    firmware: str | UnsetType = UNSET
    digest: str | UnsetType = UNSET
    security_counter: int | UnsetType = UNSET
    checks: list[Checked] = []
    by: list[str] = []
    registry: str | UnsetType = UNSET


class DeviceNoted(DeviceReport, frozen=True, kw_only=True):
    """A device reports what changes nothing at the table and yet belongs into the log.

    Attributes:
        note: what happened, ``cover_closed``.
        value: a number that belongs to it.
    """

    device: str
    note: str
    value: int | UnsetType = UNSET


class ClockStepped(Input, frozen=True, kw_only=True):
    """The wall clock was set, by hand or by a time server: times before and after do not compare.

    Attributes:
        seconds: how far it stepped, to the millisecond; below 0 if it went back.
    """

    seconds: float


class WitnessBehind(Input, frozen=True, kw_only=True):
    """A witness of the journal has lacked signatures for too long; at the table nothing changes.

    Attributes:
        witness: which one.
        notes: signatures that wait for it.
        seconds: for how long the oldest of them has.
    """

    witness: str
    notes: int
    seconds: int


class WitnessCurrent(Input, frozen=True, kw_only=True):
    """A witness that was behind holds every signature again; at the table nothing changes.

    Attributes:
        witness: which one.
        seconds: since it was told to be behind.
    """

    witness: str
    seconds: int


AnyInput = (
    Table
    | Shuffled
    | Cut
    | CutCardPlaced
    | Loaded
    | CardsReturned
    | StackCounted
    | Equipment
    | CardDrawn
    | CutCard
    | BetsClosed
    | Demonstration
    | Decision
    | Revealed
    | Exposed
    | RoundClosed
    | ShoeEnded
    | Closed
    | Misdeal
    | Resolve
    | Void
    | Fault
    | FaultCleared
    | DeviceLost
    | DeviceBack
    | DeviceResult
    | RoundPartial
    | DeviceIdentified
    | DeviceJudged
    | DeviceNoted
    | ClockStepped
    | WitnessBehind
    | WitnessCurrent
)
