"""The public tool and we agree: it verifies what we build, and signs byte for byte the same."""

import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from protocols.mcuboot.codec import decode_image, digest_of, encode_image
from protocols.mcuboot.image import ImageVersion, TlvKind
from sim.firmware.build import VENDOR, class_id_of, maker_key, payload_of, signed
from sim.firmware.image_check import BootTrust, ImageRefused, judge

MODEL = "Reading shoe"
SIGN = ("--version", "1.2.3+4", "--security-counter", "7", "--vid", VENDOR, "--cid", MODEL, "--align", "4")
IMGTOOL = Path(sys.executable).with_name("imgtool")


def imgtool(*arguments: str | Path, fails: bool = False) -> str:
    done = subprocess.run([IMGTOOL, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == fails, done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return pem(tmp_path / "maker.pem", maker_key())


def pem(path: Path, key: Ed25519PrivateKey) -> Path:
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return path


def test_imgtool_verifies_what_we_build_and_nothing_that_was_changed(tmp_path: Path, key: Path) -> None:
    image = signed(payload_of(5000, 1), ImageVersion(1, 2, 3, 4), 7, MODEL, maker_key())
    file = tmp_path / "ours.bin"
    file.write_bytes(image)
    said = imgtool("verify", "-k", key, file)
    assert "Image was correctly validated" in said
    assert "1.2.3+4" in said
    assert digest_of(decode_image(image)).hex() in said
    file.write_bytes(image[:100] + bytes([image[100] ^ 1]) + image[101:])
    assert "hash" in imgtool("verify", "-k", key, file, fails=True)
    file.write_bytes(signed(payload_of(5000, 1), ImageVersion(1, 2, 3, 4), 7, MODEL, Ed25519PrivateKey.generate()))
    assert "signature" in imgtool("verify", "-k", key, file, fails=True)


@pytest.mark.parametrize("header_bytes", [32, 512])
def test_what_imgtool_signs_runs_here(header_bytes: int, tmp_path: Path, key: Path) -> None:
    payload, file = tmp_path / "payload.bin", tmp_path / "signed.bin"
    payload.write_bytes(payload_of(5000, 2))
    sizes = ("--header-size", str(header_bytes), "--pad-header", "--slot-size", "65536")
    imgtool("sign", "-k", key, *SIGN, *sizes, payload, file)
    data = file.read_bytes()
    image = decode_image(data)
    assert encode_image(image) == data
    approved = judge(data, BootTrust(maker_key().public_key(), class_id_of(MODEL)), 7)
    assert (approved.image, approved.counter) == (image, 7)
    assert (image.payload, str(image.version)) == (payload.read_bytes(), "1.2.3.4")
    if header_bytes == 32:
        assert data == signed(image.payload, ImageVersion(1, 2, 3, 4), 7, MODEL, maker_key())


def test_what_imgtool_signs_in_other_ways_is_read_and_refused(tmp_path: Path) -> None:
    payload, file, key = tmp_path / "payload.bin", tmp_path / "signed.bin", tmp_path / "p256.pem"
    payload.write_bytes(payload_of(5000, 3))
    imgtool("keygen", "-t", "ecdsa-p256", "-k", key)
    imgtool("sign", "-k", key, *SIGN, "--header-size", "32", "--pad-header", "--slot-size", "65536", payload, file)
    data = file.read_bytes()
    image = decode_image(data)
    assert encode_image(image) == data
    assert [record.kind for record in image.unprotected] == [TlvKind.SHA256, TlvKind.KEY_HASH, TlvKind.ECDSA]
    with pytest.raises(ImageRefused) as caught:
        judge(data, BootTrust(maker_key().public_key(), class_id_of(MODEL)), 0)
    assert caught.value.code == "records"
