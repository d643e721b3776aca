"""The wall clock, as the log writes it."""

from datetime import UTC, datetime


def wall_time() -> str:
    """Now: RFC 3339, UTC, microseconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
