"""Write the manual pages: `python -m tools.man FOLDER`.

Made from `--help`, with the version and without a date, so equal sources give equal pages.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click

from cardshoe.cli import main as cardshoe
from cardshoe.cli.examples import EXAMPLES
from cardshoe.cli.group import COMMANDS, GROUPS
from cardshoe.process.exits import Exit

NAME: Final = "cardshoe"

EXITS: Final = {
    Exit.OK: "The command succeeded.",
    Exit.FAILURE: "It failed for another reason than those below.",
    Exit.USAGE: "Usage or bad input.",
    Exit.IRREGULAR: "A refusal or an irregularity under --strict.",
    Exit.JOURNAL: "The journal is broken or in use, or its disk failed or is full.",
    Exit.DEVICE: "A device is missing, busy or forbidden.",
    Exit.NEWER_BUILD: "The table ended between two shoe games for a newer build.",
}


def root_context() -> click.Context:
    return click.Context(cardshoe, info_name=NAME, **cardshoe.context_settings)


def pages() -> dict[str, str]:
    root = root_context()
    found = {f"{NAME}.1": _page(root, "controller at a casino table", [*_commands(), *_exits(), *_see_also()])}
    for name, (_, what) in sorted(COMMANDS.items()):
        context = below(root, name)
        found[f"{NAME}-{name}.1"] = _page(context, _first_small(what), [*_every_below(context), *_see_also(NAME)])
    return found


def _page(context: click.Context, what: str, more: list[str]) -> str:
    title = context.command_path.replace(" ", "-")
    lines = [
        f'.TH {_escaped(title.upper())} 1 "" "{NAME} {version(NAME)}" "{NAME}"',
        ".SH NAME",
        rf"{_escaped(title)} \- {_escaped(what)}",
        ".SH SYNOPSIS",
        *_synopsis(context),
        ".SH DESCRIPTION",
        *_prose(context.command.help or ""),
        ".SH OPTIONS",
        *_options(context),
        *_example(context, ".SH EXAMPLE"),
        *more,
    ]
    return "\n".join(lines) + "\n"


def _commands() -> Iterator[str]:
    yield ".SH COMMANDS"
    for title, commands in GROUPS.items():
        yield f".SS {_escaped(title)}"
        for name, (_, what) in sorted(commands.items()):
            yield from (".TP", rf"\fB{NAME}\-{_escaped(name)}\fR(1)", _line(what))


def _exits() -> Iterator[str]:
    yield ".SH EXIT STATUS"
    for code, meaning in EXITS.items():
        yield from (".TP", rf"\fB{code.value}\fR", _line(meaning))


def _see_also(*others: str) -> Iterator[str]:
    yield ".SH SEE ALSO"
    named = [rf"\fB{_escaped(other)}\fR(1)" for other in others or [f"{NAME}-{name}" for name in sorted(COMMANDS)]]
    yield ",\n".join(named)


def _every_below(context: click.Context) -> Iterator[str]:
    for leaf in leaves(context):
        if leaf is not context:
            yield f".SH {_escaped(leaf.command_path.removeprefix(NAME).strip().upper())}"
            yield from _synopsis(leaf)
            yield ".PP"
            yield from _prose(leaf.command.help or "")
            yield from _options(leaf)
            yield from _example(leaf, ".PP\nExample:")


def leaves(context: click.Context) -> Iterator[click.Context]:
    command = context.command
    if not isinstance(command, click.Group):
        yield context
        return
    for name in command.list_commands(context):
        yield from leaves(below(context, name))


def below(context: click.Context, name: str) -> click.Context:
    group = context.command
    command = group.get_command(context, name) if isinstance(group, click.Group) else None
    if command is None:
        raise LookupError(f"{context.command_path} lists {name} and has it not")
    return click.Context(command, info_name=name, parent=context)


def _synopsis(context: click.Context) -> Iterator[str]:
    pieces = " ".join(context.command.collect_usage_pieces(context))
    yield rf"\fB{_escaped(context.command_path)}\fR {_escaped(pieces)}"


def _options(context: click.Context) -> Iterator[str]:
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record is not None:
            yield from (".TP", rf"\fB{_escaped(record[0])}\fR", _line(record[1]))


def _example(context: click.Context, heading: str) -> Iterator[str]:
    example = EXAMPLES.get(context.command_path.removeprefix(NAME).strip())
    if example is not None:
        yield from (heading, ".PP", ".nf", ".RS 4")
        yield from (_line(line) for line in example.splitlines())
        yield from (".RE", ".fi")


def _prose(text: str) -> Iterator[str]:
    for index, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
        if index:
            yield ".PP"
        yield _line(" ".join(paragraph.split()))


def _line(text: str) -> str:
    # A line of text: what stands at its beginning must not be taken for a request.
    escaped = _escaped(text)
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


def _escaped(text: str) -> str:
    return text.replace("\\", r"\e").replace("-", r"\-")


def _first_small(text: str) -> str:
    return text[:1].lower() + text[1:]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the pages go; it is made if it is not there")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    written = pages()
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    print(f"{len(written)} pages in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
