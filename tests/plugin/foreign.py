"""Another project, with tests of its own that use the plugin; they run in a process of their own."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.kit.forked import program

ROOT: Final = Path(__file__).resolve().parent.parent.parent
DISTRIBUTION: Final = ROOT / "packaging" / "pytest-cardshoe"
SOURCES: Final = DISTRIBUTION / "src"
LIMIT_S: Final = 100
"""Below the time limit of a test, so that what the other project said can be shown."""
ITS_OWN: Final = "raise RuntimeError('a module of the other project, which cardshoe must never import')\n"


@dataclass(frozen=True)
class Ran:
    """How its tests ended."""

    code: int
    output: str

    def assert_outcomes(self, text: str) -> None:
        """The last line has these counts."""
        assert f"{text} in " in self.output.splitlines()[-1], self.output


class Foreign:
    """The project: a folder with tests, and with modules that have the names of our packages.

    Args:
        folder: where the project's is made.
        tests: its only file of tests.
        starts: ``cardshoe`` is found and started as it is installed; else it is a fork of what has imported it.
    """

    def __init__(self, folder: Path, tests: str, *, starts: bool = False) -> None:
        self.folder: Final = folder / "foreign"
        self.folder.mkdir()
        self._program: Final = () if starts else (f"--cardshoe-command={program(folder)}",)
        (self.folder / "test_foreign.py").write_text(tests)
        for name in ("cardshoe", "drivers", "regulations", "sim"):
            (self.folder / name).mkdir()
            (self.folder / name / "__init__.py").write_text(ITS_OWN)

    def command(self, *options: str) -> Sequence[str]:
        """How its tests are run; every warning is an error."""
        common = ("-p", "pytest_cardshoe", "-p", "no:cacheprovider", "-W", "error", "--color=no", "-rA")
        return [
            sys.executable,
            "-m",
            "pytest",
            *common,
            "--basetemp",
            str(self.folder / "tmp"),
            *self._program,
            *options,
        ]

    def environment(self) -> Mapping[str, str]:
        """As on a machine where the plugin is installed, and the project's own modules come first."""
        dropped = ("COV", "CARDSHOE", "PYTEST")  # no coverage: the processes of another project are not ours
        kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        path = os.pathsep.join([str(self.folder), str(SOURCES)])
        return kept | {"PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def run(self, *options: str) -> Ran:
        """Run its tests, without any terminal."""
        done = subprocess.run(
            self.command(*options),
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT_S,
            start_new_session=True,
            check=False,
        )
        return Ran(done.returncode, done.stdout)


def is_alive(pid: int) -> bool:
    """True if a process runs; one that has ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
