"""``cardshoe journal``: keeping journals. Backups, exports, archives, proofs of single entries."""

import contextlib
import itertools
import os
import pwd
import sys
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
import msgspec

from cardshoe.cli.answer import JSON, answer
from cardshoe.cli.echo import echo, write_log_line
from cardshoe.cli.group import Subgroup
from cardshoe.cli.options import SEALING_KEY, WITNESS_TLS, witness_at
from cardshoe.journal import Checked, Evidence, JournalBroken, Watch, backup, read_only, unwatched
from cardshoe.journal.file.chain import OWN
from cardshoe.journal.proof.entry_proof import Unproved
from cardshoe.journal.proof.statements import Takeover
from cardshoe.journal.writing.retire import Retired, ended_before, keep_shoes
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.progress import watched
from cardshoe.table.log.importing import import_log
from cardshoe.table.log.retention import retire_shoes
from cardshoe.table.log.sealing_keys import find_keys, read_keys

FILE = click.Path(dir_okay=False, path_type=Path)


@click.group("journal", cls=Subgroup)
def journal_group() -> None:
    """Keep journals: back up, export, import, retire to an archive, show, prove single entries."""


@journal_group.command("backup", short_help="Copy a journal, also while its table runs")
@click.argument("journal", type=FILE)
@click.argument("target", metavar="DEST", type=FILE)
@JSON
def backup_command(journal: Path, target: Path, *, as_json: bool) -> None:
    """Copy a JOURNAL to the new file DEST, also while its table runs, and verify the copy.

    DEST is one file, without the private key.
    """
    checked = backup(journal, target, watch=_watch(as_json=as_json))
    proved = "nobody signed it" if checked.proved_seq is None else f"signed up to entry {checked.proved_seq}"
    answer(
        [f"{target}: entries up to {checked.last_seq}, intact, {proved}", f"root {checked.root.hex()}"],
        {"file": str(target), "last": checked.last_seq, "proved": checked.proved_seq, "root": checked.root.hex()},
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
        begins, ends = checked.segment.size, checked.last_seq
        if shoe is not None:
            begins, ends = _span(journal, evidence, shoe)
        begins, ends = max(begins, first or 1), ends if last is None else min(ends, last)
        if begins > ends and (first or last) is not None:
            there = f"entries {checked.segment.size} to {checked.last_seq}"
            raise Stop(f"{journal}: no entry matches", f"It holds {there}.", Exit.USAGE)
        entries = itertools.takewhile(lambda entry: entry.seq <= ends, evidence.entries(begins))
        for entry in watched("export", entries, ends + 1 - begins, prints=True):
            if entry.seq >= begins:
                write_log_line(entry.line)
    sys.stdout.buffer.flush()
    if checked.proved_seq is not None and ends > checked.proved_seq:
        echo(f"cardshoe: entries after {checked.proved_seq} are not signed yet", err=True)


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
            f"{target}: {done.entries} entries, {done.inputs} inputs, {done.compared} outputs compared",
            f"first key (write it down and keep it off this computer): {done.first_key}",
        ],
        {"file": str(target), **msgspec.structs.asdict(done)},
        as_json=as_json,
    )


@journal_group.command("retire", short_help="Move closed shoe games into an archive")
@click.argument("journal", type=FILE)
@click.option(
    "--before", metavar="DATE", help="Retire shoe games that ended before: 2026-01-31, or a time with offset."
)
@click.option("--keep-shoes", "count", type=click.IntRange(min=1), help="Retire all but this many shoe games.")
@click.option("--archive", type=FILE, required=True, help="The new file for what is retired.")
@click.option("--witness", metavar="FILE|URL", help="A witness: retire nothing that it does not hold.")
@WITNESS_TLS
@click.option(
    "--by", metavar="NAME", help="The person who asks, for the journal's entry; default: the account of this command."
)
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
@JSON
def retire_command(  # noqa: PLR0913  an option each
    journal: Path,
    before: str | None,
    count: int | None,
    archive: Path,
    witness: str | None,
    witness_tls: tuple[str, str, str] | None,
    by: str | None,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Move closed shoe games out of a JOURNAL whose table is closed into an archive; both stay provable."""
    if (before is None) == (count is None):
        raise Stop("it is not clear which shoe games stay", "Give either --before or --keep-shoes.", Exit.USAGE)
    choose = ended_before(_moment(before)) if before is not None else keep_shoes(count or 1)
    with ExitStack() as resources:
        source = None if witness is None else witness_at(witness, witness_tls, resources)
        done = retire_shoes(
            journal,
            archive,
            choose,
            by=_asker(by),
            at=wall_time(),
            dry_run=dry_run,
            witness=source,
            watch=_watch(as_json=as_json),
        )
    said = {"journal": str(journal), "archive": str(archive), "retired": done, "dry_run": dry_run}
    answer(_retired(journal, archive, done, dry_run=dry_run), said, as_json=as_json)


def _retired(journal: Path, archive: Path, done: Retired | None, *, dry_run: bool) -> list[str]:
    if done is None:
        return [f"{journal}: nothing to retire"]
    (first, last), (begins, ends) = done.shoes, done.entries
    span = f"entries {begins} to {ends}, {done.since} to {done.until}"
    return [
        f"{archive}: {'would hold' if dry_run else 'holds'} the shoes {first} to {last}, {span}",
        f"{journal}: {'would keep' if dry_run else 'keeps'} {done.kept_shoes}, from entry {done.kept_from} on",
    ]


def _watch(*, as_json: bool) -> Watch:
    """Shows a person how far it is; a program reads nothing but the answer."""
    return unwatched if as_json else watched


def _asker(name: str | None) -> str:
    """Who asks, in a form that the journal's entry can hold."""
    if name is None:
        with contextlib.suppress(KeyError):  # an account that is only a number
            name = pwd.getpwuid(os.getuid()).pw_name
    name = f"user {os.getuid()}" if name is None else name
    if not name.isprintable() or not name.strip() or set(name) & {'"', "\\"}:
        raise Stop(f"--by {name!r} is not a valid name", 'Use printable characters without " and \\.', Exit.USAGE)
    return name


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Stop(f"{text!r} is not a date", "Write it as 2026-01-31 or 2026-01-31T06:00:00Z.", Exit.USAGE) from error
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


@journal_group.command("show", short_help="Verify a journal and list its shoe games")
@click.argument("journal", type=FILE)
@JSON
def show_command(journal: Path, *, as_json: bool) -> None:
    """Verify a JOURNAL and list its shoe games: number, entries, since when."""
    with read_only(journal) as evidence:
        checked = _verified(evidence, as_json=as_json)
        part, takeovers = checked.segment, evidence.takeovers()
        kind = "whole" if part.is_whole else "archive" if part.archived else "rest"
        shoes = [
            ShoeShown(one.epoch, one.at, *_bounds(takeovers, one.epoch, checked.last_seq))
            for one in takeovers[part.epoch : len(takeovers) - part.archived]
        ]
        table_id = evidence.header.table_id
    lines = [f"{journal}: table {table_id}, {PARTS[kind]}"]
    for one in shoes:
        entries = f"entries {one.first} to {one.last}" if one.first <= one.last else "no entries"
        lines.append(f"shoe {one.shoe:4}  since {one.since}  {entries}")
    said = {"file": str(journal), "table_id": table_id, "part": kind, "shoes": shoes}
    answer(lines, said, as_json=as_json)


PARTS: Final = {"whole": "whole", "archive": "an archive", "rest": "the rest; earlier shoe games are retired"}


class ShoeShown(msgspec.Struct, frozen=True):
    """A shoe game of a journal: its number, since when, its entries; the last is before the first if it has none."""

    shoe: int
    since: str
    first: int
    last: int


@journal_group.command("fit", short_help="Verify that archives and rest fit together")
@click.argument("files", metavar="PART...", type=FILE, nargs=-1, required=True)
@JSON
def fit_command(files: tuple[Path, ...], *, as_json: bool) -> None:
    """Verify the PARTs of a journal, archives and rest, and that they fit together without gap."""
    found = sorted((_part(file, as_json=as_json) for file in files), key=lambda one: one.first)
    for before, after in itertools.pairwise(found):
        # The same keys, too: whoever had one of them could have gone on in two ways.
        if (before.header, before.keys) != (after.header, after.keys[: len(before.keys)]):
            raise Stop(
                f"{after.file}: of another journal than {before.file}", "Name parts of one journal.", Exit.JOURNAL
            )
        if before.last + 1 != after.first:
            raise Stop(
                f"{before.file} ends with entry {before.last}, and {after.file} begins with {after.first}",
                "Name every part once; if one is missing, look for it, or for a backup that holds it.",
                Exit.JOURNAL,
            )
    lines = [f"{one.file}: entries {one.first} to {one.last}" for one in found]
    end = "archived; the rest is not among these" if found[-1].archived else "up to the end"
    lines.append(f"they fit together from {'the first entry' if found[0].first == 1 else 'there'} on, {end}")
    parts = [{"file": str(one.file), "first": one.first, "last": one.last} for one in found]
    answer(lines, {"parts": parts, "to_the_end": not found[-1].archived}, as_json=as_json)


@journal_group.command("prove", short_help="Print the proof of an entry or of a round")
@click.argument("journal", type=FILE)
@click.argument("seq", type=click.IntRange(min=1), required=False)
@click.option("--round", "round_no", type=click.IntRange(min=1), help="All entries of a round.")
def prove_command(journal: Path, seq: int | None, round_no: int | None) -> None:
    """Print the proof of an entry of a JOURNAL, or of a round (JSON); `cardshoe-verify --proof` needs nothing else."""
    if (seq is None) == (round_no is None):
        raise Stop("which entry?", "Name one entry, or a round with --round.", Exit.USAGE)
    with read_only(journal) as evidence:
        _verified(evidence)
        first, last = (seq, seq) if seq is not None else _of_round(journal, evidence, round_no or 0)
        try:
            proof = evidence.prove_entries(first, last, round_no)
        except ValueError as error:
            raise Stop(f"{journal}: {error}", "`cardshoe journal show` lists what there is.", Exit.USAGE) from error
        except Unproved as error:
            raise Stop(f"{journal}: entries {first} to {last}: {error.reason}", "", Exit.FAILURE) from error
    echo(*msgspec.json.format(msgspec.json.encode(proof)).split(b"\n"))


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


class _Part(msgspec.Struct, frozen=True):
    """A part of a journal that holds."""

    file: Path
    header: bytes
    keys: list[Takeover]
    first: int
    last: int
    archived: bool


def _part(file: Path, *, as_json: bool) -> _Part:
    with read_only(file) as evidence:
        checked = _verified(evidence, as_json=as_json)
        part = checked.segment
        header, keys = evidence.genesis.line, evidence.takeovers()
        return _Part(file, header, keys, part.size, checked.last_seq, part.archived)


def _verified(evidence: Evidence, *, as_json: bool = False) -> Checked:
    checked = evidence.verify(watch=_watch(as_json=as_json))
    if checked.proved_seq is None:
        raise JournalBroken(evidence.path, 0, "nobody signed this journal")
    return checked


def _bounds(takeovers: list[Takeover], shoe: int, last: int) -> tuple[int, int]:
    ends = takeovers[shoe + 1].size - 1 if shoe + 1 < len(takeovers) else last
    return takeovers[shoe].size, ends


def _span(journal: Path, evidence: Evidence, shoe: int) -> tuple[int, int]:
    takeovers, part = evidence.takeovers(), evidence.segment
    if not part.epoch <= shoe < len(takeovers) - part.archived:
        raise Stop(f"{journal}: no shoe {shoe} is in it", "`cardshoe journal show` lists what there is.", Exit.USAGE)
    return _bounds(takeovers, shoe, evidence.last_seq)


class _Line(msgspec.Struct):
    """The fields of a line that locate a round."""

    event: str
    round: int = 0


def _of_round(journal: Path, evidence: Evidence, number: int) -> tuple[int, int]:
    """The first input of a round, and the last output of its last input."""
    first, last, goes_on, inside = 0, 0, False, False
    for entry in evidence.entries():
        if entry.kind in OWN:
            continue
        said = msgspec.json.decode(entry.line, type=_Line)
        if entry.kind == "input":
            inside = said.round == number
        if inside:
            first, last, goes_on = first or entry.seq, entry.seq, said.event == "next" and said.round == number
    if not first:
        raise Stop(f"{journal}: no round {number} is in it", "Rounds are numbered from 1 in each log.", Exit.USAGE)
    if goes_on:
        raise Stop(f"{journal}: round {number} is not over", "Prove it once it is closed.", Exit.FAILURE)
    return first, last
