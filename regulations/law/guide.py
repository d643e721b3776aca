"""The guide to a game: one screen, and the meaning of each option."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Meanings = Mapping[str, str] | str
"""By value as in the log, or one sentence with ``{}``; empty name: all other values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideStep:
    what: str
    says: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    order: Sequence[GuideStep]
    choices: Sequence[GuideStep]
    trouble: Sequence[GuideStep]
    options: Mapping[str, Meanings]


CUT_CARD_BEHIND: Final = "{} cards are to lie behind the cut card."
BURN_PER_DECK: Final = "Before the first round as many cards are burned as there are decks."
MISDEAL_ELSE_VOID: Final = "Two persons say which cards do not count, or what one is; else void."

COMMON_OPTIONS: Final[Mapping[str, Meanings]] = {
    "stakes": {
        "tracked": "Stakes are recorded; the table settles in money.",
        "untracked": "Stakes are not recorded; outputs have the pay of one unit and the duties of persons.",
    },
    "limits": "Limits of each bet: {}.",
    "shoe_ended_by": {
        "one": "One person ends a shoe game early.",
        "two": "Two different people end a shoe game early.",
    },
}

BETS_TAKEN_BACK: Final = GuideStep(
    what="Two persons",
    says="correct bets entered wrongly, or take them back, until the round's first card leaves.",
    articles=("reading G12",),
)
FAILURE: Final = GuideStep(
    what="A fault",
    says="A device fault blocks the table until it is cleared; two persons may void the round.",
    articles=("reading G7", "reading G12"),
)
VOID: Final = GuideStep(
    what="A void round",
    says="needs a ground, and undoes itself: stakes go back, settlements are reversed.",
    articles=("reading G3", "reading G12"),
)
