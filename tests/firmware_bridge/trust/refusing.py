"""Sticks that are refused, and leave what was there."""

from pathlib import Path
from typing import Any

import pytest
from tuf.api.metadata import Metadata

from firmware_bridge.trust.approved.publishing import signer_of
from firmware_bridge.trust.approved.store import Approvals, FirmwareStore
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import FirmwareRefused
from tests.firmware_bridge.trust.sticks import NOW, Makers, after, newest, repin


def refused(store: FirmwareStore, stick: Path, code: TrustCode, *, days: float = 0.0) -> FirmwareRefused:
    """The stick is refused for that, and nothing has changed."""
    before = held(store)
    with pytest.raises(FirmwareRefused) as caught:
        store.import_from(stick, after(days=days))
    assert caught.value.code is code, caught.value
    assert caught.value.remedy
    assert held(store) == before
    return caught.value


def held(store: FirmwareStore) -> Approvals:
    return store.load(NOW, remember=False)


def versions(found: Approvals) -> dict[str, TrustCode]:
    return {one.firmware.version: one.code for one in found.entries}


def repin_as_new(stick: Path, makers: Makers) -> None:
    """Publish a forged list of top level as its next version: the one that is known here would be used else."""
    file = newest(stick, "targets")
    metadata = Metadata[Any].from_bytes(file.read_bytes())
    metadata.signed.version += 1
    metadata.signatures.clear()
    for key in makers.root[:2]:
        metadata.sign(signer_of(key), append=True)
    file.with_name(f"{metadata.signed.version}.targets.json").write_bytes(metadata.to_bytes())
    repin(stick, makers.publisher)
