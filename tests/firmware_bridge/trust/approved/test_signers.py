"""Who must have signed what on a stick, and from which root it is known."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from securesystemslib.signer import SSlibKey

from firmware_bridge.trust.approved.store import FirmwareStore
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import FirmwareRefused
from firmware_bridge.trust.keys import NamedKey
from tests.firmware_bridge.trust.refusing import held, refused, repin_as_new, versions
from tests.firmware_bridge.trust.sticks import (
    NOW,
    Makers,
    Said,
    forge,
    key_from,
    newest,
    pinned,
    public,
    repin,
    unchanged,
)

# --- who must sign ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("signers", ["one of three", "the regulator", "root", "nobody"])
def test_too_few_of_the_maker_s_keys(store: FirmwareStore, makers: Makers, two: Path, signers: str) -> None:
    keys = {
        "one of three": makers.acme[:1],
        "the regulator": [makers.acme[0], makers.regulator],
        "root": makers.root[:2],
        "nobody": [],
    }[signers]
    forge(two, "maker-acme", unchanged, *keys)
    repin(two, makers.publisher)
    refused(store, two, TrustCode.THRESHOLD_MISSED)


def test_the_regulator_s_list_without_the_regulator(store: FirmwareStore, makers: Makers, two: Path) -> None:
    forge(two, "regulator", unchanged, *makers.acme)
    repin(two, makers.publisher)
    refused(store, two, TrustCode.THRESHOLD_MISSED)


def test_a_timestamp_of_somebody_else(store: FirmwareStore, two: Path) -> None:
    forge(two, "timestamp", unchanged, key_from("somebody"))
    refused(store, two, TrustCode.THRESHOLD_MISSED)


def test_one_signature_counted_twice(store: FirmwareStore, two: Path) -> None:
    path = newest(two, "timestamp")
    whole = json.loads(path.read_bytes())
    whole["signatures"] *= 2
    path.write_text(json.dumps(whole))
    refused(store, two, TrustCode.MALFORMED)


def test_one_key_under_two_names(store: FirmwareStore, makers: Makers, two: Path) -> None:
    """TUF counts ids; whoever names the same key twice needs one person for two signatures."""

    def alias(signed: Said) -> None:
        held = SSlibKey.from_crypto(public(makers.acme[0]))
        again = SSlibKey("alias", held.keytype, held.scheme, held.keyval)
        signed.add_key(again, "maker-acme")

    forge(two, "targets", alias, *makers.root[:2])
    repin_as_new(two, makers)
    assert "same key twice" in refused(store, two, TrustCode.KEYS_NOT_APART).what


def test_one_key_written_in_two_ways(store: FirmwareStore, makers: Makers, two: Path) -> None:
    def alias(signed: Said) -> None:
        held = SSlibKey.from_crypto(public(makers.acme[0]))
        again = SSlibKey("alias", held.keytype, held.scheme, {"public": held.keyval["public"].upper()})
        signed.add_key(again, "maker-acme")

    forge(two, "targets", alias, *makers.root[:2])
    repin_as_new(two, makers)
    assert "same key twice" in refused(store, two, TrustCode.KEYS_NOT_APART).what


@pytest.mark.parametrize("kind", ["rsa", "damaged"])
def test_a_key_of_another_kind(store: FirmwareStore, makers: Makers, two: Path, kind: str) -> None:
    rsa_key = SSlibKey.from_crypto(rsa.generate_private_key(65537, 2048).public_key())
    other = rsa_key if kind == "rsa" else SSlibKey("aa", "ed25519", "ed25519", {"public": "00"})
    forge(two, "targets", lambda signed: signed.add_key(other, "maker-acme"), *makers.root[:2])
    repin_as_new(two, makers)
    assert "neither Ed25519 nor ECDSA P-256" in refused(store, two, TrustCode.MALFORMED).what


@pytest.mark.parametrize("whose", ["regulator", "publisher", "root"])
def test_a_key_of_two_roles(store: FirmwareStore, makers: Makers, two: Path, whose: str) -> None:
    key = {"regulator": makers.regulator, "publisher": makers.publisher, "root": makers.root[2]}[whose]
    forge(
        two, "targets", lambda signed: signed.add_key(SSlibKey.from_crypto(public(key)), "maker-acme"), *makers.root[:2]
    )
    repin_as_new(two, makers)
    refused(store, two, TrustCode.KEYS_NOT_APART)


@pytest.mark.parametrize("role", ["publisher", "regulator"])
def test_who_says_who_the_others_are_is_none_of_them(tmp_path: Path, role: str) -> None:
    makers, root = Makers(tmp_path / "repository"), key_from("root-1")
    makers.publisher, makers.regulator = (root, makers.regulator) if role == "publisher" else (makers.publisher, root)
    makers.begin()
    with pytest.raises(FirmwareRefused, match=r"^keys_not_apart: a key of (snapshot|regulator) is one of targets"):
        makers.store(tmp_path / "state").import_from(makers.stick(tmp_path / "stick"), NOW)


def test_a_maker_s_threshold_of_one(store: FirmwareStore, makers: Makers, two: Path) -> None:
    def lower(signed: Said) -> None:
        signed.delegations.roles["maker-acme"].threshold = 1

    forge(two, "targets", lower, *makers.root[:2])
    repin_as_new(two, makers)
    refused(store, two, TrustCode.THRESHOLD_TOO_LOW)


def test_a_root_that_one_key_can_change(makers: Makers, two: Path, tmp_path: Path) -> None:
    def lower(signed: Said) -> None:
        signed.roles["root"].threshold = 1

    forge(two, "root", lower, makers.root[0])
    digest = hashlib.sha256(newest(two, "root").read_bytes()).hexdigest()
    with pytest.raises(FirmwareRefused, match=r"^threshold_too_low: 1 signature is enough for root"):
        FirmwareStore(tmp_path / "fresh", digest).import_from(two, NOW)


def test_an_anchor_that_one_key_could_change(makers: Makers, two: Path, tmp_path: Path) -> None:
    """Its successor is set up well; but one key alone has signed that."""

    def lower(signed: Said) -> None:
        signed.roles["root"].threshold = 1

    forge(two, "root", lower, makers.root[0])
    anchor = newest(two, "root").read_bytes()
    newest(two, "root").with_name("2.root.json").write_bytes(anchor)

    def succeed(signed: Said) -> None:
        signed.version, signed.roles["root"].threshold = 2, 2

    forge(two, "root", succeed, *makers.root[:2])
    repin(two, makers.publisher)
    with pytest.raises(FirmwareRefused, match=r"^threshold_too_low: 1 signature is enough for root"):
        FirmwareStore(tmp_path / "fresh", hashlib.sha256(anchor).hexdigest()).import_from(two, NOW)


@pytest.mark.parametrize("name", ["maker-../../x", "maker-Acme", "acme", "maker-"])
def test_a_role_with_another_name_than_a_maker_s(store: FirmwareStore, makers: Makers, two: Path, name: str) -> None:
    def rename(signed: Said) -> None:
        role = signed.delegations.roles.pop("maker-acme")
        role.name, role.paths = name, [f"{name.removeprefix('maker-')}/*/*"]
        signed.delegations.roles[name] = role

    forge(two, "targets", rename, *makers.root[:2])
    repin_as_new(two, makers)
    refused(store, two, TrustCode.ARBITRARY_TARGET)


def test_signers_with_ecdsa_keys(tmp_path: Path) -> None:
    makers = Makers(tmp_path / "repository")
    makers.acme = [NamedKey(f"acme-{n}", ec.derive_private_key(n, ec.SECP256R1())) for n in (11, 12, 13)]
    makers.begin()
    makers.release("1.0.0")
    found = makers.store(tmp_path / "state").import_from(makers.stick(tmp_path / "stick"), NOW)
    assert versions(found) == {"1.0.0": TrustCode.OK}


def test_no_role_of_a_regulator(store: FirmwareStore, makers: Makers, two: Path) -> None:
    forge(two, "targets", lambda signed: signed.delegations.roles.pop("regulator"), *makers.root[:2])
    repin_as_new(two, makers)
    refused(store, two, TrustCode.REGULATOR_MISSING)


def test_a_firmware_that_the_regulator_has_not_approved(store: FirmwareStore, makers: Makers, tmp_path: Path) -> None:
    makers.release("1.2.0", 3, approve=False)
    found = store.import_from(makers.stick(tmp_path / "three"), NOW)
    assert versions(found) == {"1.0.0": TrustCode.OK, "1.1.0": TrustCode.OK, "1.2.0": TrustCode.REGULATOR_MISSING}
    with pytest.raises(FirmwareRefused, match=r"^regulator_missing: ") as caught:
        found.of_version("1.2.0")
    assert caught.value.who == "regulator"
    with pytest.raises(FirmwareRefused, match=r"^regulator_missing: "):
        found.of_file(makers.folder / "1.2.0.bin")
    assert found.entries[-1].image is None


def test_a_firmware_that_only_the_regulator_lists(store: FirmwareStore, makers: Makers, two: Path) -> None:
    forge(two, "maker-acme", lambda signed: signed.targets.pop("acme/shuffler-9/1.1.0.img"), *makers.acme[:2])
    repin(two, makers.publisher)
    assert versions(store.import_from(two, NOW)) == {"1.0.0": TrustCode.OK, "1.1.0": TrustCode.MAKER_MISSING}


@pytest.mark.parametrize("what", ["length", "hash", "custom"])
def test_the_maker_changes_what_was_approved(store: FirmwareStore, makers: Makers, two: Path, what: str) -> None:
    """Two of the maker's own keys put another file under an approved name."""

    def change(signed: Said) -> None:
        target = signed.targets["acme/shuffler-9/1.1.0.img"]
        if what == "length":
            target.length += 1
        elif what == "hash":
            target.hashes["sha256"] = "00" * 32
        else:
            target.custom["security_counter"] = 1

    forge(two, "maker-acme", change, *makers.acme[:2])
    repin(two, makers.publisher)
    found = store.import_from(two, NOW)
    assert versions(found)["1.1.0"] is TrustCode.APPROVAL_DIFFERS
    with pytest.raises(FirmwareRefused, match=r"^approval_differs: "):
        found.of_version("1.1.0")


# --- the root ---------------------------------------------------------------------------------------------------------


def test_a_new_root_signed_by_the_old_one_and_by_itself(store: FirmwareStore, makers: Makers, tmp_path: Path) -> None:
    old = makers.root
    rotated = rotate(makers, [*old[1:], key_from("root-4")], old[:2])
    found = store.import_from(rotated.stick(tmp_path / "rotated"), NOW)
    assert versions(found) == {"1.0.0": TrustCode.OK, "1.1.0": TrustCode.OK}
    assert versions(store.load(NOW)) == versions(found)


def test_a_new_root_that_the_old_one_has_not_signed(store: FirmwareStore, two: Path) -> None:
    newcomers = [key_from("root-8"), key_from("root-9")]
    file = newest(two, "root")
    shutil.copyfile(file, file.with_name("2.root.json"))

    def take_over(signed: Said) -> None:
        signed.version = 2
        for keyid in list(signed.roles["root"].keyids):
            signed.revoke_key(keyid, "root")
        for key in newcomers:
            signed.add_key(SSlibKey.from_crypto(public(key)), "root")

    forge(two, "root", take_over, *newcomers)
    refused(store, two, TrustCode.THRESHOLD_MISSED)


def test_an_old_root_does_not_come_back(store: FirmwareStore, makers: Makers, two: Path, tmp_path: Path) -> None:
    old = makers.root
    rotated = rotate(makers, [*old[1:], key_from("root-4")], old[:2])
    store.import_from(rotated.stick(tmp_path / "rotated"), NOW)
    refused(store, two, TrustCode.ROLLED_BACK)


def test_a_new_root_that_is_withheld(store: FirmwareStore, makers: Makers, tmp_path: Path) -> None:
    """The rest is signed by keys that the old root knows as well; it would keep the one alive that was taken away."""
    rotated = rotate(makers, [*makers.root[1:], key_from("root-4")], makers.root[:2])
    stick = rotated.stick(tmp_path / "rotated")
    newest(stick, "root").unlink()
    assert "root" in refused(store, stick, TrustCode.MIXED_AND_MATCHED).what


def test_a_root_that_the_snapshot_does_not_bind(store: FirmwareStore, makers: Makers, tmp_path: Path) -> None:
    fresh = makers.store(tmp_path / "fresh")
    stick = makers.stick(tmp_path / "three")
    forge(stick, "snapshot", lambda signed: signed.meta.pop("root.json"), makers.publisher)
    bound = pinned(newest(stick, "snapshot"))
    forge(stick, "timestamp", lambda signed: setattr(signed, "snapshot_meta", bound), makers.publisher)
    with pytest.raises(FirmwareRefused, match=r"^malformed: root.json is not bound"):
        fresh.import_from(stick, NOW)
    assert held(store).version == 2


def test_nobody_has_anchored_a_root(makers: Makers, two: Path, tmp_path: Path) -> None:
    for anchor, code in ((None, TrustCode.NO_ANCHOR), ("00" * 32, TrustCode.ANCHOR_DIFFERS)):
        with pytest.raises(FirmwareRefused) as caught:
            FirmwareStore(tmp_path / "fresh", anchor).import_from(two, NOW)
        assert caught.value.code is code
    shutil.rmtree(two / "metadata")
    with pytest.raises(FirmwareRefused, match=r"^file_missing: "):
        makers.store(tmp_path / "fresh").import_from(two, NOW)


def rotate(makers: Makers, root: list[Any], old: list[Any]) -> Makers:
    """The makers after a change of who holds root."""
    makers.root = root
    makers.publication.begin(makers.holders, NOW)
    for role in makers.publication.drafts():
        if role not in ("root", "targets"):
            (makers.folder / "drafts" / f"{role}.json").unlink()
    for key in {one.name: one for one in [*old, *root[-2:]]}.values():
        makers.publication.sign("root", key)
    for key in root[:2]:
        makers.publication.sign("targets", key)
    makers.publish()
    return makers
