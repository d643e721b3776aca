"""Gaming days of Macau: from one hour of the morning to the same of the next day."""

from datetime import date, datetime, timedelta, timezone
from typing import Final

from cardshoe.screens.rendering import MACAU

ZONE: Final = timezone(MACAU)
YEARS: Final = (2000, 2199)
"""Days that may be asked for."""


class GamingDays:
    """The days of a house.

    Args:
        begins_hour: the hour of Macau at which a gaming day begins, 0 to 23.
    """

    def __init__(self, begins_hour: int = 0) -> None:
        self._begins: Final = timedelta(hours=begins_hour)

    def day_of(self, moment: datetime) -> date:
        """The gaming day of a moment, which names its zone."""
        return (moment.astimezone(ZONE) - self._begins).date()

    def begin(self, day: date) -> datetime:
        """When a gaming day begins."""
        return datetime(day.year, day.month, day.day, tzinfo=ZONE) + self._begins

    def span(self, first: date, last: date) -> tuple[datetime, datetime]:
        """From the begin of one day to the end of another."""
        return self.begin(first), self.begin(last + timedelta(days=1))


def read_day(text: str) -> date:
    """A day as a form has it, ``YYYY-MM-DD``.

    Raises:
        ValueError: it is none, or too far away.
    """
    day = date.fromisoformat(text)
    if not YEARS[0] <= day.year <= YEARS[1]:
        raise ValueError(f"{text} is too far away")
    return day


def macau(moment: datetime) -> str:
    """Date and time in Macau, to the second."""
    return moment.astimezone(ZONE).strftime("%Y-%m-%d %H:%M:%S")


def stamp(moment: datetime) -> str:
    """Date and time in Macau, to the millisecond."""
    local = moment.astimezone(ZONE)
    return f"{local:%Y-%m-%d %H:%M:%S}.{local.microsecond // 1000:03}"


def field_time(moment: datetime) -> str:
    """Date and time in Macau as a field of a form has it, to the second."""
    return moment.astimezone(ZONE).strftime("%Y-%m-%dT%H:%M:%S")


def clock(moment: datetime) -> str:
    """The time in Macau, to the second."""
    return moment.astimezone(ZONE).strftime("%H:%M:%S")


def lasted(begun: datetime, ended: datetime) -> str:
    """How long something lasted: ``2:05``, minutes and seconds; ``1:02:05`` with hours."""
    seconds = max(0, round((ended - begun).total_seconds()))
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
