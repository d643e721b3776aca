"""Sticks with firmware, made by the publishing side with real keys."""

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tuf.api.metadata import Metadata, MetaFile, Snapshot, Timestamp

from firmware_bridge.trust.approved.firmware import Firmware
from firmware_bridge.trust.approved.publishing import SHORT, KeyHolders, Publication, signer_of
from firmware_bridge.trust.approved.store import FirmwareStore
from firmware_bridge.trust.keys import NamedKey, PublicKey
from protocols.mcuboot.codec import decode_image, digest_of, encode_image
from protocols.mcuboot.image import Image, ImageVersion, Tlv, TlvKind

MEMORY: Final = Path("/dev/shm")  # noqa: S108  a file system in memory: the disk has nothing to do with this
NOW: Final = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
MAKER: Final = "Acme"
MODEL: Final = "Shuffler 9"
COUNTERS: Final = {"1.0.0": 1, "1.1.0": 2, "1.2.0": 3, "2.0.0": 4}
"""The security counter in the image of each version."""


@contextlib.contextmanager
def in_memory() -> Iterator[Path]:
    """An empty folder, in a file system in memory if there is one."""
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as name:
        yield Path(name)


def key_from(label: str) -> NamedKey:
    """The same key for the same label: fast, and a failing test repeats."""
    return NamedKey(label, Ed25519PrivateKey.from_private_bytes(hashlib.sha256(label.encode()).digest()))


def public(key: NamedKey) -> PublicKey:
    """Its public half."""
    return key.private.public_key()


def firmware(version: str, counter: int = 1, **changed: str) -> Firmware:
    """A firmware of the usual device."""
    fields = {"maker": MAKER, "model": MODEL, "image_digest": digest(version), **changed}
    return Firmware(version=version, security_counter=counter, **fields)


def digest(version: str) -> str:
    """The digest that the boot loader would verify."""
    return digest_of(decode_image(image(version))).hex()


def image(version: str) -> bytes:
    """The file of a firmware: an image of MCUboot's, which nobody has signed."""
    major, minor, revision = map(int, version.split("."))
    counter = Tlv(TlvKind.SECURITY_COUNTER, COUNTERS.get(version, 1).to_bytes(4, "little"))
    payload = f"firmware {version} ".encode() * 100
    whole = Image(version=ImageVersion(major, minor, revision), payload=payload, protected=(counter,), unprotected=())
    return encode_image(replace(whole, unprotected=(Tlv(TlvKind.SHA256, digest_of(whole)),)))


@dataclass
class Makers:
    """Everybody who signs, with the folder they publish in."""

    folder: Path
    root: list[NamedKey] = field(default_factory=lambda: [key_from(f"root-{n}") for n in (1, 2, 3)])
    acme: list[NamedKey] = field(default_factory=lambda: [key_from(f"acme-{n}") for n in (1, 2, 3)])
    regulator: NamedKey = field(default_factory=lambda: key_from("regulator"))
    publisher: NamedKey = field(default_factory=lambda: key_from("publisher"))

    @property
    def publication(self) -> Publication:
        return Publication(self.folder)

    @property
    def holders(self) -> KeyHolders:
        return KeyHolders(
            [public(one) for one in self.root],
            public(self.publisher),
            {MAKER: [public(one) for one in self.acme]},
            [public(self.regulator)],
        )

    def begin(self, now: datetime = NOW) -> "Makers":
        """The first publication: no firmware yet."""
        self.publication.begin(self.holders, now)
        self.sign_all()
        self.publish(now)
        return self

    def sign_all(self) -> None:
        """Each draft gets as many signatures as it needs, and no more."""
        for role in self.publication.drafts():
            signers = {"regulator": [self.regulator], "maker-acme": self.acme[:2]}.get(role, self.root[:2])
            for key in signers:
                self.publication.sign(role, key)

    def publish(self, now: datetime = NOW, valid_for: timedelta = SHORT) -> None:
        self.publication.publish(self.publisher, now, valid_for)

    def release(self, version: str, counter: int = 1, now: datetime = NOW, *, approve: bool = True) -> str:
        """A firmware made, signed by two of three, approved if it is to be, and published."""
        file = self.folder / f"{version}.bin"
        file.write_bytes(image(version))
        path = self.publication.add(file, firmware(version, counter), now)
        if approve:
            self.publication.approve(path, now)
        self.sign_all()
        self.publish(now)
        return path

    def stick(self, folder: Path) -> Path:
        """A copy as one carries it."""
        for part in ("metadata", "targets"):
            shutil.copytree(self.folder / part, folder / part)
        return folder

    @property
    def anchor(self) -> str:
        return hashlib.sha256((self.folder / "metadata" / "1.root.json").read_bytes()).hexdigest()

    def store(self, folder: Path) -> FirmwareStore:
        return FirmwareStore(folder, self.anchor)


def after(**time: float) -> datetime:
    """So much later."""
    return NOW + timedelta(**time)


Said = Any
"""A metadata file's content: one of five kinds, each with fields of its own."""


def unchanged(said: Said) -> None:
    assert said.version


def forge(stick: Path, role: str, change: Callable[[Said], object], *signers: NamedKey) -> None:
    """Change what the newest file of a role says in place, and sign it with these keys alone."""
    path = newest(stick, role)
    metadata = Metadata[Any].from_bytes(path.read_bytes())
    change(metadata.signed)
    metadata.signatures.clear()
    for key in signers:
        metadata.sign(signer_of(key), append=True)
    path.write_bytes(metadata.to_bytes())


def repin(stick: Path, publisher: NamedKey, *more: str) -> None:
    """Do as somebody with the publisher's key can: a newer snapshot and timestamp of whatever lies there."""
    folder = stick / "metadata"
    held = Metadata[Snapshot].from_bytes(newest(stick, "snapshot").read_bytes())
    held.signed.version += 1
    for name in [*held.signed.meta, *(f"{role}.json" for role in more)]:
        held.signed.meta[name] = pinned(newest(stick, name.removesuffix(".json")))
    _write(held, folder / f"{held.signed.version}.snapshot.json", publisher)
    stamp = Metadata[Timestamp].from_bytes((folder / "timestamp.json").read_bytes())
    stamp.signed.version += 1
    stamp.signed.snapshot_meta = pinned(newest(stick, "snapshot"))
    _write(stamp, folder / "timestamp.json", publisher)


def pinned(path: Path) -> MetaFile:
    """A file's version, length and hash."""
    data = path.read_bytes()
    return MetaFile.from_data(Metadata[Any].from_bytes(data).signed.version, data, ["sha256"])


def newest(stick: Path, role: str) -> Path:
    if role == "timestamp":
        return stick / "metadata" / "timestamp.json"
    return max((stick / "metadata").glob(f"*.{role}.json"), key=lambda path: int(path.name.partition(".")[0]))


def _write(metadata: Metadata[Any], path: Path, publisher: NamedKey) -> None:
    metadata.sign(signer_of(publisher))
    path.write_bytes(metadata.to_bytes())
