"""Rows of the shoe game; a game has those whose article its regulation has."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from regulations.engine.rows import Guard
from regulations.law.game_law import GameLaw, ShoeArticles
from regulations.law.rows import Refusal, RegulationRow, accept, irregular, move, others, refusals, refuse
from regulations.law.stakes import OURS
from regulations.play.shoe.cut_card import CutCardRules
from regulations.play.shoe.devices import DeviceRules
from regulations.play.shoe.ending import EndingRules
from regulations.play.shoe.game import ShoeGame
from regulations.play.shoe.initial_burn import InitialBurnRules
from regulations.play.shoe.profile_guards import ProfileGuards, bad_value, excluded, too_small
from regulations.play.shoe.stack_steps import StackRules
from regulations.play.shoe.states import ALL, BEFORE_STACK, IN_ROUNDS, RUNNING
from regulations.play.shoe.states import ShoeState as S

G4: Final = "reading G4"
G7: Final = "reading G7"
G9: Final = "reading G9"
G11: Final = "reading G11"
G13: Final = "reading G13"
G15: Final = "reading G15"
G16: Final = "reading G16"
G17: Final = "reading G17"
G19: Final = "reading G19"
NO_ROUND: Final = others(ALL, *IN_ROUNDS)
OPENS_A_ROUND: Final = ("bets_closed", "demonstration")
IN_A_ROUND: Final = (
    *("bets_corrected", "revealed", "round_closed", "misdeal", "void", "decision", "exposed", "bettor_left"),
)
FROM_A_DEVICE: Final = ("device_result", "round_partial")
NO_SUCH_EQUIPMENT: Final = "the regulation does not deal from this equipment"
DIRECT: Final = "a shuffler-dealer is loaded and dealt from directly"
FIRST_RETURN: Final = "the cards of the round are to be returned first"
NO_CUT_CARD: Final = "no cut card can come out here"
NEW_STACK: Final = (
    StackRules.load_stack,
    DeviceRules.record_dealt_from,
    EndingRules.begin,
    CutCardRules.new_stack,
    InitialBurnRules.begin,
)


def shoe_rows(law: GameLaw) -> tuple[RegulationRow, ...]:
    parts = (_profile, _stack, _load, _equipment, _cards, _cut_card, _last_round, _rounds, _after_round, _end, _devices)
    return tuple(row for part in parts for row in part(law) if row.article)


def _one_round(law: GameLaw) -> bool:
    return all(one.one_round_to for one in law.equipment.values())


def _not_next(
    articles: ShoeArticles, trigger: str, states: tuple[StrEnum, ...], says: str, direct: str = ""
) -> tuple[RegulationRow, ...]:
    return (
        refuse(trigger, states, "not_now", articles.direct, direct or says, when=StackRules.is_direct),
        refuse(trigger, states, "not_now", articles.mixed, says, when=StackRules.by_shuffler),
        refuse(trigger, states, "not_now", articles.prepare, says),
    )


# --- the profile, which opens the table ------------------------------------------------------------------------------


def _profile(law: GameLaw) -> Iterable[RegulationRow]:
    by = law.articles
    value, many = "the option cannot have this value", "more decks than are played"
    number = "not a number of decks to play with"
    faults: tuple[Refusal, ...] = (
        (ProfileGuards.equipment_unknown, "bad_option", by.equipment, NO_SUCH_EQUIPMENT),
        (ProfileGuards.more_decks_than_read, "wrong_deck_count", by.most_decks, many),
        (ProfileGuards.no_deck, "wrong_deck_count", by.most_decks and by.decks, "a deck is needed"),
        (ProfileGuards.too_few_or_many_decks, "wrong_deck_count", by.decks_in or by.decks, number),
        (ProfileGuards.seats_missing, "bad_option", by.seats, "the table has too few seats"),
        (ProfileGuards.option_unknown, "bad_option", "reading G5", "the regulation has no such option"),
        *((too_small(one), "bad_option", one.article, value) for one in law.options if one.least),
        *((bad_value(one), "bad_option", one.bound or one.article, value) for one in law.options),
        (ProfileGuards.limits_of_nothing, "bad_option", OURS, "limits need recorded stakes"),
        *((excluded(one), "bad_option", one, "options conflict") for one in law.excluded_by()),
    )
    allowed, also = ProfileGuards.authorisation_missing, (G4, "reading G4a", "reading G4b")
    return (
        *refusals("table", S.OPENING, faults),
        refuse("table", S.OPENING, "needs_authorisation", by.authorisation, "not authorised", when=allowed, also=also),
        *(move("table", S.OPENING, dest, article, when=guard) for dest, article, guard in _beginnings(law)),
        refuse("table", ALL, "not_now", G4, "the table is open: options never change inside a log"),
    )


def _beginnings(law: GameLaw) -> Iterable[tuple[S, str, tuple[Guard, ...]]]:
    return (
        (S.LOAD, law.articles.direct, (ProfileGuards.becomes_direct,)),
        (S.FILL, law.articles.mixed, (ProfileGuards.becomes_mixed,)),
        (S.SHUFFLE, law.articles.prepare, ()),
    )


# --- the stack: shuffle, cut, cut card, load; a shuffler shuffles before or after its load ---------------------------


def _stack(law: GameLaw) -> Iterable[RegulationRow]:
    by, place = law.articles, S.PLACE_CUT_CARD
    wrong = (StackRules.stack_is_shuffled, StackRules.wrong_shuffler)
    return (
        refuse(
            "shuffled",
            (S.SHUFFLE, S.FILL, S.MIX, S.OVER),
            "not_allowed",
            by.shuffled_by,
            "the cards are not shuffled so for this equipment",
            when=wrong,
        ),
        move("shuffled", (S.SHUFFLE, S.OVER), place, by.cut_spared, when=StackRules.cut_spared),
        move("shuffled", S.SHUFFLE, S.CUT, by.prepare),
        move("shuffled", S.OVER, S.CUT, by.reshuffle, when=StackRules.by_hand),
        move("shuffled", S.MIX, S.ROUNDS, by.mixed),
        move("shuffled", S.FILL, S.LOAD, by.mixed),
        move("shuffled", S.OVER, S.LOAD, by.mixed),
        *_not_next(by, "shuffled", ALL, "cards are shuffled before a shoe game begins, once", DIRECT),
        refuse("cut", S.CUT, "not_allowed", by.cut_by, "somebody else cuts the stack", when=StackRules.wrong_cutter),
        move("cut", S.CUT, S.LOAD, by.no_cut_card, when=StackRules.no_cut_card),
        move("cut", S.CUT, place, by.prepare),
        # These move the machine to where it is: what is told as done once more is refused.
        move("cut", place, place, by.cut_spared, when=StackRules.is_just_shuffled),
        move("cut", S.LOAD, S.LOAD, by.mixed and by.cut_spared, when=StackRules.is_just_shuffled),
        *_not_next(by, "cut", others(ALL, S.CUT), "the stack is cut after the shuffle, once", DIRECT),
        refuse(
            "cut_card_placed",
            place,
            "cut_card_depth",
            by.cut_card_depth,
            "the cut card lies too deep or too high",
            when=CutCardRules.depth_outside,
        ),
        move("cut_card_placed", place, S.LOAD, by.prepare, do=CutCardRules.record_depth, also=by.cut_card_depth),
        *_not_next(
            by,
            "cut_card_placed",
            others(ALL, place),
            "the cut card is placed after the cut, once, where the stack has one",
            DIRECT,
        ),
    )


def _load(law: GameLaw) -> Iterable[RegulationRow]:
    by = law.articles
    whole, also = (StackRules.loadable, StackRules.not_all_cards), (by.mixed,) if by.mixed else ()
    first = S.BURN if law.initial_burn is not None else S.ROUNDS
    dealt = S.BURN if _burns_directly(law) else S.ROUNDS
    return (
        refuse(
            "loaded", (S.LOAD, S.OVER, S.FILL), "wrong_deck_count", by.decks, "the stack is not complete", when=whole
        ),
        # The cards are counted anew from here: all are in the shuffler, and its own count begins (reading G9).
        move("loaded", S.FILL, S.MIX, by.mixed, do=NEW_STACK),
        move("loaded", S.OVER, S.MIX, by.mixed, when=StackRules.by_shuffler, do=NEW_STACK),
        move("loaded", (S.LOAD, S.OVER), dealt, by.direct, when=StackRules.is_direct, do=NEW_STACK),
        move("loaded", S.LOAD, first, by.prepare, do=NEW_STACK, also=also),
        *_not_next(by, "loaded", others(ALL, S.LOAD), "cards are loaded once the stack is prepared"),
    )


def _burns_directly(law: GameLaw) -> bool:
    if not law.articles.direct or law.initial_burn is None:
        return False
    defaults = {option.name: option.default for option in law.options}
    fewest, _ = law.equipment["shuffler_dealer"].decks
    return law.initial_burn.cards(defaults, fewest, "shuffler_dealer") != 0


def _equipment(law: GameLaw) -> Iterable[RegulationRow]:
    by, waiting, waits = law.articles, (S.SHUFFLE, S.FILL, S.LOAD, S.OVER), StackRules.stack_waits
    decks = by.decks_in if len({one.decks for one in law.equipment.values()}) > 1 else ""
    allowed = by.authorisation if law.authorised_equipment else ""
    return (
        refuse(
            "equipment",
            waiting,
            "bad_option",
            by.equipment,
            NO_SUCH_EQUIPMENT,
            when=(waits, ProfileGuards.equipment_unknown),
            also=by.material,
        ),
        refuse(
            "equipment",
            waiting,
            "wrong_deck_count",
            decks,
            "the table has another number of decks",
            when=(waits, ProfileGuards.too_few_or_many_decks),
        ),
        *(
            refuse(
                "equipment",
                waiting,
                "bad_option",
                one,
                "an option of this table excludes it",
                when=(waits, excluded(one)),
            )
            for one in law.excluded_by("equipment")
        ),
        refuse(
            "equipment",
            waiting,
            "needs_authorisation",
            allowed,
            "not authorised",
            when=(waits, ProfileGuards.authorisation_missing),
            also="reading G4b",
        ),
        *(
            move("equipment", waiting, dest, article, when=(waits, *guard), do=StackRules.adopt_equipment)
            for dest, article, guard in _beginnings(law)
        ),
        refuse("equipment", ALL, "not_now", by.equipment_change, "equipment changes between shoe games"),
    )


# --- cards as they come out; where no round is open, the shoe game itself answers ------------------------------------


def _cards(law: GameLaw) -> Iterable[RegulationRow]:
    by = law.articles
    burn, shown = InitialBurnRules.burn_initial, (InitialBurnRules.burn_shown, InitialBurnRules.fix_burn_count)
    bring_in, burned_by = (burn, CutCardRules.bring_in), (by.burn_count, by.initial_burn)
    over, too_early = by.one_round if _one_round(law) else by.cut_card, "no card is due before the stack is loaded"
    by_hand = "a card was typed beside a working device"
    return (
        accept("card", S.BURN, by.burn_count_shown, when=InitialBurnRules.count_fixing_card, do=shown, also=burned_by),
        accept("card", S.BURN, by.initial_burn, when=InitialBurnRules.more_to_burn, do=burn),
        move("card", S.BURN, S.ROUNDS, by.initial_burn, when=CutCardRules.waits_for_burn, do=bring_in, also=G16),
        move("card", S.BURN, S.ROUNDS, by.initial_burn, do=burn),
        accept("card", IN_ROUNDS, by.deal, do=ShoeGame.card_to_round),
        irregular("card", (*BEFORE_STACK, S.CLOSED), "card_not_due", by.undue_card, too_early),
        irregular("card", S.RETURN, "card_not_due", by.cards_returned, FIRST_RETURN),
        irregular("card", S.OVER, "card_after_last_round", over, "the shoe game is over"),
        irregular("card_while_blocked", ALL, "card_not_due", G7, "a card came out while an irregularity is open"),
        accept("entered_card", ALL, G7),
        irregular("card_by_hand", ALL, "card_by_hand", G19, by_hand),
        irregular("unread_card", ALL, "unread_card", G9, "the card that is due could not be read"),
        irregular("surplus_card", ALL, "surplus_card", G9, "more copies of this card are out than the decks hold"),
        irregular("count_gap", ALL, "count_gap", G9, "the device counted unreported cards"),
        irregular("count_backwards", ALL, "wrong_stack_count", G9, "the device's own count went back"),
        irregular("stack_exhausted", ALL, "stack_exhausted", G9, "a card is due and none is left"),
    )


# --- the cut card: where it cannot be, and what it means where it can ------------------------------------------------


def _cut_card(law: GameLaw) -> Iterable[RegulationRow]:
    by, doubt, missing = (
        law.articles,
        CutCardRules.record_unexpected,
        "fewer cards are left than lie behind the cut card",
    )
    typed, direct = DeviceRules.reports_cut_card, "no cut card lies in a shuffler-dealer"
    by_hand, undue = "the cut card was typed beside a working device", CutCardRules.cut_card_undue
    # Behind a cut card that lies last no card can come out before it.
    late = G16 if law.cut_card_behind[1] else ""
    no_cut_card = by.direct_cut_card or by.direct
    counts = (S.ROUNDS, S.LAST)
    return (
        irregular("cut_card", ALL, "card_by_hand", G19, by_hand, when=typed, do=doubt),
        accept("cut_card", ALL, late, when=CutCardRules.missed_before, do=CutCardRules.record_late),
        irregular("cut_card_missing", ALL, "cut_card_missing", late, missing, do=CutCardRules.record_missed),
        irregular("cut_card", ALL, "cut_card_not_due", no_cut_card, direct, when=StackRules.is_direct, do=doubt),
        irregular("cut_card", counts, "cut_card_not_due", G16, NO_CUT_CARD, when=undue, do=doubt),
        irregular("cut_card", others(ALL, *counts), "cut_card_not_due", G16, NO_CUT_CARD, do=doubt),
    )


def _last_round(law: GameLaw) -> Iterable[RegulationRow]:
    by, last, one_more = (
        law.articles,
        (CutCardRules.mark_out, EndingRules.emit_last_round),
        law.articles.cut_card_one_more,
    )
    # Persons have ended the shoe game with this round already: it says no more.
    ended = accept("cut_card", S.LAST, G13, do=CutCardRules.mark_out)
    if _one_round(law):
        return move("cut_card", S.ROUNDS, S.LAST, by.cut_card, do=CutCardRules.mark_out, also=by.cut_card_end), ended
    within, more, may = "cut_card_within", one_more, EndingRules.one_more_may_follow
    ends = (EndingRules.ends_with_round,) if one_more else ()
    # Where one article speaks of a cut card in mid-round and between rounds, the last row of `cut_card` does too.
    mid_round = by.cut_card if by.cut_card != by.cut_card_end else ""
    later, end = (by.house_end, by.cut_card_end) if law.cards_vary else ("", "")
    return (
        move(
            "cut_card",
            S.ROUNDS,
            S.LAST,
            mid_round,
            when=(CutCardRules.in_mid_round, *ends),
            do=last,
            also=by.cut_card_end,
        ),
        move(
            "cut_card",
            S.ROUNDS,
            S.ONE_MORE,
            more,
            when=CutCardRules.in_mid_round,
            do=CutCardRules.mark_out,
            also=by.cut_card,
        ),
        move(
            "cut_card",
            S.ROUNDS,
            S.NEXT_LAST,
            by.cut_card_end,
            when=CutCardRules.result_is_out,
            do=last,
            also=by.cut_card,
        ),
        move("cut_card", S.ROUNDS, S.LAST, by.cut_card_end, do=last, also=by.cut_card),
        ended,
        # A correction has it come at another stage of the round.
        move("cut_card_earlier", S.NEXT_LAST, S.LAST, by.cut_card, when=ends, also=G11),
        accept("cut_card_later", S.LAST, later, when=EndingRules.house_ends, also=(G11, G13)),
        move("cut_card_later", S.LAST, S.NEXT_LAST, end, also=G11),
        move("cut_card_first", S.ONE_MORE, S.LAST, more, do=EndingRules.emit_last_round, also=G11),
        move("cut_card_first", S.NEXT_LAST, S.LAST, more, also=G11),
        # It came before anybody knew that the card before it is the round's first.
        move(within, S.LAST, S.ONE_MORE, more, when=may, do=EndingRules.emit_one_more_round, also=G17),
        accept(within, S.LAST, one_more and by.cut_card, also=G17),
        # Before the result and after it the cut card means the same: one more round.
        accept("cut_card_earlier", S.NEXT_LAST, more, also=G11),
    )


# --- rounds: what only they can answer, and what follows one ---------------------------------------------------------


def _rounds(law: GameLaw) -> Iterable[RegulationRow]:
    by, opens = law.articles, OPENS_A_ROUND
    waits, burning = (
        "the device is at fault: wait, or two persons end the shoe game",
        "the initial burn is not complete",
    )
    about = {"misdeal": by.misdeal, "void": by.misdeal, "bettor_left": by.bettor_left, "exposed": by.face_up}
    return (
        *(refuse(one, IN_ROUNDS, "not_now", G13, waits, when=DeviceRules.device_awaited) for one in opens),
        *(accept(one, IN_ROUNDS, by.deal, do=ShoeGame.to_round) for one in (*opens, *IN_A_ROUND, *FROM_A_DEVICE)),
        *(refuse(one, S.BURN, "burn_missing", by.initial_burn, burning) for one in opens),
        *(refuse(one, S.RETURN, "not_now", by.cards_returned, FIRST_RETURN) for one in opens),
        *(row for one in opens for row in _not_next(by, one, NO_ROUND, "no round can begin now")),
        *(refuse(one, NO_ROUND, "not_now", about.get(one, by.deal), "no round is open") for one in IN_A_ROUND),
    )


def _after_round(law: GameLaw) -> Iterable[RegulationRow]:
    by, over, one_more = law.articles, EndingRules.end_shoe_game, law.articles.cut_card_one_more
    rounds, back, direct = not _one_round(law), StackRules.put_cards_back, StackRules.is_direct
    one, shoe = StackRules.serves_one_round, (StackRules.serves_one_round, StackRules.by_shoe)
    enough, left = EndingRules.enough_for_one_more, () if by.too_few_cards else EndingRules.cards_left
    returned, each = by.cards_returned, "cards are returned to a shuffler-dealer after each round"
    counted, other = (StackRules.counted_by_device, StackRules.others_returned), StackRules.others_returned
    miscounted = "the device counted another number of returned cards than came out"
    whole, no_return = "all cards that came out go back, burned ones included", "" if returned else by.equipment
    not_return = others(ALL, S.RETURN)
    return (
        move("round_over", S.LAST, S.OVER, by.house_end, when=EndingRules.house_ends, do=over),
        move("round_over", IN_ROUNDS, S.RETURN, returned, when=direct),
        move("round_over", S.ONE_MORE, S.LAST, one_more, when=enough, do=EndingRules.emit_last_round, also=G16),
        move("round_over", S.ONE_MORE, S.OVER, one_more and G16, do=over, also=by.cut_card),
        move("round_over", IN_ROUNDS, S.OVER, by.one_round and by.one_round_shoe, when=shoe, do=over),
        move("round_over", IN_ROUNDS, S.OVER, by.one_round, when=one if rounds else (), do=over),
        move("round_over", S.NEXT_LAST, S.LAST, by.cut_card_end if rounds else "", when=left),
        accept("round_over", S.ROUNDS, by.deal if rounds else "", when=left),
        move("round_over", IN_ROUNDS, S.OVER, by.cut_card if rounds else "", do=over),
        refuse("cards_returned", ALL, "not_now", no_return, each),
        irregular(
            "cards_returned",
            S.RETURN,
            "wrong_stack_count",
            returned and G9,
            miscounted,
            dest=S.ROUNDS,
            when=counted,
            do=back,
        ),
        refuse("cards_returned", S.RETURN, "cards_missing", returned, whole, when=other),
        move("cards_returned", S.RETURN, S.ROUNDS, returned, do=back),
        refuse("cards_returned", not_return, "not_now", returned, each),
    )


# --- the end of a shoe game, and of the table ------------------------------------------------------------------------


def _end(law: GameLaw) -> Iterable[RegulationRow]:
    by, over, between, goes_on = (
        law.articles,
        EndingRules.end_shoe_game,
        EndingRules.between_rounds,
        EndingRules.round_goes_on,
    )
    few, too_few, end = by.too_few_cards, (EndingRules.between_rounds, EndingRules.too_few_given), by.house_end
    words, people = "give the reason `other` in words, in `detail`", "two different people end the shoe game early"
    nameless, alone = (between, EndingRules.reason_missing), (between, EndingRules.end_persons_missing)
    last = (EndingRules.end_with_round, EndingRules.emit_last_round)
    found, counted = "another number of cards was found left than must be", "what is left is counted at its end"
    returned, close = by.cards_returned, (EndingRules.burn_held, EndingRules.close_table)
    several = "" if _one_round(law) else G13
    return (
        refuse("shoe_ended", IN_ROUNDS, "not_allowed", G15, words, when=nameless),
        refuse("shoe_ended", IN_ROUNDS, "two_persons_needed", G15, people, when=alone),
        move("too_few_cards", IN_ROUNDS, S.OVER, few, do=over),
        refuse(
            "shoe_ended",
            IN_ROUNDS,
            "not_allowed",
            few,
            "the cards left suffice for every seat",
            when=(*too_few, EndingRules.serves_all),
        ),
        move("shoe_ended", IN_ROUNDS, S.OVER, few, when=too_few, do=over),
        move("shoe_ended", IN_ROUNDS, S.OVER, end, when=between, do=over),
        refuse("shoe_ended", others(ALL, S.RETURN), "not_now", end, "the house ends a shoe game between rounds"),
        # Persons end it in a round that nothing voids: that is finished and is the last.
        move("end_shoe", (S.ROUNDS, S.ONE_MORE), S.LAST, several, when=(goes_on, StackRules.several_rounds), do=last),
        move("end_shoe", IN_ROUNDS, S.LAST, G13, when=goes_on, do=EndingRules.end_with_round),
        move("end_shoe", RUNNING, S.OVER, end, do=over),
        accept("end_shoe", (*BEFORE_STACK, S.OVER, S.CLOSED), end),
        irregular("stack_counted", S.OVER, "wrong_stack_count", G9, found, when=StackRules.count_disagrees),
        accept("stack_counted", S.OVER, G9, do=StackRules.end_doubt),
        refuse("stack_counted", others(ALL, S.OVER), "not_now", G9, counted),
        move("closed", (*BEFORE_STACK, S.BURN, S.OVER), S.CLOSED, end, do=EndingRules.close_table),
        move("closed", IN_ROUNDS, S.CLOSED, end, when=between, do=close),
        refuse("closed", (*IN_ROUNDS, S.CLOSED), "not_now", end, "the table closes once, and not in a round"),
        *(refuse(one, S.RETURN, "cards_missing", returned, FIRST_RETURN) for one in ("shoe_ended", "closed")),
    )


# --- devices, witnesses and persons: what they report of themselves, in every game alike -----------------------------


def _devices(law: GameLaw) -> Iterable[RegulationRow]:  # noqa: ARG001  # no article of a game speaks of them
    faulty, lost = "the device reports a fault", "device disconnected"
    unknown, people = "the device sent an unknown message", "two different persons readmit a device"
    partial = "the device was joined in mid-round, and no round is open here"
    result, disputed = "the device reports a result, and no round is open here", "the deal is held for a dispute"
    return (
        accept("fault", ALL, G7, when=DeviceRules.fault_is_open, do=DeviceRules.latch_again),
        irregular("fault", ALL, "device_fault", G7, unknown, when=DeviceRules.not_understood),
        irregular("fault", ALL, "device_fault", G7, faulty),
        accept("fault_cleared", ALL, G7, do=DeviceRules.clear_fault),
        accept("device_lost", ALL, G7, when=DeviceRules.fault_is_open, do=DeviceRules.latch_again),
        accept("device_lost", ALL, G13, when=DeviceRules.device_absent),
        irregular("device_lost", ALL, "device_lost", G7, lost),
        accept("device_back", ALL, G7, do=DeviceRules.clear_fault),
        refuse(
            "device_readmitted", ALL, "two_persons_needed", G7, people, when=DeviceRules.readmission_persons_missing
        ),
        accept("device_readmitted", ALL, G7),
        accept("device_identified", ALL, G7, do=DeviceRules.record_reader),
        accept("device_judged", ALL, G7),
        accept("device_noted", ALL, G7),
        accept("clock_stepped", ALL, G7),
        accept("witness_behind", ALL, G7),
        accept("witness_current", ALL, G7),
        accept("signed_in", ALL, G7, do=DeviceRules.record_role),
        accept("signed_out", ALL, G7),
        accept("sign_ins_refused", ALL, G7),
        accept("persons_listed", ALL, G7),
        accept("supervisor_called", ALL, G7),
        accept("proposed", ALL, G7),
        accept("table_opened", ALL, G7),
        refuse("dispute", ALL, "not_now", G7, "the deal is held for a dispute already", when=DeviceRules.dispute_open),
        irregular("dispute", ALL, "dispute", G7, disputed),
        irregular("round_partial", NO_ROUND, "round_partial", G9, partial, do=StackRules.doubt_count),
        irregular("device_result", NO_ROUND, "device_disagrees", G7, result),
        irregular("device_disagrees", ALL, "device_disagrees", G7, "the device does not agree with the regulation"),
    )
