"""A table and its witness over real sockets: catching up, being away, and journals that are not what they were."""

import contextlib
import logging
import queue
import re
import shutil
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cardshoe.journal import Journal, JournalBroken, Keyring, NotWitnessed, WitnessFailed, read_only
from cardshoe.journal.witness.client import WitnessClient
from cardshoe.journal.witness.tasks import Task, Tasks, Unanswered
from cardshoe.journal.witness.witness import PendingNotes
from cardshoe.process.http.tls import TlsFiles
from tests.cardshoe.journal.samples import HEADER
from tests.cardshoe.journal.sealed import AT, play, sealed_journal
from tests.cardshoe.journal.witness.support import Table, serving
from tests.kit.certificates import HOST, INTRUDER, LOCALHOST, make_site, needs_openssl
from tests.kit.waiting import eventually


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.journal"
    sealed_journal(path)
    return path


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def asking(url: str) -> contextlib.closing[WitnessClient]:
    return contextlib.closing(WitnessClient(url))


def taken_along(path: Path, url: str) -> None:
    """A table goes to work with a witness, signs, and ends."""
    with Journal.open(path, Keyring(path)) as journal:
        table = Table(journal)
        witness = table.witness(url)
        witness.start(journal)
        journal.sign(AT)
        table.answer_until(witness)
        table.end(witness)


def test_it_catches_up_goes_along_and_verifies(path: Path, state: Path) -> None:
    with serving(state) as url:
        with Journal.open(path, Keyring(path)) as journal:
            table = Table(journal)
            witness = table.witness(url)
            witness.start(journal)
            assert witness.window().notes == 1
            table.answer_until(witness)
            for _ in range(3):
                journal.begin_shoe(AT)
                play(journal, 1)
            table.answer_until(witness)
            # What is signed after the table's thread has ended goes too.
            journal.sign(AT)
            table.end(witness)
            assert witness.window() == PendingNotes(0, 0.0)
            newest, last = journal.newest_note(), journal.last
        client = WitnessClient(url)
        assert client.newest(journal.origin) == newest
        with read_only(path) as evidence:
            assert evidence.verify(client).witnessed == last
        client.close()


def test_a_long_journal_comes_in_pieces(tmp_path: Path, state: Path) -> None:
    path = tmp_path / "long.journal"
    with serving(state) as url, Journal.create(path, HEADER, Keyring(path)) as journal:
        for _ in range(40):
            journal.begin_shoe(AT)
        play(journal, 1)
        table = Table(journal)
        witness = table.witness(url)
        witness.start(journal)
        table.answer_until(witness)
        table.end(witness)
        client = WitnessClient(url)
        assert len(client.read(journal.origin)) == 42
        client.close()


def test_a_witness_that_is_away_is_no_reason_to_stop(path: Path, state: Path, caplog: pytest.LogCaptureFixture) -> None:
    port = free_port()
    with Journal.open(path, Keyring(path)) as journal:
        table = Table(journal)
        witness = table.witness(f"http://127.0.0.1:{port}")
        witness.start(journal)
        play(journal, 2)
        assert witness.window().notes == 3
        assert "cannot be reached" in caplog.text
        writing = "cardshoe.journal.witness.witness"
        eventually(lambda: any(one.name == writing for one in caplog.records), "an attempt to write that failed")
        with serving(state, port=port):
            table.answer_until(witness)
        play(journal, 1)
        with serving(state, port=port) as url:
            table.answer_until(witness)
            table.end(witness)
            with asking(url) as client:
                assert client.newest(journal.origin) == journal.newest_note()
    assert "holds everything again" in caplog.text


def test_a_witness_that_lost_everything_is_told_all_again(path: Path, state: Path) -> None:
    port = free_port()
    with Journal.open(path, Keyring(path)) as journal:
        table = Table(journal)
        with serving(state, port=port) as url:
            witness = table.witness(url)
            witness.start(journal)
            table.answer_until(witness)
        shutil.rmtree(state)
        journal.sign(AT)
        with serving(state, port=port) as url:
            table.answer_until(witness)
            table.end(witness)
            with asking(url) as client:
                assert client.newest(journal.origin) == journal.newest_note()


@pytest.mark.parametrize("copied", ["journal", "journal and key"])
def test_an_old_copy_does_not_start(path: Path, state: Path, copied: str) -> None:
    with serving(state) as url:
        taken_along(path, url)
        old = {one: one.read_bytes() for one in path.parent.glob("a.journal*")}
        with Journal.open(path, Keyring(path)) as journal:
            play(journal, 1)
        taken_along(path, url)
        for one in path.parent.glob("a.journal*") if copied != "journal" else [path]:
            one.write_bytes(old[one])
        with Journal.open(path, Keyring(path)) as journal, pytest.raises(JournalBroken) as broken:
            Table(journal).witness(url).start(journal)
        assert f"the witness {url} holds 1 signature that the journal lacks" in broken.value.problem
        with asking(url) as client, read_only(path) as evidence, pytest.raises(JournalBroken, match="missing: "):
            evidence.verify(client)


def test_a_fork_does_not_start_and_is_refused_if_it_does(
    path: Path, state: Path, caplog: pytest.LogCaptureFixture
) -> None:
    port = free_port()
    caplog.set_level(logging.WARNING)
    with serving(state, port=port) as url:
        taken_along(path, url)
        old = path.read_bytes()
        with Journal.open(path, Keyring(path)) as journal:
            play(journal, 1)
        taken_along(path, url)
    path.write_bytes(old)
    with Journal.open(path, Keyring(path)) as journal:
        play(journal, 5)
        table = Table(journal)
        away = table.witness(url)
        away.start(journal)  # nobody there
        with serving(state, port=port):
            with pytest.raises(JournalBroken, match="holds 1 signature that the journal lacks"):
                table.witness(url).start(journal)
            while "holds a signature that the journal lacks" not in caplog.text:
                task = table.inbox.get(timeout=30)
                task and task.run()  # type: ignore[func-returns-value]  # run
            assert away.window().notes == 1
            # Before the witness goes: a connection that comes while it ends would be a socket that nobody closes.
            table.end(away)


def test_a_journal_made_anew_is_another_one(path: Path, state: Path) -> None:
    with serving(state) as url:
        taken_along(path, url)
        path.unlink()
        for key in path.parent.glob("a.journal-key-*"):
            key.unlink()
        sealed_journal(path)
        with (
            asking(url) as client,
            read_only(path) as evidence,
            pytest.raises(
                NotWitnessed, match=r"a\.journal: the witness holds nothing of this journal: no note was ever sent"
            ),
        ):
            evidence.verify(client)


def test_a_journal_that_is_not_registered_is_told_with_what_to_do(
    path: Path, state: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(state, accept_new=False) as url, Journal.open(path, Keyring(path)) as journal:
        table = Table(journal)
        witness = table.witness(url)
        witness.start(journal)
        while "cardshoe witness trust" not in caplog.text:
            task = table.inbox.get(timeout=30)
            task and task.run()  # type: ignore[func-returns-value]  # run
        table.end(witness)
        assert "does not take this journal: this log is not registered here" in caplog.text
        assert f"`cardshoe witness trust --state FOLDER {journal.header.key}`" in caplog.text


@contextlib.contextmanager
def answering(answer: bytes, step_s: float = 0.0) -> Iterator[str]:
    """Somebody who says always the same, whatever is asked; byte by byte, if a step takes any time."""
    over = threading.Event()

    def work(listener: socket.socket) -> None:
        while not over.is_set():
            connection, _ = listener.accept()
            with connection, connection.makefile("rb") as request, contextlib.suppress(OSError):
                head = b""
                while (line := request.readline()).strip():
                    head += line.lower()
                length = re.search(rb"content-length: (\d+)", head)
                request.read(int(length[1]) if length else 0)
                for at in range(len(answer) if step_s else 0):
                    connection.sendall(answer[at : at + 1])
                    if over.wait(step_s):
                        break
                else:
                    connection.sendall(b"" if step_s else answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=work, args=(listener,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            over.set()
            socket.create_connection(listener.getsockname()).close()
            thread.join()


OK = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (b"no HTTP at all\r\n\r\n", "cannot be reached"),
        (b"", "cannot be reached"),
        (b"HTTP/1.1 500 X\r\nContent-Length: 4\r\n\r\noops", "answers 500: oops"),
        (b"HTTP/1.1 302 X\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n", "answers 302: nothing"),
        (OK + b"x" * 70_000, "answers with more than 65536 bytes"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "cannot be reached"),
    ],
)
def test_whatever_answers_there_is_a_failure_of_the_witness(answer: bytes, problem: str) -> None:
    with answering(answer) as url:
        client = WitnessClient(url)
        with pytest.raises(WitnessFailed, match=problem):
            client.newest("cardshoe/journal/x")
        client.close()


@pytest.mark.parametrize("answer", [b"HTTP/1.1 200 OK\r\nX: " + b"x" * 5000, OK + b"x" * 5000])
def test_an_answer_that_never_ends_is_cut_off(answer: bytes) -> None:
    """Each byte comes within the time for a step; a table that starts must not wait for all of them."""
    with answering(answer, step_s=0.05) as url:
        client = WitnessClient(url, exchange_s=0.3)
        for _ in range(2):  # and the next exchange has its own time
            with pytest.raises(WitnessFailed, match="cannot be reached"):
                client.newest("cardshoe/journal/x")
        client.close()


def test_nothing_counts_as_kept_without_a_cosignature(path: Path) -> None:
    with answering(OK + b"thank you\n") as url, Journal.open(path, Keyring(path)) as journal:
        client = WitnessClient(url)
        [step, *_] = journal.way_from(None) or []
        with pytest.raises(WitnessFailed, match="did not cosign as it should"):
            client.submit(step)
        client.close()


def files_in(site: Path) -> Callable[..., TlsFiles]:
    def files(name: str, authority: str = "site") -> TlsFiles:
        return TlsFiles(certificate=f"{name}.pem", key=f"{name}.key", authority=f"{authority}.pem").below(site)

    return files


@needs_openssl
def test_a_connection_that_is_cut_off_while_it_is_read_is_made_again(
    path: Path, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, read, cut = files_in(make_site(tmp_path)), ssl.SSLSocket.read, list[threading.Thread]()

    def read_once_cut(own: ssl.SSLSocket, *parameters: Any) -> Any:  # noqa: ANN401  as the library has it
        if not cut:
            cut.append(threading.Thread(target=own.close))
            cut[0].start()
            cut[0].join()
        return read(own, *parameters)

    with serving(state, tls=files(LOCALHOST).server()) as url, Journal.open(path, Keyring(path)) as journal:
        table = Table(journal)
        witness = table.witness(url, files(HOST).client())
        witness.start(journal)
        monkeypatch.setattr(ssl.SSLSocket, "read", read_once_cut)
        journal.sign(AT)
        table.answer_until(witness)
        table.end(witness)
        assert cut
        assert witness.window() == PendingNotes(0, 0.0)


@needs_openssl
def test_both_sides_show_certificates(path: Path, state: Path, tmp_path: Path) -> None:
    files = files_in(make_site(tmp_path))
    with serving(state, tls=files(LOCALHOST).server()) as url, Journal.open(path, Keyring(path)) as journal:
        table = Table(journal)
        witness = table.witness(url, files(HOST).client())
        witness.start(journal)
        table.answer_until(witness)
        table.end(witness)
        for stranger in (files(INTRUDER).client(), files(HOST, "stranger").client()):
            client = WitnessClient(url, stranger)
            with pytest.raises(WitnessFailed, match="cannot be reached"):
                client.newest(journal.origin)
            client.close()
        without = WitnessClient(url)
        with pytest.raises(WitnessFailed, match="certificate"):
            without.newest(journal.origin)
        without.close()
        plain = WitnessClient(url.replace("https", "http"))
        with pytest.raises(WitnessFailed):
            plain.newest(journal.origin)
        plain.close()
    with serving(state, tls=files(INTRUDER).server()) as url:
        impostor = WitnessClient(url, files(HOST).client())
        with pytest.raises(WitnessFailed, match="cannot be reached"):
            impostor.newest("cardshoe/journal/x")
        impostor.close()


def test_tasks_are_done_once_by_whoever_may() -> None:
    inbox: queue.SimpleQueue[Task[Any]] = queue.SimpleQueue()
    tasks = Tasks(inbox.put)
    done: list[int] = []

    def count() -> int:
        done.append(threading.get_ident())
        return len(done)

    with ThreadPoolExecutor(2) as askers:
        first, second = (askers.submit(tasks.ask, count) for _ in range(2))
        waiting = [inbox.get(timeout=30) for _ in range(2)]
        waiting[0].run()
        tasks.hand_over()
        assert {first.result(30), second.result(30)} == {1, 2}
    assert set(done) == {threading.get_ident()}
    for task in waiting:
        task.run()  # too late, and nothing happens
    assert len(done) == 2
    assert tasks.ask(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        tasks.ask(lambda: 1 // 0)
    tasks.close()
    with pytest.raises(Unanswered):
        tasks.ask(count)
    assert len(done) == 2


def test_a_log_that_ends_waits_for_what_the_next_logs_table_still_does_with_it() -> None:
    inbox: queue.SimpleQueue[Task[Any]] = queue.SimpleQueue()
    tasks = Tasks(inbox.put)
    begun, go_on = threading.Event(), threading.Event()
    used: list[str] = []

    def slow() -> str:
        begun.set()
        go_on.wait(30)
        used.append("table")
        return "slow"

    def end() -> None:
        tasks.hand_over()
        tasks.close()
        used.append("closed")

    with ThreadPoolExecutor(4) as threads:
        first = threads.submit(tasks.ask, slow)
        table = threads.submit(inbox.get(timeout=30).run)
        begun.wait(30)
        second = threads.submit(tasks.ask, partial(used.append, "ending"))
        late = inbox.get(timeout=30)
        ending = threads.submit(end)
        late_at_table = threads.submit(late.run)
        go_on.set()
        for one in (table, ending, second, late_at_table):
            one.result(30)
        assert first.result(30) == "slow"
    assert used == ["table", "ending", "closed"]


def test_whoever_still_waits_when_the_table_closes_is_told() -> None:
    inbox: queue.SimpleQueue[Task[Any]] = queue.SimpleQueue()
    tasks = Tasks(inbox.put)
    with ThreadPoolExecutor(1) as askers:
        asked = askers.submit(tasks.ask, lambda: 7)
        task = inbox.get(timeout=30)
        tasks.close()
        with pytest.raises(Unanswered):
            asked.result(30)
    task.run()
    assert task.cancelled()


def test_an_error_over_time_is_the_works_own() -> None:
    tasks = Tasks(lambda task: task.run())

    def slow() -> None:
        raise TimeoutError("the disk took too long")

    with pytest.raises(TimeoutError, match="the disk took too long"):
        tasks.ask(slow)
