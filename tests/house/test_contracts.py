"""Each import contract is broken once, in the graph of the packages' imports, and must be seen to catch it."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import grimp
import pytest
from grimp import ImportGraph
from importlinter import configuration
from importlinter.application.app_config import settings
from importlinter.application.output import console
from importlinter.application.ports.building import GraphBuilder
from importlinter.application.use_cases import lint_imports

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ["regulations", "protocols", "drivers", "conformance", "firmware_bridge", "sim", "cardshoe"]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]


@dataclass(frozen=True)
class Case:
    """Imports that break a contract.

    Args:
        offences: (importing module, imported module); each must be caught. The modules are planted where missing.
    """

    offences: list[tuple[str, str]]
    also: set[str] = field(default_factory=set)


def everywhere(imported: str, *, but: str = "") -> list[tuple[str, str]]:
    """The same import from every package but one."""
    return [(f"{package}.planted", imported) for package in PACKAGES if package != but]


PURE = ("serial", "usb", "socket", "threading", "asyncio", "time", "random", "logging", "queue", "subprocess")

CASES = {
    "regulations-nothing-of-ours": Case(
        [("regulations.planted", name) for name in PACKAGES[1:]] + [("regulations", "cardshoe.planted_below")],
    ),
    "protocols-cards-only": Case(
        [
            ("protocols.planted", name)
            for name in ("regulations", "drivers", "conformance", "firmware_bridge", "sim", "cardshoe")
        ]
        + [("protocols.planted.deep", "regulations.events"), ("protocols", "regulations.games.registry")],
    ),
    "drivers-protocols-only": Case(
        [
            ("drivers.planted", name)
            for name in ("regulations.events.cards", "conformance", "firmware_bridge", "sim", "cardshoe")
        ],
    ),
    "conformance-drivers-and-protocols-only": Case(
        [("conformance.planted", name) for name in ("regulations.events.cards", "firmware_bridge", "sim", "cardshoe")],
    ),
    "bridge-events-and-cards-only": Case(
        [
            ("firmware_bridge.planted", name)
            for name in ("regulations", "regulations.games.registry", "sim", "cardshoe")
        ],
    ),
    "sim-protocols-and-regulations-only": Case(
        [("sim.planted", name) for name in ("drivers", "conformance", "firmware_bridge", "cardshoe")],
    ),
    "application-not-protocols": Case([("cardshoe.planted", "protocols"), ("cardshoe.cli.sim", "protocols.angel_eye")]),
    "sim-from-its-commands": Case(
        [
            *(
                (name, "sim")
                for name in (
                    "cardshoe.planted",
                    "cardshoe.cli.run",
                    "cardshoe.cli.floor",
                    "cardshoe.demo",
                    "cardshoe.cli.campaign.blocks",
                )
            ),
            ("cardshoe.cli", "sim.planted"),
        ],
    ),
    "roads-results-only": Case(
        [
            ("cardshoe.screens.roads.planted", name)
            for name in ("regulations.games.registry", "drivers", "firmware_bridge", "cardshoe.table.log")
        ]
        + [
            ("cardshoe.screens.roads", "cardshoe.table.controller"),
            ("cardshoe.screens.roads.roads", "regulations.games.baccarat.tableau"),
        ],
        also={"application-layers", "no-cycles"},
    ),
    "analysis-cards-only": Case(
        [
            ("cardshoe.analysis.planted", name)
            for name in (
                "regulations.events.inputs",
                "drivers",
                "sim.shuffling",
                "cardshoe.journal",
                "cardshoe.process",
            )
        ],
        also={"sim-from-its-commands"},
    ),
    "display-looks-on": Case(
        [
            ("cardshoe.table.display.planted", name)
            for name in ("regulations.procedure", "firmware_bridge", "cardshoe.table.controller")
        ]
        + [
            ("cardshoe.screens.felt.felt", "cardshoe.table.log.sealing_keys"),
            ("cardshoe.table.display.feed", "cardshoe.table.live.server"),
        ],
        also={"application-layers", "no-cycles"},
    ),
    "application-layers": Case(
        [
            ("cardshoe.process.planted", "cardshoe.journal"),
            ("cardshoe.screens.planted", "cardshoe.journal.proof.note"),
            ("cardshoe.journal.planted", "cardshoe.screens.view"),
            ("cardshoe.persons.planted", "cardshoe.table.inbox"),
            ("cardshoe.table.planted", "cardshoe.floor"),
            ("cardshoe.floor.planted", "cardshoe.table"),
            ("cardshoe.table.planted", "cardshoe.cli.run"),
        ],
        also={"no-cycles"},
    ),
    "floor-from-its-commands": Case(
        [("cardshoe.cli", "cardshoe.floor.server"), ("cardshoe.cli.run", "cardshoe.floor")],
    ),
    "floor-commands-no-table-at-work": Case(
        [
            ("cardshoe.cli.floor.command", "drivers.port"),
            ("cardshoe.cli.floor.persons", "cardshoe.table.controller"),
            ("cardshoe.cli.floor.planted", "cardshoe.table.log.log_builder"),
        ],
    ),
    "floor-no-table-at-work": Case(
        [("cardshoe.floor.planted", name) for name in ("regulations.games.registry", "sim")]
        + [
            ("cardshoe.floor.ingest", "cardshoe.journal.file.store"),
            ("cardshoe.floor.ingest", "cardshoe.screens.view"),
            ("cardshoe.floor.facts.fold", "regulations.procedure.procedure"),
            ("cardshoe.floor.persons.planted", "cardshoe.persons.permissions"),
            ("cardshoe.floor.persons.staff_list", "regulations.games.registry"),
        ],
        also={"sim-from-its-commands"},
    ),
    "uplink-writes-no-journal": Case(
        [
            ("cardshoe.table.uplink.planted", name)
            for name in ("regulations.games.registry", "drivers", "cardshoe.table.controller")
        ]
        + [
            ("cardshoe.table.uplink.uplink", "cardshoe.journal.file.keyring"),
            ("cardshoe.table.uplink.transport", "cardshoe.table.live.server"),
        ]
        + [("cardshoe.table.uplink.persons_list", "cardshoe.persons.registry")],
    ),
    "psycopg-in-floor": Case([*everywhere("psycopg"), ("cardshoe.table.uplink.transport", "psycopg_pool")]),
    "nats-in-carriers": Case(
        [
            *everywhere("nats"),
            ("cardshoe.table.uplink.transport", "nats"),
            ("cardshoe.floor.server", "nats.aio.client"),
        ],
    ),
    "dask-in-campaign": Case([*everywhere("distributed"), ("cardshoe.cli.campaign.blocks", "distributed")]),
    "no-cycles": Case([("drivers.planted_one", "drivers.planted_two"), ("drivers.planted_two", "drivers.planted_one")]),
    "pure": Case(
        [
            (f"{package}.planted", name)
            for package in ("regulations", "protocols", "cardshoe.screens.roads")
            for name in PURE
        ],
        also={"serial-in-serial-port", "usb-in-usb-port"},
    ),
    "construct-in-protocols": Case(everywhere("construct", but="protocols")),
    "transitions-in-regulations": Case(
        [*everywhere("transitions"), ("firmware_bridge.update", "transitions.extensions")],
    ),
    "serial-in-serial-port": Case(
        [*everywhere("serial"), ("drivers.discovery", "serial.tools.list_ports"), ("cardshoe.cli.sim", "serial")],
        also={"pure"},
    ),
    "usb-in-usb-port": Case([*everywhere("usb"), ("drivers.discovery", "usb.core")], also={"pure"}),
    "apsw-in-journal": Case([*everywhere("apsw"), ("cardshoe", "apsw"), ("cardshoe.cli.doctor", "apsw")]),
    "sim-own-smp": Case([("sim.planted", "smp"), ("sim.firmware", "smpclient"), ("sim.planted_two", "imgtool")]),
    "smp-in-update": Case(
        [*everywhere("smpclient", but="sim"), ("cardshoe.cli.update", "smp"), ("drivers.planted", "smp")]
    ),
    "tuf-in-approved": Case(
        [
            *everywhere("tuf"),
            ("firmware_bridge.trust", "securesystemslib.signer"),
            ("cardshoe.cli.trust", "tuf.ngclient"),
        ],
    ),
    "no-tests-in-the-product": Case(
        [*everywhere("pytest"), *everywhere("tests.conftest"), ("sim.planted_two", "hypothesis"), ("sim", "tools")],
    ),
}

# What the architecture allows, so that no contract is stricter than it says.
ALLOWED = [
    ("protocols.planted", "regulations.events.cards"),
    ("protocols.planted", "construct"),
    ("drivers.planted", "protocols.angel_eye"),
    ("drivers.planted", "threading"),
    ("drivers.serial_port", "serial"),
    ("drivers.usb_port", "usb.core"),
    ("conformance.planted", "drivers"),
    ("conformance.planted", "protocols.tdp"),
    ("firmware_bridge.planted", "drivers"),
    ("firmware_bridge.planted", "protocols.angel_eye"),
    ("firmware_bridge.planted", "regulations.events.cards"),
    ("firmware_bridge.planted", "regulations.events"),
    ("firmware_bridge.trust.approved.planted", "tuf.ngclient"),
    ("firmware_bridge.planted", "regulations.engine"),
    ("regulations.engine.machine", "transitions"),
    ("sim.planted", "protocols.angel_eye"),
    ("sim.planted", "regulations.games.registry"),
    ("sim.planted", "random"),
    ("cardshoe.planted", "firmware_bridge"),
    ("cardshoe.planted", "conformance"),
    ("cardshoe.planted", "drivers"),
    ("cardshoe.planted", "regulations"),
    ("cardshoe.table.planted", "cardshoe.screens.roads"),
    ("cardshoe.screens.roads.planted", "regulations.events"),
    ("cardshoe.table.display.planted", "regulations.events"),
    ("cardshoe.table.display.planted", "cardshoe.table.live.client"),
    ("cardshoe.cli.demo", "sim"),
    ("cardshoe.cli.floor.demo.planted", "sim.sim_thread"),
    ("cardshoe.cli.sim", "sim.planted"),
    ("cardshoe.journal.planted", "apsw"),
    ("cardshoe.table.uplink.planted", "cardshoe.table.live.client"),
    ("cardshoe.table.uplink.planted", "cardshoe.persons.signed_list"),
    ("cardshoe.cli.floor.planted", "cardshoe.floor.server"),
    ("cardshoe.cli.floor.planted", "cardshoe.cli.group"),
    ("cardshoe.cli.floor.demo.planted", "cardshoe.table.controller"),
    ("cardshoe.floor.persons.planted", "cardshoe.persons.sign_in"),
    ("cardshoe.floor.persons.planted", "regulations.events.notices"),
    ("cardshoe.floor.planted", "cardshoe.journal.proof.note"),
    ("cardshoe.floor.planted", "cardshoe.journal.witness.service"),
    ("cardshoe.floor.planted", "psycopg"),
    ("cardshoe.floor.facts.planted", "cardshoe.screens.view.parts"),
    ("cardshoe.floor.pages.planted", "regulations.events.vocabulary"),
]


def test_every_contract_has_a_case() -> None:
    assert {contract["id"] for contract in CONTRACTS} == set(CASES)


def test_the_roads_are_kept_from_every_other_room() -> None:
    contract = next(contract for contract in CONTRACTS if contract["id"] == "roads-results-only")
    rooms = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for folder in (ROOT / "cardshoe", ROOT / "cardshoe" / "screens")
        for path in folder.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    named = {name for name in contract["forbidden_modules"] if name.startswith("cardshoe.")}
    own = {"cardshoe.screens", "cardshoe.screens.roads", "cardshoe.__init__", "cardshoe.screens.__init__"}
    assert named == rooms - own


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    """What imports what in the packages as they stand."""
    return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


@pytest.fixture(scope="module")
def judged(graph: ImportGraph) -> ImportGraph:
    """The graph without the packages of others that no contract names; those are most of what is imported."""
    judged = deepcopy(graph)
    named = {node(name) for contract in CONTRACTS for name in contract.get("forbidden_modules", ())}
    for module in graph.modules:
        if module.partition(".")[0] not in PACKAGES and module not in named:
            judged.remove_module(module)
    return judged


def test_the_packages_and_all_that_is_allowed_pass(graph: ImportGraph) -> None:
    is_kept, output = lint(graph, ALLOWED)
    assert is_kept, output
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken" in output


@pytest.mark.parametrize("contract", CASES)
def test_a_broken_contract_is_caught_and_named(contract: str, judged: ImportGraph) -> None:
    case = CASES[contract]
    is_kept, output = lint(judged, case.offences)
    assert not is_kept, output
    assert broken_contracts(output) == {contract} | case.also, output
    if contract == "no-cycles":
        return  # its report names the cheapest way out of the cycle, not every import in it
    for importer, imported in case.offences:
        assert f"{importer} -> {node(imported)} " in output, output


def test_what_is_planted_is_what_the_same_source_would_import(tmp_path: Path, graph: ImportGraph) -> None:
    """Into a copy of the files, and into the graph: the graphs are the same."""
    importer, ours, other = "cardshoe.floor.planted.deep", "cardshoe.planted", "serial.tools.list_ports"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "cardshoe" / "floor" / "planted").mkdir()
    (tmp_path / "cardshoe" / "floor" / "planted" / "__init__.py").touch()
    (tmp_path / "cardshoe" / "floor" / "planted" / "deep.py").write_text(f"import {ours}\nimport {other}\n")
    (tmp_path / "cardshoe" / "planted.py").touch()
    code = (
        f"import grimp, json; graph = grimp.build_graph(*{PACKAGES}, include_external_packages=True, cache_dir=None)\n"
        "print(json.dumps([[one, sorted(graph.find_modules_directly_imported_by(one))] for one in graph.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    planted = plant(graph, [(importer, ours), (importer, other)])
    assert dict(json.loads(done.stdout)) == {
        one: sorted(planted.find_modules_directly_imported_by(one)) for one in planted.modules
    }


class Built(GraphBuilder):
    """Hands import-linter a graph that is there already."""

    def __init__(self, graph: ImportGraph) -> None:
        self._graph = graph

    def build(self, *_packages: object, **_options: object) -> ImportGraph:
        return self._graph


def lint(graph: ImportGraph, imports: list[tuple[str, str]]) -> tuple[bool, str]:
    """Run import-linter on the packages with these imports planted."""
    configuration.configure()
    settings.configure(GRAPH_BUILDER=Built(plant(graph, imports)))
    console.width = 1000
    with console.capture() as said:
        is_kept = lint_imports(str(ROOT / "pyproject.toml"), cache_dir=None, is_debug_mode=True, no_logo=True)
    return is_kept, said.get()


def plant(graph: ImportGraph, imports: list[tuple[str, str]]) -> ImportGraph:
    """A copy of the graph with these imports, and the modules that are missing for them."""
    planted = deepcopy(graph)
    for importer, imported in imports:
        add(planted, importer)
        add(planted, imported)
        line = f"import {imported}"
        planted.add_import(importer=importer, imported=node(imported), line_number=1, line_contents=line)
    return planted


def add(graph: ImportGraph, module: str) -> None:
    """A module, and the packages around it, where missing."""
    name = node(module)
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        if (one := ".".join(parts[:count])) not in graph.modules:
            graph.add_module(one, is_squashed=parts[0] not in PACKAGES)


def node(module: str) -> str:
    """The name of a module in the graph: of others' packages only the first part is there."""
    first = module.partition(".")[0]
    return module if first in PACKAGES else first


def broken_contracts(output: str) -> set[str]:
    """The ids of the contracts that a report calls broken."""
    ids = {contract["name"]: contract["id"] for contract in CONTRACTS}
    return {ids[name] for name in re.findall(r"^(.+) BROKEN", output, flags=re.MULTILINE)}
