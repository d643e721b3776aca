"""All that a table remembers, as text: to show that a refusal changed nothing."""

from collections.abc import Collection, Mapping
from enum import Enum
from typing import Final

import msgspec

from regulations.machine import RuleMachine
from regulations.procedure import Procedure

SCRATCH: Final = frozenset(
    {"answer", "event", "at", "why", "drawn", "told", "missing", "device", "game", "law", "table", "opening"}
)
"""What belongs to the input in hand, not to the table; and what never changes."""


def fingerprint(procedure: Procedure, besides: Collection[str] = ()) -> str:
    """Everything that can change, whatever it is called and wherever it is kept.

    Args:
        procedure: the table.
        besides: attributes that are not looked at, ``Class.name``.
    """
    return _of(procedure, {}, besides)


def _of(value: object, seen: dict[int, int], besides: Collection[str]) -> str:
    if value is None or isinstance(value, str | int | Enum | msgspec.Struct):
        return repr(value)
    if id(value) in seen:
        return f"<{seen[id(value)]}>"
    seen[id(value)] = len(seen)
    if isinstance(value, RuleMachine):
        return f"{value.state.value} by {value.moved_by.id if value.moved_by else None}"
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key!r}:{_of(value[key], seen, besides)}" for key in sorted(value, key=repr)) + "}"
    if isinstance(value, list | tuple | set | frozenset):
        return "[" + ",".join(_of(one, seen, besides) for one in value) + "]"
    if not type(value).__module__.startswith("regulations."):
        return type(value).__name__
    names = sorted({*getattr(value, "__dict__", ()), *getattr(type(value), "__slots__", ())} - SCRATCH)
    kind = type(value).__name__
    said = (f"{name}={_of(getattr(value, name), seen, besides)}" for name in names if f"{kind}.{name}" not in besides)
    return f"{kind}({','.join(said)})"
