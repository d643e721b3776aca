"""The registry of families; ``tests/scenarios/test_outside_family.py`` has one of another maker in every command."""

from importlib.metadata import EntryPoint

import pytest

from drivers.errors import BadSetting, BrokenFamily, DuplicateFamily, UnknownFamily
from firmware_bridge.angel_eye.bridge import COMMANDS
from firmware_bridge.families import ENTRY_POINT_GROUP, families, family_named
from firmware_bridge.interlock import DeviceActionKind


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
    lines = [shoe.part("line")({}), reader.part("line")({}), tdp.part("line")({"security": "plain"})]
    assert [line.baud for line in lines] == [4800, 9600, 115200]
    assert DeviceActionKind.LET_DRAW in tdp.commands
    assert DeviceActionKind.LET_DRAW not in shoe.commands
    for family in (shoe, reader, tdp):
        with pytest.raises(BadSetting):
            family.part("line")({"bauds": 1})
        with pytest.raises(BadSetting):
            family.part("make")("device", "/dev/null", {"bauds": 1}, [], lambda _: None)
    assert set(shoe.commands) == set(COMMANDS)


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
        "cardshoe (firmware_bridge.angel_eye.family:FAMILY)",
        "an unnamed distribution (elsewhere:FAMILY)",
    )
    with pytest.raises(DuplicateFamily, match=r"two:LAMP.* and by .*one:LAMP"):
        family_named("lamp", offered)
    assert family_named("tdp", offered).name == "tdp"


def test_the_same_thing_found_twice_is_one() -> None:
    twice = point("angel_eye", "firmware_bridge.angel_eye.family:FAMILY")
    assert list(families([twice])) == ["angel_eye", "bee_tek", "tdp"]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("no_such_module:LAMP", "ModuleNotFoundError"),
        ("drivers.angel_eye:LAMP", "AttributeError"),
        ("drivers.angel_eye:LINE", "it is a SerialSettings and no Family"),
        ("firmware_bridge.tdp.family:FAMILY", "calls itself 'tdp'"),
    ],
)
def test_a_broken_family_disturbs_only_who_uses_it(value: str, problem: str) -> None:
    offered = [point("lamp", value)]
    assert family_named("tdp", offered).name == "tdp"
    with pytest.raises(BrokenFamily, match=problem) as caught:
        family_named("lamp", offered)
    assert caught.value.origin == f"an unnamed distribution ({value})"
