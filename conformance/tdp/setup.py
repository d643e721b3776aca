"""What a run against a TDP device is told besides the port: as a table's configuration has it, and the first id."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from drivers.errors import BadSetting
from drivers.serial_port import SerialSettings
from drivers.tdp_settings import TdpSettings
from protocols.tdp.handshake import Security
from protocols.tdp.tls import TlsContext

_FIRST_ID: Final = "first_id"
_IDS: Final = 1 << 32


@dataclass(frozen=True, slots=True, kw_only=True)
class TdpSetup:
    """How the suite meets a device.

    Attributes:
        security: what the device is set to.
        context: for TLS, with the host's certificate and whom it trusts; None where the line is plain.
        device_name: the name that the device's certificate must have.
        first_id: the lowest command id to try. The device knows the highest it has seen; one above is found by trying.
    """

    security: Security = Security.PLAIN
    context: TlsContext | None = None
    device_name: str | None = None
    first_id: int = 1


def line_of(settings: Mapping[str, object]) -> SerialSettings:
    """Return the line's settings.

    Raises:
        BadSetting: an unknown key or an impossible value.
    """
    return _table_settings(settings).line


def setup_of(settings: Mapping[str, object]) -> TdpSetup:
    """Return how the device is met: the keys of the driver (``drivers.tdp_settings``), and ``first_id``.

    Raises:
        BadSetting: an unknown key, an impossible value, or a file that cannot be used.
    """
    first_id = settings.get(_FIRST_ID, 1)
    if isinstance(first_id, bool) or not isinstance(first_id, int) or not 1 <= first_id < _IDS:
        raise BadSetting("TDP device", _FIRST_ID, f"{first_id!r} is impossible", "1 to 4294967295")
    table = _table_settings(settings)
    return TdpSetup(
        security=Security(table.terms.security),
        context=table.context(),
        device_name=table.device_name,
        first_id=first_id,
    )


def _table_settings(settings: Mapping[str, object]) -> TdpSettings:
    return TdpSettings.from_mapping({key: value for key, value in settings.items() if key != _FIRST_ID})
