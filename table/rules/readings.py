"""How a regulation is read where its text is silent, ambiguous or contradicts itself, in our words.

The rules cite a reading by its id (``reading B11``) as they cite an article; here a person finds what it says.
"""

from collections.abc import Mapping
from typing import Final

from regulations.game import Game

COMMON: Final[Mapping[str, str]] = {
    "G1": "Odds are net: what is won comes on top of the stake, which goes back.",
    "G2": "Money is whole minor units. Halves and 5 % are exact; what is less than a unit is rounded half-even, once "
    "per wager, and the settlement says how much.",
    "G3": "A void round returns every stake that it has not decided. Its cards go to the discard rack; a "
    "shuffler-dealer gets them back as after any round.",
    "G4": "Another value than the regulation's first alternative needs an authorisation of the DICJ, asked for three "
    "working days of Macau before it takes effect. The profile carries it; without it the table does not open. "
    "Options never change inside a log.",
    "G4b": "Art. 19.º names art. 7.º, whose alternative is the shuffler-dealer: that needs an authorisation too.",
    "G5": "Options that art. 19.º does not name need no authorisation, and still stand in the profile and the log.",
    "G6": "Where the Portuguese and the Chinese text differ, both are kept: the stricter one holds.",
    "G7": "What the equipment reports has happened: a drawn card cannot be refused, it becomes an irregularity that "
    "blocks the table until a person resolves it. What a person asks for can be refused, and then nothing changes.",
    "G8": "Nothing shows a card that lies face down, and nobody can ask which cards are left.",
    "G9": "The cards that came out are counted against the decks. A copy too many, an unread card, a gap in the "
    "device's own count, or a wrong number left at the end is an irregularity.",
    "G10": "Seats are numbered from 1 at the croupier's left, clockwise.",
}
"""Readings that hold in every game."""

OF_A_GAME: Final[Mapping[str, Mapping[str, str]]] = {
    "baccarat": {
        "B1": "`first_card_value`: the first card is shown and burned, then as many more face down as its value.",
        "B2": "For that count an ace is 1; tens and court cards are 10.",
        "B3": "At least 12 cards lie behind the cut card, at most half a deck.",
        "B4": "A banker natural beats the rules by which player draws (9.º-2 over 9.º-1).",
        "B5": "A player natural beats the rules by which banker draws (9.º-4(6) over 9.º-3(1) and 9.º-3(6)).",
        "B6": "A cut card in mid-round: under `end` that round is the last, under `one_more` one may follow. Before "
        "the first card of a round: that round is the last under both.",
        "B8": "Demonstrations come after the initial burn and before the first round with wagers, never later.",
        "B9": "`round_burn` is one card, face down, and not before the first round of a shoe.",
        "B11": "After a misdeal the cards are laid, in the order in which they came out, where they belonged; if that "
        "cannot be done the round is void. A card that was not due is burned, or is the next round's first if the "
        "profile says so.",
        "B13": "Pair wagers need no other wager beside them; a void round returns them.",
        "B14": "A card that leaves the shoe face up is valid; where cards are dealt face down it is open at once.",
        "B15": "Half the stake for a banker win with 6 holds for a 6 of two cards and of three.",
        "B16": "A shuffler-dealer knows no cut card, initial burn or demonstrations; cards go back after each round.",
    },
}
"""Each game's own readings."""


def readings_of(game: Game) -> dict[str, str]:
    """The readings that hold in a game, as the rules cite them: ``{"reading G1": …}``, its own first."""
    own = OF_A_GAME.get(game.law.game, {})
    return {f"reading {name}": text for name, text in (*own.items(), *COMMON.items())}
