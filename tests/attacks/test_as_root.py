"""What runs as root reads nothing for the service's user."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
HIDDEN: Final = "for-root-alone"
NOBODY: Final = 65534
PATIENCE_S: Final = 60.0


class Builds:
    """The script with folders of its own; as root the data folder is another user's."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)
        self.data: Final = folder / "data"
        self.secret: Final = folder / "secret"
        self.secret.write_text(f"9.9.9-{HIDDEN}\n")
        self.secret.chmod(0o600)
        self.data.mkdir()
        self.script: Final = folder / "builds"
        text = (ROOT / "packaging/systemd/builds").read_text()
        for before, after in (("data=/var/lib/cardshoe", self.data), ("settings=/etc/cardshoe", folder / "settings")):
            assert before in text
            text = text.replace(before, f"{before.partition('=')[0]}={after}")
        self.script.write_text(text)
        self.script.chmod(0o755)

    def check(self, version: str = "0.1.0") -> subprocess.CompletedProcess[str]:
        if os.getuid() == 0:
            for path in (self.data, *self.data.rglob("*")):
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        return subprocess.run(
            [self.script, "check", version], capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )


@pytest.fixture
def builds(tmp_path: Path) -> Builds:
    # The folders of pytest and of its workers are closed to other users.
    for folder in (tmp_path, *tmp_path.parents):
        if folder.name.startswith(("pytest-", "popen-")) or folder == tmp_path:
            folder.chmod(folder.stat().st_mode | 0o011)
    return Builds(tmp_path)


def named_with_line_feeds(builds: Builds) -> None:
    """Read line by line, a file's name is the path of another."""
    folder = builds.data / f"a\n{builds.secret}\nb"
    folder.mkdir(parents=True)
    (folder / ".x.build").write_text("nothing\n")


def a_link(builds: Builds) -> None:
    (builds.data / ".x.build").symlink_to(builds.secret)


def a_folder_that_is_a_link(builds: Builds) -> None:
    outside = builds.data.parent / "outside"
    outside.mkdir()
    (outside / ".x.build").write_text(f"9.9.9-{HIDDEN}\n")
    (builds.data / "a").symlink_to(outside)


def a_pipe(builds: Builds) -> None:
    os.mkfifo(builds.data / ".x.build")
    named = builds.data / f"a\n{builds.data}/.x.build\nb"
    named.mkdir(parents=True)
    (named / ".y.build").write_text("nothing\n")


def another_form(builds: Builds) -> None:
    (builds.data / ".x.build").write_text(f"9.9.9-\x1b[2J{HIDDEN}\n")
    (builds.data / ".y.build").write_text(f"{HIDDEN}-9.9.9-x\n")
    (builds.data / ".z.build").write_bytes(b"9" * 10_000_000)


@pytest.mark.parametrize(
    "attack",
    [named_with_line_feeds, a_link, a_folder_that_is_a_link, a_pipe, another_form],
    ids=lambda one: str(one.__name__),
)
def test_check_prints_nothing_of_a_file_that_is_no_table_s_and_ends(
    builds: Builds, attack: Callable[[Builds], None]
) -> None:
    attack(builds)
    done = builds.check()
    assert (done.returncode, HIDDEN in done.stdout + done.stderr) == (0, False)
    assert "\x1b" not in done.stdout + done.stderr


def test_a_table_s_name_is_shown_without_control_characters(builds: Builds) -> None:
    (builds.data / ".T\x1b[2J\n1.build").write_text("9.9.9-abc\n")
    done = builds.check()
    assert done.returncode == 1
    assert "the log of table T??2J1 is open, and 9.9.9-abc has it" in done.stderr
