"""When the day of a house is over in which a log began."""

import pytest

from cardshoe.table.log.house_day import HouseDay


@pytest.mark.parametrize(
    ("hour", "begun", "now", "left_s"),
    [
        (0, "2026-01-05T10:00:00.000000Z", "2026-01-05T10:00:00.000000Z", 6 * 3600),  # 18:00 in Macau
        (6, "2026-01-05T10:00:00.000000Z", "2026-01-05T22:00:00.000000Z", 0),  # 06:00 of the next day
        (6, "2026-01-05T21:59:59.000000Z", "2026-01-05T22:00:01.000000Z", -1),
        (6, "2026-01-05T22:00:00.000000Z", "2026-01-05T22:00:01.000000Z", 86_399),
        (6, "2026-01-05T22:00:00.000000Z", "2026-01-12T22:00:00.000000Z", -6 * 86_400),
        (23, "2026-01-05T15:00:00.000000Z", "2026-01-05T10:00:00.000000Z", 86_400 + 5 * 3600),  # the clock was set back
    ],
)
def test_seconds_left(hour: int, begun: str, now: str, left_s: float) -> None:
    assert HouseDay(hour).left_s(begun, now) == left_s
