"""Attack: a device that nobody should trust is at a table, because what would say so is half done, old, or gone.

A list of the revoked counts until its ``nextUpdate`` and the site's days of grace, and must be there.
"""

import contextlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from msgspec import structs

from cardshoe.process.clock import wall_time
from cardshoe.table.log.update_log import read_log
from cardshoe.table.setup.config import DeviceSection, TableConfig, load
from cardshoe.table.setup.table_lock import DeviceFile
from cardshoe.table.setup.unfinished_update import unfinished
from firmware_bridge.trust.acts import Renewal
from firmware_bridge.update.device import ImageSlot
from firmware_bridge.update.observations import ObservationEvaluator
from firmware_bridge.update.states import UpdateState
from firmware_bridge.update.unsettled import unsettled
from regulations.events.inputs import Loaded
from tests.cardshoe.cli.support import invoke
from tests.firmware_bridge.admission.bench import ONE, Bench, site_judge, why
from tests.firmware_bridge.admission.sites import TodaysSite, made_site, make_site, site
from tests.firmware_bridge.update.hostile import ANOTHER, OLDER, UNSIGNED, assert_runs, made, night, whose
from tests.firmware_bridge.update.loop import LoopDevice, Unit
from tests.firmware_bridge.update.night import NEW as NEWER
from tests.firmware_bridge.update.night import OLD, Made, Night, make
from tests.kit.command import Command, Ended, Line, assert_message
from tests.kit.house import NEW, TABLE, House, built, house
from tests.kit.judged_table import cannot_deal, configured, findings, is_fault, machine, until, verdicts
from tests.kit.live_table import LiveTable
from tests.kit.running_table import RunningTable
from tests.kit.waiting import eventually

__all__ = ["built", "house", "made_site", "night", "site", "whose"]

TRUST: Final = """
[trust]
folder = "{folder}/site"
"""
UNFINISHED: Final = "update_unfinished"


# --- an update that is half done --------------------------------------------------------------------------------------


def with_site(house: House, folder: Path) -> Path:
    """The configuration of a table in a folder of its own, at which the device of the house is."""
    folder.mkdir(exist_ok=True)
    path = folder / "table.toml"
    text = TABLE.format(folder=house.folder).rpartition("[[device]]")[0]
    path.write_text(text + TRUST.format(folder=house.folder))
    return path


def device_of(config: Path) -> tuple[TableConfig, DeviceSection]:
    """A table with its device, as the judge of the table looks at them."""
    table = load(config, wall_time())
    return table, table.devices[0]


def stopped(house: House, config: Path) -> None:
    """An update that was killed when the device was told to try the new firmware at its next start."""
    house.run("stage", NEW.version)
    house.authorise()
    with Command("update", "run", config, "shoe-1", "--service", house.folder / "service") as running:
        running.wait_for_error("  transferred: holds_new, now try\n")
        running.kill()


def first_verdict(table: RunningTable) -> list[Line]:
    """The table's lines up to its prompt after the device was judged."""
    lines = table.answer()
    while not any(line["event"] == "device_judged" for line in lines):
        lines += table.answer()
    return lines


def refused_for_its_update(config: Path) -> str:
    """Start a table that refuses the device, and return why; nobody at it can go on but to its close."""
    with RunningTable(config) as table:
        lines = first_verdict(table)
        ((verdict, codes),) = verdicts(lines)
        assert verdict == "refused"
        assert UNFINISHED in codes
        while lines[-1]["do"] != "resolve" or lines[-1]["irregularity"] != 1:
            lines += table.answer()
        assert "continue" not in lines[-1]["actions"]
        # Two persons can close it, and that the update needs.
        ended_by_two_persons(table, list(lines))
        assert table.end() == 0
    judged = next(line for line in lines if line["event"] == "device_judged")
    (check,) = (one for one in judged["checks"] if one["code"] == UNFINISHED)
    assert check["check"] == "update"
    return str(check["detail"])


def ended_by_two_persons(table: RunningTable, lines: list[Line]) -> None:
    """They end what is open, and close the table; a device that comes to the line meanwhile opens another."""
    with contextlib.suppress(Ended):
        while True:
            asked = lines[-1]
            if asked["do"] == "resolve":
                number = asked["irregularity"]
                told = {"event": "resolve", "irregularity": number, "action": "end_shoe", "by": [101, 102]}
                lines += table.tell(told)
            else:
                lines += table.tell("closed")


def test_a_half_done_update_keeps_the_device_off_the_table(house: House) -> None:
    config = with_site(house, house.folder)
    with house.simulated() as device:
        stopped(house, config)
        assert (entry := unsettled(read_log(house.log))) is not None
        assert entry.state in {UpdateState.TRANSFERRED, UpdateState.TESTING}
        device.say("key 0")
        device.line()
        said = refused_for_its_update(config)
        assert f"`cardshoe update run {config} shoe-1 --service PORT`" in said
        assert f"`cardshoe update cancel {config} shoe-1 --by NAME" in said
        found = json.loads(invoke("doctor", "--json", config).stdout)["findings"]
        (doctors,) = (one for one in found if UNFINISHED in one["what"])
        assert (doctors["level"], doctors["about"]) == ("problem", "device shoe-1")

        # That command, as it was named, ends it; then the table opens.
        device.say("key 9")
        device.line()
        done = invoke("update", "run", config, "shoe-1", "--service", house.folder / "service")
        assert "confirmed" in done.stdout, done.stderr
        device.say("key 0")
        device.line()
        with RunningTable(config) as table:
            assert verdicts(first_verdict(table)) == [("admitted", [])]


def test_a_half_done_update_keeps_the_device_off_a_table_without_a_site(house: House) -> None:
    """The site was named with ``--site`` for the update alone."""
    config = with_site(house, house.folder)
    with house.simulated():
        stopped(house, config)
        config.write_text(config.read_text().replace(TRUST.format(folder=house.folder), ""))
        assert "cardshoe update run" in refused_for_its_update(config)


def test_an_update_from_another_folder_keeps_the_device_off_the_table(house: House) -> None:
    """The table's own folder has no log of it: the device's file in the site's folder names the one that there is."""
    config, other = with_site(house, house.folder), with_site(house, house.folder / "other")
    with house.simulated():
        stopped(house, config)
        said = refused_for_its_update(other)
        assert f"`cardshoe update run {config} shoe-1 --service PORT`" in said
        house.run("cancel", "--by", "anna", "--reason", "not tonight")
        assert "reverting since" in (unfinished(*device_of(other)) or ""), "the device has still to go back"
        # Nor can another update be run from there.
        assert invoke("update", "stage", other, "shoe-1", NEW.version).exit_code == 0
        refused = invoke("update", "run", other, "shoe-1", "--service", house.folder / "service")
        assert_message(refused.exit_code, refused.stderr, 1, "[update_open]", f"begun with {config}")
        back = invoke("update", "run", config, "shoe-1", "--service", house.folder / "service")
        assert "the update of shoe-1 is reverted" in back.stderr
        assert unfinished(*device_of(other)) is None


def test_a_device_is_at_one_table_or_in_one_update_whichever_folder_names_it(house: House) -> None:
    config, other = with_site(house, house.folder), with_site(house, house.folder / "other")
    house.run("stage", NEW.version)
    house.authorise()
    with house.simulated(), RunningTable(other) as table:
        first_verdict(table)
        late = invoke("update", "run", config, "shoe-1", "--service", house.folder / "service")
        assert_message(late.exit_code, late.stderr, 1, "another table has this device", "Wait until that has ended")
        assert read_log(house.log)[-1].state is UpdateState.AUTHORISED, "nothing was begun"
    file = DeviceFile(load(config, wall_time()).trust or Path(), "shoe-1")
    with house.simulated(), file.locked():
        second = invoke("run", other)
        assert_message(second.exit_code, second.stderr, 1, "another table has this device", "or it is being updated")


def test_a_device_file_that_says_something_else_keeps_the_device_off_the_table(house: House) -> None:
    config = with_site(house, house.folder)
    file = house.folder / "site" / "at-work" / "shoe-1"
    file.parent.mkdir()
    file.write_text('{"log":')
    with house.simulated():
        assert f"{file}: its content does not name an update" in refused_for_its_update(config)


# --- what would say so is old, or gone --------------------------------------------------------------------------------


def test_an_old_list_of_the_revoked_opens_no_table(site: TodaysSite, tmp_path: Path) -> None:
    """Somebody keeps the lists of two years from the table, or takes its list away; a newer one opens it again."""
    old = site.house.issuer.crl([], 1, site.today - timedelta(days=730))
    config, listed = configured(tmp_path, site, device=tmp_path / "shoe"), site.folder / "revoked.pem"
    with machine(tmp_path / "shoe", site.device()):
        listed.write_bytes(old)
        with LiveTable(config) as table:
            lines = until(table, is_fault("not_admitted"))
            assert verdicts(lines) == [("refused", ["revoked_list_expired"])]
            cannot_deal(table, lines)
        listed.unlink()
        with LiveTable(config) as table:
            assert verdicts(until(table, is_fault("not_admitted"))) == [("refused", ["no_revoked_list"])]
        site.house.site.write_crl(site.house.issuer, site.today)
        with LiveTable(config) as table:
            assert verdicts(until(table, lambda line: line["event"] == "device_judged")) == [("admitted", [])]


def test_an_old_registry_opens_no_table(tmp_path: Path) -> None:
    """Nobody can know from it who was revoked since; two persons say that it is the newest, and it counts again."""
    site = make_site(tmp_path, datetime.now(UTC) - timedelta(days=2))
    site.house.renew(site.today, Renewal(registry_days=1))
    config = configured(tmp_path, site, device=tmp_path / "shoe")
    with machine(tmp_path / "shoe", site.device()):
        with LiveTable(config) as table:
            lines = until(table, is_fault("not_admitted"))
            assert verdicts(lines) == [("refused", ["registry_expired"])]
            cannot_deal(table, lines)
        assert ("trust", "problem") in [one[:2] for one in findings(config)]
        site.house.renew(datetime.now(UTC))
        with LiveTable(config) as table:
            assert verdicts(until(table, lambda line: line["event"] == "device_judged")) == [("admitted", [])]


def test_what_ends_in_mid_shoe_ends_the_next_one(site: TodaysSite, tmp_path: Path) -> None:
    """The shoe under way is dealt to its end: nobody is looked at between two cards."""
    with Bench(tmp_path, site.device(), site.host, site_judge(site)) as bench:
        bench.wait_for(Loaded)
        (site.folder / "revoked.pem").write_bytes(site.house.issuer.crl([], 1, site.today - timedelta(days=38)))
        bench.bridge.call([ONE])
        eventually(bench.can_draw, "a card may be drawn")
        bench.bridge.shoe_begun()
        judged = bench.verdicts(2)[1]
        assert (judged.verdict, why(judged)) == ("refused", [("enrolment", "revoked_list_expired")])
        assert not bench.bridge.interlock.grant(ONE)


@pytest.mark.parametrize(("days_left", "level"), [(8, None), (6, "warning"), (-6, "warning"), (-8, "problem")])
def test_the_doctor_says_a_week_before_that_a_list_of_the_revoked_is_due(
    site: TodaysSite, tmp_path: Path, days_left: int, level: str | None
) -> None:
    issued = datetime.now(UTC) - timedelta(days=30 - days_left)
    (site.folder / "revoked.pem").write_bytes(site.house.issuer.crl([], 1, issued))
    found = findings(configured(tmp_path, site, device=tmp_path / "shoe"))
    assert [one[1] for one in found if "a newer list of the revoked is due" in one[2]] == ([level] if level else [])


@pytest.mark.parametrize(("days_left", "is_told"), [(8, False), (6, True)])
def test_the_doctor_says_a_week_before_that_the_registry_is_to_be_renewed(
    site: TodaysSite, tmp_path: Path, days_left: int, *, is_told: bool
) -> None:
    site.house.renew(site.today, Renewal(registry_days=days_left))
    found = findings(configured(tmp_path, site, device=tmp_path / "shoe"))
    assert [one[1] for one in found if "the registry counts until" in one[2]] == (["warning"] if is_told else [])


# --- a man in the middle on the service port --------------------------------------------------------------------------


class Between:
    """Sits on the service port, which nobody signs or seals, between the host and an honest device."""

    def __init__(self, device: LoopDevice) -> None:
        self.device: Final = device

    def slots(self) -> Sequence[ImageSlot]:
        return self.device.slots()

    def upload(self, image: bytes) -> None:
        self.device.upload(image)

    def want_trial(self, digest: bytes) -> None:
        self.device.want_trial(digest)

    def restart(self) -> None:
        self.device.restart()

    def confirm(self, digest: bytes) -> None:
        self.device.confirm(digest)

    def erase(self) -> None:
        self.device.erase()


class SendsAnother(Between):
    """Puts in another image than was sent, and has it tried under the name of the right one."""

    made: Made

    def upload(self, _image: bytes) -> None:
        self.device.upload(self.made.image)

    def slots(self) -> Sequence[ImageSlot]:
        return [structs.replace(one, digest=NEWER.digest) if not one.active else one for one in self.device.slots()]

    def want_trial(self, _digest: bytes) -> None:
        self.device.want_trial(self.made.digest)


class Thief(SendsAnother):
    """An image that is signed by nobody who counts."""

    made = UNSIGNED


class OtherBoard(SendsAnother):
    """The maker's own image, for another board."""

    made = make(6, 9, model="Another shoe")


class Exchanges(SendsAnother):
    """The maker's and the regulator's, for this board; not what two persons approved."""

    made = ANOTHER


class Ages(SendsAnother):
    """An approved image with a lower security counter."""

    made = OLDER


class SwallowsConfirm(Between):
    """Answers that it is kept, and tells the device nothing."""

    def confirm(self, _digest: bytes) -> None: ...

    def slots(self) -> Sequence[ImageSlot]:
        return [structs.replace(one, confirmed=True) if one.active else one for one in self.device.slots()]


class SaysItRuns(Between):
    """Sends nothing, and says that the new firmware runs."""

    def upload(self, _image: bytes) -> None: ...

    def slots(self) -> Sequence[ImageSlot]:
        return [ImageSlot(NEWER.digest, NEWER.version, active=True, confirmed=True, pending=False)]


class Lies(Between):
    """Says what the host wants to hear, and does nothing."""

    is_sent = is_wanted = False

    def upload(self, _image: bytes) -> None:
        self.is_sent = True

    def want_trial(self, _digest: bytes) -> None:
        self.is_wanted = True

    def slots(self) -> Sequence[ImageSlot]:
        waits = ImageSlot(NEWER.digest, NEWER.version, active=False, confirmed=False, pending=self.is_wanted)
        return [*self.device.slots(), *([waits] if self.is_sent else [])]

    def restart(self) -> None: ...

    def erase(self) -> None: ...


@pytest.mark.parametrize("kind", [Thief, OtherBoard, Exchanges, Ages, SwallowsConfirm, SaysItRuns, Lies])
def test_a_man_in_the_middle_on_the_service_port_gets_nothing_kept(
    night: Night, whose: Unit, kind: type[Between]
) -> None:
    """The device's key says what runs. An attacker can spoil an update; whatever they say, the old firmware runs on."""
    device = made(LoopDevice, whose)
    machine = night.prepared(NEWER, [])
    judge = ObservationEvaluator(machine.update, night.registry, night.approvals, night.revoked)
    machine.run(judge, kind(device), device, NEWER.image)
    assert machine.state in {UpdateState.REVERTED, UpdateState.REFUSED, UpdateState.ABANDONED}
    assert machine.code
    assert_runs(device, OLD)
    # Where nobody knows what waits in it, the device stays off the table until somebody has looked.
    assert (unsettled(machine.entries) is None) == (machine.state is not UpdateState.REFUSED)
