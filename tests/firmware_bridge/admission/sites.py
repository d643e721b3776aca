"""A site of today, with approved firmware and a device that it has enrolled: TLS asks the machine's clock."""

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from firmware_bridge.trust import certificates, keys
from firmware_bridge.trust.acts import AdmitDevice, Anchor
from firmware_bridge.trust.facts import Unit
from firmware_bridge.trust.keys import PrivateKey
from firmware_bridge.trust.site import FIRMWARE, Site, found_site
from sim.tdp.certified import SECURED, certified
from sim.tdp.hostile import Hostile
from sim.tdp.identity import SimIdentity
from sim.tdp.settings import TdpMachineSettings
from tests.firmware_bridge.trust.houses import DEVICE_KEY, PASSPHRASE, House, shuffler
from tests.firmware_bridge.trust.sticks import MAKER, MODEL, Makers, digest, in_memory, key_from, public

DEVICE: Final = "shuffler-1"
"""Its name in the registry and in its certificate."""
TABLE: Final = "table-7"
PLATE: Final = Unit("Angel", "Eye", "4711")
"""The plate of a shoe that cannot tell its identity."""


def identity(version: str = "1.1.0", counter: int = 2, serial: str = "SN-1") -> SimIdentity:
    """The enrolled device's own word about itself."""
    image_digest = bytes.fromhex(digest(version))
    return SimIdentity(
        maker=MAKER,
        model=MODEL,
        serial=serial,
        firmware_version=version,
        image_digest=image_digest,
        security_counter=counter,
    )


@dataclass
class TodaysSite:
    """A site's folder, with the files of its device and of its table."""

    folder: Path
    today: datetime
    house: House = field(init=False)

    def __post_init__(self) -> None:
        self.house = House(self.folder, Site(self.folder).issuer(PASSPHRASE))

    @property
    def files(self) -> Path:
        """Where certificates and keys of device and table lie: not in the site's folder."""
        return self.folder.parent / "files"

    @property
    def host(self) -> dict[str, object]:
        """The settings of the device in a table's configuration."""
        return {
            "certificate": str(self.files / f"{TABLE}.pem"),
            "key": str(self.files / f"{TABLE}.key"),
            "authority": str(self.folder / "authority.pem"),
            "device_name": DEVICE,
        }

    def device(
        self,
        told: SimIdentity | None = None,
        *,
        key: PrivateKey = DEVICE_KEY,
        own: str = "device",
        hostile: Iterable[Hostile] = (),
    ) -> TdpMachineSettings:
        """How the simulated device is made."""
        files = (self.files / f"{own}.pem", self.files / f"{own}.key", self.folder / "authority.pem")
        return TdpMachineSettings(
            identity=told or identity(),
            terms=SECURED,
            context=certified(*files),
            signer=lambda data: keys.sign(key, data),
            hostile=frozenset(hostile),
        )

    def revoke(self, name: str = DEVICE) -> None:
        """Anna revokes a device."""
        self.house.site.revoke("device", name, "stolen on Friday", self.house.anna, self.today)

    def admit(self, family: str, port: str, name: str = "shoe", unit: Unit = PLATE) -> None:
        """Anna and Bruno admit a device that cannot attest."""
        matter = AdmitDevice(
            name=name,
            family=family,
            maker=unit.maker,
            model=unit.model,
            serial=unit.serial,
            port=port,
            reason="none with a key yet",
        )
        self.house.enrol(matter, self.today)

    def publish(self, change: Callable[[Makers], object]) -> None:
        """Makers and regulator change what is approved, and the house imports the stick."""
        repository = shutil.copytree(
            self.folder.parent / "repository", self.folder.parent / "newer", dirs_exist_ok=True
        )
        makers = Makers(repository)
        change(makers)
        makers.sign_all()
        makers.publish(self.today)
        makers.store(self.folder / FIRMWARE).import_from(makers.folder, self.today)

    def certify(self, name: str, key: PrivateKey, *, days: int = 1, earlier: timedelta = timedelta()) -> None:
        """A certificate that the authority signs though nobody was enrolled, or one whose time is over.

        Args:
            days: for how long.
        """
        issuer, begin = self.house.issuer, self.today - earlier
        unit = shuffler().unit
        plain = issuer.device(unit, DEVICE, key.public_key(), begin)
        builder = x509.CertificateBuilder(
            plain.issuer,
            plain.subject,
            plain.public_key(),
            x509.random_serial_number(),
            plain.not_valid_before_utc,
            plain.not_valid_before_utc + timedelta(days=days),
            list(plain.extensions),
        )
        write_pem(self.files / name, builder.sign(issuer.key, SHA256()), key)


def write_pem(stem: Path, certificate: x509.Certificate, key: PrivateKey) -> None:
    """A certificate and its key, as devices load them."""
    stem.with_suffix(".pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    stem.with_suffix(".key").write_bytes(plain)
    stem.with_suffix(".key").chmod(0o600)


def make_site(folder: Path, today: datetime | None = None) -> TodaysSite:
    """A site with the device enrolled and the firmware 1.0.0 and 1.1.0 approved; of today, or of another day."""
    today = today or datetime.now(UTC)
    people = {name: public(key_from(name)) for name in ("anna", "bruno", "carla")}
    found_site(folder / "site", "Casino of the Tests", people, PASSPHRASE, today, cost=keys.COST_MIN)
    site = TodaysSite(folder / "site", today)
    site.files.mkdir()
    house = site.house
    write_pem(site.files / "device", certificates.parse(house.enrol(now=today), "it"), DEVICE_KEY)
    house.site.make_host(TABLE, house.issuer, site.files, today)
    makers = Makers(folder / "repository").begin(today)
    makers.release("1.0.0", 1, today)
    makers.release("1.1.0", 2, today)
    anchored = house.site.propose(Anchor(root=makers.anchor), house.anna, today)
    house.site.approve(anchored.id, house.bruno, today)
    makers.store(site.folder / FIRMWARE).import_from(makers.folder, today)
    return site


@pytest.fixture(scope="session")
def made_site() -> "Iterable[TodaysSite]":
    """Not to be changed: ``site`` is a copy. In memory, because a site syncs much."""
    with in_memory() as folder:
        yield make_site(folder)


@pytest.fixture
def site(made_site: TodaysSite, tmp_path: Path) -> TodaysSite:
    """A site of today."""
    for part in ("site", "files", "repository"):
        shutil.copytree(made_site.folder.parent / part, tmp_path / part)
    return TodaysSite(tmp_path / "site", made_site.today)
