"""``cardshoe rules``: the regulation, and the rules in force at a table."""

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from cardshoe.cli.completing import games_or_files
from cardshoe.cli.echo import echo

MACHINES = ("shoe", "round", "gate")


@click.command("rules")
@click.argument("game", metavar="[GAME|TABLE.toml]", required=False, shell_complete=games_or_files)
@click.option("--articles", is_flag=True, help="List each article with its rules.")
@click.option("--rows", is_flag=True, help="List every rule: machine, input, state, guards, answer, article.")
@click.option("--diagram", type=click.Choice(["mermaid"]), help="Print state diagrams of the machines.")
@click.option("--machine", type=click.Choice([*MACHINES, "all"]), default="all", help="The machine to draw.")
@click.option("--markdown", is_flag=True, help="Print the whole as a Markdown page, as in docs/regulations.")
@click.option("--readings", is_flag=True, help="Print the readings of all games as a Markdown page.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules_command(
    game: str | None,
    *,
    articles: bool,
    rows: bool,
    diagram: str | None,
    machine: str,
    markdown: bool,
    readings: bool,
    as_json: bool,
) -> None:
    """Show the regulation of a GAME as the machine holds it: material, options, payouts, articles.

    All of it comes from the tables that the machines run. Of a TABLE.toml: the options in force there, each with its
    article and what it means.
    """
    from cardshoe.table.rules import page, screen, text, view
    from cardshoe.table.rules.matrix import matrix
    from cardshoe.table.rules.mermaid import diagram as drawn
    from cardshoe.table.setup.games import game_by_name
    from regulations.games.registry import NAMES

    if readings:
        _print_readings()
        return
    if game is None:
        raise click.UsageError(f"Name a GAME, such as {NAMES[0]}.")
    if machine != "all" and diagram is None:
        raise click.UsageError("--machine needs --diagram: give both.")
    of_a_table = game.endswith(".toml")
    _check_parts((articles, rows, diagram is not None, markdown), of_a_table=of_a_table)
    if markdown and as_json:
        raise click.UsageError("--markdown is a page for people; leave out --markdown for JSON.")
    if of_a_table:
        _show_table(Path(game), as_json=as_json)
        return
    found = game_by_name(game)
    shown: object
    if markdown:
        echo(*page.page(found).split("\n"), nl=False)
        return
    if diagram is not None:
        chosen = MACHINES if machine == "all" else (machine,)
        drawing = drawn({name: found.rulebook.machines[name] for name in chosen})
        shown, lines = {"mermaid": drawing}, [drawing]
    elif articles:
        traced = matrix(found)
        shown, lines = traced, list(text.traced(traced))
    elif rows:
        every = view.rule_views(found)
        shown, lines = every, list(text.rows(found, every))
    else:
        whole = view.game_view(found)
        title, *rest = text.overview(whole)
        shown, lines = whole, [title, *screen.plain(whole), "", *rest]
    echo(*([msgspec.json.encode(shown)] if as_json else "\n".join(lines).rstrip().split("\n")))


def _check_parts(asked: Sequence[bool], *, of_a_table: bool) -> None:
    if sum(asked) > 1:
        raise click.UsageError("Give one of --articles, --rows, --diagram and --markdown.")
    if of_a_table and any(asked):
        raise click.UsageError("For a table only the options are shown; name a GAME for the rest.")


def _show_table(config: Path, *, as_json: bool) -> None:
    from cardshoe.process.clock import wall_time
    from cardshoe.table.rules.in_force import in_words, table_in_force
    from cardshoe.table.setup.config import load
    from regulations.games.registry import GAMES

    table = load(config, wall_time()).table
    found = table_in_force(table, GAMES[table.game])
    echo(*([msgspec.json.encode(found)] if as_json else in_words(found)))


def _print_readings() -> None:
    from cardshoe.table.rules.reading_page import reading_page
    from regulations.games.registry import GAMES

    echo(*reading_page(GAMES).split("\n"), nl=False)
