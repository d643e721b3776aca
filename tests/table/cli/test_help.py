"""The list of commands: whole lines, every command there, and none of them imported for it."""

import subprocess
import sys

import click
import pytest

from table.cli import main
from table.cli.group import COMMANDS
from tests.table.cli.support import invoke

MODULES = """
import sys
from table.cli import main
main(["--help"], standalone_mode=False)
ours = {"regulations", "protocols", "drivers", "conformance", "firmware_bridge", "sim", "table"}
print("IMPORTED", *sorted(name for name in sys.modules if name.split(".")[0] in ours))
print("HEAVY", *sorted({"cryptography", "msgspec", "construct", "apsw", "transitions"} & set(sys.modules)))
"""


def test_the_list_of_commands_imports_none() -> None:
    said = subprocess.run(
        [sys.executable, "-c", MODULES], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    *_, imported, heavy = said.splitlines()
    assert imported == "IMPORTED table table.cli table.cli.group table.exits"
    assert heavy == "HEAVY"


def test_every_command_stands_there_in_one_whole_line() -> None:
    said = invoke("--help").stdout
    listed = said.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == sorted(COMMANDS)
    assert not [line for line in listed if line.endswith("...") or len(line) > 79]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_where_the_list_says(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    assert COMMANDS[name][1], "what it is for"


def test_what_is_no_command_is_said_at_once() -> None:
    result = invoke("runn")
    assert result.exit_code == 2
    assert "No such command 'runn'" in result.stderr
