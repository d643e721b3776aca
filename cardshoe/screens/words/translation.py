"""The texts of the pages, in one or two languages."""

import gettext
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Final

from markupsafe import Markup, escape

from cardshoe.process.free_text import page_text
from cardshoe.screens.words.display_section import Language
from cardshoe.screens.words.sentences import Say, spoken

FOLDERS: Final[dict[Language, str]] = {"zh-Hant": "zh_Hant", "pt": "pt", "en": "en"}
Catalogue = tuple[str, str]
DISPLAY: Final[Catalogue] = ("cardshoe.screens", "display")


class Words:
    """The words of a page; ``seats`` empty: numbered."""

    def __init__(
        self,
        languages: Sequence[Language],
        catalogues: Sequence[Catalogue] = (DISPLAY,),
        seats: Sequence[str] = (),
    ) -> None:
        self._seats: Final = {str(number): label for number, label in enumerate(seats, start=1)}
        self._all: Final = [(one, _translations(one, catalogues)) for one in languages]

    @property
    def first(self) -> Language:
        """The language in larger letters."""
        return self._all[0][0]

    def plain(self, message: str, **values: object) -> str:
        """A message in the first language alone."""
        return self._all[0][1].gettext(message) % self._labelled(values)

    def __call__(self, message: str, **values: object) -> Markup:
        said = self._labelled(values)
        return _marked([(language, one.gettext(message) % said) for language, one in self._all])

    def seat(self, number: object) -> str:
        """The label of a seat, or of a bettor (``3.2``, ``3·2``)."""
        text = str(number)
        digits = text[: len(text) - len(text.lstrip("0123456789"))]
        return self._seats.get(digits, digits) + text[len(digits) :]

    def _labelled(self, values: Mapping[str, object]) -> Mapping[str, object]:
        return {**values, "seat": self.seat(values["seat"])} if "seat" in values else values

    def article(self, text: str) -> Markup:
        """An article in each language; readings have their own names."""
        _, _, reading = text.partition("reading ")
        return self("reading %(n)s", n=reading) if text == f"reading {reading}" else escape(page_text(text))

    def law(self, text: str) -> Markup:
        """A sentence of the law in each language."""
        said = self.law_in_each(text)
        return _marked([("en" if one == text else language, one) for language, one in said.items()])

    def law_in_each(self, text: str) -> dict[str, str]:
        """The same, by language."""
        return {language: spoken(text, self._saying(one)) for language, one in self._all}

    def _saying(self, one: gettext.NullTranslations) -> Say:
        return lambda message, **values: (
            one.gettext(message) % self._labelled(values) if values else one.gettext(message)
        )


def _marked(said: list[tuple[str, str]]) -> Markup:
    if len(said) > 1 and said[0][1] == said[1][1]:
        del said[1]  # such as "Blackjack"
    parts = (
        Markup('<span class="l{}" lang="{}">{}</span>').format(number, language, escape(page_text(text)))
        for number, (language, text) in enumerate(said, start=1)
    )
    return Markup(" ").join(parts)


def _translations(language: Language, catalogues: Sequence[Catalogue]) -> gettext.NullTranslations:
    first, *others = (
        gettext.translation(
            domain, str(resources.files(package) / "locale"), [FOLDERS[language]], fallback=language == "en"
        )
        for package, domain in catalogues
    )
    for one in others:
        first.add_fallback(one)
    return first
