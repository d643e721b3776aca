"""Each known attack on a stick is refused by its name, and leaves what was there."""

import hashlib
import itertools
import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from securesystemslib.signer import SSlibKey
from tuf.api.metadata import DelegatedRole, Delegations, Metadata, TargetFile

from firmware_bridge.trust.approved.publishing import signer_of
from firmware_bridge.trust.approved.store import FirmwareStore
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import FirmwareRefused, KeyRefused
from tests.firmware_bridge.trust.refusing import held, refused, repin_as_new, versions
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
)

# --- expiry, freeze, roll-back ----------------------------------------------------------------------------------------


def test_freeze(store: FirmwareStore, two: Path) -> None:
    """Somebody keeps a table on an old stick: after its 90 days nobody can know what came since."""
    assert versions(store.load(after(days=89), remember=False)) == {"1.0.0": TrustCode.OK}
    with pytest.raises(FirmwareRefused, match=r"^frozen: "):
        store.load(after(days=91), remember=False)
    refused(store, two, TrustCode.FROZEN, days=91)


def test_expired_root(store: FirmwareStore, makers: Makers, tmp_path: Path) -> None:
    makers.publish(after(days=366))
    found = refused(store, makers.stick(tmp_path / "late"), TrustCode.METADATA_EXPIRED, days=366)
    assert "root" in found.what


def test_expired_list_of_a_maker(store: FirmwareStore, makers: Makers, tmp_path: Path) -> None:
    later = after(days=366)
    makers.publication.begin(makers.holders, later)
    (makers.folder / "drafts" / "maker-acme.json").unlink(missing_ok=True)
    makers.sign_all()
    makers.publish(later)
    found = refused(store, makers.stick(tmp_path / "late"), TrustCode.METADATA_EXPIRED, days=366)
    assert "maker-acme" in found.what


def test_roll_back_to_an_older_stick(store: FirmwareStore, one: Path, two: Path) -> None:
    store.import_from(two, NOW)
    refused(store, one, TrustCode.ROLLED_BACK)


def test_roll_back_of_one_list_by_whoever_has_the_publisher_s_key(
    store: FirmwareStore, makers: Makers, one: Path, two: Path
) -> None:
    store.import_from(two, NOW)
    older = newest(one, "maker-acme")
    newest(two, "maker-acme").unlink()
    assert newest(two, "maker-acme").name == older.name
    repin(two, makers.publisher)
    refused(store, two, TrustCode.ROLLED_BACK)


def test_a_list_taken_out_of_the_snapshot(store: FirmwareStore, makers: Makers, two: Path) -> None:
    store.import_from(two, NOW)
    repin(two, makers.publisher)
    forge(two, "snapshot", lambda signed: signed.meta.pop("regulator.json"), makers.publisher)
    forge(
        two,
        "timestamp",
        lambda signed: setattr(signed, "snapshot_meta", pinned(newest(two, "snapshot"))),
        makers.publisher,
    )
    refused(store, two, TrustCode.MALFORMED)


@pytest.mark.parametrize("reading", ["take", "load"])
def test_the_clock_went_back(store: FirmwareStore, two: Path, reading: str) -> None:
    store.load(after(days=10))
    assert store.load(after(days=10, minutes=-4)).version == 2, "a time server may correct the clock"
    with pytest.raises(FirmwareRefused) as caught:
        store.import_from(two, after(days=9)) if reading == "take" else store.load(after(days=9))
    assert caught.value.code is TrustCode.CLOCK_WENT_BACK
    assert caught.value.who == "technician"


def test_the_clock_is_the_one_given_in(tmp_path: Path) -> None:
    """Not the machine's: these sticks were made, and are read, in 2031 and in 2001."""
    for year, days in (("2031", 365 * 5), ("2001", -365 * 25)):
        folder = tmp_path / year
        others = Makers(folder / "repository").begin(after(days=days))
        store = others.store(folder / "state")
        assert store.import_from(others.stick(folder / "stick"), after(days=days + 1)).version == 1
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
        fresh.import_from(two, NOW)
    assert caught.value.code is TrustCode.MIXED_AND_MATCHED
    assert role in caught.value.file


def test_a_version_that_is_not_that_of_its_name(store: FirmwareStore, makers: Makers, two: Path) -> None:
    """The publisher's own snapshot, listed under another version."""

    def lie(signed: Said) -> None:
        signed.snapshot_meta.version += 1

    file = newest(two, "snapshot")
    shutil.copyfile(file, file.with_name(f"{int(file.name.partition('.')[0]) + 1}.snapshot.json"))
    forge(two, "timestamp", lie, makers.publisher)
    refused(store, two, TrustCode.MIXED_AND_MATCHED)


# --- what may be listed, and read -------------------------------------------------------------------------------------


def test_arbitrary_target_in_the_top_level_list(store: FirmwareStore, makers: Makers, two: Path) -> None:
    target = TargetFile.from_data("acme/shuffler-9/9.9.9.img", image("9.9.9"), ["sha256"])
    forge(two, "targets", lambda signed: signed.targets.update({target.path: target}), *makers.root[:2])
    repin_as_new(two, makers)
    refused(store, two, TrustCode.ARBITRARY_TARGET)


@pytest.mark.parametrize("path", ["bolt/shuffler-9/1.1.0.img", "approved/acme/shuffler-9/9.9.9.img", "../../etc/x"])
def test_arbitrary_target_in_a_maker_s_list(store: FirmwareStore, makers: Makers, two: Path, path: str) -> None:
    def move(signed: Said) -> None:
        target = signed.targets.pop("acme/shuffler-9/1.1.0.img")
        signed.targets[path] = TargetFile.from_dict(target.to_dict(), path)

    forge(two, "maker-acme", move, *makers.acme[:2])
    repin(two, makers.publisher)
    refused(store, two, TrustCode.ARBITRARY_TARGET)


def test_a_role_with_more_than_its_paths(store: FirmwareStore, makers: Makers, two: Path) -> None:
    def widen(signed: Said) -> None:
        signed.delegations.roles["maker-acme"].paths = ["*/*/*"]

    forge(two, "targets", widen, *makers.root[:2])
    repin_as_new(two, makers)
    refused(store, two, TrustCode.ARBITRARY_TARGET)


def test_a_maker_with_the_name_of_the_approvals(store: FirmwareStore, makers: Makers, two: Path) -> None:
    def name(signed: Said) -> None:
        role = signed.delegations.roles.pop("maker-acme")
        role.name, role.paths = "maker-approved", ["approved/*/*"]
        signed.delegations.roles["maker-approved"] = role

    forge(two, "targets", name, *makers.root[:2])
    repin_as_new(two, makers)
    assert "could approve" in refused(store, two, TrustCode.ARBITRARY_TARGET).what


@pytest.mark.parametrize("name", ["snapshot.json", "maker-acme.json"])
def test_a_file_that_is_not_bound_by_a_hash(makers: Makers, two: Path, tmp_path: Path, name: str) -> None:
    """TUF leaves hashes out if it likes; then old and new bytes could be mixed."""

    def unbind(signed: Said) -> None:
        meta = signed.snapshot_meta if name == "snapshot.json" else signed.meta[name]
        meta.hashes, meta.length = None, None

    if name == "snapshot.json":
        forge(two, "timestamp", unbind, makers.publisher)
    else:
        forge(two, "snapshot", unbind, makers.publisher)
        bound = pinned(newest(two, "snapshot"))
        forge(two, "timestamp", lambda signed: setattr(signed, "snapshot_meta", bound), makers.publisher)
    with pytest.raises(FirmwareRefused, match=rf"^malformed: {name} is not bound"):
        makers.store(tmp_path / "fresh").import_from(two, NOW)


def test_an_image_without_sha256_or_longer_than_any_flash(store: FirmwareStore, makers: Makers, tmp_path: Path) -> None:
    def weaken(signed: Said) -> None:
        signed.targets["acme/shuffler-9/1.1.0.img"].hashes = {"md5": "00" * 16}

    def lengthen(signed: Said) -> None:
        prefix = "approved/" if "approved/acme/shuffler-9/1.1.0.img" in signed.targets else ""
        signed.targets[f"{prefix}acme/shuffler-9/1.1.0.img"].length = 1 << 30

    weak, long = makers.stick(tmp_path / "weak"), makers.stick(tmp_path / "long")
    forge(weak, "maker-acme", weaken, *makers.acme[:2])
    repin(weak, makers.publisher)
    refused(store, weak, TrustCode.MALFORMED)
    forge(long, "maker-acme", lengthen, *makers.acme[:2])
    forge(long, "regulator", lengthen, makers.regulator)
    repin(long, makers.publisher)
    refused(store, long, TrustCode.ENDLESS_DATA)


def test_a_maker_that_hands_its_right_on(store: FirmwareStore, makers: Makers, two: Path) -> None:
    def delegate(signed: Said) -> None:
        somebody = SSlibKey.from_crypto(public(key_from("somebody")))
        role = DelegatedRole("somebody", [somebody.keyid], 1, terminating=False, paths=["acme/*/*"])
        signed.delegations = Delegations({somebody.keyid: somebody}, {"somebody": role})

    forge(two, "maker-acme", delegate, *makers.acme[:2])
    shutil.copyfile(newest(two, "regulator"), two / "metadata" / "3.somebody.json")
    forge(two, "somebody", lambda signed: signed.targets.clear(), key_from("somebody"))
    repin(two, makers.publisher, "somebody")
    refused(store, two, TrustCode.ARBITRARY_TARGET)


@pytest.mark.parametrize(
    ("field", "value"),
    [("security_counter", -1), ("image_digest", "D1"), ("version", "../1"), ("maker", ""), ("rollback", 1)],
)
def test_fields_of_a_firmware_that_are_none(
    store: FirmwareStore, makers: Makers, two: Path, field: str, value: object
) -> None:
    def spoil(signed: Said) -> None:
        signed.targets["acme/shuffler-9/1.1.0.img"].custom[field] = value

    forge(two, "maker-acme", spoil, *makers.acme[:2])
    repin(two, makers.publisher)
    assert "acme/shuffler-9/1.1.0.img" in refused(store, two, TrustCode.MALFORMED).what


def test_another_image_under_an_approved_name(store: FirmwareStore, two: Path) -> None:
    path = next(one for one in two.glob("targets/acme/shuffler-9/*.1.1.0.img"))
    path.write_bytes(path.read_bytes().replace(b"1.1.0", b"6.6.6"))
    refused(store, two, TrustCode.TARGET_ALTERED)


@pytest.mark.parametrize("what", ["image_digest", "security_counter"])
def test_an_image_that_says_otherwise_than_both_have_signed(
    store: FirmwareStore, makers: Makers, two: Path, what: str
) -> None:
    def lie(signed: Said) -> None:
        path = next(one for one in signed.targets if one.endswith("acme/shuffler-9/1.1.0.img"))
        signed.targets[path].custom[what] = "00" * 32 if what == "image_digest" else 9

    forge(two, "maker-acme", lie, *makers.acme[:2])
    forge(two, "regulator", lie, makers.regulator)
    repin(two, makers.publisher)
    refused(store, two, TrustCode.IMAGE_DIFFERS)


@pytest.mark.parametrize("role", ["timestamp", "snapshot", "maker-acme"])
def test_endless_data_in_metadata(store: FirmwareStore, two: Path, role: str) -> None:
    os.truncate(newest(two, role), 8 << 30)  # a hole: it has no blocks, and 8 GiB to be read
    refused(store, two, TrustCode.ENDLESS_DATA)


def test_endless_data_in_an_image(store: FirmwareStore, two: Path) -> None:
    os.truncate(next(one for one in two.glob("targets/acme/shuffler-9/*.1.1.0.img")), 8 << 30)
    refused(store, two, TrustCode.ENDLESS_DATA)


def test_a_pipe_in_place_of_a_file_does_not_hang(store: FirmwareStore, two: Path) -> None:
    newest(two, "timestamp").unlink()
    os.mkfifo(newest(two, "timestamp"))
    assert "no plain file" in refused(store, two, TrustCode.MALFORMED).what


def test_a_link_out_of_the_stick(store: FirmwareStore, two: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("{}")
    newest(two, "timestamp").unlink()
    newest(two, "timestamp").symlink_to(tmp_path / "secret")
    assert "leads out of the folder" in refused(store, two, TrustCode.MALFORMED).what


def shown(path: Path, what: str, genuine: bytes, outside: Path) -> None:
    """Has a stick show something in the place of a file, in one step."""
    beside = path.with_name("beside")
    if what == "link":
        beside.symlink_to(outside)
    elif what == "pipe":
        os.mkfifo(beside)
    else:
        beside.write_bytes({"genuine": genuine, "altered": genuine[:-1] + b"\0", "short": genuine[:100]}[what])
    beside.replace(path)
    if what == "short":
        path.unlink()


@pytest.mark.parametrize("which", ["timestamp", "image"])
def test_a_stick_that_changes_while_it_is_read(
    which: str, makers: Makers, one: Path, two: Path, tmp_path: Path
) -> None:
    image_file = next(two.glob("targets/acme/shuffler-9/*.1.1.0.img"))
    path = newest(two, "timestamp") if which == "timestamp" else image_file
    genuine = path.read_bytes()
    outside = tmp_path / "outside"
    outside.write_bytes(genuine[::-1])
    over = threading.Event()

    def change() -> None:
        for what in itertools.cycle(["genuine", "altered", "link", "genuine", "pipe", "short"]):
            shown(path, what, genuine, outside)
            if over.is_set():
                return

    changing = threading.Thread(target=change)
    changing.start()
    try:
        for number in range(8):
            store = makers.store(tmp_path / f"state-{number}")
            store.import_from(one, NOW)
            before = held(store)
            try:
                store.import_from(two, NOW)
            except (FirmwareRefused, KeyRefused):
                assert held(store) == before
            images = [(entry.image, entry.sha256) for entry in held(store).entries if entry.image is not None]
            assert all(hashlib.sha256(path.read_bytes()).hexdigest() == sha256 for path, sha256 in images)
    finally:
        over.set()
        changing.join()


@pytest.mark.parametrize("role", ["timestamp", "snapshot", "maker-acme", "regulator"])
def test_a_missing_file(store: FirmwareStore, two: Path, role: str) -> None:
    newest(two, role).unlink()
    refused(store, two, TrustCode.FILE_MISSING)


def test_a_missing_image(store: FirmwareStore, two: Path) -> None:
    next(one for one in two.glob("targets/acme/shuffler-9/*.1.1.0.img")).unlink()
    refused(store, two, TrustCode.FILE_MISSING)


@pytest.mark.parametrize("change", [(b'"1.0.31"', b"null"), (b'"version": 3', b'"version": 2, "version": 3')])
def test_what_says_the_same_otherwise_than_it_was_signed(
    two: Path, store: FirmwareStore, change: tuple[bytes, bytes]
) -> None:
    """For tuf no version of the format is the newest, and of two fields the last counts; others may think otherwise."""
    path = newest(two, "timestamp")
    said = json.dumps(json.loads(path.read_bytes())).encode()
    assert change[0] in said
    path.write_bytes(said.replace(*change))
    assert "is not written as it was signed" in refused(store, two, TrustCode.STRAY_SIGNATURE).what


@pytest.mark.parametrize("what", ["signature", "field", "field of a signature", "capitals"])
def test_what_nobody_has_signed(store: FirmwareStore, two: Path, what: str) -> None:
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
    refused(store, two, TrustCode.STRAY_SIGNATURE)
