"""The table as a player sees it who is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from regulations.events.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    own: Sequence[Card]
    is_hidden: bool = False
    croupier: Sequence[Card] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
