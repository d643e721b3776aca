"""A site with its persons and devices, made for tests."""

import shutil
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding

from firmware_bridge.trust import keys
from firmware_bridge.trust.acts import AdmitDevice, EnrolDevice, Renewal
from firmware_bridge.trust.certificates import Issuer
from firmware_bridge.trust.keys import NamedKey, PrivateKey
from firmware_bridge.trust.registry import Registry
from firmware_bridge.trust.site import CRL, KEY, Site, found_site
from tests.firmware_bridge.trust.sticks import MAKER, MODEL, NOW, key_from, public

PASSPHRASE: Final = "a passphrase for tests"  # noqa: S105  it protects nothing
DEVICE_KEY: Final = ec.derive_private_key(0x1001, ec.SECP256R1())


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory) -> "House":
    """A new site. Not to be changed: ``house`` is a copy."""
    folder = tmp_path_factory.mktemp("founded") / "site"
    people = {name: public(key_from(name)) for name in ("anna", "bruno", "carla")}
    found_site(folder, "Casino of the Tests", people, PASSPHRASE, NOW, cost=keys.COST_MIN)
    return House(folder, Site(folder).issuer(PASSPHRASE))


@pytest.fixture
def house(founded: "House", tmp_path: Path) -> "House":
    """A new site with the persons anna, bruno and carla."""
    return House(Path(shutil.copytree(founded.folder, tmp_path / "site")), founded.issuer)


@dataclass
class House:
    """A site's folder, with the keys of everybody."""

    folder: Path
    issuer: Issuer
    anna: NamedKey = field(default_factory=lambda: key_from("anna"))
    bruno: NamedKey = field(default_factory=lambda: key_from("bruno"))
    carla: NamedKey = field(default_factory=lambda: key_from("carla"))

    @property
    def site(self) -> Site:
        return Site(self.folder)

    @property
    def registry(self) -> Registry:
        return self.site.registry()

    @property
    def revoked(self) -> bytes:
        """The list of the revoked, PEM."""
        return (self.folder / CRL).read_bytes()

    def renew(self, now: datetime, terms: Renewal | None = None) -> None:
        """Anna and Bruno renew the registry, and the keeper writes the list of the revoked."""
        found = self.site.propose(terms or Renewal(), self.anna, now)
        self.site.approve(found.id, self.bruno, now)
        self.site.write_crl(self.issuer, now)

    def enrol(self, matter: "EnrolDevice | AdmitDevice | None" = None, now: datetime = NOW) -> bytes:
        """Anna proposes, Bruno approves; the certificate in DER."""
        found = self.site.propose(matter or shuffler(), self.anna, now)
        self.site.approve(found.id, self.bruno, now, self.issuer)
        return self.registry.book.devices[-1].certificate


def shuffler(serial: str = "SN-1", key: PrivateKey = DEVICE_KEY, name: str = "shuffler-1") -> EnrolDevice:
    """A device with a key."""
    text = keys.to_text(keys.public_bytes(key.public_key()))
    return EnrolDevice(name=name, maker=MAKER, model=MODEL, serial=serial, key=text)


def angel_eye() -> AdmitDevice:
    """A device without one."""
    return AdmitDevice(
        name="shoe",
        family="angel_eye",
        maker="Angel",
        model="Eye II-EX",
        serial="4711",
        port="/dev/serial/by-id/usb-A1",
        reason="no shoe with a key is approved here yet",
    )


def request(key: PrivateKey) -> bytes:
    """A certificate request of a device, PEM."""
    name = x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, "whatever")])
    builder = x509.CertificateSigningRequestBuilder().subject_name(name)
    algorithm = None if isinstance(key, Ed25519PrivateKey) else SHA256()
    return builder.sign(key, algorithm).public_bytes(Encoding.PEM)


__all__ = ["DEVICE_KEY", "KEY", "PASSPHRASE", "House", "angel_eye", "founded", "house", "request", "shuffler"]
