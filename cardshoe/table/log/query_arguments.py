"""Typed rounds and times for a :class:`~cardshoe.table.log.query.Query`."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

SPAN: Final = re.compile(r"(?P<first>[1-9]\d{0,8})?(?P<dots>\.\.)?(?P<last>[1-9]\d{0,8})?", re.ASCII)
CLOCK: Final = re.compile(r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(:(?P<second>[0-5]\d))?", re.ASCII)
AGO: Final = re.compile(r"(?P<number>\d{1,6})(?P<unit>[smhd])", re.ASCII)
UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
DAY: Final = timedelta(days=1)


def rounds_of(text: str) -> tuple[int, int | None]:
    """Parse ``12``, ``12..14``, ``12..`` or ``..14``."""
    match = SPAN.fullmatch(text.strip())
    if match is None or not (match["first"] or match["last"]):
        raise ValueError(f"{text!r} names no rounds: write 12, 12..14, 12.. or ..14")
    first = int(match["first"] or 1)
    last = int(match["last"]) if match["last"] else None if match["dots"] else first
    if last is not None and last < first:
        raise ValueError(f"{text!r} ends before it begins")
    return first, last


def moment_of(text: str, now: datetime, zone: tzinfo = UTC, since: str = "") -> str:
    """Parse a typed time into the log's form.

    Args:
        text: RFC 3339; date and time without offset; ``22:00``; or an age, ``2h`` (``s``, ``m``, ``h``, ``d``).
        since: a time of day is the next after this; empty: the last before now.

    Raises:
        ValueError: another form.
    """
    text = text.strip()
    try:
        if (match := AGO.fullmatch(text)) is not None:
            return log_time(now - timedelta(**{UNITS[match["unit"]]: int(match["number"])}))
        if (match := CLOCK.fullmatch(text)) is not None:
            start = datetime.fromisoformat(since) if since else now
            shown = start.astimezone(zone).replace(
                hour=int(match["hour"]), minute=int(match["minute"]), second=int(match["second"] or 0), microsecond=0
            )
            if since and shown < start:
                shown += DAY
            elif not since and shown > now:
                shown -= DAY
            return log_time(shown)
        moment = datetime.fromisoformat(text)
        return log_time(moment if moment.tzinfo is not None else moment.replace(tzinfo=zone))
    except (ValueError, OverflowError) as error:
        raise ValueError(
            f"{text!r} is not a time: write 2026-01-05T22:00:00Z, 2026-01-05, 22:00, or 2h for two hours ago"
        ) from error


def log_time(moment: datetime) -> str:
    """UTC, microseconds."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
