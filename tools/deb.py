"""Make the Debian package: `python -m tools.deb FOLDER`, with `dpkg-deb`.

It fits only the Debian whose Python made it.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.dist import epoch
from tools.environment import ROOT, NotMade, build_wheel, builders, make_build
from tools.install import BUILDS, CACHE, SETTINGS, place

PREFIX = Path("/usr")
PACKAGED = "packaged"
"""The package's files beside the builds; dpkg removes them with the next version."""
REVISION = "1"
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")

NOT_DEBIANS = """\
{python} does not come from a Debian package, and our package would depend on it.
Remedy: make deb PYTHON=/usr/bin/python3
"""


def control_files(build: Path, root: Path, python: Path) -> None:
    version = build.name.rpartition("-")[0]
    folder = root / "DEBIAN"
    folder.mkdir(mode=0o755)
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    values = {
        "ARCHITECTURE": _output_of("dpkg", "--print-architecture").strip(),
        "BUILD": build.name,
        "DEBIAN_VERSION": f"{version}-{REVISION}",
        "PYTHON": python.name,
        "SIZE": str(sum(path.stat().st_size for path in files) // 1024),
        "VERSION": version,
    }
    for script in ("control", *SCRIPTS):
        text = (ROOT / "packaging" / "debian" / script).read_text()
        target = folder / script
        target.write_text(re.sub(r"@([A-Z_]+)@", lambda found: values[found[1]], text))
        target.chmod(0o644 if script == "control" else 0o755)
    (folder / "conffiles").write_text(f"/{SETTINGS}\n")
    # dpkg keeps the sum of the administrator's file itself.
    sums = [f"{_md5(path)}  {name}\n" for path in files if (name := path.relative_to(root)) != SETTINGS]
    (folder / "md5sums").write_text("".join(sums))
    for listing in ("conffiles", "md5sums"):
        (folder / listing).chmod(0o644)


def pack(build: Path, root: Path, into: Path, python: Path) -> Path:
    place(build, root, PREFIX)
    control_files(build, root, python)
    into.mkdir(parents=True, exist_ok=True)
    options = ["--root-owner-group", "-Zzstd"]  # xz takes two minutes for the same
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch())}
    command = ["dpkg-deb", *options, "--build", str(root), str(into)]
    said = subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout
    return Path(said.split("'")[-2])  # building package 'cardshoe' in '….deb'.


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="tools.deb", description="Make the Debian package.")
    parser.add_argument("into", type=Path, help="the folder for it")
    into: Path = parser.parse_args(arguments).into
    real = Path(os.path.realpath(sys.executable))
    if real.parent != Path("/usr/bin"):
        sys.stderr.write(NOT_DEBIANS.format(python=real))
        return 1
    os.umask(0o022)
    try:
        python, pip = builders(CACHE / "venv")
        wheel = build_wheel(python, ROOT, CACHE / "dist")
        with tempfile.TemporaryDirectory(prefix="cardshoe-deb-") as folder:
            root = Path(folder) / "root"
            root.mkdir(mode=0o755)
            builds = PREFIX / BUILDS
            build = make_build(root / builds.relative_to("/") / PACKAGED, wheel, pip, real, builds)
            print(pack(build, root, into, real))
    except (NotMade, OSError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"deb: {error}\n")
        return 1
    return 0


def _md5(path: Path) -> str:
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


def _output_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
