"""tools/check_commits.py finds messages that say no why, and looks at the commits of the branch."""

import subprocess
from pathlib import Path

import pytest

from tools.check_commits import MOST_SIGNS, commits, problems

GOOD = "Lay held cards in their order\n\nThe order in which they left decides.\n"


def test_a_good_message() -> None:
    assert list(problems(GOOD)) == []
    assert list(problems("# git's own\n" + GOOD)) == []
    assert list(problems("A" * MOST_SIGNS + "\n\nwhy\n")) == []


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("", "empty"),
        ("A" * (MOST_SIGNS + 1) + "\n\nwhy", "73 signs"),
        ("lay cards\n\nwhy", "capital"),
        ("Lay cards.\n\nwhy", "full stop"),
        ("Added cards\n\nwhy", "imperative"),
        ("Lay cards\nin order\n\nwhy", "second line"),
        ("Lay cards", "no body"),
        ("Lay cards\n\n  \n", "no body"),
    ],
)
def test_a_message_with_a_fault(message: str, says: str) -> None:
    (found,) = problems(message)
    assert says in found


def _git(folder: Path, *words: str) -> str:
    settings = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    return subprocess.run(
        ["git", *settings, *words], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


def _commit(folder: Path, subject: str) -> str:
    _git(folder, "commit", "--allow-empty", "--quiet", "-m", subject)
    return _git(folder, "rev-parse", "HEAD")


def test_the_commits_of_the_branch_are_looked_at_and_the_last_one_always(tmp_path: Path) -> None:
    _git(tmp_path, "init", "--quiet")
    first, second = _commit(tmp_path, "One"), _commit(tmp_path, "Two")
    assert commits(tmp_path) == [second], "on main itself"
    _git(tmp_path, "checkout", "--quiet", "-b", "branch")
    third, fourth = _commit(tmp_path, "Three"), _commit(tmp_path, "Four")
    assert commits(tmp_path) == [fourth, third]
    _git(tmp_path, "update-ref", "refs/remotes/origin/main", first)
    assert commits(tmp_path) == [fourth, third, second], "the remote's main counts before ours"


def test_merges_are_exempt(tmp_path: Path) -> None:
    _git(tmp_path, "init", "--quiet")
    _commit(tmp_path, "One")
    _git(tmp_path, "checkout", "--quiet", "-b", "branch")
    side = _commit(tmp_path, "Two")
    _git(tmp_path, "checkout", "--quiet", "main")
    other = _commit(tmp_path, "Three")
    _git(tmp_path, "update-ref", "refs/remotes/origin/main", other)
    _git(tmp_path, "merge", "--quiet", "--no-ff", "-m", "Merge", "branch")
    assert commits(tmp_path) == [side]


def test_a_folder_without_history_has_nothing_to_check(tmp_path: Path) -> None:
    assert commits(tmp_path) == []
