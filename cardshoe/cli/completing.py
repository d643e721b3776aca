"""Shell completion of games, ports, families and equipment."""

from typing import get_args

import click
from click.shell_completion import CompletionItem


def games(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    from regulations.games.registry import SHEETS

    return [name for name in SHEETS if name.startswith(incomplete)]


def games_or_files(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    names = [CompletionItem(name) for name in games(context, parameter, incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


def ports(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    from drivers.discovery import list_ports

    names = [name for port in list_ports() if (name := port.best_name()).startswith(incomplete)]
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


def families(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    from firmware_bridge.families import families as known

    return [name for name in known() if name.startswith(incomplete)]


def equipment(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    from regulations.events.vocabulary import EquipmentKind

    kinds = [name for name in get_args(EquipmentKind) if name.startswith(incomplete)]
    return kinds + families(context, parameter, incomplete)
