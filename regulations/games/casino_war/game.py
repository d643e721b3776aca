"""Casino war as the table knows it."""

from typing import Final

from regulations.games.casino_war.guide import GUIDE
from regulations.games.casino_war.law import LAW, art
from regulations.games.casino_war.readings import READINGS
from regulations.games.casino_war.round import CasinoWarRound
from regulations.games.casino_war.rows import ROWS
from regulations.games.casino_war.settlement import PAYOUTS
from regulations.games.casino_war.sheet import SHEET
from regulations.law.payouts import to_one
from regulations.play.context.game import Game
from regulations.play.resolution.assembly import rulebook_of

ARTICLES: Final[dict[str, str]] = {
    art("1.º"): "The dealing equipment: a shoe with a cut card, or a shuffler-dealer.",
    art("1.º-1"): "One deck of 52 cards.",
    art("1.º-2"): "A shoe and a cut card.",
    art("1.º-3"): "A shuffler-dealer.",
    art("1.º-4"): "A shuffler: it may prepare the stack of a shoe, and does not deal.",
    art("1.º-5"): "A table with seven or more seats.",
    art("2.º-1"): "Shuffle, cut by a player or the croupier, cut card before about the last twelve cards, load.",
    art("2.º-2"): "A shuffler-dealer is loaded and dealt from directly.",
    art("3.º"): "A card that comes out face up is valid, and so are the wagers; play continues.",
    art("4.º"): "Cards rank by their rank alone, the ace highest, the two lowest.",
    art("5.º-1"): "Players wager against the croupier.",
    art("5.º-2"): "From left to right a card face up for each player and the croupier.",
    art("5.º-3"): "The players' cards come first.",
    art("6.º"): "A misdeal is corrected at once; a round that cannot be corrected is void.",
    art("7.º"): "How each wager is won and lost.",
    art("7.º-1"): "The higher card wins the ante's value; a tie wager is lost.",
    art("7.º-2"): "The lower card loses the ante; a tie wager is lost.",
    art("7.º-3"): f"On equal cards a tie wager pays {to_one(PAYOUTS, art('7.º-3'))}.",
    art("7.º-4"): "On equal cards who has no tie wager decides, once.",
    art("7.º-4(1)"): "To lose half of the ante.",
    art("7.º-4(2)"): "Or to challenge the house.",
    art("7.º-5"): "A challenge doubles the ante; three cards are burned before the player's and the croupier's card.",
    art("7.º-5(1)"): "The higher card on a challenge wins what the house has put in.",
    art("7.º-5(2)"): "Equal cards on a challenge win it too, and as much as the ante besides.",
    art("7.º-5(3)"): "The lower card on a challenge loses ante and raise.",
}

NOT_ENFORCED: Final[dict[str, str]] = {
    art(
        "2.º-1"
    ): "A duty of persons: who puts the cut card in, and that the cards go into the shoe face down, is seen by people.",
}

WITHOUT_STAKES: Final[dict[str, str]] = {art("7.º-5"): "That a challenge adds as much as the ante."}


GAME: Final = Game(
    sheet=SHEET,
    rulebook=rulebook_of(LAW, ROWS, PAYOUTS),
    round=CasinoWarRound,
    articles=ARTICLES,
    not_enforced=NOT_ENFORCED,
    own_readings=READINGS,
    guide=GUIDE,
    untold=WITHOUT_STAKES,
)
