"""`cardshoe update`, as persons use it: the real commands, a simulated device behind two ptys with TLS, a log."""

import json
import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cardshoe.journal import Journal, Keyring
from cardshoe.journal.file.chain import data_of
from cardshoe.journal.file.witness_file import WitnessFile
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.log.update_log import UpdateLog
from cardshoe.table.log.verify import verify
from cardshoe.table.setup.config import load
from cardshoe.table.setup.table_lock import DeviceFile, at_work
from firmware_bridge.admission.trust_memory import FILE, TrustMemory
from firmware_bridge.trust.codes import TrustCode
from firmware_bridge.trust.facts import RegistryHead
from firmware_bridge.trust.site import Site
from firmware_bridge.update.record import UpdateApprovers, UpdateEntry
from firmware_bridge.update.states import UpdateState, UpdateTrigger
from regulations.events.inputs import Closed
from tests.cardshoe.cli.support import invoke
from tests.cardshoe.journal.samples import written
from tests.kit.command import Command, assert_message
from tests.kit.house import NEW, WAITING, House, built, house

__all__ = ["built", "house"]


def test_an_update_night(house: House) -> None:
    staged = house.run("stage", NEW.version)
    assert "shoe-1 (Cardshoe TDP shoe SN-1): firmware 1.1.0, security counter 2" in staged.stdout
    assert "next: two enrolled persons: cardshoe update authorise" in staged.stdout
    house.authorise()
    with house.simulated():
        before = house.log.read_bytes()
        looked = house.ask("run", "--service", house.folder / "service", "--dry-run")
        assert (looked["seen"], looked["found"]) == ("runs_old", "1.0.0 runs, verified")
        assert house.log.read_bytes() == before, "a dry run writes nothing"
        done = house.update()
        assert "confirmed" in done.stdout
        assert "next: technician: turn the key back, start the table" in done.stdout
        again = house.update()
        assert "confirmed" in again.stdout, "nothing more is done"
    said = house.ask("status")
    assert [entry["state"] for entry in said["entries"]] == [
        "staged",
        "verified",
        "authorised",
        "closed",
        "closed",
        "transferred",
        "testing",
        "attested",
        "attested",
        "confirmed",
    ]
    last = said["entries"][-1]["evidence"]
    assert (last["version"], last["security_counter"], last["boot_state"]) == ("1.1.0", 2, "verified")
    assert len({entry["evidence"]["nonce"] for entry in said["entries"] if "evidence" in entry}) == 6
    assert said["approval"]["by"] == ["anna", "bruno"]
    found = verify(house.log, WitnessFile(house.folder / "stick.notes"))
    assert found.witnessed == found.entries == 10, "the table's witness holds it all"


def test_it_goes_on_where_it_was_killed(house: House) -> None:
    house.run("stage", NEW.version)
    house.authorise()
    with house.simulated():
        where = (house.folder / "table.toml", "shoe-1", "--service", house.folder / "service")
        for state in ("transferred", "attested"):
            with Command("update", "run", *where, "--site", house.folder / "site") as running:
                running.wait_for_error(f"  {state}: ")
                running.kill()
        done = house.update()
        assert "confirmed" in done.stdout
    entries = house.ask("status")["entries"]
    assert [entry["state"] for entry in entries][-1] == "confirmed"
    assert len(entries) >= 10, "no step is left out"
    verifier = Path(__file__).resolve().parents[3] / "packaging" / "cardshoe-verify" / "cardshoe_verify.py"
    verified = subprocess.run(
        [sys.executable, verifier, house.log], capture_output=True, text=True, timeout=60, check=False
    )
    assert "all of it holds" in verified.stdout, verified.stderr
    ours = invoke("verify", house.log)
    told = f"{len(entries)} entries, {2 * len(entries)} lines, intact, follow the rules of an update"
    assert told in ours.stdout, ours.output
    assert "table B-101, firmware updates" in ours.stdout


def test_without_the_approved_list_it_goes_back(house: House) -> None:
    house.run("stage", NEW.version)
    house.authorise()
    with house.simulated():
        where = (house.folder / "table.toml", "shoe-1", "--service", house.folder / "service")
        with Command("update", "run", *where, "--site", house.folder / "site") as running:
            running.wait_for_error("  transferred: ")
            running.kill()
        shutil.rmtree(house.folder / "site" / "firmware")
        back = house.update(code=1)
        assert "nothing is sent, and nothing kept" in back.stderr
    said = house.ask("status")
    assert (said["state"], said["code"]) == ("reverted", "no_approved_list")


def test_the_site_is_the_one_that_judges_the_table_s_devices(house: House) -> None:
    table = house.folder / "table.toml"
    nowhere = invoke("update", "stage", table, "shoe-1", NEW.version)
    assert nowhere.exit_code == Exit.USAGE
    assert "has no [trust], and no --site is given" in nowhere.stderr
    table.write_text(table.read_text() + '\n[trust]\nfolder = "site"\n')
    staged = invoke("update", "stage", table, "shoe-1", NEW.version, "--json")
    assert staged.exit_code == 0, staged.output
    assert json.loads(staged.stdout)["state"] == "verified"


def test_what_the_table_has_seen_of_its_site_counts(house: House) -> None:
    """Whoever puts an old copy of the site's folder back for one night gets no update by it."""
    table = house.folder / "table.toml"
    table.write_text(table.read_text() + '\n[trust]\nfolder = "site"\n')
    site = Site(house.folder / "site")
    before = site.registry()
    memory = house.folder / "journals" / f"B-101.{FILE}"
    seen = TrustMemory(memory)
    seen.record_list(before.book.anchor, 2)
    old = house.run("stage", NEW.version, code=1)
    assert_message(1, old.stderr, 1, "[rolled_back]", "publisher of the stick: Import the newest stick")
    seen.record_head(RegistryHead(before.head.seq + 1, "0" * 64), datetime.now(UTC) + timedelta(days=1))
    assert "[clock_went_back]" in house.run("stage", NEW.version, code=1).stderr
    memory.unlink()
    TrustMemory(memory).record_head(RegistryHead(before.head.seq + 1, "0" * 64))
    cut = house.run("stage", NEW.version, code=1)
    assert_message(1, cut.stderr, 1, "[registry_went_back]", "keeper of the site authority")
    assert not house.log.exists()


def test_a_device_that_is_away(house: House) -> None:
    house.run("stage", NEW.version)
    house.authorise()
    where = (house.folder / "table.toml", "shoe-1", "--service", house.folder / "service")
    with Command("update", "run", *where, "--site", house.folder / "site") as waiting:
        waiting.wait_for_error("  closed: close\n")
        waiting.send(signal.SIGINT)
        code = waiting.end()
        said = waiting.errors().split("closed: close\n")[-1].lstrip()
    assert_message(
        code, said, 1, "stopped from the keyboard: the update of shoe-1 is not over", "give the same command again"
    )
    gone = house.update("--patience", "1", code=5)
    assert_message(5, gone.stderr.split("[device_silent]\n", 1)[1], 5, "[device_silent]", "technician: Check power")
    assert house.ask("status")["state"] == "closed"
    cancelled = house.run("cancel", "--by", "anna", "--reason", "too late tonight")
    assert "abandoned: cancelled by anna: too late tonight [cancelled]" in cancelled.stdout
    after = house.update(code=1)
    assert_message(1, after.stderr, 1, "[cancelled]", "Stage it again")


def test_a_key_that_is_not_at_service(house: House) -> None:
    house.run("stage", NEW.version)
    house.authorise()
    with house.simulated() as device:
        device.say("key 0")
        device.line()
        gone = house.update("--patience", "8", code=5)
        assert "[service_silent]" in gone.stderr
        assert "Turn the device's key to its service position" in gone.stderr


def test_a_device_with_another_name_in_its_certificate(house: House) -> None:
    house.run("stage", NEW.version)
    house.authorise()
    config = house.folder / "table.toml"
    config.write_text(config.read_text().replace('device_name = "shoe-1"', 'device_name = "shoe-2"'))
    with house.simulated():
        strange = house.update("--patience", "8", code=5)
    assert "[device_strange]" in strange.stderr
    assert "Compare the certificates" in strange.stderr


@pytest.mark.parametrize(
    ("hostile", "code"),
    [("shared-key", TrustCode.SIGNATURE_WRONG), ("forged-digest", TrustCode.DIGEST_DIFFERS)],
)
def test_a_hostile_device(house: House, hostile: str, code: TrustCode) -> None:
    house.run("stage", NEW.version)
    house.authorise()
    with house.simulated("--hostile", hostile):
        refused = house.update(code=1)
        assert f"[{code}]" in refused.stderr.splitlines()[-2]
    assert house.ask("status")["state"] == "refused"


def test_two_persons(house: House) -> None:
    early = house.run("authorise", *house.person("anna"), code=1)
    assert_message(1, early.stderr, 1, "[not_staged]", "cardshoe update stage")
    assert not house.log.exists()
    house.run("stage", NEW.version)
    waiting = house.run("run", "--service", "service", code=1)
    assert_message(1, waiting.stderr, 1, "[not_authorised]", "two enrolled persons")
    proposal = house.ask("authorise", *house.person("anna"))["proposal"]
    assert "image   sha256" in house.run("authorise", *house.person("bruno")).stderr, "who approves sees what"
    same = house.run("authorise", proposal, *house.person("anna"), code=1)
    assert "[same_person]" in same.stderr
    tried = house.run("authorise", proposal, *house.person("bruno"), "--dry-run")
    assert "Nothing was written" in tried.stdout
    assert house.ask("status")["state"] == "verified"
    house.run("authorise", proposal, *house.person("bruno"))
    late = house.run("authorise", *house.person("anna"), code=1)
    assert "[not_now]" in late.stderr


def test_an_approval_of_another_update_is_none_of_this(house: House) -> None:
    house.run("stage", NEW.version)
    proposal = house.ask("authorise", *house.person("anna"))["proposal"]
    house.run("cancel", "--by", "anna", "--reason", "again")
    house.run("stage", NEW.version)
    other = house.run("authorise", proposal, *house.person("bruno"), code=1)
    assert "[changed_proposal]" in other.stderr


def test_what_cannot_be_staged(house: House) -> None:
    assert_message(1, house.run("stage", "9.9.9", code=1).stderr, 1, "[firmware_unapproved]", "regulator")
    assert "[regulator_missing]" in house.run("stage", WAITING.version, code=1).stderr
    assert not house.log.exists()
    tried = house.run("stage", NEW.version, "--dry-run")
    assert "verified" in tried.stdout
    assert not house.log.exists()
    assert "first key of its log" in house.run("stage", NEW.version).stdout
    assert "[update_open]" in house.run("stage", NEW.version, code=1).stderr
    unknown = house.run("stage", NEW.version, code=2, device="shoe-9")
    assert_message(2, unknown.stderr, 2, "no device 'shoe-9'", "old-shoe")
    old = house.run("stage", NEW.version, code=2, device="old-shoe")
    assert_message(2, old.stderr, 2, "cannot attest", "admitted again by two persons")


def test_the_table_must_be_closed(house: House) -> None:
    house.run("stage", NEW.version)
    house.authorise()
    config = load(house.folder / "table.toml", wall_time())
    log = open_log(config.journal_dir, config.table, wall_time(), lambda _taken: None)
    in_use = house.update(code=1)
    assert_message(1, in_use.stderr, 1, "[table_open]", "in use", "stop `cardshoe run`")
    log.journal.close()
    assert "not closed: its last prompt is shuffle" in house.update(code=1).stderr
    log = open_log(config.journal_dir, config.table, wall_time(), lambda _taken: None)
    with log.journal as journal:
        journal.append([log.scribe.take(Closed(at=wall_time())).entry])
    assert house.ask("status")["state"] == "authorised", "it may go on"
    assert "[device_silent]" in house.update("--patience", "1", code=5).stderr
    assert house.ask("status")["state"] == "closed"
    log = open_log(config.journal_dir, config.table, wall_time(), lambda _taken: None)
    with log.journal:
        opened_again = house.update(code=1)
    assert_message(1, opened_again.stderr, 1, "[table_open]", "while its device is updated")


def test_a_table_and_an_update_keep_apart(house: House) -> None:
    """Whichever begins first: a table that is about to open its log, or an update that lasts minutes."""
    house.run("stage", NEW.version)
    house.authorise()
    config = load(house.folder / "table.toml", wall_time())
    where = (config.journal_dir, config.table.table_id)
    with at_work(*where), at_work(*where):
        late = house.update(code=1)
    assert_message(1, late.stderr, 1, "this table is at work", "Wait until that has ended")
    assert house.ask("status")["state"] == "authorised"
    with at_work(*where, updates=True):
        assert "another device of it is updated" in house.update(code=1).stderr
        with pytest.raises(Stop, match="a device is being updated"), at_work(*where):
            pytest.fail("the table is at work")
    with at_work(config.journal_dir, "another table", updates=True), at_work(*where):
        assert (config.journal_dir / ".B-101.at-work").exists()


def test_a_device_that_cannot_be_kept_from_others_is_said_to_be_so(tmp_path: Path) -> None:
    """A table may be let read its site's folder alone; then somebody else makes the device's file."""
    file = DeviceFile(tmp_path / "nowhere", "shoe-1")
    with pytest.raises(Stop, match=rf"No such file.*\n.*install -D -m 644 /dev/null {file.path}$"), file.locked():
        pytest.fail("it is locked")


def test_a_table_does_not_start_while_a_device_of_it_is_updated(house: House) -> None:
    table = house.folder / "table.toml"
    table.write_text(table.read_text().partition("[[device]]")[0])
    with at_work(house.folder / "journals", "B-101", updates=True):
        done = invoke("run", table)
    assert_message(done.exit_code, done.stderr, 1, "a device is being updated", "Wait until that has ended")
    assert not list((house.folder / "journals").glob("*.journal"))


def test_a_log_alone_approves_nothing(house: House) -> None:
    house.run("stage", NEW.version)
    with UpdateLog(house.log, "B-101", "shoe-1", wall_time()) as log:
        approval = UpdateApprovers(by=("anna", "bruno"), at="2026-11-21T12:00:00Z", registry="1:0")
        for trigger, state in (
            (UpdateTrigger.AUTHORISE, UpdateState.AUTHORISED),
            (UpdateTrigger.CLOSE, UpdateState.CLOSED),
        ):
            log.record(UpdateEntry(at=wall_time(), trigger=trigger, state=state, approval=approval))
    forged = house.update(code=1)
    assert_message(1, forged.stderr, 1, "[not_authorised]", "two enrolled persons")


def test_a_log_that_is_none(house: House) -> None:
    house.run("stage", NEW.version)
    with Journal.open(house.log, Keyring(house.log)) as journal:
        seq = journal.last_seq
        strange = written({"event": "update", "seq": seq + 1, "device": "shoe-1", "entry": {"hope": 1}})
        following = written({"event": "next", "seq": seq + 2})
        journal.append([data_of([strange, following])])
    for command in (("status",), ("stage", NEW.version), ("cancel", "--by", "x", "--reason", "x")):
        refused = house.run(*command, code=1)
        assert_message(1, refused.stderr, 1, "[record_damaged]", "is not one of an update")
