"""The sheets of the games: what they say that no prompt tells, and what an incomplete one lacks."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from regulations.events.cards import Card
from regulations.events.errors import IncompleteSheet, RegulationBug
from regulations.events.vocabulary import EquipmentKind, Game, Holder
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
@pytest.mark.parametrize(
    ("game", "cards", "points"),
    [
        ("baccarat", ["KS"], 0),
        ("baccarat", ["9H", "8D", "4C"], 1),
        ("blackjack", ["AS", "6D"], 17),
        ("blackjack", ["AS", "6D", "8C"], 15),
        ("three_card_baccarat", ["5S", "7D", "KC"], 2),
        ("three_card_baccarat", ["KS", "QD", "JC"], None),
        ("casino_war", ["9H"], None),
        ("q_poker", ["9H", "8D", "4C"], None),
    ],
)
def test_points_of_open_cards(game: str, cards: list[Card], points: int | None) -> None:
    assert SHEETS[game].layout.points(cards) == points


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


SIDES = ("any_pair", "sevens", "over_13", "under_13")
POINTS = tuple(f"points_{points}" for points in range(10))


@pytest.mark.law
@pytest.mark.parametrize(
    ("game", "main", "first", "side", "needs", "usual"),
    [
        ("baccarat", "banker", {"player", "banker", "tie"}, {"player_pair", "banker_pair"}, {}, ""),
        ("blackjack", "main", {"main"}, {*SIDES}, dict.fromkeys(SIDES, "main"), "main"),
        ("casino_war", "ante", {"ante"}, {"tie"}, {"tie": "ante"}, "ante"),
        ("q_poker", "ante", {"ante", "pair_plus"}, {"pair_plus"}, {}, "ante"),
        (
            "three_card_baccarat",
            "main",
            {"main", "odd", "even", "three_figures", *POINTS},
            {"odd", "even", "three_figures", "tie", *POINTS},
            {"tie": "main"},
            "main",
        ),
    ],
)
def test_the_bets_of_a_game(
    game: str, main: str, first: set[str], side: set[str], needs: dict[str, str], usual: str
) -> None:
    bets = SHEETS[game].bets
    assert (bets.main, {*bets.first}, {*bets.side}, bets.needs, bets.usual) == (main, first, side, needs, usual)
    assert bets.needs_own == (game == "casino_war"), "elsewhere any bettor's wager on the seat is enough"
    assert bets.needed == (game != "baccarat"), "a round of baccarat may be dealt without a wager (reading B8)"
    assert bets.stand_in_tie == ({"player", "banker"} if game == "baccarat" else set()), "55/2004 art. 12.º"


ODDS: dict[Game, dict[str, Fraction | int]] = {
    "baccarat": {"player": 1, "banker": Fraction(95, 100), "tie": 8, "player_pair": 11, "banker_pair": 11},
    "blackjack": {"main": 3, "insurance": 2, "any_pair": 11, "sevens": 5000, "over_13": 1, "under_13": 1},
    "casino_war": {"ante": 1, "tie": 10},
    "q_poker": {"ante": 3, "pair_plus": 40},
    "three_card_baccarat": {
        **dict.fromkeys(("main", "odd", "even"), Fraction(95, 100)),
        "three_figures": 16,
        "tie": 20,
        **dict.fromkeys(POINTS, 8),
    },
}
"""The best of each bet, from 55/2004 arts. 17.º, 18.º; 56/2004 arts. 12.º, 14.º, 15.º; 74/2005 art. 7.º;
89/2004 arts. 9.º-7, 10.º; 22/96/M arts. 9.º, 10.º."""


@pytest.mark.law
@pytest.mark.parametrize("game", SHEETS)
@pytest.mark.parametrize("banker_win", ["half_on_six", "commission", None])
def test_the_odds_of_a_bet_are_the_best_of_its_payouts(game: Game, banker_win: str | None) -> None:
    whole = {"banker": 1} if game == "baccarat" and banker_win == "half_on_six" else {}
    options = {} if banker_win is None else {"banker_win": banker_win}
    assert SHEETS[game].bets.odds(options) == ODDS[game] | whole


@pytest.mark.law
def test_the_bets_that_are_not_paid_together() -> None:
    """One of the first is paid at the table, one of the second to each bettor; ``+``: paid together."""
    said = {
        game: tuple({"+".join(sorted(end)) for end in ends} for ends in (sheet.bets.ends({}), sheet.bets.own_ends))
        for game, sheet in SHEETS.items()
    }
    odd_or_even = {f"{'odd' if points % 2 else 'even'}+points_{points}" for points in range(10)}
    assert said == {
        "baccarat": ({"player", "banker", "tie"}, set()),
        "blackjack": (set(), {"over_13", "under_13"}),
        "casino_war": (set(), {"ante", "tie"}),
        "q_poker": (set(), set()),
        "three_card_baccarat": ({"three_figures", *odd_or_even}, {"main", "tie"}),
    }
    both = SHEETS["three_card_baccarat"].bets.ends({"three_figures_win_zero_points": True})
    assert {"+".join(sorted(end)) for end in both} == {"points_0+three_figures", *odd_or_even}, "reading T4"


@pytest.mark.law
@pytest.mark.parametrize(
    ("game", "tops", "cards", "bands"),
    [
        ("baccarat", ("player", "banker"), 2, "banker_pair player_pair tie banker player"),
        ("blackjack", ("croupier",), 2, "under_13 over_13 sevens any_pair main"),
        ("casino_war", ("croupier",), 1, "tie ante"),
        ("q_poker", ("croupier",), 3, "pair_plus ante"),
        ("three_card_baccarat", ("banker",), 3, f"{','.join(POINTS)} tie three_figures odd even main"),
    ],
)
def test_the_layout_of_a_game(game: str, tops: tuple[str, ...], cards: int, bands: str) -> None:
    sheet, layout = SHEETS[game], SHEETS[game].layout
    assert (layout.tops, layout.cards) == (tops, cards)
    assert " ".join(",".join(band) for band in layout.bands) == bands
    assert (layout.seats_have_cards, layout.board) == ((False, "roads") if game == "baccarat" else (True, "results"))
    assert sheet.hidden_house == {"q_poker": "croupier", "three_card_baccarat": "banker"}.get(game)
    assert sheet.void_if_seen == (game == "q_poker"), "89/2004 art. 11.º"
    assert sheet.words.always == (("player", "banker", "tie") if game == "baccarat" else ())
    assert sheet.has_free_rounds == (game == "baccarat"), "55/2004 art. 2.º-2"


@pytest.mark.law
def test_the_decisions_of_a_game() -> None:
    """By name: ``*`` doubles all bettors' wagers, ``+`` the bettor's; ``|`` aside, ``/`` splits, ``!`` was decided."""
    signs = {"all": "*", "own": "+", "": ""}
    said = {
        game: " ".join(
            f"{one.name}{signs[one.raises]}{'|' if one.aside else ''}"
            f"{'/' if one.splits else ''}{'!' if one.decided else ''}"
            for one in sheet.choices
        )
        for game, sheet in SHEETS.items()
    }
    assert said == {
        "baccarat": "",
        "blackjack": "hit stand! double*! split/! surrender| insurance| even_money| half_pay|",
        "casino_war": "challenge+ surrender|",
        "three_card_baccarat": "",
        "q_poker": "play fold",
    }
    assert SHEETS["blackjack"].choice("split").beside == "any_pair", "56/2004 art. 13.º"
    assert SHEETS["blackjack"].choice("insurance").adds == "insurance"


@pytest.mark.law
def test_the_messages_of_a_table_are_its_bets_outcomes_and_buttons() -> None:
    said = [*SHEETS["q_poker"].messages]
    words = SHEETS["q_poker"].words
    assert said[:3] == [words.title, *words.bets.values()]
    assert said[3:7] == [says for says, _ in words.outcomes.values()]
    assert said[7:] == [one.says for one in SHEETS["q_poker"].choices]


@pytest.mark.law
def test_a_button_of_another_bettor_names_the_seat() -> None:
    insurance = SHEETS["blackjack"].choice("insurance")
    assert insurance.aside_amount_says == f"Seat %(seat)s: {insurance.amount_says}"
    assert {insurance.says, insurance.aside, insurance.amount_says} < {*insurance.messages}
    assert "" not in insurance.messages


@pytest.mark.law
def test_the_sign_of_an_outcome_is_that_of_what_the_main_wager_wins() -> None:
    """The board shows it beside the seat: ``+`` paid, ``−`` taken in whole or half, ``=`` stands."""
    said = {
        game: " ".join(f"{name}{sign}" for name, (_, sign) in sheet.words.outcomes.items())
        for game, sheet in SHEETS.items()
    }
    assert said == {
        "baccarat": "win+ tie=",
        "blackjack": "win+ lose− stand= blackjack+ bust− surrendered− half_paid+ even_money+ special+",
        "casino_war": "win+ lose− surrendered− stands= war_win+ war_tie+ war_lose−",
        "q_poker": "win+ lose− folded− not_qualified+",
        "three_card_baccarat": "win+ lose− tie=",
    }


@pytest.mark.law
@pytest.mark.parametrize(
    ("game", "owner", "options", "kind", "is_open"),
    [
        ("baccarat", "player", {}, "shoe", [1, 2, 3]),
        ("baccarat", "banker", {"deal": "face_up"}, "shoe", [1, 2, 3]),
        ("baccarat", "banker", {"deal": "face_down"}, "shoe", []),
        ("blackjack", "croupier", {}, "shoe", [1, 2, 3]),
        ("blackjack", "croupier", {}, "box", [1, 3]),
        ("blackjack", "seat", {}, "shoe", [3]),
        ("blackjack", "seat", {"procedure": "first"}, "box", [3]),
        ("blackjack", "seat", {"procedure": "second"}, "shoe", [1, 2, 3]),
        ("casino_war", "seat", {}, "shoe", [1, 2, 3]),
        ("q_poker", "seat", {}, "shuffler", []),
        ("three_card_baccarat", "banker", {}, "shoe", []),
    ],
)
def test_the_cards_that_are_laid_face_up(
    game: str, owner: Holder, options: dict[str, Any], kind: EquipmentKind, is_open: list[int]
) -> None:
    lies_open = SHEETS[game].layout.lies_open
    said = [lies_open(owner, at, options, kind, False) for at in (1, 2, 3)]  # noqa: FBT003  a layout's form
    assert said == [at in is_open for at in (1, 2, 3)]


@pytest.mark.law
def test_the_cards_of_a_split_hand_are_laid_face_up() -> None:
    lies_open = SHEETS["blackjack"].layout.lies_open
    assert [lies_open("seat", at, {}, "shoe", True) for at in (1, 2)] == [True, True]  # noqa: FBT003  a layout's form
    assert not lies_open("croupier", 2, {}, "box", True)  # noqa: FBT003  a layout's form


WAR = SHEETS["casino_war"]
AMOUNTS = SHEETS["blackjack"].choice("insurance").amounts


@pytest.mark.law
@pytest.mark.parametrize(
    ("without", "missing"),
    [
        ({"words": replace(WAR.words, bets={"ante": "Ante"})}, "no word for the bet 'tie'"),
        ({"words": replace(WAR.words, bets={"ante": "Ante", "tie": ""})}, "no word for the bet 'tie'"),
        ({"words": replace(WAR.words, outcomes={})}, "no word for the outcome 'win'"),
        (
            {"words": replace(WAR.words, outcomes={**WAR.words.outcomes, "win": ("", "+")})},
            "no word for the outcome 'win'",
        ),
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
        ({"bets": replace(WAR.bets, ends=lambda _: (frozenset({"play"}),))}, "'play' is no bet"),
        ({"bets": replace(WAR.bets, own_ends=(frozenset({"play"}),))}, "'play' is no bet"),
        ({"choices": (Choice(name="challenge", says=""),)}, "no word for the decision 'challenge'"),
        ({"choices": (Choice(name="raise", says="raise", adds="tie"),)}, "no amounts of 'tie'"),
        (
            {"choices": (Choice(name="raise", says="raise", adds="tie", amount_says="%(amount)s"),)},
            "no amounts of 'tie'",
        ),
        ({"choices": (Choice(name="raise", says="raise", adds="tie", amounts=AMOUNTS),)}, "no amounts of 'tie'"),
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
def test_each_outcome_of_the_result_has_its_own_word(sheet: Sheet) -> None:
    assert sorted(sheet.words.outcomes) == sorted(sheet.result.OUTCOMES)
    for words in (sheet.words.bets.values(), [says for says, _ in sheet.words.outcomes.values()]):
        assert len({*words}) == len(words)


@pytest.mark.law
@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_a_name_that_several_games_declare_has_one_word(sheet: Sheet) -> None:
    for other in SHEETS.values():
        assert all(other.words.bets.get(bet, says) == says for bet, says in sheet.words.bets.items())
        assert all(other.words.outcomes.get(one, says) == says for one, says in sheet.words.outcomes.items())
        assert all(one.says == two.says for one in sheet.choices for two in other.choices if one.name == two.name)
