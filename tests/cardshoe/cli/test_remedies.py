"""A remedy fits whoever reads it: the command that was given, and the file that it was given for."""

from pathlib import Path

import pytest

from tests.cardshoe.cli.journals import journal_of
from tests.cardshoe.cli.support import answered, cardshoe
from tests.kit.command import assert_message
from tests.kit.running_table import journal_of as only_journal
from tests.kit.running_table import write_config


def damaged(path: Path) -> Path:
    path.write_bytes(path.read_bytes().replace(b'"by":"croupier"', b'"by":"supplier"'))
    return path


@pytest.mark.parametrize(
    "command",
    [("verify",), ("log",), ("journal", "show"), ("journal", "export"), ("journal", "prove")],
    ids=" ".join,
)
def test_whoever_only_reads_is_not_told_to_open_a_table(tmp_path: Path, command: tuple[str, ...]) -> None:
    kept = damaged(journal_of(tmp_path / "2026-01.journal"))
    seq = ("3",) if "prove" in command else ()
    done = answered(*command, kept, *seq)
    *_, problem, remedy = done.stderr.decode().splitlines()
    assert done.returncode == 4
    assert "the journal is broken: entry" in problem
    assert remedy == (
        "  Keep 2026-01.journal as it is, and 2026-01.journal-wal if there is one; copy them as evidence, and tell the "
        "supervisor."
    )


def test_a_table_whose_journal_is_damaged_begins_a_new_one_by_what_it_is_told(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    assert cardshoe("run", config, stdin=b"shuffled croupier\nquit\n").returncode == 0
    journal = damaged(only_journal(tmp_path))
    done = cardshoe("run", config)
    said = done.stderr.decode().partition("hand.\n")[2]
    what_to_do = f"begin a new journal meanwhile: move {journal.name}, and every file whose name begins"
    assert_message(done.returncode, said, 4, "the journal is broken", f"{what_to_do} so, out of {journal.parent}.")
    evidence = tmp_path / "evidence"
    evidence.mkdir()
    for file in journal.parent.glob(f"{journal.name}*"):
        file.rename(evidence / file.name)
    assert cardshoe("run", config, stdin=b"quit\n").returncode == 0
    assert only_journal(tmp_path) != journal


def test_a_witness_that_cannot_be_read_is_not_promised_to_be_written(tmp_path: Path) -> None:
    journal = journal_of(tmp_path / "b.journal")
    done = answered("verify", journal, "--witness", tmp_path)
    said = done.stderr.decode()
    assert_message(done.returncode, said, 4, "the witness cannot be read", "may write to it; a running table")


def test_nobody_looks_again_for_an_adapter_but_a_table_that_runs(tmp_path: Path) -> None:
    done = answered("capture", "usb:dead:beef", tmp_path / "new.jsonl")
    said = done.stderr.decode()
    said = said[said.index("cardshoe: ") :]
    assert_message(done.returncode, said, 5, "no adapter matches", "a table that runs looks for it again")


def test_a_folder_that_cannot_be_made_is_named_as_the_command_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = cardshoe("demo", "--journals", tmp_path / "file" / "journals")
    said = done.stderr.decode()
    assert_message(done.returncode, said[said.index("cardshoe: ") :], 2, "Not a directory", "or --journals")
