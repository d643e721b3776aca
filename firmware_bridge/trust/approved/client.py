"""tuf's client on a folder; the clock is an argument."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from tuf.api import exceptions
from tuf.api.metadata import Metadata, Root, Snapshot, TargetFile, Targets, Timestamp
from tuf.ngclient import Updater, UpdaterConfig

from firmware_bridge.trust.approved import policy
from firmware_bridge.trust.approved.fetching import METADATA, TARGETS, FolderFetcher
from firmware_bridge.trust.approved.firmware import APPROVALS, REGULATOR
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import FirmwareRefused

CONFIG: Final = UpdaterConfig(
    max_root_rotations=64,
    max_delegations=32,
    root_max_length=128 << 10,
    timestamp_max_length=16 << 10,
    snapshot_max_length=1 << 20,
    targets_max_length=4 << 20,
)
"""Bytes, since a USB drive is untrusted; a thousand firmwares need 600 KiB."""


@dataclass(frozen=True, slots=True)
class VerifiedMetadata:
    makers: dict[str, Targets]
    regulator: Targets
    expires: datetime
    version: int


class Client:
    """One reading of one folder; older metadata than in ``trusted`` is refused."""

    def __init__(self, fetcher: FolderFetcher, trusted: Path, anchor: bytes, now: datetime) -> None:
        self._fetcher: Final = fetcher
        self._trusted: Final = trusted
        self._anchor: Final = anchor
        with self._named():
            self._updater: Final = Updater(
                str(trusted), f"{METADATA}/", None, f"{TARGETS}/", fetcher, CONFIG, bootstrap=anchor
            )
        # tuf reads the machine's clock when it is made, and has no argument for another: tests, and a table whose clock
        # was found wrong, need one. `test_the_clock_is_the_one_given_in` fails if this name is ever gone.
        self._updater._trusted_set.reference_time = now  # noqa: SLF001  as said

    def refresh(self) -> VerifiedMetadata:
        """Read and verify all metadata.

        Raises:
            FirmwareRefused: a check failed; the code names the attack.
        """
        with self._named():
            self._updater.refresh()
        root = self._roots()
        timestamp: Timestamp = self._whole(Timestamp.type, root)
        snapshot: Snapshot = self._whole(Snapshot.type, root)
        policy.check_pinned(timestamp, snapshot, (self._trusted / f"{Root.type}.json").read_bytes())
        targets: Targets = self._whole(Targets.type, root)
        policy.check_targets(targets, root)
        roles: dict[str, Targets] = {}
        for name in (targets.delegations and targets.delegations.roles) or ():
            probe = f"{APPROVALS}/a/a/a" if name == REGULATOR else f"{name.removeprefix('maker-')}/a/a"
            with self._named():
                self._updater.get_targetinfo(probe)
            roles[name] = self._whole(name, targets)
            policy.check_listed(name, roles[name])
        expiries = [one.expires for one in (root, timestamp, snapshot, targets, *roles.values())]
        return VerifiedMetadata(roles, roles.pop(REGULATOR), min(expiries), timestamp.version)

    def fetch(self, target: TargetFile, to: Path) -> None:
        with self._named(TrustCode.TARGET_ALTERED):
            self._updater.download_target(target, str(to))

    def _roots(self) -> Root:
        before = Metadata[Root].from_bytes(self._anchor)
        policy.check_root(before.signed)
        current = before
        while (file := self._trusted / "root_history" / f"{current.signed.version + 1}.root.json").exists():
            data = file.read_bytes()
            current = Metadata[Root].from_bytes(data)
            result = current.signed.get_root_verification_result(
                before.signed, current.signed_bytes, current.signatures
            )
            policy.check_nothing_stray(file.name, data, result.signed)
            policy.check_root(current.signed)
            before = current
        return current.signed

    def _whole(self, name: str, delegator: Root | Targets) -> Any:  # noqa: ANN401  a different kind for each name
        data = (self._trusted / f"{name}.json").read_bytes()
        found = Metadata[Any].from_bytes(data)
        result = delegator.get_verification_result(name, found.signed_bytes, found.signatures)
        return policy.check_nothing_stray(name, data, result.signed).signed

    @contextmanager
    def _named(self, mismatch: TrustCode = TrustCode.MIXED_AND_MATCHED) -> Iterator[None]:
        try:
            yield
        except (exceptions.RepositoryError, exceptions.DownloadError, OSError, ValueError) as error:
            file = self._fetcher.last
            raise FirmwareRefused(
                self._code(error, mismatch), f"{file or 'the anchored root'}: {error}", file
            ) from error

    def _code(self, error: Exception, mismatch: TrustCode) -> TrustCode:
        match error:
            case exceptions.DownloadLengthMismatchError():
                return TrustCode.ENDLESS_DATA
            case exceptions.DownloadHTTPError():
                return TrustCode.FILE_MISSING
            case exceptions.LengthOrHashMismatchError():
                return mismatch
            case exceptions.UnsignedMetadataError():
                return TrustCode.THRESHOLD_MISSED
            case exceptions.ExpiredMetadataError():
                # These two say what is newest: once they expire, nobody knows what was kept from us.
                return (
                    TrustCode.FROZEN if str(error).startswith(("timestamp", "snapshot")) else TrustCode.METADATA_EXPIRED
                )
            case exceptions.BadVersionNumberError():
                return TrustCode.MIXED_AND_MATCHED if self._is_another_version() else TrustCode.ROLLED_BACK
            case _:
                return TrustCode.MALFORMED

    def _is_another_version(self) -> bool:
        name = self._fetcher.last.rpartition("/")[2]
        wanted = name.partition(".")[0]
        if not wanted.isdigit():
            return False
        try:
            data = self._fetcher.download_bytes(self._fetcher.last, CONFIG.targets_max_length)
            return int(Metadata[Any].from_bytes(data).signed.version) != int(wanted)
        except (exceptions.RepositoryError, exceptions.DownloadError):
            return True  # a stick that was pulled out meanwhile, or says another thing the second time
