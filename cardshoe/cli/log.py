"""``cardshoe log``: a journal's lines, in table log form."""

import difflib
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import click

from cardshoe.cli.echo import echo, write_log_line
from cardshoe.cli.options import SEALING_KEY
from cardshoe.journal import Evidence, JournalBusy, read_only
from cardshoe.journal.file.chain import PASSES
from cardshoe.journal.file.passed_over import EVENT as PASSED_OVER
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.excerpt import Excerpt, excerpts, is_short
from cardshoe.table.log.query import LineGroup, Query, as_written, matching
from cardshoe.table.log.query_arguments import moment_of, rounds_of
from cardshoe.table.log.replaying import opened_lines
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.sealing_keys import SealingKeys, find_keys, read_keys
from cardshoe.table.terminal.typed_cards import asked_card
from regulations.events.codec import INPUTS, OUTPUT_NAMES
from regulations.events.vocabulary import IrregularityCode
from regulations.games.registry import SHEETS
from regulations.law.calendar import MACAU_TIME

if TYPE_CHECKING:
    from regulations.events.cards import Card

CODES: Final[tuple[str, ...]] = get_args(IrregularityCode)
EVENTS: Final = (*INPUTS, *sorted(OUTPUT_NAMES), PASSED_OVER)


class ListedName(click.ParamType[str]):
    def __init__(self, what: str, known: Sequence[str]) -> None:
        self.name = what
        self.known: Final = known

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return a listed name."""
        if value not in self.known:
            near = difflib.get_close_matches(value, self.known, n=1)
            hint = f"Did you mean {near[0]}? " if near else ""
            self.fail(f"no {self.name} {value!r}. {hint}There are {', '.join(self.known)}.", param, ctx)
        return value


class Written(click.ParamType[object]):
    def __init__(self, what: str, read: Callable[[str], object]) -> None:
        self.name = what
        self._read: Final = read

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        """Parse the text."""
        try:
            return self._read(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)


@click.command("log")
@click.argument("journal", type=click.Path(path_type=Path))
@click.option(
    "--follow",
    "-f",
    is_flag=True,
    help="Follow a running table, across its restarts, until Ctrl-C.",
)
@click.option("--words", is_flag=True, help="Print words, round by round, instead of JSON Lines.")
@click.option("--macau", is_flag=True, help="Show and read times in Macau time; default: UTC.")
@click.option("--round", "rounds", type=Written("rounds", rounds_of), metavar="N|N..M", help="These rounds only.")
@click.option("--since", metavar="TIME", help="From this time on: RFC 3339, 22:00, or 2h for two hours ago.")
@click.option("--until", metavar="TIME", help="Before this time; 02:00 is the first one after --since.")
@click.option("--seat", "seats", type=click.IntRange(min=1), multiple=True, help="About this seat.")
@click.option(
    "--irregularity",
    "codes",
    type=ListedName("irregularity", CODES),
    multiple=True,
    metavar="CODE",
    help="Irregularities of this code, such as card_not_due, and their resolution.",
)
@click.option(
    "--card", "cards", type=Written("card", asked_card), multiple=True, metavar="CARD", help="This card: 9H, 10♥."
)
@click.option(
    "--event",
    "events",
    type=ListedName("event", EVENTS),
    multiple=True,
    metavar="NAME",
    help="With this input or output.",
)
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="The last N matching inputs.")
@click.option("--inputs", "only_inputs", is_flag=True, help="Print only the inputs: a script for `cardshoe replay`.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines; the default without --words.")
@click.option(
    "--open",
    "opened",
    is_flag=True,
    help="Open sealed cards with the table's key. They are secret while a round is open.",
)
@SEALING_KEY
def log_command(  # noqa: PLR0913  an option each
    journal: Path,
    *,
    follow: bool,
    words: bool,
    macau: bool,
    rounds: tuple[int, int | None] | None,
    since: str | None,
    until: str | None,
    seats: tuple[int, ...],
    codes: "tuple[IrregularityCode, ...]",
    cards: "tuple[Card, ...]",
    events: tuple[str, ...],
    last: int | None,
    only_inputs: bool,
    as_json: bool,
    opened: bool,
    sealing_key: Path | None,
) -> None:
    """Print the lines of a JOURNAL (JSON Lines); its files are not changed.

    With --follow JOURNAL may be a table's configuration or the folder of its journals, too. With a configuration, words
    have the table's currency and the names of its devices' faults.

    Filters may be combined: all of them must hold, and of one that is given several times any. An input is printed
    with all that the table answered to it. --round and --last continue in the log before JOURNAL where it lies beside
    it, and print what the newest signature covers.
    """
    if words and (as_json or only_inputs):
        raise click.UsageError("--words is for people; leave it out for --json and --inputs.")
    zone = MACAU_TIME if macau else UTC
    begin, end = _times(since, until, zone)
    query = Query(
        rounds=rounds,
        since=begin,
        until=end,
        seats=frozenset(seats),
        irregularities=frozenset(codes),
        cards=frozenset(cards),
        events=frozenset(events),
    )
    if follow:
        from cardshoe.cli.log_follow import follow_log

        if opened or sealing_key is not None:
            raise click.UsageError("A running table opens nothing that is sealed: --follow goes with filters alone.")
        follow_log(journal, query, last=last, only_inputs=only_inputs, zone=zone if words else None)
        return
    if journal.is_dir():
        raise click.BadParameter(f"{journal} is a folder; name a journal, or follow its table with --follow.")
    keys = read_keys(find_keys(sealing_key, journal.parent)) if opened else None
    try:
        found = _print(journal, query, keys, last=last, words=words, zone=zone, only_inputs=only_inputs)
    except JournalBusy as busy:
        raise Stop(
            f"{journal}: {busy.problem}",
            f"While its table runs, `cardshoe log --follow {journal}` shows what it writes, `cardshoe status "
            f"{journal.parent}` how it stands. If it is no table: see which program that is, and end it.",
            Exit.JOURNAL,
        ) from busy
    if not found:
        echo(f"cardshoe: nothing in {journal} matches", err=True)


def _print(
    journal: Path,
    query: Query,
    keys: SealingKeys | None,
    *,
    last: int | None,
    words: bool,
    zone: tzinfo,
    only_inputs: bool,
) -> bool:
    short = excerpts(journal, query, last, keys) if is_short(query, last) else None
    if short is not None:
        found_any = _print_excerpts(short, words=words, zone=zone, only_inputs=only_inputs, opened=keys is not None)
        if words and keys is None and query.rounds is not None and query == Query(rounds=query.rounds):
            _print_totals(short)
        return found_any
    with read_only(journal) as evidence:
        sealer = None if keys is None else Sealer(keys, evidence.header.origin)
        if not words and last is None and query == Query():
            _print_all(evidence, sealer, only_inputs=only_inputs)
            return True
        found: Iterable[LineGroup] = matching(map(LineGroup.of, _entries(evidence, sealer)), query)
        if last is not None:
            found = deque(found, maxlen=last)
        lines = (
            _in_words(evidence.path, evidence.header.game, found, zone, opened=sealer is not None)
            if words
            else as_written(found, only_inputs=only_inputs)
        )
        count = _write(lines)
    sys.stdout.buffer.flush()
    return count > 0


def _print_excerpts(parts: Sequence[Excerpt], *, words: bool, zone: tzinfo, only_inputs: bool, opened: bool) -> bool:
    count = 0
    for one in parts:
        count += _write(
            _in_words(one.path, one.header.game, one.answers, zone, opened=opened)
            if words
            else as_written(one.answers, only_inputs=only_inputs)
        )
    sys.stdout.buffer.flush()
    if parts[-1].signed is not None:
        echo(f"cardshoe: entries after {parts[-1].signed} are not signed yet", err=True)
    return count > 0


def _print_totals(parts: Sequence[Excerpt]) -> None:
    from cardshoe.table.terminal.journal_words import totals_of_rounds

    for one in parts:
        _write(line.encode() for line in totals_of_rounds(one.opening, one.answers) if one.opening)
    sys.stdout.buffer.flush()


def _write(lines: Iterable[bytes]) -> int:
    count = 0
    for count, line in enumerate(lines, start=1):  # noqa: B007  it is looked at behind the loop
        write_log_line(line)
    return count


def _times(since: str | None, until: str | None, zone: tzinfo) -> tuple[str, str]:
    now = datetime.fromisoformat(wall_time())
    begin = end = option = ""
    try:
        if since is not None:
            option = "--since"
            begin = moment_of(since, now, zone)
        if until is not None:
            option = "--until"
            end = moment_of(until, now, zone, begin)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint=option) from error
    if begin and end and end <= begin:
        raise click.UsageError(f"--until ({end}) is not after --since ({begin}).")
    return begin, end


def _entries(evidence: Evidence, sealer: Sealer | None) -> Iterator[list[bytes]]:
    for entry in evidence.entries():
        yield entry.lines if sealer is None else opened_lines(evidence.path, entry, sealer)


def _print_all(evidence: Evidence, sealer: Sealer | None, *, only_inputs: bool) -> None:
    for lines in _entries(evidence, sealer):
        if not only_inputs:
            for line in lines:
                write_log_line(line)
        elif not lines[0].startswith(PASSES):
            write_log_line(lines[0])
    sys.stdout.buffer.flush()


def _in_words(path: Path, game: str, found: Iterable[LineGroup], zone: tzinfo, *, opened: bool) -> Iterator[bytes]:
    from cardshoe.table.terminal.journal_words import in_words

    known: Any = game
    if known not in SHEETS:
        raise Stop(
            f"{path}: the log of a device's updates has no rounds to tell",
            "`cardshoe update status TABLE.toml DEVICE` tells it in words; without --words its lines are printed.",
            Exit.USAGE,
        )
    for line in in_words(found, known, zone, opened=opened):
        yield line.encode("utf-8", "replace")
