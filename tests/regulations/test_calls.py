"""By which permits a card may come: what is called for, since when, and what may be told late (reading G7)."""

import pytest

from regulations.events.vocabulary import Do
from regulations.play.context.card_permits import CardPermits

pytestmark = pytest.mark.law


def _called() -> CardPermits:
    calls = CardPermits()
    calls.answered(1, "shuffle", 0, is_missed=False)
    calls.answered(1, "draw", 1, is_missed=False)
    return calls


def test_a_permit_is_in_force_from_the_call_to_the_last_line() -> None:
    calls = _called()
    assert [calls.is_in_force(permit) for permit in (3, 4, 5)] == [False, True, False]
    calls.answered(2, "resolve", 1, is_missed=True)
    assert [calls.is_in_force(permit) for permit in (3, 4, 7, 8)] == [False, True, True, False]
    calls.card_came()
    assert not calls.is_in_force(4)


@pytest.mark.parametrize(("act", "still_due"), [("resolve", 0), ("close_bets", 1)])
def test_a_call_ends_where_nothing_is_due_or_something_else_is_asked(act: Do, still_due: int) -> None:
    calls = _called()
    calls.answered(1, act, still_due, is_missed=False)
    assert not calls.is_open


def test_what_was_permitted_up_to_the_loss_may_be_told_late() -> None:
    calls = _called()
    assert not calls.is_late(1)
    calls.answered(2, "resolve", 1, is_missed=True)
    assert [calls.is_late(permit) for permit in (6, 7, 8)] == [True, True, False]
    calls.answered(1, "draw", 1, is_missed=False)
    assert not calls.is_late(8)
