"""Keys: accepted kinds, signing, and private keys sealed by a passphrase.

PKCS#8 sealed with ChaCha20-Poly1305 under scrypt (RFC 7914); the other fields are authenticated.
"""

import base64
import binascii
import hashlib
import os
import re
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from cryptography.exceptions import InvalidSignature, InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
    load_der_public_key,
    load_pem_public_key,
)
from msgspec import Meta, Struct

from firmware_bridge.trust import files
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import KeyRefused

PrivateKey = Ed25519PrivateKey | ec.EllipticCurvePrivateKey
PublicKey = Ed25519PublicKey | ec.EllipticCurvePublicKey
"""Ed25519, or ECDSA on P-256 (``docs/protocols/tdp.md``, question 3)."""

PASSPHRASE_MIN: Final = 12
"""Characters; scrypt makes each attempt cost 0.4 s and 128 MiB."""

COST: Final = 1 << 17
"""N of scrypt, with r 8 and p 1 (OWASP, Password Storage Cheat Sheet)."""
COST_MIN: Final = 1 << 15
_COST_MAX: Final = 1 << 20
_SCRYPT_R: Final = 8
_SALT_BYTES: Final = 16
_NONCE_BYTES: Final = 12
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_HOST_NAME: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")


class _KeyFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="format", tag="cardshoe-key-1"):
    name: str
    public: str
    kdf: Literal["scrypt"] = "scrypt"
    n: Annotated[int, Meta(ge=COST_MIN, le=_COST_MAX)]
    salt: str
    nonce: str
    sealed: str = ""


class NamedKey(Struct, frozen=True):
    name: str
    private: PrivateKey


def make_key(
    path: Path, name: str, passphrase: str, private: PrivateKey | None = None, *, cost: int = COST
) -> NamedKey:
    """Mode 0600, and the public half as PEM (``.pub``); ``cost`` below ``COST`` is for tests.

    Raises:
        KeyRefused: an invalid name or passphrase, or a file exists or cannot be written.
    """
    check_name(name)
    check_passphrase(passphrase)
    key = private or Ed25519PrivateKey.generate()
    salt, nonce = os.urandom(_SALT_BYTES), os.urandom(_NONCE_BYTES)
    public_text = to_text(public_bytes(key.public_key()))
    file = _KeyFile(name=name, public=public_text, n=cost, salt=to_text(salt), nonce=to_text(nonce))
    plain = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    sealed = ChaCha20Poly1305(_stretched(passphrase, salt, file.n)).encrypt(nonce, plain, msgspec.json.encode(file))
    whole = msgspec.structs.replace(file, sealed=to_text(sealed))
    public = path.with_suffix(".pub")
    if public.exists():
        raise KeyRefused(TrustCode.FILE_EXISTS, f"{public} exists")
    files.create(path, msgspec.json.format(msgspec.json.encode(whole)) + b"\n", files.SECRET)
    try:
        pem = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        files.create(public, pem, files.PUBLIC)
    except BaseException:
        path.unlink()  # nobody has it yet, and a second try would find it in its way
        raise
    return NamedKey(name, key)


def load_key(path: Path, passphrase: str) -> NamedKey:
    """The private key in a file.

    Raises:
        KeyRefused: another user can read it, it is no key file, or the passphrase is wrong.
    """
    data = files.read_secret(path)
    try:
        file = msgspec.json.decode(data, type=_KeyFile)
        salt, nonce, sealed = from_text(file.salt), from_text(file.nonce), from_text(file.sealed)
        along = msgspec.json.encode(msgspec.structs.replace(file, sealed=""))
        plain = ChaCha20Poly1305(_stretched(passphrase, salt, file.n)).decrypt(nonce, sealed, along)
        private = load_der_private_key(plain, None)
    except InvalidTag as error:
        raise KeyRefused(
            TrustCode.BAD_PASSPHRASE, f"{path}: the passphrase is wrong, or the file is damaged"
        ) from error
    except (ValueError, msgspec.MsgspecError) as error:
        raise KeyRefused(TrustCode.FILE_DAMAGED, f"{path} is no key file: {error}") from error
    if not isinstance(private, PrivateKey):
        raise KeyRefused(TrustCode.BAD_KEY, f"{path} holds a key of another kind")
    return NamedKey(file.name, private)


def load_public(path: Path) -> PublicKey:
    """The public key in a PEM file.

    Raises:
        KeyRefused: unreadable, or no key of an accepted kind.
    """
    try:
        return allowed(load_pem_public_key(files.read(path)), str(path))
    except (ValueError, UnsupportedAlgorithm) as error:
        raise KeyRefused(TrustCode.BAD_KEY, f"{path} holds no public key") from error


def public_key(data: bytes, where: str) -> PublicKey:
    """From DER (SubjectPublicKeyInfo).

    Raises:
        KeyRefused: not of an accepted kind.
    """
    try:
        return allowed(load_der_public_key(data), where)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise KeyRefused(TrustCode.BAD_KEY, f"{where} is no public key") from error


def allowed(key: object, where: str) -> PublicKey:
    """Ed25519, or ECDSA P-256.

    Raises:
        KeyRefused: a key of another kind.
    """
    if isinstance(key, Ed25519PublicKey):
        return key
    if isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1):
        return key
    raise KeyRefused(TrustCode.BAD_KEY, f"{where}: the key is neither Ed25519 nor ECDSA P-256")


def public_bytes(key: PublicKey) -> bytes:
    """DER (SubjectPublicKeyInfo): the same key has the same bytes."""
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def fingerprint(data: bytes) -> str:
    """SHA-256 of a certificate or key in DER, hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def sign(key: PrivateKey, data: bytes) -> bytes:
    return key.sign(data) if isinstance(key, Ed25519PrivateKey) else key.sign(data, ec.ECDSA(SHA256()))


def is_signed(key: PublicKey, signature: bytes, data: bytes) -> bool:
    try:
        if isinstance(key, Ed25519PublicKey):
            key.verify(signature, data)
        else:
            key.verify(signature, data, ec.ECDSA(SHA256()))
    except InvalidSignature:
        return False
    return True


def check_name(name: str, *, of_host: bool = False) -> None:
    """For a certificate, a file name and a command; ``of_host``: it may have capitals."""
    if not (_HOST_NAME if of_host else _NAME).fullmatch(name):
        raise KeyRefused(TrustCode.BAD_NAME, f"{name!r} is no name")


def check_passphrase(passphrase: str) -> None:
    if len(passphrase) < PASSPHRASE_MIN:
        raise KeyRefused(TrustCode.PASSPHRASE_SHORT, f"the passphrase has fewer than {PASSPHRASE_MIN} characters")


def passphrase_in(path: Path) -> str:
    """In a file, such as a systemd credential.

    Raises:
        KeyRefused: others may read it, or it is empty or no text.
    """
    try:
        passphrase = files.read_secret(path).decode().split("\n")[0]
    except UnicodeDecodeError as error:
        raise KeyRefused(TrustCode.FILE_DAMAGED, f"{path} is not UTF-8") from error
    if not passphrase:
        raise KeyRefused(TrustCode.FILE_DAMAGED, f"{path} is empty")
    return passphrase


def to_text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def from_text(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"no base64: {text!r}") from error
    if to_text(data) != text:
        raise ValueError(f"base64 that is not in its one canonical form: {text!r}")
    return data


def _stretched(passphrase: str, salt: bytes, n: int) -> bytes:
    return Scrypt(salt=salt, length=32, n=n, r=_SCRYPT_R, p=1).derive(passphrase.encode())
