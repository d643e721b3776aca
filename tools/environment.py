"""Make a build: a folder with a whole environment from the lock.

Relocatable, and never changed afterwards, so bytecode is compiled once.
"""

import base64
import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.bootstrap import COMMAND, LOCKED, NOT_INSTALLED, environment

ROOT = Path(__file__).resolve().parent.parent

# What builds the wheel; the lock of everything else has their sums.
BUILDERS = ("hatchling", "packaging", "pathspec", "pluggy", "trove-classifiers")


class NotMade(Exception):
    """A build cannot be made; the message has the reason."""


def part_of_lock(text: str, names: Sequence[str]) -> str:
    entries, wanted = [], False
    for line in text.splitlines():
        if line[:1].isalnum():
            wanted = line.partition("==")[0] in names
        if wanted:
            entries.append(line)
    return "\n".join(entries) + "\n"


def builders(folder: Path) -> tuple[Path, list[str]]:
    pip = environment(folder.absolute())
    if pip is None:
        raise NotMade(f"{sys.executable} makes no environment")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as asked:
        asked.write(part_of_lock((ROOT / "requirements" / "dev.lock").read_text(), BUILDERS))
        asked.flush()
        _run([*pip, *LOCKED, "-r", asked.name], NOT_INSTALLED.format(lock="requirements/dev.lock"))
    return folder.absolute() / "bin" / "python", pip


def build_wheel(python: Path, source: Path, into: Path) -> Path:
    into.mkdir(parents=True, exist_ok=True)
    _run([str(python), "-m", "hatchling", "build", "-t", "wheel", "-d", str(into.absolute())], "no wheel", cwd=source)
    return max(into.glob("cardshoe-*.whl"), key=lambda path: path.stat().st_mtime)


def make_build(into: Path, wheel: Path, pip: Sequence[str], python: Path, will_lie_in: Path) -> Path:
    """Make a build, or reuse one of the same version and content hash."""
    lock = ROOT / "requirements" / "run.lock"
    version = wheel.name.split("-")[1]
    real = Path(os.path.realpath(python))
    went_in = [wheel.read_bytes(), lock.read_bytes(), str(real).encode(), str(will_lie_in).encode()]
    digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in went_in)).hexdigest()
    build = into / f"{version}-{digest[:8]}"
    if build.is_dir():
        return build
    into.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=into, prefix=".making-"))
    try:
        _fill(made, wheel, lock, pip, real)
        _forget_where(made, real, will_lie_in / build.name)
        rules = _output_of(
            [made / "bin" / "python", "-c", "import regulations.law.edition as e; print(e.RULES_VERSION)"]
        )
        about = {"name": build.name, "version": version, "rules": int(rules)}
        (made / "build.json").write_text(json.dumps(about) + "\n")
        _compile(made, will_lie_in / build.name)
        for path in (made, *made.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        made.rename(build)
    except BaseException:
        shutil.rmtree(made)
        raise
    return build


def _fill(made: Path, wheel: Path, lock: Path, pip: Sequence[str], python: Path) -> None:
    _run([str(python), "-m", "venv", "--without-pip", str(made)], f"{python} makes no environment")
    options = [*LOCKED, "--no-compile", "--no-warn-script-location"]
    own = [*pip[:3], "--python", str(made / "bin" / "python")]  # python -m pip, for another environment than its own
    _run([*own, *options, "-r", str(lock)], NOT_INSTALLED.format(lock=lock))
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as asked:
        # By its name: of a path that it is told pip would keep a note.
        asked.write(f"cardshoe=={wheel.name.split('-')[1]} --hash=sha256:{digest}\n")
        asked.flush()
        found = ["--no-index", "--find-links", str(wheel.parent)]
        _run([*own, *options, *found, "-r", asked.name], NOT_INSTALLED.format(lock=wheel))


def _forget_where(made: Path, python: Path, lies: Path) -> None:
    (made / "pyvenv.cfg").write_text(f"home = {python.parent}\ninclude-system-site-packages = false\n")
    for folder in ("include", "share"):  # headers, and the manuals of commands that are gone
        shutil.rmtree(made / folder, ignore_errors=True)
    for script in (made / "bin").iterdir():
        if not script.name.startswith("python"):
            script.unlink()
    (made / "bin" / "python").unlink()
    (made / "bin" / "python").symlink_to(python)
    command = made / "bin" / "cardshoe"
    command.write_text(COMMAND.format(python=lies / "bin" / "python"))
    command.chmod(0o755)
    for record in made.glob("lib/python*/site-packages/*.dist-info/RECORD"):
        home = record.parent.parent
        rows = [row for row in csv.reader(io.StringIO(record.read_text())) if (home / row[0]).exists()]
        rows = [_hashed(home, row) if row[0].startswith("../../../bin/") else row for row in rows]
        with record.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


def _hashed(home: Path, row: list[str]) -> list[str]:
    data = (home / row[0]).read_bytes()
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return [row[0], f"sha256={digest}", str(len(data))]


def _compile(made: Path, lies: Path) -> None:
    # By the source's hash, not by its time, so that it is the same in each build; and with the paths of later.
    moved = ["-s", str(made), "-p", str(lies), "--invalidation-mode", "checked-hash"]
    program = [str(made / "bin" / "python"), "-m", "compileall", "-qq", *moved, str(made / "lib")]
    subprocess.run(program, check=False)  # a file for another Python than this one does not compile, and is not needed


def _output_of(command: Sequence[Path | str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _run(command: Sequence[str], problem: str, cwd: Path | None = None) -> None:
    if subprocess.run(command, check=False, cwd=cwd).returncode != 0:
        raise NotMade(problem)
