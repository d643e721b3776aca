"""No module outside a family's own knows it by name: what a command or a table needs of it is in its ``Family``."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from firmware_bridge.families import BUILT_IN
from tests.house.files import PACKAGES, ROOT, spoken

EXCEPTIONS: Final = {
    "firmware_bridge/families.py": "the one list of families",
    "firmware_bridge/admission": "a device proves who it is by attestation, which is a message of TDP alone",
    "firmware_bridge/trust": "what an attestation says is judged in its own words",
    "firmware_bridge/update": "a device that can attest is the only one whose firmware is exchanged (docs/update.md)",
    "cardshoe/cli/update": "the commands of that",
    "cardshoe/cli/examples.py": "an example names a device that there is",
    "sim/croupier": "the croupiers of devices that want more of their hands than to draw",
    "sim/firmware": "the boot loader tells its state in TDP's words",
    "sim/hands.py": "hands and control lines at the first shoe",
    "sim/control.py": "as above",
}
"""Where a family is named for a reason, files and folders."""
_WORDS: Final = {name: "[-_ ]?".join(name.split("_")) for name in BUILT_IN}
NAMED: Final = re.compile("|".join(rf"(?<![a-z]){word}" for word in _WORDS.values()), re.IGNORECASE)


def is_home(path: Path) -> bool:
    """True of a folder or module that bears a family's name."""
    return any(part.startswith(name) for part in path.with_suffix("").parts for name in BUILT_IN)


def exception_of(path: Path) -> str | None:
    return next((place for place in EXCEPTIONS if path.is_relative_to(place)), None)


def named(text: str) -> Iterator[str]:
    """The names, modules and texts of a module that name a family."""
    return (said for _, said in spoken(text, NAMED))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"""Angel Eye shoes."""\nX = 1\n"""As tdp does."""', []),
        ("from protocols.tdp.codes import BootState", ["protocols.tdp.codes.BootState"]),
        ("import conformance.bee_tek.suite", ["conformance.bee_tek.suite"]),
        ('FAMILIES = ("angel_eye", "bee-tek")', ["angel_eye", "bee-tek"]),
        ('help = f"{x} speaks TDP"', [" speaks TDP"]),
        ("def f():\n    return AngelEyeShoe()", ["AngelEyeShoe"]),
        ("httpd = outdpath", []),
    ],
)
def test_names_are_recognised(text: str, found: list[str]) -> None:
    assert list(named(text)) == found


def test_a_family_is_named_at_home_alone() -> None:
    strangers: dict[str, list[str]] = {}
    needed = set()
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        place = path.relative_to(ROOT)
        if is_home(place) or not (found := list(named(path.read_text()))):
            continue
        if (exception := exception_of(place)) is not None:
            needed.add(exception)
        else:
            strangers[str(place)] = found
    assert strangers == {}
    assert needed == EXCEPTIONS.keys()
