"""Attack: the last entry of a log cannot be processed, so that its table never starts; or a good one is passed over."""

import json
import random
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec
import pytest

from cardshoe.journal import Journal, JournalBroken, Keyring, LinesRefused
from cardshoe.journal.file.chain import data_of
from cardshoe.journal.file.passed_over import PassedOver
from cardshoe.journal.proof.tree import leaf_hash
from cardshoe.process.clock import wall_time
from cardshoe.process.exits import Exit, Stop
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.passing import pass_over_last
from cardshoe.table.log.replaying import LastEntryFails
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.log.verify import verify
from cardshoe.table.setup.config import load
from regulations.events.codec import decode_input
from regulations.events.inputs import AnyInput, CardDrawn
from tests.attacks.verdicts import judged
from tests.cardshoe.cli.journals import entries_of
from tests.cardshoe.cli.support import invoke
from tests.cardshoe.journal.sealed import by_the_verifier
from tests.cardshoe.persons.support import PINS, registry_in
from tests.kit.desk import LAST, LATER, ROUND, Desk, append_failing, stuck
from tests.kit.running_table import RunningTable, journal_of, write_config
from tests.kit.sealed import keys_beside, verified
from tests.kit.table_log import AT, TABLE
from tests.tamper.campaign import separate_verifier
from tests.tamper.forger import Forger

BY: Final = ("7", "8")
OF_DEVICE: Final = msgspec.structs.replace(LAST, device="shoe", raw="c0ffee", boot=1, number=4, count=12)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for entry in entries_of(path) for line in entry.lines]


def test_two_people_start_a_table_whose_last_entry_cannot_be_processed(tmp_path: Path) -> None:
    path = stuck(Desk(tmp_path))
    failing = entries_of(path)[-1]
    before = [line for entry in entries_of(path) for line in entry.lines]
    with pytest.raises(LastEntryFails) as caught:
        open_log(tmp_path, TABLE, AT, lambda _: None)
    assert caught.value.entry == failing.number
    assert "cardshoe journal pass-over" in caught.value.remedy
    with pytest.raises(JournalBroken):
        verified(path)

    said = pass_over_last(path, keys_beside(path), BY, LATER)
    assert (said.entry, said.hash, said.seq) == (failing.number, leaf_hash(failing.data), len(before) + 1)
    lines = lines_of(path)
    assert [line for entry in entries_of(path) for line in entry.lines][: len(before)] == before
    assert lines[len(before)] == {
        "event": "passed_over",
        "seq": said.seq,
        "at": LATER,
        "entry": failing.number,
        "hash": leaf_hash(failing.data).hex(),
        "by": ["7", "8"],
    }
    assert [line["event"] for line in lines[said.seq :]] == ["card", "irregularity", "next"]
    assert (lines[said.seq]["card"], lines[said.seq]["origin"]) == (None, "person")
    assert lines[said.seq + 1]["code"] == "unread_card"

    heard: list[LoggedInput] = []
    with open_log(tmp_path, TABLE, AT, heard.append).journal as journal:
        assert journal.last_seq == len(lines)
    assert [one.is_refused for one in heard[-2:]] == [True, False]
    assert heard[-1].prompt.do == "resolve"
    assert verified(path).entries == len(ROUND) + 4
    assert by_the_verifier(path)[0] == 0
    done = invoke("log", path, "--words")
    assert f"entry {failing.number} passed over, which cannot be processed: 7 and 8" in done.stdout


def test_the_table_deals_on_behind_it(tmp_path: Path) -> None:
    path = stuck(Desk(tmp_path))
    pass_over_last(path, keys_beside(path), BY, LATER)
    desk = Desk(tmp_path)
    with desk.log.journal:
        desk.run(*map(_decoded, NAMED))
        assert [json.loads(line)["event"] for line in desk.taken[-2][0].lines][:2] == ["resolve", "resolved"]
    assert verified(path).replayed
    assert by_the_verifier(path)[0] == 0


NAMED: Final[tuple[Mapping[str, object], ...]] = (
    {"event": "resolve", "irregularity": 1, "action": "identify", "by": [7, 8], "card": LAST.card},  # type: ignore[union-attr]  # a card
    {"event": "round_closed"},
)


def _decoded(line: Mapping[str, object]) -> AnyInput:
    return decode_input(json.dumps({"at": LATER, **line}))


def test_a_device_does_not_tell_its_card_again(tmp_path: Path) -> None:
    path = stuck(Desk(tmp_path), OF_DEVICE)
    assert "c0ffee" not in json.dumps(lines_of(path)), "its bytes are sealed"
    pass_over_last(path, keys_beside(path), BY, LATER)
    card, *_ = lines_of(path)[-3:]
    assert (card["card"], card["device"], card["count"], card["origin"]) == (None, "shoe", 12, "device")
    assert {"boot", "number", "raw"}.isdisjoint(card)
    heard: list[LoggedInput] = []
    with open_log(tmp_path, TABLE, AT, heard.append).journal:
        pass
    passed = heard[-2]
    assert passed.is_refused
    assert isinstance(passed.opened, CardDrawn)
    assert (passed.opened.raw, passed.opened.boot, passed.opened.number) == ("c0ffee", 1, 4)
    verified(path)


def test_a_good_entry_cannot_be_passed_over(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.log.journal as journal:
        desk.run(*ROUND)
        path = journal.path
    with pytest.raises(Stop, match="every entry can be processed") as caught:
        pass_over_last(path, keys_beside(path), BY, LATER)
    assert caught.value.code == Exit.USAGE
    # Whoever has the key of the shoe game writes the entry all the same: the replay shows it.
    last = entries_of(path)[-1]
    with Journal.open(path, Keyring(path)) as journal:
        said = PassedOver(seq=journal.last_seq + 1, at=AT, entry=last.number, hash=leaf_hash(last.data), by=BY)
        journal.append([data_of([said.line()])], sign_at=AT)
    with pytest.raises(
        JournalBroken, match=f"it passes over entry {last.number}, which can be processed"
    ) as broken_one:
        verify(path, keys=keys_beside(path))
    assert broken_one.value.entry == last.number + 1
    with pytest.raises(JournalBroken):
        open_log(tmp_path, TABLE, AT, lambda _: None)


def test_an_entry_before_the_last_cannot_be_passed_over(tmp_path: Path) -> None:
    path = stuck(Desk(tmp_path), LAST, _decoded({"event": "supervisor_called"}))
    with pytest.raises(JournalBroken) as caught:
        pass_over_last(path, keys_beside(path), BY, LATER)
    assert not isinstance(caught.value, LastEntryFails)
    with pytest.raises(JournalBroken):
        open_log(tmp_path, TABLE, AT, lambda _: None)


def test_the_entry_with_which_a_shoe_game_began_cannot_be_passed_over(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with desk.log.journal as journal:
        desk.run(*ROUND)
        append_failing(journal, desk.log.scribe.opening, [taken for taken, _ in desk.taken], LAST)
        journal.begin_shoe(AT)
        path = journal.path
    with pytest.raises(Stop, match="began the shoe game"):
        pass_over_last(path, keys_beside(path), BY, LATER)


@pytest.fixture(scope="module")
def verifier() -> ModuleType:
    return separate_verifier()


def forged(change: dict[str, object]) -> tuple[Forger, int]:
    """A journal with all its keys, and at its end an entry that passes over its last input, changed."""
    forger = Forger(random.Random(1))
    number = forger.pass_over()
    said = json.loads(forger.rows[-1])
    if change.get("entry") == "before":
        change = {"entry": number - 2, "hash": leaf_hash(forger.rows[number - 2]).hex()}
    forger.rows[-1] = data_of([json.dumps({**said, **change}, separators=(",", ":")).encode()])
    return forger, number


HOSTILE: Final[dict[str, dict[str, object]]] = {
    "another hash": {"hash": "0" * 64},
    "an input before the last": {"entry": "before"},
    "itself": {"entry": 13},
    "one person": {"by": ["7"]},
    "one person twice": {"by": ["7", "7"]},
    "three people": {"by": ["7", "8", "9"]},
    "numbers for people": {"by": [7, 8]},
    "a hash in capitals": {"hash": "A" * 64},
    "one field more": {"reason": "x"},
}


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE)
def test_an_entry_that_passes_over_something_else_is_refused_by_both(
    tmp_path: Path, verifier: ModuleType, change: dict[str, object]
) -> None:
    forger, seq = forged(change)
    path = tmp_path / "b-101.journal"
    forger.write(path)
    assert judged(verifier, path) == (False, seq)


def test_an_entry_that_passes_over_the_last_input_holds(tmp_path: Path, verifier: ModuleType) -> None:
    forger, number = forged({})
    path = tmp_path / "b-101.journal"
    forger.write(path)
    assert judged(verifier, path) == (True, None)
    twice = tmp_path / "twice.journal"
    assert forger.pass_over() == number + 1
    forger.write(twice)
    assert judged(verifier, twice) == (False, number + 1)


def test_a_table_writes_no_other(tmp_path: Path) -> None:
    path = stuck(Desk(tmp_path))
    with Journal.open(path, Keyring(path)) as journal:
        said = PassedOver(seq=journal.last_seq + 1, at=AT, entry=journal.last, hash=bytes(32), by=BY)
        with pytest.raises(LinesRefused, match="is not the input before it"):
            journal.append([data_of([said.line()])])
    with pytest.raises(ValueError, match="one person passes over it twice"):
        msgspec.structs.replace(said, by=("7", "7")).line()


# --- the command -----------------------------------------------------------------------------------------------------


def stuck_table(folder: Path, *, persons: bool = False) -> Path:
    """The configuration of such a table, which `cardshoe run` reads."""
    config = write_config(folder, None)
    if persons:
        registry_in(folder)
        config.write_text(config.read_text() + '\n[persons]\nfile = "persons.toml"\n')
    chosen = load(config, wall_time())
    log = open_log(chosen.journal_dir, chosen.table, wall_time(), lambda _: None)
    now = [msgspec.structs.replace(event, at=wall_time()) for event in (*ROUND, LAST)]
    with log.journal as journal:
        taken = [log.scribe.take(event) for event in now[:-1]]
        for one in taken:
            journal.append([one.entry])
        append_failing(journal, log.scribe.opening, taken, now[-1])
    return config


def test_by_the_command_and_then_the_table_runs(tmp_path: Path) -> None:
    config = stuck_table(tmp_path)
    with RunningTable(config) as table:
        assert table.end() == Exit.JOURNAL
        assert "cardshoe journal pass-over" in table.errors()
    for people in ((), ("7",), ("7", "7"), ("7", "8", "9"), ("7", 'x"')):
        done = invoke("journal", "pass-over", config, *(word for one in people for word in ("--by", one)))
        assert done.exit_code == Exit.USAGE, done.stderr
    done = invoke("journal", "pass-over", config, "--by", "7", "--by", "8")
    assert done.exit_code == 0, done.stderr
    assert "passed over by entry" in done.stdout
    with RunningTable(config) as table:
        assert table.prompt()["do"] == "resolve"
        table.say("quit")
        assert table.end() == 0
    verified(journal_of(tmp_path))
    assert invoke("journal", "pass-over", config, "--by", "7", "--by", "8").exit_code == Exit.USAGE


def test_where_there_are_persons_both_show_their_pins_and_one_is_a_supervisor(tmp_path: Path) -> None:
    config = stuck_table(tmp_path, persons=True)

    def asked(*people: tuple[str, str]) -> tuple[int, str]:
        words: list[str | Path] = []
        for number, (person, pin) in enumerate(people):
            file = tmp_path / f"pin-{number}"
            file.write_text(pin)
            file.chmod(0o600)
            words += ["--by", person, "--pin-file", file]
        done = invoke("journal", "pass-over", config, *words)
        return done.exit_code, done.stderr

    def right(person: str) -> tuple[str, str]:
        return person, PINS[person]

    before = entries_of(journal_of(tmp_path))
    assert asked(right("cara"), right("carl"))[0] == Exit.USAGE
    assert "one a supervisor" in asked(right("cara"), right("carl"))[1]
    assert "these two may not" in asked(right("vera"), right("sara"))[1]
    assert "no such person with this PIN" in asked(right("cara"), ("sara", PINS["cara"]))[1]
    assert "no such person with this PIN" in asked(right("cara"), ("8", PINS["cara"]))[1]
    assert (
        "there is no terminal to ask at"
        in invoke("journal", "pass-over", config, "--by", "cara", "--by", "sara").stderr
    )
    assert entries_of(journal_of(tmp_path)) == before
    assert asked(right("cara"), right("sara"))[0] == 0
