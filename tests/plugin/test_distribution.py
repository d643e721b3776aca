"""The plugin as a distribution: what its wheel holds, and that it imports nothing of cardshoe."""

import ast
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

from tests.plugin.foreign import DISTRIBUTION, ROOT, SOURCES

PACKAGE = SOURCES / "pytest_cardshoe"
PROJECT = tomllib.loads((DISTRIBUTION / "pyproject.toml").read_text())["project"]


def test_it_imports_nothing_but_pytest_and_the_standard_library() -> None:
    allowed = {"pytest", "pytest_cardshoe", *sys.stdlib_module_names}
    found = set()
    for module in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.Import):
                found |= {(module.name, alias.name.partition(".")[0]) for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, module
                found.add((module.name, (node.module or "").partition(".")[0]))
    assert ("plugin.py", "pytest") in found
    assert {(module, name) for module, name in found if name not in allowed} == set()


def test_the_guard_needs_nothing_but_the_standard_library() -> None:
    roots = {
        alias.name for node in ast.walk(ast.parse((PACKAGE / "guard.py").read_text())) if isinstance(node, ast.Import)
        for alias in node.names
    }  # fmt: skip
    assert roots <= set(sys.stdlib_module_names)


def test_its_version_is_cardshoe_s() -> None:
    cardshoe = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for key in ("version", "license", "requires-python"):
        assert PROJECT[key] == cardshoe[key]
    assert PROJECT["dependencies"] == ["pytest>=8"]


def test_the_wheel(tmp_path: Path) -> None:
    copy = tmp_path / "pytest-cardshoe"
    shutil.copytree(DISTRIBUTION, copy, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = (tmp_path / "dist").iterdir()
    assert built.name == f"pytest_cardshoe-{PROJECT['version']}-py3-none-any.whl"
    with zipfile.ZipFile(built) as wheel:
        names = set(wheel.namelist())
        info = f"pytest_cardshoe-{PROJECT['version']}.dist-info"
        assert wheel.read(f"{info}/entry_points.txt").decode().split() == [
            "[pytest11]",
            "pytest_cardshoe",
            "=",
            "pytest_cardshoe",
        ]
        metadata = Parser().parsestr(wheel.read(f"{info}/METADATA").decode())
    assert {f"pytest_cardshoe/{path.name}" for path in PACKAGE.iterdir() if path.is_file()} == {
        name for name in names if not name.startswith(info)
    }
    assert "pytest_cardshoe/py.typed" in names
    assert metadata.get_all("Requires-Dist") == ["pytest>=8"]
    assert "cardshoe_table" in str(metadata.get_payload())
