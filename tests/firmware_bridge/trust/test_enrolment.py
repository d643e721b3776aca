"""Two persons enrol a device; whatever is not two persons, in time, about the same content, is refused by its code."""

from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID
from msgspec.structs import replace

from firmware_bridge.trust import certificates, keys
from firmware_bridge.trust.acts import (
    AddPerson,
    AdmitDevice,
    Anchor,
    ApprovalAct,
    EnrolDevice,
    Matter,
    ProposalAct,
    RegistryAct,
)
from firmware_bridge.trust.certificates import is_issued_by
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.errors import ActRefused, KeyRefused, TrustError
from firmware_bridge.trust.registry import Registry
from firmware_bridge.trust.site import Site, found_site
from tests.firmware_bridge.trust.houses import DEVICE_KEY, PASSPHRASE, House, angel_eye, shuffler
from tests.firmware_bridge.trust.sticks import MAKER, MODEL, NOW, after, key_from, public

OTHER_KEY = ec.derive_private_key(0x2002, ec.SECP256R1())


def refused(error: TrustError, code: TrustCode, who: str) -> bool:
    return (error.code, error.who) == (code, who) and bool(error.remedy)


def test_two_persons_enrol_a_device(house: House) -> None:
    found = house.site.propose(shuffler(), house.anna, NOW)
    assert house.registry.book.devices == []
    house.site.approve(found.id, house.bruno, after(minutes=14), house.issuer)
    registry = house.registry
    [device] = registry.book.devices
    assert (device.proposed_by, device.approved_by, device.at) == ("anna", "bruno", "2026-11-21T12:14:00Z")
    assert device.matter == shuffler()
    assert (registry.book.proposals, registry.head.seq) == ({}, 3)
    certificate = certificates.parse(device.certificate, "it")
    assert is_issued_by(certificate, house.site.authority)
    assert certificate.public_key() == DEVICE_KEY.public_key()
    subject = {one.oid: one.value for one in certificate.subject}
    assert subject == {
        NameOID.ORGANIZATION_NAME: MAKER,
        NameOID.ORGANIZATIONAL_UNIT_NAME: MODEL,
        NameOID.SERIAL_NUMBER: "SN-1",
        NameOID.COMMON_NAME: "shuffler-1",
    }


def test_nobody_approves_what_they_proposed(house: House) -> None:
    found = house.site.propose(shuffler(), house.anna, NOW)
    with pytest.raises(ActRefused) as caught:
        house.site.approve(found.id, house.anna, NOW, house.issuer)
    assert refused(caught.value, TrustCode.SAME_PERSON, "two enrolled persons")
    assert house.registry.book.devices == []


def test_what_was_shown_is_what_is_approved(house: House) -> None:
    """64 bits say which proposal it is; whoever makes two that have the same ones exchanges them after the look."""
    found = house.site.propose(shuffler(), house.anna, NOW)
    shown = replace(found, digest=found.digest[:16] + "0" * 48)
    assert shown.id == found.id
    with pytest.raises(ActRefused, match="is not the one that was shown") as caught:
        house.site.approve(shown, house.bruno, NOW, house.issuer)
    assert refused(caught.value, TrustCode.CHANGED_PROPOSAL, "two enrolled persons")
    house.site.approve(found, house.bruno, NOW, house.issuer)
    assert len(house.registry.book.devices) == 1


@pytest.mark.parametrize(
    "trick",
    ["\x9b2J", "\x1b[2A", "\u202edesu", "\u2028", "\u200b", "\ufeff", "\u2066", "\x7f", "line\n"],
    ids=["c1", "escape", "from right to left", "line", "no width", "mark", "isolate", "delete", "line's end"],
)
def test_what_the_second_person_could_not_see_is_no_word(trick: str) -> None:
    """The first one would write over the lines above it, on the terminal of the second."""
    given = {"kind": "admit", **msgspec.structs.asdict(angel_eye())}
    assert msgspec.convert({**given, "reason": "Gerät – 荷官 – جهاز"}, AdmitDevice).reason
    for field in ("reason", "port", "maker", "serial", "family"):
        with pytest.raises(msgspec.ValidationError, match=f"regex|{field}"):
            msgspec.convert({**given, field: f"a{trick}"}, AdmitDevice)
    digits = "0" * 64 + ("\n" if trick.endswith("\n") else trick)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"kind": "anchor", "root": digits}, Anchor)


def test_a_site_that_comes_to_nothing_leaves_nothing(tmp_path: Path) -> None:
    people = {name: public(key_from(name)) for name in ("anna", "bruno")}
    folder = tmp_path / "new"
    (folder / "revoked.pem").mkdir(parents=True)
    with pytest.raises(KeyRefused, match=r"^file_exists: .*revoked\.pem exists"):
        found_site(folder, "Casino", people, PASSPHRASE, NOW, cost=keys.COST_MIN)
    assert [path.name for path in folder.iterdir()] == ["revoked.pem"]
    (folder / "revoked.pem").rmdir()
    found_site(folder, "Casino", people, PASSPHRASE, NOW, cost=keys.COST_MIN)
    (folder / "registry.jsonl").unlink()
    with pytest.raises(KeyRefused, match="a site that was begun and not finished"):
        found_site(folder, "Casino", people, PASSPHRASE, NOW, cost=keys.COST_MIN)


def test_nobody_is_two_persons_by_one_key(house: House) -> None:
    again = AddPerson(name="anna-2", key=keys.to_text(keys.public_bytes(public(house.anna))))
    with pytest.raises(ActRefused, match=r"^same_person: the key of anna-2 belongs to somebody else, or did"):
        house.site.propose(again, house.bruno, NOW)
    twice = {"anna": public(house.anna), "other": public(house.anna)}
    with pytest.raises(ActRefused, match=r"^same_person: "):
        found_site(house.folder.parent / "second", "x", twice, PASSPHRASE, NOW, cost=keys.COST_MIN)


@pytest.mark.parametrize(("late", "valid_for"), [(timedelta(minutes=15, seconds=1), None), (timedelta(hours=2), 1)])
def test_a_proposal_grows_stale(house: House, late: timedelta, valid_for: int | None) -> None:
    more = {} if valid_for is None else {"valid_for": timedelta(hours=valid_for)}
    found = house.site.propose(shuffler(), house.anna, NOW, **more)
    with pytest.raises(ActRefused) as caught:
        house.site.approve(found.id, house.bruno, NOW + late, house.issuer)
    assert refused(caught.value, TrustCode.STALE_PROPOSAL, "two enrolled persons")


def test_a_proposal_waits_a_day_at_most(house: House) -> None:
    house.site.propose(shuffler(), house.anna, NOW, timedelta(hours=24))
    for wait in (timedelta(hours=24, seconds=1), timedelta(0), timedelta(minutes=-1)):
        with pytest.raises(ActRefused, match=r"^stale_proposal: "):
            house.site.propose(shuffler(), house.anna, NOW, wait)


def test_what_is_approved_is_what_was_told(house: House) -> None:
    """The first person tells the second number and content; another content under that number is another id."""
    found = house.site.propose(shuffler(), house.anna, NOW)
    number, _, digits = found.id.partition("-")
    wrong = f"{number}-{'0' * len(digits)}"
    for act in (house.site.approve, house.site.withdraw):
        with pytest.raises(ActRefused) as caught:
            act(wrong, house.bruno, NOW)
        assert refused(caught.value, TrustCode.CHANGED_PROPOSAL, "two enrolled persons")
    for nothing, code in (
        ("99-abc", TrustCode.UNKNOWN_PROPOSAL),
        ("1-abc", TrustCode.CLOSED_PROPOSAL),
        ("x", TrustCode.UNKNOWN_PROPOSAL),
    ):
        with pytest.raises(ActRefused) as caught:
            house.site.approve(nothing, house.bruno, NOW, house.issuer)
        assert caught.value.code is code
    registry = house.registry
    with pytest.raises(ActRefused, match=r"^changed_proposal: "):
        registry.add(ApprovalAct(proposal=2, digest="0" * 64), house.bruno, NOW)


def test_a_proposal_is_approved_once(house: House) -> None:
    found = house.site.propose(shuffler(), house.anna, NOW)
    house.site.approve(found.id, house.bruno, NOW, house.issuer)
    with pytest.raises(ActRefused, match=r"^closed_proposal: "):
        house.site.approve(found.id, house.carla, NOW, house.issuer)


def test_a_withdrawn_proposal(house: House) -> None:
    found = house.site.propose(shuffler(), house.anna, NOW)
    house.site.withdraw(found.id, house.carla, NOW)
    with pytest.raises(ActRefused, match=r"^closed_proposal: "):
        house.site.approve(found.id, house.bruno, NOW, house.issuer)


@pytest.mark.parametrize(
    ("matter", "code"),
    [
        (shuffler(), TrustCode.ALREADY_ENROLLED),
        (shuffler(name="other"), TrustCode.ALREADY_ENROLLED),
        (shuffler("SN-2", name="other"), TrustCode.KEY_SHARED),
        (shuffler(key=OTHER_KEY, name="other"), TrustCode.SERIAL_CLONED),
        (shuffler("SN-2", OTHER_KEY), TrustCode.NAME_TAKEN),
        (shuffler("SN-2", OTHER_KEY, "Not A Name"), TrustCode.BAD_NAME),
        (shuffler("SN-2", key_from("carla").private, "other"), TrustCode.KEY_SHARED),
    ],
)
def test_what_cannot_be_enrolled_beside_a_device(house: House, matter: EnrolDevice, code: TrustCode) -> None:
    house.enrol()
    with pytest.raises(TrustError) as caught:
        house.site.propose(matter, house.anna, NOW)
    assert caught.value.code is code
    assert caught.value.remedy


def test_it_is_looked_at_again_when_it_is_approved(house: House) -> None:
    """Two proposals with one key: the second has become a shared key meanwhile."""
    second = house.site.propose(shuffler("SN-2", name="other"), house.anna, NOW)
    house.enrol()
    with pytest.raises(
        ActRefused, match=r"^key_shared: the key of Acme Shuffler 9 SN-2 is that of Acme Shuffler 9 SN-1"
    ):
        house.site.approve(second.id, house.bruno, NOW, house.issuer)


def test_a_revoked_device_comes_back_with_a_new_key_alone(house: House) -> None:
    house.enrol()
    house.site.revoke("device", "shuffler-1", "stolen", house.carla, NOW)
    with pytest.raises(ActRefused, match=r"^revoked: the key of Acme Shuffler 9 SN-1 was revoked: stolen"):
        house.site.propose(shuffler(), house.anna, NOW)
    house.enrol(shuffler(key=OTHER_KEY))
    assert [one.reason for one in house.registry.book.devices] == ["stolen", ""]
    assert house.registry.book.by_name("shuffler-1") == house.registry.book.devices[1]


def test_revoking_is_one_person_s_act_and_is_listed(house: House) -> None:
    der = house.enrol()
    line = house.site.revoke("device", "shuffler-1", "stolen", house.carla, after(minutes=1))
    assert (line.by, house.registry.book.current()) == ("carla", [])
    assert house.site.write_crl(house.issuer, after(minutes=2)) == 1
    listed = certificates.revoked_list(house.revoked, house.site.authority)
    assert listed.until == after(minutes=2, days=30)
    assert listed.serials == {certificates.parse(der, "it").serial_number}
    with pytest.raises(ActRefused, match=r"^unknown_device: "):
        house.site.revoke("device", "shuffler-1", "again", house.carla, after(minutes=1))


# --- persons ----------------------------------------------------------------------------------------------------------


def person(name: str) -> AddPerson:
    return AddPerson(name=name, key=keys.to_text(keys.public_bytes(public(key_from(name)))))


def test_two_persons_add_a_third(house: House) -> None:
    with pytest.raises(ActRefused, match=r"^unknown_person: dora may not act here$"):
        house.site.propose(shuffler(), key_from("dora"), NOW)
    found = house.site.propose(person("dora"), house.anna, NOW)
    house.site.approve(found.id, house.bruno, NOW)
    assert house.site.propose(shuffler(), key_from("dora"), NOW).line.by == "dora"


def test_a_person_who_left_does_not_come_back(house: House) -> None:
    waiting = house.site.propose(shuffler(), house.carla, NOW)
    house.site.revoke("person", "carla", "left the house", house.anna, NOW)
    with pytest.raises(ActRefused, match=r"^unknown_person: carla may not act here any more$"):
        house.site.propose(shuffler(), house.carla, NOW)
    with pytest.raises(ActRefused, match=r"^closed_proposal: "):
        house.site.approve(waiting.id, house.bruno, NOW, house.issuer)
    for again in (person("carla"), AddPerson(name="carla-2", key=person("carla").key)):
        with pytest.raises(ActRefused):
            house.site.propose(again, house.anna, NOW)


def test_two_persons_are_always_left(house: House, tmp_path: Path) -> None:
    house.site.revoke("person", "carla", "left", house.anna, NOW)
    with pytest.raises(ActRefused) as caught:
        house.site.revoke("person", "bruno", "left", house.anna, NOW)
    assert refused(caught.value, TrustCode.TOO_FEW_PERSONS, "two enrolled persons")
    with pytest.raises(ActRefused, match=r"^unknown_person: "):
        house.site.revoke("person", "dora", "x", house.anna, NOW)
    with pytest.raises(ActRefused, match=r"^too_few_persons: "):
        found_site(tmp_path / "x", "x", {"anna": public(house.anna)}, PASSPHRASE, NOW, cost=keys.COST_MIN)
    assert not (tmp_path / "x").exists()


# --- the rest ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("matter", [angel_eye(), Anchor(root="ab" * 32)])
def test_other_matters_of_two_persons(house: House, matter: Matter) -> None:
    found = house.site.propose(matter, house.anna, NOW)
    house.site.approve(found.id, house.bruno, NOW)
    book = house.registry.book
    assert book.anchor == "ab" * 32 if isinstance(matter, Anchor) else book.devices[0].matter == matter
    with pytest.raises(ActRefused):
        house.site.propose(matter, house.anna, NOW)


def test_a_dry_run_says_what_would_be_and_writes_nothing(house: House) -> None:
    before = {path.name: path.read_bytes() for path in house.folder.iterdir()}
    trial = Site(house.folder, dry_run=True)
    assert trial.propose(shuffler(), house.anna, NOW).line.seq == 2
    assert trial.revoke("person", "carla", "x", house.anna, NOW).seq == 2
    assert trial.write_crl(house.issuer, NOW) == 0
    trial.make_host("table-7", house.issuer, house.folder, NOW)
    with pytest.raises(ActRefused):
        trial.revoke("device", "shuffler-1", "x", house.anna, NOW)
    after_it = {path.name: path.read_bytes() for path in house.folder.iterdir() if path.name != ".lock"}
    assert after_it == before


def test_the_clock_does_not_go_back(house: House) -> None:
    house.site.propose(shuffler(), house.anna, NOW)
    with pytest.raises(ActRefused) as caught:
        house.site.propose(angel_eye(), house.anna, after(seconds=-1))
    assert refused(caught.value, TrustCode.CLOCK_WENT_BACK, "technician")


def test_an_enrolment_needs_the_authority(house: House) -> None:
    found = house.site.propose(shuffler(), house.anna, NOW)
    with pytest.raises(TrustError, match=r"^bad_passphrase: an enrolment needs the authority's key"):
        house.site.approve(found.id, house.bruno, NOW)


def test_kinds_of_keys(house: House) -> None:
    """Ed25519 and ECDSA P-256 (tdp.md, question 3), and nothing else."""
    house.enrol(shuffler("SN-8", Ed25519PrivateKey.from_private_bytes(bytes(32)), "ed"))
    with pytest.raises(TrustError) as caught:
        house.site.propose(shuffler("SN-9", ec.derive_private_key(7, ec.SECP384R1()), "p384"), house.anna, NOW)
    assert refused(caught.value, TrustCode.BAD_KEY, "technician")


@pytest.mark.parametrize("wrong", ["another device's", "another authority's", "none", "for a person"])
def test_a_certificate_that_is_not_the_device_s(house: House, tmp_path: Path, wrong: str) -> None:
    """Whoever writes the registry by a tool of their own cannot put another certificate in."""
    registry = house.registry
    matter: Matter = person("dora") if wrong == "for a person" else shuffler()
    line = registry.add(propose_of(matter), house.anna, NOW)
    der = certificates.der(house.issuer.device(shuffler("SN-2").unit, "shuffler-1", public_of(DEVICE_KEY), NOW))
    if wrong == "another authority's":
        people = {"a": public(house.anna), "b": public(house.bruno)}
        found_site(tmp_path / "second", "x", people, PASSPHRASE, NOW, cost=keys.COST_MIN)
        other = Site(tmp_path / "second").issuer(PASSPHRASE)
        der = certificates.der(other.device(shuffler().unit, "shuffler-1", public_of(DEVICE_KEY), NOW))
    text = "" if wrong == "none" else keys.to_text(der)
    act: RegistryAct = ApprovalAct(proposal=line.seq, digest=registry.head.digest, certificate=text)
    with pytest.raises(TrustError) as caught:
        registry.add(act, house.bruno, NOW)
    assert caught.value.code in {TrustCode.REGISTRY_ALTERED, TrustCode.FILE_DAMAGED}
    assert registry.book.devices == []


def propose_of(matter: Matter) -> RegistryAct:
    return ProposalAct(matter=matter, until="2026-11-21T12:15:00Z")


def public_of(key: ec.EllipticCurvePrivateKey) -> ec.EllipticCurvePublicKey:
    return key.public_key()


def test_a_device_is_admitted_once(house: House) -> None:
    house.enrol(angel_eye())
    with pytest.raises(ActRefused, match=r"^already_enrolled: "):
        house.site.propose(msgspec.structs.replace(angel_eye(), name="shoe-2"), house.anna, NOW)


def test_a_site_is_not_made_over_another(house: House, tmp_path: Path) -> None:
    people = {"a": public(house.anna), "b": public(house.bruno)}
    before = (house.folder / "registry.jsonl").read_bytes()
    with pytest.raises(TrustError, match=r"^file_exists: .*authority.key"):
        found_site(house.folder, "x", people, PASSPHRASE, NOW, cost=keys.COST_MIN)
    assert (house.folder / "registry.jsonl").read_bytes() == before
    (tmp_path / "file").touch()
    with pytest.raises(TrustError, match=r"^file_unreadable: "):
        found_site(tmp_path / "file" / "site", "x", people, PASSPHRASE, NOW, cost=keys.COST_MIN)
    (house.folder / "authority.pem").write_text("x")
    with pytest.raises(TrustError, match=r"^file_damaged: "):
        Site(house.folder)


@pytest.mark.parametrize("until", ["", "2026-11-21T12:10:00", "2026-11-21T12:10:00.5Z", "2026-11-21 12:10:00Z"])
def test_times_have_one_form(house: House, until: str) -> None:
    with pytest.raises(ActRefused, match="is not a time as a registry writes it"):
        house.registry.add(ProposalAct(matter=shuffler(), until=until), house.anna, NOW)


def test_a_registry_of_another_authority(house: House, tmp_path: Path) -> None:
    people = {"a": public(house.anna), "b": public(house.bruno)}
    found_site(tmp_path / "second", "x", people, PASSPHRASE, NOW, cost=keys.COST_MIN)
    with pytest.raises(TrustError, match=r"^registry_altered: line 1: "):
        Registry.read(house.folder, Site(tmp_path / "second").authority)
