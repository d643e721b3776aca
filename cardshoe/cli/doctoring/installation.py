"""Check packages, versions and the terminal's encoding."""

import base64
import codecs
import csv
import hashlib
import importlib.metadata
import importlib.util
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from cardshoe.cli.doctoring.findings import Finding, fine, problem, warning

PACKAGES: Final = ("regulations", "protocols", "drivers", "conformance", "firmware_bridge", "sim", "cardshoe")
"""Common names: another distribution may bring one (docs/adr/0001)."""

OLDEST_PYTHON: Final = (3, 11)

OLDEST_SQLITE: Final = (3, 51, 3)
"""Before it, two connections in WAL mode could lose commits."""

REINSTALL: Final = (
    "Install cardshoe as it was tested, from the lock into an environment of its own: `make install`, or the Debian "
    "package (docs/installing.md)."
)


def installation() -> Iterator[Finding]:
    yield from packages()
    yield from mixed()
    yield from libraries()
    yield encoding(sys.stdout.encoding)


def packages() -> Iterator[Finding]:
    try:
        own = importlib.metadata.distribution("cardshoe")
    except PackageNotFoundError:
        yield warning("packages", "cardshoe is not installed, only found on Python's path", REINSTALL)
        return
    home = home_of(own)
    brought = providers(PACKAGES)
    wrong = [finding for name in PACKAGES if (finding := _package(name, home, own, brought[name])) is not None]
    yield from wrong
    if not wrong:
        yield fine("packages", f"all {len(PACKAGES)} come from cardshoe {own.version}")


def _package(name: str, home: Path, own: Distribution, brought_by: AbstractSet[str]) -> Finding | None:
    found = origin_of(name)
    wanted = home / name / "__init__.py"
    if found is None or found.resolve() != wanted.resolve():
        return problem("packages", f"`{name}` comes from {found or 'nowhere'}, not from cardshoe ({wanted})", REINSTALL)
    others = brought_by - {"cardshoe"}
    if others:
        return problem("packages", f"`{name}` is brought by {', '.join(sorted(others))} as well", REINSTALL)
    return _altered("packages", name, own)


def mixed() -> Iterator[Finding]:
    """Modules installed by two distributions, where the later one runs (crcmod, crcmod-plus)."""
    owners: dict[tuple[str, str], set[str]] = {}
    for distribution in importlib.metadata.distributions():
        # Each of them is read once for all its modules: to ask for the name reads a file.
        home, name = str(distribution.locate_file("")), distribution.name
        for file, _ in _recorded(distribution):
            owners.setdefault((home, file), set()).add(name)
    shared = {(Path(*file).parent.name, tuple(sorted(names))) for file, names in owners.items() if len(names) > 1}
    for package, names in sorted(shared):
        if package in PACKAGES:
            continue  # said of each of ours already
        what = f"`{package}` was installed by {' and '.join(names)}: it is not known whose code runs"
        yield problem("packages", what, f"This differs from the tested installation. {REINSTALL}")


def _altered(about: str, package: str, distribution: Distribution) -> Finding | None:
    altered = altered_files(distribution, package)
    if not altered:
        return None
    what = f"`{package}`: {altered[0]} differs from what {distribution.name} {distribution.version} installed"
    return problem(about, what, REINSTALL)


def home_of(distribution: Distribution) -> Path:
    direct = json.loads(distribution.read_text("direct_url.json") or "{}")
    if direct.get("dir_info", {}).get("editable"):
        return Path(unquote(urlsplit(direct["url"]).path))
    return Path(str(distribution.locate_file("")))


def origin_of(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    return None if spec is None or spec.origin is None else Path(spec.origin)


def providers(packages: Collection[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {name: set() for name in packages}
    for distribution in importlib.metadata.distributions():
        for package in {file.split("/")[0] for file, _ in _recorded(distribution)}.intersection(found):
            found[package].add(distribution.name)
    return found


def _recorded(distribution: Distribution) -> Iterator[tuple[str, str]]:
    for file, digest, *_ in csv.reader((distribution.read_text("RECORD") or "").splitlines()):
        if file.endswith(".py") and digest:
            yield file, digest


def altered_files(distribution: Distribution, package: str) -> list[str]:
    return [
        file
        for file, digest in _recorded(distribution)
        if file.split("/")[0] == package
        and _digest(Path(str(distribution.locate_file(file))), digest.partition("=")[0]) != digest
    ]


def _digest(path: Path, mode: str) -> str | None:
    try:
        digest = hashlib.new(mode, path.read_bytes()).digest()
    except OSError:
        return None
    return f"{mode}={base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"


def libraries() -> Iterator[Finding]:
    running = sys.version_info[:3]
    if running < OLDEST_PYTHON:
        yield problem("versions", f"Python {_dotted(running)} runs", f"Install {_dotted(OLDEST_PYTHON)} or newer.")
    else:
        yield fine("versions", f"Python {_dotted(running)}")
    yield database(_version("apsw"))
    yield serial_library()


def database(version: str | None) -> Finding:
    if version is None:
        return problem("versions", "apsw, the journal's database library, is not installed", REINSTALL)
    numbers = tuple(int(part) for part in version.split(".")[:3] if part.isdigit())
    if numbers < OLDEST_SQLITE:
        what = f"SQLite {_dotted(numbers)} of apsw {version} can lose commits"
        return problem("versions", what, f"Install the locked apsw: {_dotted(OLDEST_SQLITE)} or newer.")
    return fine("versions", f"SQLite {_dotted(numbers)}, of apsw {version}")


def serial_library() -> Finding:
    others = sorted(providers(["serial"])["serial"] - {"pyserial"})
    if others:
        return problem("versions", f"`serial` is brought by {', '.join(others)}", _pyserial(others))
    try:
        pyserial = importlib.metadata.distribution("pyserial")
    except PackageNotFoundError:
        return problem("versions", "pyserial is not installed", REINSTALL)
    found, wanted = origin_of("serial"), home_of(pyserial) / "serial" / "__init__.py"
    if found is None or found.resolve() != wanted.resolve():
        return problem("versions", f"`serial` comes from {found or 'nowhere'}, not from pyserial", _pyserial([]))
    return _altered("versions", "serial", pyserial) or fine("versions", f"pyserial {pyserial.version}")


def _pyserial(others: Sequence[str]) -> str:
    gone = f"Uninstall {', '.join(others)}, then r" if others else "R"
    return f"{gone}einstall pyserial from the lock. {REINSTALL}"


def encoding(name: str | None) -> Finding:
    try:
        is_utf8 = codecs.lookup(name or "ascii").name == "utf-8"
    except LookupError:
        is_utf8 = False
    if is_utf8:
        return fine("locale", "UTF-8")
    return warning("locale", f"the output is {name}", "Set a UTF-8 locale, such as LC_ALL=C.UTF-8.")


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except PackageNotFoundError:
        return None


def _dotted(numbers: Sequence[int]) -> str:
    return ".".join(str(number) for number in numbers)
