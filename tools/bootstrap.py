"""Create the virtual environment from the lock: `python3 tools/bootstrap.py .venv requirements/dev.lock`.

Runs on the bare Python of a fresh machine, so it uses the standard library alone and must at least start on a Python
that is too old, to say so. Everything installed is pinned by hash; only wheels are taken, because building from source
would run code that no hash covers.
"""

import subprocess
import sys
import venv
from pathlib import Path

OLDEST_PYTHON = (3, 11)

# The first pip that can install into another environment than its own (`pip --python`).
OLDEST_PIP_FOR_OTHERS = (22, 3)

PIP_OPTIONS = ["--disable-pip-version-check", "--no-input", "--quiet"]

# Nothing but what a lock names, file by file.
LOCKED = ["install", *PIP_OPTIONS, "--no-deps", "--require-hashes", "--only-binary", ":all:"]

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


def main(arguments: list[str]) -> int:
    """Create or update an environment.

    Args:
        arguments: the folder of the environment, and the lock file.

    Returns:
        The exit code: 0 done, 1 not done (the reason has been printed).
    """
    if sys.version_info < OLDEST_PYTHON:  # the point is to tell those who have an older one
        wanted, found = (".".join(str(part) for part in version[:2]) for version in (OLDEST_PYTHON, sys.version_info))
        return _fail(TOO_OLD.format(wanted=wanted, found=found, executable=sys.executable))
    folder, lock = Path(arguments[0]).absolute(), Path(arguments[1])
    print(f"Setting up {arguments[0]} from {lock} (once, and after each change of it) ...", flush=True)

    pip = environment(folder)
    if pip is None:
        return 1
    steps = [
        # The lock is whole, so nothing is to be resolved: what requirements/overrides.txt replaces stays replaced.
        [*pip, *LOCKED, "-r", str(lock)],
        [*pip, "install", *PIP_OPTIONS, "--no-deps", "--no-build-isolation", "-e", "."],
    ]
    for step in steps:
        if subprocess.run(step, check=False).returncode != 0:
            return _fail(NOT_INSTALLED.format(lock=lock))
    return 0


def environment(folder: Path) -> "list[str] | None":
    """Create an environment, unless it is there and works.

    Args:
        folder: where, absolute.

    Returns:
        The command of a pip that installs into it; None: this Python can make none (the reason has been printed).
    """
    python = folder / "bin" / "python"
    if _has_own_pip(folder, python):
        return [str(python), "-m", "pip"]
    if _have_ensurepip():
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
    """True if the environment works as it is: not moved here from elsewhere, its Python still there and fit."""
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
    """The version of the pip that belongs to the running Python; () if there is none."""
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
