"""The table as a player sees it who is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from regulations.events.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """A player's view of the table.

    Attributes:
        own: cards of the hand, in dealing order; its player may lift those that lie face down.
        is_hidden: whether one of them lies face down, so that the table goes by the others alone.
    """

    own: Sequence[Card]
    is_hidden: bool = False
    croupier: Sequence[Card] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
