"""A site's certificates make TLS between a real host and a simulated device, and OpenSSL reads its lists."""

import ssl
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from drivers.tdp_settings import TdpSettings
from firmware_bridge.trust import certificates, keys
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.facts import DeviceEvidence
from firmware_bridge.trust.site import Site, found_site
from firmware_bridge.trust.verification import verdict
from protocols.tdp.commands import Attest
from protocols.tdp.messages import Attestation, Hello
from protocols.tdp.states import Role
from protocols.tdp.tls import Secured, TlsFailed, TlsStream
from sim.tdp.certified import certified
from sim.tdp.settings import TdpMachineSettings as SimulatedSettings
from tests.firmware_bridge.trust.houses import DEVICE_KEY, PASSPHRASE, House, shuffler
from tests.firmware_bridge.trust.sticks import key_from, public
from tests.kit.certificates import needs_openssl
from tests.protocols.tdp.lines import exchange
from tests.sim.tdp.rig import Rig

NONCE = bytes(range(32))


@pytest.fixture(scope="module")
def today() -> datetime:
    """TLS asks the machine's clock."""
    return datetime.now(UTC)


def opened(folder: Path, today: datetime) -> House:
    """A site of today."""
    found_site(
        folder, "x", {name: public(key_from(name)) for name in ("anna", "bruno")}, PASSPHRASE, today, cost=keys.COST_MIN
    )
    return House(folder, Site(folder).issuer(PASSPHRASE))


@pytest.fixture
def site(tmp_path: Path, today: datetime) -> House:
    """A site of today with a device and a table's computer, and their files as PEM."""
    house = opened(tmp_path / "site", today)
    folder = house.folder
    certificate = certificates.parse(house.enrol(now=today), "it")
    (folder / "device.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    key = DEVICE_KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "device.key").write_bytes(key)
    house.site.make_host("table-7", house.issuer, folder, today)
    return house


def host(folder: Path, device_name: str = "shuffler-1", own: str = "table-7") -> TlsStream:
    """As the driver makes it from a table's file."""
    settings = {
        "certificate": str(folder / f"{own}.pem"),
        "key": str(folder / f"{own}.key"),
        "authority": str(folder / "authority.pem"),
        "device_name": device_name,
    }
    chosen = TdpSettings.from_mapping(settings)
    context = chosen.context()
    assert context is not None
    return TlsStream(Role.HOST, context, chosen.device_name)


def device(folder: Path, own: str = "device") -> TlsStream:
    files = (folder / f"{own}.pem", folder / f"{own}.key", folder / "authority.pem")
    return TlsStream(Role.DEVICE, certified(*files))


def test_host_and_device_of_one_site(site: House) -> None:
    to_host, to_device = exchange([host(site.folder), device(site.folder)])
    assert to_host == [Secured(ssl.PEM_cert_to_DER_cert((site.folder / "device.pem").read_text()))]
    assert to_device == [Secured(ssl.PEM_cert_to_DER_cert((site.folder / "table-7.pem").read_text()))]


@pytest.mark.parametrize(
    "ends",
    [
        lambda folder: [host(folder, "shuffler-2"), device(folder)],
        lambda folder: [host(folder), device(folder, "table-7")],
        lambda folder: [host(folder, own="device"), device(folder)],
    ],
    ids=["another device's name", "a table that plays a device", "a device that plays a table"],
)
def test_a_certificate_is_for_one_thing(site: House, ends: Callable[[Path], list[TlsStream]]) -> None:
    with pytest.raises(TlsFailed, match=r"CERTIFICATE_VERIFY_FAILED|certificate"):
        exchange(ends(site.folder))


def test_a_simulated_device_attests(tmp_path: Path, today: datetime) -> None:
    rig = Rig(settings=SimulatedSettings(signer=lambda data: keys.sign(DEVICE_KEY, data)))
    rig.do(Attest, NONCE)
    [hello], [attestation] = rig.said(Hello), rig.said(Attestation)
    house = opened(tmp_path / "site", today)
    unit = msgspec.structs.replace(shuffler(), maker=hello.maker, model=hello.model, serial=hello.serial)
    certificate = house.enrol(unit, today)
    presented = DeviceEvidence(certificate=certificate, hello=hello, nonce=NONCE, attestation=attestation)
    found = verdict(presented, house.registry, None, today, house.revoked)
    assert [(one.name, one.code) for one in found.refusals] == [("firmware", TrustCode.NO_APPROVED_LIST)]
    assert len(found.checks) == 5


@needs_openssl
def test_openssl_takes_the_certificates_and_the_list(site: House, today: datetime) -> None:
    def verified(name: str) -> subprocess.CompletedProcess[str]:
        command = [
            "openssl",
            "verify",
            "-x509_strict",
            "-crl_check",
            "-CAfile",
            "authority.pem",
            "-CRLfile",
            "revoked.pem",
        ]
        return subprocess.run(
            [*command, name], cwd=site.folder, capture_output=True, text=True, timeout=30, check=False
        )

    assert verified("device.pem").stdout == "device.pem: OK\n"
    site.site.revoke("device", "shuffler-1", "stolen", site.anna, today)
    site.site.write_crl(site.issuer, today)
    assert "certificate revoked" in verified("device.pem").stderr
    assert verified("table-7.pem").stdout == "table-7.pem: OK\n"
