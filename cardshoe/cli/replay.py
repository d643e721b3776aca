"""``cardshoe replay`` and ``cardshoe verify``."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

import click
import msgspec

from cardshoe.cli.answer import answer
from cardshoe.cli.echo import echo
from cardshoe.cli.options import SEALING_KEY, WITNESS_KEYS, WITNESS_TLS, witness_at
from cardshoe.journal import UPDATES, unwatched
from cardshoe.journal.file.witness_file import NoteSource
from cardshoe.journal.proof.cosignature import CosignatureKey
from cardshoe.journal.proof.entry_proof import EntryProof, Unproved
from cardshoe.journal.proof.note import BadNote, VerifyKey
from cardshoe.journal.reading.proving import check_proof
from cardshoe.journal.witness.cosigned import CosignatureProof
from cardshoe.process.exits import Exit, Stop
from cardshoe.process.plain_file import open_plain, read_plain
from cardshoe.process.progress import is_for_a_person, watched
from cardshoe.table.log.replay import replay
from cardshoe.table.log.sealing_keys import find_keys, read_keys
from cardshoe.table.log.verify import Verified, verify
from regulations.law.edition import RULES_VERSION

_PROOF_BYTES: Final = 64 << 20


@click.command("replay")
@click.argument("script", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True))
@click.option("--strict", is_flag=True, help="Exit with 3 at the first refusal or irregularity.")
def replay_command(script: Path, *, strict: bool) -> None:
    """Replay a SCRIPT of inputs (JSON Lines, or - for standard input); its outputs go to standard output."""
    name = str(script)
    out = sys.stdout.buffer

    def write(line: bytes) -> None:
        out.write(line + b"\n")

    try:
        if name == "-":
            lines = watched("replay", sys.stdin.buffer, unit="lines", prints=True)
            done = replay(lines, "standard input", write, strict=strict)
        else:
            with open_plain(script) as read:
                done = replay(_watched(read, script), name, write, strict=strict)
    except OSError as error:
        if error.filename is None:
            raise
        raise Stop(f"{name}: {error.strerror}", "Check the name of the script.", Exit.USAGE) from error
    finally:
        out.flush()
    if done.profile_refused:
        raise Stop(
            f"{name}: the regulation does not allow this table",
            "The refusal above says why, with its article.",
            Exit.USAGE,
        )
    if done.stopped is not None:
        raise Stop(
            f"{name}: stopped at input {done.inputs}: {done.stopped.code}",
            "The line above has its article; without --strict the replay continues.",
            Exit.IRREGULAR,
        )


def _watched(read: IO[bytes], script: Path) -> Iterator[bytes]:
    total = None
    if script.is_file() and is_for_a_person(sys.stderr):
        with open_plain(script) as counted:
            total = sum(1 for _ in counted)
    return watched("replay", read, total, unit="lines", prints=True)


@click.command("verify")
@click.argument("journal", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--witness", metavar="FILE|URL", help="A witness: prove as far as it holds the journal.")
@WITNESS_TLS
@WITNESS_KEYS
@click.option("--first-key", metavar="KEY", help="The table's first key, as noted when its first log began.")
@SEALING_KEY
@click.option("--proof", is_flag=True, help="Verify the proof of an entry or round, without the journal.")
@click.option("--require-replay", is_flag=True, help="Exit with 4 unless the inputs were replayed too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify_command(  # noqa: PLR0913  an option each
    journal: Path,
    witness: str | None,
    witness_tls: tuple[str, str, str] | None,
    witness_keys: Sequence[str],
    first_key: str | None,
    sealing_key: Path | None,
    *,
    proof: bool,
    require_replay: bool,
    as_json: bool,
) -> None:
    """Verify a JOURNAL: its tree and signatures hold, and its inputs replay to the same outputs, byte for byte.

    Or the log of a device's updates: then its entries must follow the rules of an update. A copy without its sealing
    key is verified, and not replayed.
    """
    if first_key is not None:
        _check_key(first_key)
    known = [_witness_key(text) for text in witness_keys]
    with ExitStack() as resources:
        source = None if witness is None else witness_at(witness, witness_tls, resources)
        if proof:
            _print_proof(journal, _proved(journal, first_key, source), as_json=as_json)
            return
        keys = read_keys(find_keys(sealing_key, journal.parent))
        found = verify(
            journal,
            source,
            first_key,
            keys,
            known,
            without_keys=not require_replay,
            watch=unwatched if as_json else watched,
        )
    _print(journal, found, as_json=as_json)
    if require_replay and not found.replayed:
        raise Stop(
            f"{journal}: tree and signatures hold, and its inputs were not replayed ({found.not_replayed})",
            "Give the table's sealing keys with --sealing-key, or verify it with the version that wrote it.",
            Exit.JOURNAL,
        )


def _proved(file: Path, first_key: str | None, witness: NoteSource | None) -> EntryProof:
    try:
        return check_proof(read_plain(file, _PROOF_BYTES), first_key, witness)
    except OSError as error:
        raise Stop(
            f"{file}: {error.strerror}", "Name the file that `cardshoe journal prove` wrote.", Exit.USAGE
        ) from error
    except Unproved as error:
        remedy = "Keep the file as evidence, and ask for the journal: `cardshoe verify JOURNAL`."
        raise Stop(f"{file}: {error.reason}", remedy, Exit.JOURNAL) from error


def _print_proof(file: Path, proof: EntryProof, *, as_json: bool) -> None:
    round_no, numbers = proof.round, [one.entry for one in proof.entries]
    what = f"entry {numbers[0]}" if round_no is None else f"round {round_no}, entries {numbers[0]} to {numbers[-1]}"
    said = {"file": str(file), "round": round_no, "first": numbers[0], "last": numbers[-1]}
    lines = [line for one in proof.entries for line in one.lines]
    answer([f"{file}: {what}, proved", *lines], said, as_json=as_json)


def _print(journal: Path, found: Verified, *, as_json: bool) -> None:
    if as_json:
        echo(msgspec.json.encode(found).decode())
        return
    if found.not_replayed == "no_sealing_key":
        echo(f"NOT replayed: no sealing key (cards are sealed with {found.missing_key}; --sealing-key FILE)")
    edition = "firmware updates" if found.game == UPDATES else found.edition
    echo(
        f"{journal}: {found.entries} entries, {found.lines} lines, intact, {_replayed(found)}",
        f"table {found.table_id}, {edition}, written by {found.program}",
        f"signed up to entry {found.proved} by {found.checkpoints} checkpoints of {found.keys} keys",
        _witnessed(found),
        *(line for one in found.cosigned for line in _cosigned(one)),
        f"first key {found.first_key}",
        f"root {found.root}",
        *_previous(found),
    )
    if found.first_odd_time is not None:
        odd = found.first_odd_time
        echo(
            f"cardshoe: {found.odd_times} times that no clock gives: entry {odd.entry} is of {odd.at}, the input "
            f"before it of {odd.before}, and no `clock_stepped` stands between; ask who set the clock",
            err=True,
        )


def _previous(found: Verified) -> list[str]:
    if found.previous is None:
        return []
    how = "lies beside it and ended as this one says" if found.previous_is_here else "is not beside it"
    return [f"the log before it, {found.previous.log}, {how}"]


def _check_key(text: str) -> None:
    try:
        VerifyKey.parse(text)
    except BadNote as error:
        remedy = "It is the line that `cardshoe run` printed when the journal began: NAME+ID+KEY."
        raise Stop(f"--first-key is no key: {error.reason}", remedy, Exit.USAGE) from error


def _witness_key(text: str) -> CosignatureKey:
    try:
        return CosignatureKey.parse(text)
    except BadNote as error:
        remedy = "It is the line that `cardshoe witness serve` prints: cardshoe/witness/NAME+ID+KEY."
        raise Stop(f"--witness-key is no key: {error.reason}", remedy, Exit.USAGE) from error


def _replayed(found: Verified) -> str:
    if found.game == UPDATES:
        return "follow the rules of an update"
    if found.not_replayed == "no_sealing_key":
        return "tree and signatures hold"
    if found.not_replayed == "other_rules":
        return f"NOT replayed: other rules (version {found.rules}, here {RULES_VERSION}) gave its outputs"
    return "replay the same byte for byte"


def _witnessed(found: Verified) -> str:
    if found.witnessed is None:
        return "no witness was asked: changes by the machine's owner cannot be excluded"
    return f"witnessed up to entry {found.witnessed}"


def _cosigned(seen: CosignatureProof) -> tuple[str, str]:
    at = datetime.fromtimestamp(seen.at_s, UTC)
    whose = {
        None: "compare its key, or give it with --witness-key",
        True: "its key is one of those given",
        False: "its key is NOT one of those given",
    }
    what = f"cosigned by {seen.witness} up to entry {seen.entry}, {at:%Y-%m-%dT%H:%M:%SZ}: {whose[seen.pinned]}"
    return what, f"    {seen.key}"
