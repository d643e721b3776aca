"""A croupier's knowledge of a game that no prompt tells."""

import pytest

from sim.croupier import knowledge


@pytest.mark.parametrize(
    ("option", "seats", "needed"), [("shared", 1, 10), ("shared", 7, 24), ("per_player", 2, 19), ("per_player", 7, 32)]
)
def test_cards_for_the_worst_round_of_casino_war(option: str, seats: int, needed: int) -> None:
    assert knowledge.cards_needed("casino_war", {"croupier_war_card": option}, seats) == needed


def test_in_the_other_games_the_cut_card_sees_to_it() -> None:
    assert knowledge.cards_needed("blackjack", {}, 7) == 0


def test_the_depth_of_the_cut_card() -> None:
    assert knowledge.cut_card_behind("q_poker", {}) == 0
    assert knowledge.cut_card_behind("baccarat", {}) == 14
    assert knowledge.cut_card_behind("blackjack", {"cut_card_behind": 30}) == 30


def test_in_q_poker_the_croupier_cuts_whatever_the_orders() -> None:
    assert knowledge.cutter("q_poker", "player") == "croupier"
    assert knowledge.cutter("casino_war", "player") == "player"


def test_a_packet_is_given_where_the_game_or_the_house_has_it() -> None:
    assert knowledge.cards_at_once("q_poker", {}) == 3
    assert knowledge.cards_at_once("three_card_baccarat", {"deal": "three_at_a_time"}) == 3
    assert knowledge.cards_at_once("three_card_baccarat", {"deal": "one_at_a_time"}) == 1
    assert knowledge.cards_at_once("baccarat", {"deal": "face_down"}) == 1
