"""Rounds inside the shoe game: what only they can answer, what follows when one is over, how the shoe game ends."""

from typing import Final

from regulations.law.game_law import GameLaw, ShoeArticles
from regulations.law.rows import Row, irregular, move, others, refuse, take
from regulations.play.shoe.devices import Devices
from regulations.play.shoe.game import ShoeGame
from regulations.play.shoe.stack_rows import not_prepared
from regulations.play.shoe.states import ALL, BEFORE_STACK, IN_ROUNDS, RUNNING
from regulations.play.shoe.states import ShoeState as S

OPENS_A_ROUND: Final = ("bets_closed", "demonstration")
IN_A_ROUND: Final = (
    *("bets_corrected", "revealed", "round_closed", "misdeal", "void", "decision", "exposed", "bettor_left"),
)
FROM_A_DEVICE: Final = ("device_result", "round_partial")
G16: Final = "reading G16"
FIRST_RETURN: Final = "the cards of the round are to be returned first"


def round_rows(law: GameLaw) -> tuple[Row, ...]:
    """Requests and reports about rounds, and what follows a round."""
    articles = law.articles
    to_round = (*OPENS_A_ROUND, *IN_A_ROUND, *FROM_A_DEVICE)
    not_between = others(ALL, *IN_ROUNDS)
    waits = "the device is to be well first; or two persons end the shoe game"
    return (
        *(
            refuse(trigger, IN_ROUNDS, "not_now", "reading G13", waits, when=Devices.device_awaited)
            for trigger in OPENS_A_ROUND
        ),
        *(take(trigger, IN_ROUNDS, articles.deal, do=ShoeGame.to_round) for trigger in to_round),
        *(
            refuse(trigger, S.BURN, "burn_missing", articles.initial_burn, "the initial burn is not complete")
            for trigger in OPENS_A_ROUND
            if articles.initial_burn
        ),
        *(
            refuse(trigger, S.RETURN, "not_now", articles.cards_returned, FIRST_RETURN)
            for trigger in OPENS_A_ROUND
            if articles.cards_returned
        ),
        *(
            row
            for trigger in OPENS_A_ROUND
            for row in not_prepared(articles, trigger, not_between, "no round can begin now")
        ),
        *(
            refuse(trigger, not_between, "not_now", _about(trigger, articles), "no round is open")
            for trigger in IN_A_ROUND
        ),
        *_after_a_round(law),
        *_return(articles),
        *_ending(law),
    )


def _about(trigger: str, articles: ShoeArticles) -> str:
    if trigger in {"misdeal", "void"}:
        return articles.misdeal
    if trigger == "bettor_left":
        return articles.bettor_left
    return articles.face_up if trigger == "exposed" else articles.deal


def _after_a_round(law: GameLaw) -> tuple[Row, ...]:
    articles = law.articles
    one_round = all(one.one_round_to for one in law.equipment.values())
    rows = [move("round_over", S.LAST, S.OVER, articles.house_end, when=ShoeGame.house_ends, do=ShoeGame.end_shoe_game)]
    if articles.cards_returned:
        rows.append(move("round_over", IN_ROUNDS, S.RETURN, articles.cards_returned, when=ShoeGame.is_direct))
    if articles.cut_card_one_more:
        more = articles.cut_card_one_more
        enough = ShoeGame.enough_for_one_more
        rows += (
            move("round_over", S.ONE_MORE, S.LAST, more, when=enough, do=ShoeGame.say_last_round, also=G16),
            move("round_over", S.ONE_MORE, S.OVER, G16, do=ShoeGame.end_shoe_game, also=articles.cut_card),
        )
    if articles.one_round:
        guard = () if one_round else (ShoeGame.serves_one_round,)
        if articles.one_round_shoe:
            shoe = (ShoeGame.serves_one_round, ShoeGame.by_shoe)
            rows.append(
                move("round_over", IN_ROUNDS, S.OVER, articles.one_round_shoe, when=shoe, do=ShoeGame.end_shoe_game)
            )
        rows.append(move("round_over", IN_ROUNDS, S.OVER, articles.one_round, when=guard, do=ShoeGame.end_shoe_game))
    if not one_round:
        left = () if articles.too_few_cards else ShoeGame.cards_left
        rows.append(move("round_over", S.NEXT_LAST, S.LAST, articles.cut_card_end, when=left))
        rows.append(take("round_over", S.ROUNDS, articles.deal, when=left))
        rows.append(move("round_over", IN_ROUNDS, S.OVER, articles.cut_card, do=ShoeGame.end_shoe_game))
    return tuple(rows)


def _return(articles: ShoeArticles) -> tuple[Row, ...]:
    returned = articles.cards_returned
    says = "cards are returned to a shuffler-dealer after each round"
    if not returned:
        return (refuse("cards_returned", ALL, "not_now", articles.equipment, says),)
    back = ShoeGame.put_cards_back
    return (
        irregular(
            "cards_returned",
            S.RETURN,
            "wrong_stack_count",
            "reading G9",
            "the device counted another number of returned cards than came out",
            dest=S.ROUNDS,
            when=(ShoeGame.counted_by_device, ShoeGame.others_returned),
            do=back,
        ),
        refuse(
            "cards_returned",
            S.RETURN,
            "cards_missing",
            returned,
            "all cards that came out go back, burned ones included",
            when=ShoeGame.others_returned,
        ),
        move("cards_returned", S.RETURN, S.ROUNDS, returned, do=back),
        refuse("cards_returned", others(ALL, S.RETURN), "not_now", returned, says),
    )


def _early_end() -> tuple[Row, ...]:
    """A house that ends a shoe game early gives a reason; with two people where its profile asks for them."""
    between, ours = ShoeGame.between_rounds, "reading G15"
    words, people = "give the reason `other` in words, in `detail`", "two different people end the shoe game early"
    return (
        refuse("shoe_ended", IN_ROUNDS, "not_allowed", ours, words, when=(between, ShoeGame.reason_missing)),
        refuse(
            "shoe_ended", IN_ROUNDS, "two_persons_needed", ours, people, when=(between, ShoeGame.end_persons_missing)
        ),
    )


def _too_few_cards(few: str) -> tuple[Row, ...]:
    """The cards left suffice for no round, or not for all seats."""
    if not few:
        return ()
    when, over = (ShoeGame.between_rounds, ShoeGame.too_few_given), ShoeGame.end_shoe_game
    says = "the cards left suffice for every seat"
    return (
        move("too_few_cards", IN_ROUNDS, S.OVER, few, do=over),
        refuse("shoe_ended", IN_ROUNDS, "not_allowed", few, says, when=(*when, ShoeGame.serves_all)),
        move("shoe_ended", IN_ROUNDS, S.OVER, few, when=when, do=over),
    )


def _ending_with_round(law: GameLaw) -> tuple[Row, ...]:
    """Persons end the shoe game in a round that nothing voids: it is finished and is the last (reading G13)."""
    one_round = all(one.one_round_to for one in law.equipment.values())
    told = move(
        "end_shoe",
        (S.ROUNDS, S.ONE_MORE),
        S.LAST,
        "reading G13",
        when=(ShoeGame.round_goes_on, ShoeGame.several_rounds),
        do=(ShoeGame.end_with_round, ShoeGame.say_last_round),
    )
    silent = move("end_shoe", IN_ROUNDS, S.LAST, "reading G13", when=ShoeGame.round_goes_on, do=ShoeGame.end_with_round)
    return (silent,) if one_round else (told, silent)


def _ending(law: GameLaw) -> tuple[Row, ...]:
    articles = law.articles
    end = articles.house_end
    rows = [
        *_early_end(),
        *_too_few_cards(articles.too_few_cards),
        move("shoe_ended", IN_ROUNDS, S.OVER, end, when=ShoeGame.between_rounds, do=ShoeGame.end_shoe_game),
        refuse("shoe_ended", others(ALL, S.RETURN), "not_now", end, "the house ends a shoe game between rounds"),
        *_ending_with_round(law),
        move("end_shoe", RUNNING, S.OVER, end, do=ShoeGame.end_shoe_game),
        take("end_shoe", (*BEFORE_STACK, S.OVER, S.CLOSED), end),
        irregular(
            "stack_counted",
            S.OVER,
            "wrong_stack_count",
            "reading G9",
            "another number of cards was found left than must be",
            when=ShoeGame.count_disagrees,
        ),
        take("stack_counted", S.OVER, "reading G9", do=ShoeGame.end_doubt),
        refuse("stack_counted", others(ALL, S.OVER), "not_now", "reading G9", "what is left is counted at its end"),
        move("closed", (*BEFORE_STACK, S.BURN, S.OVER), S.CLOSED, end, do=ShoeGame.close_table),
        move(
            "closed",
            IN_ROUNDS,
            S.CLOSED,
            end,
            when=ShoeGame.between_rounds,
            do=(ShoeGame.burn_held, ShoeGame.close_table),
        ),
        refuse("closed", (*IN_ROUNDS, S.CLOSED), "not_now", end, "the table closes once, and not in a round"),
    ]
    if articles.cards_returned:
        rows += (
            refuse(trigger, S.RETURN, "cards_missing", articles.cards_returned, FIRST_RETURN)
            for trigger in ("shoe_ended", "closed")
        )
    return tuple(rows)
