"""``--json``, wherever a program might read: one object with the names that docs/cli.md promises, and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import pytest

from cardshoe.cli import main
from tests.cardshoe.cli.journals import STARTED
from tests.cardshoe.cli.support import GAME, PROFILE, ROUND, STACK, answered, invoke, script

END: Final = {"event": "shoe_ended", "reason": "house"}
FOR_PROGRAMS_AS_THEY_ARE: Final = {
    "capture": "writes JSON Lines into a file",
    "completion install": "its exit code says it",
    "completion show": "prints a script for a shell",
    "config example": "prints TOML",
    "display": "serves until it is ended",
    "floor nats-config": "writes the configuration of a NATS server",
    "floor watch": "serves until it is ended",
    "journal export": "prints JSON Lines",
    "journal prove": "prints JSON",
    "replay": "prints JSON Lines",
    "uplink": "serves until it is ended",
    "usb-rules": "prints rules for usbguard and udev",
}
"""Commands without ``--json``, and why."""


def commands(group: click.Group, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that is no group, by what is typed."""
    context = click.Context(group)
    for word in group.list_commands(context):
        found = group.get_command(context, word)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, f"{name}{word} ")
        else:
            yield f"{name}{word}", found


def test_a_program_can_read_the_answer_of_every_command() -> None:
    without = {
        name
        for name, command in commands(main)
        if not any(option in ("--json", "--ready-json") for one in command.params for option in one.opts)
    }
    assert without == set(FOR_PROGRAMS_AS_THEY_ARE)


def said(*arguments: str | Path) -> Any:  # noqa: ANN401  whatever the JSON is
    """Run a command with ``--json``; it prints one line, and nothing on standard error."""
    done = answered(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    [line] = done.stdout.splitlines()
    return json.loads(line)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A closed journal of three shoe games."""
    assert said("key", "new", tmp_path / "sealing.key")["keys"][0]["seals"] is True
    lines = [*GAME, END, *STACK, *ROUND, END, *STACK, *ROUND, END, {"event": "closed"}]
    path = tmp_path / "b-101.journal"
    log = script(tmp_path / "log.jsonl", [{**line, "at": STARTED} for line in lines])
    done = said("journal", "import", log, path)
    assert list(done) == ["file", "entries", "lines", "compared", "first_key"]
    assert (done["file"], done["entries"]) == (str(path), len(lines))
    return path


def test_keeping_journals(journal: Path, tmp_path: Path) -> None:
    shown = said("journal", "show", journal)
    assert (shown["file"], shown["table_id"]) == (str(journal), PROFILE["table_id"])
    assert [list(one) for one in shown["shoes"]] == [["shoe", "since", "first", "last"]] * len(shown["shoes"])
    last = shown["shoes"][-1]["last"]

    copy = tmp_path / "copy.journal"
    done = said("journal", "backup", journal, copy)
    assert list(done) == ["file", "last", "proved", "root"]
    assert (done["file"], done["last"], done["proved"]) == (str(copy), last, last)


def test_keys(tmp_path: Path) -> None:
    file = tmp_path / "sealing.key"
    first = said("key", "new", file)
    assert list(first) == ["file", "keys"]
    changed = said("key", "change", file)
    assert [one["seals"] for one in changed["keys"]] == [True, False]
    assert changed["keys"][1]["id"] == first["keys"][0]["id"]
    assert said("key", "list", file) == changed


def test_a_witness_that_is_told_of_a_journal(journal: Path, tmp_path: Path) -> None:
    key = said("verify", journal)["first_key"]
    trusted = ("witness", "trust", "--state", tmp_path / "witness", key)
    (tmp_path / "witness").mkdir()
    assert said(*trusted) == {"journal": key.split("+")[0], "key": key, "is_new": True}
    assert said(*trusted)["is_new"] is False


def test_the_checks_of_a_family() -> None:
    listed = said("conformance", "--family", "angel_eye", "--list", "--only", "commands")
    assert list(listed) == ["family", "page", "checks"]
    assert all(list(one) == ["name", "section", "requirement"] for one in listed["checks"])
    assert "commands.byte-by-byte" in {one["name"] for one in listed["checks"]}


def test_an_error_is_none(tmp_path: Path) -> None:
    done = invoke("key", "list", tmp_path / "none", "--json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("cardshoe: ")
