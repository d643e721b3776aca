"""Times in the registry: RFC 3339, UTC, whole seconds."""

from datetime import UTC, datetime, timedelta
from typing import Final

from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import ActRefused

VALID_FOR: Final = timedelta(minutes=15)
VALID_FOR_MAX: Final = timedelta(hours=24)
CLOCK_TOLERANCE: Final = timedelta(minutes=5)
"""A time server may set a clock back so far."""
_FORM: Final = "%Y-%m-%dT%H:%M:%SZ"


def format_time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime(_FORM)


def parse_time(text: str) -> datetime:
    try:
        moment = datetime.strptime(text, _FORM).replace(tzinfo=UTC)
    except ValueError as error:
        raise ActRefused(TrustCode.REGISTRY_ALTERED, f"{text!r} is not a time as a registry writes it") from error
    if format_time(moment) != text:
        raise ActRefused(TrustCode.REGISTRY_ALTERED, f"{text!r} is not a time as a registry writes it")
    return moment


def whole(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)
