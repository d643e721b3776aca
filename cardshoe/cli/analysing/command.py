"""``cardshoe analyse``: read journals, verify their shoes, report."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from cardshoe.analysis.lines import shoes_of
from cardshoe.analysis.shoe import Shoe
from cardshoe.analysis.verdict import analyse, references
from cardshoe.cli.analysing.captured import shuffles_in
from cardshoe.cli.analysing.data import report_of
from cardshoe.cli.analysing.page import page
from cardshoe.cli.analysing.words import words
from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.failures import explained
from cardshoe.cli.options import SEALING_KEY
from cardshoe.journal import Evidence, JournalError, read_only, unwatched
from cardshoe.journal.file.header import UPDATES
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.progress import watched
from cardshoe.table.log.query import LineGroup
from cardshoe.table.log.replaying import opened_lines
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.sealing_keys import find_keys, read_keys
from cardshoe.table.log.verify import verify

Pairs = list[tuple[Shoe, Sequence[Shoe]]]

DOUBT: Final = 3
TOO_LITTLE: Final = 4


@click.command("analyse")
@click.argument("journals", metavar="JOURNAL...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--floor",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FLOOR.TOML",
    help="Analyse the shoes of all tables in this floor's database, as far as the tables' signatures cover them.",
)
@click.option(
    "--days",
    type=click.IntRange(1, 3660),
    default=30,
    show_default=True,
    help="With --floor: leave out logs that sent nothing for so many days.",
)
@click.option(
    "--capture",
    "captures",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Analyse shuffles of a laboratory too: JSON Lines with the orders before and after.",
)
@click.option("--by-person", is_flag=True, help="Group shoes by the croupier who was signed in. This is staff data.")
@click.option("--open", "opened", is_flag=True, help="Open sealed burn cards with the table's key.")
@SEALING_KEY
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a page with plots to this file.")
@JSON
def analyse_command(  # noqa: PLR0913  # one argument per option, as click has it
    journals: tuple[Path, ...],
    *,
    floor: Path | None,
    days: int,
    captures: tuple[Path, ...],
    by_person: bool,
    opened: bool,
    sealing_key: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Report whether the cards of each JOURNAL were shuffled; its files are not changed.

    Each journal is verified first. Shoes are compared with those before them, and judged by the device that shuffled,
    else by table. An open shoe is left out.

    Exit codes: 0 passes, 1 error, 3 doubt, 4 too little data for a verdict on every group.
    """
    if not journals and not captures and floor is None:
        raise click.UsageError("Name a journal, a file with --capture, or a floor with --floor.")
    if opened and floor is not None:
        raise click.UsageError("--open needs journals: a floor has no key of a table.")
    try:
        by_table = [_shoes(path, sealing_key, opened=opened, as_json=as_json) for path in journals]
    except JournalError as error:
        found = explained(error) or error
        raise Stop(str(getattr(found, "what", error)), getattr(found, "remedy", ""), Exit.FAILURE) from error
    if floor is not None:
        from cardshoe.cli.floor.shoes import shoes_at  # journals need no database

        by_table += shoes_at(floor, days)
    compared = _compared(by_table)
    grouped = _grouped(compared, by_person=by_person)
    grouped |= {f"capture {path.name}": shuffles_in(path) for path in captures}
    if not grouped:
        names = ", ".join(map(str, [*journals, *([floor] if floor else [])]))
        raise Stop(f"{names}: no shoe is over", "Analyse a journal with closed shoe games.", Exit.FAILURE)
    several = grouped.items() if as_json else watched("analyse", list(grouped.items()), unit="groups")
    groups = analyse(several)
    if html is not None:
        html.write_text(page(groups), encoding="utf-8")
    answer(words(groups), report_of(groups), as_json=as_json)
    outcomes = {group.outcome for group in groups}
    if "doubt" in outcomes:
        raise SystemExit(DOUBT)
    if "too_little" in outcomes:
        raise SystemExit(TOO_LITTLE)


def _shoes(path: Path, sealing_key: Path | None, *, opened: bool, as_json: bool) -> list[Shoe]:
    keys = read_keys(find_keys(sealing_key, path.parent))
    found = verify(path, keys=keys, without_keys=True, watch=unwatched if as_json else watched)
    if found.game == UPDATES:
        raise Stop(f"{path}: a log of updates has no cards", "Name the journal of a table.", Exit.FAILURE)
    with read_only(path) as evidence:
        sealer = Sealer(keys, evidence.header.origin) if opened else None
        return [shoe for shoe in shoes_of(one.said for one in _answers(evidence, sealer)) if shoe.is_over]


def _answers(evidence: Evidence, sealer: Sealer | None) -> Iterator[LineGroup]:
    for entry in evidence.entries():
        yield LineGroup.of(entry.lines if sealer is None else opened_lines(evidence.path, entry, sealer))


def _compared(by_journal: Sequence[Sequence[Shoe]]) -> Pairs:
    tables: dict[str, list[Shoe]] = {}
    for shoes in by_journal:
        for shoe in shoes:
            tables.setdefault(shoe.table, []).extend(shoe.parts())
    found: Pairs = []
    for shoes in tables.values():
        shoes.sort(key=lambda shoe: shoe.at)
        found += [(shoe, references(shoe, shoes[:number])) for number, shoe in enumerate(shoes)]
    return found


def _grouped(compared: Pairs, *, by_person: bool) -> dict[str, Pairs]:
    groups: dict[str, Pairs] = {}
    for shoe, before in compared:
        if by_person:
            names = [f"croupier {one}" for one in shoe.croupiers] or ["no croupier signed in"]
        else:
            names = [f"device {shoe.device}" if shoe.device else f"table {shoe.table}"]
        for name in names:
            groups.setdefault(name, []).append((shoe, before))
    return groups
