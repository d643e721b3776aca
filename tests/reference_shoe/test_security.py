"""Hosts that the shoe in C serves over TLS (section 11): its time without a clock, and revoked hosts."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from cardshoe.cli.sim.virtual import bench_of
from conformance.check_result import CheckStatus
from conformance.runner import run_suite
from tests.conformance.suites import suite
from tests.reference_shoe.building import built, needs_compiler
from tests.reference_shoe.given_time import FirmwareFar, GivenTime
from tests.reference_shoe.hosts import Host

pytestmark = needs_compiler

TODAY: Final = datetime.now(UTC).replace(microsecond=0)
DAY: Final = timedelta(days=1)
DEVICE: Final = "shoe-1"


class Owner(NamedTuple):
    """A certificate with its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def issued(
    name: str,
    by: Owner | None,
    *,
    usage: x509.ObjectIdentifier | None = ExtendedKeyUsageOID.CLIENT_AUTH,
    is_authority: bool = False,
    begins: datetime = TODAY - DAY,
    ends: datetime = TODAY + 30 * DAY,
) -> Owner:
    """A certificate, signed by an owner or by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer = Owner(None, key) if by is None else by  # type: ignore[arg-type]  # its own key signs
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if by is None else by.certificate.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key()), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    if usage is not None:
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
    return Owner(builder.sign(issuer.key, SHA256()), key)


def revoked(authority: Owner, number: int, *owners: Owner, since: datetime = TODAY - DAY) -> bytes:
    """The authority's list with this number."""
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(authority.certificate.subject)
        .last_update(since)
        .next_update(TODAY + 30 * DAY)
        .add_extension(x509.CRLNumber(number), critical=False)
    )
    for owner in owners:
        serial = owner.certificate.serial_number
        entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(since).build()
        builder = builder.add_revoked_certificate(entry)
    return builder.sign(authority.key, SHA256()).public_bytes(Encoding.PEM)


class Site:
    """An authority, a device with its memory, and hosts that meet it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder: Final = folder
        self._seed: Final = seed
        self.authority: Final = issued("site", None, usage=None, is_authority=True, begins=TODAY - 900 * DAY)
        self._put("site", self.authority)
        self._put(DEVICE, issued(DEVICE, self.authority, usage=ExtendedKeyUsageOID.SERVER_AUTH))
        self.options: list[str] = []

    def serves(self, host: Owner) -> bool:
        """True if the device, started anew with its memory, lets a host in."""
        folder = self._folder
        self._put("host", host)
        with self.started() as process:
            report = run_suite(
                suite("tdp"),
                bench_of(FirmwareFar(process), self._seed),
                {
                    "certificate": str(folder / "host.pem"),
                    "key": str(folder / "host.key"),
                    "authority": str(folder / "site.pem"),
                    "device_name": DEVICE,
                },
                port="virtual",
                seed=self._seed,
                started="now",
                only=("tls.handshake-first",),
            )
        return report.results[0].verdict is CheckStatus.PASSED

    def started(self) -> GivenTime:
        """The device, with its memory."""
        folder = self._folder
        files = ("--certificate", folder / f"{DEVICE}.pem", "--key", folder / f"{DEVICE}.key")
        known: list[str | Path] = ["--authority", folder / "site.pem", "--keep", folder / "memory", *self.options]
        return GivenTime(built("posix") / "shoe", "--given-time", "--seed", "1", *files, *known)

    def give_list(self, content: bytes) -> None:
        """Give the device a list of revoked certificates at its service interface."""
        (self._folder / "revoked.pem").write_bytes(content)
        self.options = ["--revoked", str(self._folder / "revoked.pem")]

    def _put(self, name: str, owner: Owner) -> None:
        (self._folder / f"{name}.pem").write_bytes(owner.certificate.public_bytes(Encoding.PEM))
        secret = owner.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (self._folder / f"{name}.key").write_bytes(secret)


@pytest.fixture
def site(tmp_path: Path, seed: int) -> Site:
    return Site(tmp_path, seed)


def test_a_host_is_served(site: Site) -> None:
    assert site.serves(issued("table-1", site.authority))


def under_another(site: Site) -> Owner:
    between = issued("between", site.authority, usage=None, is_authority=True)
    return issued("table-1", between)


@pytest.mark.parametrize(
    "make",
    [
        lambda site: site.authority,
        lambda site: issued("table-1", site.authority, usage=None),
        lambda site: issued("table-1", site.authority, usage=ExtendedKeyUsageOID.SERVER_AUTH),
        lambda site: issued("table-1", site.authority, is_authority=True),
        lambda _site: issued("table-1", issued("site", None, usage=None, is_authority=True)),
        lambda _site: issued("table-1", None),
        under_another,
    ],
    ids=["the authority", "any use", "a device", "an authority", "of a namesake", "of its own", "of one between"],
)
def test_who_is_no_host(site: Site, make: Callable[[Site], Owner]) -> None:
    assert not site.serves(make(site))


def test_time_without_a_clock(site: Site) -> None:
    """Each host's `notBefore` moves the device's time, which it keeps; what had ended before then is refused."""
    lost = issued("table-1", site.authority, begins=TODAY - 800 * DAY, ends=TODAY - 100 * DAY)
    assert site.serves(lost), "no clock says that it has ended"
    assert site.serves(issued("table-1", site.authority, begins=TODAY - 101 * DAY)), "a newer one"
    assert site.serves(lost), "which ended after that"
    assert site.serves(issued("table-1", site.authority, begins=TODAY - 50 * DAY))
    assert not site.serves(lost)


def test_a_host_that_is_refused_moves_no_time(site: Site) -> None:
    lost = issued("table-1", site.authority, begins=TODAY - 800 * DAY, ends=TODAY - 100 * DAY)
    assert not site.serves(issued("table-1", issued("site", None, usage=None, is_authority=True)))
    assert not site.serves(issued("table-1", site.authority, usage=None))
    assert site.serves(lost)


def test_a_revoked_host(site: Site) -> None:
    host, other = issued("table-1", site.authority), issued("table-2", site.authority)
    site.give_list(revoked(site.authority, 7, host))
    assert not site.serves(host)
    assert site.serves(other)


def test_the_list_moves_the_time(site: Site) -> None:
    lost = issued("table-1", site.authority, begins=TODAY - 800 * DAY, ends=TODAY - 100 * DAY)
    site.give_list(revoked(site.authority, 7))
    assert not site.serves(lost)


def test_an_older_list_and_one_of_another_are_refused(site: Site, capfd: pytest.CaptureFixture[str]) -> None:
    host = issued("table-1", site.authority)
    site.give_list(revoked(site.authority, 7))
    assert site.serves(host)
    for content, said in (
        (revoked(site.authority, 6), "a newer list was given before"),
        (revoked(issued("site", None, usage=None, is_authority=True), 8), "that the authority has signed"),
    ):
        site.give_list(content)
        with pytest.raises(AssertionError, match="the shoe has ended"):
            site.serves(host)
        assert said in capfd.readouterr().err
    site.options = []
    with pytest.raises(AssertionError, match="the shoe has ended"):
        site.serves(host)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--authority", "--authority is no certificate in PEM"),
        ("--certificate", "--certificate is no certificate in PEM"),
        ("--revoked", "--revoked is no list in PEM that the authority has signed"),
    ],
)
def test_a_file_of_something_else(site: Site, option: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    site.options = [option, __file__]
    with pytest.raises(AssertionError, match="the shoe has ended: 1"):
        site.started()
    assert capfd.readouterr().err == f"shoe: TLS: {said}\n"


CLIENT_HELLO: Final = bytes.fromhex("16030100c8")
"""The head of a record of 200 bytes."""


@pytest.mark.parametrize(("begun", "lasts"), [(b"", False), (CLIENT_HELLO, True), (CLIENT_HELLO[:1], True)])
def test_a_record_that_never_comes_whole(site: Site, begun: bytes, *, lasts: bool) -> None:
    """It ends the session 10 s after it was begun; whoever has begun none may take the time."""
    with site.started() as process:
        host = Host(process, security=1)
        if begun:
            host.say(begun)
        alive_ms = 0
        for at_ms in range(0, 12000, 400):
            sent = process.ask(f"at {at_ms}").sent
            if any(wire[2:4] == b"\x01\x06" for wire in sent):
                break
            host.send(4)
            alive_ms = at_ms
    assert (9600 <= alive_ms < 10000) if lasts else alive_ms == 11600
