"""Simulated coups of eight decks against the known probabilities of baccarat."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Final

import pytest

from regulations.events.cards import DECK, RANKS, Card, rank_of
from regulations.events.inputs import CardDrawn, CutCard, RoundClosed
from regulations.events.outputs import ShoeOver
from regulations.games.baccarat.result import BaccaratResult
from tests.regulations.support.evaluator import Coup, coup
from tests.regulations.support.games.kit import stack_of
from tests.regulations.support.profiles import profile
from tests.regulations.support.running import lead

PROBABILITIES: Final = {"banker": 0.458597, "player": 0.446247, "tie": 0.095156}
"""Of a coup from eight full decks, by exact enumeration."""
COUPS: Final = 200_000
COUPS_ON_THE_MACHINE: Final = 2_000
DECKS: Final = 8
BEHIND: Final = 14
VALUES: Final = {rank: number if number < 10 else 0 for number, rank in enumerate(RANKS, start=1)}
CRITICAL_0_1_PERCENT: Final = 13.816
"""Chi-square with two degrees of freedom exceeds this once in a thousand times."""


def _shoes(chance: random.Random) -> Iterator[list[Card]]:
    cards = [*DECK] * DECKS
    while True:
        chance.shuffle(cards)
        yield list(cards)


def _coups(shoe: list[Card]) -> Iterator[Coup]:
    position = DECKS
    while position <= len(shoe) - BEHIND:
        judged = coup([VALUES[rank_of(card)] for card in shoe[position : position + 6]])
        position += judged.player_cards + judged.banker_cards
        yield judged


@pytest.mark.timeout(120)
def test_two_hundred_thousand_coups_agree_with_the_probabilities(seed: int) -> None:
    counts: Counter[str] = Counter()
    for shoe in _shoes(random.Random(seed)):
        counts.update(judged.winner for judged in _coups(shoe))
        if counts.total() >= COUPS:
            break
    coups = counts.total()
    chi_square = sum((counts[name] - p * coups) ** 2 / (p * coups) for name, p in PROBABILITIES.items())
    print(f"seed {seed}: {dict(counts)}, chi-square {chi_square:.3f}")  # noqa: T201  shown where it fails, or with -rP
    assert abs(sum(PROBABILITIES.values()) - 1) < 1e-9
    assert chi_square < CRITICAL_0_1_PERCENT


def test_the_machine_deals_the_same_shoes_to_the_same_verdicts(seed: int) -> None:
    dealt = 0
    table = profile(decks=DECKS)
    for shoe in _shoes(random.Random(seed)):
        procedure = lead(table, stack_of(table, BEHIND))
        verdicts: list[str] = []
        over = False
        for number, card in enumerate(shoe, start=1):
            outputs = procedure.apply(CardDrawn(card=card, count=number))
            verdicts += [output.outcome for output in outputs if isinstance(output, BaccaratResult)]
            decided = any(isinstance(output, BaccaratResult) for output in outputs)
            if number == len(shoe) - BEHIND:
                procedure.apply(CutCard())
            if decided:
                over = any(isinstance(output, ShoeOver) for output in procedure.apply(RoundClosed()))
            if over:
                break
        assert over, f"seed {seed}: the shoe did not end"
        assert verdicts == [judged.winner for judged in _coups(shoe)], f"seed {seed}"
        dealt += len(verdicts)
        if dealt >= COUPS_ON_THE_MACHINE:
            return
