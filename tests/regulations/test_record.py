"""The cut card keeps its place among the cards of a round when cards come in before it, or never left (reading G17)."""

import pytest

from regulations.play.context.drawn_card import DrawnCard
from regulations.play.context.record import RoundRecord

CARDS = [DrawnCard(card=card) for card in ("7C", "2D", "4C")]


def record() -> RoundRecord:
    """Three cards are out, and the cut card came behind the second one."""
    made = RoundRecord()
    made.came_out = [*CARDS]
    made.cut_card = 2, 1
    return made


@pytest.mark.law
@pytest.mark.parametrize(("at", "behind"), [(0, 4), (1, 4), (2, 2), (3, 2)])
def test_cards_that_come_in_before_the_cut_card_move_it(at: int, behind: int) -> None:
    made = record()
    made.insert(at, [DrawnCard(card="KH"), DrawnCard(card="KS")])
    assert made.cut_card == (behind, 1)
    assert [one.card for one in made.came_out[at : at + 2]] == ["KH", "KS"]


@pytest.mark.law
@pytest.mark.parametrize(("number", "behind"), [(0, 1), (1, 1), (2, 2)])
def test_a_card_that_never_left_moves_the_cut_card(number: int, behind: int) -> None:
    made = record()
    made.forget(CARDS[number])
    assert made.cut_card == (behind, 1)
    assert len(made.came_out) == 2
