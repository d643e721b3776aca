"""A log in words, where it is no line as this version writes it."""

from datetime import UTC, tzinfo
from typing import Final

import pytest

from cardshoe.table.log.query import together
from cardshoe.table.terminal.journal_words import WIDTH, in_words
from regulations.law.calendar import MACAU_TIME

AT: Final = b'"at":"2026-01-05T22:00:00.000000Z"'
CLOSED: Final = b'{"event":"round_closed","seq":7,%b,"round":3,"origin":"person"}' % AT
NEXT: Final = b'{"event":"next","seq":8,%b,"do":"close_bets"}' % AT
PASSED: Final = b'{"event":"passed_over","seq":9,%b,"entry":4,"hash":"00","by":["7","8"]}' % AT


def test_an_input_that_nothing_tells_of_has_its_name() -> None:
    assert list(in_words(together([CLOSED, NEXT]), "baccarat"))[1:] == ["22:00:00    round closed"]


def test_a_line_of_another_version_has_its_name_too() -> None:
    later = CLOSED.replace(b'"origin"', b'"mood":"good","origin"')
    assert list(in_words(together([later, NEXT]), "baccarat"))[1:] == ["22:00:00    round closed"]


def test_what_the_journal_says_of_itself() -> None:
    said = list(in_words(together([CLOSED, NEXT, PASSED]), "baccarat"))
    assert said[-1] == "22:00:00  entry 4 passed over, which cannot be processed: 7 and 8"


@pytest.mark.parametrize(("zone", "day"), [(UTC, "2026-01-05 UTC"), (MACAU_TIME, "2026-01-06 Macau")])
def test_a_rule_says_round_day_and_line(zone: tzinfo, day: str) -> None:
    rule = next(in_words(together([CLOSED, NEXT]), "baccarat", zone))
    assert rule.rstrip("─ ") == f"── round 3, {day}, from line 7"
    assert len(rule) == WIDTH
