"""The log of a table before the open one."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET

from cardshoe.journal import Entry, Evidence, Header, JournalBroken, JournalError
from cardshoe.journal.reading.backups import copied
from cardshoe.table.log.journal_names import journals_of
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.replaying import opened_input
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.sealing_keys import SealingKeys
from cardshoe.table.log.snapshot import Recovering, TableSnapshot
from regulations.events.codec import output_decoder
from regulations.events.inputs import AnyInput
from regulations.games.registry import SHEETS
from regulations.law.edition import RULES_VERSION

logger: Final = logging.getLogger(__name__)

OF_BEFORE: Final = 0
"""Value of `DeviceSnapshot.heard_from` that includes the log before; lines count from 1."""


@contextmanager
def log_before(path: Path, header: Header) -> Iterator[Evidence | None]:
    """The log before, for reading; ``None``: none, or not beside the journal.

    Raises:
        JournalError: it cannot be read.
    """
    older = [one for one in journals_of(path.parent, header.table_id) if one.name < path.name]
    if header.previous is UNSET or not older:
        yield None
        return
    with copied(older[-1], unlocked=True) as evidence:
        yield evidence if evidence.header.fingerprint == header.previous.log else None


class _LinkLine(msgspec.Struct):
    round: int = 0
    rounds: int = 0


_line: Final = msgspec.json.Decoder(_LinkLine)


def last_round(entries: Iterable[Entry]) -> int:
    last = before = 0
    for entry in entries:
        if entry.passes_over:
            last = before
        else:
            line = _line.decode(entry.lines[0])
            last, before = line.round or line.rounds or last, last
    return last


class _LastShoe(NamedTuple):
    snapshot: TableSnapshot | None
    heard: list[AnyInput]
    taken: list[LoggedInput]


def replay_before(
    path: Path,
    header: Header,
    keys: SealingKeys,
    bridges: Sequence[Recovering],
    on_replayed: Callable[[LoggedInput], None],
) -> None:
    """Replay the last shoe game of the log before to the devices."""
    shoe = _last_shoe(path, header, keys)
    for bridge in bridges:
        device = None if shoe.snapshot is None else shoe.snapshot.devices.get(bridge.name)
        if device is not None:
            try:
                msgspec.json.decode(device.state, type=bridge.form)
            except msgspec.ValidationError:
                continue
            first = device.heard_from
            heard = (
                [] if first is None else [one for one in shoe.heard if isinstance(one.seq, int) and one.seq >= first]
            )
            bridge.restore(bytes(device.state), heard)
    for taken in shoe.taken:
        on_replayed(taken)
    for bridge in bridges:
        bridge.log_begun()


def since(heard: Sequence[AnyInput], first: int | None) -> list[AnyInput]:
    return [one for one in heard if first is not None and isinstance(one.seq, int) and one.seq >= first]


def heard_before(path: Path, header: Header, keys: SealingKeys) -> list[AnyInput]:
    shoe = _last_shoe(path, header, keys)
    inputs = [*shoe.heard, *(taken.opened for taken in shoe.taken)]
    return [msgspec.structs.replace(one, seq=UNSET) for one in inputs]


def _last_shoe(path: Path, header: Header, keys: SealingKeys) -> _LastShoe:
    """The end of the log before; if it is unreadable, the table still starts."""
    nothing = _LastShoe(None, [], [])
    try:
        with log_before(path, header) as evidence:
            if evidence is None or evidence.header.rules != RULES_VERSION:
                return nothing
            return _read(evidence, Sealer(keys, evidence.header.origin))
    except JournalError as error:
        logger.warning("%s The devices continue without the log before", error)
        return nothing


def _read(evidence: Evidence, sealer: Sealer) -> _LastShoe:
    stood = next(reversed(evidence.snapshots()), None)
    snapshot, last, first = None, 0, 1
    if stood is not None:
        try:
            snapshot = msgspec.json.decode(stood.state, type=TableSnapshot)
        except msgspec.ValidationError:
            return _LastShoe(None, [], [])
        last = stood.last
        wanted = [one.heard_from for one in snapshot.devices.values() if one.heard_from is not None]
        first = min([last + 1, *map(evidence.entry_of, wanted)])
    heard: list[AnyInput] = []
    after: list[LoggedInput] = []
    for number, taken in taken_again(evidence.path, evidence.entries(first), sealer, evidence.header.game):
        if number <= last:
            heard.append(taken.opened)
        else:
            after.append(taken)
    return _LastShoe(snapshot, heard, after)


def taken_again(path: Path, entries: Iterable[Entry], sealer: Sealer, game: str) -> Iterator[tuple[int, LoggedInput]]:
    """Inputs of a log with their answers, by entry."""
    decoder = output_decoder(SHEETS[game].result)
    for entry in entries:
        if entry.passes_over:
            continue
        event, opened = opened_input(path, entry, sealer)
        try:
            outputs = [decoder.decode(line) for line in entry.lines[1:]]
        except msgspec.MsgspecError as error:
            raise JournalBroken(path, entry.number, f"not an output of the table log: {error}") from error
        yield entry.number, LoggedInput(event, outputs, entry.lines, opened)
