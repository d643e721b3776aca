"""Publication of approved firmware: drafts, signed by makers, regulator and publisher."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from securesystemslib.signer import CryptoSigner, SSlibKey
from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import (
    DelegatedRole,
    Delegations,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)
from tuf.api.serialization import SerializationError

from firmware_bridge.trust import files
from firmware_bridge.trust.approved.fetching import METADATA, TARGETS
from firmware_bridge.trust.approved.firmware import (
    APPROVALS,
    APPROVALS_PATTERN,
    IMAGE_BYTES_MAX,
    REGULATOR,
    Firmware,
    maker_pattern,
    maker_role,
)
from firmware_bridge.trust.approved.images import check_image
from firmware_bridge.trust.approved.policy import MAKER_THRESHOLD, REGULATOR_THRESHOLD, THRESHOLDS
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import FirmwareRefused
from firmware_bridge.trust.keys import NamedKey, PublicKey

DRAFTS: Final = "drafts"
LONG: Final = timedelta(days=365)
SHORT: Final = timedelta(days=90)
"""A longer one would allow an old drive to be used unnoticed."""


class KeyHolders(Struct, frozen=True):
    """The holders of each role.

    Attributes:
        root: at least two; they sign root and targets.
        makers: by name, at least two keys each.
        regulator: at least one key.
    """

    root: Sequence[PublicKey]
    publisher: PublicKey
    makers: Mapping[str, Sequence[PublicKey]]
    regulator: Sequence[PublicKey]


class Publication:
    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        self._metadata: Final = folder / METADATA
        self._targets: Final = folder / TARGETS
        self._drafts: Final = folder / DRAFTS

    def begin(self, holders: KeyHolders, now: datetime) -> None:
        """Draft root and all lists, unsigned.

        Raises:
            KeyRefused: a draft cannot be written.
        """
        for folder in (self._metadata, self._targets, self._drafts):
            folder.mkdir(parents=True, exist_ok=True)
        root = self._next(Root.type, Root(consistent_snapshot=True), now)
        for role in (Root.type, Targets.type):
            _set_keys(root.signed, role, holders.root, THRESHOLDS[role])
        for role in (Snapshot.type, Timestamp.type):
            _set_keys(root.signed, role, [holders.publisher], THRESHOLDS[role])
        self._draft(Root.type, root)
        targets = self._next(Targets.type, Targets(), now)
        roles = {
            maker_role(name): _role(maker_role(name), maker_pattern(maker_role(name)), MAKER_THRESHOLD)
            for name in holders.makers
        }
        roles[REGULATOR] = _role(REGULATOR, APPROVALS_PATTERN, REGULATOR_THRESHOLD)
        targets.signed.delegations = Delegations({}, roles)
        people = {maker_role(name): held for name, held in holders.makers.items()}
        for name, held in {**people, REGULATOR: holders.regulator}.items():
            for key in held:
                targets.signed.add_key(SSlibKey.from_crypto(key), name)
            if name not in self._published():
                self._draft(name, self._next(name, Targets(), now))
        self._draft(Targets.type, targets)

    def add(self, image: Path, firmware: Firmware, now: datetime) -> str:
        """Draft a maker's list with one more firmware; return its path there.

        Raises:
            FirmwareRefused: the image does not match ``firmware``.
            KeyRefused: the image cannot be read.
        """
        data = files.read(image, IMAGE_BYTES_MAX)
        check_image(data, firmware, str(image))
        target = TargetFile.from_data(firmware.path, data, ["sha256"])
        target.unrecognized_fields["custom"] = msgspec.to_builtins(firmware)
        copy = self._targets / target.get_prefixed_paths()[0]
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(image, copy)
        self._list(firmware.role, target, now)
        return firmware.path

    def approve(self, path: str, now: datetime) -> None:
        """Draft the regulator's list with a maker's firmware.

        Raises:
            FirmwareRefused: no maker lists it.
        """
        made = self._newest(maker_role(path.partition("/")[0])).signed.targets.get(path)
        if made is None:
            raise FirmwareRefused(TrustCode.MAKER_MISSING, f"no maker lists {path}", path)
        twin = TargetFile.from_dict(made.to_dict(), f"{APPROVALS}/{path}")
        self._list(REGULATOR, twin, now)

    def withdraw(self, path: str, now: datetime) -> None:
        """Draft the regulator's list without a firmware.

        Raises:
            FirmwareRefused: it was not approved.
        """
        metadata = self._next(REGULATOR, Targets(), now)
        if metadata.signed.targets.pop(f"{APPROVALS}/{path}", None) is None:
            raise FirmwareRefused(TrustCode.REGULATOR_MISSING, f"{path} was not approved", path)
        self._draft(REGULATOR, metadata)

    def drafts(self) -> list[str]:
        """The roles that have a draft."""
        return sorted(path.stem for path in self._drafts.glob("*.json"))

    def counts(self, role: str, key: NamedKey) -> bool:
        """Every site rejects a drive with another key's signature.

        Raises:
            FirmwareRefused: no roles are drafted yet.
        """
        keyid = signer_of(key).public_key.keyid
        try:
            return any(keyid in one.signed.get_delegated_role(role).keyids for one in self._delegators(role))
        except ValueError:  # a draft of a maker whom a later `begin` left out
            return False

    def sign(self, role: str, key: NamedKey) -> None:
        """``role``: ``root``, ``targets``, ``maker-NAME`` or ``regulator``.

        Raises:
            FirmwareRefused: no such draft.
        """
        metadata = self._read(self._drafts / f"{role}.json")
        metadata.sign(signer_of(key), append=True)
        self._draft(role, metadata)

    def publish(self, publisher: NamedKey, now: datetime, valid_for: timedelta = SHORT) -> list[str]:
        """Publish all drafts, with a new snapshot and timestamp.

        Raises:
            FirmwareRefused: a draft lacks signatures; nothing was published.
            KeyRefused: a file cannot be written; publish again.
        """
        drafts = {role: self._newest(role) for role in self.drafts()}
        self._check_signed(drafts)
        for role, metadata in drafts.items():
            # Durable before the draft goes: the signatures under it are other people's.
            _write(self._metadata / f"{metadata.signed.version}.{role}.json", metadata)
            (self._drafts / f"{role}.json").unlink()
        signer = signer_of(publisher)
        snapshot = self._next(Snapshot.type, Snapshot(), now, valid_for)
        # Root too: who withholds a newer one would keep those alive whose keys it took away.
        snapshot.signed.meta = {
            f"{role}.json": _pinned(path) for role, path in self._published().items() if role != Snapshot.type
        }
        snapshot.sign(signer)
        file = self._metadata / f"{snapshot.signed.version}.{Snapshot.type}.json"
        _write(file, snapshot)
        held = self._metadata / f"{Timestamp.type}.json"
        timestamp: Metadata[Timestamp] = Metadata(Timestamp())
        if held.exists():
            timestamp.signed.version = self._read(held).signed.version + 1
        timestamp.signed.expires = _end(now, valid_for)
        timestamp.signed.snapshot_meta = _pinned(file)
        timestamp.sign(signer)
        _write(held, timestamp)
        return sorted(drafts)

    def root_digest(self) -> str:
        return hashlib.sha256(self._published()[Root.type].read_bytes()).hexdigest()

    def _check_signed(self, drafts: Mapping[str, Metadata[Any]]) -> None:
        for role, metadata in drafts.items():
            try:
                for delegator in self._delegators(role):
                    delegator.signed.verify_delegate(role, metadata.signed_bytes, metadata.signatures)
            except (RepositoryError, ValueError, SerializationError) as error:
                raise FirmwareRefused(TrustCode.THRESHOLD_MISSED, f"the draft of {role}: {error}", role) from error

    def _delegators(self, role: str) -> Iterator[Metadata[Any]]:
        root = self._newest(Root.type)
        yield root if role in THRESHOLDS else self._newest(Targets.type)
        if role == Root.type and root.signed.version > 1:
            yield self._read(self._metadata / f"{root.signed.version - 1}.root.json")

    def _list(self, role: str, target: TargetFile, now: datetime) -> None:
        metadata = self._next(role, Targets(), now)
        metadata.signed.targets[target.path] = target
        self._draft(role, metadata)

    def _next(self, role: str, empty: Any, now: datetime, valid_for: timedelta = LONG) -> Metadata[Any]:  # noqa: ANN401  one of five kinds
        draft, published = self._drafts / f"{role}.json", self._published().get(role)
        metadata = Metadata(empty)
        if draft.exists():
            metadata = self._read(draft)
        elif published is not None:
            metadata = self._read(published)
            metadata.signed.version += 1
        metadata.signatures.clear()
        metadata.signed.expires = _end(now, valid_for)
        return metadata

    def _newest(self, role: str) -> Metadata[Any]:
        draft = self._drafts / f"{role}.json"
        path = draft if draft.exists() else self._published().get(role)
        if path is None:
            raise FirmwareRefused(TrustCode.FILE_MISSING, f"{self.folder} has no role {role}", role)
        return self._read(path)

    def _published(self) -> dict[str, Path]:
        found: dict[str, tuple[int, Path]] = {}
        for version, role, path in self._versions():
            found[role] = max(found.get(role, (0, path)), (version, path))
        return {role: path for role, (_, path) in found.items()}

    def _versions(self) -> Iterator[tuple[int, str, Path]]:
        for path in self._metadata.glob("*.*.json"):
            version, _, role = path.stem.partition(".")
            if version.isdigit():
                yield int(version), role, path

    def _draft(self, role: str, metadata: Metadata[Any]) -> None:
        _write(self._drafts / f"{role}.json", metadata)

    def _read(self, path: Path) -> Metadata[Any]:
        try:
            return Metadata[Any].from_bytes(files.read(path))
        except RepositoryError as error:
            raise FirmwareRefused(TrustCode.MALFORMED, f"{path} is no metadata: {error}", path.name) from error


def signer_of(key: NamedKey) -> CryptoSigner:
    return CryptoSigner(key.private, SSlibKey.from_crypto(key.private.public_key()))


def _set_keys(root: Root, role: str, keys: Sequence[PublicKey], threshold: int) -> None:
    for keyid in list(root.roles[role].keyids):
        root.revoke_key(keyid, role)
    for key in keys:
        root.add_key(SSlibKey.from_crypto(key), role)
    root.roles[role].threshold = threshold


def _role(name: str, pattern: str, threshold: int) -> DelegatedRole:
    return DelegatedRole(name, [], threshold, terminating=True, paths=[pattern])


def _write(path: Path, metadata: Metadata[Any]) -> None:
    files.replace(path, metadata.to_bytes(), files.PUBLIC)


def _pinned(path: Path) -> MetaFile:
    data = path.read_bytes()
    return MetaFile.from_data(Metadata[Any].from_bytes(data).signed.version, data, ["sha256"])


def _end(now: datetime, valid_for: timedelta) -> datetime:
    return (now + valid_for).replace(microsecond=0)
