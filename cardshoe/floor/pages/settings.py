"""Settings of the pages, from `[read]` in FLOOR.toml."""

from typing import Annotated

from msgspec import Meta, Struct

from cardshoe.screens.words.currency import MOP
from cardshoe.screens.words.display_section import Language


class Camera(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    offset_ms: Annotated[int, Meta(ge=-86_400_000, le=86_400_000)] = 0
    frames_per_s: Annotated[int, Meta(ge=1, le=1000)] = 25


class PagesSettings(Struct, frozen=True, kw_only=True):
    """Settings of the pages.

    Attributes:
        currency: ISO 4217.
        day_begins: hour of Macau at which a gaming day begins, 0 to 23.
    """

    language: Language = "zh-Hant"
    currency: str = MOP
    day_begins: Annotated[int, Meta(ge=0, le=23)] = 0
    camera: Camera = Camera()
    cameras: dict[str, Camera] = {}
