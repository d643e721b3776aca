"""The house's demands on the metadata beyond those of TUF."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.signer import Key
from tuf.api.exceptions import LengthOrHashMismatchError
from tuf.api.metadata import Metadata, Root, Snapshot, Targets, Timestamp

from firmware_bridge.trust.approved.firmware import (
    APPROVALS,
    APPROVALS_PATTERN,
    REGULATOR,
    Firmware,
    maker_pattern,
    maker_role,
)
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import FirmwareRefused, KeyRefused
from firmware_bridge.trust.keys import allowed, public_bytes

THRESHOLDS: Final = {Root.type: 2, Targets.type: 2, Snapshot.type: 1, Timestamp.type: 1}
"""Least signatures; no single key names makers and regulator."""
MAKER_THRESHOLD: Final = 2
REGULATOR_THRESHOLD: Final = 1


def check_root(root: Root) -> None:
    """No single key can change the roles.

    Raises:
        FirmwareRefused: a threshold is too low, or a key counts twice.
    """
    for role, least in THRESHOLDS.items():
        found = root.roles[role]
        _check_role(role, found.threshold, least, (root.get_key(one) for one in found.keyids))


def check_targets(targets: Targets, root: Root) -> None:
    """Firmware needs keys of its maker and of the regulator, which have no other role.

    Raises:
        FirmwareRefused: the top-level role lists a target, or a delegation is wrong.
    """
    if targets.targets:
        path = next(iter(targets.targets))
        raise FirmwareRefused(
            TrustCode.ARBITRARY_TARGET, f"{path} is listed by the role targets, not by its maker", path
        )
    delegations = targets.delegations
    roles = delegations.roles if delegations else None
    if delegations is None or not roles or REGULATOR not in roles:
        raise FirmwareRefused(TrustCode.REGULATOR_MISSING, "no role of a regulator is set up")
    holders: dict[bytes, str] = {}
    for tops in (Root.type, Targets.type), (Snapshot.type, Timestamp.type):
        held = {_value(root.get_key(one)): top for top in tops for one in root.roles[top].keyids}
        _check_apart(tops[0], held, holders)
        holders |= held
    for name, role in roles.items():
        is_regulator = name == REGULATOR
        pattern = APPROVALS_PATTERN if is_regulator else maker_pattern(name)
        is_maker = name == maker_role(name.removeprefix("maker-")) != maker_role("")
        if role.paths != [pattern] or not (is_regulator or is_maker):
            raise FirmwareRefused(
                TrustCode.ARBITRARY_TARGET, f"the role {name} may list {role.paths}, and not {pattern}"
            )
        if not is_regulator and name == f"maker-{APPROVALS}":
            raise FirmwareRefused(TrustCode.ARBITRARY_TARGET, f"the role {name} could approve")
        keys = [delegations.keys[one] for one in role.keyids]
        _check_role(name, role.threshold, REGULATOR_THRESHOLD if is_regulator else MAKER_THRESHOLD, keys)
        held = dict.fromkeys(map(_value, keys), name)
        _check_apart(name, held, holders)
        holders |= held


def check_listed(name: str, role: Targets) -> None:
    if role.delegations is not None:
        raise FirmwareRefused(TrustCode.ARBITRARY_TARGET, f"the role {name} hands its right on to others")
    prefix = f"{APPROVALS}/" if name == REGULATOR else ""
    for path, target in role.targets.items():
        firmware = Firmware.of(target)
        if path != prefix + firmware.path or name not in (REGULATOR, firmware.role):
            raise FirmwareRefused(TrustCode.ARBITRARY_TARGET, f"{path} in the role {name} is {firmware}", path)
        if "sha256" not in target.hashes:
            raise FirmwareRefused(TrustCode.MALFORMED, f"{path} has no SHA-256", path)


def check_pinned(timestamp: Timestamp, snapshot: Snapshot, root: bytes) -> None:
    """Hash and length bind every file to the timestamp, the root too.

    Else a root that removes a stolen key could be withheld.

    Raises:
        FirmwareRefused: a file is not bound, or the root differs.
    """
    for name, meta in {"snapshot.json": timestamp.snapshot_meta, **snapshot.meta}.items():
        if not meta.hashes or "sha256" not in meta.hashes or meta.length is None:
            raise FirmwareRefused(TrustCode.MALFORMED, f"{name} is not bound by its length and SHA-256", name)
    bound = snapshot.meta.get("root.json")
    if bound is None:
        raise FirmwareRefused(TrustCode.MALFORMED, "root.json is not bound by the snapshot", "root.json")
    try:
        bound.verify_length_and_hashes(root)
    except LengthOrHashMismatchError as error:
        text = f"root: the snapshot is of version {bound.version}, which is not the one on the stick"
        raise FirmwareRefused(TrustCode.MIXED_AND_MATCHED, text, "root.json") from error


def check_nothing_stray(name: str, data: bytes, signed: Mapping[str, Key]) -> Metadata[Any]:
    """Signed content only, in canonical form, which tuf does not check.

    Raises:
        FirmwareRefused: an unsigned field, another key's signature, or another form.
    """
    metadata = Metadata[Any].from_bytes(data)
    signatures = metadata.signatures.values()
    stray = [one.keyid for one in signatures if one.keyid not in signed or not _is_plain(one.signature)]
    extra = [*metadata.unrecognized_fields, *(field for one in signatures for field in one.unrecognized_fields)]
    if stray or extra:
        what = f"a signature of {stray[0][:16]}" if stray else f"the field {extra[0]!r}"
        raise FirmwareRefused(TrustCode.STRAY_SIGNATURE, f"{name} carries {what}, which no valid key signs", name)
    try:
        is_as_signed = json.loads(data, object_pairs_hook=_each_once) == metadata.to_dict()
    except (ValueError, RecursionError):
        is_as_signed = False
    if not is_as_signed:
        raise FirmwareRefused(TrustCode.STRAY_SIGNATURE, f"{name} is not written as it was signed", name)
    return metadata


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("it has the same field twice")
    return found


def _is_plain(signature: str) -> bool:
    return bytes.fromhex(signature).hex() == signature


def _check_role(name: str, threshold: int, least: int, keys: Iterable[Key]) -> None:
    values = [_value(key) for key in keys]
    if threshold < least:
        raise FirmwareRefused(
            TrustCode.THRESHOLD_TOO_LOW, f"{threshold} signature is enough for {name}; it must be {least}"
        )
    if len(set(values)) < len(values):
        raise FirmwareRefused(TrustCode.KEYS_NOT_APART, f"the role {name} has the same key twice")


def _check_apart(name: str, held: Iterable[bytes], others: Mapping[bytes, str]) -> None:
    for value in held:
        if value in others:
            raise FirmwareRefused(TrustCode.KEYS_NOT_APART, f"a key of {name} is one of {others[value]} as well")


def _value(key: Key) -> bytes:
    text = str(key.to_dict()["keyval"]["public"])
    try:
        if key.keytype == "ed25519":
            return public_bytes(Ed25519PublicKey.from_public_bytes(bytes.fromhex(text)))
        return public_bytes(allowed(load_pem_public_key(text.encode()), key.keyid))
    except (ValueError, UnsupportedAlgorithm, KeyRefused) as error:
        raise FirmwareRefused(
            TrustCode.MALFORMED, f"the key {key.keyid[:16]} is neither Ed25519 nor ECDSA P-256"
        ) from error
