"""Devices that a table must refuse, each over a real line with TLS; and what an admitted one may do, and when."""

import random
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from firmware_bridge.admission.device_gate import NOT_ADMITTED
from firmware_bridge.admission.verifier import NoVerifier
from firmware_bridge.errors import Denied
from firmware_bridge.trust import certificates
from firmware_bridge.trust.certificates import Issuer
from firmware_bridge.trust.facts import Unit
from firmware_bridge.trust.keys import NamedKey
from protocols.mcuboot.image import ImageVersion
from protocols.tdp.codes import BootReason, Capability
from regulations.events.inputs import CardDrawn, DeviceBack, DeviceLost, Fault, Loaded
from regulations.events.notices import DeviceIdentified, DeviceJudged
from sim.firmware.board import new_board
from sim.firmware.build import maker_key, payload_of, signed
from sim.firmware.slots import FlashMap
from sim.tdp.hostile import OTHER_VERSION, Hostile
from sim.tdp.settings import TdpMachineSettings
from sim.wires.direct import DirectWire
from tests.firmware_bridge.admission.bench import NAME, ONE, Bench, Line, site_judge, why
from tests.firmware_bridge.admission.sites import DEVICE, TodaysSite, identity, write_pem
from tests.firmware_bridge.trust.houses import DEVICE_KEY, shuffler
from tests.firmware_bridge.trust.sticks import digest
from tests.kit.waiting import eventually

OTHER_KEY: Final = ec.derive_private_key(0x1002, ec.SECP256R1())
PLAIN: Final = {"security": "plain"}
Make = Callable[[TodaysSite], TdpMachineSettings]


def certified_by_ours(site: TodaysSite, serial: str) -> TdpMachineSettings:
    """A device with a certificate of our authority that is in no registry: somebody had the authority's key."""
    site.certify("stranger", OTHER_KEY)
    return site.device(identity(serial=serial), key=OTHER_KEY, own="stranger")


def certified_by_another(site: TodaysSite) -> TdpMachineSettings:
    key = NamedKey("another", certificates.fresh_authority_key())
    another = Issuer(certificates.make_authority(key.private, "another", site.today), key)
    made = another.device(shuffler().unit, DEVICE, OTHER_KEY.public_key(), site.today)
    write_pem(site.files / "another", made, OTHER_KEY)
    return site.device(own="another")


def expired(site: TodaysSite) -> TdpMachineSettings:
    site.certify("old", DEVICE_KEY, days=1, earlier=timedelta(days=10))
    return site.device(own="old")


def second_certificate(site: TodaysSite) -> TdpMachineSettings:
    site.certify("second", DEVICE_KEY)
    return site.device(own="second")


def revoked(site: TodaysSite) -> TdpMachineSettings:
    site.revoke()
    return site.device()


def revoked_in_the_list(site: TodaysSite) -> TdpMachineSettings:
    """The registry that came to the table is older than the list of the revoked."""
    registry = (site.folder / "registry.jsonl").read_bytes()
    site.revoke()
    site.house.site.write_crl(site.house.issuer, site.today)
    (site.folder / "registry.jsonl").write_bytes(registry)
    return site.device()


def forged_digest(site: TodaysSite) -> TdpMachineSettings:
    """It says that the approved firmware runs; its boot loader attests what really does."""
    image = signed(payload_of(2000, 5), ImageVersion(1, 1, 0), 2, "Shuffler 9", maker_key())
    where = FlashMap(slot_blocks=2)
    board = new_board("Shuffler 9", random.Random(1), DirectWire(lambda _: None), image=image, where=where)
    return replace(site.device(hostile=[Hostile.FORGED_DIGEST]), board=board)


HOSTILE: Final[dict[str, tuple[Make, list[tuple[str, str]]]]] = {
    "unknown": (lambda site: certified_by_ours(site, "SN-9"), [("enrolment", "unknown_device")]),
    "cloned serial number": (lambda site: certified_by_ours(site, "SN-1"), [("enrolment", "serial_cloned")]),
    "key shared by two units": (lambda site: site.device(identity(serial="SN-2")), [("identity", "key_shared")]),
    "certificate of another authority": (certified_by_another, [("certificate", "unknown_issuer")]),
    "certificate expired": (expired, [("certificate", "expired")]),
    "a second certificate": (second_certificate, [("enrolment", "certificate_differs")]),
    "revoked": (revoked, [("enrolment", "revoked")]),
    "revoked in the list": (revoked_in_the_list, [("enrolment", "revoked")]),
    "unapproved firmware": (lambda site: site.device(identity("1.2.0", 3)), [("firmware", "firmware_unapproved")]),
    "an approved version with another digest": (
        lambda site: site.device(identity("1.1.0", 1)),
        [("firmware", "firmware_unapproved")],
    ),
    "forged digest": (forged_digest, [("attestation", "digest_differs")]),
    "attestation by another key": (
        lambda site: site.device(key=OTHER_KEY),
        [("attestation", "signature_wrong")],
    ),
    "replayed attestation": (
        lambda site: site.device(hostile=[Hostile.REPLAYED_ATTESTATION]),
        [("attestation", "nonce_differs")],
    ),
    "no attestation": (lambda site: replace(site.device(), signer=None), [("attestation", "not_attested")]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_device_that_must_be_refused(name: str, site: TodaysSite, tmp_path: Path) -> None:
    make, expected = HOSTILE[name]
    with Bench(tmp_path, make(site), site.host, site_judge(site)) as bench:
        judged = bench.verdicts()[0]
        assert (judged.device, judged.verdict, why(judged)) == (NAME, "refused", expected)
        bench.wait_for(Fault)
        assert bench.faults()[0] == NOT_ADMITTED
        assert bench.bridge.interlock.held("admission") == expected[0][1]
        # A person who has looked does not make it a good one.
        bench.bridge.settled()
        bench.bridge.call([ONE])
        assert not bench.bridge.interlock.grant(ONE)
        with pytest.raises(Denied, match=f"the device is held \\({expected[0][1]}\\)"):
            bench.bridge.perform(ONE)
        assert not bench.can_draw()


@pytest.mark.parametrize("line", ["serial", "usb"])
def test_an_enrolled_device_is_admitted_before_anything_of_it_counts(
    line: Line, site: TodaysSite, tmp_path: Path
) -> None:
    with Bench(tmp_path, site.device(), site.host, site_judge(site), line=line) as bench:
        assert bench.bridge.interlock.held("admission") is not None, "silent until it is judged"
        (judged,) = bench.verdicts()
        assert (judged.verdict, judged.by, why(judged)) == ("admitted", ["anna", "bruno"], [])
        assert (judged.maker, judged.model, judged.serial) == ("Acme", "Shuffler 9", "SN-1")
        assert (judged.firmware, judged.digest, judged.security_counter) == ("1.1.0", digest("1.1.0"), 2)
        assert [one.check for one in judged.checks] == [
            *("certificate", "enrolment", "identity", "attestation", "firmware")
        ]
        assert judged.registry == str(site.house.registry.head)
        bench.wait_for(Loaded)
        kinds = [type(event) for event in bench.heard()]
        assert kinds.index(DeviceIdentified) < kinds.index(DeviceJudged) < kinds.index(Loaded)
        assert bench.faults() == []
        bench.bridge.call([ONE])
        eventually(bench.can_draw, "an admitted device lets a card out")


def test_at_every_shoe_it_attests_anew_and_one_revoked_meanwhile_is_refused(site: TodaysSite, tmp_path: Path) -> None:
    with Bench(tmp_path, site.device(), site.host, site_judge(site)) as bench:
        bench.verdicts()
        bench.bridge.shoe_begun()
        assert bench.bridge.interlock.held("admission") is not None, "nothing is let out before it has attested again"
        assert [one.verdict for one in bench.verdicts(2)] == ["admitted"] * 2
        site.revoke()
        bench.bridge.shoe_begun()
        assert why(bench.verdicts(3)[2]) == [("enrolment", "revoked")]
        bench.wait_for(Fault)
        assert bench.faults() == [NOT_ADMITTED]


def test_another_firmware_after_a_start_is_refused_until_the_approved_one_runs(
    site: TodaysSite, tmp_path: Path
) -> None:
    with Bench(tmp_path, site.device(), site.host, site_judge(site)) as bench:
        bench.verdicts()
        electronics = bench.hands.device.electronics

        def start(version: str, counter: int) -> None:
            electronics.power_off()
            electronics.identity = identity(version, counter)
            electronics.power_on()

        bench.do(lambda: start("1.2.0", 3))
        assert why(bench.verdicts(2)[1]) == [("firmware", "firmware_unapproved")]
        bench.do(lambda: start("1.0.0", 1))
        # Approved once, and still is: but this device has run a newer one.
        assert why(bench.verdicts(3)[2]) == [("firmware", "counter_went_back")]
        bench.do(lambda: start("1.1.0", 2))
        assert bench.verdicts(4)[3].verdict == "admitted"
        eventually(lambda: f"-{NOT_ADMITTED}" in bench.faults(), "the fault is over")
        assert bench.faults().count("identity_changed") == 3
        assert bench.bridge.interlock.held("admission") is None


def test_version_changed_in_another_session(site: TodaysSite, tmp_path: Path) -> None:
    settings = site.device(hostile=[Hostile.VERSION_CHANGED])
    with Bench(tmp_path, settings, site.host, site_judge(site)) as bench:
        assert bench.verdicts()[0].verdict == "admitted"
        bench.do(bench.wire.unplug)
        bench.wait_for(DeviceLost)
        bench.do(bench.wire.replug)
        judged = bench.verdicts(2)[1]
        assert (judged.firmware, judged.verdict) == (OTHER_VERSION, "refused")
        assert why(judged) == [("attestation", "digest_differs"), ("firmware", "firmware_unapproved")]
        assert "identity_changed" in bench.faults()


def test_another_hello_within_a_session_is_judged_as_well(site: TodaysSite, tmp_path: Path) -> None:
    with Bench(tmp_path, site.device(), site.host, site_judge(site)) as bench:
        bench.verdicts()
        other = identity("1.2.0", 3).hello(1, BootReason.POWER_ON, Capability.ATTESTS)
        bench.bridge.message(other, time.monotonic())
        judged = bench.verdicts(2)[1]
        # What it attests is what it was: it says two things.
        assert (judged.firmware, judged.verdict) == ("1.2.0", "refused")
        assert why(judged)[0] == ("attestation", "digest_differs")
        assert "identity_changed" in bench.faults()


def test_a_silent_reboot_is_noticed(site: TodaysSite, tmp_path: Path) -> None:
    settings = replace(site.device(), tells_restarts=False)
    with Bench(tmp_path, settings, site.host, site_judge(site)) as bench:
        bench.verdicts()
        bench.wait_for(Loaded)
        electronics = bench.hands.device.electronics

        def restart() -> None:
            electronics.power_off()
            electronics.power_on()

        bench.do(restart)
        assert bench.verdicts(2)[1].verdict == "admitted"
        bench.wait_for(Fault)
        assert bench.faults() == ["restarted_silently", "-restarted_silently"]


@pytest.mark.parametrize("is_revoked", [False, True])
def test_a_kept_card_waits_for_the_verdict(site: TodaysSite, tmp_path: Path, *, is_revoked: bool) -> None:
    """The table's computer stopped before a card was durable: the device tells it again, in the next session."""
    with Bench(tmp_path, site.device(), site.host, site_judge(site)) as bench:
        bench.wait_for(Loaded)
        bench.bridge.call([ONE])
        eventually(bench.can_draw, "a card may be drawn")
        bench.keeps = False
        bench.do(bench.hands.draw)
        bench.wait_for(CardDrawn)
        bench.bridge.stop()
        if is_revoked:
            site.revoke()
        bench.keeps = True
        before = len(bench.heard())
        bench.bridge = bench.listening(site_judge(site))
        bench.bridge.start()
        bench.wait_for(CardDrawn, 2)
        said = bench.heard()[before:]
        kinds = [type(event) for event in said if not isinstance(event, DeviceLost | DeviceBack)]
        # Of a device that was refused the card comes behind its fault, even if a person had settled that meanwhile.
        expected = [DeviceIdentified, DeviceJudged, *([Fault, Fault] if is_revoked else []), CardDrawn]
        assert kinds == expected
        memory = bench.hands.device.electronics.memory
        eventually(lambda: bench.do(lambda: not memory.outbox.pending), "what stands in the log is acknowledged")


RECORDS: Final = {
    "none": (None, "refused", [("admission", "cannot_attest")], []),
    "of this unit": (
        ("Acme", "Shuffler 9", "SN-1"),
        "cannot_attest",
        [],
        ["anna", "bruno"],
    ),
    "of another unit": (
        *(("Acme", "Shuffler 9", "SN-2"), "refused"),
        *([("identity", "identity_differs")], ["anna", "bruno"]),
    ),
}


@pytest.mark.parametrize("record", RECORDS)
def test_a_plain_line_needs_a_record(record: str, site: TodaysSite, tmp_path: Path) -> None:
    unit, verdict, checks, by = RECORDS[record]
    if unit is not None:
        site.admit("tdp", str(tmp_path / "device"), "shoe", Unit(*unit))
    with Bench(tmp_path, TdpMachineSettings(identity=identity()), PLAIN, site_judge(site), name="shoe") as bench:
        (judged,) = bench.verdicts()
        assert (judged.verdict, why(judged), judged.by) == (verdict, checks, by)
        assert (judged.serial, judged.firmware) == ("SN-1", "1.1.0")
        bench.wait_for(Loaded)
        assert bench.faults() == ([NOT_ADMITTED] if verdict == "refused" else [])


def test_without_a_site_nothing_but_the_word_changes(tmp_path: Path) -> None:
    with Bench(tmp_path, TdpMachineSettings(identity=identity()), PLAIN, NoVerifier()) as bench:
        assert bench.bridge.interlock.held("admission") is None
        (judged,) = bench.verdicts()
        assert (judged.verdict, judged.checks, judged.serial) == ("not_judged", [], "SN-1")
        bench.wait_for(Loaded)
        bench.bridge.shoe_begun()
        assert len(bench.verdicts()) == 1, "who goes by the log step by step is told nothing more at a shoe"
        bench.bridge.call([ONE])
        eventually(bench.can_draw, "a card may be drawn")
        assert bench.faults() == []


def test_a_bridge_of_which_nobody_speaks_says_nothing(tmp_path: Path) -> None:
    with Bench(tmp_path, TdpMachineSettings(identity=identity()), PLAIN, None) as bench:
        bench.wait_for(Loaded)
        assert not any(isinstance(event, DeviceJudged | CardDrawn | DeviceBack) for event in bench.heard())
