"""The settings of a TDP device's port."""

import dataclasses
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from drivers.errors import BadSetting
from drivers.plain_file import must_be_plain
from drivers.serial_port import SerialSettings
from protocols.tdp.handshake import Security, Terms
from protocols.tdp.tls import TlsContext

LINE: Final = SerialSettings(baud=115200, bytesize=8, parity="N", stopbits=1)
"""On RS-232 (``docs/protocols/tdp.md``, section 2); USB and TCP ignore it."""

_WHERE: Final = "TDP device"
_LINE_KEYS: Final = tuple(one.name for one in dataclasses.fields(SerialSettings))
_TLS_KEYS: Final = ("certificate", "key", "authority", "device_name")
_SECURITY: Final = ("tls", "plain")


@dataclass(frozen=True, slots=True, kw_only=True)
class TdpSettings:
    """``device_name``: that of the device's certificate."""

    line: SerialSettings = LINE
    terms: Terms = field(default_factory=Terms)
    certificate: Path | None = None
    key: Path | None = None
    authority: Path | None = None
    device_name: str | None = None

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> Self:
        """``security`` is ``"tls"`` or, for bring-up, ``"plain"``.

        TLS needs ``certificate``, ``key``, ``authority`` (PEM files) and ``device_name``.

        Raises:
            BadSetting: an unknown or missing key, or an impossible value. Files are not read.
        """
        known = ("security", *_TLS_KEYS, *_LINE_KEYS)
        for key in settings:
            if key not in known:
                raise BadSetting(_WHERE, key, "unknown", ", ".join(known))
        line = LINE.changed({key: value for key, value in settings.items() if key in _LINE_KEYS})
        security = settings.get("security", "tls")
        if security not in _SECURITY:
            raise BadSetting(_WHERE, "security", f"{security!r} is impossible", '"tls", or "plain" for bring-up')
        texts = {key: _text(settings, key, needed=security == "tls") for key in _TLS_KEYS}
        paths = {key: Path(text) for key, text in texts.items() if text is not None and key != "device_name"}
        return cls(
            line=line,
            terms=Terms(security=Security.PLAIN if security == "plain" else Security.TLS13).at(line.baud),
            device_name=texts["device_name"],
            **paths,
        )

    def context(self) -> TlsContext | None:
        """``None``: the line is plain.

        Raises:
            BadSetting: a file cannot be read, or is no certificate or key.
        """
        certificate, key, authority = self.certificate, self.key, self.authority
        if self.terms.security is Security.PLAIN or certificate is None or key is None or authority is None:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        try:
            must_be_plain(authority)
            context.load_verify_locations(authority)
        except (OSError, ssl.SSLError) as error:
            raise BadSetting(_WHERE, "authority", f"{authority}: {error}", "a PEM file with certificates") from error
        try:
            must_be_plain(certificate)
            must_be_plain(key)
            context.load_cert_chain(certificate, key)
        except (OSError, ssl.SSLError) as error:
            where = f"{certificate} and {key}: {error}"
            raise BadSetting(_WHERE, "certificate", where, "PEM files of a certificate and of its key") from error
        return context


def line_of(settings: Mapping[str, object]) -> SerialSettings:
    """Raises as :meth:`TdpSettings.from_mapping`."""
    return TdpSettings.from_mapping(settings).line


def _text(settings: Mapping[str, object], key: str, *, needed: bool) -> str | None:
    value = settings.get(key)
    if value is None and not needed:
        return None
    if not isinstance(value, str) or not value:
        expected = "text" if needed else "nothing, or text"
        problem = "missing" if value is None else f"{value!r} is impossible"
        raise BadSetting(_WHERE, key, problem, f'{expected}; without certificates only `security = "plain"` works')
    return value
