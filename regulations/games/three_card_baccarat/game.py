"""Three-card baccarat as the table knows it."""

from typing import Final

from regulations.games.three_card_baccarat.guide import GUIDE
from regulations.games.three_card_baccarat.law import ANNEX, LAW, art
from regulations.games.three_card_baccarat.readings import READINGS
from regulations.games.three_card_baccarat.round import ThreeCardRound
from regulations.games.three_card_baccarat.rows import ROWS
from regulations.games.three_card_baccarat.settlement import COMMISSION, PAYOUTS
from regulations.games.three_card_baccarat.sheet import SHEET
from regulations.law.payouts import paid_by
from regulations.play.context.game import Game
from regulations.play.resolution.assembly import rulebook_of

ARTICLES: Final[dict[str, str]] = {
    art("1.º"): "One or more whole decks: one in a box, more in a shoe.",
    art("1.º-1"): "One deck of 52 cards or more.",
    art("1.º-2"): "A box with one white card where a single deck is used, a shoe with two where there are more.",
    art(
        "2.º-1"
    ): "Shuffled by the banker, cut by a player or the banker; a shoe has a cut card 30 to 40 cards from the end.",
    art("2.º-2"): "As many cards as decks burned first; three cards face down to each place, the banker's last.",
    art("2.º-3"): "With a shoe a card is burned at the start of every round but the first.",
    art("2.º-4"): "A misdeal is put right: cards go where they belong. If that cannot be, the round's cards are void.",
    art("2.º-5"): "Cards that turn while they are dealt are valid, and the round continues.",
    art("3.º-1"): "The cut card announces the last round; the house may shuffle after any round.",
    art("3.º-2"): "From the box one round is played, then the cards are shuffled.",
    art("4.º-1"): "Cards are dealt to the places of the table at most.",
    art("5.º"): ("Value of three cards: figures and tens nothing, three figures most, else the points of the sum."),
    art("5.º-1"): "The annex lists the combinations; figures and tens are worth nothing.",
    art("5.º-2"): "Three figures are the most; else the sum without its tens, nine the most.",
    ANNEX: "The 31 combinations in their order.",
    art("6.º"): "To win, the player's combination is higher than the banker's.",
    art("7.º-1"): "Equal combinations tie.",
    art("7.º-2"): "Tied wagers may be raised and not withdrawn, and wait for the next round.",
    art("8.º"): "The other wagers.",
    art("8.º-1"): "Odd or even points of the banker; three figures count as a tie, and the wager waits.",
    art("8.º-1(a)"): "Odd.",
    art("8.º-1(b)"): "Even.",
    art("8.º-2"): "Three figures, or a number of points, of the banker.",
    art("8.º-2(a)"): "Three figures.",
    art("8.º-2(b)"): "0 to 9 points.",
    art("8.º-3"): "A tie, on a place where a wager lies.",
    art("9.º"): "Payouts of each wager.",
    art("9.º-1"): "The higher combination wins the stake once.",
    art("9.º-2"): "Odd or even wins it once.",
    art("9.º-3"): f"Three figures win it {paid_by(PAYOUTS, art('9.º-3'))} times.",
    art("9.º-4"): f"The number of points wins it {paid_by(PAYOUTS, art('9.º-4'))} times.",
    art("9.º-5"): f"A tie wins it {paid_by(PAYOUTS, art('9.º-5'))} times.",
    art("10.º"): f"{100 * COMMISSION} % commission on the wins of the higher combination, odd and even.",
}

NOT_ENFORCED: Final[dict[str, str]] = {
    art("2.º-1"): "A duty of persons: who puts the white cards in is seen by people, not by the equipment.",
    art("4.º-2"): "Out of scope: a player may wager on several places; the log knows places and numbers, not players.",
    art("4.º-3"): "A duty of persons: who sits where, and who holds which cards, is seen by people.",
}

WITHOUT_STAKES: Final[dict[str, str]] = {
    art("7.º-2"): "That no part of a carried stake is withdrawn (reading T15); that its seat plays is enforced.",
}


GAME: Final = Game(
    sheet=SHEET,
    rulebook=rulebook_of(LAW, ROWS, PAYOUTS),
    round=ThreeCardRound,
    articles=ARTICLES,
    not_enforced=NOT_ENFORCED,
    own_readings=READINGS,
    guide=GUIDE,
    untold=WITHOUT_STAKES,
)
