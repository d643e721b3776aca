"""The settings of a run against a TDP device besides the port."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.x509 import Certificate, load_pem_x509_certificate

from conformance.tdp.untrusted_hosts import CertificateChain, chain_of
from drivers.errors import BadSetting
from drivers.plain_file import read_plain
from drivers.serial_port import SerialSettings
from drivers.tdp_settings import LINE, TdpSettings
from protocols.tdp.handshake import Security
from protocols.tdp.tls import TlsContext

_WHERE: Final = "TDP device"
_FIRST_ID: Final = "first_id"
_OTHER: Final = ("other_certificate", "other_key")
_SITE: Final = ("authority_certificate", "authority_key")
_VOUCHES: Final = "device_certificate"
_OWN: Final = (_FIRST_ID, *_OTHER, *_SITE, _VOUCHES)
_IDS: Final = 1 << 32
_GROUP: Final = "prime256v1"
"""secp256r1, which the page makes mandatory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TdpSetup:
    """The suite's settings for a device; None: not given, or a plain line."""

    security: Security = Security.PLAIN
    baud: int = LINE.baud
    context: TlsContext | None = None
    device_name: str | None = None
    first_id: int = 1
    host: Certificate | None = None
    other: tuple[Path, Path] | None = None
    site: CertificateChain | None = None
    device: Certificate | None = None
    least: TlsContext | None = None


def line_of(settings: Mapping[str, object]) -> SerialSettings:
    return _table_settings(settings).line


def setup_of(settings: Mapping[str, object]) -> TdpSetup:
    """The keys of ``drivers.tdp_settings``, and those of ``TdpSetup``.

    Raises:
        BadSetting: an unknown key or an impossible value.
    """
    first_id = settings.get(_FIRST_ID, 1)
    if isinstance(first_id, bool) or not isinstance(first_id, int) or not 1 <= first_id < _IDS:
        raise BadSetting(_WHERE, _FIRST_ID, f"{first_id!r} is impossible", "1 to 4294967295")
    table = _table_settings(settings)
    least = table.context()
    if least is not None:
        least.set_ecdh_curve(_GROUP)
    return TdpSetup(
        least=least,
        security=Security(table.terms.security),
        baud=table.line.baud,
        context=table.context(),
        device_name=table.device_name,
        first_id=first_id,
        host=None if table.certificate is None else _certificate("certificate", table.certificate),
        other=_pair(settings, _OTHER),
        site=_authority(settings),
        device=None if _VOUCHES not in settings else _certificate(_VOUCHES, _path(settings, _VOUCHES)),
    )


def _table_settings(settings: Mapping[str, object]) -> TdpSettings:
    return TdpSettings.from_mapping({key: value for key, value in settings.items() if key not in _OWN})


def _pair(settings: Mapping[str, object], names: tuple[str, str]) -> tuple[Path, Path] | None:
    if not any(name in settings for name in names):
        return None
    certificate, key = (_path(settings, name) for name in names)
    return certificate, key


def _authority(settings: Mapping[str, object]) -> CertificateChain | None:
    pair = _pair(settings, _SITE)
    if pair is None:
        return None
    try:
        return chain_of(*pair)
    except (OSError, ValueError) as error:
        raise BadSetting(_WHERE, _SITE[0], f"{error}", "PEM files of a certificate and of its key") from error


def _path(settings: Mapping[str, object], key: str) -> Path:
    value = settings.get(key)
    if not isinstance(value, str) or not value:
        problem = "missing" if value is None else f"{value!r} is impossible"
        raise BadSetting(_WHERE, key, problem, "the name of a PEM file")
    return Path(value)


def _certificate(key: str, path: Path) -> Certificate:
    try:
        return load_pem_x509_certificate(read_plain(path))
    except (OSError, ValueError) as error:
        raise BadSetting(_WHERE, key, f"{path}: {error}", "a PEM file with a certificate") from error
