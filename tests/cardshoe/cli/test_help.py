"""The list of commands: whole lines, every command there, and none of them imported for it."""

import shlex
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from cardshoe.cli import main
from cardshoe.cli.examples import EXAMPLES
from cardshoe.cli.group import COMMANDS, GROUPS
from tests.cardshoe.cli.support import invoke

MODULES = """
import sys
from cardshoe.cli import main
main(["--help"], standalone_mode=False)
ours = {"regulations", "protocols", "drivers", "conformance", "firmware_bridge", "sim", "cardshoe"}
print("IMPORTED", *sorted(name for name in sys.modules if name.split(".")[0] in ours))
print("HEAVY", *sorted({"cryptography", "msgspec", "construct", "apsw", "transitions"} & set(sys.modules)))
"""


def test_the_list_of_commands_imports_none() -> None:
    said = subprocess.run(
        [sys.executable, "-c", MODULES], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    *_, imported, heavy = said.splitlines()
    ours = (
        "cardshoe cardshoe.cli cardshoe.cli.echo cardshoe.cli.group cardshoe.process cardshoe.process.collector"
        " cardshoe.process.exits cardshoe.process.free_text"
    )
    assert imported == f"IMPORTED {ours}"
    assert heavy == "HEAVY"


def test_every_command_stands_in_its_group_in_one_whole_line() -> None:
    sections = invoke("--help").stdout.split("\n\n")[-len(GROUPS) :]
    listed = {title: [line.split()[0] for line in lines] for title, *lines in map(str.splitlines, sections)}
    assert listed == {f"{title}:": sorted(commands) for title, commands in GROUPS.items()}
    assert set().union(*GROUPS.values()) == set(COMMANDS)


def pages(command: click.Command = main, context: click.Context | None = None) -> Iterator[tuple[str, click.Context]]:
    """Every command with its context, by the words that are typed after ``cardshoe``."""
    context = context or click.Context(command, info_name="cardshoe", terminal_width=80)
    yield context.command_path.removeprefix("cardshoe").strip(), context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None, name
            yield from pages(below, click.Context(below, info_name=name, parent=context))


def test_no_page_of_help_is_wider_than_a_terminal_and_no_line_of_a_list_is_cut() -> None:
    for path, context in pages():
        lines = context.get_help().splitlines()
        # A line that cannot be broken, such as a choice of eleven words, is no sentence.
        wide = [line for line in lines if len(line) > 80 and " " in line.strip()]
        assert not wide, path
        if isinstance(context.command, click.Group):
            rows = lines[lines.index("Commands:" if path else "Run a table:") :]
            assert not [line for line in rows if line.endswith(("...", "."))], path
            assert not [line for line in rows if line.startswith("    ")], f"{path}: a second line in the list"


def test_every_command_has_an_example_that_is_one_of_it() -> None:
    commands = {path: context for path, context in pages() if not isinstance(context.command, click.Group)}
    assert set(EXAMPLES) == set(commands)
    for path, example in EXAMPLES.items():
        words = shlex.split(example.replace("\\\n", "").splitlines()[0].partition(" > ")[0])
        assert " ".join(words[: 1 + len(path.split())]) == f"cardshoe {path}"
        command = commands[path].command
        # Reads it as the command would, required options and types of values included, and runs nothing.
        command.make_context(path, words[1 + len(path.split()) :], parent=commands[path].parent)
        assert f"Example:\n    {example.splitlines()[0]}\n" in commands[path].get_help() + "\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_where_the_list_says(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    assert COMMANDS[name][1], "what it is for"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["rnu"], "'cardshoe run'"),
        (["verfy", "b-101.journal"], "'cardshoe verify'"),
        (["backup"], "'cardshoe journal backup'"),
        (["enroll"], "'cardshoe trust enrol'"),
        (["journal", "bakup"], "'backup'"),
        (["trust", "enrol", "aprove"], "'approve'"),
        (["ports", "--jsn"], "'--json'"),
        (["trust", "list", "--jsn"], "'--json'"),
    ],
    ids=" ".join,
)
def test_what_is_mistyped_is_answered_with_what_may_be_meant(typed: list[str], meant: str) -> None:
    result = invoke(*typed)
    assert result.exit_code == 2
    assert "id you mean" in result.stderr
    assert meant in result.stderr


def test_what_is_like_no_command_is_said_at_once() -> None:
    result = invoke("xyzzy")
    assert result.exit_code == 2
    assert result.stderr.endswith("Error: No such command 'xyzzy'.\n")
