"""The verdict on a device at the table. Each hostile device is refused by its code; the sound one passes."""

import dataclasses
import random
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from firmware_bridge.trust import certificates, keys
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.facts import DeviceEvidence
from firmware_bridge.trust.keys import PrivateKey
from firmware_bridge.trust.site import Site, found_site
from firmware_bridge.trust.verification import TrustDecision, attested, verdict, verdict_without_attestation
from protocols.tdp.codes import BootState, Capability
from protocols.tdp.messages import Attestation, Hello
from tests.firmware_bridge.trust.houses import DEVICE_KEY, PASSPHRASE, House, angel_eye, shuffler
from tests.firmware_bridge.trust.sticks import MAKER, MODEL, NOW, Makers, after, digest, public

NONCE = bytes(range(32))
OTHER_KEY = ec.derive_private_key(0x2002, ec.SECP256R1())
HELLO = Hello(1, MAKER, MODEL, "SN-1", 2, "1.1.0", bytes.fromhex(digest("1.1.0")), 2, 5, 1, Capability.ATTESTS)


def attestation(key: PrivateKey = DEVICE_KEY, **changed: object) -> Attestation:
    """A device's attestation, signed over its own content."""
    said = Attestation(7, NONCE, HELLO.image_digest, HELLO.security_counter, BootState.VERIFIED, b"")
    said = dataclasses.replace(said, **changed)  # type: ignore[arg-type]  # each is of its field's type
    return dataclasses.replace(said, signature=keys.sign(key, attested(said)))


class Table:
    """A site with one shuffler and its approved firmware."""

    def __init__(self, house: House, makers: Makers, stick: Path, folder: Path) -> None:
        self.house = house
        self.certificate = house.enrol()
        store = makers.store(folder / "firmware")
        store.import_from(stick, NOW)
        self.approved = store.load(NOW)

    def judge(self, now: datetime = NOW, crl: bytes | None = None, **changed: object) -> TrustDecision:
        presented = DeviceEvidence(certificate=self.certificate, hello=HELLO, nonce=NONCE, attestation=attestation())
        presented = msgspec.structs.replace(presented, **changed)
        return verdict(presented, self.house.registry, self.approved, now, crl or self.house.revoked)


@pytest.fixture
def table(house: House, makers: Makers, two: Path, tmp_path: Path) -> Table:
    return Table(house, makers, two, tmp_path)


def codes(found: TrustDecision) -> list[tuple[str, TrustCode]]:
    assert found.ok == (not found.refusals)
    assert all(one.who and one.remedy and one.detail for one in found.refusals)
    return [(one.name, one.code) for one in found.refusals]


def test_a_sound_device(table: Table) -> None:
    found = table.judge()
    assert (found.ok, found.attests, found.device) == (True, True, "shuffler-1")
    assert [(one.name, one.code) for one in found.checks] == [
        ("certificate", TrustCode.OK),
        ("enrolment", TrustCode.OK),
        ("identity", TrustCode.OK),
        ("attestation", TrustCode.OK),
        ("firmware", TrustCode.OK),
    ]
    assert found.registry == str(table.house.registry.head)
    assert "anna and bruno" in found.checks[1].detail


def test_a_device_with_an_ed25519_key(table: Table) -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    certificate = table.house.enrol(shuffler("SN-2", key, "shuffler-2"))
    hello = dataclasses.replace(HELLO, serial="SN-2")
    assert table.judge(certificate=certificate, hello=hello, attestation=attestation(key)).ok


def test_the_bytes_that_are_signed_are_those_of_the_page() -> None:
    """tdp.md, section 11: the text and a zero, nonce, image digest, security counter u32, boot state u8."""
    said = Attestation(1, NONCE, b"\xd1" * 32, 7, BootState.VERIFIED, b"")
    assert attested(said) == b"TDP/1 attestation\x00" + NONCE + b"\xd1" * 32 + b"\x00\x00\x00\x07" + b"\x01"


# --- hostile devices --------------------------------------------------------------------------------------------------


def test_an_unknown_device(table: Table) -> None:
    """It has a certificate of our authority, and nobody has enrolled it: whoever stole the authority's key made it."""
    hello = dataclasses.replace(HELLO, serial="SN-9")
    key = certificates.der(table.house.issuer.device(shuffler("SN-9").unit, "x", OTHER_KEY.public_key(), NOW))
    found = table.judge(certificate=key, hello=hello, attestation=attestation(OTHER_KEY))
    assert codes(found) == [("enrolment", TrustCode.UNKNOWN_DEVICE)]
    assert (found.device, found.refusals[0].who) == ("", "two enrolled persons")


def test_a_cloned_serial_number(table: Table) -> None:
    key = certificates.der(table.house.issuer.device(shuffler().unit, "shuffler-1", OTHER_KEY.public_key(), NOW))
    found = table.judge(certificate=key, attestation=attestation(OTHER_KEY))
    assert codes(found) == [("enrolment", TrustCode.SERIAL_CLONED)]
    assert "shuffler-1" in found.refusals[0].detail


def test_a_key_shared_with_another_unit(table: Table) -> None:
    """One key for all units: it shows the certificate of the first, and says that it is the second."""
    found = table.judge(hello=dataclasses.replace(HELLO, serial="SN-2"))
    assert codes(found) == [("identity", TrustCode.KEY_SHARED)]
    assert found.refusals[0].who == "maker of the device"


def test_another_device_in_its_place(table: Table) -> None:
    found = table.judge(hello=dataclasses.replace(HELLO, model="Shoe 1"))
    assert codes(found) == [("identity", TrustCode.IDENTITY_DIFFERS), ("firmware", TrustCode.FIRMWARE_UNAPPROVED)]


def test_a_second_certificate_of_the_same_key(table: Table) -> None:
    again = certificates.der(table.house.issuer.device(shuffler().unit, "shuffler-1", DEVICE_KEY.public_key(), NOW))
    assert codes(table.judge(certificate=again)) == [("enrolment", TrustCode.CERTIFICATE_DIFFERS)]


def test_a_stranger_s_authority(table: Table, tmp_path: Path) -> None:
    people = {"a": public(table.house.anna), "b": public(table.house.bruno)}
    found_site(tmp_path / "other", "x", people, PASSPHRASE, NOW, cost=keys.COST_MIN)
    issuer = Site(tmp_path / "other").issuer(PASSPHRASE)
    foreign = certificates.der(issuer.device(shuffler().unit, "shuffler-1", DEVICE_KEY.public_key(), NOW))
    assert codes(table.judge(certificate=foreign)) == [
        ("certificate", TrustCode.UNKNOWN_ISSUER),
        ("enrolment", TrustCode.CERTIFICATE_DIFFERS),
    ]


def test_a_revoked_device(table: Table) -> None:
    house = table.house
    house.site.revoke("device", "shuffler-1", "stolen", house.carla, NOW)
    found = table.judge()
    assert codes(found) == [("enrolment", TrustCode.REVOKED)]
    assert found.refusals[0].detail == "shuffler-1 was revoked by carla: stolen"


def test_the_list_of_the_revoked_counts_too(table: Table, founded: House) -> None:
    """A registry whose end was cut off, beside a newer list."""
    serial = certificates.parse(table.certificate, "it").serial_number
    assert codes(table.judge(crl=founded.issuer.crl([(serial, NOW)], 9, NOW))) == [("enrolment", TrustCode.REVOKED)]
    assert table.judge(crl=founded.issuer.crl([(serial + 1, NOW)], 9, NOW)).ok
    key = certificates.fresh_authority_key()
    stranger = certificates.Issuer(certificates.make_authority(key, "x", NOW), keys.NamedKey("x", key))
    for wrong in (b"x", stranger.crl([], 9, NOW)):
        assert codes(table.judge(crl=wrong)) == [("enrolment", TrustCode.FILE_DAMAGED)]


@pytest.mark.parametrize(
    ("days", "code"),
    [(-1, TrustCode.NOT_YET_VALID), (731, TrustCode.EXPIRED), (729, TrustCode.OK), (-1 / 48, TrustCode.OK)],
)
def test_the_time_of_a_certificate(table: Table, days: float, code: TrustCode) -> None:
    table.house.renew(NOW if days < 1 else after(days=days))
    found = table.judge(now=after(days=days))
    assert found.checks[0].code is code


@pytest.mark.parametrize("certificate", [None, b""])
def test_a_plain_line(table: Table, certificate: bytes | None) -> None:
    assert codes(table.judge(certificate=certificate)) == [("certificate", TrustCode.NO_CERTIFICATE)]


def test_what_is_no_certificate(table: Table) -> None:
    assert codes(table.judge(certificate=b"\x30\x00")) == [("certificate", TrustCode.FILE_DAMAGED)]


@pytest.mark.filterwarnings("ignore::UserWarning")  # what cryptography thinks of a strange certificate that it takes
def test_no_altered_certificate_passes_or_breaks_the_check(table: Table, seed: int) -> None:
    """A certificate is what a stranger sends: any bytes get a verdict, only those enrolled a good one."""
    chance, registry, revoked = random.Random(seed), table.house.registry, table.house.revoked
    for _ in range(400):
        data = bytearray(table.certificate)
        for _ in range(chance.choice([1, 1, 1, 3])):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        if chance.random() < 0.1:
            del data[chance.randrange(len(data)) :]
        shown = DeviceEvidence(certificate=bytes(data), hello=HELLO, nonce=NONCE, attestation=attestation())
        found = verdict(shown, registry, table.approved, NOW, revoked)
        assert found.ok == (data == table.certificate)
        assert codes(found) or data == table.certificate


# --- attestation ------------------------------------------------------------------------------------------------------


def test_no_attestation(table: Table) -> None:
    assert codes(table.judge(attestation=None)) == [("attestation", TrustCode.NOT_ATTESTED)]


def test_a_replayed_attestation(table: Table) -> None:
    old = attestation(nonce=bytes(32))
    assert codes(table.judge(attestation=old)) == [("attestation", TrustCode.NONCE_DIFFERS)]


@pytest.mark.parametrize(
    "forged",
    [
        lambda: attestation(OTHER_KEY),
        lambda: dataclasses.replace(attestation(), signature=b""),
        lambda: dataclasses.replace(attestation(), signature=attestation().signature[:-1]),
        lambda: dataclasses.replace(attestation(security_counter=1), security_counter=2),
        lambda: dataclasses.replace(attestation(boot_state=BootState.UNVERIFIED), boot_state=BootState.VERIFIED),
        lambda: dataclasses.replace(attestation(image_digest=bytes(32)), image_digest=HELLO.image_digest),
        lambda: dataclasses.replace(attestation(nonce=bytes(32)), nonce=NONCE),
    ],
    ids=["another key", "none", "truncated", "counter", "boot state", "digest", "nonce"],
)
def test_a_forged_attestation(table: Table, forged: Callable[[], Attestation]) -> None:
    assert codes(table.judge(attestation=forged())) == [("attestation", TrustCode.SIGNATURE_WRONG)]


def test_a_forged_digest_in_hello(table: Table) -> None:
    """The device says the approved digest; its boot loader and key attest what really runs."""
    told = attestation(image_digest=bytes(32))
    assert codes(table.judge(attestation=told)) == [("attestation", TrustCode.DIGEST_DIFFERS)]


def test_a_forged_counter_in_hello(table: Table) -> None:
    assert codes(table.judge(attestation=attestation(security_counter=1))) == [
        ("attestation", TrustCode.COUNTER_DIFFERS)
    ]


@pytest.mark.parametrize(
    ("state", "code"), [(BootState.UNVERIFIED, TrustCode.BOOT_UNVERIFIED), (BootState.TEST_BOOT, TrustCode.TEST_BOOT)]
)
def test_the_boot_state(table: Table, state: BootState, code: TrustCode) -> None:
    assert codes(table.judge(attestation=attestation(boot_state=state))) == [("attestation", code)]


# --- firmware ---------------------------------------------------------------------------------------------------------


def test_firmware_that_nobody_approved(table: Table) -> None:
    hello = dataclasses.replace(HELLO, image_digest=bytes(32))
    found = table.judge(hello=hello, attestation=attestation(image_digest=bytes(32)))
    assert codes(found) == [("firmware", TrustCode.FIRMWARE_UNAPPROVED)]
    assert "among those approved: 1.0.0, 1.1.0" in found.refusals[0].detail


def test_a_version_that_is_not_that_of_its_digest(table: Table) -> None:
    hello = dataclasses.replace(HELLO, firmware_version="1.0.0")
    assert codes(table.judge(hello=hello)) == [("firmware", TrustCode.FIRMWARE_UNAPPROVED)]


def test_an_approved_firmware_older_than_what_ran(table: Table) -> None:
    old = bytes.fromhex(digest("1.0.0"))
    hello = dataclasses.replace(HELLO, firmware_version="1.0.0", image_digest=old, security_counter=1)
    told = attestation(image_digest=old, security_counter=1)
    assert table.judge(hello=hello, attestation=told).ok
    found = table.judge(hello=hello, attestation=told, least_counter=2)
    assert codes(found) == [("firmware", TrustCode.COUNTER_WENT_BACK)]


def test_no_list_of_approved_firmware(table: Table) -> None:
    presented = DeviceEvidence(certificate=table.certificate, hello=HELLO, nonce=NONCE, attestation=attestation())
    found = verdict(presented, table.house.registry, None, NOW, table.house.revoked)
    assert codes(found) == [("firmware", TrustCode.NO_APPROVED_LIST)]


def test_all_that_is_wrong_is_told_at_once(table: Table) -> None:
    table.house.site.revoke("device", "shuffler-1", "stolen", table.house.carla, NOW)
    hello = dataclasses.replace(HELLO, serial="SN-2", image_digest=bytes(32))
    found = table.judge(hello=hello, attestation=None)
    assert codes(found) == [
        ("enrolment", TrustCode.REVOKED),
        ("identity", TrustCode.KEY_SHARED),
        ("attestation", TrustCode.NOT_ATTESTED),
        ("firmware", TrustCode.FIRMWARE_UNAPPROVED),
    ]


# --- without cryptography ---------------------------------------------------------------------------------------------


def test_a_device_without_cryptography_needs_two_persons(house: House) -> None:
    port = angel_eye().port
    found = verdict_without_attestation("shoe", "angel_eye", port, house.registry, NOW)
    assert codes(found) == [("admission", TrustCode.CANNOT_ATTEST)]
    house.enrol(angel_eye())
    found = verdict_without_attestation("shoe", "angel_eye", port, house.registry, NOW)
    assert (found.ok, found.attests, found.checks[0].code) == (True, False, TrustCode.CANNOT_ATTEST)
    assert "anna and bruno admitted it" in found.checks[0].detail
    for family, place in (("bee_tek", port), ("angel_eye", "/dev/other")):
        moved = verdict_without_attestation("shoe", family, place, house.registry, NOW)
        assert codes(moved) == [("admission", TrustCode.IDENTITY_DIFFERS)]
    house.site.revoke("device", "shoe", "broken", house.anna, NOW)
    assert codes(verdict_without_attestation("shoe", "angel_eye", port, house.registry, NOW)) == [
        ("admission", TrustCode.REVOKED)
    ]


def test_a_device_with_a_key_is_not_admitted_without_it(house: House) -> None:
    house.enrol()
    found = verdict_without_attestation("shuffler-1", "angel_eye", "x", house.registry, NOW)
    assert codes(found) == [("admission", TrustCode.CANNOT_ATTEST)]
