"""Working days in Macau, for the notice that an authorisation needs (55/2004 art. 19.º)."""

from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from holidays import HolidayBase

MACAU_TIME: Final = timezone(timedelta(hours=8), "Macau")
"""UTC+8 all year round."""


@cache
def _holidays_of(year: int) -> "HolidayBase":
    from holidays import country_holidays  # noqa: PLC0415  its calendars take 0.1 s to load; most tables ask for no date

    # The regulator works on no public holiday and on no day off of the public administration. The library's "optional"
    # are the public holidays: those that every employer must give, which are its "public", and Good Friday.
    return country_holidays("MO", years=year, categories=("optional", "government"))


def is_working_day(day: date) -> bool:
    """No Saturday, Sunday, public or government holiday of Macau."""
    saturday = 5
    return day.weekday() < saturday and day not in _holidays_of(day.year)


def has_notice(after: date, until: date, days: int) -> bool:
    """At least ``days`` working days d in ``after`` < d ≤ ``until``."""
    dates = (after + timedelta(days=n) for n in range(1, (until - after).days + 1))
    return len(list(islice(filter(is_working_day, dates), days))) == days


def date_in_macau(at: str) -> date:
    return datetime.fromisoformat(at).replace(tzinfo=UTC).astimezone(MACAU_TIME).date()
