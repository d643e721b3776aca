"""tools/check_lock.py finds each way in which project, locks and environment can disagree, and nothing else.

And tools/bootstrap.py installs what a lock names, whole.
"""

import shutil
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from cardshoe.cli.doctoring.installation import home_of
from tools import bootstrap, check_lock

ROOT = Path(__file__).resolve().parent.parent.parent
SUM = "--hash=sha256:" + "0123456789abcdef" * 4

GOOD = f"""\
# a comment
click==8.5.1 \\
    {SUM} \\
    {SUM}
colorama==0.4.6 ; sys_platform == 'win32' \\
    {SUM}
"""

BAD = f"""\
--index-url https://example.invalid/simple
click==8.5.1
six>=1.17 \\
    {SUM}
rich==15 \\
    --hash=md5:00
"""


def test_this_repository_is_in_order() -> None:
    assert list(check_lock.all_problems(ROOT)) == []


def test_a_lock_is_read_whole() -> None:
    locked = check_lock.read_lock(GOOD)
    assert {name: (entry.version, entry.hashes) for name, entry in locked.items()} == {
        "click": ("8.5.1", 2),
        "colorama": ("0.4.6", 1),
    }
    assert locked["click"].applies_here
    assert not locked["colorama"].applies_here
    assert list(check_lock.problems_of_lock(GOOD)) == []


def test_every_entry_of_our_locks_is_read() -> None:
    for path in sorted((ROOT / "requirements").glob("*.lock")):
        text = path.read_text()
        entries = check_lock.read_lock(text)
        assert len(entries) == text.count("==") - text.count(" == ") - text.count(" != ==")
        assert sum(entry.hashes for entry in entries.values()) == text.count("--hash=")


def test_what_is_wrong_with_a_lock_is_said() -> None:
    assert list(check_lock.problems_of_lock(BAD)) == [
        "line 1 holds an address or an option: --index-url https://example.invalid/simple",
        "click has no sha256 hash, or something else among its hashes",
        "six is not pinned to one version",
        "rich has no sha256 hash, or something else among its hashes",
    ]


def test_a_requirement_that_the_lock_does_not_meet_is_said() -> None:
    asked = [Requirement(text) for text in ("click>=8", "click>=9", "Rich>=13")]
    assert list(check_lock.problems_of_requirements(asked, check_lock.read_lock(GOOD))) == [
        "pyproject.toml asks for click>=9, but 8.5.1 is locked",
        "pyproject.toml asks for Rich>=13, which is not locked",
    ]


def test_build_backend_and_groups_are_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    run = {requirement.name for requirement in check_lock.requirements_of(project, dev=False)}
    dev = {requirement.name for requirement in check_lock.requirements_of(project, dev=True)}
    assert {"apsw", "construct", "transitions"} <= run
    assert run | {"hatchling", "editables", "pytest", "ruff"} <= dev
    assert "pytest" not in run


def test_the_application_gets_what_was_tested() -> None:
    run = check_lock.read_lock(GOOD)
    dev = check_lock.read_lock(GOOD.replace("8.5.1", "8.5.2"))
    assert list(check_lock.problems_of_subset(run, run)) == []
    assert list(check_lock.problems_of_subset(run, dev)) == ["click 8.5.1 is not what dev.lock has"]


def test_an_environment_that_differs_is_said() -> None:
    locked = check_lock.read_lock(GOOD)
    own = {"pip": "23.2.1", "setuptools": "65.5.0", "cardshoe": "0.1.0"}
    assert list(check_lock.problems_of_environment(own | {"click": "8.5.1"}, locked)) == []
    assert list(check_lock.problems_of_environment(own, locked)) == ["click 8.5.1 is locked but not installed"]
    assert list(check_lock.problems_of_environment(own | {"click": "8.0", "nose": "1.3"}, locked)) == [
        "click 8.0 is installed, 8.5.1 is locked",
        "nose 1.3 is installed but not locked",
    ]


def test_the_demos_environment_is_held_to_the_run_lock(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "requirements/run.lock", "requirements/dev.lock"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    small = tmp_path / check_lock.SMALL
    bootstrap.link(small)
    found = list(check_lock.all_problems(tmp_path))
    locked = check_lock.read_lock((ROOT / "requirements" / "run.lock").read_text())
    wanted = [f"{name} {entry.version}" for name, entry in sorted(locked.items()) if entry.applies_here]
    assert found == [f"{check_lock.SMALL}: {entry} is locked but not installed" for entry in wanted]


def test_a_linked_environment_knows_cardshoe(tmp_path: Path) -> None:
    bootstrap.link(tmp_path)
    packages = next(tmp_path.glob("lib/python*/site-packages"))
    (own,) = metadata.distributions(name="cardshoe", path=[str(packages)])
    assert (own.version, home_of(own)) == (metadata.version("cardshoe"), ROOT)
    assert (packages / "cardshoe.pth").read_text() == f"{ROOT}\n"
    assert (tmp_path / "bin" / "cardshoe").stat().st_mode & 0o777 == 0o755


def test_each_entry_of_a_lock_goes_to_one_pip_with_its_hashes(tmp_path: Path) -> None:
    keep = f"import shutil, sys; shutil.copy(sys.argv[-1], {str(tmp_path)!r})"
    text = (ROOT / "requirements" / "run.lock").read_text()
    assert bootstrap.install_locked([sys.executable, "-c", keep], text)
    parts = [check_lock.read_lock(part.read_text()) for part in tmp_path.glob("*.lock")]
    assert len(parts) == bootstrap.PIPS
    assert sum(map(len, parts)) == len(check_lock.read_lock(text))
    assert {name: entry for part in parts for name, entry in part.items()} == check_lock.read_lock(text)


@pytest.mark.parametrize("end", ["sys.exit(1)", "os.kill(os.getpid(), 9)"], ids=["exit code", "signal"])
def test_one_pip_that_fails_fails_the_installation(end: str) -> None:
    second = f"import os, sys; '1.lock' in sys.argv[-1] and {end}"
    assert not bootstrap.install_locked([sys.executable, "-c", second], GOOD)
