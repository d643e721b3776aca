"""Make the release: wheel, source archive, SBOM and sums.

Made from the last commit; reproducible byte for byte.
"""

import hashlib
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from tools.environment import ROOT

SBOM = "cardshoe-{version}.cdx.json"
SUMS = "SHA256SUMS"

NO_COMMIT = """\
Git cannot tell the time of the last commit here.
Remedy: take a clone, or set SOURCE_DATE_EPOCH (seconds since 1970)
"""


def epoch() -> int:
    """SOURCE_DATE_EPOCH, or the last commit's time, in seconds."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given.isdigit():
        return int(given)
    done = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(NO_COMMIT)
    return int(done.stdout)


def export(into: Path) -> None:
    packed = subprocess.run(["git", "archive", "--format=tar", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4 and newer have it
        archive.extractall(into)  # noqa: S202  git has just packed it


def build(source: Path, into: Path, when: int) -> list[Path]:
    into.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(when)}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(into.absolute())]
    subprocess.run(command, cwd=source, env=environment, check=True, capture_output=True)
    return [*into.glob("*.tar.gz"), *into.glob("*.whl")]


def parts(source: Path, when: int) -> dict[str, Any]:
    command = [sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements", "requirements/run.lock"]
    options = ["--pyproject", "pyproject.toml", "--mc-type", "application", "--output-reproducible", "--no-validate"]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(when)}
    said = subprocess.run([*command, *options], cwd=source, env=environment, check=True, capture_output=True)
    found: dict[str, Any] = json.loads(said.stdout)
    own = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    found["metadata"]["component"] |= {"bom-ref": f"pkg:pypi/{own['name']}@{own['version']}"}
    found["metadata"].pop("tools", None)  # addresses of its makers, of no use to whoever reads this
    found["components"] = [_part(one) for one in found["components"]]
    names = [one["bom-ref"] for one in found["components"]]
    found["dependencies"] = [{"ref": found["metadata"]["component"]["bom-ref"], "dependsOn": sorted(names)}]
    return found


def _part(listed: Mapping[str, Any]) -> dict[str, Any]:
    # A part as it is named everywhere, instead of by its line in a lock and an address that nobody promises.
    sums = [one for outer in listed["externalReferences"] for one in outer.get("hashes", ())]
    kept = {name: listed[name] for name in ("type", "name", "version", "purl")}
    return {**kept, "bom-ref": listed["purl"], "hashes": sorted(sums, key=lambda one: one["content"])}


def sums(files: list[Path]) -> str:
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(files)]
    return "".join(lines)


def check_parts(text: str) -> str | None:
    from cyclonedx.schema import SchemaVersion  # noqa: PLC0415  it takes a second, and is for `make dist` alone
    from cyclonedx.validation.json import JsonStrictValidator  # noqa: PLC0415  as above

    found = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    return None if found is None else str(found)


def main(arguments: list[str]) -> int:
    into, when = Path(arguments[0]), epoch()
    with tempfile.TemporaryDirectory(prefix="cardshoe-dist-") as folder:
        source = Path(folder)
        export(source)
        made = build(source, into, when)
        text = json.dumps(parts(source, when), indent=2, sort_keys=True) + "\n"
    if (problem := check_parts(text)) is not None:
        sys.stderr.write(f"dist: the list of parts: {problem}\n")
        return 1
    version = made[-1].name.split("-")[1]
    listed = into / SBOM.format(version=version)
    listed.write_text(text)
    (into / SUMS).write_text(sums([*made, listed]))
    print((into / SUMS).read_text(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
