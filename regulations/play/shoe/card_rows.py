"""Cards and the cut card as they come out of the equipment."""

from typing import Final

from regulations.law.game_law import GameLaw, ShoeArticles
from regulations.law.rows import Row, irregular, move, others, take
from regulations.play.shoe.cut_card import CutCards
from regulations.play.shoe.devices import Devices
from regulations.play.shoe.game import ShoeGame
from regulations.play.shoe.states import ALL, BEFORE_STACK, IN_ROUNDS
from regulations.play.shoe.states import ShoeState as S

G9 = "reading G9"
G16 = "reading G16"
G19 = "reading G19"
BY_HAND: Final = "a card was entered by hand, and the device that deals is well"
LATER_ALSO: Final = ("reading G11", "reading G13")


def card_rows(law: GameLaw) -> tuple[Row, ...]:
    """The rules for a card; where no round is open, the shoe game itself answers."""
    articles = law.articles
    return (
        *_initial_burn(articles),
        take("card", IN_ROUNDS, articles.deal, do=ShoeGame.card_to_round),
        irregular(
            "card",
            (*BEFORE_STACK, S.CLOSED),
            "card_not_due",
            articles.undue_card,
            "no card is due before the stack is loaded",
        ),
        *_return(articles),
        irregular("card", S.OVER, "card_after_last_round", _end_of(law), "the shoe game is over"),
        irregular(
            "card_while_blocked", ALL, "card_not_due", "reading G7", "a card came out while an irregularity is open"
        ),
        take("entered_card", ALL, "reading G7"),
        irregular("card_by_hand", ALL, "card_by_hand", G19, BY_HAND),
        irregular("unread_card", ALL, "unread_card", G9, "the card that is due could not be read"),
        irregular("surplus_card", ALL, "surplus_card", G9, "more copies of this card are out than the decks hold"),
        irregular("count_gap", ALL, "count_gap", G9, "the device counted cards that nobody reported"),
        irregular("count_backwards", ALL, "wrong_stack_count", G9, "the device's own count went back"),
        irregular("stack_exhausted", ALL, "stack_exhausted", G9, "a card is due and none is left"),
        *_cut_card(law),
    )


def _initial_burn(articles: ShoeArticles) -> tuple[Row, ...]:
    if not articles.initial_burn:
        return ()
    rows = (
        take("card", S.BURN, articles.initial_burn, when=ShoeGame.more_to_burn, do=ShoeGame.burn_initial),
        move(
            "card",
            S.BURN,
            S.ROUNDS,
            articles.initial_burn,
            when=CutCards.waits_for_burn,
            do=(ShoeGame.burn_initial, CutCards.bring_in),
            also=G16,
        ),
        move("card", S.BURN, S.ROUNDS, articles.initial_burn, do=ShoeGame.burn_initial),
    )
    if not articles.burn_count_shown:
        return rows
    shown = take(
        "card",
        S.BURN,
        articles.burn_count_shown,
        when=ShoeGame.count_fixing_card,
        do=(ShoeGame.burn_shown, ShoeGame.fix_burn_count),
        also=(articles.burn_count, articles.initial_burn),
    )
    return (shown, *rows)


def _end_of(law: GameLaw) -> str:
    """The article by which a shoe game is over: after its one round, or by the cut card."""
    one_round = all(one.one_round_to for one in law.equipment.values())
    return law.articles.one_round if one_round else law.articles.cut_card


def _return(articles: ShoeArticles) -> tuple[Row, ...]:
    if not articles.cards_returned:
        return ()
    says = "the cards of the round are to be returned first"
    return (irregular("card", S.RETURN, "card_not_due", articles.cards_returned, says),)


def _cut_card(law: GameLaw) -> tuple[Row, ...]:
    says = "the cut card was entered by hand, and the device that deals is well"
    doubt = CutCards.note_unexpected
    rows = [irregular("cut_card", ALL, "card_by_hand", G19, says, when=Devices.reports_cut_card, do=doubt)]
    _, most_behind = law.cut_card_behind
    if most_behind:
        # Behind a cut card that lies last no card can come out before it.
        rows.append(take("cut_card", ALL, G16, when=CutCards.missed_before, do=CutCards.note_late))
        says = "fewer cards are left than lie behind the cut card"
        rows.append(irregular("cut_card_missing", ALL, "cut_card_missing", G16, says, do=CutCards.note_missed))
    if law.articles.direct:
        none, says = law.articles.direct_cut_card or law.articles.direct, "no cut card lies in a shuffler-dealer"
        rows.append(irregular("cut_card", ALL, "cut_card_not_due", none, says, when=ShoeGame.is_direct, do=doubt))
    says, counts, undue = "no cut card can come out here", (S.ROUNDS, S.LAST), CutCards.cut_card_undue
    rows.append(irregular("cut_card", counts, "cut_card_not_due", G16, says, when=undue, do=doubt))
    rows += _last_round(law)
    # Persons have ended the shoe game with this round already: it says no more.
    rows.append(take("cut_card", S.LAST, "reading G13", do=CutCards.take))
    rows.append(irregular("cut_card", others(ALL, *counts), "cut_card_not_due", G16, says, do=doubt))
    return tuple(rows)


def _last_round(law: GameLaw) -> tuple[Row, ...]:
    """The open or coming round is the last."""
    articles = law.articles
    end, last = articles.cut_card_end, (CutCards.take, ShoeGame.say_last_round)
    if all(one.one_round_to for one in law.equipment.values()):
        return (move("cut_card", S.ROUNDS, S.LAST, articles.cut_card, do=CutCards.take, also=end),)
    rows: list[Row] = []
    if end != articles.cut_card:
        # Where one article speaks of a cut card in mid-round and between rounds, one row below does too.
        rows.append(
            move(
                "cut_card",
                S.ROUNDS,
                S.LAST,
                articles.cut_card,
                when=(CutCards.in_mid_round, *((ShoeGame.ends_with_round,) if articles.cut_card_one_more else ())),
                do=last,
                also=end,
            )
        )
    if articles.cut_card_one_more:
        rows.append(
            move(
                "cut_card",
                S.ROUNDS,
                S.ONE_MORE,
                articles.cut_card_one_more,
                when=CutCards.in_mid_round,
                do=CutCards.take,
                also=articles.cut_card,
            )
        )
    rows += (
        move("cut_card", S.ROUNDS, S.NEXT_LAST, end, when=CutCards.result_is_out, do=last, also=articles.cut_card),
        move("cut_card", S.ROUNDS, S.LAST, end, do=last, also=articles.cut_card),
        move(
            "cut_card_earlier",
            S.NEXT_LAST,
            S.LAST,
            articles.cut_card,
            when=(ShoeGame.ends_with_round,) if articles.cut_card_one_more else (),
            also="reading G11",
        ),
    )
    if law.cards_vary:
        rows.append(take("cut_card_later", S.LAST, articles.house_end, when=ShoeGame.house_ends, also=LATER_ALSO))
        rows.append(move("cut_card_later", S.LAST, S.NEXT_LAST, end, also="reading G11"))
    if articles.cut_card_one_more:
        first = "cut_card_first"
        rows.append(move(first, S.ONE_MORE, S.LAST, end, do=ShoeGame.say_last_round, also="reading G11"))
        rows.append(move(first, S.NEXT_LAST, S.LAST, end, also="reading G11"))
        # It came before anybody knew that the card before it is the round's first.
        within, more, may = "cut_card_within", articles.cut_card_one_more, ShoeGame.one_more_may_follow
        rows.append(move(within, S.LAST, S.ONE_MORE, more, when=may, do=ShoeGame.say_one_more, also="reading G17"))
        rows.append(take(within, S.LAST, articles.cut_card, also="reading G17"))
        # Before the result and after it the cut card means the same: one more round.
        rows.append(take("cut_card_earlier", S.NEXT_LAST, articles.cut_card_one_more, also="reading G11"))
    return tuple(rows)
