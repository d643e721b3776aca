"""Readings: decisions where a regulation is silent, ambiguous or contradictory, cited as ``reading B11``."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One reading, in our words; an empty ``doubt`` marks a mere convention."""

    id: str
    says: str
    doubt: str = ""
    why: str = ""
    example: str = ""

    @property
    def cited(self) -> str:
        """As the log cites it: ``reading B11``."""
        return f"reading {self.id}"


COMMON: Final[tuple[Reading, ...]] = (
    Reading(
        id="G1",
        says="Odds are net: what is won comes on top of the stake, which goes back.",
        doubt=(
            "The texts write prizes as «11 para 1», «3 por 1» or «uma vez a importância da aposta» and do not "
            "say whether the stake is part of it."
        ),
        why=(
            "Every table of the regulations speaks of what is won; a stake that was not lost is the "
            'bettor\'s own. Read otherwise, "1 para 1" would pay nothing.'
        ),
        example="100 on a tie at 8 to 1: 800 are won and the 100 go back, net +800.",
    ),
    Reading(
        id="G2",
        says=(
            "Money is whole minor units. Halves and 5 % are exact; what is less than a unit is rounded "
            "half-even, once per wager, and the settlement says how much."
        ),
        doubt="No text says how half a unit, or 5 % of a small win, is rounded.",
        why=(
            "Half-even favours neither house nor bettor in the long run, and one rounding per wager can "
            "be checked by anybody from the log alone."
        ),
        example="5 % of a win of 10 minor units is 0.5: the net of 9.5 is written as 10, the residue as -1/2.",
    ),
    Reading(
        id="G3",
        says=(
            "A void round undoes all of itself: every stake put down in it goes back, every settlement in it is "
            "reversed, paid special prizes and side wagers included; wagers carried into it remain. Its cards go "
            "to the discard rack; a shuffler-dealer gets them back as after any round."
        ),
        doubt=(
            "The texts call a round void («nulo», «nula»), 89/2004 art. 11.º calls all its wagers so («todas "
            "as apostas são consideradas nulas»), and 56/2004 art. 5.º-1(2) cancels all its cards; none says "
            "what becomes of a wager that was paid before."
        ),
        why=(
            "«Todas as apostas» knows no exception, and a wager whose cards are cancelled has nothing left "
            "that decided it. Cards that were seen must not come back into the stack."
        ),
        example=(
            "Q poker: a pair was paid 1 to 1, then the croupier's card is seen: the win is reversed and the "
            "stake goes back."
        ),
    ),
    Reading(
        id="G4",
        says=(
            "Another value than the regulation's first alternative needs an authorisation of the DICJ, "
            "asked for three working days of Macau before it takes effect. The profile carries it; "
            "without it the table does not open. Options never change inside a log. Demonstrations need it too; a list "
            "that adds only what is always possible (`keep`) is the first alternative."
        ),
        doubt=(
            "55/2004 art. 19.º submits the choice of options to an authorisation «solicitada com uma "
            "antecedência de três dias úteis» and does not say how the days are counted."
        ),
        why=(
            "Every other value is a choice. Days are working days of Macau, Saturdays and public and government "
            "holidays excluded, as the authority itself works."
        ),
    ),
    Reading(
        id="G4a",
        says="The first alternative of an option counts as determined by the regulation: it needs no authorisation.",
        doubt="Art. 19.º leaves open whether the alternative that the text names first is a choice of the house.",
        why="A house that changes nothing has chosen nothing, and the regulation must be able to apply unchanged.",
    ),
    Reading(
        id="G4b",
        says=("Art. 19.º names art. 7.º, whose alternative is the shuffler-dealer: that needs an authorisation too."),
        doubt="Art. 19.º names art. 7.º, which has no list of alternatives.",
        why=("The only alternative in 7.º is the shuffler-dealer of 7.º-2; read otherwise the mention would be empty."),
    ),
    Reading(
        id="G5",
        says=("Options that art. 19.º does not name need no authorisation; profile and log have them too."),
    ),
    Reading(
        id="G6",
        says="Where the Portuguese and the Chinese text differ, both are kept: the stricter one holds.",
        doubt="The texts are published in Chinese and Portuguese, both authentic, and differ in places.",
        why="A table that satisfies the stricter of two satisfies both.",
    ),
    Reading(
        id="G7",
        says=(
            "Reports of the equipment cannot be refused: a drawn card that is not due becomes an irregularity "
            "that blocks the table until a person resolves it. A card of a permit in force that is reported while "
            "a device is lost or at fault waits; after `continue` it lies where it was due. A person's request "
            "can be refused, and then nothing changes. The croupier may hold the deal for a dispute: that blocks "
            "the table in the same way, until two persons have settled it."
        ),
        doubt=(
            "The texts forbid acts (to take a card too many, to deal after the last round) and do not say "
            "what a machine does when they happen all the same."
        ),
        why=(
            "A card that is out cannot be put back unseen; only people can settle what follows. A permitted card "
            "is no extra card because its report is late: if it were burned, each hand would get another card "
            "than by the order of the shoe. A request in words can simply be refused."
        ),
    ),
    Reading(
        id="G8",
        says=(
            "No output shows a face-down card or the cards that are left. Against a typed card only open copies "
            "count as out."
        ),
        doubt="The texts deal cards face down and say nothing of machines that know them.",
        why=(
            "A hidden card that is known can be bet on. So no output, log, metric or prompt may visibly depend on it."
        ),
    ),
    Reading(
        id="G9",
        says=(
            "The cards that came out are counted against the decks. A copy too many, an unread card, a "
            "gap in the device's own count, or a wrong number left at the end is an irregularity."
        ),
    ),
    Reading(
        id="G12",
        says=(
            "A round is void only on a ground, which two people confirm: a deal that cannot be corrected, in q "
            "poker a card of the croupier's that was seen, a malfunction of the equipment, a stack that runs out "
            "where a card is due, or bets closed by mistake before any card. Once the result is out, only an "
            "irregularity that was open before it, or a refused correction of which cards count, leads there; a "
            "refused rename (reading G18) does not. A void closes the irregularities that it resolves, and no others."
        ),
        doubt=(
            "Each text voids a round for its own reasons; 89/2004 art. 11.º-5 alone speaks of a malfunction, and "
            "none of a stack that runs out or of bets closed by mistake."
        ),
        why=(
            "A round that could be void at any time, also after its result, would be an option of the house. A "
            "cause that stops the deal in one game stops it in the others. Before any card nothing is known, so "
            "the bets may be taken back."
        ),
        example=(
            "The result is 9 against 7: a void is refused, unless an irregularity about an undue card was open "
            "before it."
        ),
    ),
    Reading(
        id="G13",
        says=(
            "A void round does not move the end of the shoe game: the cut card counts in the round in which it "
            "came, was missed, or came too early and was not set aside. Ending the shoe game undoes an open round "
            "only where `void` also resolves the same irregularity; elsewhere the round is finished and is the "
            "last. After a device's fault or loss the next round waits until the fault is cleared, void or not; "
            "or two persons end the shoe game, and the device counts as absent until its next report."
        ),
        doubt="No text says whether a void round counts as a round, nor when play continues after a malfunction.",
        why=(
            "Else a round could be voided to deal one more behind the cut card, or a shoe game ended to undo a "
            "result. A device that failed deals no cards that anybody could trust."
        ),
        example="The cut card is missing and the result is out: two persons end the shoe game, and the result stands.",
    ),
    Reading(
        id="G14",
        says="Each card that leaves the shoe is reported as dealt or burned, once, before the table closes.",
        doubt="The texts do not say what becomes of a card without a place when a round is void or the table closes.",
        why="A card without a report could be anywhere: in the stack again, or in a hand.",
    ),
    Reading(
        id="G16",
        says=(
            "A cut card is expected, and has its effect, at every depth that `cut_card_behind` allows and up to four "
            "cards (casino war: six) outside that range, but never with more than half the stack behind it. The depth "
            "found is recorded beside the declared one and blocks nothing. Outside the wider range two people decide "
            "that it counts or is set aside. With fewer cards left than the range's least it is missing: it then "
            "counts where it was declared, and a card that comes later is only recorded. The one more round is played "
            "only with enough cards left for any round."
        ),
        doubt=(
            "The texts place the cut card approximately («aproximadamente») and attach the effect to its appearance "
            "(«o aparecimento da carta branca»); they do not say how far the two can differ."
        ),
        why=(
            "A hand puts it a few cards off in nearly every stack. A table that stopped each time would teach people "
            "to approve without checking. Far outside the range the stack itself is in doubt."
        ),
        example="Declared 14, found with 15 behind it: the round is the last, and the log has both numbers.",
    ),
    Reading(
        id="G18",
        says=(
            "A card that a device has read can be renamed only as `misread`, and only one such card in a round. "
            "It cannot be struck as never drawn, and no card is inserted where a counting device shows no gap. "
            "After the result one of the two people is a supervisor where persons are listed, the log marks it for "
            "surveillance, and a name by which another number of cards would have been due is refused. That refusal "
            "opens no void; a dispute remains."
        ),
        doubt="The texts have errors corrected and do not say against which evidence.",
        why=(
            "Two people who name two cards can exchange them, and so choose the winner; who can make a decided round "
            "undecided can void it. The device is the only witness without a stake."
        ),
        example=("7 against 9 by cards that the shoe read: two people cannot rename the first 9D and the second 7H."),
    ),
    Reading(
        id="G19",
        says=(
            "While a device that reads the cards which it deals works, by the log, a card that a person enters "
            "counts only if two people accept it; they can strike it as one that never left. The log marks it. So "
            "too a cut card, where the device reports it. Where the device is absent, lost, at fault or reads "
            "nothing, one person enters cards. A `device_disagrees` needs two people to continue."
        ),
        doubt="The texts know no device that reads cards.",
        why=(
            "One person could otherwise enter a whole round that was never dealt, or overrule the only witness without "
            "a stake in it."
        ),
        example="Four cards are typed beside a working shoe: none of them lies until two people have accepted it.",
    ),
    Reading(
        id="G10",
        says="Seats are numbered from 1 at the croupier's left, clockwise.",
    ),
    Reading(
        id="G11",
        says=(
            "A correction exchanges no cards: the order in which they left the shoe decides who has which. Two "
            "persons say only which cards of the round do not count, or what a card really is; the round is then "
            "replayed as if it had been dealt so from its start. Outputs that no longer hold are reversed and "
            "issued again, each wager settled once. A decision holds if the same hand has the same cards at that "
            "decision; if one no longer fits, the round can only be void."
        ),
        doubt=(
            "The texts have an error put right («atribuindo-se a carta ou cartas ao jogador a quem elas "
            "deveriam caber») and do not say by what the right place is known, nor what becomes of what was "
            "decided on the wrong cards."
        ),
        why=(
            "The order of the shoe is the only one that cannot be influenced; a person who could choose the order "
            "could choose the winner. A card burned by rule or by persons was seen and does not come back. Nor "
            "does one that persons hold for the next round although this one had a place for it: it left while "
            "the deal was blocked."
        ),
        example=(
            "Seat 1 got the card of seat 2: each gets the one that its turn in the order gives it, and what "
            "they lost or won on the other is reversed."
        ),
    ),
    Reading(
        id="G15",
        says=(
            "Where a rule is ours and not the text's, an upper bound, a form that the table log needs, when bets "
            "end, who corrects them, in which order seats decide and hands are turned, whether a table records "
            "stakes, or its limits, it is cited as a reading. A house ends a shoe game early under the text that "
            "lets it, elsewhere under this reading; always for a reason of the list, or another in words, and by "
            "two people where its profile says `shoe_ended_by = two`. The log keeps reason and people."
        ),
        doubt=(
            "56/2004 art. 2.º-2(2) and 22/96/M art. 3.º-1 let the house shuffle after any round; 55/2004 art. "
            "3.º-2 speaks of the end of a shoe game («no final de cada partida») only, 74/2005 and 89/2004 do "
            "not speak of it at all."
        ),
        why=(
            "A citation must not send a reader to an article without such a sentence. A shoe game must be able to "
            "end before its cut card, for worn cards or an empty table, and who ends it must say why."
        ),
        example="`shoe_ended` with the reason `other` and no words is refused in every game.",
    ),
    Reading(
        id="G17",
        says=(
            "The order in which cards left decides, never the order of reports. A card that leaves behind an "
            "unresolved one waits for it; during a dispute, a misdeal or a fault without a permit it is not due. "
            "Irregularities are resolved from the earliest card on; one without a card follows the last card that "
            "was out when it opened. After each resolution the round is as if dealt so from the start: a correction "
            "that names nothing new changes nothing."
        ),
        doubt="No text says what becomes of a card that leaves while another one is still to be named or judged.",
        why=(
            "Persons and devices can influence when a card is reported, read, named or resolved, but not the "
            "order in which it left. A card that was held though it was due gave its place to the next one, and "
            "takes it if that one does not count."
        ),
        example=(
            "The third card cannot be read, and a fourth leaves: once two persons have named the third, the fourth "
            "lies behind it."
        ),
    ),
)
