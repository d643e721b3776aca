"""Attacks on the witness, and through it on the table.

Whoever can reach it, or stand in its place, must not be able to frame an honest table, to silence the witness, or to
pass for it.

1. **A signature line doubled.** Anybody who has seen one note of a table (they are no secret) could send it to the
   witness with its signature line written twice. The witness kept it so. The table compared bytes, found that the
   witness held "another" note, took its own journal for forged, and never started again. Now the witness keeps of a
   note its text and one verified line of each of its keys; notes are compared by their texts, everywhere.
2. **A crowd at the door.** 1,100 connections that began TLS and went no further, or 300 that said nothing at all,
   stopped the service. Now a peer has a number of connections, all peers together have one, TLS must be agreed on
   within seconds, and where there are too many the one that has been idle longest goes: those who say nothing displace
   each other.
3. **A stolen certificate.** Nobody asked whether a certificate had been revoked. Now both sides look at the list of
   their authority; where that list is named and missing, neither starts.
4. **Another in the place of the witness.** The table took the key for the cosignatures from whoever answered. Now the
   key stands in its configuration, and nothing that another key signs counts.
"""

import contextlib
import resource
import shutil
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import msgspec
import pytest

from cardshoe.journal import Journal, JournalBroken, Keyring, WitnessFailed, read_only
from cardshoe.journal.file.witness_file import WitnessFile
from cardshoe.journal.proof.cosignature import CosignatureKey
from cardshoe.journal.proof.note import Note, VerifyKey
from cardshoe.journal.witness.client import WitnessClient
from cardshoe.journal.witness.record import NoteRejected, WitnessedLog
from cardshoe.journal.witness.store import WitnessStore, trust
from cardshoe.journal.witness.submission import Submission
from cardshoe.process.exits import Stop
from cardshoe.process.http.connection_limits import ConnectionLimits
from cardshoe.process.http.tls import TlsFiles
from cardshoe.table.log.verify import verify
from tests.cardshoe.cli.support import invoke
from tests.cardshoe.journal.sealed import AT, by_the_verifier, sealed_journal
from tests.cardshoe.journal.witness.support import Table, post, serving
from tests.kit.command import Command, assert_message
from tests.kit.running_table import journal_of, write_config
from tests.kit.waiting import PATIENCE_S

PASSPHRASE: Final = "a passphrase of the tests"  # noqa: S105  of keys that are made anew for each run
SMALL: Final = ConnectionLimits(each=4, all=8, handshake_s=0.5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.journal"
    sealed_journal(path, shoes=1, rounds=1)
    return path


def told(path: Path, url: str, tls: ssl.SSLContext | None = None, key: CosignatureKey | None = None) -> None:
    """An honest table starts, signs, has the witness hold it, and ends."""
    with Journal.open(path, Keyring(path)) as journal:
        table = Table(journal)
        witness = table.witness(url, tls, key)
        witness.start(journal)
        journal.sign(AT)
        table.answer_until(witness)
        table.end(witness)


# --- what a hostile service answers -----------------------------------------------------------------------------------


ANSWERS: Final = {
    "a body without an end": (b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 4096),
    "chunks without an end": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 500),
    "a head without an end": (b"HTTP/1.1 200 OK\r\n", b"X: " + b"a" * 1000 + b"\r\n"),
    "patience without an end": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a body that drips": (b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n", b"x"),
    "no HTTP": (b"\x00\xff" * 4096, b""),
}


@contextlib.contextmanager
def answering(first: bytes, again: bytes, pause_s: float = 0.0) -> Iterator[tuple[str, list[bytes]]]:
    """A service that answers every request so; its address, and what it was asked."""
    asked: list[bytes] = []
    over = threading.Event()

    def serve() -> None:
        while not over.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:  # closed, and perhaps its number given to another file meanwhile
                return
            with contextlib.suppress(OSError), connection:
                asked.append(connection.recv(65536))
                connection.sendall(first)
                while not over.wait(pause_s) and again:
                    connection.sendall(again)
                connection.recv(1)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving_thread = threading.Thread(target=serve, daemon=True)
        serving_thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", asked
        over.set()


@pytest.mark.parametrize("what", ANSWERS)
@pytest.mark.timeout(30)
def test_a_service_that_answers_without_an_end_is_left(what: str) -> None:
    first, again = ANSWERS[what]
    with answering(first, again, 0.01 if len(again) == 1 else 0.0) as (url, _):
        client = WitnessClient(url, exchange_s=1.0)
        with contextlib.closing(client), pytest.raises(WitnessFailed):
            client.newest("cardshoe/journal/" + "0" * 32)


def test_a_redirection_is_not_followed() -> None:
    with answering(b"", b"") as (elsewhere, asked):
        head = f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {elsewhere}/\r\nContent-Length: 0\r\n\r\n"
        with (
            answering(head.encode(), b"") as (url, _),
            contextlib.closing(WitnessClient(url)) as client,
            pytest.raises(WitnessFailed, match="answers 307"),
        ):
            client.newest("cardshoe/journal/" + "0" * 32)
        assert asked == []


# --- 1: a signature line doubled --------------------------------------------------------------------------------------


def test_a_doubled_signature_line_does_not_frame_an_honest_journal(path: Path, tmp_path: Path) -> None:
    """The one POST that kept a table from ever starting again."""
    state = tmp_path / "state"
    with serving(state) as url:
        told(path, url)
        with Journal.open(path, Keyring(path)) as journal:
            held = journal.newest_note()
            journal.sign(AT)
            [step] = journal.way_from(held) or []
            origin, first_key = journal.origin, journal.header.key
        text, line = step.note.split(b"\n\n")
        doubled = text + b"\n\n" + line + line
        answer = post(url, Submission(step.old, step.path, doubled).encoded())
        assert answer.status_code == 200, "it is the table's own note, whoever brings it"
        assert httpx.get(f"{url}/logs/{origin}/newest").content == step.note, "kept as its key signed it"
        assert post(url, Submission(step.old, step.path, doubled).encoded()).status_code == 200
        told(path, url)
        with read_only(path) as evidence, contextlib.closing(WitnessClient(url)) as client:
            assert evidence.verify(client, first_key).witnessed is not None
    [notes] = state.glob("*.notes")
    assert by_the_verifier(path, "--witness", notes)[0] == 0
    assert not list(state.glob("*.evidence"))


def test_a_witness_that_was_made_to_keep_such_a_note_no_longer_stops_a_table(path: Path, tmp_path: Path) -> None:
    """As the attack left it, before: the note with two lines lies at the witness."""
    state = tmp_path / "state"
    with serving(state) as url:
        told(path, url)
    [notes] = state.glob("*.notes")
    text, _, line = notes.read_bytes().removesuffix(b"\n").rpartition(b"\n\n")
    notes.write_bytes(text + b"\n\n" + line + line + b"\n")
    with serving(state) as url:
        told(path, url)


def test_an_old_note_that_is_repeated_has_no_others_read(path: Path, tmp_path: Path) -> None:
    """Each repetition had all notes of the log read and verified, behind which the notes of all tables waited."""

    def read() -> list[bytes]:
        raise AssertionError("all notes are read again")

    with read_only(path) as evidence:
        notes, origin = list(evidence.notes()), evidence.header.origin
        first_key = VerifyKey.parse(evidence.header.key)
    file = WitnessFile(tmp_path / "held.notes")
    file.append(notes)
    record = WitnessedLog(origin, first_key, notes, read, file.holds)
    for note in notes[:-1]:
        with pytest.raises(NoteRejected) as caught:
            record.judge(Submission(0, [], note))
        assert (caught.value.status, caught.value.evidence) == (409, None)
    assert not file.holds(Note(notes[0]).text[1:])


# --- 2: a crowd at the door -------------------------------------------------------------------------------------------


def port_of(url: str) -> int:
    return httpx.URL(url).port or 0


@contextlib.contextmanager
def crowd(url: str, number: int, first: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connections that say a few bytes and no more."""
    with contextlib.ExitStack() as stack:
        there = []
        for _ in range(number):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port_of(url)), PATIENCE_S))
            with contextlib.suppress(ConnectionError):
                one.sendall(first)
            there.append(one)
        yield there


HALF_A_HELLO: Final = bytes.fromhex("16030102000100")
"""The begin of a TLS handshake record, whose rest never comes."""


def is_open(connection: socket.socket) -> bool:
    connection.settimeout(0)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionError:
        return False
    finally:
        connection.settimeout(PATIENCE_S)


@pytest.mark.parametrize("number", [3, 4, 5, 30])
def test_idle_connections_displace_each_other_and_not_a_table(path: Path, tmp_path: Path, number: int) -> None:
    with serving(tmp_path / "state", room=SMALL) as url, crowd(url, number) as there:
        told(path, url)
        assert sum(is_open(one) for one in there) <= SMALL.each
        if number <= SMALL.each - 1:
            assert all(is_open(one) for one in there), "below the limit nobody has to go"


def test_half_open_handshakes_end_in_time(tmp_path: Path, site: Path, path: Path) -> None:
    with (
        serving(tmp_path / "state", tls=files(site, "witness").server(), room=SMALL) as url,
        crowd(url, SMALL.each, HALF_A_HELLO) as there,
    ):
        told(path, url, files(site, "table-7").client())
        for one in there:
            with contextlib.suppress(ConnectionError):
                assert one.recv(100) == b"", "cut off, without a word"


@contextlib.contextmanager
def open_files(number: int) -> Iterator[None]:
    """This process, and those that it starts, may have so many files open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(("number", "first"), [(300, b""), (1100, HALF_A_HELLO)])
def test_the_crowds_that_stopped_it(path: Path, tmp_path: Path, site: Path, number: int, first: bytes) -> None:
    """The real numbers, at a process of its own with the usual limit of open files; it says not a word."""
    with Journal.open(path, Keyring(path)) as journal:
        trust(tmp_path / "state", VerifyKey.parse(journal.header.key))
    arguments: list[str | Path] = ["witness", "serve", "--state", tmp_path / "state", "--listen", "127.0.0.1:0"]
    tls = None
    if first:
        tls, authority = files(site, "table-7").client(), site / "site" / "authority.pem"
        arguments += ["--tls-cert", site / "witness.pem", "--tls-key", site / "witness.key", "--client-ca", authority]
    with open_files(1024):
        service = Command(*arguments)
    with service, open_files(4096):
        service.line()
        url = service.line().removeprefix("listening on ")
        with crowd(url, number, first):
            told(path, url, tls)
        service.process.terminate()
        assert service.end() == 0
        assert service.errors() == ""


def test_a_crowd_that_never_stops_coming(path: Path, tmp_path: Path) -> None:
    """A stranger on the same machine connects again and again, as fast as possible, while a table is served."""
    over = threading.Event()

    def come() -> None:
        while not over.is_set():
            with contextlib.suppress(OSError), crowd(url, 50):
                pass

    with serving(tmp_path / "state") as url:
        stranger = threading.Thread(target=come)
        stranger.start()
        try:
            told(path, url)
        finally:
            over.set()
            stranger.join()


# --- 3: a stolen certificate ------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house's site, made by the command line: authority, a table's certificate, a witness's."""
    folder = tmp_path_factory.mktemp("house")
    secret = folder / "passphrase"
    secret.write_text(PASSPHRASE + "\n")
    secret.chmod(0o600)
    for name in ("anna", "bruno"):
        run("trust", "key", folder / f"{name}.key", "--name", name, "--passphrase-file", secret)
    people = [f"--person={name}={folder / name}.pub" for name in ("anna", "bruno")]
    authority = ("--authority-passphrase-file", secret)
    run("trust", "init", folder / "site", "--name", "Casino", *people, *authority)
    issuing = ("--site", folder / "site", "--out", folder, *authority)
    run("trust", "host", "table-7", *issuing)
    run("trust", "server", "witness", "--address", "localhost", "--address", "127.0.0.1", *issuing)
    return folder


@pytest.fixture
def site(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "house"))


def run(*arguments: str | Path) -> str:
    done = invoke(*arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def files(site: Path, name: str, *, looks: bool = False) -> TlsFiles:
    return TlsFiles(
        certificate=f"{name}.pem",
        key=f"{name}.key",
        authority="site/authority.pem",
        revoked="site/revoked.pem" if looks else None,
    ).below(site)


def revoke(site: Path, name: str) -> None:
    """Act as a person does who misses a computer."""
    secret = site / "passphrase"
    person = ("--site", site / "site", "--key", site / "anna.key", "--passphrase-file", secret)
    why = ("--reason", "stolen", "--authority-passphrase-file", secret)
    run("trust", "revoke", site / f"{name}.pem", "--certificate", *person, *why)


@pytest.mark.parametrize("thief", ["table-7", "witness"])
def test_a_revoked_certificate_is_refused(path: Path, tmp_path: Path, site: Path, thief: str) -> None:
    """A revoked table is not heard by the witness, a revoked witness not believed by the table."""

    def speak() -> None:
        service, table = files(site, "witness", looks=True), files(site, "table-7", looks=True)
        with (
            serving(tmp_path / "state", tls=service.server()) as url,
            contextlib.closing(WitnessClient(url, table.client())) as client,
            Journal.open(path, Keyring(path)) as journal,
        ):
            assert client.newest(journal.origin) is None

    speak()
    revoke(site, thief)
    with pytest.raises(WitnessFailed, match="cannot be reached"):
        speak()


def test_others_go_on_after_a_revocation(path: Path, tmp_path: Path, site: Path) -> None:
    run(
        "trust",
        "host",
        "table-8",
        "--site",
        site / "site",
        "--out",
        site,
        "--authority-passphrase-file",
        site / "passphrase",
    )
    revoke(site, "table-8")
    with serving(tmp_path / "state", tls=files(site, "witness", looks=True).server()) as url:
        told(path, url, files(site, "table-7", looks=True).client())


@pytest.mark.parametrize("content", [None, b"", b"nonsense\n", "another kind of PEM"])
def test_a_list_that_is_missing_or_none_stops_both_sides(
    tmp_path: Path, site: Path, content: bytes | str | None
) -> None:
    listed = site / "site" / "revoked.pem"
    if content is None:
        listed.unlink()
    else:
        listed.write_bytes(content if isinstance(content, bytes) else (site / "site" / "authority.pem").read_bytes())
    with pytest.raises(Stop, match=r"revoked\.pem"):
        files(site, "table-7", looks=True).client()
    tls = ("--tls-cert", site / "witness.pem", "--tls-key", site / "witness.key")
    ours = ("--client-ca", site / "site" / "authority.pem", "--client-crl", listed)
    done = invoke("witness", "serve", "--state", tmp_path / "state", *tls, *ours)
    assert_message(done.exit_code, done.stderr, 2, "revoked.pem", "cardshoe trust crl")


# --- 4: another in the place of the witness ---------------------------------------------------------------------------


def key_of(state: Path) -> CosignatureKey:
    with contextlib.closing(WitnessStore(state)) as store:
        return store.cosigner().public


def test_another_key_than_the_pinned_one_counts_for_nothing(path: Path, tmp_path: Path) -> None:
    pinned = key_of(tmp_path / "honest")
    with (
        serving(tmp_path / "hostile") as url,
        Journal.open(path, Keyring(path)) as journal,
        contextlib.closing(WitnessClient(url, pinned=pinned)) as client,
    ):
        [first, *_] = journal.way_from(None) or []
        with pytest.raises(WitnessFailed, match="did not cosign with the key that is pinned") as failed:
            client.submit(first)
        assert "witness_key" in failed.value.remedy
    assert not list(tmp_path.glob("a.journal-cosigned-*"))
    with serving(tmp_path / "honest") as url:
        told(path, url, key=pinned)
    [kept] = tmp_path.glob("a.journal-cosigned-*")
    with Journal.open(path, Keyring(path)) as journal:
        newest = journal.newest_note()
    assert Note(msgspec.json.decode(kept.read_bytes())["note"].encode()).text == Note(newest).text


def test_a_journal_that_lacks_what_was_cosigned_is_broken(path: Path, tmp_path: Path) -> None:
    old = path.read_bytes()
    with serving(tmp_path / "state") as url:
        told(path, url)
    path.write_bytes(old)
    with pytest.raises(JournalBroken, match=r"has cosigned a signature .* that the journal lacks"):
        verify(path)


@pytest.mark.parametrize("change", [b"", b"{}", "another text", "another journal"])
def test_a_cosignature_that_was_altered_is_none(path: Path, tmp_path: Path, change: bytes | str) -> None:
    with serving(tmp_path / "state") as url:
        told(path, url)
    [kept] = tmp_path.glob("a.journal-cosigned-*")
    if isinstance(change, bytes):
        kept.write_bytes(change)
    elif change == "another text":
        kept.write_bytes(kept.read_bytes().replace(b"checkpoint ", b"checkpoint 1"))
    else:
        sealed_journal(tmp_path / "b.journal", shoes=1, rounds=1)
        kept.rename(tmp_path / kept.name.replace("a.journal", "b.journal"))
        path = tmp_path / "b.journal"
    with pytest.raises(WitnessFailed):
        verify(path)


def run_once(config: Path, *said: str) -> str:
    """A table runs until it has said what is expected, on standard error; all that it said there."""
    with Command("run", config) as table:
        for text in said:
            table.wait_for_error(text)
        table.say("quit")
        assert table.end() == 0
        return table.errors()


def test_verification_says_whose_cosignatures_there_are(tmp_path: Path) -> None:
    """Who, up to where, when, whether the key is the known one; and how that becomes known."""
    with serving(tmp_path / "state") as url:
        config = write_config(tmp_path, None)
        plain = config.read_text()
        config.write_text(plain.replace("[journal]\n", f'[journal]\nwitness = "{url}"\n'))
        pin = f'witness_key."{url}" = "{httpx.get(f"{url}/key").text.strip()}"'
        run_once(config, pin)
        config.write_text(plain.replace("[journal]\n", f'[journal]\nwitness = "{url}"\n{pin}\n'))
        assert "pinned" not in run_once(config)
    journal = journal_of(tmp_path)
    key, other = key_of(tmp_path / "state"), key_of(tmp_path / "other")
    last = verify(journal).proved
    for known, said in (
        ((), "compare its key"),
        (("--witness-key", str(key)), "its key is one of those given"),
        (("--witness-key", str(other)), "its key is NOT one of those given"),
    ):
        shown = run("verify", journal, *known)
        assert f"cosigned by {url} up to entry {last}, 2023-11-14T22:13:20Z: {said}" in shown
        assert str(key) in shown
    assert_message(2, invoke("verify", journal, "--witness-key", "x").stderr, 2, "--witness-key is no key")
    for wrong in (pin.replace("+", "-"), 'witness_key."https://elsewhere" = "x"'):
        config.write_text(plain.replace("[journal]\n", f'[journal]\nwitness = "{url}"\n{wrong}\n'))
        done = invoke("config", "check", config)
        assert_message(done.exit_code, done.stderr, 2, "journal.witness_key")
