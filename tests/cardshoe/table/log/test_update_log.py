"""`cardshoe verify` on the log of a device's updates: the first entry that no rule gives is named."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from cardshoe.journal import Journal, JournalBroken, Keyring
from cardshoe.journal.file.chain import data_of
from cardshoe.journal.file.witness_file import WitnessFile
from cardshoe.journal.witness.configured import holder_at
from cardshoe.journal.witness.targets import Holder
from cardshoe.journal.witness.tasks import Tasks
from cardshoe.table.log.update_log import UpdateLog
from cardshoe.table.log.verify import verify
from firmware_bridge.trust.acts import Update
from firmware_bridge.update.record import UpdateEntry
from firmware_bridge.update.states import UpdateState, UpdateStep, UpdateTrigger
from tests.cardshoe.journal.witness.support import serving

AT: Final = "2026-01-05T03:00:00.000000Z"
UPDATE: Final = Update(
    order="0" * 32,
    name="shoe-1",
    maker="Cardshoe",
    model="TDP shoe",
    serial="SN-1",
    version="1.1.0",
    security_counter=2,
    image_digest="1" * 64,
    file="2" * 64,
    length=9000,
)
STAGED: Final = UpdateEntry(at=AT, trigger=UpdateTrigger.STAGE, state=UpdateState.STAGED, update=UPDATE)
VERIFIED: Final = UpdateEntry(at=AT, trigger=UpdateTrigger.VERIFY, state=UpdateState.VERIFIED)
CANCELLED: Final = UpdateEntry(
    at=AT, trigger=UpdateTrigger.CANCEL, state=UpdateState.ABANDONED, code="cancelled", by="anna"
)
CONFIRMED: Final = UpdateEntry(at=AT, trigger=UpdateTrigger.RUNS_NEW, state=UpdateState.CONFIRMED)


def log_of(folder: Path, entries: Sequence[UpdateEntry], more: bytes = b"") -> Path:
    path = folder / "shoe-1.updates.journal"
    with UpdateLog(path, "B-101", "shoe-1", AT) as log:
        for entry in entries:
            log.record(entry)
    if more:
        with Journal.open(path, Keyring(path)) as journal:
            journal.append([more], sign_at=AT)
    return path


def test_updates_one_after_the_other(tmp_path: Path) -> None:
    found = verify(log_of(tmp_path, [STAGED, VERIFIED, CANCELLED, STAGED, CANCELLED]))
    assert (found.game, found.entries, found.lines, found.keys) == ("firmware_update", 5, 10, 2)


def test_an_update_that_nobody_authorised_is_named(tmp_path: Path) -> None:
    # Whoever has the machine and its key can sign anything; the rules show that it cannot have happened.
    path = log_of(tmp_path, [STAGED, VERIFIED, CONFIRMED])
    with pytest.raises(
        JournalBroken, match="runs_new cannot lead from verified to confirmed with nothing to do"
    ) as bad:
        verify(path)
    assert bad.value.entry == 3


@pytest.mark.parametrize(
    ("entries", "number", "says"),
    [
        ([VERIFIED], 1, "an update was not staged"),
        ([STAGED, STAGED], 2, "while the one before it is staged"),
        ([STAGED, CANCELLED, VERIFIED], 3, "verify cannot lead from abandoned"),
        (
            [UpdateEntry(at=AT, trigger=UpdateTrigger.STAGE, state=UpdateState.STAGED)],
            1,
            "not without saying what is to be done",
        ),
        (
            [UpdateEntry(at=AT, trigger=UpdateTrigger.STAGE, state=UpdateState.TESTING, update=UPDATE)],
            1,
            "cannot begin as testing",
        ),
        (
            [
                STAGED,
                UpdateEntry(at=AT, trigger=UpdateTrigger.VERIFY, state=UpdateState.VERIFIED, act=UpdateStep.CONFIRM),
            ],
            2,
            "with confirm to do",
        ),
    ],
)
def test_what_no_rule_gives_is_named(tmp_path: Path, entries: list[UpdateEntry], number: int, says: str) -> None:
    path = log_of(tmp_path, entries)
    with pytest.raises(JournalBroken, match=says) as bad:
        verify(path)
    assert bad.value.entry == number


_NEXT: Final = b'{"event":"next","seq":4,"state":"verified","do":null}'
_LINE: Final = b'{"event":"update","seq":3,"device":"shoe-1","entry":{"at":"2026-01-05T03:00:00.000000Z",'


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"event":"update","seq":3}', "entry 2 is not one of an update"),
        (b'{"event":"card","seq":3}', "entry 2 is not one of an update"),
        (_LINE + b'"state":"verified","trigger":"verify"}}', "not written as this program"),
    ],
)
def test_lines_that_are_no_entries_are_named(tmp_path: Path, line: bytes, says: str) -> None:
    path = log_of(tmp_path, [STAGED], data_of([line, _NEXT]))
    with pytest.raises(JournalBroken, match=says) as bad:
        verify(path)
    assert bad.value.entry == 2


def test_what_is_done_next_is_compared(tmp_path: Path) -> None:
    whole = log_of(tmp_path / "whole", [STAGED, VERIFIED])
    with Journal.open(whole, Keyring(whole)) as journal:
        [line, _] = next(journal.entries(2)).lines
    path = log_of(tmp_path, [STAGED], data_of([line, b'{"event":"next","seq":4,"state":"verified"}']))
    with pytest.raises(JournalBroken, match="do not give its answer") as bad:
        verify(path)
    assert bad.value.entry == 2


def witness_at(place: str, folder: Path) -> Holder:
    tasks = Tasks(lambda _: None)
    tasks.hand_over()
    return holder_at(place, folder, None, tasks)


def recorded(folder: Path, *entries: UpdateEntry, witness: str) -> Path:
    """A log after one command: opened, written, closed."""
    path = folder / "shoe-1.updates.journal"
    with UpdateLog(path, "B-101", "shoe-1", AT, [witness_at(witness, folder)]) as log:
        for entry in entries:
            log.record(entry)
    return path


def test_a_witness_holds_what_each_command_signed(tmp_path: Path) -> None:
    path = recorded(tmp_path, STAGED, witness="stick.notes")
    old = {file: file.read_bytes() for file in tmp_path.glob("shoe-1*")}
    recorded(tmp_path, VERIFIED, CANCELLED, witness="stick.notes")
    found = verify(path, WitnessFile(tmp_path / "stick.notes"))
    assert found.witnessed == found.entries == found.proved == 3
    # Somebody takes the cancelling back.
    for file, data in old.items():
        file.write_bytes(data)
    with pytest.raises(JournalBroken, match=r"the witness stick\.notes holds 2 signatures that the journal lacks"):
        recorded(tmp_path, VERIFIED, witness="stick.notes")
    with pytest.raises(JournalBroken, match="missing: the witness holds checkpoint 2"):
        verify(path, WitnessFile(tmp_path / "stick.notes"))


def test_an_update_goes_on_without_its_witness_which_is_told_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = recorded(tmp_path, STAGED, VERIFIED, witness="stick/away.notes")
    assert ["the witness cannot be written" in record.getMessage() for record in caplog.records] == [True]
    (tmp_path / "stick").mkdir()
    recorded(tmp_path, witness="stick/away.notes")
    assert verify(path, WitnessFile(tmp_path / "stick" / "away.notes")).witnessed == 2


def test_a_witness_on_another_machine(tmp_path: Path) -> None:
    with serving(tmp_path / "state") as url:
        path = recorded(tmp_path, STAGED, witness=url)
        recorded(tmp_path, VERIFIED, CANCELLED, STAGED, witness=url)
    (held,) = (tmp_path / "state").glob("*.notes")
    found = verify(path, WitnessFile(held))
    assert (found.witnessed, found.keys) == (4, 2)
