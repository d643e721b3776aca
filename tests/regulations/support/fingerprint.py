"""All that a table remembers, to be compared: to show that a refusal changed nothing."""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum
from functools import cache, cached_property
from operator import attrgetter
from types import NoneType
from typing import Any, Final

import msgspec

from regulations.play.context.machine import RuleMachine
from regulations.procedure.procedure import Procedure

LEFT_OVER = frozenset(
    {
        # What a way out leaves behind; the next one begins with its own.
        "IrregularityResolver._resolving",
        "IrregularityResolver._cards",
        # What the last round leaves behind; each is set before the next one looks at it: as the round opens, or ...
        "AnteDecisions._stakes",
        "AnteRules._stakes",
        "ChallengeRules._stakes",
        "ChallengeRules._on_the_tie",
        "BlackjackRound._opening",
        "Stack.round_began",
        "Scope.began",
        # Taken up, a table begins to call where its log ends; a journal keeps where it stands at that moment alone.
        "CardPermits.first",
        "CardPermits._missed",
        "WagerRules._bettors",
        "WagerRules._deciders",
        "Ledger._before_result",
        "ThreeCardRound._places",
        # ... as its first card is laid, as a card is burned, as it becomes void.
        "QPokerRound._dealt_by",
        "ThreeCardRound._round_burn",
        "VoidRules._reason",
    }
)
"""Remains of a table's past that it never looks at. Everything else must be the same: a new attribute too."""

Seen = dict[int, int]
Told = object
"""A value that is equal where what it tells of is equal, and shows what differs where it is not."""
Teller = Callable[[Any, Seen, frozenset[str]], Told]

PLAIN: Final = frozenset({str, int, NoneType})
"""Told as they are: of what a table keeps the most."""

SCRATCH: Final = frozenset({"turn", "_due", "at", "game", "law", "table", "opening", "lines", "_missed"})
"""Attributes of the input in hand, not of the table; counters of inputs; and attributes that never change."""
LAW: Final = frozenset({"BetLaw", "Payout", "Phases", "RoundArticles"})
"""Frozen classes that say what a game's law is: no table changes them, and they are half of what hangs together."""
REMEMBERED: Final = frozenset({"OpenIrregularity.leads_to_void"})
"""Attributes that a refusal leaves behind: from a correction that cannot be the round may be void (reading G11)."""


def fingerprint(procedure: Procedure, besides: Collection[str] = ()) -> Told:
    """Everything that can change, whatever it is called and wherever it is kept."""
    return _of(procedure, {}, frozenset(besides))


def _of(value: Any, seen: Seen, besides: frozenset[str]) -> Told:  # noqa: ANN401  whatever a table keeps
    kind = type(value)
    if kind in PLAIN:
        return value
    tell = _teller(kind)  # type: ignore[arg-type]  # mypy looks for the hash of instances
    if tell is None:
        return repr(value)
    if id(value) in seen:
        return (seen[id(value)],)
    seen[id(value)] = len(seen)
    return tell(value, seen, besides)


@cache
def _teller(kind: type) -> Teller | None:
    if issubclass(kind, str | int | Enum | msgspec.Struct | NoneType):
        return None
    if issubclass(kind, RuleMachine):
        return _machine
    if kind.__name__ in LAW:
        return _constant
    if issubclass(kind, Mapping):
        return _mapping
    if issubclass(kind, list | tuple | set | frozenset):
        return _several
    return _ours if kind.__module__.startswith("regulations.") else _constant


def _machine(machine: RuleMachine[Any], _seen: Seen, _besides: frozenset[str]) -> Told:
    return f"{machine.state.value} by {machine.snapshot}"


def _mapping(values: Mapping[Any, object], seen: Seen, besides: frozenset[str]) -> Told:
    return [(repr(key), _of(values[key], seen, besides)) for key in sorted(values, key=repr)]


def _several(values: Iterable[object], seen: Seen, besides: frozenset[str]) -> Told:
    return [one if type(one) in PLAIN else _of(one, seen, besides) for one in values]


def _ours(value: object, seen: Seen, besides: frozenset[str]) -> Told:
    own = getattr(value, "__dict__", None)
    kind: Any = type(value)
    names, kept = _attributes_of(kind, () if own is None else tuple(own), besides)
    return names, [one if type(one) in PLAIN else _of(one, seen, besides) for one in kept(value)]


@cache
def _attributes_of(
    kind: type, own: tuple[str, ...], besides: frozenset[str]
) -> tuple[tuple[str, ...], Callable[[object], tuple[object, ...]]]:
    cached = {name for base in kind.__mro__ for name, one in vars(base).items() if isinstance(one, cached_property)}
    names = sorted({*own, *getattr(kind, "__slots__", ())} - SCRATCH - cached)
    looked_at = [name for name in names if f"{kind.__name__}.{name}" not in besides]
    # With a doubled name it gives a tuple also of one.
    fetch = attrgetter(*looked_at, "__class__", "__class__")
    return (kind.__name__, *looked_at), lambda value: fetch(value)[:-2]


def _constant(value: object, _seen: Seen, _besides: frozenset[str]) -> Told:
    return type(value).__name__
