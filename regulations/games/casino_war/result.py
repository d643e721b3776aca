"""The verdict on a round of casino war."""

from collections.abc import Iterator
from typing import ClassVar, Literal, get_args

from msgspec import UNSET, Struct, UnsetType

from regulations.events.cards import Card
from regulations.events.results import HandShown, Result, by_id

WarOutcome = Literal["win", "lose", "surrendered", "stands", "war_win", "war_tie", "war_lose"]


class WarBettor(Struct, frozen=True, kw_only=True):
    """How one of several bettors on a seat ended."""

    id: int
    outcome: WarOutcome


class WarSeat(Struct, frozen=True, kw_only=True):
    """A seat's card and how it ended.

    Attributes:
        war: cards dealt to it on a challenge.
        bettors: each bettor, if they ended differently.
    """

    seat: int
    card: Card
    outcome: WarOutcome
    war: list[Card] | UnsetType = UNSET
    bettors: list[WarBettor] | UnsetType = UNSET


class CasinoWarResult(Result, frozen=True, kw_only=True, tag="result"):
    """The verdict on a round of casino war.

    Attributes:
        croupier: the croupier's card.
        croupier_war: the croupier's cards on challenges: one, or one for each challenging seat in order.
    """

    OUTCOMES: ClassVar[tuple[str, ...]] = get_args(WarOutcome)

    croupier: Card
    seats: list[WarSeat]
    croupier_war: list[Card] | UnsetType = UNSET

    def shown(self) -> Iterator[HandShown]:
        war = [] if self.croupier_war is UNSET else self.croupier_war
        yield HandShown("croupier", [self.croupier, *war], says="{first}, challenged {rest}" if war else "{cards}")
        for one in self.seats:
            cards = [one.card, *([] if one.war is UNSET else one.war)]
            yield HandShown("seat", cards, one.seat, 1, outcome=one.outcome, bettors=by_id(one.bettors))
