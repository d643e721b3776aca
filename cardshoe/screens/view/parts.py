"""Parts of a view: plain data, storable as JSON."""

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
    table_id: str
    game: Game
    decks: int
    seats: int
    equipment: EquipmentKind
    edition: str = ""
    options: dict[str, Any] = {}


class ShoeView(Struct, kw_only=True, omit_defaults=True):
    """The shoe game; never its remaining cards.

    Attributes:
        number: in this log, from 1; 0: no stack yet.
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
    """A wager; ``seat`` from 1."""

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
        card: ``None``: face down.
        unseen: not read; a person must name it.
        number: in drawing order, from 1; unset after moves by a correction.
        was: open card before the last correction; ``None``: none.
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
    """A card out of play; ``card`` ``None``: face down."""

    card: Card | None
    why: BurnReason


class DecisionView(Struct, kw_only=True, omit_defaults=True):
    seat: int
    action: DecisionAction
    hand: int = 1
    id: int = 1
    amount: int | UnsetType = UNSET
    any_pair: int | bool | UnsetType = UNSET

    @classmethod
    def of(cls, event: Decision) -> "DecisionView":
        """From the event."""
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
        left: all cards that left the equipment in the round, in order, as far as reported; a correction
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
    """An open irregularity.

    Attributes:
        at: RFC 3339, UTC.
        number: of the card in the round, from 1; 0: none.
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
    """An open fault.

    Attributes:
        at: RFC 3339, UTC.
        frame_type: of ``not_understood``, hexadecimal; unset: no frame.
    """

    code: int | str
    origin: Origin
    at: str = ""
    frame_type: str | UnsetType = UNSET
    frame_length: int | UnsetType = UNSET


class DeviceView(Struct, kw_only=True, omit_defaults=True):
    """A device, from the log.

    Attributes:
        since: of `lost`, RFC 3339, UTC.
        reads: reads the cards that it deals (reading G19).
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
    """A witness that lacks signatures: number, age in seconds, time of the report."""

    notes: int
    seconds: int
    at: str = ""


class ClockView(Struct, kw_only=True, omit_defaults=True):
    """The last clock step: seconds, and time of the report."""

    seconds: float
    at: str = ""
