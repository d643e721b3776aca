"""Completion in real shells, on a real terminal: the script as it is installed, and the program that it asks."""

import os
import shutil
import subprocess
from pathlib import Path

import pexpect
import pytest

from tests.cardshoe.cli.support import answered
from tests.kit.command import PATIENCE_S, assert_message
from tests.kit.forked import CARDSHOE

SETUP = {
    "bash": ("--norc --noprofile -i", 'source {file}; cardshoe() {{ echo "<$*>"; }}'),
    "fish": ("-i", 'function cardshoe; echo "<$argv>"; end'),
}
"""How each is started without the files of a user, and told to say what it has made of a line instead of running it."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, folder in {"HOME": "", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config"}.items():
        monkeypatch.setenv(name, str(tmp_path / folder))
    monkeypatch.setenv("PATH", f"{CARDSHOE.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("TERM", "vt100")
    monkeypatch.setenv("PS1", "> ")
    return tmp_path


@pytest.mark.parametrize("shell", SETUP)
def test_a_shell_completes_commands_games_and_files(shell: str, home: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed, and only it can say whether it completes")
    done = answered("completion", "install", shell)
    assert done.returncode == 0, done.stderr
    file = Path(done.stdout.decode().partition(": written")[0])
    assert file.is_relative_to(home)
    assert answered("completion", "show", shell).stdout == file.read_bytes()
    (home / "of-the-table.journal").touch()
    options, command = SETUP[shell]
    with pexpect.spawn(
        f"{shell} {options}", cwd=str(home), encoding="utf-8", timeout=PATIENCE_S, dimensions=(24, 200)
    ) as typed:
        typed.sendline(command.format(file=file, folder=file.parent))
        typed.sendline("echo rea''dy")
        typed.expect("ready")
        for before, after in (
            ("verif\t", "<verify>"),
            ("config exa\t three\t", "<config example three_card_baccarat>"),
            ("verify of-the\t", "<verify of-the-table.journal>"),
            ("run --verb\t", "<run --verbose>"),
        ):
            typed.send(f"cardshoe {before}\r")
            typed.expect_exact(after)
        typed.sendline("exit")
        typed.expect(pexpect.EOF)


ZSH = """
compdef() { : }
_describe() { print -l -- ${(P)3} }
_path_files() { print FILES }
compadd() { print -l -- ${(P)5} }
autoload() { : }
source "$1"
words=("${@[2,-1]}"); CURRENT=$#words
_cardshoe_completion
"""
"""The script in a real zsh, whose own widgets, which want an editor, say what they are given."""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed, and only it can read its script")
def test_zsh_is_given_commands_games_and_files(home: Path) -> None:
    done = answered("completion", "install", "zsh")
    file = home / "data" / "zsh" / "site-functions" / "_cardshoe"
    assert f"fpath=({file.parent} $fpath)" in done.stdout.decode()
    for typed, offered in (
        ("verif", "verify"),
        ("config example three", "three_card_baccarat"),
        ("verify of-the", "FILES"),
        ("run --verb", "--verbose"),
    ):
        words = ["zsh", "-f", "-c", ZSH, "zsh", str(file), "cardshoe", *typed.split()]
        said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout
        assert offered in said, said


def test_commands_are_completed_without_importing_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert home.is_dir()
    monkeypatch.setenv("_CARDSHOE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "cardshoe j")
    monkeypatch.setenv("COMP_CWORD", "1")
    said = pexpect.run(f"{CARDSHOE.parent}/python -X importtime {CARDSHOE}", encoding="utf-8")
    assert "plain,journal" in said
    assert "cardshoe.cli.group" in said
    assert "cardshoe.cli.journal" not in said


def test_another_shell_is_told_which_there_are(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    done = answered("completion", "install")
    assert_message(done.returncode, done.stderr.decode(), 2, "$SHELL is tcsh", "bash, zsh, fish")
    (home / "data").touch()
    done = answered("completion", "install", "bash")
    assert_message(done.returncode, done.stderr.decode(), 1, "Not a directory", "cardshoe completion show bash > FILE")
