"""The resolution that a sensible croupier and supervisor choose."""

from collections.abc import Collection, Sequence
from typing import Final

from regulations.events.vocabulary import IrregularityCode, ResolutionAction

TWO_PERSONS: Final[frozenset[str]] = frozenset(
    {"void", "identify", "reassign", "end_shoe", "settle", "counts", "set_aside", "strike", "decision", "enter_bets"}
)

TWO_PERSONS_FOR: Final[frozenset[tuple[IrregularityCode, ResolutionAction]]] = frozenset(
    {("device_disagrees", "continue"), ("card_by_hand", "accept"), ("card_not_due", "accept")}
)

FROM_DEVICE: Final[frozenset[str]] = frozenset({"device_fault", "device_lost"})
"""``continue`` becomes possible when the device works again."""

_ANY: Final[tuple[ResolutionAction, ...]] = (
    "continue",
    "set_aside",
    "next_round",
    "burn",
    "accept",
    "identify",
    "void",
    "end_shoe",
    "settle",
    "counts",
    "decision",
)
# What does least harm first. A simulated croupier lays cards where the table says: to `reassign` it puts them right.
_PREFERRED: Final[dict[IrregularityCode, tuple[ResolutionAction, ...]]] = {
    "card_not_due": ("next_round", "burn", "void"),
    "card_before_bets_closed": ("burn",),
    "card_after_last_round": ("burn",),
    "unread_card": ("identify", "void", "end_shoe"),
    "surplus_card": ("identify", "void", "end_shoe"),
    "count_gap": ("identify", "void", "end_shoe"),
    "cut_card_not_due": ("counts", "set_aside", "end_shoe"),
    "cut_card_missing": ("continue", "end_shoe"),
    "card_turned": ("burn", "accept", "void"),
    "croupier_card_exposed": ("void",),
    "misdeal": ("void", "reassign", "end_shoe"),
    "stack_exhausted": ("void", "end_shoe"),
    "device_fault": ("continue", "void", "end_shoe"),
    "device_lost": ("continue", "end_shoe", "void"),
    "round_partial": ("void", "end_shoe"),
    "device_disagrees": ("continue", "void"),
    "wrong_stack_count": ("continue",),
    "dispute": ("settle",),
    "card_by_hand": ("accept", "strike"),
}


def ways(code: IrregularityCode | None, actions: Sequence[str], tried: Collection[str]) -> list[ResolutionAction]:
    """The resolutions to try, best first; ``code`` ``None``: unknown."""
    preferred = _ANY if code is None else (*_PREFERRED[code], *(way for way in _ANY if way not in _PREFERRED[code]))
    return [way for way in preferred if way in actions and way not in tried]
