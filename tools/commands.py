"""The command reference as Markdown, from `--help`."""

import re
from collections.abc import Iterator

import click

from cardshoe.cli.examples import EXAMPLES
from cardshoe.cli.group import GROUPS
from tools.man import NAME, below, leaves, root_context


def command_reference() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    root = root_context()
    for commands in GROUPS.values():
        for name in sorted(commands):
            context = below(root, name)
            yield from ("", f"## {context.command_path}", "")
            yield from _prose(context.command.help or "")
            if not isinstance(context.command, click.Group):
                yield from _use(context)
                continue
            for leaf in leaves(context):
                yield from (f"### {leaf.command_path}", "")
                yield from _prose(leaf.command.help or "")
                yield from _use(leaf)


def _use(context: click.Context) -> Iterator[str]:
    usage = " ".join(context.command.collect_usage_pieces(context))
    example = EXAMPLES.get(context.command_path.removeprefix(NAME).strip(), "")
    yield from (
        "```sh",
        f"{context.command_path} {usage}",
        *(["", *example.splitlines()] if example else []),
        "```",
        "",
    )
    records = [
        record
        for parameter in context.command.get_params(context)
        if isinstance(parameter, click.Option) and parameter.name != "help"
        if (record := parameter.get_help_record(context)) is not None
    ]
    if records:
        yield from ("| option | |", "|---|---|")
        yield from (f"| `{_cell(option)}` | {_cell(_marked(text))} |" for option, text in records)
        yield ""


def _prose(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text.replace("\b", "").strip()):
        yield from (_marked(" ".join(paragraph.split())), "")


def _marked(text: str) -> str:
    return re.sub(r"(`[^`]*`)|([\\*_<>\[\]])", lambda found: found[1] or f"\\{found[2]}", text)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
