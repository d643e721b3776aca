"""A site's approved firmware: imported from sticks, verified at each reading.

An import is atomic: ``current`` names the valid ``generation-N``.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec import Struct
from tuf.api.metadata import TargetFile

from firmware_bridge.trust import files
from firmware_bridge.trust.approved.client import Client, VerifiedMetadata
from firmware_bridge.trust.approved.fetching import METADATA, TARGETS, FolderFetcher
from firmware_bridge.trust.approved.firmware import APPROVALS, IMAGE_BYTES_MAX, Firmware
from firmware_bridge.trust.approved.images import check_image
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import ActRefused, FirmwareRefused
from firmware_bridge.trust.facts import Unit
from firmware_bridge.trust.times import CLOCK_TOLERANCE, format_time, parse_time, whole

_ROOTS_MAX: Final = 64
_ANCHOR: Final = "anchor.json"
_TRUSTED: Final = "trusted"
_CURRENT: Final = "current"
_SEEN: Final = "seen"
_PASSING: Final = ".import-"
_GENERATION: Final = re.compile(rb"generation-[0-9]{1,9}")


class SignedFirmware(Struct, frozen=True):
    """A signed firmware.

    Attributes:
        code: ``ok``, or the missing signer.
        image: ``None`` where it is not approved.
    """

    firmware: Firmware
    code: TrustCode
    sha256: str
    length: int
    image: Path | None = None


class Approvals(Struct, frozen=True):
    entries: Sequence[SignedFirmware]
    expires: datetime
    version: int

    def refusal(self, unit: Unit, version: str, digest: str, security_counter: int) -> tuple[TrustCode, str]:
        """``ok`` if it may run; with a word on what was found."""
        own = [one for one in self.entries if one.firmware.is_for(unit)]
        found = next((one for one in own if one.firmware.image_digest == digest), None)
        if found is None:
            known = ", ".join(one.firmware.version for one in own if one.code is TrustCode.OK) or "none"
            return TrustCode.FIRMWARE_UNAPPROVED, f"{version} ({digest[:16]}…) is not among those approved: {known}"
        if (found.firmware.version, found.firmware.security_counter) != (version, security_counter):
            said = f"{version} with security counter {security_counter}"
            listed = f"{found.firmware.version} with {found.firmware.security_counter}"
            return TrustCode.FIRMWARE_UNAPPROVED, f"it says {said}; what was approved under this digest is {listed}"
        if found.code is not TrustCode.OK:
            return found.code, f"{found.firmware} is not approved"
        return TrustCode.OK, f"{found.firmware}, approved by its maker and the regulator"

    def of_file(self, path: Path) -> SignedFirmware:
        """The approved firmware in a file.

        Raises:
            FirmwareRefused: unknown or not approved.
            KeyRefused: the file cannot be read.
        """
        data = files.read(path, IMAGE_BYTES_MAX)
        return self._approved(
            [one for one in self.entries if one.sha256 == hashlib.sha256(data).hexdigest()], str(path)
        )

    def of_version(self, version: str, model: str | None = None) -> SignedFirmware:
        """``model``: needed if two have the same version.

        Raises:
            FirmwareRefused: unknown, or not approved yet.
        """
        found = [one for one in self.entries if one.firmware.version == version]
        return self._approved([one for one in found if model in (None, one.firmware.model)], f"version {version}")

    def _approved(self, found: Sequence[SignedFirmware], what: str) -> SignedFirmware:
        if not found:
            raise FirmwareRefused(TrustCode.FIRMWARE_UNAPPROVED, f"{what} is no firmware of the list", what)
        if len(found) > 1:
            names = ", ".join(str(one.firmware) for one in found)
            raise FirmwareRefused(TrustCode.FIRMWARE_UNAPPROVED, f"{what} may be any of {names}: name the model", what)
        if found[0].code is not TrustCode.OK:
            raise FirmwareRefused(found[0].code, f"{found[0].firmware} is not approved", what)
        return found[0]


class FirmwareStore:
    """``anchor``: SHA-256 of the first root; ``None``: not anchored."""

    def __init__(self, folder: Path, anchor: str | None) -> None:
        self.folder: Final = folder
        self._anchor: Final = anchor

    def import_from(self, stick: Path, now: datetime, *, dry_run: bool = False) -> Approvals:
        """Import a USB drive's content if all of it passes; ``dry_run``: verify only.

        Raises:
            FirmwareRefused: a check failed; nothing was imported.
            KeyRefused: the root cannot be read, or the folder not written.
        """
        self._check_clock(now)
        anchor = self._anchored(stick / METADATA)
        with _named(stick):
            if dry_run:
                with tempfile.TemporaryDirectory() as name:
                    return _with_images_in(None, self._verify(stick, anchor, Path(name) / "generation", now))
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with files.locked(self.folder):
                for left in self.folder.glob(f"{_PASSING}*"):  # by an import that was killed
                    shutil.rmtree(left, ignore_errors=True)
                with tempfile.TemporaryDirectory(dir=self.folder, prefix=_PASSING) as name:
                    passing = Path(name) / "generation"
                    found = self._verify(stick, anchor, passing, now)
                    return _with_images_in(self._commit(passing, now) / TARGETS, found)

    def load(self, now: datetime, *, remember: bool = True) -> Approvals:
        """Verified again from the anchor on; without ``remember`` the folder stays as it is.

        Raises:
            FirmwareRefused: no import, or expired, altered, or the clock went back.
            KeyRefused: a file cannot be read.
        """
        self._check_clock(now)
        current = self._generation()
        if current is None:
            raise FirmwareRefused(TrustCode.NO_APPROVED_LIST, f"{self.folder} holds no approved firmware")
        anchor = self._anchored(current, _ANCHOR)
        with _named(current), tempfile.TemporaryDirectory() as name:
            # A copy: tuf writes where it reads, and this is only a look.
            trusted = Path(name) / _TRUSTED
            shutil.copytree(current / _TRUSTED, trusted, symlinks=True)
            fetcher = FolderFetcher(current / _TRUSTED, current / TARGETS, has_plain_names=True)
            view = Client(fetcher, trusted, anchor, whole(now)).refresh()
        found = Approvals(tuple(_entries(view, current / TARGETS)), view.expires, view.version)
        for one in found.entries:
            if one.image is not None:
                _check_image(one, one.image)
        if remember:
            self._store_time(now)
        return found

    def _verify(self, stick: Path, anchor: bytes, passing: Path, now: datetime) -> Approvals:
        before = self._generation()
        if before is None:
            (passing / _TRUSTED).mkdir(parents=True)
        else:
            shutil.copytree(before / _TRUSTED, passing / _TRUSTED, symlinks=True)
        (passing / _ANCHOR).write_bytes(anchor)
        client = Client(FolderFetcher(stick / METADATA, stick / TARGETS), passing / _TRUSTED, anchor, whole(now))
        return self._with_images(client, client.refresh(), passing, before)

    def _with_images(self, client: Client, view: VerifiedMetadata, passing: Path, before: Path | None) -> Approvals:
        (passing / TARGETS).mkdir()
        entries = tuple(_entries(view, passing / TARGETS))
        listed = {one.path: one for role in view.makers.values() for one in role.targets.values()}
        for entry in entries:
            if entry.image is None:
                continue
            if entry.length > IMAGE_BYTES_MAX:
                raise FirmwareRefused(
                    TrustCode.ENDLESS_DATA, f"{entry.firmware} has {entry.length} bytes", entry.firmware.path
                )
            held = before / TARGETS / entry.image.name if before else None
            if held is not None and held.exists():
                shutil.copyfile(held, entry.image)
                _check_image(entry, entry.image)
            else:
                client.fetch(listed[entry.firmware.path], entry.image)
            check_image(files.read(entry.image, IMAGE_BYTES_MAX), entry.firmware, entry.firmware.path)
        return Approvals(entries, view.expires, view.version)

    def _commit(self, passing: Path, now: datetime) -> Path:
        names = [one.name for one in self.folder.iterdir() if _GENERATION.fullmatch(os.fsencode(one.name))]
        numbers = [int(name.partition("-")[2]) for name in names]
        made = self.folder / f"generation-{max(numbers, default=0) + 1}"
        _sync(passing)
        passing.rename(made)
        files.sync_folder(self.folder)
        self._store_time(now)
        # The last thing that may fail: before it nothing was taken, after it all was.
        files.replace(self.folder / _CURRENT, made.name.encode(), files.PUBLIC)
        for number in sorted(numbers)[:-1]:  # somebody may just be reading the one that was current
            shutil.rmtree(self.folder / f"generation-{number}", ignore_errors=True)
        return made

    def _generation(self) -> Path | None:
        path = self.folder / _CURRENT
        name = files.read(path) if path.exists() else b""
        if not name:
            return None
        if _GENERATION.fullmatch(name) is None:
            raise FirmwareRefused(TrustCode.FILE_DAMAGED, f"{path} names no import", str(path))
        return self.folder / name.decode()

    def _anchored(self, folder: Path, only: str | None = None) -> bytes:
        if self._anchor is None:
            raise FirmwareRefused(TrustCode.NO_ANCHOR, "no root of the approved firmware is anchored")
        names = [only] if only else [f"{number}.root.json" for number in range(1, _ROOTS_MAX + 1)]
        found = False
        for path in (folder / name for name in names):
            if not path.is_file():
                continue
            found = True
            data = files.read(path)
            if hashlib.sha256(data).hexdigest() == self._anchor:
                return data
        if not found:
            raise FirmwareRefused(TrustCode.FILE_MISSING, f"{folder} has no root metadata", str(folder))
        raise FirmwareRefused(
            TrustCode.ANCHOR_DIFFERS, f"no root in {folder} has the digest {self._anchor[:16]}…", str(folder)
        )

    def _check_clock(self, now: datetime) -> None:
        seen = self._seen()
        if seen is not None and now < seen - CLOCK_TOLERANCE:
            raise FirmwareRefused(
                TrustCode.CLOCK_WENT_BACK, f"it is {format_time(now)}, and was {format_time(seen)} before"
            )

    def _seen(self) -> datetime | None:
        path = self.folder / _SEEN
        try:
            return parse_time(files.read(path).decode()) if path.exists() else None
        except (ActRefused, UnicodeDecodeError) as error:
            raise FirmwareRefused(TrustCode.FILE_DAMAGED, f"{path} holds no time", str(path)) from error

    def _store_time(self, now: datetime) -> None:
        seen = self._seen()
        if seen is None or whole(now) > seen:
            files.replace(self.folder / _SEEN, format_time(now).encode(), files.PUBLIC)


def _entries(view: VerifiedMetadata, images: Path) -> list[SignedFirmware]:
    approvals = {path.removeprefix(f"{APPROVALS}/"): one for path, one in view.regulator.targets.items()}
    listed = {path: one for role in view.makers.values() for path, one in role.targets.items()}
    found = []
    for path in sorted({*listed, *approvals}):
        made, approved = listed.get(path), approvals.get(path)
        target = made or approvals[path]
        if made is None:
            code = TrustCode.MAKER_MISSING
        elif approved is None:
            code = TrustCode.REGULATOR_MISSING
        else:
            code = TrustCode.OK if _same(made, approved) else TrustCode.APPROVAL_DIFFERS
        sha256 = target.hashes["sha256"]
        image = images / sha256 if code is TrustCode.OK else None
        found.append(SignedFirmware(Firmware.of(target), code, sha256, target.length, image))
    return found


def _with_images_in(folder: Path | None, found: Approvals) -> Approvals:
    entries = tuple(
        SignedFirmware(one.firmware, one.code, one.sha256, one.length, one.image and folder and folder / one.image.name)
        for one in found.entries
    )
    return Approvals(entries, found.expires, found.version)


@contextmanager
def _named(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        text = f"{error.filename or folder}: {error.strerror or error}"
        raise FirmwareRefused(TrustCode.FILE_MISSING, text, str(error.filename or folder)) from error


def _same(made: TargetFile, approved: TargetFile) -> bool:
    return (made.length, made.hashes, made.custom) == (approved.length, approved.hashes, approved.custom)


def _check_image(entry: SignedFirmware, image: Path) -> None:
    if hashlib.sha256(files.read(image, IMAGE_BYTES_MAX)).hexdigest() != entry.sha256:
        raise FirmwareRefused(TrustCode.TARGET_ALTERED, f"{image} is not what was signed", str(image))


def _sync(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        elif path.is_dir():
            files.sync_folder(path)
    files.sync_folder(folder)
