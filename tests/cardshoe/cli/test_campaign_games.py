"""``cardshoe campaign`` in every game: the law against its rules and odds a second time, and faults that are found."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import msgspec
import pytest

from cardshoe.cli.campaign.command import table_of
from cardshoe.cli.campaign.dealer import Dealer
from cardshoe.cli.campaign.games import PLAYED
from cardshoe.cli.campaign.games.blackjack_value import value_against
from cardshoe.cli.campaign.games.played_game import NET, rank_odds
from cardshoe.cli.campaign.seeds import shuffled, stream_of
from cardshoe.cli.campaign.totals import STAKE, Totals
from cardshoe.cli.campaign.verdict import FEW_SHOES, cells_of, wrong_of
from regulations.events.cards import DECK, Card
from regulations.games.blackjack import ranking
from regulations.games.casino_war.ranking import RISING
from regulations.games.registry import GAMES
from regulations.law.rulebook import Rulebook
from tests.cardshoe.cli.support import answered

SHOES = {"baccarat": 2, "blackjack": 4, "casino_war": 64, "q_poker": 100, "three_card_baccarat": 2}
"""Two games are played often enough that the mean net is tested as well."""
PLANNED = [(game, strategy) for game, one in PLAYED.items() for strategy in one.strategies or ("",)]


def totals(game: str, shoes: int, strategy: str = "", rulebook: Rulebook | None = None) -> Totals:
    """Shoes of a game through the law."""
    found, decks = Totals(), PLAYED[game].decks
    for index in range(shoes):
        cards = shuffled(stream_of(0, game, "p", index, "cards"), decks)
        found.add_shoe(Dealer(table_of(game), cards, strategy, rulebook).play())
    return found


def wrong(game: str, shoes: int, strategy: str = "", rulebook: Rulebook | None = None) -> list[str]:
    """What differs from the texts."""
    return list(wrong_of(totals(game, shoes, strategy, rulebook), PLAYED[game]))


def other_odds(game: str, bet: str, name: str, odds: Fraction) -> Rulebook:
    """The rulebook of a game with a payout changed."""
    rules = GAMES[game].rulebook
    payouts = [replace(one, odds=odds) if (one.bet, one.name) == (bet, name) else one for one in rules.payouts]
    assert payouts != rules.payouts
    return replace(rules, payouts=payouts)


# --- the law ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "strategy"), PLANNED)
def test_the_law_agrees_in_every_round(game: str, strategy: str) -> None:
    found = totals(game, SHOES[game], strategy)
    assert list(wrong_of(found, PLAYED[game])) == []
    assert found.fewest >= PLAYED[game].rounds
    for _, bet in PLAYED[game].wagers:
        settled = sum(n for name, n in found.money.items() if name.startswith(f"{bet}|") and name.endswith("|wagers"))
        assert settled == found.rounds * sum(one == bet for _, one in PLAYED[game].wagers)
    if game != "blackjack":  # its value takes seconds
        cells = cells_of(found, PLAYED[game], strategy)
        assert [cell.name for cell in cells if cell.fails] == []
        assert any(cell.name.startswith(NET) for cell in cells) == (found.shoes >= FEW_SHOES)


@pytest.mark.parametrize(
    ("game", "bet", "name", "odds", "shoes", "found"),
    [
        ("blackjack", "main", "blackjack", Fraction(6, 5), 1, "money: main on natural paid 12000 on 10000; due 15000"),
        ("blackjack", "any_pair", "pair", Fraction(10), 1, "money: any_pair on pair paid 100000 on 10000; due 110000"),
        ("casino_war", "ante", "war_equal", Fraction(1), 40, "money: ante on war tie paid 10000 on 10000; due 20000"),
        ("q_poker", "pair_plus", "flush", Fraction(3), 20, "money: pair_plus on flush paid 30000 on 10000; due 40000"),
        ("three_card_baccarat", "tie", "equal", Fraction(19), 1, "money: tie on tie paid 190000 on 10000; due 200000"),
    ],
)
def test_a_payout_off_by_a_unit_is_found(
    game: str, bet: str, name: str, odds: Fraction, shoes: int, found: str
) -> None:
    (one,) = wrong(game, shoes, rulebook=other_odds(game, bet, name, odds))
    assert one.startswith(found)


def test_a_croupier_who_draws_to_18_is_found_in_one_shoe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "CROUPIER_STANDS", 18)
    assert [one for one in wrong("blackjack", 1) if one.startswith("cards: ")]


def stack(cards: str) -> list[Card]:
    """These cards, and tens behind them."""
    return msgspec.convert([*cards.split(), *["TS"] * 8], list[Card])


# --- odds that are counted another way --------------------------------------------------------------------------------


def test_casino_war_is_played_out_over_small_decks() -> None:
    war = PLAYED["casino_war"]
    exact = war.odds("challenge")
    # All that depends on the war: two more cards behind a tie, of the fifty that are left.
    left = [card for card in DECK if card not in ("7S", "7H")]
    pairs = list(combinations(left, 2))
    equal = sum(one[0] == other[0] for one, other in pairs)
    assert exact["war tie"] == 2 * Fraction(3, 51) * Fraction(equal, len(pairs))
    assert sum(exact[cell] for cell in ("win", "lose", "war win", "war tie", "war lose")) == 2
    assert war.odds("surrender")["net ante"] == -2 * Fraction(3, 51) / 2
    assert sorted(RISING) == sorted(rank.removeprefix("rank ") for rank in rank_odds(1))


def test_q_poker_is_counted_hand_by_hand_against_some_hands() -> None:
    q_poker, rng = PLAYED["q_poker"], random.Random(7)
    exact = q_poker.odds("always_play")
    assert sum(exact[cell] for cell in ("not qualified", "win", "lose")) == 2
    assert exact["pair"] == 2 * Fraction(13 * 6 * 48, 22100)
    assert exact["straight flush"] == 2 * Fraction(4 * 12, 22100)
    # By symmetry: who plays with what the croupier plays with wins as often as he loses, and folds as often as he.
    same = q_poker.odds("queen_high")
    assert same["win"] == same["lose"]
    assert same["folded"] == exact["not qualified"]
    rounds = 1000
    net = Counter[str]()
    for _ in range(rounds):
        for wager in q_poker.read(rng.sample(DECK, 9), "always_play").wagers:
            net[wager.bet] += int(2 * wager.units)
    assert net["ante"] / rounds / 2 == pytest.approx(float(exact["net ante"]), abs=0.2)


def test_three_card_baccarat_has_known_odds() -> None:
    exact = PLAYED["three_card_baccarat"].odds("")
    assert exact["three figures"] == Fraction(96 * 95 * 94, 416 * 415 * 414)
    assert sum(chance for cell, chance in exact.items() if cell.endswith(("points", "figures"))) == 1
    assert exact["win"] + exact["lose"] + exact["tie"] == 1
    assert exact["net main"] == -exact["win"] / 20


def drawn(decks: int, up: int, rounds: int, rng: random.Random) -> float:
    """The mean net of rounds that the reader plays, against one open card."""
    blackjack, net = PLAYED["blackjack"], Fraction(0)
    open_card = next(card for card in DECK if card[0] == str(up))
    stack: list[Card] = list(DECK) * decks
    stack.remove(open_card)
    for _ in range(rounds):
        cards = rng.sample(stack, 40)
        net += blackjack.read([cards[0], open_card, *cards[1:]], "basic").wagers[0].units
    return float(net / rounds)


def test_the_value_of_blackjack_is_that_of_rounds_played_out() -> None:
    exact = value_against(8, "basic", 6)
    assert drawn(8, 6, 2000, random.Random(5)) == pytest.approx(exact, abs=0.12)
    assert exact == pytest.approx(0.23406, abs=5e-6)


@pytest.mark.parametrize(
    ("cards", "wishes", "units"),
    [
        # The seat's first card, the open one, the seat's second; then as they come.
        ("AS 5H KD", [], Fraction(3, 2)),
        ("8S 6H 8D 3S TD TC QS KH", ["split double", "stand"], None),
        ("7S 2H 7D 7C 4C KC KS 9S", ["split stand", "double"], None),
        ("6S 9H 7S 8S TD", ["hit"], Fraction(3)),
        ("TS 9H 6D", ["surrender"], Fraction(-1, 2)),
        ("2S 9H 2D 3S 4S 5S", ["hit hit hit half_pay"], Fraction(1, 2)),
        ("9S 6H 2D TD KS TC", ["double"], Fraction(2)),
    ],
)
def test_blackjack_is_read_by_the_texts(cards: str, wishes: list[str], units: Fraction | None) -> None:
    read = PLAYED["blackjack"].read(stack(cards), "basic")
    assert [" ".join(one) for one in read.decisions.values()] == wishes
    if units is not None:
        assert read.wagers[0].units == units


@pytest.mark.parametrize(
    ("cards", "cell", "units"),
    [
        ("7S 5H 9D", "1 sevens", -1),
        ("7S TH 7D 2C 9C", "2 sevens", 50),
        ("7S TH 7S 2C 9C", "2 sevens of one suit", 150),
        ("7S 5H 7S 7D TC", "3 sevens", 500),
        ("7S 5H 7S 7S TC", "3 sevens of one suit", 5000),
    ],
)
def test_sevens_are_read_by_the_texts(cards: str, cell: str, units: int) -> None:
    read = PLAYED["blackjack"].read(stack(cards), "basic")
    (sevens,) = [one for one in read.wagers if one.bet == "sevens"]
    assert (sevens.cell, sevens.units) == (cell, Fraction(units))


# --- the command ------------------------------------------------------------------------------------------------------


def test_a_strategy_that_the_game_does_not_have_is_refused() -> None:
    done = answered("campaign", "q_poker", "--shoes", "2", "--strategy", "bluff")
    assert done.returncode == 2
    assert b"Choose one of: queen_high, always_play." in done.stderr
    done = answered("campaign", "baccarat", "--shoes", "2", "--strategy", "bluff")
    assert done.returncode == 2
    assert b"Leave it out" in done.stderr


def test_a_strategy_has_blocks_of_its_own(tmp_path: Path) -> None:
    done = answered("campaign", "casino_war", "--shoes", "4", "--strategy", "surrender", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Strategy surrender." in (tmp_path / "campaign.html").read_text()
    other = answered("campaign", "casino_war", "--shoes", "4", "--out", tmp_path)
    assert other.returncode == 1
    assert b"strategy surrender" in other.stderr
    assert STAKE == 10_000
