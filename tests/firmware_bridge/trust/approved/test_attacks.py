"""Each known attack on a stick is refused by its name, and leaves what was there."""

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from securesystemslib.signer import SSlibKey
from tuf.api.metadata import DelegatedRole, Delegations, Metadata, TargetFile

from firmware_bridge.trust.approved.publishing import signer_of
from firmware_bridge.trust.approved.store import Approvals, Store
from firmware_bridge.trust.codes import Code
from firmware_bridge.trust.errors import FirmwareRefused
from tests.firmware_bridge.trust.sticks import (
    NOW,
    Makers,
    Said,
    after,
    forge,
    image,
    key_from,
    newest,
    pinned,
    public,
    repin,
    unchanged,
)


@pytest.fixture
def store(makers: Makers, one: Path, tmp_path: Path) -> Store:
    """A site that took the first stick."""
    found = makers.store(tmp_path / "state")
    found.take(one, NOW)
    return found


def refused(store: Store, stick: Path, code: Code, *, days: float = 0.0) -> FirmwareRefused:
    """The stick is refused for that, and nothing has changed."""
    before = held(store)
    with pytest.raises(FirmwareRefused) as caught:
        store.take(stick, after(days=days))
    assert caught.value.code is code, caught.value
    assert caught.value.remedy
    assert held(store) == before
    return caught.value


def held(store: Store) -> Approvals:
    return store.load(NOW, remember=False)


def versions(found: Approvals) -> dict[str, Code]:
    return {one.firmware.version: one.code for one in found.entries}


# --- expiry, freeze, roll-back ----------------------------------------------------------------------------------------


def test_freeze(store: Store, two: Path) -> None:
    """Somebody keeps a table on an old stick: after its 90 days nobody can know what came since."""
    assert versions(store.load(after(days=89), remember=False)) == {"1.0.0": Code.OK}
    with pytest.raises(FirmwareRefused, match=r"^frozen: "):
        store.load(after(days=91), remember=False)
    refused(store, two, Code.FROZEN, days=91)


def test_expired_root(store: Store, makers: Makers, tmp_path: Path) -> None:
    makers.publish(after(days=366))
    found = refused(store, makers.stick(tmp_path / "late"), Code.METADATA_EXPIRED, days=366)
    assert "root" in found.what


def test_expired_list_of_a_maker(store: Store, makers: Makers, tmp_path: Path) -> None:
    later = after(days=366)
    makers.publication.begin(makers.holders, later)
    (makers.folder / "drafts" / "maker-acme.json").unlink(missing_ok=True)
    makers.sign_all()
    makers.publish(later)
    found = refused(store, makers.stick(tmp_path / "late"), Code.METADATA_EXPIRED, days=366)
    assert "maker-acme" in found.what


def test_roll_back_to_an_older_stick(store: Store, one: Path, two: Path) -> None:
    store.take(two, NOW)
    refused(store, one, Code.ROLLED_BACK)


def test_roll_back_of_one_list_by_whoever_has_the_publisher_s_key(
    store: Store, makers: Makers, one: Path, two: Path
) -> None:
    store.take(two, NOW)
    older = newest(one, "maker-acme")
    newest(two, "maker-acme").unlink()
    assert newest(two, "maker-acme").name == older.name
    repin(two, makers.publisher)
    refused(store, two, Code.ROLLED_BACK)


def test_a_list_taken_out_of_the_snapshot(store: Store, makers: Makers, two: Path) -> None:
    store.take(two, NOW)
    repin(two, makers.publisher)
    forge(two, "snapshot", lambda signed: signed.meta.pop("regulator.json"), makers.publisher)
    forge(
        two,
        "timestamp",
        lambda signed: setattr(signed, "snapshot_meta", pinned(newest(two, "snapshot"))),
        makers.publisher,
    )
    refused(store, two, Code.MALFORMED)


@pytest.mark.parametrize("reading", ["take", "load"])
def test_the_clock_went_back(store: Store, two: Path, reading: str) -> None:
    store.load(after(days=10))
    assert store.load(after(days=10, minutes=-4)).version == 2, "a time server may correct the clock"
    with pytest.raises(FirmwareRefused) as caught:
        store.take(two, after(days=9)) if reading == "take" else store.load(after(days=9))
    assert caught.value.code is Code.CLOCK_WENT_BACK
    assert caught.value.who == "technician"


def test_the_clock_is_the_one_given_in(tmp_path: Path) -> None:
    """Not the machine's: these sticks were made, and are read, in 2031 and in 2001."""
    for year, days in (("2031", 365 * 5), ("2001", -365 * 25)):
        folder = tmp_path / year
        others = Makers(folder / "repository").begin(after(days=days))
        store = others.store(folder / "state")
        assert store.take(others.stick(folder / "stick"), after(days=days + 1)).version == 1
        with pytest.raises(FirmwareRefused, match=r"^frozen: "):
            store.load(after(days=days + 91))


# --- mix and match ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["snapshot", "targets", "maker-acme", "regulator"])
def test_mix_and_match(makers: Makers, two: Path, tmp_path: Path, role: str) -> None:
    """A file of another version under the name of the right one, well signed as it is."""
    wanted = newest(two, role)
    other = makers.folder / "metadata" / f"1.{role}.json"
    if wanted.name == other.name:
        forge(two, role, lambda signed: setattr(signed, "version", 2), *makers.root[:2])
    else:
        shutil.copyfile(other, wanted)
    fresh = makers.store(tmp_path / "fresh")
    with pytest.raises(FirmwareRefused) as caught:
        fresh.take(two, NOW)
    assert caught.value.code is Code.MIXED_AND_MATCHED
    assert role in caught.value.file


def test_a_version_that_is_not_that_of_its_name(store: Store, makers: Makers, two: Path) -> None:
    """The publisher's own snapshot, listed under another version."""

    def lie(signed: Said) -> None:
        signed.snapshot_meta.version += 1

    file = newest(two, "snapshot")
    shutil.copyfile(file, file.with_name(f"{int(file.name.partition('.')[0]) + 1}.snapshot.json"))
    forge(two, "timestamp", lie, makers.publisher)
    refused(store, two, Code.MIXED_AND_MATCHED)


# --- who must sign ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("signers", ["one of three", "the regulator", "root", "nobody"])
def test_too_few_of_the_maker_s_keys(store: Store, makers: Makers, two: Path, signers: str) -> None:
    keys = {
        "one of three": makers.acme[:1],
        "the regulator": [makers.acme[0], makers.regulator],
        "root": makers.root[:2],
        "nobody": [],
    }[signers]
    forge(two, "maker-acme", unchanged, *keys)
    repin(two, makers.publisher)
    refused(store, two, Code.THRESHOLD_MISSED)


def test_the_regulator_s_list_without_the_regulator(store: Store, makers: Makers, two: Path) -> None:
    forge(two, "regulator", unchanged, *makers.acme)
    repin(two, makers.publisher)
    refused(store, two, Code.THRESHOLD_MISSED)


def test_a_timestamp_of_somebody_else(store: Store, two: Path) -> None:
    forge(two, "timestamp", unchanged, key_from("somebody"))
    refused(store, two, Code.THRESHOLD_MISSED)


def test_one_signature_counted_twice(store: Store, two: Path) -> None:
    path = newest(two, "timestamp")
    whole = json.loads(path.read_bytes())
    whole["signatures"] *= 2
    path.write_text(json.dumps(whole))
    refused(store, two, Code.MALFORMED)


def test_one_key_under_two_names(store: Store, makers: Makers, two: Path) -> None:
    """TUF counts ids; whoever names the same key twice needs one person for two signatures."""

    def alias(signed: Said) -> None:
        held = SSlibKey.from_crypto(public(makers.acme[0]))
        again = SSlibKey("alias", held.keytype, held.scheme, held.keyval)
        signed.add_key(again, "maker-acme")

    forge(two, "targets", alias, *makers.root[:2])
    repin_as_new(two, makers)
    assert "same key twice" in refused(store, two, Code.KEYS_NOT_APART).what


@pytest.mark.parametrize("whose", ["regulator", "publisher"])
def test_a_key_of_two_roles(store: Store, makers: Makers, two: Path, whose: str) -> None:
    key = makers.regulator if whose == "regulator" else makers.publisher
    forge(
        two, "targets", lambda signed: signed.add_key(SSlibKey.from_crypto(public(key)), "maker-acme"), *makers.root[:2]
    )
    repin_as_new(two, makers)
    refused(store, two, Code.KEYS_NOT_APART)


def test_a_maker_s_threshold_of_one(store: Store, makers: Makers, two: Path) -> None:
    def lower(signed: Said) -> None:
        signed.delegations.roles["maker-acme"].threshold = 1

    forge(two, "targets", lower, *makers.root[:2])
    repin_as_new(two, makers)
    refused(store, two, Code.THRESHOLD_TOO_LOW)


def test_a_root_that_one_key_can_change(makers: Makers, two: Path, tmp_path: Path) -> None:
    def lower(signed: Said) -> None:
        signed.roles["root"].threshold = 1

    forge(two, "root", lower, makers.root[0])
    digest = hashlib.sha256(newest(two, "root").read_bytes()).hexdigest()
    with pytest.raises(FirmwareRefused, match=r"^threshold_too_low: 1 signature is enough for root"):
        Store(tmp_path / "fresh", digest).take(two, NOW)


def test_no_role_of_a_regulator(store: Store, makers: Makers, two: Path) -> None:
    forge(two, "targets", lambda signed: signed.delegations.roles.pop("regulator"), *makers.root[:2])
    repin_as_new(two, makers)
    refused(store, two, Code.REGULATOR_MISSING)


def test_a_firmware_that_the_regulator_has_not_approved(store: Store, makers: Makers, tmp_path: Path) -> None:
    makers.release("1.2.0", 3, approve=False)
    found = store.take(makers.stick(tmp_path / "three"), NOW)
    assert versions(found) == {"1.0.0": Code.OK, "1.1.0": Code.OK, "1.2.0": Code.REGULATOR_MISSING}
    with pytest.raises(FirmwareRefused, match=r"^regulator_missing: ") as caught:
        found.of_version("1.2.0")
    assert caught.value.who == "regulator"
    with pytest.raises(FirmwareRefused, match=r"^regulator_missing: "):
        found.of_file(makers.folder / "1.2.0.bin")
    assert found.entries[-1].image is None


def test_a_firmware_that_only_the_regulator_lists(store: Store, makers: Makers, two: Path) -> None:
    forge(two, "maker-acme", lambda signed: signed.targets.pop("acme/shuffler-9/1.1.0.img"), *makers.acme[:2])
    repin(two, makers.publisher)
    assert versions(store.take(two, NOW)) == {"1.0.0": Code.OK, "1.1.0": Code.MAKER_MISSING}


@pytest.mark.parametrize("what", ["length", "hash", "custom"])
def test_the_maker_changes_what_was_approved(store: Store, makers: Makers, two: Path, what: str) -> None:
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
    found = store.take(two, NOW)
    assert versions(found)["1.1.0"] is Code.APPROVAL_DIFFERS
    with pytest.raises(FirmwareRefused, match=r"^approval_differs: "):
        found.of_version("1.1.0")


# --- what may be listed, and read -------------------------------------------------------------------------------------


def test_arbitrary_target_in_the_top_level_list(store: Store, makers: Makers, two: Path) -> None:
    target = TargetFile.from_data("acme/shuffler-9/9.9.9.img", image("9.9.9"), ["sha256"])
    forge(two, "targets", lambda signed: signed.targets.update({target.path: target}), *makers.root[:2])
    repin_as_new(two, makers)
    refused(store, two, Code.ARBITRARY_TARGET)


@pytest.mark.parametrize("path", ["bolt/shuffler-9/1.1.0.img", "approved/acme/shuffler-9/9.9.9.img", "../../etc/x"])
def test_arbitrary_target_in_a_maker_s_list(store: Store, makers: Makers, two: Path, path: str) -> None:
    def move(signed: Said) -> None:
        target = signed.targets.pop("acme/shuffler-9/1.1.0.img")
        signed.targets[path] = TargetFile.from_dict(target.to_dict(), path)

    forge(two, "maker-acme", move, *makers.acme[:2])
    repin(two, makers.publisher)
    refused(store, two, Code.ARBITRARY_TARGET)


def test_a_role_with_more_than_its_paths(store: Store, makers: Makers, two: Path) -> None:
    def widen(signed: Said) -> None:
        signed.delegations.roles["maker-acme"].paths = ["*/*/*"]

    forge(two, "targets", widen, *makers.root[:2])
    repin_as_new(two, makers)
    refused(store, two, Code.ARBITRARY_TARGET)


def test_a_maker_that_hands_its_right_on(store: Store, makers: Makers, two: Path) -> None:
    def delegate(signed: Said) -> None:
        somebody = SSlibKey.from_crypto(public(key_from("somebody")))
        role = DelegatedRole("somebody", [somebody.keyid], 1, terminating=False, paths=["acme/*/*"])
        signed.delegations = Delegations({somebody.keyid: somebody}, {"somebody": role})

    forge(two, "maker-acme", delegate, *makers.acme[:2])
    shutil.copyfile(newest(two, "regulator"), two / "metadata" / "3.somebody.json")
    forge(two, "somebody", lambda signed: signed.targets.clear(), key_from("somebody"))
    repin(two, makers.publisher, "somebody")
    refused(store, two, Code.ARBITRARY_TARGET)


@pytest.mark.parametrize(
    ("field", "value"),
    [("security_counter", -1), ("image_digest", "D1"), ("version", "../1"), ("maker", ""), ("rollback", 1)],
)
def test_fields_of_a_firmware_that_are_none(store: Store, makers: Makers, two: Path, field: str, value: object) -> None:
    def spoil(signed: Said) -> None:
        signed.targets["acme/shuffler-9/1.1.0.img"].custom[field] = value

    forge(two, "maker-acme", spoil, *makers.acme[:2])
    repin(two, makers.publisher)
    assert "acme/shuffler-9/1.1.0.img" in refused(store, two, Code.MALFORMED).what


def test_another_image_under_an_approved_name(store: Store, two: Path) -> None:
    path = next(one for one in two.glob("targets/acme/shuffler-9/*.1.1.0.img"))
    path.write_bytes(path.read_bytes().replace(b"1.1.0", b"6.6.6"))
    refused(store, two, Code.TARGET_ALTERED)


@pytest.mark.parametrize("role", ["timestamp", "snapshot", "maker-acme"])
def test_endless_data_in_metadata(store: Store, two: Path, role: str) -> None:
    os.truncate(newest(two, role), 8 << 30)  # a hole: it has no blocks, and 8 GiB to be read
    refused(store, two, Code.ENDLESS_DATA)


def test_endless_data_in_an_image(store: Store, two: Path) -> None:
    os.truncate(next(one for one in two.glob("targets/acme/shuffler-9/*.1.1.0.img")), 8 << 30)
    refused(store, two, Code.ENDLESS_DATA)


def test_a_pipe_in_place_of_a_file_does_not_hang(store: Store, two: Path) -> None:
    newest(two, "timestamp").unlink()
    os.mkfifo(newest(two, "timestamp"))
    assert "no plain file" in refused(store, two, Code.MALFORMED).what


def test_a_link_out_of_the_stick(store: Store, two: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("{}")
    newest(two, "timestamp").unlink()
    newest(two, "timestamp").symlink_to(tmp_path / "secret")
    assert "leads out of the folder" in refused(store, two, Code.MALFORMED).what


@pytest.mark.parametrize("role", ["timestamp", "snapshot", "maker-acme", "regulator"])
def test_a_missing_file(store: Store, two: Path, role: str) -> None:
    newest(two, role).unlink()
    refused(store, two, Code.FILE_MISSING)


def test_a_missing_image(store: Store, two: Path) -> None:
    next(one for one in two.glob("targets/acme/shuffler-9/*.1.1.0.img")).unlink()
    refused(store, two, Code.FILE_MISSING)


@pytest.mark.parametrize("what", ["signature", "field", "field of a signature", "capitals"])
def test_what_nobody_has_signed(store: Store, two: Path, what: str) -> None:
    path = newest(two, "timestamp")
    metadata = Metadata[Any].from_bytes(path.read_bytes())
    signature = next(iter(metadata.signatures.values()))
    if what == "signature":
        metadata.sign(signer_of(key_from("somebody")), append=True)
    elif what == "field":
        metadata.unrecognized_fields["note"] = "x"
    elif what == "capitals":
        signature.signature = signature.signature.upper()
    else:
        signature.unrecognized_fields["note"] = "x"
    path.write_bytes(metadata.to_bytes())
    refused(store, two, Code.STRAY_SIGNATURE)


# --- the root ---------------------------------------------------------------------------------------------------------


def test_a_new_root_signed_by_the_old_one_and_by_itself(store: Store, makers: Makers, tmp_path: Path) -> None:
    old = makers.root
    rotated = rotate(makers, [*old[1:], key_from("root-4")], old[:2])
    found = store.take(rotated.stick(tmp_path / "rotated"), NOW)
    assert versions(found) == {"1.0.0": Code.OK, "1.1.0": Code.OK}
    assert versions(store.load(NOW)) == versions(found)


def test_a_new_root_that_the_old_one_has_not_signed(store: Store, two: Path) -> None:
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
    refused(store, two, Code.THRESHOLD_MISSED)


def test_an_old_root_does_not_come_back(store: Store, makers: Makers, two: Path, tmp_path: Path) -> None:
    old = makers.root
    rotated = rotate(makers, [*old[1:], key_from("root-4")], old[:2])
    store.take(rotated.stick(tmp_path / "rotated"), NOW)
    refused(store, two, Code.ROLLED_BACK)


def test_a_new_root_that_is_withheld(store: Store, makers: Makers, tmp_path: Path) -> None:
    """The rest is signed by keys that the old root knows as well; it would keep the one alive that was taken away."""
    rotated = rotate(makers, [*makers.root[1:], key_from("root-4")], makers.root[:2])
    stick = rotated.stick(tmp_path / "rotated")
    newest(stick, "root").unlink()
    assert "root" in refused(store, stick, Code.MIXED_AND_MATCHED).what


def test_a_root_that_the_snapshot_does_not_bind(store: Store, makers: Makers, tmp_path: Path) -> None:
    fresh = makers.store(tmp_path / "fresh")
    stick = makers.stick(tmp_path / "three")
    forge(stick, "snapshot", lambda signed: signed.meta.pop("root.json"), makers.publisher)
    bound = pinned(newest(stick, "snapshot"))
    forge(stick, "timestamp", lambda signed: setattr(signed, "snapshot_meta", bound), makers.publisher)
    with pytest.raises(FirmwareRefused, match=r"^malformed: root.json is not bound"):
        fresh.take(stick, NOW)
    assert held(store).version == 2


def test_nobody_has_anchored_a_root(makers: Makers, two: Path, tmp_path: Path) -> None:
    for anchor, code in ((None, Code.NO_ANCHOR), ("00" * 32, Code.ANCHOR_DIFFERS)):
        with pytest.raises(FirmwareRefused) as caught:
            Store(tmp_path / "fresh", anchor).take(two, NOW)
        assert caught.value.code is code
    shutil.rmtree(two / "metadata")
    with pytest.raises(FirmwareRefused, match=r"^file_missing: "):
        makers.store(tmp_path / "fresh").take(two, NOW)


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
