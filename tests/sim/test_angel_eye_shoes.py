"""Whole shoes of the shoe's own play on virtual time, judged by an evaluator written here from art. 9.º and 11.º."""

import random
from collections import Counter

import pytest

from protocols.angel_eye.messages import CardDrawn, CutCardDrawn, Outcome, RoundResult, Target
from regulations.events.cards import DECK, Card
from sim.angel_eye import tableau
from sim.angel_eye.settings import ShoeSettings
from tests.sim.shoes import RecordedShoe

SHOES = 50
VALUES = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 0, "J": 0, "Q": 0, "K": 0}


def total(hand: list[Card]) -> int:
    return sum(VALUES[card[0]] for card in hand) % 10


def coup(cards: list[Card]) -> tuple[list[Card], list[Card]]:
    """The hands that art. 7.º and 9.º make of the next cards."""
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    rest = iter(cards[4:])
    if total(player) >= 8 or total(banker) >= 8:
        return player, banker
    third: int | None = None
    if total(player) <= 5:
        player.append(next(rest))
        third = VALUES[player[2][0]]
    have = total(banker)
    calls = {
        0: True,
        1: True,
        2: True,
        3: third is None or third != 8,
        4: third is None or 2 <= third <= 7,
        5: third is None or 4 <= third <= 7,
        6: third in (6, 7),
        7: False,
    }
    if calls[have]:
        banker.append(next(rest))
    return player, banker


def outcome(player: list[Card], banker: list[Card]) -> Outcome:
    if total(player) == total(banker):
        return Outcome.TIE
    return Outcome.PLAYER if total(player) > total(banker) else Outcome.BANKER


@pytest.mark.parametrize("number", range(SHOES))
def test_a_whole_shoe(seed: int, number: int) -> None:
    rng = random.Random(seed + number)
    decks = rng.choice([6, 8, 12])
    cards = list(DECK) * decks
    rng.shuffle(cards)
    round_burn = rng.random() < 0.3
    settings = ShoeSettings(
        initial_burn=rng.choice(["none", "per_deck", "first_card_value"]), burn_cards=decks, round_burn=round_burn
    )
    it = RecordedShoe(cards, settings, cut_card_behind=14)
    told: list[Card] = []
    results = []
    cut_cards = 0
    while it.shoe.cards_left >= 14:
        while it.shoe.panel.due is not None:
            it.shoe.draw()
        verdict = it.shoe.panel.verdict
        assert verdict is not None
        it.shoe.panel.press(verdict)
        for message in it.said():
            if isinstance(message, CardDrawn):
                assert message.card is not None
                told.append(message.card)
                results.append((message.target, message.card))
            elif isinstance(message, CutCardDrawn):
                cut_cards += 1
            else:
                assert isinstance(message, RoundResult)
                check_round(results, message)
                results = []
    assert Counter([*told, *it.shoe.cards]) == Counter(cards)
    assert [*told, *it.shoe.cards] == cards
    assert cut_cards == (it.shoe.cards_before_cut_card is None)


def check_round(drawn: list[tuple[Target, Card]], result: RoundResult) -> None:
    dealt = [(target, card) for target, card in drawn if target in (Target.PLAYER, Target.BANKER)]
    player, banker = coup([card for _target, card in dealt] + ["2S", "2S"])
    assert [card for target, card in dealt if target is Target.PLAYER] == player
    assert [card for target, card in dealt if target is Target.BANKER] == banker
    assert result.outcome is outcome(player, banker)
    assert result.player_pair == (player[0][0] == player[1][0])
    assert result.banker_pair == (banker[0][0] == banker[1][0])


def test_the_shoe_s_tableau_is_art_9_for_every_pattern_of_six_ranks() -> None:
    ranks: list[Card] = ["AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS"]
    for p1 in ranks:
        for p2 in ranks:
            for b1 in ranks:
                for b2 in ranks:
                    for third in ranks:
                        check_pattern([p1, b1, p2, b2, third, "KS"])


def check_pattern(cards: list[Card]) -> None:
    player, banker = coup(cards)
    first_player, first_banker = player[:2], banker[:2]
    assert tableau.player_draws(first_player, first_banker) == (len(player) == 3)
    assert tableau.banker_draws(player, first_banker) == (len(banker) == 3)
    assert tableau.winner(player, banker) is outcome(player, banker)
