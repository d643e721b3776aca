"""The key of a device's certificate signs its attestations."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from sim.tdp.certified import signer_of

Key = ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey | rsa.RSAPrivateKey


def pem(folder: Path, key: Key) -> Path:
    path = folder / "device.key"
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return path


def test_ed25519(tmp_path: Path) -> None:
    key = ed25519.Ed25519PrivateKey.generate()
    key.public_key().verify(signer_of(pem(tmp_path, key))(b"what holds"), b"what holds")


def test_ecdsa(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    key.public_key().verify(signer_of(pem(tmp_path, key))(b"what holds"), b"what holds", ec.ECDSA(SHA256()))


def test_another_kind_of_key_or_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="signs no attestation"):
        signer_of(pem(tmp_path, rsa.generate_private_key(65537, 2048)))
    (tmp_path / "empty.key").write_bytes(b"")
    with pytest.raises(ValueError, match="PEM"):
        signer_of(tmp_path / "empty.key")
    with pytest.raises(OSError, match=r"none\.key"):
        signer_of(tmp_path / "none.key")
