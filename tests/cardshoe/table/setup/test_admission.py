"""A table does not open with a device that it must not have, says which check failed, and who can put it right."""

import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from cardshoe.journal import Journal, Keyring, NotAJournal, read_only
from cardshoe.journal.file.chain import data_of
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.setup.admission import memory_of, memory_path, site_judge
from cardshoe.table.setup.config import load
from cardshoe.table.setup.table_lock import FOLDER, UnderWay
from cardshoe.table.setup.unfinished_update import unfinished
from firmware_bridge.admission.trust_memory import FILE, TrustMemory
from firmware_bridge.trust import certificates
from firmware_bridge.trust.keys import NamedKey
from regulations.events.inputs import Table
from sim.croupier.instructions import HouseInstructions
from sim.wires.pty import PtyWire
from tests.cardshoe.cli.support import invoke
from tests.cardshoe.journal.samples import HEADER, written
from tests.cardshoe.journal.samples import line as line_of
from tests.cardshoe.journal.sealed import AT, edited
from tests.firmware_bridge.admission.sites import DEVICE, TodaysSite, identity, made_site, site, write_pem
from tests.firmware_bridge.trust.houses import shuffler
from tests.kit.command import Command, Line
from tests.kit.judged_table import TRUST, Machine, cannot_deal, configured, findings, is_fault, machine, until, verdicts
from tests.kit.live_table import LiveTable
from tests.kit.opening import OPENING
from tests.kit.shoe import Shoe
from tests.scenarios.linked import LinkedTable, at

__all__ = ["made_site", "site"]

OTHER_KEY: Final = ec.derive_private_key(0x1003, ec.SECP256R1())


# --- who is refused at the start --------------------------------------------------------------------------------------


def test_a_revoked_device_blocks_the_table_and_the_screen_says_who_can_resolve_it(
    site: TodaysSite, tmp_path: Path
) -> None:
    site.revoke()
    config = configured(tmp_path, site, device=tmp_path / "shoe")
    with machine(tmp_path / "shoe", site.device()), Command("run", config) as table:
        said = "\n".join(table.until(lambda line: "IRREGULARITY 1" in line))
        assert "[trust]" not in table.errors()
        assert "shoe: NOT ADMITTED: Acme Shuffler 9 SN-1, firmware 1.1.0\n" in said
        assert "    enrolment: shuffler-1 was revoked by anna: stolen on Friday [revoked]\n" in said
        assert "      two enrolled persons: Take it off the table." in said
        assert "IRREGULARITY 1 device_fault" in said
        table.say("quit")
        assert table.end() == 0


def test_a_certificate_that_tls_refuses_is_said_to_be_the_reason(site: TodaysSite, tmp_path: Path) -> None:
    key = NamedKey("another", certificates.fresh_authority_key())
    issuer = certificates.Issuer(certificates.make_authority(key.private, "another", site.today), key)
    made = issuer.device(shuffler().unit, DEVICE, OTHER_KEY.public_key(), site.today)
    write_pem(site.files / "another", made, OTHER_KEY)
    config = configured(tmp_path, site, device=tmp_path / "shoe")
    with machine(tmp_path / "shoe", site.device(own="another")), LiveTable(config) as table:
        lines = until(table, is_fault("not_admitted"))
        assert verdicts(lines) == [("refused", ["unknown_issuer"])]
        cannot_deal(table, lines)


def test_a_registry_that_does_not_hold_opens_no_table(site: TodaysSite, tmp_path: Path) -> None:
    data = (site.folder / "registry.jsonl").read_bytes()
    (site.folder / "registry.jsonl").write_bytes(data.replace(b"anna", b"emma", 1))
    with machine(tmp_path / "shoe", site.device()):
        done = invoke("run", configured(tmp_path, site, device=tmp_path / "shoe"))
    assert done.exit_code == 1
    assert "[registry_altered]" in done.stderr
    assert "keeper of the site authority: Take the registry from the backup" in done.stderr
    assert not list((tmp_path / "journals").glob("*.journal")), "nothing was opened"


def test_a_site_that_is_not_there_opens_no_table(site: TodaysSite, tmp_path: Path) -> None:
    (site.folder / "registry.jsonl").unlink()
    with machine(tmp_path / "shoe", site.device()):
        done = invoke("run", configured(tmp_path, site, device=tmp_path / "shoe"))
    assert done.exit_code == 2
    assert "registry.jsonl: No such file or directory [file_unreadable]" in done.stderr


# --- what the table remembers of the site -----------------------------------------------------------------------------


@pytest.mark.parametrize("is_gone", [True, False])
def test_an_old_copy_of_the_site_is_noticed_though_the_memory_of_it_is_gone_or_old(
    site: TodaysSite, tmp_path: Path, caplog: pytest.LogCaptureFixture, *, is_gone: bool
) -> None:
    """Whoever has the registry of before the device was revoked deletes what the table remembers, or ages it too."""
    port = tmp_path / "shoe"
    config = configured(tmp_path, site, shoe=port)
    seen = memory_path(load(config, wall_time()))
    site.admit("angel_eye", str(port))
    registry = site.folder / "registry.jsonl"
    with Shoe(PtyWire(port)):
        with LiveTable(config) as table:
            until(table, lambda line: line["event"] == "device_judged")
        before, remembered = registry.read_bytes(), seen.read_bytes()
        site.revoke("shoe")
        with LiveTable(config) as table:
            assert verdicts(until(table, is_fault("not_admitted"))) == [("refused", ["revoked"])]
        registry.write_bytes(before)
        if not is_gone:
            seen.write_bytes(remembered)
            with LiveTable(config) as table:
                assert verdicts(until(table, is_fault("not_admitted"))) == [("refused", ["registry_went_back"])]
            return
        # The newest journal may hold no verdict: one that was begun, and stopped before a device was there.
        chosen = load(config, wall_time())
        open_log(chosen.journal_dir, chosen.table, wall_time(), lambda _: None, resume=False).journal.close()
        seen.unlink()
        refused = invoke("run", config)
        assert (refused.exit_code, "[registry_went_back]" in refused.stderr) == (1, True), refused.stderr
        assert f"{seen} was gone" in caplog.text
        assert "[registry_went_back]" in str(findings(config))


@pytest.mark.parametrize(
    ("version", "says"),
    [
        (4, "a journal of version 4; this program reads version 5"),
        (5, "entry 1, a verdict on a device, cannot be read by this version"),
    ],
    ids=["journal", "verdict"],
)
def test_what_was_seen_is_not_forgotten_because_another_version_wrote_it(
    site: TodaysSite, tmp_path: Path, version: int, says: str
) -> None:
    chosen = load(configured(tmp_path, site, shoe=tmp_path / "shoe"), wall_time())
    chosen.journal_dir.mkdir(exist_ok=True)
    path = chosen.journal_dir / "T-1-20260105T100000-000000Z.journal"
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        judged = {"event": "device_judged", "seq": 1, "at": AT, "device": "shoe", "verdict": "pardoned"}
        journal.append([data_of([written(judged), line_of(2, "next")])], AT)
    edited(path, lambda database: database.execute(f"PRAGMA user_version = {version}"))
    with pytest.raises(NotAJournal, match=says):
        memory_of(chosen)


def test_a_table_that_was_judged_does_not_open_without_its_site(site: TodaysSite, tmp_path: Path) -> None:
    """Somebody strikes the site out of the table's file, and brings another device."""
    config, port = configured(tmp_path, site, shoe=tmp_path / "shoe"), tmp_path / "shoe"
    with Shoe(PtyWire(port)):
        with LiveTable(config) as table:
            assert verdicts(until(table, is_fault("not_admitted"))) == [("refused", ["cannot_attest"])]
        config.write_text(config.read_text().replace(TRUST.format(folder=site.folder), ""))
        refused = invoke("run", config)
        assert refused.exit_code == Exit.USAGE
        assert "has no [trust], and a site has judged the devices of this table before" in refused.stderr
        assert "give it a new folder for its journals" in refused.stderr
        assert ("trust", "problem") in [one[:2] for one in findings(config)]
        config.write_text(config.read_text().replace('id = "T-1"', 'id = "T-2"'))
        assert ("trust", "warning") in [one[:2] for one in findings(config)], (
            "another table of the folder never had one"
        )


# --- devices that cannot attest ---------------------------------------------------------------------------------------


def test_a_shoe_that_cannot_attest_plays_if_two_persons_admitted_it(site: TodaysSite, tmp_path: Path) -> None:
    port = tmp_path / "shoe"
    site.admit("angel_eye", str(port))
    with Shoe(PtyWire(port)), LiveTable(configured(tmp_path, site, shoe=port)) as table:
        lines = until(table, lambda line: line["event"] == "device_judged")
        judged = next(line for line in lines if line["event"] == "device_judged")
        assert (judged["verdict"], judged["serial"], judged["by"]) == ("cannot_attest", "4711", ["anna", "bruno"])
        assert [check["code"] for check in judged["checks"]] == ["cannot_attest"], "marked in the log"
        for event in [*OPENING, {"event": "loaded", "cards": 416}]:
            lines = table.tell(event)
        assert lines[-1]["do"] == "burn"
        assert verdicts(until(table, lambda line: line["event"] == "device_judged")) == [("cannot_attest", [])]


def test_a_shoe_that_nobody_admitted_blocks_the_table_and_its_cards_do_not_count(
    site: TodaysSite, tmp_path: Path, seed: int
) -> None:
    port = tmp_path / "shoe"
    with Shoe(PtyWire(port)) as shoe, LiveTable(configured(tmp_path, site, shoe=port)) as table:
        lines = until(table, is_fault("not_admitted"))
        assert verdicts(lines) == [("refused", ["cannot_attest"])]
        cannot_deal(table, lines)
        # Two persons end what there is of a shoe game: the device is refused still.
        number = lines[-1]["irregularity"]
        prompt = table.tell({"event": "resolve", "irregularity": number, "action": "end_shoe", "by": [101, 102]})[-1]
        assert prompt["do"] == "shuffle"
        for event in [*OPENING, {"event": "loaded", "cards": 416}]:
            lines = table.tell(event)
        assert lines[-1]["do"] == "burn"
        # At the begin of the shoe it is judged anew, and the table is blocked before its first card.
        lines = until(table, is_fault("not_admitted"))
        assert verdicts(lines) == [("refused", ["cannot_attest"])]
        assert lines[-1]["do"] == "resolve"
        shoe.load(random.Random(seed))
        shoe.draw()
        lines = until(table, lambda line: line["event"] == "card")
        assert [line["event"] for line in lines if line["event"] in {"fault", "card"}] == ["fault", "card"]
        assert [line["code"] for line in lines if line["event"] == "irregularity"] == ["card_not_due"]


# --- changes in mid-shoe ----------------------------------------------------------------------------------------------


class Open:
    """A table whose stack is in, with a card to be burned."""

    def __init__(self, table: LiveTable, device: Machine) -> None:
        self.table, self.device = table, device
        self.lines = until(table, lambda line: line["event"] == "device_judged")
        for event in OPENING:
            table.tell(event)
        device.station.call(device.hands.load)
        self.lines = until(table, lambda line: line["event"] == "loaded")
        # Of each shoe game: a verdict before its first card.
        self.lines += until(table, lambda line: line["event"] == "device_judged")
        assert verdicts(self.lines) == [("admitted", [])]

    def after(self, *, code: str) -> list[Line]:
        """The lines up to a fault."""
        return until(self.table, is_fault(code))


@pytest.fixture
def opened(site: TodaysSite, tmp_path: Path) -> Iterator[Open]:
    config = configured(tmp_path, site, device=tmp_path / "shoe")
    with machine(tmp_path / "shoe", site.device()) as device, LiveTable(config) as table:
        yield Open(table, device)


def test_another_firmware_in_mid_shoe_blocks_the_table(opened: Open, site: TodaysSite) -> None:
    opened.device.restart(site.device(identity("1.2.0", 3)))
    lines = opened.after(code="not_admitted")
    assert verdicts(lines) == [("refused", ["firmware_unapproved"])]
    assert [line["code"] for line in lines if line["event"] == "fault"] == ["identity_changed", "not_admitted"]
    cannot_deal(opened.table, lines)
    assert not opened.device.station.call(lambda: opened.device.hands.can_draw)


def test_an_approved_firmware_in_mid_shoe_blocks_until_a_person_has_looked(opened: Open, site: TodaysSite) -> None:
    opened.device.restart(site.device(identity("1.1.0", 2)))
    lines = opened.after(code="restarted")
    assert verdicts(lines) == [("admitted", [])]
    while lines[-1]["do"] == "resolve":
        number = lines[-1]["irregularity"]
        lines = opened.table.tell({"event": "resolve", "irregularity": number, "action": "continue", "by": [101]})
    assert lines[-1]["do"] == "burn"


def test_a_silent_reboot_in_mid_shoe_blocks_the_table(site: TodaysSite, tmp_path: Path) -> None:
    config = configured(tmp_path, site, device=tmp_path / "shoe")
    silent = replace(site.device(), tells_restarts=False)
    with machine(tmp_path / "shoe", silent) as device, LiveTable(config) as table:
        opened = Open(table, device)
        device.restart()
        lines = opened.after(code="restarted_silently")
        assert verdicts(lines) == [("admitted", [])]
        assert lines[-1]["do"] == "resolve"


def test_a_clone_in_its_place_blocks_the_table(opened: Open, site: TodaysSite, tmp_path: Path) -> None:
    """Somebody with the authority's key made a second device of the same name and serial number."""
    site.certify("clone", OTHER_KEY)
    opened.device.station.call(opened.device.wire.unplug)
    until(opened.table, lambda line: line["event"] == "device_lost")
    with machine(tmp_path / "shoe", site.device(key=OTHER_KEY, own="clone")):
        lines = opened.after(code="not_admitted")
        assert verdicts(lines) == [("refused", ["serial_cloned"])]
        cannot_deal(opened.table, lines)


def test_one_revoked_in_mid_shoe_is_refused_at_the_next_session(opened: Open, site: TodaysSite) -> None:
    site.revoke()
    opened.device.station.call(opened.device.wire.unplug)
    until(opened.table, lambda line: line["event"] == "device_lost")
    opened.device.station.call(opened.device.wire.replug)
    lines = opened.after(code="not_admitted")
    assert verdicts(lines) == [("refused", ["revoked"])]
    cannot_deal(opened.table, lines)


# --- what the journal holds -------------------------------------------------------------------------------------------


def shoes_of(journal: Path) -> list[dict[str, list[dict[str, Any]]]]:
    """Of each shoe game, by device: the verdicts from its stack to the next; ``docs/table-log.md`` has the query."""
    shoes: list[dict[str, list[dict[str, Any]]]] = []
    with read_only(journal) as evidence:
        for entry in evidence.entries():
            line = json.loads(entry.lines[0])
            if line["event"] == "loaded":
                shoes.append(defaultdict(list))
            elif line["event"] == "device_judged" and shoes:
                shoes[-1][line["device"]].append(line)
    return shoes


def test_the_journal_holds_identity_version_and_verdict_of_every_device_of_every_shoe(
    site: TodaysSite, tmp_path: Path, seed: int
) -> None:
    second = site.house.enrol(shuffler("SN-2", OTHER_KEY, "shuffler-2"), site.today)
    write_pem(site.files / "second", certificates.parse(second, "it"), OTHER_KEY)
    profile: Table = at("casino_war", "shoe", {"cut_card_behind": 14})
    table = LinkedTable(tmp_path, profile, seed)
    shoe = table.add("shoe", line="usb", settings=site.device(), host=site.host)
    settings = site.device(identity("1.0.0", 1, "SN-2"), key=OTHER_KEY, own="second")
    host = {**site.host, "device_name": "shuffler-2"}
    other = table.add("shuffler", line="usb", commands=(), settings=settings, host=host)
    judge = site_judge(site.folder, TrustMemory(tmp_path / "journals" / FILE))
    for unit in (shoe, other):
        unit.bridge.appoint(judge, "tdp", "")
    croupier = table.play(HouseInstructions(games=2), first="shoe")
    table.assert_whole(croupier)
    assert (table.codes, table.refusals) == ({}, {}), table.tail()
    shoes = shoes_of(table.log.journal.path)
    assert len(shoes) == 2
    head = str(site.house.registry.head)
    for shoe_game in shoes:
        told = {
            name: {(one["maker"], one["serial"], one["firmware"], one["verdict"], one["registry"]) for one in judged}
            for name, judged in shoe_game.items()
        }
        assert told == {
            "shoe": {("Acme", "SN-1", "1.1.0", "admitted", head)},
            "shuffler": {("Acme", "SN-2", "1.0.0", "admitted", head)},
        }


# --- the doctor -------------------------------------------------------------------------------------------------------


def test_the_doctor_judges(site: TodaysSite, tmp_path: Path) -> None:
    config = configured(tmp_path, site, device=tmp_path / "shoe")
    with machine(tmp_path / "shoe", site.device()):
        found = findings(config, "--listen", "20")
        assert ("device shoe", "ok", "admitted: Acme Shuffler 9 SN-1, firmware 1.1.0") in found
        trust = [what for about, level, what in found if (about, level) == ("trust", "ok")]
        assert len(trust) == 2
        assert trust[1].endswith("Acme Shuffler 9 1.0.0, Acme Shuffler 9 1.1.0")
        assert not list((tmp_path / "journals").glob("*")), "it only looks"
        site.revoke()
        found = findings(config, "--listen", "20")
        revoked = "shuffler-1 was revoked"
        assert [level for _, level, what in found if revoked in what] == ["problem", "problem"]
        assert not any("admitted: " in what for _, _, what in found)


def test_the_doctor_says_who_admitted_a_shoe_that_cannot_attest(site: TodaysSite, tmp_path: Path) -> None:
    port = tmp_path / "shoe"
    config = configured(tmp_path, site, shoe=port)
    with Shoe(PtyWire(port)):
        assert [level for _, level, what in findings(config) if "cannot_attest" in what] == ["problem"]
        site.admit("angel_eye", str(port))
        assert [level for _, level, what in findings(config) if "anna and bruno admitted it" in what] == ["warning"]


# --- update logs that the system does not let it read -----------------------------------------------------------------


def test_no_room_for_a_copy_of_an_update_log_keeps_the_device_off(
    site: TodaysSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = load(configured(tmp_path, site, shoe=tmp_path / "shoe"), wall_time())
    log = chosen.journal_dir / "shoe.updates.journal"
    chosen.journal_dir.mkdir(exist_ok=True)
    log.write_bytes(b"copied before it is read")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    why = unfinished(chosen, chosen.devices[0])
    assert f"its update log {log} cannot be read: cannot be copied: No such file or directory" in (why or "")


def test_an_update_log_of_another_table_that_cannot_be_looked_at_keeps_the_device_off(
    site: TodaysSite, tmp_path: Path
) -> None:
    chosen = load(configured(tmp_path, site, shoe=tmp_path / "shoe"), wall_time())
    log = tmp_path / ("n" * 300)
    (site.folder / FOLDER).mkdir()
    named = msgspec.json.encode(UnderWay(log=str(log), config="other.toml"))
    (site.folder / FOLDER / chosen.devices[0].name).write_bytes(named)
    why = unfinished(chosen, chosen.devices[0])
    assert f"its update log {log} cannot be read: " in (why or "")
    assert "File name too long" in (why or "")
