"""Q poker as the table knows it."""

from typing import Final

from regulations.games.q_poker.guide import GUIDE
from regulations.games.q_poker.law import LAW, art
from regulations.games.q_poker.readings import READINGS
from regulations.games.q_poker.round import QPokerRound
from regulations.games.q_poker.rows import ROWS
from regulations.games.q_poker.settlement import PAYOUTS
from regulations.games.q_poker.sheet import SHEET
from regulations.law.payouts import to_one
from regulations.play.context.game import Game
from regulations.play.resolution.assembly import rulebook_of

ARTICLES: Final[dict[str, str]] = {
    art("1.º"): "The dealing equipment: a shoe with a cut card, or a shuffler.",
    art("1.º-1"): "A deck of 52 cards.",
    art("1.º-2"): "A shoe and a cut card.",
    art("1.º-3"): "A shuffler.",
    art("2.º-1"): "A table with eight or more places, the croupier's included.",
    art("3.º"): "The cards are shuffled before play, by the croupier or by a shuffler.",
    art("3.º-1"): "By hand: the croupier shuffles and cuts, the cut card lies last, then the shoe is loaded.",
    art("3.º-2"): "A shuffler shuffles mechanically; a cut is not needed.",
    art("4.º-1"): "Suits rank spades, hearts, clubs, diamonds.",
    art("4.º-2"): "Cards rank from the ace down to the two.",
    art("4.º-3"): "Sequences rank from A-K-Q down to 4-3-2, and A-2-3.",
    art("5.º-1"): "Wagers on a pair or better, and against the croupier's hand.",
    art("5.º-1(1)"): "On a pair or better.",
    art("5.º-1(2)"): "On the player's hand against the croupier's.",
    art("5.º-2"): "A bettor may choose one of them or both.",
    art("6.º-1"): "A player may wager on several hands, and several players on one.",
    art("6.º-2"): "No wagers once the first card is dealt.",
    art("6.º-4"): "The round begins when the wagers are down.",
    art("7.º"): "Three cards to each hand with a wager, from left to right, the croupier last, face down.",
    art("7.º-1"): "From a shoe one card at a time.",
    art("7.º-2"): "From a shuffler three cards at a time.",
    art("8.º"): "The order of the hands.",
    art("8.º-1"): "Straight flush.",
    art("8.º-2"): "Three of a kind.",
    art("8.º-3"): "Straight.",
    art("8.º-4"): "Flush.",
    art("8.º-5"): "Pair.",
    art("8.º-6"): "Three odd cards.",
    art("9.º"): "How a round is played and the ante settled.",
    art("9.º-1"): "The players' hands are opened and decide the wager on a pair or better; odd cards lose it.",
    art("9.º-2"): "Then the players decide whether they play against the croupier.",
    art("9.º-3"): "A bettor who gives up loses half; decided once, before the croupier's hand is opened.",
    art("9.º-4"): "The croupier plays with a queen or better.",
    art("9.º-5"): "If the croupier does not play, the players receive half of their wager.",
    art("9.º-6"): "If the croupier's hand is higher, the croupier takes the wagers.",
    art("9.º-7(1)"): f"A higher straight flush wins {to_one(PAYOUTS, art('9.º-7(1)'))}.",
    art("9.º-7(2)"): f"Higher three of a kind win {to_one(PAYOUTS, art('9.º-7(2)'))}.",
    art("9.º-7(3)"): f"A higher straight wins {to_one(PAYOUTS, art('9.º-7(3)'))}.",
    art("9.º-7(4)"): f"Another higher hand wins {to_one(PAYOUTS, art('9.º-7(4)'))}.",
    art("10.º"): "Payouts of the wager on a pair or better.",
    art("10.º-1"): f"Straight flush {to_one(PAYOUTS, art('10.º-1'))}.",
    art("10.º-2"): f"Three of a kind {to_one(PAYOUTS, art('10.º-2'))}.",
    art("10.º-3"): f"Straight {to_one(PAYOUTS, art('10.º-3'))}.",
    art("10.º-4"): f"Flush {to_one(PAYOUTS, art('10.º-4'))}.",
    art("10.º-5"): f"Pair {to_one(PAYOUTS, art('10.º-5'))}.",
    art("11.º-1"): "Cards in a wrong order, or a wrong number of them in a hand: the round is void.",
    art("11.º-2"): "A player's card that was seen changes nothing.",
    art("11.º-3"): "A card of the croupier's that was seen: the round is void.",
    art("11.º-4"): "A hand that was dealt without a wager is void, and play continues.",
    art("11.º-5"): "A shuffler that fails while cards are dealt: the round is void.",
}

NOT_ENFORCED: Final[dict[str, str]] = {
    art("2.º-2"): "A duty of persons: where on the cloth a wager lies; people name the wager when the bets close.",
    art("6.º-3"): "A duty of persons: who holds cards, and where; no device sees hands.",
}


GAME: Final = Game(
    sheet=SHEET,
    rulebook=rulebook_of(LAW, ROWS, PAYOUTS),
    round=QPokerRound,
    articles=ARTICLES,
    not_enforced=NOT_ENFORCED,
    own_readings=READINGS,
    guide=GUIDE,
)
