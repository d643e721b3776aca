"""Resume a log from its last snapshot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from cardshoe.journal import Journal, JournalBroken, Stood
from cardshoe.table.log.log_before import OF_BEFORE, since, taken_again
from cardshoe.table.log.log_builder import LoggedInput, Scribe
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.snapshot import LogSummary, Recovering, TableSnapshot
from regulations.events.errors import SnapshotUnfit
from regulations.events.inputs import AnyInput


@dataclass(frozen=True, slots=True)
class RecoveredTable:
    scribe: Scribe
    last: LoggedInput
    first: int


def resumed(
    journal: Journal,
    past: LogSummary,
    bridges: Sequence[Recovering],
    sealer: Sealer,
    heard_before: Callable[[], Sequence[AnyInput]],
) -> RecoveredTable | None:
    """Resume a log from its last snapshot; ``None``: replay the whole log.

    An unusable snapshot is ignored.

    Raises:
        SealingKeyMissing: a sealing key is missing.
        JournalBroken: the entries do not match the snapshot.
    """
    stood = journal.stood
    if stood is None:
        return None
    try:
        snapshot = msgspec.json.decode(stood.state, type=TableSnapshot)
        for bridge in bridges:
            _check_fits(bridge, snapshot)
    except msgspec.ValidationError:
        return None
    last, heard = _read_again(journal, stood, snapshot, sealer)
    seq = last.prompt.seq if isinstance(last.prompt.seq, int) else 0
    try:
        scribe = Scribe(snapshot.profile, sealer=sealer, snapshot=snapshot.regulation, seq=seq)
    except SnapshotUnfit:
        return None
    past.restore(snapshot)
    for bridge in bridges:
        device = snapshot.devices.get(bridge.name)
        if device is not None:
            before = heard_before() if device.heard_from == OF_BEFORE else ()
            bridge.restore(bytes(device.state), [*before, *since(heard, device.heard_from)])
    return RecoveredTable(scribe, last, stood.last + 1)


def _check_fits(bridge: Recovering, snapshot: TableSnapshot) -> None:
    device = snapshot.devices.get(bridge.name)
    if device is not None:
        msgspec.json.decode(device.state, type=bridge.form)


def _read_again(
    journal: Journal, stood: Stood, snapshot: TableSnapshot, sealer: Sealer
) -> tuple[LoggedInput, list[AnyInput]]:
    wanted = [journal.entry_of(one.heard_from) for one in snapshot.devices.values() if one.heard_from is not None]
    heard: list[AnyInput] = []
    entries = journal.entries(min([stood.last, *wanted]))
    for number, taken in taken_again(journal.path, entries, sealer, snapshot.profile.game):
        heard.append(taken.opened)
        if number == stood.last:
            return taken, heard
    raise JournalBroken(journal.path, stood.last, "it is not the input after which the snapshot was made")
