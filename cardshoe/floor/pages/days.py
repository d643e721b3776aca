"""Gaming days of Macau, from a morning hour to the next."""

from datetime import date, datetime, timedelta, timezone
from typing import Final

from cardshoe.screens.rendering import MACAU

ZONE: Final = timezone(MACAU)
YEARS: Final = (2000, 2199)


class GamingDays:
    """A casino's days; ``begins_hour`` of Macau, 0 to 23."""

    def __init__(self, begins_hour: int = 0) -> None:
        self._begins: Final = timedelta(hours=begins_hour)

    def day_of(self, moment: datetime) -> date:
        """The gaming day of a moment with a zone."""
        return (moment.astimezone(ZONE) - self._begins).date()

    def begin(self, day: date) -> datetime:
        """The begin of a gaming day."""
        return datetime(day.year, day.month, day.day, tzinfo=ZONE) + self._begins

    def span(self, first: date, last: date) -> tuple[datetime, datetime]:
        """From the begin of one day to the end of another."""
        return self.begin(first), self.begin(last + timedelta(days=1))


def read_day(text: str) -> date:
    """Parse ``YYYY-MM-DD``.

    Raises:
        ValueError: not a date, or out of range.
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
    """Date and time in Macau for a form field, to the second."""
    return moment.astimezone(ZONE).strftime("%Y-%m-%dT%H:%M:%S")


def clock(moment: datetime) -> str:
    """Time in Macau, to the second."""
    return moment.astimezone(ZONE).strftime("%H:%M:%S")


def lasted(begun: datetime, ended: datetime) -> str:
    """Duration: ``2:05``, minutes and seconds; ``1:02:05`` with hours."""
    seconds = max(0, round((ended - begun).total_seconds()))
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
