"""How 55/2004 is read where it is silent, ambiguous or contradicts itself."""

from typing import Final

from regulations.law.readings import Reading

READINGS: Final[tuple[Reading, ...]] = (
    Reading(
        id="B1",
        says=("`first_card_value`: the first card is shown and burned, then as many more face down as its value."),
        doubt=(
            "2.º-1 lets the face value of the first card determine the number of cards to be discarded "
            "(«determinado pelo valor facial da primeira carta») and does not say whether that card is shown or "
            "counts among them."
        ),
        why=(
            "Everybody must be able to check the number, so the card is shown; the following cards are "
            "burned, so it comes on top."
        ),
        example="A seven: the seven is shown and seven more are burned, eight in all.",
    ),
    Reading(
        id="B2",
        says="For that count an ace is 1; tens and court cards are 10.",
        doubt=("Tens and court cards count zero in play (5.º); for the number of burned cards that would mean none."),
        why="Here the card names a quantity, not points; ten is what a ten and a court card name.",
    ),
    Reading(
        id="B3",
        says="At least 12 cards lie behind the cut card, at most half a deck.",
        doubt=(
            "2.º-1 places the white card before the last twelve cards, approximately («aproximadamente»); the "
            "Chinese text says at least about twelve. No upper bound is given."
        ),
        why=(
            "Never fewer than twelve satisfies both texts. More than half a deck would take rounds away "
            "from players for no reason that the text knows."
        ),
    ),
    Reading(
        id="B4",
        says="A banker natural beats the rules by which player draws (9.º-2 over 9.º-1).",
        doubt=(
            "9.º-1 has player draw below 6, 9.º-2 has player stand against a banker natural: with 3 "
            "against 9 both hold."
        ),
        why="The prohibition is the special rule, made for just this case.",
        example="Player 3, banker 9: no card is drawn, banker wins.",
    ),
    Reading(
        id="B5",
        says=("A player natural beats the rules by which banker draws (9.º-4(6) over 9.º-3(1) and 9.º-3(6))."),
        doubt=(
            "9.º-3(1) has banker draw below 3 «whatever player drew», 9.º-4(6) has banker stand against a "
            "player natural."
        ),
        why="As in B4 the prohibition is the special rule; a natural ends all drawing.",
    ),
    Reading(
        id="B6",
        says=(
            "A cut card in mid-round: under `end` that round is the last, under `one_more` one may "
            "follow. Before the first card of a round: that round is the last under both. A round that a device was "
            "joined in has its first card out."
        ),
        doubt=(
            "By 3.º-1 the white card announces the end of the shoe game or that there is only one more round; "
            "it does not say which round ends it when the card comes between two."
        ),
        why=(
            "A card drawn before the first card of a round belongs to that round, so it is the last; the "
            "option can only lengthen a shoe game whose round was already being dealt."
        ),
    ),
    Reading(
        id="B8",
        says=(
            "Demonstrations come after the initial burn and before the first round with wagers, never later. A round "
            "without wagers is one, so a table that records stakes takes `bets_closed` without wagers only as an "
            "announced demonstration. A card before `bets_closed` is burned, or the croupier and a supervisor enter "
            "the wagers that lay there when it left; the log marks them as `late_bets`. Where stakes are not recorded, "
            "or the house deals free hands (`rounds_without_wagers`), the first card closes the bets."
        ),
        doubt=(
            "2.º-2 allows up to three demonstrations at the beginning of the dealing («no início da distribuição das "
            "cartas») and names no other round without wagers; no article says when bets end."
        ),
        why=(
            "After a wagered round it is no longer the beginning; before the initial burn nothing may be dealt. A card "
            "that closed the bets would discard the wagers that were being entered, without a way back."
        ),
        example="The croupier draws, then closes the bets: two people enter 100 on player, and the card is player's.",
    ),
    Reading(
        id="B9",
        says="`round_burn` is one card, face down, and not before the first round of a shoe.",
        doubt=("8.º lets the house burn a card at the start of a round and does not name the first round."),
        why="Before the first round 2.º-1 has burned cards already.",
    ),
    Reading(
        id="B11",
        says=(
            "A misdeal is corrected by the order of the shoe (reading G11); if that cannot be done the round is "
            "void. A card that was not due is burned, or is the next round's first if the profile says so and it "
            "was not seen: it did not leave face up, was not turned, and no output named it. In an `irregularity` a "
            "card that left face down is `null`. The prohibition that it broke is cited (9.º-2, 9.º-4; "
            "9.º where each hand has its additional card)."
        ),
        doubt="10.º has errors corrected at once and says nothing of how, nor of a card too many.",
        why=(
            "Both ways of the trade (burn it, or let it begin the next round) keep the order. A card that was seen "
            "before the bets would let bettors bet on it."
        ),
    ),
    Reading(
        id="B12",
        says=(
            "After a tie the stakes on player and banker are held in the next round, bettor by bettor: without "
            "`withdraw` none may vanish, without `alter` none change its amount, without `switch` none change "
            "sides; to keep it is always possible. Money on a further side beside the kept stake is a new wager. "
            "Where the first card closes the bets, held stakes are kept. The hold survives a void round and the "
            "end of a shoe game. A bettor who leaves ends it; then, and as the table closes, the held stake is "
            "reported as returned."
        ),
        doubt=(
            "12.º has a new round dealt and lets the first wagers be withdrawn, kept, altered or changed over; it does "
            "not say that all of this must be offered, nor for how long."
        ),
        why=(
            "It lists alternatives, and 19.º submits the choice among them to an authorisation; a choice without "
            "effect would need none. A change that a table does not offer is refused under any name: a smaller "
            "stake on the other side is altered and changed over. The new round is the next one with a result."
        ),
        example=(
            "100 on player stood; this table lets stakes be kept or changed over: 100 on banker is taken, 60 on banker "
            "is refused."
        ),
    ),
    Reading(
        id="B13",
        says="Pair wagers need no other wager beside them; a void round returns them.",
        doubt="13.º-4 does not say whether a pair wager needs another wager beside it.",
        why="Where the regulation wants one wager to need another it says so; here it does not.",
    ),
    Reading(
        id="B14",
        says=("A card that leaves the shoe face up is valid; where cards are dealt face down it is open at once."),
        doubt="4.º has a face-up card valid, 16.º has cards dealt face down be shown later.",
        why="A card that everybody has seen cannot be shown again; it stays open.",
    ),
    Reading(
        id="B15",
        says="Half the stake for a banker win with 6 holds for a 6 of two cards and of three.",
        doubt=(
            "18.º-2 pays half «quando este grupo vença o lance com 6 pontos» and does not name the number of cards."
        ),
        why="The text counts points, not cards.",
    ),
    Reading(
        id="B16",
        says=("A shuffler-dealer knows no cut card, initial burn or demonstrations; cards go back after each round."),
        doubt="2.º-3 and 7.º-2 describe a shuffler-dealer only by loading and direct dealing.",
        why=("Cut card, initial burn and demonstrations presuppose a prepared stack, which it does not have."),
    ),
    Reading(
        id="B17",
        says=(
            "The seated bettor with the highest wager on a side may handle its cards, of equal ones the first "
            "seat's. The prompt to reveal a hand names seat and number; people ensure that no other bettor does "
            "it and that the cards stay on the table."
        ),
        doubt=(
            "16.º-2 gives the right to the player with the highest wager who has a seat, «sem, contudo, as "
            "retirar da mesa»; it does not say who, where wagers are equal."
        ),
        why=(
            "No device sees hands. The log knows who bet most, and of several bettors on a seat the one with "
            "the lowest number sits (as in reading J22)."
        ),
    ),
    Reading(
        id="B18",
        says=(
            "`limits.difference` is the most by which the sums of new money on player and banker may differ when the "
            "bets close; held stakes never count. Without it only the limits of single wagers bound what the house "
            "covers. A table without stakes has no limits: the prompt before a round names the duty."
        ),
        doubt="14.º has the house cover the difference «ressalvados os limites máximos estabelecidos para as apostas».",
        why="A stake that stood in a tie was covered in its own round; a limit on it could leave no lawful bets.",
        example="Limit 500: 800 on player against 200 on banker is refused; a held 400 and 500 more on player pass.",
    ),
)
