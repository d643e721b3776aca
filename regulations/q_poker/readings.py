"""How 89/2004 is read where it is silent, ambiguous or contradicts itself."""

from typing import Final

from regulations.readings import Reading

READINGS: Final[tuple[Reading, ...]] = (
    Reading(
        id="Q1",
        says="The croupier plays with a pair or better, or with a queen or higher as the highest card.",
        doubt=(
            "9.º-4 lets a hand play of a value equal to or above a queen («igual ou superior a uma Dama»), and "
            "a hand is no card."
        ),
        why=(
            "Hands rank by 8.º: every pair is above any three odd cards, and among those the highest card decides. "
            "What reaches the lowest hand with a queen is worth a queen or more."
        ),
        example="Q-3-2 of three suits plays, J-T-8 does not, a pair of twos and 4-3-2 do.",
    ),
    Reading(
        id="Q2",
        says="If the croupier does not play, an ante that was played has its stake back and half of it besides.",
        doubt="By 9.º-5 the players receive half of their wager («recebem metade do valor da importância apostada»).",
        why=(
            "To receive half of one's own stake back would be a loss, the same as to give up (9.º-3), for those who "
            "stayed in. Who gave up has lost half already and gets nothing from it."
        ),
        example="Ante 100, the croupier has jack high: net +50; folded: -50.",
    ),
    Reading(
        id="Q3",
        says="A-2-3 is the lowest sequence, below 4-3-2, and its top card is the three. K-A-2 is none.",
        doubt="4.º-3 lists it last, as «Ás, 2,3», while 4.º-2 has the ace highest.",
        why="The list of 4.º-3 is in falling order, and what it does not list is no sequence.",
        example="4-3-2 beats A-2-3.",
    ),
    Reading(
        id="Q4",
        says=(
            "Of straights, and of straight flushes, with the same top rank the suit of the top card decides; of "
            "flushes the ranks downwards, then the suit."
        ),
        doubt="8.º-3 has the higher suit win («o maior naipe») and does not say which card's, of three.",
        why="The top card has decided so far, so its suit decides where its rank does not; 8.º-6 says so of odd cards.",
        example="9S-8D-7D beats 9H-8S-7S.",
    ),
    Reading(
        id="Q5",
        says=(
            "Of equal pairs the rank of the odd card decides, then its suit; of odd cards the ranks downwards, then "
            "the suit of the highest."
        ),
        doubt=(
            "8.º-6 compares three cards of equal rank in all hands («as três cartas de todas as «mãos»») by one card's "
            "suit, 8.º-5 pairs by that of «a carta diferente»."
        ),
        why="That is what the articles say; the reading only fixes that the suit comes last.",
        example="9S-9C-5H beats 9H-9D-5D.",
    ),
    Reading(
        id="Q6",
        says="One deck, and one round of it: after each round the cards are shuffled again.",
        doubt=(
            "1.º-1 says one deck or more («um baralho ou mais»); the Chinese text says one. 3.º has the cards "
            "shuffled and does not say how often."
        ),
        why=(
            "Where the texts differ the stricter holds (reading G6). Only from one deck are two hands never "
            "equal, and 8.º has no rule for equal ones. The cut card lies behind all cards (3.º-1), so "
            "nothing announces a last round: each is."
        ),
    ),
    Reading(
        id="Q9",
        says="Each wager decides for itself: those of several bettors on a hand, and both wagers of one bettor.",
        doubt="6.º-1 lets several players wager on one hand and does not say who of them decides.",
        why="9.º-3 speaks of each player's decision about their own wager, which no other player can take for them.",
        example="Two antes on seat 1: one is played, the other folded and loses half.",
    ),
    Reading(
        id="Q10",
        says=(
            "Cards in a wrong order, or a wrong number of them in a hand: the round is void, without repair. "
            "Cards that went to a place without a wager are burned and play goes on, if they were the last of "
            "the round so far; if they shifted the order of the hands after them, the round is void."
        ),
        doubt=(
            "11.º-1 voids a round dealt in a wrong sequence («numa sequência incorrecta»); by 11.º-4 cards "
            "dealt to a hand without a wager leave the round valid, though they may shift the cards of all "
            "hands after it."
        ),
        why=(
            "As long as nobody has a card that another should have had, the sequence is not wrong yet. Once a "
            "later hand has one, 11.º-1 holds."
        ),
        example=(
            "The third card goes to the empty seat 3 and is noticed at once: it is burned, and the fourth "
            "goes to seat 4."
        ),
    ),
    Reading(
        id="Q11",
        says=(
            "A player's card that is seen changes nothing. A card of the croupier's seen before that hand is "
            "due to be opened voids the round; a wager on a pair that was settled by then is reversed "
            "(reading G3)."
        ),
        doubt=(
            "11.º-2 speaks of cards seen while they are dealt, 11.º-3 of the croupier's without saying until "
            "when, and of all wagers («todas as apostas»)."
        ),
        why=(
            "Whoever knows a card of the croupier's can decide by it until the last decision is taken. "
            "«Todas» excepts no wager that was paid before."
        ),
    ),
    Reading(
        id="Q12",
        says=(
            "A device that fails, or is lost, while cards are being dealt: the round is void, and another shuffler or "
            "a shoe is used. Before the first card and after the last one it may be continued from."
        ),
        doubt="11.º-5 speaks of a bad working of the shuffler («mau funcionamento») during the deal, and of no shoe.",
        why="No other device can complete a deal that stopped half-way, from a shoe no more than from a shuffler.",
    ),
)
