"""Working days in Macau (55/2004 art. 19.º; table log, "Profile"). The dates are the government's published ones."""

from datetime import date

import pytest

from regulations.law.calendar import date_in_macau, has_notice, is_working_day

pytestmark = pytest.mark.law


@pytest.mark.parametrize(
    ("day", "works"),
    [
        ("2026-01-01", False),  # New Year, a Thursday
        ("2026-01-02", True),
        ("2026-01-03", False),  # Saturday
        ("2026-01-04", False),  # Sunday
        ("2026-01-05", True),
        ("2026-02-13", True),  # the Friday before
        ("2026-02-16", False),  # Chinese New Year's Eve: a government holiday, not a public one
        ("2026-02-17", False),  # Chinese New Year
        ("2026-02-18", False),
        ("2026-02-19", False),
        ("2026-02-20", True),
        ("2026-04-02", True),
        ("2026-04-03", False),  # Good Friday: public by Ordem Executiva 60/2000
        ("2026-04-06", False),  # compensation of the day before Easter
        ("2026-04-07", False),  # compensation of Tomb-Sweeping Day
        ("2026-05-01", False),  # Labour Day
        ("2026-10-01", False),  # National Day
        ("2026-10-02", False),
        ("2026-12-08", False),  # Immaculate Conception
        ("2026-12-20", False),  # Establishment Day, a Sunday
        ("2026-12-21", False),  # and its compensation
        ("2026-12-31", False),  # New Year's Eve: government
        ("2025-01-28", False),  # Chinese New Year's Eve of another year
        ("2025-02-03", True),
    ],
)
def test_working_days(day: str, works: bool) -> None:
    assert is_working_day(date.fromisoformat(day)) is works


@pytest.mark.parametrize(
    ("requested", "effective", "days", "enough"),
    [
        ("2026-01-12", "2026-01-15", 3, True),  # the day of the request does not count, the last one does
        ("2026-01-12", "2026-01-14", 3, False),
        ("2026-01-12", "2026-01-12", 3, False),
        ("2026-01-12", "2026-01-09", 3, False),
        ("2026-01-12", "2026-01-12", 0, True),
        ("2026-01-09", "2026-01-13", 3, False),  # over a weekend
        ("2026-01-09", "2026-01-14", 3, True),
        ("2025-12-30", "2026-01-05", 3, False),  # over New Year: only the 2nd and the 5th
        ("2025-12-30", "2026-01-06", 3, True),
        ("2026-02-13", "2026-02-23", 3, False),
        ("2026-02-13", "2026-02-24", 3, True),
        ("2024-01-01", "2026-01-01", 3, True),  # long ago
    ],
)
def test_notice(requested: str, effective: str, days: int, enough: bool) -> None:
    assert has_notice(date.fromisoformat(requested), date.fromisoformat(effective), days) is enough


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-03-02T15:59:59.999999Z", "2026-03-02"),
        ("2026-03-02T16:00:00.000000Z", "2026-03-03"),
        ("2025-12-31T16:00:00.000000Z", "2026-01-01"),
        ("1970-01-01T00:00:00.000000Z", "1970-01-01"),
    ],
)
def test_the_date_in_macau(at: str, day: str) -> None:
    assert date_in_macau(at) == date.fromisoformat(day)
