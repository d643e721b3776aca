"""Wagers that a croupier has entered and not yet sent."""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from cardshoe.screens.felt.betting import draft_key
from cardshoe.screens.view import TableView
from regulations.events.vocabulary import Bet

Seat = Annotated[int, Meta(ge=1, le=99)]
SEATS_MAX: Final = 99
WAGERS_MAX: Final = 512


class DraftWager(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seat: Seat
    bet: Bet
    id: Annotated[int, Meta(ge=1, le=99)] = 1
    stake: Annotated[int, Meta(ge=1, le=10**15)] | UnsetType = UNSET


class Draft(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: Annotated[str, Meta(max_length=128)]
    seats: Annotated[list[Seat], Meta(max_length=SEATS_MAX)] = []
    wagers: Annotated[list[DraftWager], Meta(max_length=WAGERS_MAX)] = []


class Drafts:
    """The newest draft of a table; survives a page reload."""

    def __init__(self) -> None:
        self.now: Draft | None = None

    def of(self, key: str) -> Draft | None:
        """The draft for a key."""
        return self.now if self.now is not None and self.now.key == key else None

    def unsent(self, view: TableView) -> Draft | None:
        """Entered wagers of a round that a card began without them; ``None``: none."""
        now = view.round
        if now is None or now.bets_closed or not now.left:
            return None
        found = self.of(draft_key(view.log, now.number - 1))
        return found if found is not None and found.wagers else None
