"""The table as the rest of the house sees it: what it is told, what it says of itself."""

from pathlib import Path
from typing import Final

import pytest
from msgspec import UNSET

from regulations.events.cards import DECK, RANKS, SUITS, card_of, rank_of, suit_of
from regulations.events.codec import decode_input
from regulations.events.errors import RegulationBug, SealedInput
from regulations.events.inputs import Table
from regulations.law.edition import RULES_VERSION
from regulations.procedure.procedure import Procedure
from tests.regulations.support.games.baccarat import dull_round, ready
from tests.regulations.support.kits import KITS
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import decoded, lead, opened, shown
from tests.regulations.support.tracing import RULEBOOK

pytestmark = pytest.mark.law

EXAMPLE: Final = Path(__file__).parent.parent / "vectors" / "baccarat" / "table_log_example.jsonl"


def test_the_example_of_the_table_log() -> None:
    """Its burn cards filled in; the answers that the page shows."""
    first, *inputs = map(decode_input, EXAMPLE.read_text(encoding="utf-8").splitlines())
    assert isinstance(first, Table)
    procedure = Procedure(first)
    said = [output for event in inputs for output in shown(procedure.apply(event))]
    (result,) = (output for output in said if output["event"] == "result")
    assert (result["outcome"], result["points"], result["natural"]) == ("player", {"player": 9, "banker": 7}, True)
    assert result["cards"] == {"player": ["9H", "KS"], "banker": ["3D", "4C"]}
    (settled,) = (output for output in said if output["event"] == "settled")
    (wager,) = settled["wagers"]
    assert wager.items() >= {"seat": 1, "bet": "banker", "stake": 10000, "net": -10000}.items()
    assert [output["card"] for output in said if output["event"] == "burned"] == [None] * 8


def test_a_table_says_how_it_stands() -> None:
    table = profile()
    procedure = lead(table, ready(table))
    assert procedure.states == ("clear", "rounds", "idle")
    assert procedure.edition == "55/2004+73/2005"
    assert [procedure.open_round] == [UNSET]
    assert [procedure.is_refused, procedure.is_mid_round] == [False, False]
    procedure.apply(decoded({"event": "card", "card": "9H"}))
    assert [procedure.open_round, procedure.is_mid_round] == [1, True]
    procedure.apply(decoded({"event": "card", "card": None}))
    assert procedure.states == ("blocked", "rounds", "banker_1")


def test_lines_that_the_log_adds_are_counted() -> None:
    """The number of a ``next`` is a permit (reading G7): the log writes notices of its own between two inputs."""
    table = profile()
    procedure = lead(table, ready(table))
    before = procedure.lines
    procedure.lines += 3
    procedure.apply(decoded({"event": "card", "card": "9H"}))
    assert procedure.lines == before + 3 + 3


def test_cards_come_from_a_stack_that_is_in() -> None:
    table = profile()
    procedure = opened(table)
    assert not procedure.is_dealt_from
    for given in ready(table):
        procedure.apply(decoded(given))
    assert procedure.is_dealt_from


def test_a_sealed_line_is_opened_before_it_is_applied() -> None:
    procedure = lead(profile(), ready(profile()))
    with pytest.raises(SealedInput) as caught:
        procedure.apply(decode_input('{"seq":9,"event":"card","card":null,"sealed":"00ff"}'))
    assert (caught.value.event, caught.value.seq) == ("card", 9)
    assert procedure.states == ("clear", "rounds", "idle")


def test_the_rules_have_a_version_that_journals_name() -> None:
    """Whoever changes what the rules answer gives them the next one: a journal of others is not replayed."""
    assert RULES_VERSION == 1


def test_a_closed_table_is_closed() -> None:
    procedure = opened(profile())
    assert not procedure.is_closed
    procedure.apply(decoded({"event": "closed"}))
    assert procedure.is_closed


def test_a_refused_table_is_refused() -> None:
    assert opened(profile(decks=5)).is_refused


def test_the_header_names_the_edition_and_every_option_in_force() -> None:
    """Readings G4, G5; a shuffler-dealer has no stack to burn from, to cut or to deal face down from (B16)."""
    (header,) = shown(opened(profile(banker_win="half_on_six", limits={"tie": {"most": 500}})).opening)
    assert header["edition"] == "55/2004+73/2005"
    assert header["options"] == {
        "initial_burn": "per_deck",
        "demonstration_rounds": 0,
        "rounds_without_wagers": True,
        "cut_card_behind": 14,
        "after_cut_card": "end",
        "round_burn": False,
        "deal": "face_up",
        "tie_wagers": ["withdraw"],
        "banker_win": "half_on_six",
        "overdrawn_card": "burn",
        "stakes": "tracked",
        "limits": {"tie": {"most": 500}},
        "shoe_ended_by": "one",
    }
    (direct,) = shown(opened(profile(equipment="shuffler_dealer")).opening)
    assert direct["options"] == {
        "rounds_without_wagers": True,
        "tie_wagers": ["withdraw"],
        "banker_win": "commission",
        "overdrawn_card": "burn",
        "stakes": "tracked",
        "limits": {},
        "shoe_ended_by": "one",
    }


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("deal", "face_dawn", "face_down"),
        ("cut_card_behind", 30, "12 to 26"),
        ("tie_wagers", ["stay"], "withdraw"),
        ("round_burn", "yes", "true or false"),
        ("demonstration_round", 1, "did you mean 'demonstration_rounds'"),
        ("jackpot", 1, "baccarat has initial_burn"),
    ],
)
def test_a_bad_option_is_named_with_what_is_allowed(name: str, value: object, hint: str) -> None:
    refused, _ = shown(opened({**profile(), "options": {name: value}}).opening)
    assert name in refused["detail"]
    assert hint in refused["detail"]


def test_cards_to_be_returned_keep_the_table_from_closing() -> None:
    table = profile(equipment="shuffler_dealer")
    procedure = lead(table, [*ready(table), *dull_round(table)])
    assert procedure.is_mid_round
    procedure.apply(decoded({"event": "cards_returned", "cards": 4}))
    assert not procedure.is_mid_round


def test_a_missing_row_is_a_defect_of_ours_that_names_state_and_input() -> None:
    procedure = opened(profile(), RULEBOOK.without("shoe:cut@cut"))
    procedure.apply(decoded({"event": "shuffled", "by": "croupier"}))
    with pytest.raises(RegulationBug, match="no row answers 'cut' in state 'cut'") as caught:
        procedure.apply(decoded({"event": "cut", "by": "player"}))
    assert (caught.value.state, caught.value.trigger) == ("cut", "cut")


def test_a_row_says_what_it_answers() -> None:
    answers = {RULEBOOK.name_of(row): row.answer for rows in RULEBOOK.machines.values() for row in rows}
    assert answers["shoe:cut@cut"] == "place_cut_card"
    assert answers["shoe:stack_counted@over[count_disagrees]"] == "irregularity wrong_stack_count"
    assert answers["round:bets_closed@idle[seat_unknown]"] == "refusal no_such_seat"
    assert answers["shoe:unread_card@shuffle+"] == "irregularity unread_card"


def test_cards_are_52_each_with_its_rank_and_suit() -> None:
    assert len(set(DECK)) == 52
    assert {(rank_of(card), suit_of(card)) for card in DECK} == {(rank, suit) for rank in RANKS for suit in SUITS}
    assert all(card_of(rank_of(card), suit_of(card)) == card == rank_of(card) + suit_of(card) for card in DECK)


@pytest.mark.parametrize("game", ["blackjack", "casino_war", "three_card_baccarat"])
def test_a_table_at_seats_is_taken_up_where_it_stood(game: str) -> None:
    ways, table = KITS[game].preludes, profile(game=game)
    ended = {"event": "shoe_ended", "reason": "cards_worn"}
    procedure = lead(table, [*ways["ready"](table), *ways["round"](table), ended, *ways["stack"](table)])
    snapshot = procedure.snapshot()
    assert snapshot.round["row"] is not None
    decoded_table = decoded(table)
    assert isinstance(decoded_table, Table)
    assert Procedure.resume(decoded_table, snapshot).snapshot() == snapshot


def test_a_dispenser_is_told_how_many_cards_one_hand_gets() -> None:
    table = profile(game="blackjack", procedure="second")
    procedure = lead(table, KITS["blackjack"].preludes["opened"](table))
    told = [procedure.due_in_a_row]
    for card in ("TS", "9D", "7S"):
        procedure.apply(decoded({"event": "card", "card": card}))
        told.append(procedure.due_in_a_row)
    assert told == [1, 1, 1, 0], "one at a time, none while a seat decides"


def test_a_dispenser_is_told_of_a_burn_and_of_a_whole_hand() -> None:
    table = profile(game="three_card_baccarat", deal="three_at_a_time")
    ways = KITS["three_card_baccarat"].preludes
    procedure = lead(table, [*ways["ready"](table), *ways["round"](table)])
    procedure.apply(decoded({"event": "bets_closed", "seats": [1], "wagers": [{"seat": 1, "bet": "main", "stake": 5}]}))
    told = [procedure.due_in_a_row]
    for card in ("2S", "9D", "7S", "3D", "4S"):
        procedure.apply(decoded({"event": "card", "card": card}))
        told.append(procedure.due_in_a_row)
    assert told == [1, 3, 2, 1, 3, 2], "a card is burned, then three go to each hand (art. 2.º-2)"


def test_a_count_far_ahead_is_a_gap_like_any_other_and_takes_no_time() -> None:
    table = profile()
    procedure = lead(table, ready(table))
    counted = 2**32 - 1
    (gap, _) = shown(procedure.apply(decoded({"event": "card", "card": "9H", "count": counted})))
    assert (gap["code"], gap["actions"]) == ("count_gap", ["identify", "void", "end_shoe"])
    *_, over, _ = shown(
        procedure.apply(decoded({"event": "resolve", "irregularity": 1, "action": "end_shoe", "by": [1, 2]}))
    )
    assert (over["event"], over["cards_seen"], over["cards_left"]) == ("shoe_over", counted, 0)
