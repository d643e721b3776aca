"""``cardshoe journal``: backups, exports, proofs of single entries."""

import itertools
import sys
from pathlib import Path

import click
import msgspec

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.echo import echo, write_log_line
from cardshoe.cli.group import Subgroup
from cardshoe.cli.options import SEALING_KEY
from cardshoe.journal import Checked, Evidence, JournalBroken, Watch, backup, read_only, unwatched
from cardshoe.journal.proof.entry_proof import Unproved
from cardshoe.journal.proof.statements import Takeover
from cardshoe.journal.reading.marked import Marked, marked
from cardshoe.journal.reading.proving import check_proof
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.progress import watched
from cardshoe.table.log.excerpt import log_of_round
from cardshoe.table.log.importing import import_log
from cardshoe.table.log.sealing_keys import find_keys, read_keys

FILE = click.Path(dir_okay=False, path_type=Path)


@click.group("journal", cls=Subgroup)
def journal_group() -> None:
    """Keep journals: back up, export, import, show, prove single entries."""


@journal_group.command("backup", short_help="Copy a journal, also while its table runs")
@click.argument("journal", type=FILE)
@click.argument("target", metavar="DEST", type=FILE)
@JSON
def backup_command(journal: Path, target: Path, *, as_json: bool) -> None:
    """Copy a JOURNAL to the new file DEST, also while its table runs, and verify the copy.

    DEST is one file, without the private key.
    """
    checked = backup(journal, target, watch=_watch(as_json=as_json))
    proved = "not signed" if checked.proved is None else f"signed up to entry {checked.proved}"
    answer(
        [f"{target}: entries up to {checked.last}, intact, {proved}", f"root {checked.root.hex()}"],
        {"file": str(target), "last": checked.last, "proved": checked.proved, "root": checked.root.hex()},
        as_json=as_json,
    )


@journal_group.command("export", short_help="Print the lines of a journal as they were written")
@click.argument("journal", type=FILE)
@click.option("--from", "first", type=click.IntRange(min=1), help="The first entry.")
@click.option("--to", "last", type=click.IntRange(min=1), help="The last entry.")
@click.option("--shoe", type=click.IntRange(min=0), help="The entries of one shoe game; `show` lists them.")
def export_command(journal: Path, first: int | None, last: int | None, shoe: int | None) -> None:
    """Print the lines of a JOURNAL as they were written (JSON Lines); none, unless all of it holds."""
    with read_only(journal) as evidence:
        checked = _verified(evidence)
        begins, ends = 1, checked.last
        if shoe is not None:
            begins, ends = _span(journal, evidence, shoe)
        begins, ends = max(begins, first or 1), ends if last is None else min(ends, last)
        if begins > ends and (first or last) is not None:
            raise Stop(f"{journal}: no entry matches", f"It holds entries 1 to {checked.last}.", Exit.USAGE)
        entries = itertools.takewhile(lambda entry: entry.number <= ends, evidence.entries(begins))
        for entry in watched("export", entries, ends + 1 - begins, prints=True):
            for line in entry.lines:
                write_log_line(line)
    sys.stdout.buffer.flush()
    if checked.proved is not None and ends > checked.proved:
        echo(f"cardshoe: entries after {checked.proved} are not signed yet", err=True)


@journal_group.command("import", short_help="Make a new journal of a table log")
@click.argument("log", type=FILE)
@click.argument("target", metavar="JOURNAL", type=FILE)
@click.option("--table", "table_id", metavar="ID", help="Refuse the log of any other table.")
@SEALING_KEY
@JSON
def import_command(log: Path, target: Path, table_id: str | None, sealing_key: Path | None, *, as_json: bool) -> None:
    """Make the new JOURNAL of a table LOG (JSON Lines): replayed, its outputs compared, signed with new keys."""
    key_file = find_keys(sealing_key, target.parent)
    keys = read_keys(key_file)
    if not keys.ids:
        raise Stop(f"{key_file}: there is no sealing key", f"Make one: cardshoe key new {key_file}", Exit.USAGE)
    done = import_log(log, target, keys, wall_time(), table_id, _watch(as_json=as_json))
    answer(
        [
            f"{target}: {done.entries} entries, {done.lines} lines, {done.compared} outputs compared",
            f"first key (write it down and keep it off this computer): {done.first_key}",
        ],
        {"file": str(target), **msgspec.structs.asdict(done)},
        as_json=as_json,
    )


def _watch(*, as_json: bool) -> Watch:
    return unwatched if as_json else watched


@journal_group.command("show", short_help="Verify a journal and list its shoe games")
@click.argument("journal", type=FILE)
@JSON
def show_command(journal: Path, *, as_json: bool) -> None:
    """Verify a JOURNAL and list its shoe games: number, entries, since when."""
    with read_only(journal) as evidence:
        checked = _verified(evidence, as_json=as_json)
        takeovers = evidence.takeovers()
        shoes = [ShoeShown(one.epoch, one.at, *_bounds(takeovers, one.epoch, checked.last)) for one in takeovers]
        table_id = evidence.header.table_id
    lines = [f"{journal}: table {table_id}"]
    for one in shoes:
        entries = f"entries {one.first} to {one.last}" if one.first <= one.last else "no entries"
        lines.append(f"shoe {one.shoe:4}  since {one.since}  {entries}")
    answer(lines, {"file": str(journal), "table_id": table_id, "shoes": shoes}, as_json=as_json)


class ShoeShown(msgspec.Struct, frozen=True):
    shoe: int
    since: str
    first: int
    last: int


@journal_group.command("prove", short_help="Print the proof of an entry or of a round")
@click.argument("journal", type=FILE)
@click.argument("line", type=click.IntRange(min=1), required=False)
@click.option("--round", "round_no", type=click.IntRange(min=1), help="All entries of a round.")
def prove_command(journal: Path, line: int | None, round_no: int | None) -> None:
    """Print the proof of a round of a JOURNAL, or of the entry that holds a LINE, which is its `seq` (JSON).

    `cardshoe-verify --proof` needs nothing else.
    """
    if (line is None) == (round_no is None):
        raise Stop("which entry?", "Name one of its lines by its seq, or a round with --round.", Exit.USAGE)
    with marked(journal) if line else log_of_round(journal, round_no or 0) as log:
        first, last = _of_line(log, line) if line else _of_round(log, round_no or 0)
        log.between(first, last)  # each as it was signed: the newest signature, not the first over them
        try:
            proof = msgspec.json.encode(log.prove(first, last, round_no))
            check_proof(proof, log.header.key)
        except Unproved as error:
            raise Stop(f"{log.path}: entries {first} to {last}: {error.reason}", "", Exit.FAILURE) from error
    if log.path != journal:
        echo(f"cardshoe: round {round_no} is in {log.path}; its first key is {log.header.key}", err=True)
    echo(*msgspec.json.format(proof).split(b"\n"))


@journal_group.command("pass-over", short_help="Let two people start a table whose last entry fails")
@click.argument("config", type=FILE)
@click.option("--by", multiple=True, required=True, metavar="ID", help="A person who authorises it; given twice.")
@click.option("--pin-file", "pin_files", type=FILE, multiple=True, help="That person's PIN, in a file of mode 0600.")
@JSON
def pass_over_command(config: Path, by: tuple[str, ...], pin_files: tuple[Path, ...], *, as_json: bool) -> None:
    """Pass over the last entry of the log of CONFIG (table.toml) if it cannot be processed; two people authorise it."""
    from cardshoe.cli.pass_over import pass_over

    lines = pass_over(config, by, pin_files)
    answer(lines, {"passed_over": lines[0]}, as_json=as_json)


def _verified(evidence: Evidence, *, as_json: bool = False) -> Checked:
    checked = evidence.verify(watch=_watch(as_json=as_json))
    if checked.proved is None:
        raise JournalBroken(evidence.path, 0, "this journal is unsigned")
    return checked


def _bounds(takeovers: list[Takeover], shoe: int, last: int) -> tuple[int, int]:
    ends = takeovers[shoe + 1].size - 1 if shoe + 1 < len(takeovers) else last
    return takeovers[shoe].size, ends


def _span(journal: Path, evidence: Evidence, shoe: int) -> tuple[int, int]:
    takeovers = evidence.takeovers()
    if shoe >= len(takeovers):
        raise Stop(f"{journal}: no shoe {shoe} is in it", "`cardshoe journal show` lists what there is.", Exit.USAGE)
    return _bounds(takeovers, shoe, evidence.last)


class _RoundLine(msgspec.Struct):
    round: int = 0


def _of_line(log: Marked, line: int) -> tuple[int, int]:
    last = log.last_line_of(log.last)
    if line > last:
        raise Stop(f"{log.path}: no line {line} is in it", f"It holds lines 1 to {last}.", Exit.USAGE)
    entry = log.entry_of(line)
    return entry, entry


def _of_round(log: Marked, number: int) -> tuple[int, int]:
    first, last, goes_on = 0, 0, False
    for entry in log.between(log.first_of_round(number), log.first_of_round(number + 1) - 1):
        if msgspec.json.decode(entry.lines[0], type=_RoundLine).round == number:
            first, last = first or entry.number, entry.number
            goes_on = msgspec.json.decode(entry.lines[-1], type=_RoundLine).round == number
    if not first:
        remedy = "`cardshoe log JOURNAL --last 1` shows the newest round. Earlier logs must lie beside it."
        raise Stop(f"{log.path}: no round {number} is in it", remedy, Exit.USAGE)
    if goes_on:
        raise Stop(f"{log.path}: round {number} is not over", "Prove it once it is closed.", Exit.FAILURE)
    return first, last
