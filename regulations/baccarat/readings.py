"""How 55/2004 is read where it is silent, ambiguous or contradicts itself."""

from typing import Final

from regulations.readings import Reading

READINGS: Final[tuple[Reading, ...]] = (
    Reading(
        id="B1",
        says="`first_card_value`: the first card is shown and burned, then as many more face down as its value.",
    ),
    Reading(id="B2", says="For that count an ace is 1; tens and court cards are 10."),
    Reading(id="B3", says="At least 12 cards lie behind the cut card, at most half a deck."),
    Reading(id="B4", says="A banker natural beats the rules by which player draws (9.º-2 over 9.º-1)."),
    Reading(
        id="B5", says="A player natural beats the rules by which banker draws (9.º-4(6) over 9.º-3(1) and 9.º-3(6))."
    ),
    Reading(
        id="B6",
        says="A cut card in mid-round: under `end` that round is the last, under `one_more` one may follow. Before the first card of a round: that round is the last under both.",
    ),
    Reading(
        id="B8", says="Demonstrations come after the initial burn and before the first round with wagers, never later."
    ),
    Reading(id="B9", says="`round_burn` is one card, face down, and not before the first round of a shoe."),
    Reading(
        id="B11",
        says="After a misdeal the cards are laid, in the order in which they came out, where they belonged; if that cannot be done the round is void. A card that was not due is burned, or is the next round's first if the profile says so.",
    ),
    Reading(id="B13", says="Pair wagers need no other wager beside them; a void round returns them."),
    Reading(
        id="B14",
        says="A card that leaves the shoe face up is valid; where cards are dealt face down it is open at once.",
    ),
    Reading(id="B15", says="Half the stake for a banker win with 6 holds for a 6 of two cards and of three."),
    Reading(
        id="B16",
        says="A shuffler-dealer knows no cut card, initial burn or demonstrations; cards go back after each round.",
    ),
)
"""Baccarat's own readings."""
