"""How 74/2005 is read where it is silent or ambiguous."""

from typing import Final

from regulations.law.readings import Reading

READINGS: Final[tuple[Reading, ...]] = (
    Reading(
        id="W1",
        says=(
            "A won challenge wins as much as the ante; equal cards on the challenge win twice as much; a lost one "
            "loses the ante and the raise."
        ),
        doubt=(
            "7.º-5 calls what lies on the table «o valor em jogo», 150 patacas on an ante of 50, and says that the "
            "player wins it («ganha o valor em jogo»)."
        ),
        why=(
            "The player has put down 100 of the 150, and 50 are the house's («o «croupier» acompanha o lance com "
            "o mesmo valor da aposta inicial»). The winner of the 150 has the 100 back and wins 50: the ante."
        ),
        example="Ante 50, raised by 50: won +50, equal +100, lost -100.",
    ),
    Reading(
        id="W2",
        says=("On equal cards the ante of a bettor who has a tie wager too stands, net 0. That bettor has no choice."),
        doubt=(
            "7.º-4 gives the choice to «o jogador que não tenha apostado no empate» and no article says what becomes "
            "of the ante of the others."
        ),
        why=(
            "No article takes the ante, and none lets it win: what is not decided is the bettor's own. The tie wager "
            "that counts is the bettor's own, not that of another on the seat. Both languages give the choice only to "
            "bettors without a tie wager, so no option offers it to others."
        ),
        example="Ante 100 and tie 10 on equal cards: the tie wins 100, the ante goes back.",
    ),
    Reading(
        id="W3",
        says="A tie wager needs an ante of the same bettor on its seat.",
        doubt=(
            "7.º speaks of the player who has wagered on the tie too («caso o jogador tenha apostado no empate») and "
            "does not say whether the tie may be wagered on alone."
        ),
        why=(
            "Every sentence about the tie wager is about the player («o jogador») who has an ante. 22/96/M art. 8.º-3 "
            "shows how a text says it where a wager on the seat is enough."
        ),
    ),
    Reading(
        id="W4",
        says=(
            "`shared`: the challenging seats get their cards in order, three burned before each, then three are "
            "burned and one card of the croupier stands against all. `per_player`: three burned and a card for the "
            "croupier after each challenging seat. Several bettors on a seat share its card."
        ),
        doubt="7.º-5 describes one challenge and does not say what happens when several players challenge.",
        why=(
            "The first cards of all players meet one card of the croupier (5.º-2), so does the challenge; repeated "
            "to the letter for each player, the article gives the croupier a card each time."
        ),
    ),
    Reading(
        id="W5",
        says=(
            "No card is burned at the beginning. A cut card during a round, or before its first card, makes that "
            "round the last; then the cards are shuffled."
        ),
        doubt=(
            "2.º-1 has the white card placed before about the last twelve cards («antes das últimas doze cartas, "
            "aproximadamente») and does not say what its appearance means."
        ),
        why=(
            "As in 55/2004 art. 3.º-1 and 22/96/M art. 3.º-1 the card announces the end. Whether enough cards are left "
            "for that last round, reading W6 decides."
        ),
    ),
    Reading(
        id="W6",
        says=(
            "A round begins only if the cards left, those behind the cut card counted, suffice for its worst case: "
            "a card for each seat and the croupier, and the challenges of at most three seats. Cards that may be out "
            "unreported are not counted as left. Before the bets the prompt says how many seats can be served. If none "
            "can, the shoe game is over; if fewer can than the table has seats, the house may end it with the reason "
            "`too_few_cards`."
        ),
        doubt="The text does not say what happens when the cards run out in a challenge.",
        why=(
            "A round that cannot be finished would be void after the cards were seen. With one deck only three cards "
            "can have the rank of the croupier's, so at most three seats tie with it."
        ),
        example="Seven seats and a shared card: 7 + 1 + 3 × 4 + 4 = 24 cards; 32 with a card per player.",
    ),
    Reading(
        id="W7",
        says="The bonus on equal cards in a challenge is one ante, without the raise.",
        doubt="7.º-5(2) adds «um montante igual ao da aposta inicial», when the stake has been doubled.",
        why="«Aposta inicial» is throughout art. 7.º what was put down before the first card.",
    ),
    Reading(
        id="W8",
        says=(
            "Exposed cards are valid. A wrong deal, initial or in a challenge, is corrected by the order of "
            "the shoe (reading G11); the round is void, all of it, only where a decision no longer fits or "
            "the correction is impossible."
        ),
        doubt=(
            "3.º speaks of cards that come out face up, 6.º has errors of any deal, «inicial ou adicional», "
            "corrected at once and the round void if that is wholly impossible («de todo impossível»)."
        ),
        why=(
            "All cards are dealt face up, so an early card reveals nothing more. A bettor who surrendered or "
            "challenged on other cards has not decided on these."
        ),
    ),
    Reading(
        id="W9",
        says=(
            "12 to 14 cards lie behind the cut card, 12 if the house does not say otherwise; and the stack is "
            "cut before."
        ),
        doubt=(
            "2.º-1 puts the card before about the last twelve («antes das últimas doze cartas, "
            "aproximadamente») in Portuguese and among about the last twelve in Chinese («在大約最後十二張牌之間»). In "
            "Portuguese a player or the croupier cuts and the croupier places the card; in Chinese a player or the "
            "croupier places it, and there is no other cut."
        ),
        why=(
            "Twelve satisfies both texts (reading G6); up to two more is what «aproximadamente» leaves to the "
            "house. A cut that one text asks for and the other does not forbid is made. The log does not have the "
            "person who places the card: the croupier satisfies both."
        ),
    ),
    Reading(
        id="W10",
        says="The cards of a round go back into a shuffler-dealer after it, burned ones too.",
        doubt=(
            "2.º-2 has the cards put into the shuffler-dealer and taken out of it directly, and does not say when "
            "used cards go back; 55/2004 art. 7.º-2 and 56/2004 art. 2.º-2(4) say it of baccarat and blackjack."
        ),
        why=(
            "One deck serves every round whole then (reading W6), and the same device is handled alike at every table."
        ),
    ),
    Reading(
        id="W11",
        says="Seats with cards equal to the croupier's decide in their order; bettors of one seat in any order.",
        doubt="5.º-2 has the cards dealt from left to right; 7.º-4 gives a choice and no order.",
        why=(
            "Cards go from left to right, the cards on a challenge too (reading W4): who is to get the first one "
            "speaks first."
        ),
    ),
)
