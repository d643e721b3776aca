"""Times in the registry: RFC 3339, UTC, whole seconds."""

from datetime import UTC, datetime, timedelta
from typing import Final

from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import ActRefused

VALID_FOR: Final = timedelta(minutes=15)
"""How long a proposal waits unless it says otherwise: both persons stand at the device."""
VALID_FOR_MAX: Final = timedelta(hours=24)
"""The longest that a proposal may wait: the next shift."""
CLOCK_TOLERANCE: Final = timedelta(minutes=5)
"""How far a clock may be set back by a time server without being called wrong."""
_FORM: Final = "%Y-%m-%dT%H:%M:%SZ"


def format_time(moment: datetime) -> str:
    """A time as text.

    Args:
        moment: with its time zone; fractions of a second are cut off.
    """
    return moment.astimezone(UTC).strftime(_FORM)


def parse_time(text: str) -> datetime:
    """The time that a text says.

    Raises:
        ActRefused: not a time in this form.
    """
    try:
        moment = datetime.strptime(text, _FORM).replace(tzinfo=UTC)
    except ValueError as error:
        raise ActRefused(TrustCode.REGISTRY_ALTERED, f"{text!r} is not a time as a registry writes it") from error
    if format_time(moment) != text:
        raise ActRefused(TrustCode.REGISTRY_ALTERED, f"{text!r} is not a time as a registry writes it")
    return moment


def whole(moment: datetime) -> datetime:
    """The time to the second, as it would be read again."""
    return moment.astimezone(UTC).replace(microsecond=0)
