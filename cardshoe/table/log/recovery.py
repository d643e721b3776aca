"""Taking up a log from where it last stood, instead of from its beginning."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from cardshoe.journal import Journal, JournalBroken, Stood
from cardshoe.table.log.log_builder import Scribe, Taken
from cardshoe.table.log.replaying import opened_input
from cardshoe.table.log.sealing import Sealer
from cardshoe.table.log.snapshot import LogSummary, Recovering, TableSnapshot
from regulations.events.codec import output_decoder
from regulations.events.errors import SnapshotUnfit
from regulations.events.inputs import AnyInput
from regulations.games.registry import SHEETS


@dataclass(frozen=True, slots=True)
class Resumed:
    """A table as it last stood.

    Attributes:
        scribe: the regulation there.
        last: the last input before, with its answer.
        first: the number of the first entry after it.
    """

    scribe: Scribe
    last: Taken
    first: int


def resumed(journal: Journal, past: LogSummary, bridges: Sequence[Recovering], sealer: Sealer) -> Resumed | None:
    """Takes up where a log last stood.

    A snapshot that this version, its rules or a device of now cannot take up is left alone: it speeds the start up and
    says nothing that the log does not.

    Args:
        journal: the log.
        past: takes up what it needs.
        bridges: of the devices that are configured now; they take up what the journal knows of them.
        sealer: opens what is sealed.

    Returns:
        ``None``: the log must be replayed as a whole.

    Raises:
        SealingKeyMissing: an input that a device must hear again is sealed with a key that is not here.
        JournalBroken: the entries are not those that the snapshot speaks of.
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
            first = seq + 1 if device.heard_from is None else device.heard_from
            bridge.restore(
                bytes(device.state), [event for event in heard if isinstance(event.seq, int) and event.seq >= first]
            )
    return Resumed(scribe, last, stood.last + 1)


def _check_fits(bridge: Recovering, snapshot: TableSnapshot) -> None:
    device = snapshot.devices.get(bridge.name)
    if device is not None:
        msgspec.json.decode(device.state, type=bridge.form)


def _read_again(
    journal: Journal, stood: Stood, snapshot: TableSnapshot, sealer: Sealer
) -> tuple[Taken, list[AnyInput]]:
    """The last input with its answer; and the inputs that devices must hear again, opened."""
    wanted = [journal.entry_of(one.heard_from) for one in snapshot.devices.values() if one.heard_from is not None]
    heard: list[AnyInput] = []
    decoder = output_decoder(SHEETS[snapshot.profile.game].result)
    for entry in journal.entries(min([stood.last, *wanted])):
        if entry.passes_over:
            continue
        event, opened = opened_input(journal.path, entry, sealer)
        heard.append(opened)
        if entry.number == stood.last:
            try:
                outputs = [decoder.decode(line) for line in entry.lines[1:]]
                return Taken(event, outputs, entry.lines, opened), heard
            except msgspec.MsgspecError as error:
                raise JournalBroken(journal.path, entry.number, f"not an output of the table log: {error}") from error
    raise JournalBroken(journal.path, stood.last, "it is not the input after which the snapshot was made")
