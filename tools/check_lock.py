"""Check, without a network, that pyproject.toml, the two locks and the environments made from them agree.

`requirements/dev.lock` holds everything `make` installs; `requirements/run.lock` only what the application needs to
run. Run as `python -m tools.check_lock` (or `make lock-check`); prints each disagreement and exits with 1 if there is
any.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent

SMALL = Path(".cache/run-venv")
"""Below the root: the demo's environment, from run.lock (Makefile)."""

RUN_EXTRAS = ("table", "floor", "update")
"""Extras that a table computer has: in both locks (`make lock`)."""

# What `python -m venv` puts there itself, and the project: installed, but not locked.
NOT_LOCKED = {"pip", "setuptools", "wheel", "cardshoe"}

REMEDY = "Remedy: `make lock` if pyproject.toml changed, `make clean setup` if an environment did.\n"

_ENTRY = re.compile(r"^(?P<requirement>\S[^\\\n]*?)\s*\\?\n(?P<hashes>(?:[ \t]+.*\n?)*)", flags=re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\s*\\?")


@dataclass(frozen=True, slots=True)
class Locked:
    """One entry of a lock.

    Args:
        hashes: how many sha256 sums it has, at least 1 in a good lock.
    """

    requirement: Requirement
    hashes: int

    @property
    def version(self) -> str:
        """The version pinned, or "" if the entry does not pin one."""
        specifiers = list(self.requirement.specifier)
        return specifiers[0].version if [s.operator for s in specifiers] == ["=="] else ""

    @property
    def applies_here(self) -> bool:
        marker = self.requirement.marker
        return marker is None or marker.evaluate()


def read_lock(text: str) -> dict[str, Locked]:
    """Read a lock.

    Raises:
        packaging.requirements.InvalidRequirement: a line is no requirement.
    """
    body = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("#", "-")))
    entries: dict[str, Locked] = {}
    for match in _ENTRY.finditer(body):
        requirement = Requirement(match["requirement"])
        sums = [line.strip() for line in match["hashes"].splitlines()]
        good = sum(1 for line in sums if _HASH.fullmatch(line))
        entries[canonicalize_name(requirement.name)] = Locked(requirement, good if good == len(sums) else 0)
    return entries


def problems_of_lock(text: str) -> Iterator[str]:
    """Say what is wrong with a lock by itself."""
    for number, line in enumerate(text.splitlines(), start=1):
        if "://" in line or line.startswith("-"):
            yield f"line {number} holds an address or an option: {line.strip()}"
    for name, entry in read_lock(text).items():
        if not entry.version or entry.version.endswith("*"):
            yield f"{name} is not pinned to one version"
        if not entry.hashes:
            yield f"{name} has no sha256 hash, or something else among its hashes"


def requirements_of(project: Mapping[str, Any], *, dev: bool) -> Iterator[Requirement]:
    """The requirements in pyproject.toml."""
    asked: list[str] = list(project["project"]["dependencies"])
    for extra in RUN_EXTRAS:
        asked += [one for one in project["project"]["optional-dependencies"][extra] if not one.startswith("cardshoe[")]
    if dev:
        asked += project["build-system"]["requires"]
        for group in project["dependency-groups"].values():
            asked += [item for item in group if isinstance(item, str)]  # the others include a group that is listed too
    yield from map(Requirement, asked)


def problems_of_requirements(asked: Iterable[Requirement], locked: Mapping[str, Locked]) -> Iterator[str]:
    """Say which requirements the lock does not meet."""
    for requirement in asked:
        entry = locked.get(canonicalize_name(requirement.name))
        if entry is None:
            yield f"pyproject.toml asks for {requirement}, which is not locked"
        elif not requirement.specifier.contains(entry.version, prereleases=True):
            yield f"pyproject.toml asks for {requirement}, but {entry.version} is locked"


def problems_of_subset(run: Mapping[str, Locked], dev: Mapping[str, Locked]) -> Iterator[str]:
    """Say where the lock of the application differs from what was tested."""
    for name, entry in run.items():
        if name not in dev or dev[name].version != entry.version:
            yield f"{name} {entry.version} is not what dev.lock has"


def problems_of_environment(installed: Mapping[str, str], locked: Mapping[str, Locked]) -> Iterator[str]:
    """Say how the environment differs from the lock."""
    wanted = {name: entry.version for name, entry in locked.items() if entry.applies_here}
    for name in sorted(wanted.keys() | installed.keys() - NOT_LOCKED):
        if name not in wanted:
            yield f"{name} {installed[name]} is installed but not locked"
        elif name not in installed:
            yield f"{name} {wanted[name]} is locked but not installed"
        elif installed[name] != wanted[name]:
            yield f"{name} {installed[name]} is installed, {wanted[name]} is locked"


def all_problems(root: Path) -> Iterator[str]:
    """Check the repository at root, the environment that runs this, and the demo's if there is one."""
    project = tomllib.loads((root / "pyproject.toml").read_text())
    locks = {}
    for name in ("run", "dev"):
        text = (root / "requirements" / f"{name}.lock").read_text()
        locks[name] = read_lock(text)
        yield from (f"{name}.lock: {problem}" for problem in problems_of_lock(text))
        asked = requirements_of(project, dev=name == "dev")
        yield from (f"{name}.lock: {problem}" for problem in problems_of_requirements(asked, locks[name]))
    yield from (f"run.lock: {problem}" for problem in problems_of_subset(locks["run"], locks["dev"]))
    environments = {"environment": (sys.path, "dev")}
    for packages in root.glob(f"{SMALL}/lib/python*/site-packages"):
        environments[str(SMALL)] = ([str(packages)], "run")
    for name, (path, lock) in environments.items():
        installed: dict[str, str] = {}
        for found in metadata.distributions(path=path):
            installed[canonicalize_name(found.name)] = found.version
        yield from (f"{name}: {problem}" for problem in problems_of_environment(installed, locks[lock]))


def main() -> int:
    """Print what is wrong. Exit code 0 if nothing is."""
    problems = list(all_problems(ROOT))
    for problem in problems:
        print(problem)
    if problems:
        sys.stderr.write(REMEDY)
        return 1
    print("pyproject.toml, requirements/*.lock and the environments agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
