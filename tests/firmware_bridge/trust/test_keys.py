"""Key files: nobody opens one without its passphrase, nobody exchanges a part of one, nobody leaves one open."""

import json
import os
import re
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from firmware_bridge.trust import certificates, files, keys
from firmware_bridge.trust.codes import RESOLUTIONS, TrustCode
from firmware_bridge.trust.errors import KeyRefused
from tests.firmware_bridge.trust.houses import DEVICE_KEY, PASSPHRASE, request
from tests.firmware_bridge.trust.sticks import NOW, key_from


def code_of(error: pytest.ExceptionInfo[KeyRefused]) -> TrustCode:
    return error.value.code


def test_a_key_and_back(tmp_path: Path) -> None:
    made = keys.make_key(tmp_path / "anna.key", "anna", PASSPHRASE)
    assert stat.S_IMODE((tmp_path / "anna.key").stat().st_mode) == 0o600
    found = keys.load_key(tmp_path / "anna.key", PASSPHRASE)
    assert found.name == "anna"
    assert found.private.public_key() == made.private.public_key() == keys.load_public(tmp_path / "anna.pub")
    with pytest.raises(KeyRefused) as caught:
        keys.load_key(tmp_path / "anna.key", PASSPHRASE + " ")
    assert code_of(caught) is TrustCode.BAD_PASSPHRASE
    for target in ("anna.key", "other.key"):
        (tmp_path / "other.pub").touch()
        with pytest.raises(KeyRefused) as caught:
            keys.make_key(tmp_path / target, "anna", PASSPHRASE)
        assert code_of(caught) is TrustCode.FILE_EXISTS
    assert not (tmp_path / "other.key").exists()


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("name", "bruno", TrustCode.BAD_PASSPHRASE),
        ("public", "AAAA", TrustCode.BAD_PASSPHRASE),
        ("salt", "AAAA", TrustCode.BAD_PASSPHRASE),
        ("nonce", "AAAA", TrustCode.FILE_DAMAGED),
        ("sealed", "AAAA", TrustCode.BAD_PASSPHRASE),
        ("n", 2, TrustCode.FILE_DAMAGED),
        ("n", 1 << 40, TrustCode.FILE_DAMAGED),
        ("kdf", "none", TrustCode.FILE_DAMAGED),
        ("format", "x", TrustCode.FILE_DAMAGED),
        ("more", 1, TrustCode.FILE_DAMAGED),
    ],
)
def test_a_key_file_with_another_part(tmp_path: Path, field: str, value: object, code: TrustCode) -> None:
    path = tmp_path / "anna.key"
    keys.make_key(path, "anna", PASSPHRASE, cost=keys.COST_MIN)
    path.write_text(json.dumps({**json.loads(path.read_text()), field: value}))
    with pytest.raises(KeyRefused) as caught:
        keys.load_key(path, PASSPHRASE)
    assert code_of(caught) is code


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o602])
def test_a_secret_that_others_may_read_or_write(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "passphrase"
    path.write_text(PASSPHRASE)
    path.chmod(mode)
    with pytest.raises(KeyRefused) as caught:
        keys.passphrase_in(path)
    assert code_of(caught) is TrustCode.FILE_OPEN_TO_OTHERS
    path.chmod(0o400)
    assert keys.passphrase_in(path) == PASSPHRASE


@pytest.mark.parametrize("data", [b"", b"\n", b"\xff"])
def test_what_is_no_passphrase(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "passphrase"
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(KeyRefused) as caught:
        keys.passphrase_in(path)
    assert code_of(caught) is TrustCode.FILE_DAMAGED


def test_there_is_no_default_passphrase_and_no_short_one(tmp_path: Path) -> None:
    for short in ("", "elevenchars"):
        with pytest.raises(KeyRefused) as caught:
            keys.make_key(tmp_path / "a.key", "a", short)
        assert code_of(caught) is TrustCode.PASSPHRASE_SHORT
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(KeyRefused) as caught:
            files.read(path)
        assert code_of(caught) is TrustCode.FILE_UNREADABLE
    (tmp_path / "long").write_bytes(bytes(11))
    with pytest.raises(KeyRefused) as caught:
        files.read(tmp_path / "long", 10)
    assert code_of(caught) is TrustCode.FILE_DAMAGED
    with pytest.raises(KeyRefused) as caught:
        files.replace(tmp_path / "nowhere" / "x", b"", files.PUBLIC)
    assert code_of(caught) is TrustCode.FILE_UNREADABLE


def test_nothing_is_overwritten_and_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "there"
    path.write_bytes(b"old")
    with pytest.raises(KeyRefused) as caught:
        files.create(path, b"new", files.PUBLIC)
    assert code_of(caught) is TrustCode.FILE_EXISTS
    path.unlink()
    (path / "in").mkdir(parents=True)
    with pytest.raises(KeyRefused, match="cannot be written"):
        files.replace(path, b"new", files.PUBLIC)
    assert [one.name for one in tmp_path.iterdir()] == ["there"], "the passing file is gone"
    with pytest.raises(KeyRefused), files.locked(tmp_path / "nowhere"):
        raise AssertionError("nothing is locked")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KeyRefused, match="no plain file"):
        files.read(tmp_path / "pipe")


def test_public_keys_that_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "rsa.pub"
    key = rsa.generate_private_key(65537, 2048).public_key()
    path.write_bytes(key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    with pytest.raises(KeyRefused, match="neither Ed25519 nor ECDSA P-256"):
        keys.load_public(path)
    path.write_text("x")
    with pytest.raises(KeyRefused, match="holds no public key"):
        keys.load_public(path)
    with pytest.raises(KeyRefused, match="is no public key"):
        keys.public_key(b"x", "it")


def test_a_request_proves_that_the_device_has_its_key() -> None:
    pem = request(DEVICE_KEY)
    assert certificates.key_in_request(pem) == DEVICE_KEY.public_key()
    body = pem.split(b"\n")
    body[-3] = body[-3][:-8] + bytes(reversed(body[-3][-8:]))
    for wrong in (b"\n".join(body), b"", b"x", pem[:50]):
        with pytest.raises(KeyRefused) as caught:
            certificates.key_in_request(wrong)
        assert code_of(caught) is TrustCode.BAD_KEY


@pytest.mark.parametrize("name", ["", "A", "a b", "-a", "a-", "a" * 64, "ä", "a/b", "a.b"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(KeyRefused) as caught:
        keys.check_name(name)
    assert code_of(caught) is TrustCode.BAD_NAME


def test_an_authority_and_a_key_that_do_not_belong_together() -> None:
    key = certificates.fresh_authority_key()
    with pytest.raises(KeyRefused, match="not that of the authority"):
        certificates.Issuer(certificates.make_authority(key, "x", NOW), key_from("anna"))


def test_every_code_says_who_does_what() -> None:
    assert set(RESOLUTIONS) == set(TrustCode)
    assert all(one.who and one.remedy.endswith(".") for one in RESOLUTIONS.values())


def test_base64_has_one_way() -> None:
    assert keys.from_text("AAE=") == b"\0\1"
    for text in ("AAF=", "AAE", "AAE=\n", "*"):
        with pytest.raises(ValueError, match="base64"):
            keys.from_text(text)


def test_the_pages_have_every_code_and_who_resolves_it() -> None:
    """A table row for each code, with the same role in its last column as in the program."""
    pages = Path(__file__).parents[3] / "docs"
    text = (pages / "trust.md").read_text() + (pages / "approved-firmware.md").read_text()
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    said = {code: row[-2] for row in rows if len(row) == 5 for code in re.findall(r"`([a-z_]+)`", row[1])}
    assert {code.value: RESOLUTIONS[code].who for code in TrustCode if code is not TrustCode.OK} == {
        code: next(
            (who for who in said[code].strip().split("; ") if who == RESOLUTIONS[TrustCode(code)].who), said[code]
        )
        for code in said
        if code in set(TrustCode)
    }
