"""No module outside a family's own knows it by name: what a command or a table needs of it is in its ``Family``."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from firmware_bridge.families import BUILT_IN
from tests.house.files import PACKAGES, ROOT

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
    """The names, modules and texts of a module that name a family; its docstrings do not count."""
    tree = ast.parse(text)
    prose = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        found: list[str] = []
        match node:
            case ast.Constant(value=str(said)) if id(node) not in prose:
                found = [said]
            case ast.Name(id=said) | ast.Attribute(attr=said) | ast.FunctionDef(name=said) | ast.ClassDef(name=said):
                found = [said]
            case ast.Import(names=names):
                found = [one.name for one in names]
            case ast.ImportFrom(module=module, names=names):
                found = [f"{module}.{one.name}" for one in names]
            case _:
                continue
        yield from filter(NAMED.search, found)


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
