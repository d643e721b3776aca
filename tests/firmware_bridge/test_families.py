"""Families that can play at a table: ours, and a third party's from a real distribution, up to a line in the log."""

from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Final

import pytest

from drivers.errors import BadSetting, BrokenFamily, DuplicateFamily, UnknownFamily
from firmware_bridge.families import ENTRY_POINT_GROUP, families, family_named
from firmware_bridge.interlock import ActKind
from tests.drivers.far_ends import PtyEnd
from tests.table.support.running_table import RunningTable

LAMP: Final = """
from drivers.link_health import LinkHealth
from drivers.serial_port import SerialSettings
from firmware_bridge.bridge import Bridge
from firmware_bridge.errors import Denied
from firmware_bridge.families import Family
from regulations.events.notices import DeviceNoted

class Device:
    name = "lamp"
    def __init__(self, tell): self._tell = tell
    def start(self): self._tell()
    def limit(self, budget): "It says two things in all."
    def keep_out(self): pass
    def let_in(self): pass
    def stop(self, timeout_s): return True
    def health(self): return LinkHealth()

class Session:
    def hear(self, message, now_s): return [DeviceNoted(device="lamp", note=message)] * 2
    def lost(self): return []
    def back(self): return []

class Lamp(Bridge[str]):
    def __init__(self, device, port_name, settings, commands, inbox):
        super().__init__(device, commands, inbox)
        self._device, self._session = Device(lambda: self.message("lit", 0.0)), Session()
    @property
    def _link(self): return self._device
    @property
    def _heard_by(self): return self._session
    def replay(self, event): "It remembers nothing."
    def counters(self): return {}
    def perform(self, act): raise Denied(str(act), "a lamp does nothing", "Ask another device.")

FAMILY = Family(
    name="lamp",
    summary="A lamp on a serial line",
    open=lambda *_: Device(print),
    line=SerialSettings.from_mapping,
    make=Lamp,
)
"""
CONFIG: Final = """
[table]
id = "T-1"
game = "baccarat"
decks = 8
seats = 7
equipment = "shoe"
[journal]
folder = "journals"
[[device]]
name = "lamp"
family = "lamp"
port = "{port}"
"""


def test_ours_are_known_with_what_a_table_needs_to_know() -> None:
    assert [(name, offer.origin) for name, offer in families([]).items()] == [
        ("angel_eye", "cardshoe"),
        ("bee_tek", "cardshoe"),
        ("tdp", "cardshoe"),
    ]
    shoe, reader, tdp = (family_named(name, []) for name in ("angel_eye", "bee_tek", "tdp"))
    assert (shoe.equipment, sorted(shoe.games)) == ("shoe", ["baccarat"])
    assert (reader.equipment, sorted(reader.games), reader.commands) == ("shoe", [], ())
    assert (tdp.equipment, sorted(tdp.games)) == (None, [])
    lines = [shoe.line({}), reader.line({}), tdp.line({"security": "plain"})]
    assert [line.baud for line in lines] == [4800, 9600, 115200]
    assert ActKind.LET_DRAW in tdp.commands
    assert ActKind.LET_DRAW not in shoe.commands
    for family in (shoe, reader, tdp):
        with pytest.raises(BadSetting):
            family.line({"bauds": 1})


def test_an_unknown_family_names_the_known() -> None:
    with pytest.raises(UnknownFamily, match="Known: angel_eye, bee_tek, tdp"):
        family_named("lamp", [])


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, ENTRY_POINT_GROUP)


def test_two_of_the_same_name_are_refused_to_who_uses_it() -> None:
    offered = [point("angel_eye", "elsewhere:FAMILY"), point("lamp", "two:LAMP"), point("lamp", "one:LAMP")]
    with pytest.raises(DuplicateFamily) as caught:
        family_named("angel_eye", offered)
    assert caught.value.origins == (
        "cardshoe (firmware_bridge.angel_eye.bridge:FAMILY)",
        "an unnamed distribution (elsewhere:FAMILY)",
    )
    with pytest.raises(DuplicateFamily, match=r"two:LAMP.* and by .*one:LAMP"):
        family_named("lamp", offered)
    assert family_named("tdp", offered).name == "tdp"


def test_the_same_thing_found_twice_is_one() -> None:
    twice = point("angel_eye", "firmware_bridge.angel_eye.bridge:FAMILY")
    assert list(families([twice])) == ["angel_eye", "bee_tek", "tdp"]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("no_such_module:LAMP", "ModuleNotFoundError"),
        ("drivers.angel_eye:LAMP", "AttributeError"),
        ("drivers.angel_eye:LINE", "it is a SerialSettings and no Family"),
        ("firmware_bridge.tdp.bridge:FAMILY", "calls itself 'tdp'"),
    ],
)
def test_a_broken_family_disturbs_only_who_uses_it(value: str, problem: str) -> None:
    offered = [point("lamp", value)]
    assert family_named("tdp", offered).name == "tdp"
    with pytest.raises(BrokenFamily, match=problem) as caught:
        family_named("lamp", offered)
    assert caught.value.origin == f"an unnamed distribution ({value})"


def test_a_third_partys_device_plays_at_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cardshoe_lamp.py").write_text(LAMP)
    info = tmp_path / "cardshoe_lamp-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cardshoe-lamp\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\nlamp = cardshoe_lamp:FAMILY\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    line = PtyEnd(tmp_path / "line")
    config = tmp_path / "table.toml"
    config.write_text(CONFIG.format(port=line.url))
    offer = families()["lamp"]
    assert (offer.origin, offer.target) == ("cardshoe-lamp", "cardshoe_lamp:FAMILY")
    with RunningTable(config) as table:
        table.answer()
        told = [*table.answer(), *table.answer()]
        assert [(one["event"], one.get("note")) for one in told if one["event"] != "next"] == [
            *[("device_noted", "lit")] * 2
        ]
    line.vanish()
