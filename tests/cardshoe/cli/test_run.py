"""``cardshoe run``: what persons type, how it ends, and what is said when it cannot begin."""

import fcntl
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers.port_holders import holders
from tests.cardshoe.cli.support import cardshoe, parsed
from tests.kit.command import PATIENCE_S, Command, assert_message
from tests.kit.far_ends import PtyEnd
from tests.kit.forked import CARDSHOE
from tests.kit.opening import BETS, open_by_hand
from tests.kit.running_table import RunningTable, journal_of, lines_of, write_config
from tests.kit.sealed import verified
from tests.kit.waiting import eventually


def test_a_round_typed_in_short(tmp_path: Path) -> None:
    typed = """
        shuffled croupier
        cut player
        cut_card_placed 14
        loaded 416
        card 2C
        card 3C
        card 4C
        card 5C
        card 6C
        card 7C
        card 8C
        card 9C
        bets_closed 1 [{"seat":1,"bet":"banker","stake":10000}]
        card 9H
        card 3D
        card KS
        card 4C
        round_closed
        closed
    """
    done = cardshoe("run", write_config(tmp_path, None), stdin=typed.encode())
    said = done.stdout.decode()
    assert done.returncode == 0
    assert "  PLAYER wins (natural)   [55/2004 art. 11.º]\n    player 9 (9♥ K♠)   banker 7 (3♦ 4♣)\n" in said
    assert "    seat 1 banker          100.00 →    -100.00   [55/2004 art. 11.º]" in said
    assert "the table closes" in said
    verified(journal_of(tmp_path))


def test_what_is_not_understood_changes_nothing(tmp_path: Path) -> None:
    typed = b'help\n\nshufled\ncut_card_placed\ncard ZZ\n{"event":"card","card":"\xff"}\n\xff\xfe\n{"event\ntable x\n'
    done = cardshoe("run", write_config(tmp_path, None), stdin=typed + b"quit\n", environment={"PYTHONIOENCODING": ""})
    said = done.stdout.decode(errors="replace")
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert said.count("not understood: ") == 6
    assert said.count("not taken: ") == 1
    assert "  options     continue 2 by 7 " in said
    assert len(lines_of(journal_of(tmp_path))) == 2


def test_what_is_refused_is_announced_once_and_as_refused(tmp_path: Path) -> None:
    typed = b"shuffled croupier\nfault shoe 7\nbets 1:banker:100\nstatus\nquit\n"
    done = cardshoe("run", write_config(tmp_path, None), stdin=typed)
    said = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert [line for line in said if "bets closed" in line] == [
        "  REFUSED bets closed: 1 wager, 100.00 MOP: no round can begin now (not_now)"
    ]
    # Each answer stands before that to the next line, however fast they come.
    place = {
        word: next(n for n, line in enumerate(said) if word in line)
        for word in ("have the stack cut", "not taken: ", "REFUSED")
    }
    assert list(place) == sorted(place, key=lambda word: place[word])


def test_help_on_one_event_and_the_end_of_the_keyboard_are_said(tmp_path: Path) -> None:
    hand, keyboard = pty.openpty()
    errors = tmp_path / "errors"
    with errors.open("wb") as said, os.fdopen(keyboard, "rb", buffering=0) as typed:
        command: list[str | Path] = [CARDSHOE, "run", "--json", write_config(tmp_path, None)]
        table = subprocess.Popen(command, stdin=typed, stdout=subprocess.DEVNULL, stderr=said)
    with table:
        os.write(hand, b"help cut\n")
        eventually(lambda: "such as  cut player" in errors.read_text(), "help on one event")
        os.write(hand, b"\x04")
        eventually(lambda: "The table keeps running; SIGTERM ends it" in errors.read_text(), "the end of the keyboard")
        assert table.poll() is None
        table.terminate()
        assert table.wait(PATIENCE_S) == 0
    os.close(hand)


def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    with RunningTable(config) as table:
        table.prompt()
        open_by_hand(table)
        table.tell(BETS)
        last = table.tell({"event": "card", "card": "9H"})
        table.send(signal.SIGINT)
        assert table.end() == 0
        assert "begun" in table.errors()
    with RunningTable(config) as table:
        assert table.answer() == last
        table.wait_for_error("resumed after 15 inputs")
        assert table.tell({"event": "card", "card": "3D"})[-1]["position"] == 2
        table.send(signal.SIGTERM)
        assert table.end() == 0
    assert verified(journal_of(tmp_path)).entries == 16


def test_a_closed_table_begins_a_new_log(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    for _ in range(2):
        assert cardshoe("run", config, stdin=b"closed\n").returncode == 0
    assert len(list((tmp_path / "journals").glob("*.journal"))) == 2


def test_the_end_of_standard_input_does_not_stop_it(tmp_path: Path) -> None:
    with RunningTable(write_config(tmp_path, None)) as table:
        table.prompt()
        assert table.process.stdin is not None
        table.process.stdin.close()
        with pytest.raises(subprocess.TimeoutExpired):
            table.process.wait(timeout=0.5)
        table.send(signal.SIGINT)
        assert table.end() == 0


def test_json_is_the_log_and_remarks_are_elsewhere(tmp_path: Path) -> None:
    done = cardshoe("run", "--json", write_config(tmp_path, None), stdin=b"help\nshuffled croupier\nquit\n")
    assert [line["event"] for line in parsed(done.stdout)] == ["table", "next", "shuffled", "next"]
    assert done.stdout.decode().splitlines() == lines_of(journal_of(tmp_path))
    assert b"clear_error 2" in done.stderr


def test_a_bad_configuration(tmp_path: Path) -> None:
    path = write_config(tmp_path, None)
    path.write_text(path.read_text().replace("decks = 8", "decks = 3"))
    done = cardshoe("run", path)
    assert_message(done.returncode, done.stderr.decode(), 2, "decks: wrong_deck_count", "6 to 12")
    assert not (tmp_path / "journals").exists()


def test_a_port_that_is_missing(tmp_path: Path) -> None:
    done = cardshoe("run", write_config(tmp_path, str(tmp_path / "shoe")))
    assert_message(done.returncode, done.stderr.decode(), 5, f"{tmp_path / 'shoe'}: nothing there", "Check cable")
    assert not (tmp_path / "journals").exists()


def test_an_address_where_nobody_listens(tmp_path: Path) -> None:
    done = cardshoe("run", write_config(tmp_path, "socket://127.0.0.1:1"))
    assert_message(done.returncode, done.stderr.decode(), 5, "socket://127.0.0.1:1: no connection", "serial-to-TCP box")


def test_a_port_that_is_busy(tmp_path: Path) -> None:
    end = PtyEnd(tmp_path / "shoe")
    holder = os.open(tmp_path / "shoe", os.O_RDWR | os.O_NOCTTY)
    try:
        fcntl.flock(holder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        done = cardshoe("run", write_config(tmp_path, end.url))
        assert_message(done.returncode, done.stderr.decode(), 5, f"{end.url}: ", f"pid {os.getpid()}")
    finally:
        os.close(holder)
        end.vanish()


def test_a_port_that_another_program_has_open_without_a_lock(tmp_path: Path) -> None:
    end = PtyEnd(tmp_path / "shoe")  # both sides of it are this process's, as with a simulator: that is no stranger
    config = write_config(tmp_path, end.url)
    try:
        with subprocess.Popen(["cat", end.url], stdout=subprocess.DEVNULL) as reader:
            eventually(lambda: reader.pid in {one.pid for one in holders(end.url)}, "the port is open")
            done = cardshoe("run", config)
            reader.kill()
        said = done.stderr.decode().partition("at all.\n")[2] or done.stderr.decode()
        who = (f"{end.url}: held by cat /", f"(pid {reader.pid})", f"End it first: kill {reader.pid}")
        assert_message(done.returncode, said[said.index("cardshoe: " + end.url) :], 5, *who)
        assert not (tmp_path / "journals").exists()
        done = cardshoe("run", config, stdin=b"quit\n")
        assert done.returncode == 0, done.stderr
        assert "shoe: The port was open, and the device said nothing." in done.stdout.decode()
        assert "cable" not in done.stdout.decode()
    finally:
        end.vanish()


def test_a_wrong_speed_is_said_while_the_table_runs(tmp_path: Path) -> None:
    end = PtyEnd(tmp_path / "shoe")
    try:
        with Command("run", write_config(tmp_path, end.url)) as table:
            table.until(lambda line: "begun" in line)
            end.send(b"\xfe\x00" * 20)
            table.wait_for_error(f"{end.url}: Bytes arrive and make no frame: check baud rate and device family.")
            table.say("quit")
            said = table.rest()
            assert table.end() == 0
        assert "shoe: Bytes arrive and make no frame: check baud rate and device family." in said
    finally:
        end.vanish()


WITHOUT_OVERRIDE = """
import ctypes, os, sys
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
assert ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Root without the right to ignore the modes of others' files, who still reads root's own program anywhere."""
NOBODY = 65534


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a port to somebody else")
def test_a_port_that_is_forbidden() -> None:
    # Not below the folder of this test, which is closed to others.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        end = PtyEnd(folder / "shoe")
        try:
            port = Path(os.ttyname(end.slave))
            os.chown(port, NOBODY, NOBODY)
            port.chmod(0o600)
            program = (
                sys.executable,
                "-c",
                "from cardshoe.cli import main; main()",
                "run",
                write_config(folder, end.url),
            )
            done = subprocess.run(
                [sys.executable, "-c", WITHOUT_OVERRIDE, *program],
                capture_output=True,
                timeout=PATIENCE_S,
                check=False,
                cwd=Path(__file__).parents[3],
            )
            assert_message(done.returncode, done.stderr.decode(), 5, f"{end.url}: permission denied", "dialout")
        finally:
            end.vanish()


def test_a_port_that_is_no_line(tmp_path: Path) -> None:
    (tmp_path / "shoe").write_text("a file")
    done = cardshoe("run", write_config(tmp_path, str(tmp_path / "shoe")))
    assert_message(done.returncode, done.stderr.decode(), 5, "cannot be used as a serial line", "cardshoe ports")


def test_a_second_table_on_the_same_journal(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    with RunningTable(config) as table:
        table.prompt()
        done = cardshoe("run", config)
        who = f"in use by process {table.process.pid}"
        assert_message(done.returncode, done.stderr.decode().partition("hand.\n")[2], 4, who, "one writer")


def test_a_journal_that_is_damaged(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    assert cardshoe("run", config, stdin=b"shuffled croupier\nquit\n").returncode == 0
    journal = journal_of(tmp_path)
    journal.write_bytes(journal.read_bytes().replace(b'"by":"croupier"', b'"by":"supplier"'))
    before = journal.read_bytes()
    done = cardshoe("run", config)
    errors = done.stderr.decode().partition("hand.\n")[2]
    assert_message(done.returncode, errors, 4, "the journal is broken: entry 2", "copy them as evidence")
    assert journal.read_bytes() == before


def test_a_journal_that_is_none(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    (tmp_path / "journals").mkdir()
    (tmp_path / "journals" / "T-1-20260101T000000-000000Z.journal").write_text("no journal at all")
    done = cardshoe("run", config)
    assert_message(
        done.returncode, done.stderr.decode().partition("hand.\n")[2], 4, "T-1-20260101T000000-000000Z.journal"
    )


def test_an_open_log_with_another_profile(tmp_path: Path) -> None:
    assert cardshoe("run", write_config(tmp_path, None), stdin=b"quit\n").returncode == 0
    other = write_config(tmp_path, None, options={"deal": "face_down"})
    done = cardshoe("run", other)
    errors = done.stderr.decode().partition("hand.\n")[2]
    assert_message(done.returncode, errors, 2, "open with another profile", "reading G4", "close the table")
    # The old one can still be closed; then the new one opens.
    assert cardshoe("run", write_config(tmp_path, None), stdin=b"closed\n").returncode == 0
    write_config(tmp_path, None, options={"deal": "face_down"})
    assert cardshoe("run", other, stdin=b"quit\n").returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Mounts a disk of so many MiB as the folder of the journals."""
    if shutil.which("mount") is None:
        pytest.skip("there is no mount command")
    disk = tmp_path / "journals"

    def mounted(mib: int) -> Path:
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=0700", "tmpfs", str(disk)]
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
        if done.returncode:
            disk.rmdir()
            pytest.skip(f"no right to mount a small disk: {done.stderr.strip()}")
        return disk

    yield mounted
    if disk.is_mount():
        subprocess.run(["umount", disk], check=True)


def test_a_disk_that_is_nearly_full_closes_the_table_between_rounds(
    tmp_path: Path, small_disk: Callable[[int], Path]
) -> None:
    disk = small_disk(48)
    with RunningTable(write_config(tmp_path, None)) as table:
        table.prompt()
        open_by_hand(table)
        table.tell(BETS)
        table.tell({"event": "card", "card": "9H"})
        (disk / "other").write_bytes(bytes(30 * 1024 * 1024))
        table.tell({"event": "card", "card": "3D"})
        table.tell({"event": "card", "card": "KS"})
        prompt = table.tell({"event": "card", "card": "4C"})[-1]
        # The open round is played to its end, and paid.
        assert prompt["do"] == "close_round"
        table.tell({"event": "round_closed"})
        assert table.answer()[0]["event"] == "closed"
        assert table.end() == 4
        assert f"MiB are free in {disk}: the open round is finished, then the table closes" in table.errors()
        *_, what, remedy = table.errors().splitlines()
        assert what.startswith(f"cardshoe: {disk}: ")
        assert what.endswith(" MiB were free, so the table was closed after its last round")
        assert "Nothing is lost. Move closed journals or other files away" in remedy
    verified(journal_of(tmp_path))
    # The next start would have to close at once: it begins nothing.
    before = sorted(disk.iterdir())
    done = cardshoe("run", tmp_path / "table.toml")
    said = done.stderr.decode().partition("hand.\n")[2]
    assert_message(done.returncode, said, 4, f"{disk}: ", "a table needs 42 MiB to begin a log", "Nothing was created")
    assert sorted(disk.iterdir()) == before


@pytest.mark.parametrize("command", ["run", "demo"])
def test_a_table_without_room_to_begin_creates_nothing(
    tmp_path: Path, small_disk: Callable[[int], Path], command: str
) -> None:
    disk = small_disk(2)
    done = cardshoe("run", write_config(tmp_path, None)) if command == "run" else cardshoe("demo", "--journals", disk)
    said = done.stderr.decode()
    what = said[said.index("cardshoe: " + str(disk)) :]
    assert_message(
        done.returncode, what, 4, f"{disk}: 2 MiB are free, and a table needs 42 MiB", "Move closed journals"
    )
    assert list(disk.iterdir()) == []


def test_a_table_between_rounds_is_not_taken_up_where_there_is_no_room_for_another(
    tmp_path: Path, small_disk: Callable[[int], Path]
) -> None:
    disk = small_disk(48)
    config = write_config(tmp_path, None)
    assert cardshoe("run", config, stdin=b"quit\n").returncode == 0
    before = lines_of(journal_of(tmp_path))
    filler = disk / "other"
    filler.write_bytes(bytes(30 * 1024 * 1024))
    done = cardshoe("run", config)
    said = done.stderr.decode().partition("hand.\n")[2]
    assert_message(done.returncode, said, 4, "a table needs 34 MiB to open a round", "The log stays as it was, open")
    assert lines_of(journal_of(tmp_path)) == before
    filler.unlink()
    assert cardshoe("run", config, stdin=b"quit\n").returncode == 0
    # With a round on the felt it goes on in any case: the round is finished, and paid.
    with RunningTable(config) as table:
        table.prompt()
        open_by_hand(table)
        table.tell(BETS)
        table.send(signal.SIGTERM)
        assert table.end() == 0
    filler.write_bytes(bytes(30 * 1024 * 1024))
    with RunningTable(config) as table:
        table.prompt()
        assert table.tell({"event": "card", "card": "9H"})[0]["event"] == "card"
        table.send(signal.SIGTERM)
        assert table.end() == 0


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    with Command("run", "--json", write_config(tmp_path, None)) as table:
        assert json.loads(table.line())["event"] == "table"
        table.say("quit")
        assert table.end() == 0


def test_another_table_whose_name_goes_on_is_another_table(tmp_path: Path) -> None:
    config = write_config(tmp_path, None)
    assert cardshoe("run", config, stdin=b"shuffled croupier\nquit\n").returncode == 0
    mine = journal_of(tmp_path)
    other = tmp_path / "other.toml"
    other.write_text(config.read_text().replace('id = "T-1"', 'id = "T-1-2"'))
    assert cardshoe("run", other, stdin=b"closed\n").returncode == 0
    done = cardshoe("run", config, stdin=b"quit\n")
    assert f"{mine}: resumed after 2 inputs" in done.stdout.decode()
