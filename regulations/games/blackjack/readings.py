"""How 56/2004 is read where it is silent, ambiguous or contradicts itself."""

from typing import Final

from regulations.law.readings import Reading

READINGS: Final[tuple[Reading, ...]] = (
    Reading(
        id="J1",
        says="Over and under 13: an ace counts 1, and exactly 13 loses both.",
        doubt=(
            "13.º-3 speaks of the total of the two first cards above or below 13 and does not say what an ace counts, "
            "though by 8.º it is 1 or 11 «à escolha do jogador»; nor what becomes of 13."
        ),
        why=(
            "A total that the player could choose after seeing the cards would win over and under at once. 13 is "
            "neither above nor below, so neither is won."
        ),
        example="Ace and king: 11, under 13.",
    ),
    Reading(
        id="J2",
        says=(
            "`any_pair` is decided by the first two cards. A pair after a split needs a wager of its own, put down "
            "with the split; it is about the next two cards of the hand that was split, and is the decider's own."
        ),
        doubt=(
            "13.º-1(2) counts «o segundo par» after a split, the third and so on as any pair and does not say whether "
            "the first wager covers them, nor on which hand."
        ),
        why=(
            "A wager is decided once. The hand that is split gets its card at once, so it is the one on which "
            "a second pair can follow the first."
        ),
        example="8-8 wins 11 to 1; split with 10 on the new pair, another 8 wins 11 to 1 on those 10.",
    ),
    Reading(
        id="J3",
        says=(
            "The third seven is the first card dealt to the first hand after sevens were split; three sevens of two "
            "suits pay 500 to 1. Until the hand decides otherwise the wager stays open."
        ),
        doubt=(
            "13.º-2(2) wants sevens dealt in succession, split, and a third one; 14.º-2 knows three of different and "
            "three of the same suits, and not two of one suit with one of another."
        ),
        why="That card is the third in succession; and suits that are not all the same are different.",
        example="7S 7S split, 7H: 500 to 1; not split, they pay 150 to 1 as soon as the hand stands or takes a card.",
    ),
    Reading(
        id="J4",
        says=(
            "A player may have several kinds of side wagers, on any hand in play: the seat must have a main wager "
            "of any bettor."
        ),
        doubt="13.º lets a player make «uma das seguintes apostas», which could mean only one of them.",
        why="13.º-1 and 13.º-2 speak of «uma ou mais mãos de qualquer jogador» and «qualquer mão»: it lists kinds.",
    ),
    Reading(
        id="J5",
        says="«Qualquer par 7» in 13.º-1 is any pair.",
        doubt="13.º-1 writes «qualquer par 7», and defines «qualquer par» by pairs of any rank.",
        why="The definition, its example of knaves, and 14.º-1 know no seven; sevens have 13.º-2.",
    ),
    Reading(
        id="J6",
        says=(
            "The special prize takes the place of the ordinary win, counts a hand's first three cards in any order, "
            "and ends the hand. A split hand has it too."
        ),
        doubt=(
            "15.º gives «6-7-8» of one suit or three sevens three times the wager at once, and does not say in which "
            "order, among how many cards, nor whether the hand plays on or may come from a split."
        ),
        why=(
            "What is paid at once is decided; 6-7-8 and three sevens are 21 points, so no card could follow. 15.º "
            "makes no exception for a split hand; 10.º-6 shows how one is made."
        ),
        example="8S 6S doubled, 7S: three times the doubled wager.",
    ),
    Reading(
        id="J7",
        says="The croupier's ace counts 11 unless that exceeds 21; the croupier stands on a soft 17.",
        doubt="8.º lets the player choose what an ace counts and says nothing of the croupier.",
        why="6.º-1 binds the croupier to the points; with 17 or more no card may be drawn: there is no choice.",
    ),
    Reading(
        id="J8",
        says="An ordinary win pays 1 to 1; a croupier who busts loses to the hands still in; equal totals win nothing.",
        doubt="9.º says who wins and 10.º-4 what 21 pays; the ordinary win and a croupier's bust are not written down.",
        why="21 with more cards is paid the wager (10.º-4); no other win can be meant to pay more or less.",
    ),
    Reading(
        id="J9",
        says=(
            "5.º-1(1) is about a card that comes out of the device already turned, wherever it should lie; not about "
            "dealing face up, nor about a card that is seen later."
        ),
        doubt="5.º-1(1) makes a card invalid that appears face up, while 5.º-2 deals some cards face up.",
        why="A card that lay turned in the stack was seen before its turn, or was put there.",
        example="The croupier's open card, turned already as it leaves the shoe, is burned as well.",
    ),
    Reading(
        id="J10",
        says=(
            "The croupier's second card is not checked before: a blackjack there takes splits and doubles in "
            "full, unless the house limits the loss of doubles to the original wager."
        ),
        doubt="10.º-7 lets the bank offer the loss of the original wager for doubles and says nothing of splits.",
        why="An exception is not widened; a split wager is a wager of its own (16.º-2).",
    ),
    Reading(
        id="J11",
        says=(
            "Without a hand or an insurance to decide, the croupier takes no second card; where insurances alone are "
            "left, no third."
        ),
        doubt="7.º-1 has the croupier take it after the players' decisions, without exception.",
        why="It could decide nothing: an insurance is decided by the first two cards.",
        example="Every hand is bust: the round is over. An insured one is bust: the croupier takes one card more.",
    ),
    Reading(
        id="J12",
        says=(
            "The box croupier's second card is opened in every round, after the seats. The first card that may be "
            "valid face up is the first one dealt to a seat in a shoe game's first round."
        ),
        doubt=(
            "5.º-2(1)(2) deals that card face down and does not say when it is opened; «a primeira do início do "
            "jogo» (5.º-1(1)) may be the first of a shoe or of a round, and burned cards come before it."
        ),
        why="Every dealt card must be seen by the end; the game begins with the first round after a shuffle.",
    ),
    Reading(
        id="J13",
        says="Pairs to be split have one rank. Each hand of a split gets its second card when its turn comes.",
        doubt="16.º-1 splits «um par» without defining it, and does not say when the cards follow.",
        why=("By 13.º-1(1) a pair has one rank: a knave and a queen are not a pair. Hands are played in turn (6.º-3)."),
    ),
    Reading(
        id="J16",
        says=(
            "`any_card`: a hand is given up before any additional card of the round, of any hand, also out of turn; "
            "the card that a split hand gets is one. `own_card`: before its own third card. A pair that could have "
            "been split and was stood on, hit or doubled is played on: hands of that seat and rank are not asked again."
        ),
        doubt=(
            "18.º-2 wants it before the bank deals «qualquer carta adicional», the hand's own or anybody's; 16.º-5 "
            "lets a later pair be split unless it was decided not to."
        ),
        why=(
            "The text says any additional card: the last seats could never choose in their turn, so they speak before "
            "it. `own_card` is a practice which leaves every seat its choice in its turn."
        ),
    ),
    Reading(
        id="J17",
        says="`half_pay` is asked with five cards, before a sixth, and ends the hand.",
        doubt="19.º-1 has it asked by who has five cards, and 19.º-2 lets play continue otherwise.",
        why="A bettor who takes a sixth card has chosen; a paid wager is decided.",
    ),
    Reading(
        id="J18",
        says=(
            "The burn at the start begins with the second round of a shoe game; the burn before the croupier's "
            "second card, where chosen, is made in every round in which there is one."
        ),
        doubt="4.º-2 burns «no início de cada jogada seguinte» and another card before the bank's second.",
        why="«Seguinte» is what follows the first round, before which cards were burned by 4.º-1.",
    ),
    Reading(
        id="J19",
        says="At least 30 cards lie behind the second cut card; at most 104.",
        doubt="2.º-1(1) puts it «entre as últimas 30 cartas, ou mais».",
        why="«Ou mais» makes 30 the fewest; more than two decks would take rounds away for no reason.",
    ),
    Reading(
        id="J20",
        says=(
            "One deck in a shoe has no second cut card and serves one round. A stack that runs out in a round voids it."
        ),
        doubt=(
            "2.º-1(1) puts the second cut card in with more than one deck; 2.º-2(3) gives only the box one round; "
            "nothing is said of a stack that runs out."
        ),
        why="Without a cut card nothing else tells when a shoe of one deck ends; it is as good as the box.",
    ),
    Reading(
        id="J22",
        says=(
            "With `nearest_or_seated` at most three bettors a seat, a fourth is refused. The decider's decision about "
            "cards binds every wager on the hand; with `nearest_or_seated` each bettor decides of even money, half pay "
            "and surrender for the own wager: before the decider's first decision, the prompt lists in `bettors` what "
            "each may do. Insurance is each bettor's in all three; later pairs are the decider's. "
            "The seated bettor has the lowest id; `highest` goes by the main wagers, of equal ones by the lowest id."
        ),
        doubt=(
            "20.º-1(2) lets the seated player or the one with the nearest wager decide, and the log knows neither "
            "seats of persons nor where chips lie; no rule says whether others must follow a double or a split."
        ),
        why=(
            "One hand can only be played in one way; what is played on it follows it. 20.º-1(2) gives the decider the "
            "decisions on the cards («decisões sobre as cartas») alone; by 12.º-1 each player («o jogador») insures."
        ),
        example="100 of the first and 50 of the second bettor: doubled, 200 and 100 are at risk.",
    ),
    Reading(
        id="J23",
        says=(
            "A misdeal is corrected by the order of the shoe (reading G11), if all that was decided could "
            "then have been decided as well; else all cards of the round are cancelled. 6.º-1 is about the croupier's "
            "own undue card only; that one may be valid if it was not shown, on every equipment, by two people."
        ),
        doubt=(
            "5.º-1(2) corrects at once and cancels where that is impossible, without saying when it is; 6.º-1 lets an "
            "undue card be valid that was not shown."
        ),
        why=(
            "A decision that would not have been allowed with the right cards cannot be undone or imputed. 6.º-1 names "
            "the bank; a card that left while a seat decides is a wrong deal."
        ),
        example="Two seats' first cards are changed over; if one of them split its pair and has none now: void.",
    ),
    Reading(
        id="J24",
        says="At most 8 decks, and at most 8 hands of a split.",
        doubt=("1.º-2 says one deck or more («um ou mais baralhos»), 16.º-1 four wagers or more («quatro ou mais»)."),
        why=(
            "The lower bounds are the text's; the upper ones are ours (reading G15): no shoe holds more, and "
            "no hand needs more."
        ),
    ),
    Reading(
        id="J25",
        says=("A hand of 21 points or a blackjack, and a hand from split aces, are not asked whether they give up."),
        doubt="18.º-1 excepts only the croupier's ace.",
        why=(
            "Nothing is left to decide in them: a hand of 21 takes no card (6.º-4(1)), a split ace gets its "
            "one card and no other (16.º-3). That is ours (reading G15)."
        ),
    ),
    Reading(
        id="J26",
        says=(
            "A croupier's blackjack in the first two cards is decided: no extra card is accepted after it, "
            "and none that was shown."
        ),
        doubt="6.º-1 lets an extra card of the croupier be valid if it was not shown, and does not say up to when.",
        why=("12.º-2 has paid the insurances and taken the wagers by then; a card that came later cannot undo it."),
    ),
    Reading(
        id="J27",
        says="With `half` an insurance is half of the wager, of an odd number of minor units rounded up.",
        doubt="12.º-1 lets it go from half to the whole, and half of an odd number is no whole amount.",
        why="Half is the least, so a unit less would be too little.",
        example="On 25 minor units it is 13.",
    ),
    Reading(
        id="J28",
        says=(
            "An insurance is taken in the seat's turn, before anything else is decided about the seat; with "
            "`insurance_asked` `together` at any seat, before the first decision of the round."
        ),
        doubt="12.º-1 lets a player insure when the croupier's open card is an ace, and does not say until when.",
        why=(
            "It insures the original wager («aposta original»), and a double or a split changes what lies there; what "
            "a seat has decided is final (6.º-3)."
        ),
    ),
    Reading(
        id="J29",
        says=(
            "Hidden cards are shown before the hand is split, given up, paid even money or half, or doubled where only "
            "11 points are. The prompt names all that some hidden cards could allow, never what these allow."
        ),
        doubt=(
            "5.º-2(1) deals two cards face down; only a bust hand is to be shown at once (6.º-2), and no article says "
            "when another one is."
        ),
        why=(
            "A pair, a blackjack, five cards or 11 points can be verified by all only face up, and an answer by "
            "face-down cards would reveal them (reading G8). A hand that is given up leaves the table."
        ),
    ),
    Reading(
        id="J30",
        says=(
            "A card that leaves the shoe while a hand decides, and may hit, is its hit; `dealt` then has `decided_by`. "
            "It ends the seat's time for insurance and half pay. A hand with hidden cards counts as one that may hit; "
            "one that left while the table was blocked is never a hit, and no card is ever a stand. A misdeal corrects "
            "it by the decision that was taken (stand, double, split), by the croupier and a supervisor, until another "
            "card or decision follows, or the hand is bust. With `drawn_card_is_hit` false, or where the hand may not "
            "hit, it is a card before the decision: two people leave it to the hand to which it is then due, or it is "
            "burned, or the round is void."
        ),
        doubt="6.º-3 has the decision announced to the bank aloud, and does not say who records it, nor when.",
        why=(
            "The bank hears the decision «de viva voz» and deals; nothing is typed in between, so the card is the "
            "first that the table receives of it."
        ),
        example="Seat 1 has 12 and is asked; a 5 leaves the shoe: it is the seat's third card, and it is asked again.",
    ),
)
