"""``[watch]`` of FLOOR.toml."""

from typing import Annotated

from msgspec import Meta, Struct


class WatchSection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    look_s: Annotated[float, Meta(ge=0.1, le=60)] = 1.0
