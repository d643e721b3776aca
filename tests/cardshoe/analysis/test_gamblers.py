"""The bets are fair: over all orders of a small stack the mean wealth of each gambler is 1 at most, at every card."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from cardshoe.analysis.account import Account, party
from cardshoe.analysis.gamblers import Absent, Gambler
from cardshoe.analysis.near import Near, Steps, Waiting
from cardshoe.analysis.order import UNKNOWN, Order, Unseen
from cardshoe.analysis.successors import Successors
from cardshoe.analysis.walking import Walk

STACK = (0, 0, 1, 1, 2, 3)
OLD = Order((1, 0, 2, 0, 1, 3))
GAPPED = Order((1, UNKNOWN, 2, 0, UNKNOWN, 3))
GAMBLERS: dict[str, Callable[[Order, Unseen], Gambler]] = {
    "walk": lambda order, _: Walk(order, 1),
    "walk back": lambda order, _: Walk(order, -1),
    "near": lambda order, _: Near(Waiting(order), Steps(2, 0.1)),
    "near one way": lambda order, _: Near(Waiting(order), Steps(1, 0.0)),
    "loose": lambda order, _: Near(Waiting(order), Steps(2, 0.1, is_even=True)),
    "successors": lambda order, _: Successors(order, 1, 2.0),
    "successors back": lambda order, _: Successors(order, -1, 6.0),
    "absent": Absent,
}


def orders(cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All different orders of some cards."""
    if not cards:
        yield ()
        return
    for card in sorted(set(cards)):
        rest = list(cards)
        rest.remove(card)
        for tail in orders(rest):
            yield (card, *tail)


def unseen() -> Unseen:
    """The small stack."""
    return Unseen([STACK.count(face) for face in range(52)])


ORDERS = list(orders(STACK))


@pytest.mark.parametrize("missed", [None, 0, 3])
@pytest.mark.parametrize("order", [OLD, GAPPED], ids=["known", "gapped"])
@pytest.mark.parametrize("name", GAMBLERS)
def test_no_gambler_wins_on_average(name: str, order: Order, missed: int | None) -> None:
    """Every card but ``missed``, which leaves unseen and stays among those that can come."""
    totals = [0.0] * len(STACK)
    for cards in ORDERS:
        left = unseen()
        gambler = GAMBLERS[name](order, left)
        for at, face in enumerate(cards):
            if at == missed:
                gambler.miss()
            else:
                gambler.see(face, left.chance(face))
                left.see(face)
            totals[at] += gambler.wealth
    means = [total / len(ORDERS) for total in totals]
    assert all(mean <= 1 + 1e-9 for mean in means)
    assert means[0] > 0.98  # it does not throw its wealth away either


def test_no_party_wins_on_average() -> None:
    total = 0.0
    for cards in ORDERS:
        left = unseen()
        total += Account().play(cards, left, party([[OLD, GAPPED]], left)).wealth[-1]
    assert 0.9 < total / len(ORDERS) <= 1 + 1e-9


def test_the_wealth_of_two_shoes_is_fair_too() -> None:
    """The wealth is shared out before the second shoe: over all pairs of orders its mean stays below 1."""
    small = list(orders((0, 0, 1, 2)))
    old = Order((0, 1, 0, 2))
    total = 0.0
    for first in small:
        for second in small:
            account = Account()
            for cards in (first, second):
                left = Unseen([(0, 0, 1, 2).count(face) for face in range(52)])
                account.play(cards, left, party([[old]], left))
            total += account.wealth
    assert 0.9 < total / len(small) ** 2 <= 1 + 1e-9


def test_a_walker_is_rich_where_nothing_was_shuffled() -> None:
    order = Order(list(range(52)))
    walker = Walk(order, 1)
    left = Unseen.of_decks(1)
    for face in [*range(30, 52), *range(30)]:
        walker.see(face, left.chance(face))
        left.see(face)
    assert walker.wealth > 1e30


def test_an_unseen_card_moves_the_walker_on() -> None:
    walkers = []
    for is_missed in (True, False):
        walker = Walk(Order(list(range(52))), 1)
        left = Unseen.of_decks(1)
        for face in range(20):
            if face == 10 and is_missed:
                walker.miss()
                continue
            walker.see(face, left.chance(face))
            left.see(face)
        walkers.append(walker.wealth)
    assert walkers[0] > walkers[1] / 100


@pytest.mark.parametrize("name", [name for name in GAMBLERS if name != "absent"])
def test_what_is_unknown_is_never_guessed(name: str) -> None:
    """An old order of which nothing is known makes nobody rich, and names no face."""
    left = Unseen.of_decks(1)
    gambler = GAMBLERS[name](Order([UNKNOWN] * 52), left)
    for face in range(40):
        assert gambler.guess() is None
        gambler.see(face, left.chance(face))
        left.see(face)
    assert gambler.wealth == pytest.approx(1)
