"""The parts of a table's view: plain data, which can be stored as JSON and read back."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

from regulations.events.cards import Card
from regulations.events.inputs import Decision
from regulations.events.outputs import ReturnedWager, SettledWager
from regulations.events.vocabulary import (
    Bet,
    BurnReason,
    DecisionAction,
    DeviceVerdict,
    EquipmentKind,
    Game,
    Holder,
    IrregularityCode,
    Origin,
    ResolutionAction,
)


class Profile(Struct, kw_only=True, omit_defaults=True):
    """The profile of the table.

    Attributes:
        decks: decks of 52 cards.
    """

    table_id: str
    game: Game
    decks: int
    seats: int
    equipment: EquipmentKind
    edition: str = ""
    options: dict[str, Any] = {}


class ShoeView(Struct, kw_only=True, omit_defaults=True):
    """The shoe game; never what is left in the shoe.

    Attributes:
        number: of the shoe game in this log, from 1; 0 before the first stack is prepared.
    """

    number: int = 0
    before: int = 0
    shuffled: bool = False
    cut: bool = False
    cut_card_behind: int | UnsetType = UNSET
    cut_card_out: bool = False
    loaded: int | UnsetType = UNSET
    device: str | UnsetType = UNSET
    dealt: int = 0
    counted: int = 0
    is_last_round: bool = False
    is_over: bool = False


class WagerView(Struct, kw_only=True, omit_defaults=True):
    """A wager of the round.

    Attributes:
        seat: from 1.
    """

    seat: int
    bet: Bet
    id: int = 1
    hand: int = 1
    stake: int | UnsetType = UNSET
    pair: int | UnsetType = UNSET


class LyingCard(Struct, kw_only=True, omit_defaults=True):
    """A card at its place.

    Attributes:
        position: in the hand, from 1.
        card: ``None`` while it lies face down.
        unseen: whether nothing has read it, so that who turns it must name it.
        number: of the round's cards in the order in which they left, from 1; unset where a correction moved cards.
        was: what the last correction changed: the card that lay open here before, ``None`` if none did.
    """

    to: Holder
    position: int
    card: Card | None
    seat: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET
    unseen: bool = False
    by_hand: bool = False
    number: int | UnsetType = UNSET
    was: Card | UnsetType | None = UNSET


class BurnedCard(Struct, kw_only=True, omit_defaults=True):
    """A card out of play; ``card`` is ``None`` if it lies face down."""

    card: Card | None
    why: BurnReason


class DecisionView(Struct, kw_only=True, omit_defaults=True):
    """A bettor's decision; the fields are those of the event ``decision``."""

    seat: int
    action: DecisionAction
    hand: int = 1
    id: int = 1
    amount: int | UnsetType = UNSET
    any_pair: int | bool | UnsetType = UNSET

    @classmethod
    def of(cls, event: Decision) -> "DecisionView":
        """As the log has it."""
        return cls(
            seat=event.seat,
            action=event.action,
            hand=event.hand,
            id=event.id,
            amount=event.amount,
            any_pair=event.any_pair,
        )


class RoundView(Struct, kw_only=True, omit_defaults=True):
    """A round.

    Attributes:
        number: in this log, from 1.
        seq: number of its first line.
        began_at: RFC 3339, UTC.
        left: all cards that left the equipment in the round, in their order, as far as they were told; a correction
            names them by their numbers here, from 1. ``None`` for one that is not to be seen.
        corrected: whether two persons have corrected its cards. Which places are empty then no line says: where cards
            that were never laid are said never to have left, one too many or too few may be shown until the result.
    """

    number: int
    seq: int = 0
    began_at: str = ""
    demonstration: bool = False
    seats: list[int] = []
    bets_closed: bool = False
    wagers: list[WagerView] = []
    cards: list[LyingCard] = []
    burned: list[BurnedCard] = []
    left: list[Card | None] = []
    decisions: list[DecisionView] = []
    corrected: bool = False
    result: dict[str, Any] | UnsetType = UNSET
    settled: list[SettledWager] = []
    result_before: dict[str, Any] | UnsetType = UNSET
    settled_before: list[SettledWager] = []
    voided: str | UnsetType = UNSET
    returned: list[ReturnedWager] = []


class RoundOutcome(Struct, kw_only=True, omit_defaults=True):
    """How an earlier round of the shoe game ended; ``result`` is unset where it has none, ``voided`` says why.

    Attributes:
        seq: number of its first line.
    """

    round: int
    seq: int = 0
    result: dict[str, Any] | UnsetType = UNSET
    voided: str | UnsetType = UNSET
    demonstration: bool = False


class IrregularityView(Struct, kw_only=True, omit_defaults=True):
    """An irregularity that is open.

    Attributes:
        at: when, RFC 3339, UTC.
        number: the card's among those that left in the round, from 1; 0 if no card of a round opened it.
        position: in the hand, from 1.
    """

    irregularity: int
    code: IrregularityCode
    article: str = ""
    detail: str = ""
    card: Card | None = None
    actions: list[ResolutionAction] = []
    seq: int = 0
    at: str = ""
    reason: str = ""
    number: int = 0
    to: Holder | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET
    position: int | UnsetType = UNSET


class FaultView(Struct, kw_only=True, omit_defaults=True):
    """A fault that is not over.

    Attributes:
        at: since when, RFC 3339, UTC.
        frame_type: with ``not_understood``: of the last frame, hexadecimal; unset: the bytes make no frame.
        frame_length: its bytes.
    """

    code: int | str
    origin: Origin
    at: str = ""
    frame_type: str | UnsetType = UNSET
    frame_length: int | UnsetType = UNSET


class DeviceView(Struct, kw_only=True, omit_defaults=True):
    """A device as the log tells of it.

    Attributes:
        since: of `lost`, RFC 3339, UTC.
        reads: whether it reads the cards that it deals (reading G19).
    """

    lost: bool = False
    faults: list[FaultView] = field(default_factory=list)
    maker: str | UnsetType = UNSET
    model: str | UnsetType = UNSET
    serial: str | UnsetType = UNSET
    firmware: str | UnsetType = UNSET
    verdict: DeviceVerdict | UnsetType = UNSET
    since: str | UnsetType = UNSET
    reads: bool = False


class WitnessView(Struct, kw_only=True, omit_defaults=True):
    """A witness that lacks signatures: how many, since how many seconds when that was told, and when that was."""

    notes: int
    seconds: int
    at: str = ""


class ClockView(Struct, kw_only=True, omit_defaults=True):
    """The last time that the clock was set: by how many seconds, and when that was told."""

    seconds: float
    at: str = ""
