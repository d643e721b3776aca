"""Values of the table log, harmless for a terminal."""

from typing import Any, TypeVar

import msgspec

from cardshoe.process.free_text import terminal_text

ShownT = TypeVar("ShownT")


def shown(value: ShownT) -> ShownT:
    found: Any = _shown(value)
    return found  # type: ignore[no-any-return]  # of the same form


def _shown(value: Any) -> Any:  # noqa: ANN401  # anything that a line or a view has
    if isinstance(value, str):
        return terminal_text(value)
    if isinstance(value, msgspec.Struct):
        changed = {
            name: new
            for name in value.__struct_fields__
            if (new := _shown(old := getattr(value, name))) is not old and new != old
        }
        return msgspec.structs.replace(value, **changed) if changed else value
    if isinstance(value, list | tuple):
        items = [_shown(one) for one in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else type(value)(items)
    if isinstance(value, dict):
        return {_shown(name): _shown(one) for name, one in value.items()}
    return value
