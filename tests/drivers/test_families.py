"""Families: the built-in ones, a third party's from a real distribution on the path, and those that are refused."""

from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from drivers import bee_tek
from drivers.angel_eye import FAMILY
from drivers.device import Device, DeviceListener
from drivers.errors import BrokenFamily, DuplicateFamily, UnknownFamily
from drivers.families import ENTRY_POINT_GROUP, families, family, loaded

MODULE = """
class Lamp:
    name = "lamp"
    summary = "A lamp on a serial line"

    def open(self, port_name, settings, listener):
        return (port_name, settings, listener)

LAMP = Lamp()
"""


class Nameless:
    name = "other"
    summary = "Calls itself something else"

    def open(self, port_name: str, settings: Mapping[str, object], listener: DeviceListener[object]) -> Device:
        raise NotImplementedError(port_name, settings, listener)


NAMELESS = Nameless()


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, ENTRY_POINT_GROUP)


def test_the_built_in_families_are_in_the_table() -> None:
    assert [entry.origin for entry in families([]).values()] == ["cardshoe"] * 3
    assert family("angel_eye") is FAMILY
    assert family("bee_tek") is bee_tek.FAMILY


def test_a_third_partys_family_is_found_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cardshoe_lamp.py").write_text(MODULE)
    info = tmp_path / "cardshoe_lamp-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cardshoe-lamp\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\nlamp = cardshoe_lamp:LAMP\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = families()["lamp"]
    assert (entry.origin, entry.target) == ("cardshoe-lamp", "cardshoe_lamp:LAMP")
    assert family("lamp").summary == "A lamp on a serial line"


def test_an_unknown_family_names_the_known() -> None:
    with pytest.raises(UnknownFamily, match="Known: angel_eye"):
        family("angel_eyes")


def test_two_of_the_same_name_are_refused() -> None:
    with pytest.raises(DuplicateFamily) as caught:
        families([point("angel_eye", "elsewhere:FAMILY")])
    assert caught.value.origins == (
        "cardshoe (drivers.angel_eye:FAMILY)",
        "an unnamed distribution (elsewhere:FAMILY)",
    )
    with pytest.raises(DuplicateFamily):
        families([point("lamp", "one:LAMP"), point("lamp", "two:LAMP")])


def test_the_same_thing_found_twice_is_one() -> None:
    assert list(families([point("angel_eye", "drivers.angel_eye:FAMILY")])) == ["angel_eye", "bee_tek", "tdp"]


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("lamp", "no_such_module:LAMP", "ModuleNotFoundError"),
        ("lamp", "drivers.angel_eye:LAMP", "AttributeError"),
        ("lamp", "drivers.angel_eye:LINE", "it has no open and no summary"),
        ("lamp", f"{__name__}:NAMELESS", "calls itself 'other'"),
    ],
)
def test_a_broken_family_disturbs_only_who_uses_it(name: str, value: str, problem: str) -> None:
    found = families([point(name, value)])
    assert list(found) == ["angel_eye", "bee_tek", "lamp", "tdp"]
    with pytest.raises(BrokenFamily, match=problem) as caught:
        loaded(found[name])
    assert caught.value.origin == f"an unnamed distribution ({value})"
