"""How a regulation is read where its text is silent, ambiguous or contradicts itself.

The rules cite a reading by its id (``reading B11``) as they cite an article; here a person finds what it says, and why.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One reading, in our words.

    Attributes:
        id: as the specification numbers it, ``B11``.
        says: what the machine does.
        doubt: what in the text leaves it open, with the article; empty where the reading only fixes a convention.
        why: why it is read so and not otherwise.
        example: a case that shows the difference; empty where the reading is plain.
    """

    id: str
    says: str
    doubt: str = ""
    why: str = ""
    example: str = ""

    @property
    def cited(self) -> str:
        """As the log cites it: ``reading B11``."""
        return f"reading {self.id}"


COMMON: Final[tuple[Reading, ...]] = (
    Reading(
        id="G1",
        says="Odds are net: what is won comes on top of the stake, which goes back.",
        doubt=(
            "The texts write prizes as «11 para 1», «3 por 1» or «uma vez a importância da aposta» and do not "
            "say whether the stake is part of it."
        ),
        why=(
            "Every table of the regulations speaks of what is won; a stake that was not lost is the "
            'bettor\'s own. Read otherwise, "1 para 1" would pay nothing.'
        ),
        example="100 on a tie at 8 to 1: 800 are won and the 100 go back, net +800.",
    ),
    Reading(
        id="G2",
        says=(
            "Money is whole minor units. Halves and 5 % are exact; what is less than a unit is rounded "
            "half-even, once per wager, and the settlement says how much."
        ),
        doubt="No text says how half a unit, or 5 % of a small win, is rounded.",
        why=(
            "Half-even favours neither house nor bettor in the long run, and one rounding per wager can "
            "be checked by anybody from the log alone."
        ),
        example="5 % of a win of 10 minor units is 0.5: the net of 9.5 is written as 10, the residue as -1/2.",
    ),
    Reading(
        id="G3",
        says=(
            "A void round returns every stake that it has not decided. Its cards go to the discard rack; "
            "a shuffler-dealer gets them back as after any round."
        ),
        doubt="The texts call a round void («nulo», «nula») and say little of its stakes and cards.",
        why=(
            "What was decided before the round became void was won or lost under the rules; the rest was "
            "never decided, so it is still the bettor's. Cards that were seen must not come back into the "
            "stack."
        ),
    ),
    Reading(
        id="G4",
        says=(
            "Another value than the regulation's first alternative needs an authorisation of the DICJ, "
            "asked for three working days of Macau before it takes effect. The profile carries it; "
            "without it the table does not open. Options never change inside a log."
        ),
        doubt=(
            "55/2004 art. 19.º submits the choice of options to an authorisation «solicitada com uma "
            "antecedência de três dias úteis» and leaves open whether the first alternative is a choice, "
            "and how the days are counted."
        ),
        why=(
            "What the regulation itself puts first needs no choice; every other value does. Days are "
            "working days of Macau, Saturdays and public and government holidays excluded, as the "
            "authority itself works."
        ),
    ),
    Reading(
        id="G4b",
        says=("Art. 19.º names art. 7.º, whose alternative is the shuffler-dealer: that needs an authorisation too."),
        doubt="Art. 19.º names art. 7.º, which has no list of alternatives.",
        why=("The only alternative in 7.º is the shuffler-dealer of 7.º-2; read otherwise the mention would be empty."),
    ),
    Reading(
        id="G5",
        says=(
            "Options that art. 19.º does not name need no authorisation, and still stand in the profile and the log."
        ),
    ),
    Reading(
        id="G6",
        says="Where the Portuguese and the Chinese text differ, both are kept: the stricter one holds.",
        doubt="The texts are published in Chinese and Portuguese, both authentic, and differ in places.",
        why="A table that satisfies the stricter of two satisfies both.",
    ),
    Reading(
        id="G7",
        says=(
            "What the equipment reports has happened: a drawn card cannot be refused, it becomes an "
            "irregularity that blocks the table until a person resolves it. What a person asks for can be "
            "refused, and then nothing changes."
        ),
        doubt=(
            "The texts forbid acts (to take a card too many, to deal after the last round) and do not say "
            "what a machine does when they happen all the same."
        ),
        why=(
            "A card that is out cannot be put back unseen; only people can settle what follows. What is "
            "asked for in words can simply not be done."
        ),
    ),
    Reading(
        id="G8",
        says="Nothing shows a card that lies face down, and nobody can ask which cards are left.",
        doubt="The texts deal cards face down and say nothing of machines that know them.",
        why=(
            "Whoever knew a hidden card could bet on it, or have it looked up. So no output, log, metric "
            "or prompt may depend on it in a way that shows."
        ),
    ),
    Reading(
        id="G9",
        says=(
            "The cards that came out are counted against the decks. A copy too many, an unread card, a "
            "gap in the device's own count, or a wrong number left at the end is an irregularity."
        ),
    ),
    Reading(
        id="G15",
        says=(
            "Where a refusal rests on the house or on us and not on the text, it cites this reading: an upper bound, a "
            "form that the field calls for, whether a table is told the stakes, and its limits."
        ),
        why="An article that does not say it must not be cited for it.",
    ),
    Reading(
        id="G10",
        says="Seats are numbered from 1 at the croupier's left, clockwise.",
    ),
)
"""Readings that hold in every game."""
