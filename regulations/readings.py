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
    Reading(id="G1", says="Odds are net: what is won comes on top of the stake, which goes back."),
    Reading(
        id="G2",
        says="Money is whole minor units. Halves and 5 % are exact; what is less than a unit is rounded half-even, once per wager, and the settlement says how much.",
    ),
    Reading(
        id="G3",
        says="A void round returns every stake that it has not decided. Its cards go to the discard rack; a shuffler-dealer gets them back as after any round.",
    ),
    Reading(
        id="G4",
        says="Another value than the regulation's first alternative needs an authorisation of the DICJ, asked for three working days of Macau before it takes effect. The profile carries it; without it the table does not open. Options never change inside a log.",
    ),
    Reading(
        id="G4b",
        says="Art. 19.º names art. 7.º, whose alternative is the shuffler-dealer: that needs an authorisation too.",
    ),
    Reading(
        id="G5",
        says="Options that art. 19.º does not name need no authorisation, and still stand in the profile and the log.",
    ),
    Reading(id="G6", says="Where the Portuguese and the Chinese text differ, both are kept: the stricter one holds."),
    Reading(
        id="G7",
        says="What the equipment reports has happened: a drawn card cannot be refused, it becomes an irregularity that blocks the table until a person resolves it. What a person asks for can be refused, and then nothing changes.",
    ),
    Reading(id="G8", says="Nothing shows a card that lies face down, and nobody can ask which cards are left."),
    Reading(
        id="G9",
        says="The cards that came out are counted against the decks. A copy too many, an unread card, a gap in the device's own count, or a wrong number left at the end is an irregularity.",
    ),
    Reading(id="G10", says="Seats are numbered from 1 at the croupier's left, clockwise."),
)
"""Readings that hold in every game."""
