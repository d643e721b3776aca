"""Who draws, who wins, with what points: the machine against an evaluator of our own."""

import random
from collections.abc import Sequence
from itertools import product
from typing import Final

import pytest

from regulations.events.cards import SUITS, Card, Rank, card_of
from regulations.events.inputs import CardDrawn, CardsReturned, RoundClosed
from regulations.events.outputs import Next
from regulations.games.baccarat.result import BaccaratResult
from regulations.procedure.procedure import Procedure
from tests.kit.length import at_length
from tests.regulations.support.evaluator import NO_CARD, RECEIVES, RECEIVES_NOT, THIRD_CARDS, Coup, clauses, coup
from tests.regulations.support.games.baccarat import ready
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import lead
from tests.regulations.support.tracing import RULEBOOK

RANKS: Final[tuple[Rank, ...]] = ("T", "A", "2", "3", "4", "5", "6", "7", "8", "9")
"""A rank for each value from 0 to 9."""
SPADES: Final = tuple(card_of(rank, "S") for rank in RANKS)
SAMPLE_ROUNDS: Final = at_length(5_000, 20_000)


@pytest.mark.law
def test_the_clauses_of_the_article_leave_nothing_open_and_contradict_each_other_nowhere() -> None:
    for banker in range(10):
        for third in THIRD_CARDS:
            found = [clauses(lines, banker, third) for lines in (RECEIVES, RECEIVES_NOT)]
            assert sum(map(bool, found)) == 1, f"banker {banker}, player's third card {third or NO_CARD}: {found}"


BANKER_BY_THE_ARTICLE: Final = {
    "round:judge@third_open[banker_below_3]": "9.º-3(1)",
    "round:judge@third_open[banker_has_3,third_calls_banker]": "9.º-3(2)",
    "round:judge@third_open[banker_has_3]": "9.º-4(1)",
    "round:judge@third_open[banker_has_4,third_calls_banker]": "9.º-3(3)",
    "round:judge@third_open[banker_has_4]": "9.º-4(2)",
    "round:judge@third_open[banker_has_5,third_calls_banker]": "9.º-3(4)",
    "round:judge@third_open[banker_has_5]": "9.º-4(3)",
    "round:judge@third_open[banker_has_6,third_calls_banker]": "9.º-3(5)",
    "round:judge@third_open[banker_has_6]": "9.º-4(4)",
}
"""The line of the article behind each of these rules; where banker stands, no output names it."""


@pytest.mark.law
def test_the_rules_of_the_banker_name_their_lines_of_the_article() -> None:
    articles = {RULEBOOK.name_of(rule): rule.article for rule in RULEBOOK.rules}
    assert {name: articles[name] for name in BANKER_BY_THE_ARTICLE} == {
        name: f"55/2004 art. {number}" for name, number in BANKER_BY_THE_ARTICLE.items()
    }


@pytest.mark.law
def test_the_machine_agrees_for_all_banker_points_and_third_cards() -> None:
    table = _Table()
    for banker, third in product(range(10), range(10)):
        table.deal((2, banker, 0, 0, third, 3), [0, 1, 2, 3, 0, 1])


class _Table:
    """A machine that takes rounds of any cards: twelve decks, returned to a shuffler-dealer after each round."""

    def __init__(self) -> None:
        table = profile(decks=12, equipment="shuffler_dealer")
        self._procedure: Procedure = lead(table, ready(table))

    def deal(self, values: Sequence[int], suits: Sequence[int]) -> None:
        expected = coup(values)
        order = [("player", 1), ("banker", 1), ("player", 2), ("banker", 2)]
        order += [("player", 3)] * (expected.player_cards == 3) + [("banker", 3)] * (expected.banker_cards == 3)
        for value, suit, following in zip(values, suits, [*order[1:], None], strict=False):
            card: Card = card_of(RANKS[value], SUITS[suit])
            outputs = self._procedure.apply(CardDrawn(card=card))
            prompt = outputs[-1]
            assert isinstance(prompt, Next)
            if following is None:
                assert prompt.do == "close_round", values
                self._compare([output for output in outputs if isinstance(output, BaccaratResult)], expected, values)
            else:
                assert (prompt.do, prompt.to, prompt.position) == ("draw", *following), values
        self._procedure.apply(RoundClosed())
        self._procedure.apply(CardsReturned(cards=len(order)))

    @staticmethod
    def _compare(results: Sequence[BaccaratResult], expected: Coup, values: Sequence[int]) -> None:
        (result,) = results
        assert (result.outcome, result.points.player, result.points.banker) == (
            expected.winner,
            expected.player,
            expected.banker,
        ), values
        assert (len(result.cards.player), len(result.cards.banker)) == (expected.player_cards, expected.banker_cards)
        first_two = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
        assert result.natural == any(points >= 8 for points in first_two)
        pairs = [side for side, one in (("player", 0), ("banker", 1)) if values[one] == values[one + 2]]
        assert result.pairs == pairs, values


def test_the_machine_deals_every_beginning_with_every_third_card(seed: int) -> None:
    table, chance = _Table(), random.Random(seed)
    met: dict[tuple[int, int], int] = {}
    combinations = set()
    for p1, b1, p2, b2 in product(range(10), repeat=4):
        totals = ((p1 + p2) % 10, (b1 + b2) % 10)
        third = met[totals] = (met.get(totals, -1) + 1) % 10
        combinations.add((*totals, third))
        table.deal((p1, b1, p2, b2, third, chance.randrange(10)), [chance.randrange(4) for _ in range(6)])
    assert len(combinations) == 1000


def test_the_machine_deals_rounds_drawn_at_random(seed: int) -> None:
    table, chance = _Table(), random.Random(seed + 1)
    for _ in range(SAMPLE_ROUNDS):
        table.deal([chance.randrange(10) for _ in range(6)], [chance.randrange(4) for _ in range(6)])
