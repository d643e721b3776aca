"""Each import contract is broken once, on a copy of the packages, and must be seen to catch it.

A contract that nothing can break, because a name in it is misspelt or an exception in it too wide, protects nothing.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ["regulations", "protocols", "drivers", "conformance", "firmware_bridge", "sim", "table", "floor"]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]


@dataclass(frozen=True)
class Case:
    """Imports that break a contract.

    Args:
        offences: (importing module, imported module); each must be caught. The modules are planted where missing.
        also: the other contracts that these offences break, of themselves.
    """

    offences: list[tuple[str, str]]
    also: set[str] = field(default_factory=set)


def everywhere(imported: str, *, but: str = "") -> list[tuple[str, str]]:
    """The same import from every package but one."""
    return [(f"{package}.planted", imported) for package in PACKAGES if package != but]


PURE = ("serial", "usb", "socket", "threading", "asyncio", "time", "random", "logging", "queue", "subprocess")

CASES = {
    "regulations-nothing-of-ours": Case(
        [("regulations.planted", name) for name in PACKAGES[1:]] + [("regulations", "table.planted_below")],
        also={"nothing-below-floor"},
    ),
    "protocols-cards-only": Case(
        [
            ("protocols.planted", name)
            for name in ("regulations", "drivers", "conformance", "firmware_bridge", "sim", "table")
        ]
        + [("protocols.planted.deep", "regulations.events"), ("protocols", "regulations.games")],
    ),
    "drivers-protocols-only": Case(
        [("drivers.planted", name) for name in ("regulations.cards", "conformance", "firmware_bridge", "sim", "table")],
    ),
    "conformance-drivers-and-protocols-only": Case(
        [("conformance.planted", name) for name in ("regulations.cards", "firmware_bridge", "sim", "table")],
    ),
    "bridge-events-and-cards-only": Case(
        [("firmware_bridge.planted", name) for name in ("regulations", "regulations.games", "sim", "table")],
    ),
    "sim-protocols-and-regulations-only": Case(
        [("sim.planted", name) for name in ("drivers", "conformance", "firmware_bridge", "table")],
    ),
    "table-not-protocols": Case([("table.planted", "protocols"), ("table.cli.sim", "protocols.angel_eye")]),
    "table-sim-from-two-commands": Case(
        [
            *((name, "sim") for name in ("table.planted", "table.cli.run", "table.demo", "table.cli.floor_demo")),
            ("table.cli", "sim.planted"),
        ],
    ),
    "roads-results-only": Case(
        [("table.roads.planted", name) for name in ("regulations.games", "drivers", "firmware_bridge", "table.log")]
        + [("table.roads", "table.controller"), ("table.roads.roads", "regulations.baccarat.tableau")],
    ),
    "display-looks-on": Case(
        [("table.display.planted", name) for name in ("regulations.games", "firmware_bridge", "table.controller")]
        + [("table.display.felt", "table.log.sealing_keys"), ("table.display.feed", "table.live.server")],
    ),
    "nothing-below-floor": Case(
        [*everywhere("floor", but="floor"), ("table.cli", "floor.server"), ("table.uplink.planted", "floor.landing")],
        also={"uplink-writes-no-journal"},
    ),
    "floor-no-table-at-work": Case(
        [("floor.planted", name) for name in ("regulations.games", "sim", "table.controller", "table.live.client")]
        + [
            ("floor.landing", "table.journal.store"),
            ("floor.server", "table.cli.run"),
            ("floor.cli.command", "sim.station"),
            ("floor.cli.persons", "table.controller"),
            ("floor.cli.planted", "table.log.scribe"),
            ("floor", "table.setup.games"),
            ("floor.landing", "table.view"),
            ("floor.facts.fold", "regulations.procedure"),
            ("floor.pages.planted", "table.log.scribe"),
            ("floor.persons.planted", "table.persons.desk"),
            ("floor.persons.roll", "regulations.games"),
        ],
    ),
    "uplink-writes-no-journal": Case(
        [("table.uplink.planted", name) for name in ("regulations.games", "drivers", "table.controller")]
        + [("table.uplink.uplink", "table.journal.keyring"), ("table.uplink.carrier", "table.live.server")]
        + [("table.uplink.persons_list", "table.persons.registry")],
    ),
    "psycopg-in-floor": Case([*everywhere("psycopg", but="floor"), ("table.uplink.carrier", "psycopg_pool")]),
    "nats-in-carriers": Case(
        [*everywhere("nats"), ("table.uplink.carrier", "nats"), ("floor.server", "nats.aio.client")],
    ),
    "no-cycles": Case([("drivers.planted_one", "drivers.planted_two"), ("drivers.planted_two", "drivers.planted_one")]),
    "pure": Case(
        [(f"{package}.planted", name) for package in ("regulations", "protocols", "table.roads") for name in PURE],
        also={"serial-in-serial-port", "usb-in-usb-port"},
    ),
    "construct-in-protocols": Case(everywhere("construct", but="protocols")),
    "transitions-in-regulations": Case(
        [*everywhere("transitions"), ("firmware_bridge.update", "transitions.extensions")],
    ),
    "serial-in-serial-port": Case(
        [*everywhere("serial"), ("drivers.discovery", "serial.tools.list_ports"), ("table.cli.sim", "serial")],
        also={"pure"},
    ),
    "usb-in-usb-port": Case([*everywhere("usb"), ("drivers.discovery", "usb.core")], also={"pure"}),
    "apsw-in-journal": Case([*everywhere("apsw"), ("table", "apsw"), ("table.cli.doctor", "apsw")]),
    "sim-own-smp": Case([("sim.planted", "smp"), ("sim.firmware", "smpclient"), ("sim.planted_two", "imgtool")]),
    "smp-in-update": Case(
        [*everywhere("smpclient", but="sim"), ("table.cli.update", "smp"), ("drivers.planted", "smp")]
    ),
    "tuf-in-approved": Case(
        [*everywhere("tuf"), ("firmware_bridge.trust", "securesystemslib.signer"), ("table.cli.trust", "tuf.ngclient")],
    ),
    "no-tests-in-the-product": Case(
        [*everywhere("pytest"), *everywhere("tests.conftest"), ("sim.planted_two", "hypothesis"), ("sim", "tools")],
    ),
}

# What the architecture allows, so that no contract is stricter than it says.
ALLOWED = [
    ("protocols.planted", "regulations.cards"),
    ("protocols.planted", "construct"),
    ("drivers.planted", "protocols.angel_eye"),
    ("drivers.planted", "threading"),
    ("drivers.serial_port", "serial"),
    ("drivers.usb_port", "usb.core"),
    ("conformance.planted", "drivers"),
    ("conformance.planted", "protocols.tdp"),
    ("firmware_bridge.planted", "drivers"),
    ("firmware_bridge.planted", "protocols.angel_eye"),
    ("firmware_bridge.planted", "regulations.cards"),
    ("firmware_bridge.planted", "regulations.events"),
    ("firmware_bridge.trust.approved.planted", "tuf.ngclient"),
    ("firmware_bridge.planted", "regulations.engine"),
    ("regulations.engine.machine", "transitions"),
    ("sim.planted", "protocols.angel_eye"),
    ("sim.planted", "regulations.games"),
    ("sim.planted", "random"),
    ("table.planted", "firmware_bridge"),
    ("table.planted", "conformance"),
    ("table.planted", "drivers"),
    ("table.planted", "regulations"),
    ("table.planted", "table.roads"),
    ("table.roads.planted", "regulations.events"),
    ("table.display.planted", "regulations.events"),
    ("table.display.planted", "table.live.client"),
    ("table.cli.demo", "sim"),
    ("floor.cli.demo.planted", "sim.station"),
    ("table.cli.sim", "sim.planted"),
    ("table.journal.planted", "apsw"),
    ("table.uplink.planted", "table.live.client"),
    ("table.uplink.planted", "table.persons.issued"),
    ("floor.cli.planted", "floor.server"),
    ("floor.cli.planted", "table.cli.group"),
    ("floor.cli.demo.planted", "table.controller"),
    ("floor.persons.planted", "table.persons.entrance"),
    ("floor.persons.planted", "regulations.events.notices"),
    ("floor.planted", "table.journal.proof.note"),
    ("floor.planted", "table.witnessing.service"),
    ("floor.planted", "psycopg"),
    ("floor.facts.planted", "table.view.parts"),
    ("floor.pages.planted", "regulations.events.vocabulary"),
]


def test_every_contract_has_a_case() -> None:
    assert {contract["id"] for contract in CONTRACTS} == set(CASES)


def test_the_roads_are_kept_from_every_other_room() -> None:
    contract = next(contract for contract in CONTRACTS if contract["id"] == "roads-results-only")
    rooms = {f"table.{path.stem}" for path in (ROOT / "table").iterdir() if path.suffix == ".py" or path.is_dir()}
    named = {name for name in contract["forbidden_modules"] if name.startswith("table.")}
    assert named == rooms - {"table.roads", "table.__init__", "table.__pycache__"}


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages and of the contracts, into which each test plants its imports and takes them back."""
    folder = tmp_path_factory.mktemp("contracts")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_the_packages_and_all_that_is_allowed_pass(copied: Path) -> None:
    exit_code, output = lint(copied, ALLOWED)
    assert exit_code == 0, output
    assert broken_contracts(output) == set()


@pytest.mark.parametrize("contract", CASES)
def test_a_broken_contract_is_caught_and_named(contract: str, copied: Path) -> None:
    case = CASES[contract]
    exit_code, output = lint(copied, case.offences)
    assert exit_code == 1, output
    assert broken_contracts(output) == {contract} | case.also, output
    if contract == "no-cycles":
        return  # its report names the cheapest way out of the cycle, not every import in it
    for importer, imported in case.offences:
        caught = imported if imported.split(".")[0] in PACKAGES else imported.split(".")[0]
        assert f"{importer} -> {caught} " in output, output


def test_what_was_planted_is_taken_back(copied: Path) -> None:
    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in copied.rglob("*.py")}

    before = files()
    with ExitStack() as planted:
        plant(copied, [*ALLOWED, ("table.controller.planted.deep", "sim.planted"), ("sim", "table")], planted)
        assert files().keys() - before.keys() >= {copied / "table" / "controller" / "planted" / "deep.py"}
    assert files() == before
    assert not (copied / "table" / "controller").exists()


def lint(folder: Path, imports: list[tuple[str, str]]) -> tuple[int, str]:
    """Run import-linter on the copy with these imports planted.

    Returns:
        Its exit code and what it printed, each report on one line.
    """
    # No coverage in this process: it runs none of our code, and measuring would double its time.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"]
    with ExitStack() as planted:
        plant(folder, imports, planted)
        done = subprocess.run(
            command, cwd=folder, env=environment | {"COLUMNS": "1000"}, capture_output=True, text=True, check=False
        )
    return done.returncode, done.stdout + done.stderr


def plant(folder: Path, imports: list[tuple[str, str]], planted: ExitStack) -> None:
    """Add these imports to the copy until the stack is closed."""
    for importer, imported in imports:
        if imported.split(".")[0] in PACKAGES:
            source_of(folder, imported, planted)
        source = source_of(folder, importer, planted)
        text = source.read_text()
        planted.callback(source.write_text, text)
        source.write_text(f"{text}\nimport {imported}\n")


def source_of(folder: Path, module: str, planted: ExitStack) -> Path:
    """The file of a module in the copy; planted there, with the packages around it, if it is missing."""
    path = folder.joinpath(*module.split("."))
    for package in reversed(path.relative_to(folder).parents):
        if package.parts and not (folder / package / "__init__.py").exists():
            make_package(folder / package, planted)
    if path.is_dir():
        return path / "__init__.py"
    file = path.with_suffix(".py")
    if not file.exists():
        file.touch()
        planted.callback(file.unlink)
    return file


def make_package(path: Path, planted: ExitStack) -> None:
    """Make a package, out of the module of that name if there is one."""
    if not path.exists():
        path.mkdir()
        planted.callback(path.rmdir)
    module, begin = path.with_suffix(".py"), path / "__init__.py"
    if module.exists():
        module.rename(begin)
        planted.callback(begin.rename, module)
    else:
        begin.touch()
        planted.callback(begin.unlink)


def broken_contracts(output: str) -> set[str]:
    """The ids of the contracts that a report calls broken."""
    ids = {contract["name"]: contract["id"] for contract in CONTRACTS}
    return {ids[name] for name in re.findall(r"^(.+) BROKEN", output, flags=re.MULTILINE)}
