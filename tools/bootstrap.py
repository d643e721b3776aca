"""Create a virtual environment from a lock: `python3 tools/bootstrap.py [--small] FOLDER LOCK`.

Standard library only; must start on an old Python. Only wheels pinned by hash are installed.
"""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

OLDEST_PYTHON = (3, 11)

# The first pip that can install into another environment than its own (`pip --python`).
OLDEST_PIP_FOR_OTHERS = (22, 3)

PIP_OPTIONS = ["--disable-pip-version-check", "--no-input", "--quiet"]

# Nothing but what a lock names, file by file.
LOCKED = ["install", *PIP_OPTIONS, "--no-deps", "--require-hashes", "--only-binary", ":all:"]

PIPS = 2
"""Pips side by side; each more costs a second of CPU."""

TOO_OLD = """\
cardshoe needs Python {wanted} or newer; {executable} is {found}.
Remedy: name a newer one, for example: make setup PYTHON=python3.12
"""

NO_PIP = """\
{executable} can make no virtual environment: it has neither ensurepip nor a pip of {pip} or newer.
Remedy: on Debian and Ubuntu, as root: apt-get install python3-venv
        or name another Python: make setup PYTHON=python3.12
"""

NOT_INSTALLED = """\
The packages of {lock} could not be installed (pip's reason stands above).
If no package index is reachable from here, pip takes another from its usual settings: `pip config --help`.
"""


COMMAND = "#!{python}\nimport sys\nfrom cardshoe.cli import main\nsys.exit(main())\n"


def main(arguments: list[str]) -> int:
    """Create or update an environment; exit code 0: done, 1: not done, reason printed."""
    if sys.version_info < OLDEST_PYTHON:  # the point is to tell those who have an older one
        wanted, found = (".".join(str(part) for part in version[:2]) for version in (OLDEST_PYTHON, sys.version_info))
        return _fail(TOO_OLD.format(wanted=wanted, found=found, executable=sys.executable))
    small = arguments[0] == "--small"
    name, lock = arguments[-2:]
    folder = Path(name).absolute()
    print(f"Setting up {name} from {lock} (once, and after each change of it) ...", flush=True)

    if small:  # what is not locked would stay, and to make it again takes seconds
        shutil.rmtree(folder, ignore_errors=True)
    pip = environment(folder, own_pip=not small)
    if pip is None:
        return 1
    install = [*pip, *LOCKED, "--no-compile"] if small else [*pip, *LOCKED]
    done = install_locked(install, Path(lock).read_text())
    if done and small:
        link(folder)
    elif done:
        itself = [*pip, "install", *PIP_OPTIONS, "--no-deps", "--no-build-isolation", "-e", str(ROOT)]
        done = subprocess.run(itself, check=False).returncode == 0
    return 0 if done else _fail(NOT_INSTALLED.format(lock=lock))


def install_locked(install: list[str], lock: str) -> bool:
    """Install a whole lock with several pips: nothing is resolved."""
    entries = re.split(r"^(?=\w)", lock, flags=re.MULTILINE)
    with tempfile.TemporaryDirectory(prefix="cardshoe-lock-") as folder:
        pips = []
        for number in range(PIPS):
            part = Path(folder) / f"{number}.lock"
            part.write_text("".join(entries[number::PIPS]))
            pips.append(subprocess.Popen([*install, "-r", str(part)]))
        return sum(pip.wait() != 0 for pip in pips) == 0


def link(folder: Path) -> None:
    import tomllib  # noqa: PLC0415  older Pythons, which this module must start on, have none

    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    packages = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder), "platbase": str(folder)}))
    about = f"cardshoe-{version}.dist-info"
    files = {
        packages / "cardshoe.pth": f"{ROOT}\n",
        packages / about / "METADATA": f"Metadata-Version: 2.1\nName: cardshoe\nVersion: {version}\n",
        packages / about / "INSTALLER": "tools/bootstrap.py\n",
        packages / about / "direct_url.json": json.dumps({"url": ROOT.as_uri(), "dir_info": {"editable": True}}),
        packages / about / "RECORD": "",
        folder / "bin" / "cardshoe": COMMAND.format(python=folder / "bin" / "python"),
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "bin" / "cardshoe").chmod(0o755)


def environment(folder: Path, *, own_pip: bool = True) -> "list[str] | None":
    """Create an environment; return a pip command, None: this Python cannot."""
    python = folder / "bin" / "python"
    if _has_own_pip(folder, python):
        return [str(python), "-m", "pip"]
    if _have_ensurepip() and (own_pip or _pip_version() < OLDEST_PIP_FOR_OTHERS):
        venv.create(folder, with_pip=True, clear=True)
        return [str(python), "-m", "pip"]
    if _pip_version() >= OLDEST_PIP_FOR_OTHERS:
        # Debian's python3 without python3-venv has no ensurepip, but often a pip, which can fill it from outside.
        venv.create(folder, with_pip=False, clear=True)
        return [sys.executable, "-m", "pip", "--python", str(python)]
    pip_wanted = ".".join(str(part) for part in OLDEST_PIP_FOR_OTHERS)
    _fail(NO_PIP.format(executable=sys.executable, pip=pip_wanted))
    return None


def _has_own_pip(folder: Path, python: Path) -> bool:
    question = "import pip, sys; print(sys.prefix, sys.version_info >= " + repr(OLDEST_PYTHON) + ")"
    try:
        answer = subprocess.run([str(python), "-c", question], capture_output=True, text=True, check=False).stdout
    except OSError:
        return False
    return answer.strip() == f"{folder} True"


def _have_ensurepip() -> bool:
    try:
        import ensurepip  # noqa: PLC0415  Debian leaves it out of python3: importing it is the question
    except ImportError:
        return False
    return bool(ensurepip.version())


def _pip_version() -> tuple[int, ...]:
    done = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, text=True, check=False)
    words = done.stdout.split()  # pip 23.0.1 from ...
    if done.returncode != 0 or len(words) < len(("pip", "version")):
        return ()
    return tuple(int(part) for part in words[1].split(".")[:2] if part.isdigit())


def _fail(message: str) -> int:
    sys.stderr.write(message)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
