"""Wagers that a croupier has entered and not sent yet."""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from cardshoe.screens.felt.betting import draft_key
from cardshoe.screens.view import TableView
from regulations.events.vocabulary import Bet

Seat = Annotated[int, Meta(ge=1, le=99)]
SEATS_MAX: Final = 99
WAGERS_MAX: Final = 512
"""Wagers of a draft; a full table of three-card baccarat has fewer."""


class DraftWager(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A wager as it is entered: ``stake`` in minor units, absent where stakes are not recorded."""

    seat: Seat
    bet: Bet
    id: Annotated[int, Meta(ge=1, le=99)] = 1
    stake: Annotated[int, Meta(ge=1, le=10**15)] | UnsetType = UNSET


class Draft(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The wagers entered for one round."""

    key: Annotated[str, Meta(max_length=128)]
    seats: Annotated[list[Seat], Meta(max_length=SEATS_MAX)] = []
    wagers: Annotated[list[DraftWager], Meta(max_length=WAGERS_MAX)] = []


class Drafts:
    """The newest draft of a table; a reload of a page continues with it.

    Attributes:
        now: the draft; ``None`` before the first and once it is sent.
    """

    def __init__(self) -> None:
        self.now: Draft | None = None

    def of(self, key: str) -> Draft | None:
        """The draft for a key."""
        return self.now if self.now is not None and self.now.key == key else None

    def unsent(self, view: TableView) -> Draft | None:
        """The wagers that were entered for a round which a card began without them, or ``None``."""
        now = view.round
        if now is None or now.bets_closed or not now.left:
            return None
        found = self.of(draft_key(view.log, now.number - 1))
        return found if found is not None and found.wagers else None
