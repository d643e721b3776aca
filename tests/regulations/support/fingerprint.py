"""All that a table remembers, as text: to show that a refusal changed nothing."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

import msgspec

from regulations.machine import RuleMachine
from regulations.procedure import Procedure

SCRATCH: Final = frozenset(
    {"answer", "event", "at", "why", "drawn", "told", "missing", "device", "game", "law", "table", "opening"}
)
"""What belongs to the input in hand, not to the table; and what never changes."""


def fingerprint(procedure: Procedure) -> str:
    """Everything that can change, whatever it is called and wherever it is kept."""
    return _of(procedure, {})


def _of(value: object, seen: dict[int, int]) -> str:
    if value is None or isinstance(value, str | int | Enum | msgspec.Struct):
        return repr(value)
    if id(value) in seen:
        return f"<{seen[id(value)]}>"
    seen[id(value)] = len(seen)
    if isinstance(value, RuleMachine):
        return f"{value.state.value} by {value.moved_by.id if value.moved_by else None}"
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key!r}:{_of(value[key], seen)}" for key in sorted(value, key=repr)) + "}"
    if isinstance(value, list | tuple | set | frozenset):
        return "[" + ",".join(_of(one, seen) for one in value) + "]"
    if not type(value).__module__.startswith("regulations."):
        return type(value).__name__
    names = sorted({*getattr(value, "__dict__", ()), *getattr(type(value), "__slots__", ())} - SCRATCH)
    return type(value).__name__ + "(" + ",".join(f"{name}={_of(getattr(value, name), seen)}" for name in names) + ")"
