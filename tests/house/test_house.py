"""The rules of the house that no ready-made tool checks."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.house.files import PACKAGES, ROOT, our_files, our_modules, place
from tools.check_docs import make_targets

MODULE_LINES_MAX = 500
PYPROJECT = (ROOT / "pyproject.toml").read_text()
SETTINGS = tomllib.loads(PYPROJECT)


def test_the_packages_are_shipped_and_nothing_else() -> None:
    assert SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == PACKAGES
    assert all((ROOT / package / "__init__.py").is_file() for package in PACKAGES)


def test_no_module_is_too_long() -> None:
    lengths = {place(path): len(path.read_text().splitlines()) for path in our_modules()}
    assert {name: length for name, length in lengths.items() if length > MODULE_LINES_MAX} == {}


# Reads by name without `drivers.plain_file`: what the kernel, this package or this account's own state folder holds.
OWN_READERS = {
    "cardshoe/cli/campaign/blocks.py", "cardshoe/cli/conforming.py", "cardshoe/cli/doctoring/disk.py",
    "cardshoe/cli/doctoring/installation.py", "cardshoe/cli/running/opening.py",
    "cardshoe/cli/floor/demo/certificates.py", "cardshoe/cli/floor/demo/collector.py",
    "cardshoe/cli/floor/demo/postgres.py",
    "cardshoe/floor/database.py", "cardshoe/floor/persons/staff_list.py", "cardshoe/journal/file/file_holders.py",
    "cardshoe/journal/witness/store.py", "cardshoe/screens/rendering.py", "cardshoe/table/display/listening.py",
    "cardshoe/table/service/builds.py", "cardshoe/table/setup/sample.py", "drivers/port_holders.py",
    "drivers/usb_facts/sysfs.py", "drivers/usb_port/finding.py", "firmware_bridge/trust/approved/client.py",
    "firmware_bridge/trust/approved/publishing.py",
}  # fmt: skip


def test_files_that_a_person_names_are_read_by_one_function() -> None:
    reading = re.compile(r"\.read_text\(|\.read_bytes\(|\.open\(\"rb?\"")
    folders = {"cardshoe", "drivers", "conformance", "firmware_bridge"}
    modules = [path for path in our_modules() if path.relative_to(ROOT).parts[0] in folders]
    assert {place(path) for path in modules if reading.search(path.read_text())} == OWN_READERS


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {path.parent for path in our_modules()}
    assert [place(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_no_test_imports_from_another_one() -> None:
    """The tools of several tests lie in modules that are no tests, in `tests/kit` or beside them."""
    imports = re.compile(r"^\s*(?:from|import) tests\.(?:\w+\.)*test_", re.MULTILINE)
    assert [place(path) for path in our_modules() if imports.search(path.read_text())] == []


def test_every_rule_that_ruff_ignores_has_its_reason() -> None:
    ruff = PYPROJECT[PYPROJECT.index("[tool.ruff]") : PYPROJECT.index("[tool.ruff.lint.pydocstyle]")]
    codes = re.findall(r'^    "([A-Z]+[0-9]+)",(.*)$', ruff, flags=re.MULTILINE)
    lint = SETTINGS["tool"]["ruff"]["lint"]
    assert lint["select"] == ["ALL"]
    assert len(codes) == len(lint["ignore"]) + sum(map(len, lint["per-file-ignores"].values()))
    assert [code for code, reason in codes if not re.fullmatch(r"\s+# .{5,}", reason)] == []


# An exception to a rule of a tool, on the line it is for; the reason follows it, with or without a second number sign.
EXCEPTION = re.compile(
    r"#\s*(?:noqa(?:: *[A-Z]+[0-9]+(?:, *[A-Z]+[0-9]+)*)?|type:\s*ignore(?:\[[\w, -]*\])?|pragma: no \w+)(?P<reason>.*)"
)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("x = 1  # noqa: E501", ""),
        ("x = 1  # noqa: E501, PTH114  paths are text", "paths are text"),
        ("x = y()  # type: ignore[no-any-return]  # construct is untyped", "construct is untyped"),
        ("x = y()  # type: ignore[no-any-return]", ""),
        ("x = y()  # pragma: no cover: only on Windows", "only on Windows"),
    ],
)
def test_reasons_of_exceptions_are_recognised(line: str, reason: str) -> None:
    found = EXCEPTION.search(line)
    assert found
    assert found["reason"].lstrip(" #:-") == reason


def test_every_exception_in_the_code_has_its_reason() -> None:
    bare = []
    for path in our_modules():
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            found = EXCEPTION.search(line)
            if found and not found["reason"].lstrip(" #:-") and path != Path(__file__):
                bare.append(place(path, number))
    assert bare == []


SAMPLES = {"example.toml", "table.toml"}


def test_what_sets_the_house_up_names_no_host_and_no_place_on_a_machine() -> None:
    files = [ROOT / "Makefile", ROOT / "pyproject.toml", ROOT / ".gitignore", *(ROOT / ".ci").iterdir()]
    files += [*our_files(".lock", ".md", ".toml"), *(path for path in our_modules() if path != Path(__file__))]
    personal = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/\w")
    assert [place(path) for path in files if personal.search(path.read_text())] == []
    # The sample configuration shows addresses of devices; it sets nothing up.
    set_up = [path for path in files if path.suffix in {".lock", "", ".toml"} and path.name not in SAMPLES]
    assert [place(path) for path in set_up if "://" in path.read_text() and "packaging" not in path.parts] == []


def test_the_changelog_s_newest_version_is_the_project_s() -> None:
    versions = re.findall(r"^## \[(\d\S*)\]", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert versions[:1] == [SETTINGS["project"]["version"]]


def test_make_explains_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = make_targets(makefile)
    phony = re.findall(r"^\.PHONY: (.*)$", makefile, flags=re.MULTILINE)
    assert targets == set(" ".join(phony).split())
    output = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert set(re.findall(r"^  make ([a-z0-9-]+)  *\w", output, flags=re.MULTILINE)) == targets


@pytest.mark.parametrize("marker", ["law", "hardware", "shared", "kernel", "statistical", "bench"])
def test_markers_are_declared(marker: str) -> None:
    options = SETTINGS["tool"]["pytest"]["ini_options"]
    assert "--strict-markers" in options["addopts"]
    assert [line for line in options["markers"] if line.startswith(f"{marker}: ")]
