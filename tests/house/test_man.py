"""The pages of the manual: each command has one, a formatter has nothing against them, and they repeat."""

import shutil
import subprocess
from pathlib import Path

import pytest

from cardshoe.cli.examples import EXAMPLES
from cardshoe.cli.group import COMMANDS
from cardshoe.process.exits import Exit
from tools.man import EXITS, pages


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    return pages()


def test_every_command_has_a_page_and_every_exit_code_its_meaning(written: dict[str, str]) -> None:
    assert set(written) == {"cardshoe.1", *(f"cardshoe-{name}.1" for name in COMMANDS)}
    assert set(EXITS) == set(Exit)


def test_what_a_formatter_would_take_for_a_request_is_none(written: dict[str, str]) -> None:
    requests = (".TH ", ".SH ", ".SS ", ".TP", ".PP", ".nf", ".fi", ".RS 4", ".RE")
    for text in written.values():
        assert not [line for line in text.splitlines() if line.startswith((".", "'")) and not line.startswith(requests)]
    assert pages() == written


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed, by which man shows a page")
def test_groff_shows_them_without_a_warning(written: dict[str, str], tmp_path: Path) -> None:
    shown = ""
    for name, text in written.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        command = ["groff", "-man", "-Tutf8", "-ww", "-Kutf8", "-P-c", "-P-b", "-P-u", "-rLL=78n", str(tmp_path / name)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stderr == "", name
        shown += " ".join(done.stdout.split())
    # Dashes are those that can be copied into a shell, and nothing of an example is lost.
    for example in EXAMPLES.values():
        assert " ".join(example.split()) in shown
