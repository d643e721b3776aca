"""Answers of the regulation: next steps, verdicts, settlements, refusals and irregularities.

``UNSET`` fields are left out of the log; ``None`` is ``null`` (a card face down, reading G8).
"""

from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType

from regulations.events.cards import Card
from regulations.events.line import Line
from regulations.events.results import Result
from regulations.events.vocabulary import (
    Bet,
    BurnReason,
    DecisionAction,
    Do,
    Holder,
    IrregularityCode,
    Mark,
    RefusalCode,
    ResolutionAction,
)

CARRIED: Final = "carried"


class Output(Line, frozen=True, kw_only=True):
    """An output line of the table log."""


class Duty(Struct, frozen=True, kw_only=True):
    """A rule that a person must keep, because stakes are not recorded: ``says``, with its ``article``."""

    article: str
    says: str


class BettorActions(Struct, frozen=True, kw_only=True):
    """The ``actions`` possible to a bettor other than the one who is asked."""

    seat: int
    hand: int
    id: int
    actions: list[str]


class CutCardFound(Struct, frozen=True, kw_only=True):
    """Depth of a cut card (reading G16).

    Attributes:
        behind: cards that were left behind it as it came.
        declared: cards behind it by ``cut_card_placed``.
    """

    behind: int
    declared: int


class Next(Output, frozen=True, kw_only=True):
    """The croupier's next act; the last output of every input, exactly once.

    Attributes:
        do: the act.
        to: with ``draw`` and ``reveal``: whose hand.
        seat: the seat; with ``reveal`` in baccarat: who may handle the cards (reading B17).
        actions: with ``decide`` and ``resolve``: those possible; between rounds: which of
            ``demonstration``, ``shoe_ended``, ``closed``.
        bettors: with ``decide``: others who may decide now, on any seat (readings J16, J22, J28).
        irregularity: with ``resolve``: the first to resolve; with ``reading G13``: that of the device that
            the table waits for.
        edition: in the answer to ``table``: edition of the regulation that is enforced.
        options: in the answer to ``table``: value of every option.
        duties: what people must check, because stakes are not recorded.
        cut_card: in the answer to ``cut_card``: its depth.
        seats_at_most: with ``close_bets`` in casino war: seats that the cards left can serve (reading W6).
        left: with ``burn``: cards to burn, this one included; absent if the card's value decides it.
    """

    do: Do
    to: Holder | UnsetType = UNSET
    position: int | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET
    id: int | UnsetType = UNSET
    actions: list[str] | UnsetType = UNSET
    bettors: list[BettorActions] | UnsetType = UNSET
    irregularity: int | UnsetType = UNSET
    edition: str | UnsetType = UNSET
    options: dict[str, Any] | UnsetType = UNSET
    duties: list[Duty] | UnsetType = UNSET
    cut_card: CutCardFound | UnsetType = UNSET
    seats_at_most: int | UnsetType = UNSET
    left: int | UnsetType = UNSET


class Dealt(Output, frozen=True, kw_only=True):
    """A card is laid at its place.

    Attributes:
        decided_by: ``card``: the card itself was the hand's decision to take it (reading J30).
    """

    card: Card | None
    to: Holder
    position: int
    seat: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET
    decided_by: Literal["card"] | UnsetType = UNSET


class Emptied(Output, frozen=True, kw_only=True):
    """No card is at this place any more, after a correction (reading G11)."""

    to: Holder
    position: int
    seat: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET


class Burned(Output, frozen=True, kw_only=True):
    """A ``card`` was taken out of play, ``None`` if it lies face down; ``why``."""

    card: Card | None
    why: BurnReason


class Refused(Output, frozen=True, kw_only=True):
    """A person's input that the regulation does not allow now; nothing changed.

    Attributes:
        code: why.
    """

    code: RefusalCode
    detail: str


class Irregularity(Output, frozen=True, kw_only=True):
    """An irregularity, which blocks the table until a person resolves it.

    Attributes:
        code: what happened.
        card: the card concerned, ``None`` while it lies face down, or if no card is concerned.
        actions: its possible resolutions.
    """

    irregularity: int
    code: IrregularityCode
    card: Card | None
    actions: list[ResolutionAction]
    detail: str | UnsetType = UNSET


class Resolved(Output, frozen=True, kw_only=True):
    """An irregularity is settled.

    Attributes:
        action: the resolution.
        mark: for surveillance.
        decision: with ``decision``: the decision in place of the inferred hit (reading J30).
    """

    irregularity: int
    action: ResolutionAction
    by: list[int | str]
    mark: Mark | UnsetType = UNSET
    decision: DecisionAction | UnsetType = UNSET


class Reveal(Output, frozen=True, kw_only=True):
    """Cards were turned face up."""

    who: Holder
    cards: list[Card]
    seat: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET


class LastRound(Output, frozen=True, kw_only=True):
    """The open or coming round is the last of the shoe game.

    Attributes:
        one_more: one more round follows the open one; an earlier ``last_round`` does not count.
    """

    one_more: Literal[True] | UnsetType = UNSET


class SettledWager(Struct, frozen=True, kw_only=True):
    """One wager's settlement.

    Attributes:
        seat: from 1; absent: any bettor with this bet (baccarat without recorded wagers).
        stake: minor units of money; absent if stakes are not recorded.
        net: signed win on top of the stake, minor units, rounded half-even once (reading G2); absent with
            ``stake``.
        pays: if stakes are not recorded: the exact net for one unit first put down, in lowest terms;
            ``carried``: the wager stays on the table.
        article: the article that decides.
        also: articles that decide with it, such as that of a commission.
        residue: the exact net minus ``net``, if rounding changed it, ``"1/20"``.
        carried: the wager stays on the table for the next round (three-card baccarat); ``net`` is 0.
        pair: of an ``any_pair`` on a later pair: its number on the hand, from 1 (reading J2).
    """

    seat: int | UnsetType = UNSET
    bet: Bet
    id: int
    hand: int
    stake: int | UnsetType = UNSET
    net: int | UnsetType = UNSET
    pays: str | UnsetType = UNSET
    article: str
    also: list[str] | UnsetType = UNSET
    residue: str | UnsetType = UNSET
    carried: bool | UnsetType = UNSET
    pair: int | UnsetType = UNSET

    @property
    def is_carried(self) -> bool:
        return self.carried is True or self.pays == CARRIED


class Settled(Output, frozen=True, kw_only=True):
    """Wagers that are decided."""

    wagers: list[SettledWager]


class Reversed(Output, frozen=True, kw_only=True):
    """Settlements or a result of this round no longer hold.

    Attributes:
        wagers: settlements of this round that no longer hold; empty: only the result falls.
    """

    wagers: list[SettledWager]


class ReturnedWager(Struct, frozen=True, kw_only=True):
    """A stake that goes back to its bettor.

    Attributes:
        seat: absent as in `SettledWager`.
        stake: minor units of money; absent if stakes are not recorded.
        hand: if not the first.
        pair: of an ``any_pair`` on a later pair: its number.
    """

    seat: int | UnsetType = UNSET
    bet: Bet
    id: int
    stake: int | UnsetType = UNSET
    hand: int | UnsetType = UNSET
    pair: int | UnsetType = UNSET


class Voided(Output, frozen=True, kw_only=True):
    """Stakes go back: of a void round all that were put down in it (reading G3).

    Attributes:
        reason: why, in words; ``bettor_left``: a held stake goes back (reading B12).
    """

    reason: str
    wagers: list[ReturnedWager]


class ShoeOver(Output, frozen=True, kw_only=True):
    """The shoe game is over.

    Attributes:
        cards_seen: cards that came out.
        cards_left: cards that must still be in the device.
    """

    cards_seen: int
    cards_left: int


AnyOutput = (
    Next
    | Dealt
    | Emptied
    | Burned
    | Refused
    | Irregularity
    | Resolved
    | Reveal
    | LastRound
    | Result
    | Settled
    | Reversed
    | Voided
    | ShoeOver
)


def kind_of(output: AnyOutput) -> type[Line]:
    return Result if isinstance(output, Result) else type(output)
