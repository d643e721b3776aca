"""A person's question to a log."""

from datetime import UTC, datetime
from typing import Final

import pytest

from cardshoe.table.log.query_arguments import moment_of, rounds_of
from regulations.law.calendar import MACAU_TIME

NOW: Final = datetime(2026, 1, 6, 1, 30, tzinfo=UTC)  # 09:30 in Macau


@pytest.mark.parametrize(
    ("text", "rounds"),
    [("12", (12, 12)), ("12..14", (12, 14)), ("12..", (12, None)), ("..14", (1, 14)), (" 1..1 ", (1, 1))],
)
def test_rounds(text: str, rounds: tuple[int, int | None]) -> None:
    assert rounds_of(text) == rounds


@pytest.mark.parametrize("text", ["", "..", "0", "14..12", "1-2", "a", "-1", "1..2..3", "٣"])
def test_no_rounds(text: str) -> None:
    with pytest.raises(ValueError, match=r"names no rounds|ends before"):
        rounds_of(text)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-01-05T22:00:00Z", "2026-01-05T22:00:00.000000Z"),
        ("2026-01-05T22:00:00.5+08:00", "2026-01-05T14:00:00.500000Z"),
        ("2026-01-05", "2026-01-05T00:00:00.000000Z"),
        ("01:00", "2026-01-06T01:00:00.000000Z"),
        ("22:00", "2026-01-05T22:00:00.000000Z"),  # the last one: it is half past one in the night
        ("22:00:30", "2026-01-05T22:00:30.000000Z"),
        ("2h", "2026-01-05T23:30:00.000000Z"),
        ("90s", "2026-01-06T01:28:30.000000Z"),
        ("3d", "2026-01-03T01:30:00.000000Z"),
    ],
)
def test_times(text: str, at: str) -> None:
    assert moment_of(text, NOW) == at


def test_times_without_an_offset_are_those_of_the_wall_clock_that_is_asked_for() -> None:
    assert moment_of("2026-01-05", NOW, MACAU_TIME) == "2026-01-04T16:00:00.000000Z"
    assert moment_of("09:00", NOW, MACAU_TIME) == "2026-01-06T01:00:00.000000Z"
    assert moment_of("10:00", NOW, MACAU_TIME) == "2026-01-05T02:00:00.000000Z"
    assert moment_of("2026-01-05T22:00:00Z", NOW, MACAU_TIME) == "2026-01-05T22:00:00.000000Z"


def test_a_time_of_day_after_another_is_the_next_one() -> None:
    since = "2026-01-03T22:00:00.000000Z"
    assert moment_of("02:00", NOW, since=since) == "2026-01-04T02:00:00.000000Z"
    assert moment_of("23:00", NOW, since=since) == "2026-01-03T23:00:00.000000Z"


@pytest.mark.parametrize(
    "text", ["", "24:00", "7", "2w", "yesterday", "2026-13-01", "999999d", "0001-01-01T00:00+08:00"]
)
def test_no_times(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time: write 2026-"):
        moment_of(text, NOW)
