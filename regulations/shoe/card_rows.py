"""Cards and the cut card as they come out of the equipment."""

from regulations.law import ShoeArticles
from regulations.rows import Row, irregular, move, take
from regulations.shoe.states import ALL, BEFORE_STACK, IN_ROUNDS
from regulations.shoe.states import ShoeState as S


def card_rows(law: ShoeArticles) -> tuple[Row, ...]:
    """What becomes of a card; where no round is open, the shoe game itself answers."""
    return (
        take(
            "card",
            S.BURN,
            law.burn_count_shown,
            when="count_fixing_card",
            do=("burn_shown", "fix_burn_count"),
            also=(law.burn_count, law.initial_burn),
        ),
        take("card", S.BURN, law.initial_burn, when="more_to_burn", do="burn_initial"),
        move("card", S.BURN, S.ROUNDS, law.initial_burn, do="burn_initial"),
        take("card", IN_ROUNDS, law.deal, do="card_to_round"),
        irregular(
            "card",
            (*BEFORE_STACK, S.CLOSED),
            "card_not_due",
            law.undue_card,
            "no card is due before the stack is loaded",
        ),
        irregular(
            "card", S.RETURN, "card_not_due", law.cards_returned, "the cards of the round are to be returned first"
        ),
        irregular("card", S.OVER, "card_after_last_round", law.cut_card, "the shoe game is over"),
        irregular(
            "card_while_blocked", ALL, "card_not_due", "reading G7", "a card came out while an irregularity is open"
        ),
        irregular("unread_card", ALL, "unread_card", "reading G9", "the card that is due could not be read"),
        irregular(
            "surplus_card", ALL, "surplus_card", "reading G9", "more copies of this card are out than the decks hold"
        ),
        irregular("count_gap", ALL, "count_gap", "reading G9", "the device counted cards that nobody reported"),
        irregular("count_backwards", ALL, "wrong_stack_count", "reading G9", "the device's own count went back"),
        irregular("stack_exhausted", ALL, "stack_exhausted", "reading G9", "a card is due and none is left"),
        *_cut_card(law),
    )


def _cut_card(law: ShoeArticles) -> tuple[Row, ...]:
    last = ("take_cut_card", "say_last_round")
    return (
        move(
            "cut_card",
            S.ROUNDS,
            S.LAST,
            law.cut_card,
            when=("cut_card_due", "in_mid_round", "ends_with_round"),
            do=last,
            also=law.cut_card_end,
        ),
        move(
            "cut_card",
            S.ROUNDS,
            S.ONE_MORE,
            law.cut_card_one_more,
            when=("cut_card_due", "in_mid_round"),
            do="take_cut_card",
            also=law.cut_card,
        ),
        move(
            "cut_card",
            S.ROUNDS,
            S.NEXT_LAST,
            law.cut_card_end,
            when=("cut_card_due", "result_is_out"),
            do=last,
            also=law.cut_card,
        ),
        move("cut_card", S.ROUNDS, S.LAST, law.cut_card_end, when="cut_card_due", do=last, also=law.cut_card),
        irregular("cut_card", ALL, "cut_card_not_due", law.cut_card_depth, "no cut card can come out here"),
        irregular(
            "cut_card_missing",
            ALL,
            "cut_card_missing",
            law.cut_card_depth,
            "more cards came out than lay before the cut card",
        ),
    )
