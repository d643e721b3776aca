"""The guide to a game: one screen for a supervisor, and the meaning of each option that the house may choose.

Told to persons: nothing decides by it. The game's own part stands in its room as ``guide.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Meanings = Mapping[str, str] | str
"""By value, as the log writes it: what it means; or one sentence in which ``{}`` stands for the value.

The empty name has the sentence for every other value; of a list, that in which the words of each value stand.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideStep:
    """One thing that happens, or that somebody may do.

    Attributes:
        what: it in one or two words.
        says: what happens, in our words; a sentence or two.
        articles: the articles and readings behind it.
    """

    what: str
    says: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A game on one screen.

    Attributes:
        order: how it runs, in order.
        choices: what may be decided, and by whom.
        trouble: what happens where something has gone wrong.
        options: of each option of the regulation what its values mean.
    """

    order: Sequence[GuideStep]
    choices: Sequence[GuideStep]
    trouble: Sequence[GuideStep]
    options: Mapping[str, Meanings]


CUT_CARD_BEHIND: Final = "{} cards are to lie behind the cut card."
BURN_PER_DECK: Final = "Before the first round as many cards are burned as there are decks."
MISDEAL_ELSE_VOID: Final = "Two persons say which cards do not count, or what one is; else void."
"""A sentence that several games share."""

COMMON_OPTIONS: Final[Mapping[str, Meanings]] = {
    "stakes": {
        "tracked": "The table is told every stake, and settles in money.",
        "untracked": "The table is told no stakes; it says what one unit is paid, and which rules persons must keep.",
    },
    "limits": "What may be put down on a bet: {}.",
    "shoe_ended_by": {
        "one": "One person ends a shoe game early.",
        "two": "Two different people end a shoe game early.",
    },
}
"""The house's own options, which every game has (reading G15)."""

BETS_TAKEN_BACK: Final = GuideStep(
    what="Two persons",
    says="correct bets entered wrongly, or take them back, until the round's first card leaves.",
    articles=("reading G12",),
)
FAILURE: Final = GuideStep(
    what="A fault",
    says="Equipment that fails blocks the table until it is well; two persons may void the round.",
    articles=("reading G7", "reading G12"),
)
VOID: Final = GuideStep(
    what="A void round",
    says="needs a ground, and undoes itself: stakes go back, settlements are reversed.",
    articles=("reading G3", "reading G12"),
)
