"""The sheets of the games: what they say that no prompt tells, and what an incomplete one lacks."""

from dataclasses import replace
from typing import Any

import pytest

from regulations.events.errors import IncompleteSheet, RegulationBug
from regulations.games.registry import GAMES, SHEETS
from regulations.law.payouts import to_one
from regulations.law.sheet import Choice, Sheet


@pytest.mark.law
@pytest.mark.parametrize(
    ("option", "seats", "needed"),
    [("shared", 0, 0), ("shared", 1, 10), ("shared", 7, 24), ("per_player", 2, 19), ("per_player", 7, 32)],
)
def test_cards_for_the_worst_round_of_casino_war(option: str, seats: int, needed: int) -> None:
    assert SHEETS["casino_war"].cards_needed({"croupier_war_card": option}, seats) == needed


@pytest.mark.law
def test_cards_for_a_round_of_the_other_games() -> None:
    assert SHEETS["blackjack"].cards_needed({}, 7) == 0, "the cut card sees to it"
    assert SHEETS["three_card_baccarat"].cards_needed({}, 2) == 10, "one is burned, and three for each hand"


@pytest.mark.law
def test_the_depth_of_the_cut_card() -> None:
    assert SHEETS["q_poker"].law.cards_behind({}) == 0
    assert SHEETS["baccarat"].law.cards_behind({}) == 14
    assert SHEETS["blackjack"].law.cards_behind({"cut_card_behind": 30}) == 30


@pytest.mark.law
def test_a_packet_is_given_if_the_game_or_the_house_has_it() -> None:
    assert SHEETS["q_poker"].packet({}) == 3
    assert SHEETS["three_card_baccarat"].packet({"deal": "three_at_a_time"}) == 3
    assert SHEETS["three_card_baccarat"].packet({"deal": "one_at_a_time"}) == 1
    assert SHEETS["baccarat"].packet({"deal": "face_down"}) == 1


@pytest.mark.law
@pytest.mark.parametrize(
    ("option", "amounts"), [("half_to_full", (51, 101)), ("half", (51, 51)), ("full", (101, 101)), (None, (51, 101))]
)
def test_an_insurance_is_half_or_the_whole_of_the_main_wager(option: str | None, amounts: tuple[int, int]) -> None:
    of = SHEETS["blackjack"].choice("insurance").amounts
    assert of is not None
    assert of(101, {} if option is None else {"insurance": option}) == amounts, "56/2004 art. 12.º-1"


@pytest.mark.law
def test_a_decision_of_another_game_is_none() -> None:
    with pytest.raises(KeyError):
        SHEETS["q_poker"].choice("hit")


@pytest.mark.law
@pytest.mark.parametrize(
    ("game", "article", "says"),
    [
        ("baccarat", "55/2004 art. 17.º-2", "A tie pays 8 to 1."),
        ("baccarat", "55/2004 art. 18.º-1", "5 % commission on banker winnings."),
        ("blackjack", "56/2004 art. 14.º-2(4)", "Three of one suit 5000 to 1."),
        ("casino_war", "74/2005 art. 7.º-3", "On equal cards a tie wager pays 10 to 1."),
        ("q_poker", "89/2004 art. 9.º-7(3)", "A higher straight wins 3 to 2."),
        ("three_card_baccarat", "22/96/M art. 9.º-3", "Three figures win it 16 times."),
    ],
)
def test_a_sentence_about_a_payout_follows_from_its_row(game: str, article: str, says: str) -> None:
    assert GAMES[game].articles[article] == says


@pytest.mark.law
def test_a_sentence_about_no_payout_is_a_defect() -> None:
    with pytest.raises(RegulationBug, match="a sentence about a payout"):
        to_one(GAMES["baccarat"].rulebook.payouts, "55/2004 art. 12.º")


WAR = SHEETS["casino_war"]


@pytest.mark.law
@pytest.mark.parametrize(
    ("without", "missing"),
    [
        ({"words": replace(WAR.words, bets={"ante": "Ante"})}, "no word for the bet 'tie'"),
        ({"words": replace(WAR.words, bets={"ante": "Ante", "tie": ""})}, "no word for the bet 'tie'"),
        ({"words": replace(WAR.words, outcomes={})}, "no word for the outcome 'win'"),
        ({"words": replace(WAR.words, title="")}, "no title"),
        ({"words": replace(WAR.words, short="")}, "no title"),
        ({"layout": replace(WAR.layout, bands=(("ante",),))}, "the bet 'tie' is in no band"),
        ({"layout": replace(WAR.layout, bands=(("tie", "odd"), ("ante",)))}, "'odd' is no bet"),
        ({"layout": replace(WAR.layout, tops=())}, "no owner of the cards at the top"),
        ({"bets": replace(WAR.bets, main="play")}, "'play' is no bet"),
        ({"bets": replace(WAR.bets, usual="play")}, "'play' is no bet"),
        ({"bets": replace(WAR.bets, needs={"tie": "play"})}, "'play' is no bet"),
        ({"bets": replace(WAR.bets, needs={"play": "tie"})}, "'play' is no bet"),
        ({"bets": replace(WAR.bets, stand_in_tie=frozenset({"play"}))}, "'play' is no bet"),
        ({"choices": (Choice(name="challenge", says=""),)}, "no word for the decision 'challenge'"),
        ({"choices": (Choice(name="raise", says="raise", adds="tie"),)}, "no amounts of 'tie'"),
        ({"choices": (Choice(name="raise", says="raise", beside="red"),)}, "no word for the bet 'red'"),
        ({"void_if_seen": True}, "a round is void if a card is seen, and no owner of it"),
    ],
)
def test_an_incomplete_sheet_says_what_it_lacks(without: dict[str, Any], missing: str) -> None:
    with pytest.raises(IncompleteSheet) as caught:
        replace(WAR, **without)
    assert missing in caught.value.missing
    assert (caught.value.game, str(caught.value).partition(": ")[0]) == (
        "casino_war",
        "the sheet of casino_war is incomplete",
    )


@pytest.mark.law
@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_a_name_that_several_games_declare_has_one_word(sheet: Sheet) -> None:
    for other in SHEETS.values():
        assert all(other.words.bets.get(bet, says) == says for bet, says in sheet.words.bets.items())
        assert all(other.words.outcomes.get(one, says) == says for one, says in sheet.words.outcomes.items())
        assert all(one.says == two.says for one in sheet.choices for two in other.choices if one.name == two.name)
