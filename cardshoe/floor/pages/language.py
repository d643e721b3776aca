"""The language of a page."""

from typing import Final, get_args

from starlette.requests import Request

from cardshoe.screens.words.display_section import Language
from cardshoe.screens.words.translation import DISPLAY, Catalogue, Words

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
FLOOR: Final[Catalogue] = ("cardshoe.floor.pages", "floor")
WORDS: Final[dict[Language, Words]] = {one: Words([one], (FLOOR, DISPLAY)) for one in LANGUAGES}
_PREFERENCES_MAX: Final = 16


def language_of(request: Request, default: Language) -> Language:
    said = request.query_params.get("lang")
    if said in LANGUAGES:
        return said
    for one in _preferred(request.headers.get("accept-language", "")):
        if one.startswith("zh"):
            return "zh-Hant"
        for known in LANGUAGES:
            if one.split("-")[0] == known:
                return known
    return default


def _preferred(header: str) -> list[str]:
    weighed = []
    for part in header.lower().split(",")[:_PREFERENCES_MAX]:
        tag, _, weight = part.strip().partition(";q=")
        try:
            weighed.append((-float(weight or 1), tag.strip()))
        except ValueError:
            continue
    return [tag for _, tag in sorted(weighed, key=lambda one: one[0])]
