"""All that a table remembers, as text: to show that a refusal changed nothing."""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum
from functools import cache, cached_property
from types import NoneType
from typing import Any, Final

import msgspec

from regulations.machine import RuleMachine
from regulations.procedure import Procedure

Seen = dict[int, int]
Teller = Callable[[Any, Seen, Collection[str]], str]

SCRATCH: Final = frozenset(
    {
        "answer",
        "event",
        "at",
        "why",
        "drawn",
        "told",
        "missing",
        "device",
        "game",
        "law",
        "table",
        "opening",
        "voided_with",
        "was_out",
        "lines",
        "_missed",
    }
)
"""What belongs to the input in hand, not to the table; what counts inputs; and what never changes."""
LAW: Final = frozenset({"BetLaw", "Payout", "Phases", "RoundArticles"})
"""Frozen classes that say what a game's law is: no table changes them, and they are half of what hangs together."""
REMEMBERED: Final = frozenset({"OpenIrregularity.leads_to_void"})
"""What a refusal leaves behind: from a correction that cannot be the round may be void (reading G11)."""


def fingerprint(procedure: Procedure, besides: Collection[str] = ()) -> str:
    """Everything that can change, whatever it is called and wherever it is kept.

    Args:
        procedure: the table.
        besides: attributes that are not looked at, ``Class.name``.
    """
    return _of(procedure, {}, besides)


def _of(value: Any, seen: Seen, besides: Collection[str]) -> str:  # noqa: ANN401  whatever a table keeps
    tell = _teller(type(value))  # type: ignore[arg-type]  # mypy looks for the hash of instances
    if tell is None:
        return repr(value)
    if id(value) in seen:
        return f"<{seen[id(value)]}>"
    seen[id(value)] = len(seen)
    return tell(value, seen, besides)


@cache
def _teller(kind: type) -> Teller | None:
    """How values of a type are told, if not by `repr`; each type is judged once, a table has 300 values."""
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
    return _ours if kind.__module__.startswith("regulations.") else _foreign


def _machine(machine: RuleMachine[Any], _seen: Seen, _besides: Collection[str]) -> str:
    return f"{machine.state.value} by {machine.moved_by.id if machine.moved_by else None}"


def _mapping(values: Mapping[Any, object], seen: Seen, besides: Collection[str]) -> str:
    return "{" + ",".join([f"{key!r}:{_of(values[key], seen, besides)}" for key in sorted(values, key=repr)]) + "}"


def _several(values: Iterable[object], seen: Seen, besides: Collection[str]) -> str:
    return "[" + ",".join([_of(one, seen, besides) for one in values]) + "]"


def _ours(value: object, seen: Seen, besides: Collection[str]) -> str:
    kind = type(value)
    slots, hidden = _slots(kind)  # type: ignore[arg-type]  # as above
    own = getattr(value, "__dict__", None)
    names = slots if own is None else sorted({*own, *slots} - hidden)
    looked_at = [name for name in names if f"{kind.__name__}.{name}" not in besides] if besides else names
    return f"{kind.__name__}({','.join([f'{name}={_of(getattr(value, name), seen, besides)}' for name in looked_at])})"


@cache
def _slots(kind: type) -> tuple[list[str], frozenset[str]]:
    """The slots of a class that are looked at, and what is not: scratch, and what follows from the rest.

    A cached property is there once somebody has asked for it, which changes nothing.
    """
    cached = {name for base in kind.__mro__ for name, one in vars(base).items() if isinstance(one, cached_property)}
    hidden = SCRATCH | cached
    return sorted({*getattr(kind, "__slots__", ())} - hidden), frozenset(hidden)


def _constant(value: object, _seen: Seen, _besides: Collection[str]) -> str:
    return type(value).__name__


def _foreign(value: object, _seen: Seen, _besides: Collection[str]) -> str:
    return type(value).__name__
