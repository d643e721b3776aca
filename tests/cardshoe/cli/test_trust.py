"""`cardshoe trust`, as persons use it: keys, a site, a device enrolled by two, firmware from a stick."""

import json
import os
import pty
import shutil
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from firmware_bridge.trust import keys
from firmware_bridge.trust.codes import TrustCode
from tests.cardshoe.cli.support import PATIENCE_S, cardshoe, invoke
from tests.firmware_bridge.trust.houses import DEVICE_KEY, PASSPHRASE, request
from tests.firmware_bridge.trust.sticks import digest
from tests.firmware_bridge.trust.sticks import image as sound_image
from tests.kit.command import assert_message
from tests.kit.forked import CARDSHOE

UNIT = ("--maker", "Acme", "--model", "Shuffler 9", "--serial", "SN-1")


@dataclass
class Office:
    """A folder with a site, everybody's keys, and a file with the passphrase of all of them."""

    folder: Path

    @property
    def site(self) -> Path:
        return self.folder / "site"

    @property
    def secret(self) -> Path:
        return self.folder / "passphrase"

    def key(self, name: str) -> Path:
        return self.folder / f"{name}.key"

    def run(self, *arguments: str | Path, code: int = 0) -> Result:
        result = invoke("trust", *arguments)
        assert result.exit_code == code, result.output
        return result

    def ask(self, *arguments: str | Path) -> Any:  # noqa: ANN401  whatever the command answers
        """The answer for a program."""
        return json.loads(self.run(*arguments, "--json").stdout)

    def act(self, *arguments: str | Path, by: str, code: int = 0) -> Result:
        return self.run(*arguments, *self.person(by), code=code)

    def person(self, name: str) -> list[str | Path]:
        return ["--site", self.site, "--key", self.key(name), "--passphrase-file", self.secret]

    def approve(self, proposal: str, by: str, code: int = 0) -> Result:
        authority = ("--authority-passphrase-file", self.secret)
        return self.act("enrol", "approve", proposal, "--yes", *authority, by=by, code=code)

    def propose(self, *arguments: str | Path, by: str = "anna") -> str:
        return str(json.loads(self.act("enrol", *arguments, "--json", by=by).stdout)["proposal"])


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Office:
    office = Office(tmp_path_factory.mktemp("office"))
    office.secret.write_text(PASSPHRASE + "\n")
    office.secret.chmod(0o600)
    # What it costs to try a passphrase is shown elsewhere; here it would be paid three hundred times.
    for name in ("bruno", "root-1", "root-2", "acme-1", "acme-2", "regulator", "publisher"):
        keys.make_key(office.key(name), name, PASSPHRASE, cost=keys.COST_MIN)
    office.run("key", office.key("anna"), "--name", "anna", "--passphrase-file", office.secret)
    people = [f"--person={name}={office.folder / name}.pub" for name in ("anna", "bruno")]
    made = office.run("init", office.site, "--name", "Casino", *people, "--authority-passphrase-file", office.secret)
    assert "the site Casino, with anna, bruno" in made.stdout
    for path in (office.key("anna"), office.site / "authority.key"):
        own = keys.load_key(path, PASSPHRASE)
        path.unlink()
        path.with_suffix(".pub").unlink()
        keys.make_key(path, own.name, PASSPHRASE, own.private, cost=keys.COST_MIN)
    (office.folder / "device.csr").write_bytes(request(DEVICE_KEY))
    return office


@pytest.fixture
def office(opened: Office, tmp_path: Path) -> Office:
    return Office(Path(shutil.copytree(opened.folder, tmp_path / "office")))


def propose_device(office: Office, name: str = "shuffler-1") -> str:
    more = ("--usb", "1209:0001", "--port-path", "1-2.3")
    return office.propose("propose", "--csr", office.folder / "device.csr", "--name", name, *UNIT, *more)


def test_a_device_is_enrolled_shown_and_revoked(office: Office) -> None:
    proposal = propose_device(office)
    assert f"waits until {office.ask('list', '--site', office.site)['proposals'][0]['until']}: {proposal} by anna" in (
        office.run("list", "--site", office.site).stdout
    )
    refused = office.approve(proposal, by="anna", code=1)
    assert_message(
        1, refused.stderr.split("socket 1-2.3\n")[1], 1, "[same_person]", "two enrolled persons: Have another"
    )
    done = office.approve(proposal, by="bruno")
    assert "approved by bruno, proposed by anna: the device shuffler-1: Acme Shuffler 9 SN-1" in done.stdout
    assert "1209:0001 in socket 1-2.3" in done.stderr, "who approves sees what"

    shown = office.run("show", "shuffler-1", "--site", office.site).stdout
    assert "enrolled by anna and bruno" in shown
    pem = office.run("show", "shuffler-1", "--pem", "--site", office.site).stdout
    assert x509.load_pem_x509_certificate(pem.encode()).public_key() == DEVICE_KEY.public_key()
    listed = office.ask("list", "--site", office.site)
    assert listed["devices"][0]["matter"]["usb"] == {"vendor": "1209", "product": "0001", "port_path": "1-2.3"}
    assert listed["devices"][0]["revoked"] is None

    head = listed["head"]
    office.act("revoke", "shuffler-1", "--reason", "stolen", by="bruno")
    behind = office.run("verify", "--site", office.site, "--head", head, code=1)
    assert_message(1, behind.stderr, 1, "revoked.pem lacks 1 of the revoked", "cardshoe trust crl")
    office.run("crl", "--site", office.site, "--authority-passphrase-file", office.secret)
    verified = office.ask("verify", "--site", office.site, "--head", head)
    untils = [datetime.fromisoformat(verified.pop(name)) for name in ("registry_until", "list_until")]
    assert [(until - datetime.now(UTC)).days for until in untils] == [89, 36], "90 days, and 30 with 7 of grace"
    assert verified == {
        "lines": 4,
        "head": office.ask("list", "--site", office.site)["head"],
        "listed": 1,
        "not_listed": 0,
    }
    assert "revoked by bruno" in office.run("show", "shuffler-1", "--site", office.site).stdout


def test_the_list_of_the_revoked_is_written_at_once_if_the_authority_is_there(office: Office) -> None:
    office.approve(propose_device(office), by="bruno")
    authority = ("--authority-passphrase-file", office.secret)
    answer = json.loads(office.act("revoke", "shuffler-1", "--reason", "x", *authority, "--json", by="anna").stdout)
    assert answer == {"revoked": "shuffler-1", "kind": "device", "line": 4, "by": "anna", "listed": True}
    office.run("verify", "--site", office.site)


def test_a_dry_run_writes_nothing(office: Office) -> None:
    before = (office.site / "registry.jsonl").read_bytes()
    tried = office.act("enrol", "person", "carla", office.folder / "acme-1.pub", "--dry-run", by="anna")
    assert tried.stdout.endswith("Nothing was written (--dry-run).\n")
    people = [f"--person={name}={office.folder / name}.pub" for name in ("anna", "bruno")]
    other = office.folder / "other"
    again = office.run(
        "init", other, "--name", "x", *people, "--authority-passphrase-file", office.secret, "--dry-run", "--json"
    )
    assert json.loads(again.stdout)["dry_run"] is True
    assert (other.exists(), (office.site / "registry.jsonl").read_bytes()) == (False, before)


def test_a_table_computer(office: Office) -> None:
    authority = ("--authority-passphrase-file", office.secret)
    made = office.run("host", "table-7", "--out", office.folder, "--site", office.site, *authority)
    assert 'certificate = "table-7.pem"' in made.stdout
    certificate = x509.load_pem_x509_certificate((office.folder / "table-7.pem").read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["table-7"]
    assert (office.folder / "table-7.key").stat().st_mode & 0o777 == 0o600
    again = office.run("host", "table-7", "--out", office.folder, "--site", office.site, *authority, code=2)
    assert_message(2, again.stderr, 2, "[file_exists]")


@pytest.mark.parametrize("name", ["B/101", "B-", "B_1", "\u212a7", "B" * 64])
def test_a_table_computer_has_the_table_s_id_as_its_name(office: Office, name: str) -> None:
    issuing = ("--out", office.folder, "--site", office.site, "--authority-passphrase-file", office.secret)
    office.run("host", "B-101", *issuing)
    certificate = x509.load_pem_x509_certificate((office.folder / "B-101.pem").read_bytes())
    assert certificate.subject.rfc4514_string() == "CN=B-101"
    assert "[bad_name]" in office.run("host", name, *issuing, code=2).stderr


def test_a_server_on_another_machine(office: Office) -> None:
    office.approve(propose_device(office), by="bruno")
    issuing = ("--out", office.folder, "--site", office.site, "--authority-passphrase-file", office.secret)
    addresses = ("--address", "Witness.example", "--address", "192.0.2.7", "--address", "2001:db8::7")
    dry = office.run("server", "witness", *addresses, *issuing, "--dry-run")
    assert not (office.folder / "witness.pem").exists(), dry.stdout
    made = office.run("server", "witness", *addresses, *issuing)
    assert "--tls-cert witness.pem --tls-key witness.key --client-ca authority.pem" in made.stdout
    certificate = x509.load_pem_x509_certificate((office.folder / "witness.pem").read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["witness.example"]
    assert [str(one) for one in names.get_values_for_type(x509.IPAddress)] == ["192.0.2.7", "2001:db8::7"]
    uses = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(uses) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert (office.folder / "witness.key").stat().st_mode & 0o777 == 0o600
    for name, address, code in (
        ("witness", "witness.example", "[file_exists]"),
        ("other", "shuffler-1", "[name_taken]"),
        ("other", "no name", "[bad_name]"),
        ("other", "*.example", "[bad_name]"),
        ("Other!", "witness.example", "[bad_name]"),
    ):
        refused = office.run("server", name, "--address", address, *issuing, code=2)
        assert code in refused.stderr


def test_a_computer_s_certificate_is_revoked(office: Office) -> None:
    authority = ("--authority-passphrase-file", office.secret)
    office.run("host", "table-7", "--out", office.folder, "--site", office.site, *authority)
    file = office.folder / "table-7.pem"
    why = ("--certificate", "--reason", "stolen")
    office.act("revoke", file, *why, by="anna")
    behind = office.run("verify", "--site", office.site, code=1)
    assert_message(1, behind.stderr, 1, "revoked.pem lacks 1 of the revoked", "cardshoe trust crl")
    office.run("crl", "--site", office.site, *authority)
    listed = x509.load_pem_x509_crl((office.site / "revoked.pem").read_bytes())
    serial = x509.load_pem_x509_certificate(file.read_bytes()).serial_number
    assert [one.serial_number for one in listed] == [serial]
    office.act("revoke", file, *why, *authority, by="bruno")
    assert len(x509.load_pem_x509_crl((office.site / "revoked.pem").read_bytes())) == 1
    other = office.folder / "other"
    people = [f"--person={name}={office.folder / name}.pub" for name in ("anna", "bruno")]
    office.run("init", other, "--name", "Other", *people, *authority)
    office.run("host", "table-9", "--out", office.folder, "--site", other, *authority)
    refused = office.act("revoke", office.folder / "table-9.pem", *why, by="anna", code=2)
    assert_message(2, refused.stderr, 2, "not of this site's authority")
    assert_message(2, office.act("revoke", "x", "--person", *why, by="anna", code=2).stderr, 2, "exclude each other")


def test_other_matters_of_two(office: Office) -> None:
    shoe = ("--family", "angel_eye", "--port", "/dev/serial/by-id/usb-A1", "--reason", "none with a key")
    office.approve(office.propose("admit", "--name", "shoe", *shoe, *UNIT), by="bruno")
    assert "it cannot attest" in office.run("show", "shoe", "--site", office.site).stdout
    assert_message(2, office.run("show", "shoe", "--pem", "--site", office.site, code=2).stderr, 2, "no certificate")
    office.approve(office.propose("person", "carla", office.folder / "acme-1.pub"), by="bruno")
    withdrawn = office.propose("person", "dora", office.folder / "acme-2.pub")
    assert "is withdrawn by bruno" in office.act("enrol", "withdraw", withdrawn, by="bruno").stdout
    office.act("revoke", "carla", "--person", "--reason", "left", by="anna")
    listed = office.run("list", "--site", office.site).stdout
    assert [line.split()[0] for line in listed.splitlines() if "may act" in line] == ["anna", "bruno"]
    assert "no longer: carla\n" in listed
    assert "admitted without cryptography by anna and bruno" in listed


def test_firmware_from_makers_to_a_house(office: Office) -> None:
    repository, stick = office.folder / "repository", office.folder / "stick"
    public = {
        name: office.folder / f"{name}.pub"
        for name in ("root-1", "root-2", "acme-1", "acme-2", "regulator", "publisher")
    }
    roots = [f"--root={name}={public[name]}" for name in ("root-1", "root-2")]
    makers = [f"--maker=Acme={public[name]}" for name in ("acme-1", "acme-2")]
    held = ("--publisher", public["publisher"], "--regulator", public["regulator"])
    begun = office.run("firmware", "begin", repository, *roots, *makers, *held)
    assert begun.stdout == "drafts to sign: maker-acme, regulator, root, targets\n"

    image = office.folder / "shuffler.bin"
    image.write_bytes(sound_image("1.0.0"))
    facts = ("--version", "1.0.0")
    office.run("firmware", "add", repository, image, *UNIT[:4], *facts)
    office.run("firmware", "approve", repository, "acme/shuffler-9/1.0.0.img")

    def sign(role: str, name: str) -> None:
        office.run("firmware", "sign", repository, role, "--key", office.key(name), "--passphrase-file", office.secret)

    def publish(code: int = 0, by: str = "publisher") -> Result:
        key = ("--key", office.key(by), "--passphrase-file", office.secret)
        return office.run("firmware", "publish", repository, *key, code=code)

    # A signature that does not count would be found by each house that the stick comes to, and by nobody before.
    stranger = ("--key", office.key("regulator"), "--passphrase-file", office.secret)
    strange = office.run("firmware", "sign", repository, "maker-acme", *stranger, code=2)
    assert_message(2, strange.stderr, 2, "its signature does not count for maker-acme", "Nothing was signed.")
    assert_message(2, publish(2, by="acme-1").stderr, 2, "its signature does not count for timestamp")

    for role, name in (("root", "root-1"), ("root", "root-2"), ("targets", "root-1"), ("targets", "root-2")):
        sign(role, name)
    sign("regulator", "regulator")
    sign("maker-acme", "acme-1")
    assert_message(1, publish(1).stderr, 1, "the draft of maker-acme", "[threshold_missed]")
    sign("maker-acme", "acme-2")
    assert "published: maker-acme, regulator, root, targets" in publish().stdout
    assert_message(
        2, office.run("firmware", "sign", repository, "root", "--key", "x", code=2).stderr, 2, "no draft of root"
    )
    shutil.copytree(repository, stick)

    refused = office.run("firmware", "import", stick, "--site", office.site, code=1)
    assert_message(1, refused.stderr, 1, "[no_anchor]", "two enrolled persons")
    office.approve(office.propose("anchor", stick / "metadata" / "1.root.json"), by="bruno")
    assert_message(1, office.run("firmware", "list", "--site", office.site, code=1).stderr, 1, "[no_approved_list]")
    tried = office.run("firmware", "import", stick, "--site", office.site, "--dry-run")
    assert tried.stdout.endswith("Nothing was written (--dry-run).\n")
    assert not (office.site / "firmware").exists()
    office.run("firmware", "import", stick, "--site", office.site)
    shutil.rmtree(stick)
    assert "Acme Shuffler 9 1.0.0" in office.run("firmware", "list", "--site", office.site).stdout
    for what in ("1.0.0", image):
        checked = office.ask("firmware", "check", what, "--site", office.site)
        assert checked["firmware"]["image_digest"] == digest("1.0.0")
        assert Path(checked["image"]).read_bytes() == sound_image("1.0.0")
    image.write_bytes(b"another")
    unknown = office.run("firmware", "check", image, "--site", office.site, code=1)
    assert_message(1, unknown.stderr, 1, "[firmware_unapproved]", "regulator: Update the device")

    office.run("firmware", "withdraw", repository, "acme/shuffler-9/1.0.0.img")
    sign("regulator", "regulator")
    publish()
    listed = office.ask("firmware", "import", repository, "--site", office.site)
    assert [one["code"] for one in listed["firmware"]] == [TrustCode.REGULATOR_MISSING]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("enrol", "propose", "--csr", "nowhere", "--name", "x", *UNIT), ("nowhere", "[file_unreadable]")),
        (
            ("enrol", "propose", "--csr", "{csr}", "--name", "x", *UNIT[:-1], "ä"),
            ("the proposal is not possible", "--help"),
        ),
        (
            ("enrol", "propose", "--csr", "{csr}", "--name", "x", *UNIT, "--usb", "12"),
            ("the proposal is not possible",),
        ),
        (("enrol", "propose", "--csr", "{csr}", "--name", "A", *UNIT), ("'A' is no name", "[bad_name]")),
        (("enrol", "anchor", "nowhere"), ("[file_unreadable]",)),
        (("enrol", "person", "carla", "{csr}"), ("[bad_key]",)),
    ],
)
def test_what_cannot_be_proposed(office: Office, arguments: tuple[str, ...], parts: tuple[str, ...]) -> None:
    filled = [one.format(csr=office.folder / "device.csr") for one in arguments]
    assert_message(2, office.act(*filled, by="anna", code=2).stderr, 2, *parts)


def test_who_does_not_say_what_is_needed(office: Office) -> None:
    proposal = propose_device(office)
    (office.folder / "sound.bin").write_bytes(sound_image("1.0.0"))
    cases: list[tuple[tuple[str | Path, ...], str]] = [
        (("enrol", "approve", proposal), "Approve this proposal of anna?: there is no terminal to ask at"),
        (("show", "nobody"), "no device nobody"),
        (("verify", "--head", "x"), "--head: 'x' is not the head of a registry"),
        (("verify", "--head", "1:0"), "--head: '1:0' is not the head of a registry"),
        (("init", office.folder / "x", "--name", "x", "--person", "anna"), "has no name or no file"),
        (("init", office.folder / "x", "--name", "x", *[f"--person=a={office.folder}/anna.pub"] * 2), "named twice"),
        (
            ("firmware", "add", "x", office.folder / "sound.bin", *UNIT[:4], "--version", "/"),
            "this firmware is not possible",
        ),
    ]
    for arguments, part in cases:
        more: list[str | Path] = ["--site", office.site] if arguments[0] in ("show", "verify") else []
        more += office.person("bruno") if arguments[0] == "enrol" else []
        more += ["--authority-passphrase-file", office.secret] if arguments[0] == "init" else []
        refused = office.run(*arguments, *more, code=2)
        assert_message(2, "cardshoe: " + refused.stderr.partition("cardshoe: ")[2], 2, part)


def test_no_passphrase_is_ever_assumed(office: Office) -> None:
    for arguments in (
        ("crl", "--site", office.site),
        ("key", office.folder / "x.key", "--name", "x"),
        ("revoke", "x", "--reason", "x", "--site", office.site, "--key", office.key("anna")),
    ):
        refused = office.run(*arguments, code=2)
        assert_message(2, refused.stderr, 2, "there is no terminal to ask at", "passphrase-file")
    office.secret.chmod(0o644)
    opened = office.run("crl", "--site", office.site, "--authority-passphrase-file", office.secret, code=2)
    assert_message(2, opened.stderr, 2, "[file_open_to_others]", "chmod 600")


def test_a_person_types_the_passphrase(tmp_path: Path) -> None:
    """At a terminal it is asked for, twice where it is new, and does not appear."""
    path = tmp_path / "anna.key"
    ours, theirs = pty.openpty()
    command = [str(CARDSHOE), "trust", "key", str(path), "--name", "anna"]
    said = b""
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as process:
        for prompts in (1, 2):
            while said.count(b":") < prompts:
                said += os.read(ours, 1024)
            os.write(ours, PASSPHRASE.encode() + b"\n")
        while b".pub" not in said:
            said += os.read(ours, 1024)
        assert process.wait(PATIENCE_S) == 0
    os.close(theirs)
    os.close(ours)
    assert PASSPHRASE.encode() not in said
    assert keys.load_key(path, PASSPHRASE).name == "anna"


def test_a_site_that_is_none(tmp_path: Path) -> None:
    done = cardshoe("trust", "list", "--site", tmp_path)
    assert_message(done.returncode, done.stderr.decode(), 2, "authority.pem", "[file_unreadable]")


def test_a_person_finds_their_own_key_in_the_registry(office: Office) -> None:
    """Whoever founds the site alone could put a key of theirs under another's name."""
    made = office.run("key", office.folder / "x.key", "--name", "x", "--passphrase-file", office.secret).stdout
    public = keys.public_bytes(keys.load_public(office.folder / "x.pub"))
    assert made.splitlines()[1].endswith(f"sha256 {keys.fingerprint(public)}")
    anna = keys.fingerprint(keys.public_bytes(keys.load_public(office.folder / "anna.pub")))
    assert office.ask("list", "--site", office.site)["persons"][0] == {"name": "anna", "key_sha256": anna}
    assert f"anna                 may act, key sha256 {anna}" in office.run("list", "--site", office.site).stdout


def test_a_table_needs_no_secret(office: Office) -> None:
    office.approve(propose_device(office), by="bruno")
    (office.site / "authority.key").unlink()
    for command in (("list",), ("show", "shuffler-1"), ("verify",)):
        office.run(*command, "--site", office.site)
    refused = office.run("crl", "--site", office.site, "--authority-passphrase-file", office.secret, code=2)
    assert_message(2, refused.stderr, 2, "authority.key", "[file_unreadable]")


def test_an_altered_registry(office: Office) -> None:
    path = office.site / "registry.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Casino", b"Cafino"))
    refused = office.run("list", "--site", office.site, code=1)
    assert_message(1, refused.stderr, 1, "line 1", "[registry_altered]", "keeper of the site authority")
