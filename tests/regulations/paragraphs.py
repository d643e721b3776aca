"""The paragraphs of the five regulations, written down from the texts by hand; and how a text is read for its own.

A paragraph is the smallest part with a number or letter: ``9.º-3(1)`` is article 9.º, number 3, item 1. The annex of
22/96/M has no number.
"""

import re
from collections.abc import Iterator
from typing import Final

OF: Final[dict[str, tuple[str, ...]]] = {
    "baccarat": (
        *("1.º-1", "1.º-2", "1.º-3", "1.º-4", "1.º-5", "2.º-1", "2.º-2", "2.º-3", "3.º-1", "3.º-2", "4.º"),
        *("5.º-1", "5.º-2", "6.º-1", "6.º-2", "7.º-1", "7.º-2", "8.º", "9.º-1", "9.º-2"),
        *("9.º-3(1)", "9.º-3(2)", "9.º-3(3)", "9.º-3(4)", "9.º-3(5)", "9.º-3(6)"),
        *("9.º-4(1)", "9.º-4(2)", "9.º-4(3)", "9.º-4(4)", "9.º-4(5)", "9.º-4(6)"),
        *("10.º", "11.º", "12.º-1", "12.º-2", "12.º-3(1)", "12.º-3(2)", "13.º-1", "13.º-2", "13.º-3", "13.º-4"),
        *("14.º", "15.º", "16.º-1", "16.º-2", "17.º-1", "17.º-2", "17.º-3", "18.º-1", "18.º-2", "19.º"),
    ),
    "blackjack": (
        *("1.º-1", "1.º-2", "1.º-3", "1.º-4", "2.º-1(1)", "2.º-1(2)"),
        *("2.º-2(1)", "2.º-2(2)", "2.º-2(3)", "2.º-2(4)", "3.º-1", "3.º-2", "3.º-3", "3.º-4"),
        *("4.º-1(1)", "4.º-1(2)", "4.º-2", "5.º-1(1)", "5.º-1(2)"),
        *("5.º-2(1)(1)", "5.º-2(1)(2)", "5.º-2(2)(1)", "5.º-2(2)(2)"),
        *("6.º-1", "6.º-2", "6.º-3", "6.º-4(1)", "6.º-4(2)", "6.º-4(3)", "6.º-5", "7.º-1", "7.º-2", "8.º", "9.º"),
        *("10.º-1", "10.º-2", "10.º-3", "10.º-4", "10.º-5", "10.º-6", "10.º-7", "11.º-1", "11.º-2"),
        *("12.º-1", "12.º-2", "12.º-3", "13.º-1(1)", "13.º-1(2)", "13.º-2(1)", "13.º-2(2)", "13.º-3"),
        *("14.º-1", "14.º-2(1)", "14.º-2(2)", "14.º-2(3)", "14.º-2(4)", "14.º-3", "15.º"),
        *("16.º-1", "16.º-2", "16.º-3", "16.º-4", "16.º-5", "17.º-1", "17.º-2", "18.º-1", "18.º-2"),
        *("19.º-1", "19.º-2", "20.º-1(1)", "20.º-1(2)", "20.º-1(3)", "20.º-2"),
    ),
    "casino_war": (
        *("1.º-1", "1.º-2", "1.º-3", "1.º-4", "1.º-5", "2.º-1", "2.º-2", "3.º", "4.º", "5.º-1", "5.º-2", "5.º-3"),
        *("6.º", "7.º-1", "7.º-2", "7.º-3", "7.º-4(1)", "7.º-4(2)", "7.º-5(1)", "7.º-5(2)", "7.º-5(3)"),
    ),
    "q_poker": (
        *("1.º-1", "1.º-2", "1.º-3", "2.º-1", "2.º-2", "3.º-1", "3.º-2", "4.º-1", "4.º-2", "4.º-3"),
        *("5.º-1(1)", "5.º-1(2)", "5.º-2", "6.º-1", "6.º-2", "6.º-3", "6.º-4", "7.º-1", "7.º-2"),
        *("8.º-1", "8.º-2", "8.º-3", "8.º-4", "8.º-5", "8.º-6", "9.º-1", "9.º-2", "9.º-3", "9.º-4", "9.º-5", "9.º-6"),
        *("9.º-7(1)", "9.º-7(2)", "9.º-7(3)", "9.º-7(4)", "10.º-1", "10.º-2", "10.º-3", "10.º-4", "10.º-5"),
        *("11.º-1", "11.º-2", "11.º-3", "11.º-4", "11.º-5"),
    ),
    "three_card_baccarat": (
        *("1.º-1", "1.º-2", "2.º-1", "2.º-2", "2.º-3", "2.º-4", "2.º-5", "3.º-1", "3.º-2", "4.º-1", "4.º-2", "4.º-3"),
        *("5.º-1", "5.º-2", "6.º", "7.º-1", "7.º-2", "8.º-1(a)", "8.º-1(b)", "8.º-2(a)", "8.º-2(b)", "8.º-3"),
        *("9.º-1", "9.º-2", "9.º-3", "9.º-4", "9.º-5", "10.º", "annex"),
    ),
}
"""The paragraphs of each game's regulation."""

TEXTS: Final = {
    "baccarat": "bacara.despacho-55-2004.pt.txt",
    "blackjack": "black-jack.despacho-56-2004.pt.txt",
    "casino_war": "bacara-amendment-and-desafio-ao-casino.despachos-2005.zh-pt.txt",
    "q_poker": "q-poker.despacho-89-2004.pt.txt",
    "three_card_baccarat": "3-card-baccarat.portaria-22-96-M.pt.txt",
}
"""The files of the texts in the folder of the regulations."""

_HEADING: Final = re.compile(r"Artigo (\d+)\.[º°]")
_MARKS: Final = (
    re.compile(r"(\d+)\.\s*\S"),
    re.compile(r"(?:- )?(\d+)\)"),
    re.compile(r"\((\d+)\)"),
    re.compile(r"([a-z])\)"),
)
"""How paragraphs are marked, the outer ones first."""


def paragraphs_of(text: str) -> list[str]:
    """The paragraphs of a text, as its headings and marks number them.

    Args:
        text: from the first article's heading on; what comes before it is passed over.
    """
    found = list(_marked(text))
    return [one for one in found if not any(other.startswith((f"{one}-", f"{one}(")) for other in found)]


def _marked(text: str) -> Iterator[str]:
    article, path = "", dict[int, str]()
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            article, path = f"{heading[1]}.º", {}
            yield article
            continue
        level, mark = next(
            ((level, found[1]) for level, form in enumerate(_MARKS) if (found := form.match(line))), (None, "")
        )
        if not article or level is None:
            continue
        path = {outer: number for outer, number in path.items() if outer < level} | {level: mark}
        first, *inner = path.values()
        yield f"{article}-{first}" + "".join(f"({one})" for one in inner)
