"""Inputs: requests of persons, which can be refused, and reports, which cannot (reading G7)."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from regulations.events import ranges
from regulations.events.cards import Card
from regulations.events.line import DeviceReport, Input
from regulations.events.notices import Notice
from regulations.events.ranges import (
    BettorNumber,
    By,
    Cards,
    Decks,
    DeviceNumber,
    Name,
    Number,
    PersonId,
    Seat,
    Seats,
    Stake,
    Text,
)
from regulations.events.vocabulary import (
    Bet,
    Cutter,
    DecisionAction,
    DeviceOutcome,
    EquipmentKind,
    Face,
    Game,
    Holder,
    PickUp,
    RefusalCode,
    ResolutionAction,
    ShoeEndReason,
    Shuffler,
    Side,
    Target,
)

# --- the profile -----------------------------------------------------------------------------------------------------


class Authorisation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An authorisation of the DICJ for one option's value (55/2004 art. 19.º, reading G4).

    Attributes:
        option: name of the option, or ``equipment``.
        value: the value that it allows.
        reference: reference of the DICJ.
        requested: ``YYYY-MM-DD``.
        effective: date from which it counts, ``YYYY-MM-DD``.
    """

    option: str
    value: Any
    reference: str
    requested: str
    effective: str


class Table(Input, frozen=True, kw_only=True):
    """The table profile; opens the log.

    Attributes:
        decks: decks of 52 cards in play.
        seats: number of seats.
        equipment: equipment that deals.
        options: the regulation's options by name; those left out have its first value.
        authorisations: those of the DICJ that the casino has.
        pick_up: order in which cards are collected; only the analysis of shuffles depends on it.
        rounds: the table's last round before this log; absent: 0.
    """

    table_id: str
    game: Game
    decks: Decks
    seats: Seat
    equipment: EquipmentKind
    options: dict[str, Any] = field(default_factory=dict)
    authorisations: list[Authorisation] = field(default_factory=list)
    pick_up: PickUp | UnsetType = UNSET
    rounds: Number | UnsetType = UNSET


# --- the stack -------------------------------------------------------------------------------------------------------


class Shuffled(DeviceReport, frozen=True, kw_only=True):
    """The cards were shuffled; a person gives ``device`` if ``by`` is a batch shuffler that people serve."""

    by: Shuffler


class Cut(Input, frozen=True, kw_only=True):
    """The stack was cut, ``by`` whom."""

    by: Cutter


class CutCardPlaced(Input, frozen=True, kw_only=True):
    """The cut card was put into the stack, ``behind`` cards before its end."""

    behind: Cards


class Loaded(DeviceReport, frozen=True, kw_only=True):
    """``cards`` cards are in the equipment; ``set``: the casino's name of them, if several are in turn."""

    cards: Cards
    set: Name | UnsetType = UNSET


class CardsReturned(DeviceReport, frozen=True, kw_only=True):
    """``cards`` used cards were put back into the shuffler-dealer."""

    cards: Cards


class StackCounted(DeviceReport, frozen=True, kw_only=True):
    """``cards`` cards were found left after a shoe game."""

    cards: Cards


class Equipment(Input, frozen=True, kw_only=True):
    """Other dealing ``equipment`` from now on, between shoe games."""

    equipment: EquipmentKind


# --- cards -----------------------------------------------------------------------------------------------------------


class ClaimedPosition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a device that plays along believes that its card goes.

    Attributes:
        to: the hand, or ``burn``.
    """

    to: Target
    position: Seat | UnsetType = UNSET


class CardDrawn(DeviceReport, frozen=True, kw_only=True, tag="card"):
    """A card left the device.

    Attributes:
        card: the card; ``None`` if it could not be read.
        face: how the card lay as it left.
        unseen: with ``card`` ``None``: not read by anything, which is regular here.
        count: the device's own running count since ``loaded``, from 1.
        claimed: the place to which the device believes that the card goes.
        permit: ``seq`` of the ``next`` that called for the card.
    """

    card: Card | None
    face: Face = "down"
    unseen: bool = False
    count: DeviceNumber | UnsetType = UNSET
    claimed: ClaimedPosition | UnsetType = UNSET
    permit: DeviceNumber | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.unseen and self.card is not None:
            raise ValueError("`unseen` means that nothing read the card: `card` must be null with it")


class CutCard(DeviceReport, frozen=True, kw_only=True):
    """The cut card came out."""


# --- the round -------------------------------------------------------------------------------------------------------


class Wager(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A wager of one bettor on one bet.

    Attributes:
        stake: minor units of money, at least 1; left out if stakes are not recorded.
    """

    seat: Seat
    bet: Bet
    stake: Stake | UnsetType = UNSET
    id: BettorNumber = 1


class BetsClosed(Input, frozen=True, kw_only=True):
    """No more bets: the seats that play and what lies on the table.

    Attributes:
        wagers: one entry for each seat, bet and bettor, without carried ones, except those held after a
            tie.
    """

    seats: Seats
    wagers: Annotated[list[Wager], Meta(max_length=ranges.WAGERS_MAX)]


class BetsCorrected(Input, frozen=True, kw_only=True):
    """Correction of wrongly entered wagers, while no card of the round is out.

    Attributes:
        wagers: all, in place of those of ``bets_closed``.
        by: ids of the two persons who authorise it.
    """

    seats: Seats
    wagers: Annotated[list[Wager], Meta(max_length=ranges.WAGERS_MAX)]
    reason: Text
    by: By


class BettorLeft(Input, frozen=True, kw_only=True):
    """A bettor whose stake was held after a tie has left; the stake goes back (55/2004 art. 12.º, reading B12)."""

    seat: Seat
    by: By
    id: BettorNumber = 1


class Demonstration(Input, frozen=True, kw_only=True):
    """The coming round is a demonstration (55/2004 art. 2.º-2)."""


class Decision(Input, frozen=True, kw_only=True):
    """A bettor's decision about a hand.

    Attributes:
        hand: of the seat, from 1.
        amount: stake of an insurance or a raise, minor units.
        any_pair: with ``split``: stake on the new pair, minor units; ``true`` if stakes are not recorded.
    """

    seat: Seat
    action: DecisionAction
    hand: Seat = 1
    id: BettorNumber = 1
    amount: Stake | UnsetType = UNSET
    any_pair: Stake | bool | UnsetType = UNSET


class Revealed(DeviceReport, frozen=True, kw_only=True):
    """Cards were turned face up.

    Attributes:
        cards: those just turned, or the whole hand, in dealing order; needed if one is unseen.
    """

    who: Holder
    seat: Seat | UnsetType = UNSET
    hand: Seat | UnsetType = UNSET
    cards: Annotated[list[Card], Meta(max_length=ranges.CARDS_MAX)] | UnsetType = UNSET


class Exposed(DeviceReport, frozen=True, kw_only=True):
    """A card was seen too early. Play continues, except for the croupier's card in q poker.

    Attributes:
        cards: the cards seen.
    """

    who: Holder
    seat: Seat | UnsetType = UNSET
    hand: Seat | UnsetType = UNSET
    cards: Annotated[list[Card], Meta(max_length=ranges.CARDS_MAX)] | UnsetType = UNSET


class RoundClosed(Input, frozen=True, kw_only=True):
    """The cards are collected, the table is ready."""


class ShoeEnded(Input, frozen=True, kw_only=True):
    """The house ends the shoe game between rounds.

    Attributes:
        reason: why.
        detail: the reason in words; needed with ``other``.
        by: who ends it; two people where the profile has ``shoe_ended_by = "two"``.
    """

    reason: ShoeEndReason
    detail: Text | UnsetType = UNSET
    by: By = field(default_factory=list)


class Closed(Input, frozen=True, kw_only=True):
    """The table closes."""


# --- what goes wrong -------------------------------------------------------------------------------------------------


class Misdeal(Input, frozen=True, kw_only=True):
    """A person reports that the cards lie wrong."""

    detail: Text


class Dispute(Input, frozen=True, kw_only=True):
    """The croupier stops the deal for a dispute, until two people settle it."""

    detail: Text


class Amendment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A statement of two people about one card of the round (reading G11).

    ``identify`` in a misdeal: it was read wrongly, ``{"index": 3, "card": "9H"}``, not reported, ``{"after": 3,
    "card": "9H"}``, or never left, ``{"index": 3, "to": "none"}``. ``reassign``: it does not count,
    ``{"index": 3, "to": "burn"}``.

    Attributes:
        index: the card's number among all cards that left in the round, from 1.
        after: the number of the card behind which it left, 0 before all.
        to: ``burn`` or ``none``; no other is allowed.
    """

    index: Number | UnsetType = UNSET
    after: Number | UnsetType = UNSET
    to: Target | Literal["none"] | UnsetType = UNSET
    card: Card | UnsetType = UNSET
    seat: Seat | UnsetType = UNSET
    hand: Seat | UnsetType = UNSET
    position: Seat | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.index is UNSET) == (self.after is UNSET):
            raise ValueError("a card of the round needs `index`, or `after` if it was never reported")


class Resolve(Input, frozen=True, kw_only=True):
    """Settles an irregularity.

    Attributes:
        cards: ``identify``: several cards, in order; in a misdeal and with ``reassign``: the cards
            concerned.
        ground: ``reassign``: ``foreign``, ``damaged`` or ``undue``; ``identify``: ``misread``, needed if a
            device has read the card.
        decision: ``decision``: ``stand``, ``double`` or ``split`` (reading J30).
        wagers: ``enter_bets``: those on the table when the card left.
    """

    irregularity: Number
    action: ResolutionAction
    by: By
    card: Card | UnsetType = UNSET
    cards: Annotated[list[Card | Amendment], Meta(max_length=ranges.CARDS_MAX)] | UnsetType = UNSET
    ground: Name | UnsetType = UNSET
    decision: DecisionAction | UnsetType = UNSET
    seats: Annotated[list[Seat], Meta(max_length=255)] | UnsetType = UNSET
    wagers: Annotated[list[Wager], Meta(max_length=ranges.WAGERS_MAX)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if {self.seats is not UNSET, self.wagers is not UNSET} != {self.action == "enter_bets"}:
            raise ValueError("`seats` and `wagers` belong to the action enter_bets, and it needs both")
        if self.cards is UNSET:
            return
        kinds = {type(card) for card in self.cards}
        if self.action == "reassign" and kinds - {Amendment}:
            raise ValueError("`cards` of the action reassign are {index, to}")
        if len(kinds) > 1:
            raise ValueError('`cards` of the action identify are all cards such as "9H", or all {index, card}')


class Void(Input, frozen=True, kw_only=True):
    """Asks to make the round void.

    Attributes:
        ground: one of ``Ground`` (reading G12); another text, or none, is refused with ``not_allowed``.
    """

    reason: Text
    by: By
    ground: Name | UnsetType | None = UNSET


class Fault(DeviceReport, frozen=True, kw_only=True):
    """A device reports a fault.

    Attributes:
        code: the fault; ``not_understood``, with origin ``table``: a frame that its protocol page does not
            explain.
        frame_type: with ``not_understood``: hexadecimal; unset: the bytes make no frame.
        frame_length: with ``not_understood``: bytes, 1 or more.
    """

    device: Name
    code: DeviceNumber | str
    frame_type: str | UnsetType = UNSET
    frame_length: DeviceNumber | UnsetType = UNSET


class FaultCleared(DeviceReport, frozen=True, kw_only=True):
    """A device reports that the fault ``code`` is over."""

    device: Name
    code: DeviceNumber | str


class DeviceLost(DeviceReport, frozen=True, kw_only=True):
    """The link to a device is gone."""

    device: Name


class DeviceBack(DeviceReport, frozen=True, kw_only=True):
    """The link to a device is there again."""

    device: Name


class DeviceReadmitted(Input, frozen=True, kw_only=True):
    """Two people readmit a device that was shut out, or end its fault ``not_understood``."""

    device: Name
    by: By


class DeviceResult(DeviceReport, frozen=True, kw_only=True):
    """A shoe that plays along reports its own result.

    Attributes:
        outcome: who won; ``None`` only where it is sealed.
        pairs: sides whose first two cards make a pair; absent: not reported.
    """

    device: Name
    outcome: DeviceOutcome | None
    pairs: list[Side] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.outcome is None and self.sealed is UNSET:
            raise ValueError("`outcome` must say who won")


class RoundPartial(DeviceReport, frozen=True, kw_only=True):
    """The device was connected in mid-round: its cards so far are unknown."""

    device: Name


class Proposed(Input, frozen=True, kw_only=True):
    """A person proposed an act of two; the second has not confirmed it.

    Attributes:
        act: name of the input that was proposed.
        what: the whole input; sealed in a log.
        refused: the code with which it would be refused; unset: none, as far as open cards show.
    """

    person: PersonId
    act: Name
    what: Resolve | Void | BetsCorrected | BettorLeft | DeviceReadmitted | ShoeEnded | UnsetType = UNSET
    refused: RefusalCode | UnsetType = UNSET


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
    | BetsCorrected
    | BettorLeft
    | Demonstration
    | Decision
    | Revealed
    | Exposed
    | RoundClosed
    | ShoeEnded
    | Closed
    | Misdeal
    | Dispute
    | Resolve
    | Void
    | Fault
    | FaultCleared
    | DeviceLost
    | DeviceBack
    | DeviceReadmitted
    | DeviceResult
    | RoundPartial
    | Proposed
    | Notice
)
