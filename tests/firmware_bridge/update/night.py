"""All that an update night needs but the device: a site with two persons, an approved firmware, an enrolled device."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from firmware_bridge.trust import keys
from firmware_bridge.trust.acts import Anchor, EnrolDevice, Update
from firmware_bridge.trust.approved.firmware import Firmware
from firmware_bridge.trust.approved.publishing import KeyHolders, Publication
from firmware_bridge.trust.approved.store import Approvals, FirmwareStore
from firmware_bridge.trust.keys import NamedKey
from firmware_bridge.trust.registry import Registry
from firmware_bridge.trust.site import CRL, FIRMWARE, Site, found_site
from firmware_bridge.update import staging
from firmware_bridge.update.machine import Clock, UpdateMachine
from firmware_bridge.update.record import Record, UpdateEntry
from protocols.mcuboot.codec import decode_image, digest_of
from protocols.mcuboot.image import ImageVersion
from sim.firmware.build import key_of, payload_of, signed
from tests.firmware_bridge.trust.sticks import NOW, key_from, public

MAKER: Final = "Acme"
MODEL: Final = "Reading shoe"
SERIAL: Final = "SN-1"
DEVICE: Final = "shoe-1"
PASSPHRASE: Final = "a passphrase for tests"  # noqa: S105  it protects nothing
PAYLOAD_BYTES: Final = 3_000
DEVICE_KEY: Final = key_of("unit SN-1")


@dataclass(frozen=True, slots=True)
class Made:
    """A firmware of the night."""

    image: bytes
    version: str
    counter: int

    @property
    def digest(self) -> bytes:
        return digest_of(decode_image(self.image))


def make(minor: int, counter: int, *, model: str = MODEL, payload: bytes | None = None, signer: str = "maker") -> Made:
    """A firmware 1.MINOR.0."""
    version = ImageVersion(1, minor, 0)
    data = payload_of(PAYLOAD_BYTES, minor) if payload is None else payload
    return Made(signed(data, version, counter, model, key_of(signer)), str(version), counter)


OLD: Final = make(0, 2)
NEW: Final = make(1, 3)


@dataclass
class Night:
    """A site on an evening."""

    folder: Path
    firmware: Sequence[Made] = (OLD, NEW)
    listed: Sequence[Made] = ()
    maker: str = MAKER
    model: str = MODEL
    serial: str = SERIAL
    key: Ed25519PrivateKey = field(default_factory=lambda: DEVICE_KEY)
    now: datetime = NOW
    device: str = DEVICE
    models: Mapping[str, str] = field(default_factory=dict)
    """Versions that are for another model."""

    def __post_init__(self) -> None:
        self.anna = key_from("anna")
        self.bruno = key_from("bruno")
        self._root = [key_from(f"root-{number}") for number in (1, 2)]
        self._maker = [key_from(f"maker-{number}") for number in (1, 2)]
        self._regulator = key_from("regulator")
        self._publisher = key_from("publisher")
        self._publish()
        people = {one.name: public(one) for one in (self.anna, self.bruno, key_from("carla"))}
        found_site(self.site_folder, "Casino of the Tests", people, PASSPHRASE, self.now, cost=keys.COST_MIN)
        self.issuer = self.site.issuer(PASSPHRASE)
        key = keys.to_text(keys.public_bytes(self.key.public_key()))
        self.approve(EnrolDevice(name=self.device, maker=self.maker, model=self.model, serial=self.serial, key=key))
        self.approve(Anchor(root=self._anchor))
        self.certificate = self.registry.book.devices[-1].certificate
        self._store().import_from(self.folder / "stick", self.now)

    @property
    def site_folder(self) -> Path:
        return self.folder / "site"

    @property
    def site(self) -> Site:
        return Site(self.site_folder)

    @property
    def registry(self) -> Registry:
        """The site's registry, read anew."""
        return self.site.registry()

    @property
    def revoked(self) -> bytes:
        """The list of the revoked, PEM."""
        return (self.site_folder / CRL).read_bytes()

    @cached_property
    def approvals(self) -> Approvals:
        """The approved firmware."""
        return self._store().load(self.now)

    def approve(self, matter: EnrolDevice | Update | Anchor, at: datetime | None = None) -> None:
        """Anna proposes, Bruno approves."""
        found = self.site.propose(matter, self.anna, at or self.now)
        self.site.approve(found.id, self.bruno, at or self.now, self.issuer)

    def staged(
        self, firmware: Made, entries: list[UpdateEntry], record: Record | None = None, clock: Clock | None = None
    ) -> UpdateMachine:
        """An update that is staged, and verified."""
        update = staging.plan(entries, self.registry, self.device, self.approvals.of_version(firmware.version))
        machine = staging.stage(update, entries, record or entries.append, clock or self.clock, "anna")
        staging.verify(machine, self.approvals, firmware.image)
        return machine

    def prepared(self, firmware: Made, entries: list[UpdateEntry], record: Record | None = None) -> UpdateMachine:
        """An update that may go on to the device."""
        machine = self.staged(firmware, entries, record)
        self.approve(machine.update)
        staging.authorise(machine, self.registry, self.now)
        staging.close_table(machine, self.registry, None, self.now)
        return machine

    def clock(self) -> datetime:
        """The time of this night."""
        return self.now

    @property
    def _anchor(self) -> str:
        root = (self.folder / "stick" / "metadata" / "1.root.json").read_bytes()
        return hashlib.sha256(root).hexdigest()

    def _store(self) -> FirmwareStore:
        return FirmwareStore(self.site_folder / FIRMWARE, self._anchor)

    def _publish(self) -> None:
        publication = Publication(self.folder / "stick")
        holders = KeyHolders(
            [public(one) for one in self._root],
            public(self._publisher),
            {self.maker: [public(one) for one in self._maker]},
            [public(self._regulator)],
        )
        publication.begin(holders, self.now)
        for made in (*self.firmware, *self.listed):
            file = self.folder / f"{made.version}.bin"
            file.write_bytes(made.image)
            firmware = Firmware(
                maker=self.maker,
                model=self.models.get(made.version, self.model),
                version=made.version,
                security_counter=made.counter,
                image_digest=made.digest.hex(),
            )
            path = publication.add(file, firmware, self.now)
            if made in self.firmware:
                publication.approve(path, self.now)
        for role in publication.drafts():
            for key in self._signers(role):
                publication.sign(role, key)
        publication.publish(self._publisher, self.now, timedelta(days=7))

    def _signers(self, role: str) -> Sequence[NamedKey]:
        if role == "regulator":
            return [self._regulator]
        return self._maker if role.startswith("maker-") else self._root
