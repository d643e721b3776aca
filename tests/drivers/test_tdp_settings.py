"""The settings of a TDP device: plain only if it is said, TLS only with all that it needs."""

import ssl
from pathlib import Path
from typing import Any, Final

import pytest

from drivers.errors import BadSetting
from drivers.tdp_settings import TdpSettings
from protocols.tdp.handshake import Security
from tests.kit import certificates

TLS: Final = {"certificate": "a.pem", "key": "a.key", "authority": "site.pem", "device_name": "shuffler-001"}


def test_plain_must_be_asked_for() -> None:
    plain = TdpSettings.from_mapping({"security": "plain"})
    assert plain.terms.security is Security.PLAIN
    assert plain.context() is None
    assert plain.line.baud == 115200
    assert TdpSettings.from_mapping({"security": "plain", "baud": 9600}).line.baud == 9600


@pytest.mark.parametrize(
    ("settings", "key", "words"),
    [
        ({}, "certificate", 'missing. Expected: text; without certificates only `security = "plain"` works'),
        ({**TLS, "key": ""}, "key", "'' is impossible"),
        ({**TLS, "device_name": 7}, "device_name", "7 is impossible"),
        ({"security": "none"}, "security", '"tls", or "plain" for bring-up'),
        ({"security": "plain", "bauds": 1}, "bauds", "unknown. Expected: security, certificate, key, authority"),
        ({"security": "plain", "baud": 1}, "baud", "1 is impossible"),
        ({"security": "plain", "certificate": 3}, "certificate", "3 is impossible"),
    ],
)
def test_what_is_wrong_is_named(settings: dict[str, Any], key: str, words: str) -> None:
    with pytest.raises(BadSetting) as caught:
        TdpSettings.from_mapping(settings)
    assert caught.value.key == key
    assert words in str(caught.value)


@certificates.needs_openssl
def test_tls_needs_all_and_reads_the_files_when_it_is_used(tmp_path: Path) -> None:
    site = certificates.make_site(tmp_path)
    right = certificates.host_settings(site)
    settings = TdpSettings.from_mapping(right)
    assert settings.terms.security is Security.TLS13
    context = settings.context()
    assert context is not None
    assert context.minimum_version is ssl.TLSVersion.TLSv1_3
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    wrong = {"authority": f"{certificates.HOST}.key", "certificate": "missing.pem", "key": "site.key"}
    for key, name in wrong.items():
        bad = TdpSettings.from_mapping({**right, key: str(site / name)})
        with pytest.raises(BadSetting) as caught:
            bad.context()
        assert caught.value.key == ("authority" if key == "authority" else "certificate")
        assert "PEM file" in str(caught.value)
