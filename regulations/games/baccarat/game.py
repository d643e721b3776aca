"""Baccarat as the table knows it."""

from typing import Final

from regulations.games.baccarat.guide import GUIDE
from regulations.games.baccarat.law import LAW, art
from regulations.games.baccarat.readings import READINGS
from regulations.games.baccarat.round import BaccaratRound
from regulations.games.baccarat.rows import ROWS
from regulations.games.baccarat.settlement import COMMISSION, PAYOUTS
from regulations.games.baccarat.sheet import SHEET
from regulations.law.payouts import to_one
from regulations.play.context.game import Game
from regulations.play.resolution.assembly import rulebook_of

ARTICLES: Final[dict[str, str]] = {
    art("1.º"): "The dealing equipment: a shoe, or a shuffler-dealer.",
    art("1.º-1"): "Six to twelve decks of 52 cards.",
    art("1.º-2"): "A shoe, and one cut card or more.",
    art("1.º-3"): "A shuffler-dealer.",
    art("1.º-4"): "A shuffler: it may prepare the stack of a shoe, and does not deal.",
    art("1.º-5"): "A table with seven or more seats.",
    art("2.º-1"): "Shuffle, cut, cut card, load; the initial burn by the number of decks or by the first card's value.",
    art("2.º-2"): "Up to three demonstration rounds at the beginning of a shoe.",
    art("2.º-3"): "A shuffler-dealer is loaded and dealt from directly.",
    art("3.º-1"): "The cut card ends the shoe game, or announces one more round; then the cards are shuffled again.",
    art("3.º-2"): "The house may replace the shoe at the end of a shoe game.",
    art("4.º"): "A card that comes out face up is valid; play continues.",
    art("5.º"): "Values of cards.",
    art("5.º-1"): "Court cards, tens and sums of ten count zero.",
    art("5.º-2"): "All others count their face value, nine the most.",
    art("6.º"): "There are two hands.",
    art("6.º-1"): "The banker hand.",
    art("6.º-2"): "The player hand.",
    art("7.º-1"): "Two cards to each hand, one by one, player first; player shows first.",
    art("7.º-2"): "With a shuffler-dealer cards lie face up and go back after each round.",
    art("8.º"): "The house may burn a card at the start of a round.",
    art("9.º"): "At most one additional card to each hand, by fixed rules.",
    art("9.º-1"): "Player draws below 6.",
    art("9.º-2"): "Player stands above 5, or against a banker natural.",
    art("9.º-3(1)"): "Banker draws below 3, whatever player drew.",
    art("9.º-3(2)"): "Banker with 3 draws unless player drew an 8.",
    art("9.º-3(3)"): "Banker with 4 draws on 2 to 7.",
    art("9.º-3(4)"): "Banker with 5 draws on 4 to 7.",
    art("9.º-3(5)"): "Banker with 6 draws on 6 or 7.",
    art("9.º-3(6)"): "Banker draws below 6 where player stood.",
    art("9.º-4(1)"): "Banker with 3 stands on an 8.",
    art("9.º-4(2)"): "Banker with 4 stands on 1, 8, 9, 10.",
    art("9.º-4(3)"): "Banker with 5 stands on 1, 2, 3, 8, 9, 10.",
    art("9.º-4(4)"): "Banker with 6 stands on all but 6 and 7, or where player stood.",
    art("9.º-4(5)"): "Banker stands with 7, 8, 9.",
    art("9.º-4(6)"): "Banker stands against a player natural.",
    art("10.º"): "A misdeal is corrected at once; a round that cannot be corrected is void.",
    art("11.º"): "The hand with more points wins.",
    art("12.º"): "Equal points are a tie: player and banker wagers stand, and another round is dealt.",
    art("12.º-1"): "Then they may be withdrawn, where the table says so.",
    art("12.º-2"): "Or kept, always.",
    art("12.º-3(1)"): "Or altered in their amount, where the table says so.",
    art("12.º-3(2)"): "Or changed over from one hand to the other, where the table says so.",
    art("13.º"): "The kinds of wagers, and no other.",
    art("13.º-1"): "Wager on the player hand.",
    art("13.º-2"): "Wager on the banker hand.",
    art("13.º-3"): "Wager on a tie.",
    art("13.º-4"): "Wagers on a pair in the first two cards of a hand, same rank.",
    art("14.º"): "Unequal wagers are covered by the house, up to the limits that it sets for a table.",
    art("16.º"): "How the cards are handled: face up, or face down where players may touch them.",
    art("16.º-2"): "The prompt to turn a hand names the bettor who may look at it; the additional card apart.",
    art("17.º"): "Settlement of all wagers of a round.",
    art("17.º-1"): f"Player and banker pay {to_one(PAYOUTS, art('17.º-1'))}.",
    art("17.º-2"): f"A tie pays {to_one(PAYOUTS, art('17.º-2'))}.",
    art("17.º-3"): f"A pair pays {to_one(PAYOUTS, art('17.º-3'))}.",
    art("18.º"): "Payout of a banker win.",
    art("18.º-1"): f"{100 * COMMISSION} % commission on banker winnings.",
    art("18.º-2"): "Or no commission, and half the stake for a banker win with 6.",
    art("19.º"): "Options need an authorisation asked for three working days ahead.",
}

NOT_ENFORCED: Final[dict[str, str]] = {
    art(
        "2.º-1"
    ): "A duty of persons: who puts the cut card in, and that the cards go into the shoe face down, is seen by people.",
    art("15.º"): "A duty of persons: where standing players put their chips is seen by people, not by the equipment.",
    art(
        "16.º-1"
    ): "A duty of persons: whether players may touch the cards the house decides; `deal` says how they lie.",
    art("16.º-2"): "A duty of persons: that only the named bettor handles the cards, and that they stay on the table.",
}

WITHOUT_STAKES: Final[dict[str, str]] = {
    art("12.º"): "That no stake is altered that stood in a tie, where `tie_wagers` has no `alter` (reading B12).",
    art("14.º"): "The limits: `limits` needs recorded stakes.",
    art("16.º-2"): "On each side the seated bettor with the highest wager may look (reading B17).",
}


GAME: Final = Game(
    sheet=SHEET,
    rulebook=rulebook_of(LAW, ROWS, PAYOUTS),
    round=BaccaratRound,
    articles=ARTICLES,
    not_enforced=NOT_ENFORCED,
    own_readings=READINGS,
    guide=GUIDE,
    untold=WITHOUT_STAKES,
)
