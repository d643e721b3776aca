"""Blackjack as the table knows it."""

from typing import Final

from regulations.games.blackjack.guide import GUIDE
from regulations.games.blackjack.law import LAW, art
from regulations.games.blackjack.readings import READINGS
from regulations.games.blackjack.round import BlackjackRound
from regulations.games.blackjack.rows import ROWS
from regulations.games.blackjack.settlement import PAYOUTS
from regulations.games.blackjack.sheet import SHEET
from regulations.law.payouts import paid_by, to_one
from regulations.play.context.game import Game
from regulations.play.resolution.assembly import rulebook_of

ARTICLES: Final[dict[str, str]] = {
    art("1.º"): "The material: a dealing box with one deck, a shoe, or a shuffler-dealer.",
    art("1.º-1"): "A table with six seats or more.",
    art("1.º-2"): "One deck of 52 cards or more.",
    art("1.º-3"): "A dealing box with one deck, or a shoe; with more than one deck a second cut card.",
    art("1.º-4"): "A shuffler-dealer.",
    art("2.º-1(1)"): "The croupier shuffles; the stack is cut; a second cut card with more than one deck; load.",
    art("2.º-1(2)"): "A shuffler-dealer is loaded and dealt from directly.",
    art("2.º-2(1)"): "The round in which the second cut card appears is the last of a shoe game.",
    art("2.º-2(2)"): "The house may shuffle at the end of any round.",
    art("2.º-2(3)"): "A dealing box serves one round.",
    art("2.º-2(4)"): "Used cards go back into a shuffler-dealer after each round.",
    art("3.º-1"): "Six seats or more.",
    art("3.º-3"): "A player may bet on more than one hand.",
    art("4.º-1"): "One card for each deck, or one card, is burned before the first round.",
    art("4.º-1(1)"): "As many as there are decks.",
    art("4.º-1(2)"): "Or one.",
    art("4.º-2"): "A card may be burned at the start of each later round, and one before the croupier's second card.",
    art("5.º-1"): "One card at a time to each seat with a wager and to the croupier, from the left.",
    art("5.º-1(1)"): "A card that comes out face up is invalid; the first of the game may be taken as valid.",
    art("5.º-1(2)"): "A misdeal is corrected at once; a round that cannot be corrected is void.",
    art("5.º-2"): "Two cards to each seat, face down in the first procedure, face up in the second.",
    art("5.º-2(1)(1)"): "First procedure, shoe: the croupier's second card comes when the seats have decided.",
    art("5.º-2(1)(2)"): "First procedure, box: the croupier's second card lies face down from the deal on.",
    art("5.º-2(2)"): "The second procedure: with a shoe or a shuffler-dealer only.",
    art("5.º-2(2)(1)"): "Second procedure: two cards face up to each seat, one face up to the croupier.",
    art("5.º-2(2)(2)"): "Second procedure: the croupier's second card comes when the seats have decided.",
    art("6.º-1"): "The croupier draws to 16 and stands on 17; an undue card is invalid, or valid if it was not shown.",
    art("6.º-2"): "A bust hand is shown at once.",
    art("6.º-3"): "Seats decide one after the other, finally.",
    art("6.º-4"): "A hand may take cards below 21.",
    art("6.º-4(1)"): "None on a blackjack or 21.",
    art("6.º-4(2)"): "One only after doubling.",
    art("6.º-4(3)"): "One only on each split ace.",
    art("6.º-5"): "After the first deal each player is asked: double, split, card or none.",
    art("7.º-1"): "When the players have decided, the croupier's hand is completed and the round is settled.",
    art("7.º-2"): "A bust hand loses, even if the croupier busts.",
    art("8.º"): "Ace 1 or 11, court cards 10, others their pips.",
    art("9.º"): "More points than the croupier win, fewer lose.",
    art("10.º-1"): "Blackjack: an ace with a ten or a court card as the first two cards.",
    art("10.º-2"): f"A blackjack wins {to_one(PAYOUTS, art('10.º-2'))}.",
    art("10.º-3"): "Or as much as the wager, on request, against an ace, a ten or a court card.",
    art("10.º-4"): "21 with more cards wins as much as the wager.",
    art("10.º-5"): "A blackjack beats 21 with more cards.",
    art("10.º-6"): "The croupier's blackjack beats 21 with more cards, and of split hands.",
    art("10.º-7"): "The croupier's blackjack may take only the original of a doubled wager.",
    art("11.º-1"): "Two blackjacks are a tie.",
    art("11.º-2"): "Equal points are a tie.",
    art("12.º-1"): "Insurance against an ace: half to the whole of the wager, as the house says.",
    art("12.º-2"): (
        f"The croupier's blackjack pays an insurance {to_one(PAYOUTS, art('12.º-2'))} and takes the wagers without "
        "blackjack."
    ),
    art("12.º-3"): "Without it the insurance is lost.",
    art("13.º"): "The kinds of side wagers, and no other.",
    art("13.º-1"): "Wager on any pair.",
    art("13.º-1(1)"): "Two first cards of one rank.",
    art("13.º-1(2)"): "A later pair after a split.",
    art("13.º-2"): "Wager on sevens.",
    art("13.º-2(1)"): "Two sevens as first cards.",
    art("13.º-2(2)"): "A third seven after they were split.",
    art("13.º-3"): "Wagers on more or less than 13 points with the first two cards.",
    art("14.º-1"): f"Any pair pays {to_one(PAYOUTS, art('14.º-1'))}.",
    art("14.º-2(1)"): f"Two sevens of different suits pay {to_one(PAYOUTS, art('14.º-2(1)'))}.",
    art("14.º-2(2)"): f"Two of one suit {to_one(PAYOUTS, art('14.º-2(2)'))}.",
    art("14.º-2(3)"): f"Three of different suits {to_one(PAYOUTS, art('14.º-2(3)'))}.",
    art("14.º-2(4)"): f"Three of one suit {to_one(PAYOUTS, art('14.º-2(4)'))}.",
    art("14.º-3"): f"Over and under 13 pay {to_one(PAYOUTS, art('14.º-3'))}.",
    art("15.º"): f"6-7-8 of one suit or three sevens win {paid_by(PAYOUTS, art('15.º'))} times the wager at once.",
    art("16.º-1"): "A pair may be split, into four hands or more.",
    art("16.º-2"): "Each split wager equals the first.",
    art("16.º-3"): "Aces may be split, once or again; each gets one card.",
    art("16.º-4"): "Other split hands take any number of cards.",
    art("16.º-5"): "A further pair, not of aces, may be split again if the house allows it, unless it was played on.",
    art("17.º"): "A wager may be doubled on the first two cards of a hand; it gets one card.",
    art("17.º-1"): "On any two cards.",
    art("17.º-2"): "Or on 11 points only.",
    art("18.º-1"): "A player may give up half of the wager, not against an ace.",
    art("18.º-2"): "Before an additional card is dealt; it is final.",
    art("19.º-1"): "Five cards within 21 may be paid half the wager, not against an ace.",
    art("19.º-2"): "Otherwise play continues.",
    art("20.º"): "Several wagers on one seat.",
    art("20.º-1"): "One of several bettors on a seat decides.",
    art("20.º-1(1)"): "The bettor who sits there.",
    art("20.º-1(2)"): "Or, of at most three, who sits there or has the wager nearest to the croupier.",
    art("20.º-1(3)"): "Or who has the highest wager; of equal ones who sits there.",
}

NOT_ENFORCED: Final[dict[str, str]] = {
    art("2.º-1(1)"): ("A duty of persons: that the croupier cuts only if no player wants to; the log has who cut."),
    art("2.º-2(1)"): "A duty of persons: whether used cards can serve again or are replaced.",
    art("3.º-2"): "Out of scope: how many seats a player may play is the house's own limit; the log knows seats alone.",
    art("3.º-4"): "A duty of persons: who may hold the cards when only standing players bet is seen by people.",
    art("4.º-1"): "A duty of persons: that burned cards go into the container beside the table.",
    art("6.º-3"): "A duty of persons: that decisions are announced aloud, seat by seat.",
    art(
        "6.º-5"
    ): "A duty of persons: that the croupier announces each hand's points aloud. Each hand is asked in its turn.",
    art("7.º-1"): "A duty of persons: that the croupier announces points aloud. The order of the cards is kept.",
    art("17.º-1"): "A duty of persons: that the card of a doubled wager is put down sideways.",
    art("20.º-1(2)"): (
        "A duty of persons: whose wager lies nearest is seen on the felt; who decides there tells the number. "
        "`bettors_at_most` is the lower number of bettors that the director of the room may set."
    ),
    art("20.º-1(3)"): "A duty of persons: that only the seated bettor holds the cards.",
    art("20.º-2"): "A duty of persons: whether players influence each other is seen by people, not by the equipment.",
}

WITHOUT_STAKES: Final[dict[str, str]] = {
    art("12.º-1"): "That an insurance is half to the whole of the wager, as `insurance` says.",
    art("16.º-2"): "That each wager of a split equals the first.",
    art("17.º"): "That a doubled wager is twice the first.",
    art("20.º-1"): (
        "With `highest`: whose wager is the highest. The prompt names no bettor, and the decision of any bettor with a "
        "main wager on the seat is taken."
    ),
}


GAME: Final = Game(
    sheet=SHEET,
    rulebook=rulebook_of(LAW, ROWS, PAYOUTS),
    round=BlackjackRound,
    articles=ARTICLES,
    not_enforced=NOT_ENFORCED,
    own_readings=READINGS,
    guide=GUIDE,
    untold=WITHOUT_STAKES,
)
