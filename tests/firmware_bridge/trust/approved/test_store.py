"""A site's store of the sticks it took, and its answers about a firmware."""

import hashlib
import os
import resource
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.trust.approved.firmware import Firmware
from firmware_bridge.trust.approved.publishing import Publication
from firmware_bridge.trust.approved.store import FirmwareStore
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import FirmwareRefused, KeyRefused, TrustError
from firmware_bridge.trust.facts import Unit
from protocols.mcuboot.codec import decode_image, encode_image
from tests.firmware_bridge.trust.refusing import versions
from tests.firmware_bridge.trust.sticks import MAKER, MODEL, NOW, Makers, after, digest, firmware, image, key_from

UNIT = Unit(MAKER, MODEL, "SN-1")


def uncounted() -> bytes:
    """An image without a security counter."""
    return encode_image(replace(decode_image(image("2.0.0")), protected=()))


@pytest.fixture
def store(makers: Makers, tmp_path: Path) -> FirmwareStore:
    return makers.store(tmp_path / "state")


def test_what_a_stick_brings_is_there_without_it(store: FirmwareStore, one: Path, two: Path) -> None:
    store.import_from(one, NOW)
    taken = store.import_from(two, after(days=1))
    shutil.rmtree(two)
    found = store.load(after(days=2))
    assert found == taken
    assert [(one.firmware, one.code, one.length) for one in found.entries] == [
        (firmware("1.0.0"), TrustCode.OK, len(image("1.0.0"))),
        (firmware("1.1.0", 2), TrustCode.OK, len(image("1.1.0"))),
    ]
    held = [one.image for one in found.entries]
    assert [path and path.read_bytes() for path in held] == [image("1.0.0"), image("1.1.0")]
    assert found.expires == after(days=90)
    names = [path.name for path in sorted(store.folder.iterdir())]
    assert names == [".lock", "current", "generation-1", "generation-2", "seen"], "the one before is still being read"


def test_the_same_stick_twice(store: FirmwareStore, two: Path) -> None:
    assert store.import_from(two, NOW).version == store.import_from(two, after(days=1)).version == 3


def test_a_dry_run_writes_nothing(store: FirmwareStore, one: Path, two: Path) -> None:
    tried = store.import_from(two, NOW, dry_run=True)
    assert [(one.code, one.image) for one in tried.entries] == [(TrustCode.OK, None)] * 2
    assert not store.folder.exists()
    store.import_from(one, NOW)
    before = {path: path.read_bytes() for path in store.folder.rglob("*") if path.is_file()}
    assert len(store.import_from(two, after(days=1), dry_run=True).entries) == 2
    assert {path: path.read_bytes() for path in store.folder.rglob("*") if path.is_file()} == before


def test_an_import_that_was_killed_leaves_what_was_there(store: FirmwareStore, one: Path, two: Path) -> None:
    store.import_from(one, NOW)
    shutil.copytree(two, store.folder / ".import-left")
    shutil.copytree(store.folder / "generation-1", store.folder / "generation-2")  # not current yet
    assert len(store.load(NOW).entries) == 1
    assert len(store.import_from(two, NOW).entries) == 2
    names = [path.name for path in sorted(store.folder.iterdir())]
    assert names == [".lock", "current", "generation-2", "generation-3", "seen"]
    assert (store.folder / "current").read_text() == "generation-3"


@pytest.mark.parametrize(
    "name", ["timestamp.json", "snapshot.json", "targets.json", "maker-acme.json", "regulator.json"]
)
def test_what_was_altered_in_the_folder_is_not_believed(store: FirmwareStore, two: Path, name: str) -> None:
    store.import_from(two, NOW)
    path = store.folder / "generation-1" / "trusted" / name
    path.write_bytes(path.read_bytes().replace(b"2027", b"2037"))
    with pytest.raises(FirmwareRefused) as caught:
        store.load(NOW)
    assert caught.value.code in {TrustCode.THRESHOLD_MISSED, TrustCode.MIXED_AND_MATCHED}


def test_an_image_that_was_altered_in_the_folder_is_not_believed(store: FirmwareStore, two: Path) -> None:
    found = store.import_from(two, NOW)
    held = found.entries[1].image
    assert held is not None
    held.write_bytes(image("6.6.6"))
    with pytest.raises(FirmwareRefused, match=r"^target_altered: "):
        store.load(NOW)


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("seen", b"x", TrustCode.FILE_DAMAGED),
        ("seen", b"\xff", TrustCode.FILE_DAMAGED),
        ("current", b"generation-7", TrustCode.FILE_MISSING),
        ("current", b"../../etc", TrustCode.FILE_DAMAGED),
        ("current", b"\xff\xfe", TrustCode.FILE_DAMAGED),
        ("generation-1/trusted/snapshot.json", None, TrustCode.FILE_MISSING),
        ("generation-1/trusted", None, TrustCode.FILE_MISSING),
        ("generation-1/targets", None, TrustCode.FILE_UNREADABLE),
        ("generation-1/anchor.json", b"{}", TrustCode.ANCHOR_DIFFERS),
    ],
)
def test_a_folder_that_was_tampered_with_is_refused(
    store: FirmwareStore, two: Path, name: str, data: bytes | None, code: TrustCode
) -> None:
    store.import_from(two, NOW)
    path = store.folder / name
    if data is not None:
        path.write_bytes(data)
    elif path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    with pytest.raises(TrustError) as caught:
        store.load(NOW)
    assert caught.value.code is code


def test_a_folder_that_cannot_be_written(store: FirmwareStore, two: Path) -> None:
    store.folder.parent.mkdir(exist_ok=True)
    store.folder.write_bytes(b"a file")
    with pytest.raises(TrustError, match=r"^file_missing: .*state"):
        store.import_from(two, NOW)


def test_nothing_was_taken_yet(store: FirmwareStore) -> None:
    with pytest.raises(FirmwareRefused, match=r"^no_approved_list: "):
        store.load(NOW)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (("1.1.0", digest("1.1.0"), 2), TrustCode.OK),
        (("1.1.0", digest("1.0.0"), 2), TrustCode.FIRMWARE_UNAPPROVED),
        (("1.1.0", digest("1.1.0"), 1), TrustCode.FIRMWARE_UNAPPROVED),
        (("1.1.1", digest("1.1.1"), 2), TrustCode.FIRMWARE_UNAPPROVED),
        (("1.2.0", digest("1.2.0"), 3), TrustCode.REGULATOR_MISSING),
    ],
)
def test_what_a_device_may_run(
    store: FirmwareStore, makers: Makers, tmp_path: Path, said: tuple[str, str, int], code: TrustCode
) -> None:
    makers.release("1.2.0", 3, approve=False)
    found = store.import_from(makers.stick(tmp_path / "three"), NOW)
    assert found.refusal(UNIT, *said)[0] is code
    assert found.refusal(Unit(MAKER, "Shoe 1", "SN-1"), *said)[0] is TrustCode.FIRMWARE_UNAPPROVED, (
        "made for another model"
    )


def test_an_approval_that_was_taken_back(store: FirmwareStore, makers: Makers, two: Path, tmp_path: Path) -> None:
    store.import_from(two, NOW)
    makers.publication.withdraw("acme/shuffler-9/1.0.0.img", NOW)
    makers.sign_all()
    makers.publish()
    found = store.import_from(makers.stick(tmp_path / "three"), NOW)
    assert [one.code for one in found.entries] == [TrustCode.REGULATOR_MISSING, TrustCode.OK]


def test_a_file_and_a_version_are_looked_up(store: FirmwareStore, two: Path, tmp_path: Path) -> None:
    found = store.import_from(two, NOW)
    file = tmp_path / "some.bin"
    file.write_bytes(image("1.1.0"))
    assert found.of_file(file) == found.of_version("1.1.0") == found.of_version("1.1.0", MODEL) == found.entries[1]
    file.write_bytes(image("1.1.0") + b"\0")
    with pytest.raises(FirmwareRefused, match=r"^firmware_unapproved: "):
        found.of_file(file)
    for version, model in (("9", None), ("1.1.0", "Shoe 1")):
        with pytest.raises(FirmwareRefused, match=r"^firmware_unapproved: "):
            found.of_version(version, model)
    with pytest.raises(TrustError, match=r"^file_unreadable: "):
        found.of_file(tmp_path / "nowhere")


def test_two_models_with_the_same_version(store: FirmwareStore, makers: Makers, tmp_path: Path) -> None:
    file = tmp_path / "shoe.bin"
    file.write_bytes(image("3.0.0"))
    other = firmware("1.1.0", model="Shoe 1", image_digest=digest("3.0.0"))
    makers.publication.approve(makers.publication.add(file, other, NOW), NOW)
    makers.sign_all()
    makers.publish()
    found = store.import_from(makers.stick(tmp_path / "three"), NOW)
    with pytest.raises(FirmwareRefused, match="name the model"):
        found.of_version("1.1.0")
    assert found.of_version("1.1.0", "Shoe 1").firmware == other


def test_a_draft_without_enough_signatures_is_not_published(makers: Makers, tmp_path: Path) -> None:
    file = tmp_path / "next.bin"
    file.write_bytes(image("2.0.0"))
    before = {path.name: path.read_bytes() for path in (makers.folder / "metadata").iterdir()}
    path = makers.publication.add(file, firmware("2.0.0", 4), NOW)
    makers.publication.sign("maker-acme", makers.acme[0])
    for key in (makers.acme[0], key_from("somebody")):
        makers.publication.sign("maker-acme", key)
        with pytest.raises(FirmwareRefused, match=r"^threshold_missed: the draft of maker-acme"):
            makers.publish()
    assert {path.name: path.read_bytes() for path in (makers.folder / "metadata").iterdir()} == before
    assert makers.publication.drafts() == ["maker-acme"]
    assert path == "acme/shuffler-9/2.0.0.img"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (image("2.0.0")[:-1], "no firmware image"),
        (b"", "no firmware image"),
        (image("2.0.0"), "with security counter 4; the list says"),
        (image("1.1.0"), "with security counter 2; the list says"),
        (uncounted(), "has no security counter"),
    ],
)
def test_an_image_is_listed_as_what_it_is(makers: Makers, tmp_path: Path, data: bytes, said: str) -> None:
    file = tmp_path / "x.bin"
    file.write_bytes(data)
    with pytest.raises(FirmwareRefused, match=said) as caught:
        makers.publication.add(file, firmware("2.0.0", 5), NOW)
    assert (caught.value.code, caught.value.who) == (TrustCode.IMAGE_DIFFERS, "maker of the device")
    assert makers.publication.drafts() == []


def test_what_the_publishing_side_refuses(makers: Makers, tmp_path: Path) -> None:
    with pytest.raises(FirmwareRefused, match=r"^maker_missing: "):
        makers.publication.approve("acme/shuffler-9/7.img", NOW)
    with pytest.raises(FirmwareRefused, match=r"^regulator_missing: "):
        makers.publication.withdraw("acme/shuffler-9/7.img", NOW)
    with pytest.raises(TrustError, match=r"^file_unreadable: "):
        makers.publication.sign("maker-acme", makers.acme[0])
    with pytest.raises(FirmwareRefused, match=r"^file_missing: "):
        Publication(tmp_path).approve("acme/shuffler-9/7.img", NOW)


def test_the_digest_to_anchor_is_that_of_the_root_s_file(makers: Makers) -> None:
    assert makers.publication.root_digest() == makers.anchor
    assert makers.anchor == hashlib.sha256((makers.folder / "metadata" / "1.root.json").read_bytes()).hexdigest()


def test_a_firmware_says_its_place() -> None:
    one = Firmware(maker="Acme & Sons", model="Shuffler 9", version="1.0+b", security_counter=0, image_digest="0" * 64)
    assert (one.path, one.role, str(one)) == (
        "acme-sons/shuffler-9/1.0+b.img",
        "maker-acme-sons",
        "Acme & Sons Shuffler 9 1.0+b",
    )


@pytest.mark.parametrize("is_pipe", [True, False])
def test_what_stands_in_place_of_the_name_of_an_import(store: FirmwareStore, one: Path, *, is_pipe: bool) -> None:
    store.import_from(one, NOW)
    current = store.folder / "current"
    current.unlink()
    os.mkfifo(current) if is_pipe else current.mkdir()
    with pytest.raises(KeyRefused, match=r"^file_unreadable: .*current"):
        store.load(NOW)


def test_a_folder_beside_the_imports_is_none_of_them(store: FirmwareStore, two: Path) -> None:
    store.folder.mkdir()
    (store.folder / "generation-of-mine").mkdir()
    assert set(versions(store.import_from(two, NOW))) == {"1.0.0", "1.1.0"}
    assert (store.folder / "generation-of-mine").is_dir()


def test_a_disk_that_is_full_when_a_stick_is_made(makers: Makers, tmp_path: Path) -> None:
    """A limit of the system on the length of files: no half file is there, and no signature is lost."""
    file = tmp_path / "1.2.0.bin"
    file.write_bytes(image("1.2.0"))
    makers.publication.approve(makers.publication.add(file, firmware("1.2.0", 3), NOW), NOW)
    makers.sign_all()
    folder = makers.folder / "metadata"
    before = {path: path.read_bytes() for path in folder.iterdir()}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, hard))
    try:
        with pytest.raises(KeyRefused, match=r"^file_unreadable: .* cannot be written"):
            makers.publish()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    makers.publish()
    found = makers.store(tmp_path / "fresh").import_from(makers.stick(tmp_path / "three"), NOW)
    assert versions(found)["1.2.0"] is TrustCode.OK
