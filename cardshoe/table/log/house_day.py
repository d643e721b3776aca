"""The gaming day: the log ends with the next clean shoe game."""

from datetime import UTC, datetime, timedelta
from typing import Final

from regulations.law.calendar import MACAU_TIME

_DAY: Final = timedelta(days=1)


class HouseDay:
    """The begin of a gaming day, an hour of Macau, 0 to 23."""

    def __init__(self, begins_hour: int) -> None:
        self._begins: Final = timedelta(hours=begins_hour)

    def left_s(self, begun: str, now: str) -> float:
        """Seconds left of the day in which a log began; 0 or less: over."""
        first = datetime.fromisoformat(begun).astimezone(MACAU_TIME) - self._begins
        ends = datetime(first.year, first.month, first.day, tzinfo=MACAU_TIME) + _DAY + self._begins
        return (ends - datetime.fromisoformat(now).astimezone(UTC)).total_seconds()
