"""How 89/2004 is read where it is silent, ambiguous or contradicts itself."""

from typing import Final

from regulations.law.readings import Reading

READINGS: Final[tuple[Reading, ...]] = (
    Reading(
        id="Q1",
        says="The croupier plays with a pair or better, or with a queen or higher as the highest card.",
        doubt=(
            "9.º-4 lets a hand play of a value equal to or above a queen («igual ou superior a uma Dama»), and "
            "a hand is no card."
        ),
        why=(
            "Hands rank by 8.º: every pair is above any three odd cards, and among those the highest card "
            "decides. A hand that reaches the lowest hand with a queen is worth a queen or more."
        ),
        example="Q-3-2 of three suits plays, J-T-8 does not, a pair of twos and 4-3-2 do.",
    ),
    Reading(
        id="Q2",
        says="If the croupier does not play, an ante that was played has its stake back and half of it besides.",
        doubt="By 9.º-5 the players receive half of their wager («recebem metade do valor da importância apostada»).",
        why=(
            "To receive half of one's own stake back would be a loss, the same as to give up (9.º-3), for those "
            "who stayed in. A bettor who gave up has lost half already and gets nothing from it."
        ),
        example="Ante 100, the croupier has jack high: net +50; folded: -50.",
    ),
    Reading(
        id="Q3",
        says="A-2-3 is the lowest sequence, below 4-3-2, and its top card is the three. K-A-2 is no sequence.",
        doubt="4.º-3 lists it last, as «Ás, 2,3», while 4.º-2 has the ace highest.",
        why="The list of 4.º-3 is in falling order, and what it does not list is no sequence.",
        example="4-3-2 beats A-2-3.",
    ),
    Reading(
        id="Q4",
        says=(
            "Between straights, and straight flushes, of the same top rank the suit of the top card decides; "
            "between flushes the ranks downwards, then the suit."
        ),
        doubt="8.º-3 has the higher suit win («o maior naipe») and does not say which card's, of three.",
        why="The top card has decided so far, so its suit decides where its rank does not; 8.º-6 says so of odd cards.",
        example="9S-8D-7D beats 9H-8S-7S.",
    ),
    Reading(
        id="Q5",
        says=(
            "Between equal pairs the rank of the odd card decides, then its suit; between odd cards the ranks "
            "downwards, then the suit of the highest."
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
            "Cards in a wrong order, or a wrong number of them in a hand: the round is void, without repair. A card "
            "that a device could not read is neither, once two people have named it. A hand that was dealt to a place "
            "without a wager is null: its cards are burned, one of each pass or the whole packet. Every other hand "
            "keeps the cards at its place, and play continues, if this is noticed before the croupier's hand is "
            "opened. Decisions stand by seat. `reassign` also resolves a card that was not due. A false alarm closes."
        ),
        doubt=(
            "11.º-1 voids a round dealt in a wrong sequence («numa sequência incorrecta»); by 11.º-4 cards "
            "dealt to a hand without a wager leave the round valid («o jogo prossegue»), though the hands after it "
            "then have other cards than the dealing order gives them."
        ),
        why=(
            "11.º-4 is the special rule and says nothing of when the hand is noticed. Dealing order and number of "
            "cards of the hands with a wager are right once the null hand is taken out. Only one card of a pass at "
            "one place, or one packet, can have gone to such a place; any other cards are a wrong sequence (11.º-1)."
        ),
        example=(
            "Seats 1 and 3 have wagers, and seat 2 is dealt three cards as well: the 2nd, 6th and 10th card are "
            "burned, seat 3 has the 3rd, 7th and 11th."
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
            "A bettor who knows a card of the croupier's can decide by it until the last decision. «Todas» "
            "excepts no wager that was paid before."
        ),
    ),
    Reading(
        id="Q12",
        says=(
            "A shuffler that fails, or is lost, while cards are dealt from it: the round is void, and another shuffler "
            "or a shoe is used. After a fault or loss of a shoe that reads, the deal continues, or two people void the "
            "round (reading G12). A frame that is not understood is no malfunction: the deal continues. A cut that is "
            "not needed is accepted."
        ),
        doubt=(
            "11.º-5 speaks of a bad working of the shuffler («mau funcionamento») during the deal, and of no shoe; "
            "3.º-2 says that after a shuffler a cut is not needed («não sendo necessário»), not that it is forbidden."
        ),
        why="From a shoe the croupier draws by hand: its cards keep their order while it cannot read them.",
    ),
)
