"""The settings of the pages: plain data, of `[read]` in FLOOR.toml."""

from typing import Annotated

from msgspec import Meta, Struct

from cardshoe.screens.words.currency import MOP
from cardshoe.screens.words.display_section import Language


class PagesSettings(Struct, frozen=True, kw_only=True):
    """Settings of the pages.

    Attributes:
        language: for whoever's browser asks for none of ours.
        currency: of the amounts, ISO 4217.
        day_begins: the hour of Macau at which a gaming day begins, 0 to 23.
    """

    language: Language = "zh-Hant"
    currency: str = MOP
    day_begins: Annotated[int, Meta(ge=0, le=23)] = 0
