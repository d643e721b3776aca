"""What is handed out beside the package, each alone in an empty environment: pytest plugin and verifier."""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.package.bare_root import ROOT
from tools.environment import part_of_lock

PLUGIN: Final = ROOT / "packaging" / "pytest-cardshoe"
VERIFIER: Final = ROOT / "packaging" / "cardshoe-verify" / "cardshoe_verify.py"
COMMANDS: Final = ROOT / ".venv" / "bin"
PYTEST: Final = ("iniconfig", "packaging", "pluggy", "pygments", "pytest")
CRYPTOGRAPHY: Final = ("cffi", "cryptography", "pycparser")
SHOE: Final = """
def test_a_round(cardshoe_shoe, cardshoe_table):
    table = cardshoe_table(cardshoe_shoe)
    table.make_ready(cardshoe_shoe)
    answer = table.send("bets_closed", seats=[1], wagers=[{"seat": 1, "bet": "banker", "stake": 10_000}])
    while answer.do == "draw":
        (card,) = cardshoe_shoe.draw().cards
        answer = table.answer()
        assert answer.one("dealt")["card"] == card
    cardshoe_shoe.press(answer.one("result")["outcome"])
    assert table.wait_for("device_result").refused is None
    table.close()
    assert table.verified["entries"] == len(table.answers)
"""


def check_alone(folder: Path) -> Iterator[str]:
    """Install each alone and use it; yields what was seen."""
    folder.mkdir()
    python = _environment(folder / "plugin", PYTEST)
    shutil.copytree(PLUGIN, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    _does(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "dist", cwd=folder / "source")
    (wheel,) = (folder / "dist").iterdir()
    _does(python, "-m", "pip", "install", "--quiet", "--no-deps", wheel, cwd=folder)
    project = folder / "project"
    project.mkdir()
    (project / "test_shoe.py").write_text(SHOE)
    said = _does(python, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", cwd=project)
    assert "1 passed" in said, said
    yield f"{wheel.name}, alone in an environment: a project's test plays a shoe, and the journal is verified"

    python = _environment(folder / "verifier", CRYPTOGRAPHY)
    demo = ("demo", "baccarat", "--plain", "--rounds", "3", "--speed", "1000", "--journals", folder / "journals")
    _does(COMMANDS / "cardshoe", *demo, cwd=folder)
    (journal,) = (folder / "journals").glob("*.journal")
    verifier = shutil.copy(VERIFIER, folder)
    said = _does(python, "-P", verifier, journal, cwd=folder)
    assert "all of it holds" in said, said
    yield "cardshoe-verify, alone in an environment: it verifies the journal of a demonstration"


def _environment(folder: Path, names: Sequence[str]) -> Path:
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    lock = folder / "part.lock"
    lock.write_text(part_of_lock((ROOT / "requirements" / "dev.lock").read_text(), names))
    _does(python, "-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps", "-r", lock, cwd=folder)
    return python


def _does(*command: str | Path, cwd: Path) -> str:
    dropped = ("COV", "CARDSHOE", "PYTEST", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    environment = kept | {"PATH": f"{COMMANDS}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
