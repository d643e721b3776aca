"""Certificates for tests, made by openssl for each run: no key is in the repository."""

import shutil
import ssl
import subprocess
from pathlib import Path
from typing import Final

import pytest

from protocols.tdp.states import Role

needs_openssl: Final = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make certificates")
HOST: Final = "table-7"
DEVICE: Final = "shuffler-001"
INTRUDER: Final = "intruder"
LOCALHOST: Final = "localhost"
NAMES: Final = {Role.HOST: HOST, Role.DEVICE: DEVICE}
AUTHORITY_USE: Final = "keyUsage=critical,keyCertSign,cRLSign"
"""Without it, and without the authority's key in what it signs, Python 3.13 by default refuses a certificate."""
_CURVE: Final = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def openssl(folder: Path, *arguments: str) -> None:
    """Run openssl in a folder."""
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=30)


def make_site(folder: Path) -> Path:
    """Put a site authority into a folder, certificates for a table, a device and this machine, and a stranger's."""
    for authority in ("site", "stranger"):
        openssl(folder, "req", "-x509", *_CURVE, "-keyout", f"{authority}.key", "-out", f"{authority}.pem",
                "-subj", f"/CN={authority}", "-days", "2", "-addext", AUTHORITY_USE)  # fmt: skip
    for name, authority, use in (
        (HOST, "site", "extendedKeyUsage=clientAuth"),
        (DEVICE, "site", "extendedKeyUsage=serverAuth"),
        (INTRUDER, "stranger", ""),
        (LOCALHOST, "site", ""),
    ):
        (folder / f"{name}.ext").write_text(f"subjectAltName=DNS:{name}\nauthorityKeyIdentifier=keyid\n{use}\n")
        openssl(folder, "req", *_CURVE, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", f"{authority}.pem", "-CAkey", f"{authority}.key",
                "-CAcreateserial", "-extfile", f"{name}.ext", "-out", f"{name}.pem", "-days", "2")  # fmt: skip
    return folder


def other_settings(folder: Path) -> dict[str, object]:
    """The settings by which the conformance suite knows of those who are no hosts: the device, the authority."""
    return {
        "other_certificate": str(folder / f"{DEVICE}.pem"),
        "other_key": str(folder / f"{DEVICE}.key"),
        "authority_certificate": str(folder / "site.pem"),
        "authority_key": str(folder / "site.key"),
    }


def host_settings(folder: Path) -> dict[str, object]:
    """The settings of a TDP device in a table's configuration, for such a site."""
    return {
        "certificate": str(folder / f"{HOST}.pem"),
        "key": str(folder / f"{HOST}.key"),
        "authority": str(folder / "site.pem"),
        "device_name": DEVICE,
    }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_site(tmp_path_factory.mktemp("tls"))


def context(folder: Path, role: Role, name: str | None = None) -> ssl.SSLContext:
    name = name or NAMES[role]
    made_for = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT if role is Role.HOST else ssl.PROTOCOL_TLS_SERVER)
    made_for.minimum_version = ssl.TLSVersion.TLSv1_3
    made_for.verify_mode = ssl.CERT_REQUIRED
    made_for.load_verify_locations(folder / "site.pem")
    made_for.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")
    return made_for


def der(folder: Path, name: str) -> bytes:
    return ssl.PEM_cert_to_DER_cert((folder / f"{name}.pem").read_text())
