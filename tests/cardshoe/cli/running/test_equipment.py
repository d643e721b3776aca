"""The equipment of a running table: links as they are counted, and checks made beside it at most once a minute."""

import json
from pathlib import Path
from typing import Any

from cardshoe.cli.running.equipment import AGAIN_S, COUNTS, EquipmentReport
from cardshoe.process.clock import wall_time
from cardshoe.screens.words.labels import LINK_COUNTS
from cardshoe.table.live.equipment import Check
from cardshoe.table.setup.config import TableConfig, load
from firmware_bridge.families import family_named
from tests.kit.waiting import eventually

FOUND = {"findings": [{"about": "disk", "level": "warning", "what": "1 GB free", "remedy": "Make room."}]}


def configured(folder: Path) -> TableConfig:
    path = folder / "table.toml"
    path.write_text(
        '[table]\nid = "B-101"\ngame = "baccarat"\ndecks = 8\nseats = 7\nequipment = "shoe"\n'
        f'[journal]\nfolder = "journals"\n[[device]]\nname = "shoe"\nfamily = "angel_eye"\nport = "{folder}/gone"\n'
    )
    return load(path, wall_time())


def bridge_of(config: TableConfig) -> Any:  # noqa: ANN401  as a family makes it
    (one,) = config.devices
    return family_named(one.family).part("make")(one.name, one.port, one.settings, [], lambda _: None)


def test_links_and_checks_are_reported(tmp_path: Path) -> None:
    config = configured(tmp_path)
    bridge = bridge_of(config)
    now = [100.0]
    made = tmp_path / "made"
    script = f"echo x >> {made}; echo '{json.dumps(FOUND)}'"
    with EquipmentReport(config.devices, [bridge], config.path, lambda: now[0], ("/bin/sh", "-c", script)) as report:
        first = report()
        assert (first.checks, first.is_checking) == ([], True)
        assert first.command == f"cardshoe doctor {config.path} --listen 10"
        (link,) = first.links
        assert (link.device, link.port, link.stage, link.faults) == ("shoe", config.devices[0].port, "disconnected", [])
        assert set(link.counts) == set(COUNTS) == set(LINK_COUNTS)
        eventually(lambda: not report().is_checking, "the checks are made")
        assert report().checks == [Check(about="disk", level="warning", what="1 GB free", remedy="Make room.")]
        assert report().checked_at
        assert made.read_text() == "x\n"
        now[0] += AGAIN_S
        assert report().is_checking
        eventually(lambda: not report().is_checking, "they are made again")
        assert made.read_text() == "x\nx\n"


def test_without_a_table_the_machine_alone_is_checked() -> None:
    script = """echo '{"findings":[{"about":"disk","level":"ok","what":"'$0 $*'"}]}'"""
    with EquipmentReport([], [], None, command=("/bin/sh", "-c", script)) as report:
        first = report()
        assert (first.links, first.is_checking, first.command) == ([], True, "cardshoe doctor")
        eventually(lambda: not report().is_checking, "the checks are made")
        assert [one.what for one in report().checks] == ["doctor --json"]


def test_checks_that_cannot_be_made_are_left_out(tmp_path: Path) -> None:
    config = configured(tmp_path)
    bridge = bridge_of(config)
    for command in ((str(tmp_path / "none"),), ("/bin/sh", "-c", "echo no JSON")):
        with EquipmentReport(config.devices, [bridge], config.path, command=command) as report:
            eventually(lambda report=report: not report().is_checking, "it has ended")  # type: ignore[misc]  # bound at once
            assert (report().checks, report().checked_at) == ([], "")
    with EquipmentReport(config.devices, [bridge], config.path, command=("/bin/sleep", "600")) as report:
        assert report().is_checking  # it ends with the table
