"""A witness over real sockets: what it answers, what it keeps, and what it does with those who mean no good."""

import contextlib
import logging
import socket
import time
from pathlib import Path
from typing import Final

import httpx
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardshoe.journal import Journal, JournalFailed, Keyring, WitnessFile
from cardshoe.journal.file.header import Previous
from cardshoe.journal.proof.cosignature import CosignatureKey, Cosigner
from cardshoe.journal.proof.note import BadNote, Note, VerifyKey
from cardshoe.journal.witness import store as store_module
from cardshoe.journal.witness.app import MAX_BODY_BYTES, WitnessLimits
from cardshoe.journal.witness.service import WitnessService
from cardshoe.journal.witness.store import WitnessStore, trust, trusted
from cardshoe.journal.witness.submission import Submission
from cardshoe.process.exits import Stop
from cardshoe.process.http.http_server import MAX_HEAD_BYTES
from tests.cardshoe.journal.c2sp import cosigned_at
from tests.cardshoe.journal.samples import HEADER
from tests.cardshoe.journal.sealed import AT, by_the_verifier, edited, play, sealed_journal
from tests.cardshoe.journal.witness.support import post, serving
from tests.kit.waiting import PATIENCE_S

HURRIED: Final = WitnessLimits(body_s=0.2, exchange_s=0.5)


def bodies_of(journal: Journal, held: bytes | None = None) -> list[bytes]:
    """The requests that lead a witness to the newest note."""
    return [Submission(step.old, step.path, step.note).encoded() for step in journal.way_from(held) or []]


def raw(url: str) -> socket.socket:
    parts = httpx.URL(url)
    return socket.create_connection((parts.host, parts.port or 0), timeout=PATIENCE_S)


def answer_on(connection: socket.socket) -> bytes:
    """All that comes until the other side is done; a connection that was cut off has no more."""
    found = b""
    try:
        while data := connection.recv(65536):
            found += data
    except ConnectionResetError:
        pass
    return found


def test_it_keeps_and_cosigns_what_follows(tmp_path: Path) -> None:
    path, state = tmp_path / "a.journal", tmp_path / "state"
    sealed_journal(path)
    with Journal.open(path, Keyring(path)) as journal, serving(state) as url:
        bodies = bodies_of(journal)
        answers = [post(url, body) for body in bodies]
        assert [answer.status_code for answer in answers] == [200] * 5
        name, number, public = httpx.get(f"{url}/key").text.strip().split("+", 2)
        for body, answer in zip(bodies, answers, strict=True):
            # Verified as the specification says, by other code than ours.
            assert (
                cosigned_at(Submission.decode(body).note, answer.content, f"{name}+{number}", public) == 1_700_000_000
            )
        notes = httpx.get(f"{url}/logs/{journal.origin}/notes").content
        assert notes == b"".join(Submission.decode(body).note + b"\n" for body in bodies)
        assert httpx.get(f"{url}/logs/{journal.origin}/newest").content == journal.newest_note()
        assert httpx.get(f"{url}/logs/cardshoe/journal/other/newest").status_code == 404
        kept = state / f"{journal.header.journal_id}.notes"
        assert kept.read_bytes() == notes
    status, said = by_the_verifier(path, "--witness", kept)
    assert status == 0, said
    assert "witnessed up to entry 108" in said


def test_what_it_held_is_there_after_a_restart(tmp_path: Path) -> None:
    path, key = tmp_path / "a.journal", ""
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        for _ in range(3):
            with serving(tmp_path / "state", accept_new=journal.last == 0) as url:
                journal.begin_shoe(AT)
                play(journal, 1)
                held = httpx.get(f"{url}/logs/{journal.origin}/newest")
                for body in bodies_of(journal, held.content if held.status_code == 200 else None):
                    assert post(url, body).status_code == 200
                key = httpx.get(f"{url}/key").text
        with serving(tmp_path / "state") as url:
            assert httpx.get(f"{url}/key").text == key
            assert httpx.get(f"{url}/logs/{journal.origin}/newest").content == journal.newest_note()


def test_whatever_is_torn_off_what_it_acknowledged_stays(tmp_path: Path) -> None:
    """A note that is being written when the power fails was not acknowledged; those before it were."""
    path, state = tmp_path / "a.journal", tmp_path / "state"
    sealed_journal(path, shoes=1, rounds=1)
    with Journal.open(path, Keyring(path)) as journal:
        bodies = bodies_of(journal)
        trust(state, VerifyKey.parse(journal.header.key))
        store = WitnessStore(state)
        service = WitnessService(store)
        assert [service.submit(body).status for body in bodies[:-1]] == [200] * (len(bodies) - 1)
        file = state / f"{journal.header.journal_id}.notes"
        before = file.read_bytes()
        assert service.submit(bodies[-1]).status == 200
        last = file.read_bytes()[len(before) :]
        for length in range(0, len(last) + 1, 7):
            file.write_bytes(before + last[:length])
            again = WitnessService(store)
            assert again.notes(journal.origin).body.startswith(before)
            assert again.submit(bodies[-1]).status == 200
            assert WitnessService(store).newest(journal.origin).body == journal.newest_note()
        store.close()


def test_a_disk_that_fails_ends_all_acknowledging(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, state = tmp_path / "a.journal", tmp_path / "state"
    sealed_journal(path, shoes=1, rounds=1)
    with Journal.open(path, Keyring(path)) as journal:
        first, second, *_ = bodies_of(journal)
        store = WitnessStore(state)
        service = WitnessService(store, accept_new=True)
        assert service.submit(first).status == 200
        file = state / f"{journal.header.journal_id}.notes"
        held = file.read_bytes()
        file.unlink()
        file.mkdir()
        assert service.submit(second).status == 503
        file.rmdir()
        file.write_bytes(held)
        assert service.submit(second).status == 503
        assert service.newest(journal.origin).status == 503
        assert "cannot be written" in caplog.text
        assert WitnessService(store).submit(second).status == 200
        store.close()


def test_a_log_that_nobody_registered(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, state = tmp_path / "a.journal", tmp_path / "state"
    with Journal.create(path, HEADER, Keyring(path)) as journal, serving(state, accept_new=False) as url:
        [body] = bodies_of(journal)
        refused = post(url, body)
        assert (refused.status_code, refused.text) == (404, "this log is not registered here\n")
        assert trust(state, VerifyKey.parse(journal.header.key))
        assert not trust(state, VerifyKey.parse(journal.header.key))
        assert post(url, body).status_code == 200
        assert caplog.text == ""
    other = tmp_path / "b.journal"
    with Journal.create(other, HEADER, Keyring(other)) as journal, serving(state) as url:
        [body] = bodies_of(journal)
        assert post(url, body).status_code == 200
        assert f"{journal.origin}: an unregistered log, accepted without proof" in caplog.text
        assert VerifyKey.parse(journal.header.key) in trusted(state)
        # Not by a note that any key could sign, and no other name than a journal's.
        assert post(url, body.replace(journal.origin.encode(), b"../../etc/passwd")).status_code in {400, 404}


def test_the_next_log_is_registered_by_the_key_that_ended_the_one_before(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, state = tmp_path / "a.journal", tmp_path / "state"
    sealed_journal(first)
    with Journal.open(first, Keyring(first)) as journal, serving(state, accept_new=False) as url:
        trust(state, VerifyKey.parse(journal.header.key))
        for body in bodies_of(journal):
            assert post(url, body).status_code == 200
        assert journal.signer is not None
        ended = Previous(log="0" * 32, size=journal.last + 1, root=journal.root.hex(), key=str(journal.signer.public))
        bodies, keys = [], []
        for name in ("b", "c"):
            path = tmp_path / f"{name}.journal"
            header = msgspec.structs.replace(HEADER, journal_id=name * 32, previous=ended)
            with Journal.create(path, header, Keyring(path), journal.signer) as following:
                bodies += bodies_of(following)
                keys.append(following.header.key)
        assert post(url, bodies[0]).status_code == 200
        assert post(url, bodies[0]).status_code == 200
        refused = post(url, bodies[1])
        assert refused.status_code == 403
        assert f"{journal.origin} is continued by another log here: a fork" in refused.text
        assert f"REFUSED: {journal.origin} is continued by another log here" in caplog.text
        assert (state / f"{'c' * 32}.evidence").exists()
        # A person may have it: the log in between was lost.
        assert trust(state, VerifyKey.parse(keys[1]))
        assert post(url, bodies[1]).status_code == 200


def test_a_key_that_signs_no_more_registers_no_log(tmp_path: Path) -> None:
    first, state = tmp_path / "a.journal", tmp_path / "state"
    sealed_journal(first)
    with Journal.open(first, Keyring(first)) as journal, serving(state, accept_new=False) as url:
        trust(state, VerifyKey.parse(journal.header.key))
        for body in bodies_of(journal):
            assert post(url, body).status_code == 200
        old = journal.signer
        journal.begin_shoe(AT)
        for body in bodies_of(journal, httpx.get(f"{url}/logs/{journal.origin}/newest").content):
            assert post(url, body).status_code == 200
        assert old is not None
        path = tmp_path / "b.journal"
        ended = Previous(log="0" * 32, size=1, root="0" * 64, key=str(old.public))
        header = msgspec.structs.replace(HEADER, journal_id="b" * 32, previous=ended)
        with Journal.create(path, header, Keyring(path), old) as following:
            [body] = bodies_of(following)
        assert post(url, body).status_code == 404


def test_logs_are_not_taken_at_their_word_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MAX_UNREGISTERED", 1)
    store = WitnessStore(tmp_path / "state")
    service = WitnessService(store, accept_new=True)
    first, second = tmp_path / "a.journal", tmp_path / "b.journal"
    with Journal.create(first, HEADER, Keyring(first)) as journal:
        assert service.submit(bodies_of(journal)[0]).status == 200
    with Journal.create(second, HEADER, Keyring(second)) as journal:
        assert service.submit(bodies_of(journal)[0]).status == 404
        trust(tmp_path / "state", VerifyKey.parse(journal.header.key))
        assert service.submit(bodies_of(journal)[0]).status == 200
    store.close()


def test_a_contradiction_is_refused_kept_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, state = tmp_path / "a.journal", tmp_path / "state"
    sealed_journal(path, shoes=1, rounds=1)
    old = path.read_bytes()
    with Journal.open(path, Keyring(path)) as journal, serving(state) as url:
        play(journal, 2)
        assert {post(url, body).status_code for body in bodies_of(journal)} == {200}
        newest, size = journal.newest_note(), journal.last + 1
    path.write_bytes(old)
    caplog.set_level(logging.ERROR)
    with Journal.open(path, Keyring(path)) as journal, serving(state) as url:
        play(journal, 4)
        note = journal.newest_note()
        for _ in range(2):
            answer = post(url, Submission(size, [bytes(32)], note).encoded())
            assert (answer.status_code, answer.text) == (
                422,
                f"the proof from {size} to {journal.last + 1} does not hold\n",
            )
        # Kept once, and what it holds is as before.
        held = httpx.get(f"{url}/logs/{journal.origin}/newest").content
        assert held == newest
        evidence = state / f"{journal.header.journal_id}.evidence"
        assert WitnessFile(evidence).read(journal.origin) == [note]
        assert evidence.read_bytes().count(note) == 1
        assert caplog.text.count("REFUSED: ") == 1


def test_evidence_does_not_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MAX_EVIDENCE_BYTES", 1000)
    store = WitnessStore(tmp_path)
    path = tmp_path / "a.journal"
    sealed_journal(path)
    with Journal.open(path, Keyring(path)) as journal:
        kept = [store.store_evidence(journal.origin, note, "why") for note in journal.notes()]
    assert kept[0]
    assert not kept[-1]
    assert sum(kept) < 5
    store.close()


def test_a_folder_serves_one_witness(tmp_path: Path) -> None:
    store = WitnessStore(tmp_path)
    with pytest.raises(Stop, match="another witness has it"):
        WitnessStore(tmp_path)
    store.close()
    WitnessStore(tmp_path).close()


def test_its_key_is_its_own(tmp_path: Path) -> None:
    store = WitnessStore(tmp_path)
    key = store.cosigner().public
    assert store.cosigner().public == key
    assert (tmp_path / "witness-key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "witness-key").write_text("nonsense")
    with pytest.raises(Stop, match="not an Ed25519 key"):
        store.cosigner()
    store.close()


@pytest.mark.parametrize("listed", ["nonsense\n", "\xff", "a+b\n"])
def test_a_list_of_keys_that_is_none(tmp_path: Path, listed: str) -> None:
    (tmp_path / "trusted").write_text(listed, "latin-1")
    with pytest.raises(Stop, match="not a list of keys"):
        trusted(tmp_path)


def test_a_journal_has_one_first_key(tmp_path: Path) -> None:
    keys = [
        VerifyKey("cardshoe/journal/ab12", Ed25519PrivateKey.generate().public_key().public_bytes_raw()) for _ in "12"
    ]
    assert trust(tmp_path, keys[0])
    with pytest.raises(Stop, match="a different first key is trusted"):
        trust(tmp_path, keys[1])
    with pytest.raises(Stop, match="not a journal's name"):
        trust(tmp_path, VerifyKey("cardshoe/journal/../x", keys[0].raw))


def test_a_cosignature_is_the_witness_s_own() -> None:
    cosigner = Cosigner("w", Ed25519PrivateKey.generate())
    key = CosignatureKey.parse(str(cosigner.public))
    Note(("a\nb\n\n" + cosigner.line("a\nb\n", 7)).encode()).check(key)
    for wrong in (
        "a\nc\n\n" + cosigner.line("a\nb\n", 7),
        "a\nb\n\n" + Cosigner("w", Ed25519PrivateKey.generate()).line("a\nb\n", 7),
    ):
        with pytest.raises(BadNote):
            Note(wrong.encode()).check(key)
    with pytest.raises(BadNote):
        VerifyKey.parse(str(cosigner.public))
    assert VerifyKey("w", key.raw) != key


GARBAGE: Final = (b"", b"\n\n", b"old 0\n\n", b"\xff" * 100, b"old 0\n\n" + b"a\n\n" * 50, b"{}", b"old 1\n" * 500)


def test_garbage_and_what_is_too_large_are_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "state") as url:
        assert [post(url, body).status_code for body in GARBAGE] == [400] * len(GARBAGE)
        assert post(url, bytes(MAX_BODY_BYTES + 1)).status_code == 413
        # It does not read to the end, so the answer may be lost with the connection.
        with contextlib.suppress(httpx.TransportError):
            assert post(url, bytes(50 * 1024 * 1024)).status_code == 413
        assert post(url, b"", "/other").status_code == 404
        assert httpx.get(f"{url}/add-checkpoint").status_code == 405
        assert httpx.get(f"{url}/logs/..%2F..%2Fwitness-key/notes").status_code == 404
        assert httpx.get(f"{url}/logs/{'x' * 5000}/notes").status_code == 404
        with raw(url) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nX: " + b"a" * (2 * MAX_HEAD_BYTES) + b"\r\n\r\n")
            assert answer_on(connection)[:12] in {b"HTTP/1.1 400", b""}
        with raw(url) as connection:
            connection.sendall(bytes(range(256)) * 20)
            assert answer_on(connection)[:12] in {b"HTTP/1.1 400", b""}
        assert httpx.get(f"{url}/key").status_code == 200


def test_slow_clients_are_cut_off_and_others_served_meanwhile(tmp_path: Path) -> None:
    with serving(tmp_path / "state", limits=HURRIED) as url:
        silent, half_a_head, half_a_body = raw(url), raw(url), raw(url)
        with silent, half_a_head, half_a_body:
            half_a_head.sendall(b"POST /add-checkpoint HTT")
            half_a_body.sendall(b"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 500\r\n\r\nold 0\n")
            assert httpx.get(f"{url}/key").status_code == 200
            assert answer_on(half_a_body).startswith(b"HTTP/1.1 408")
            assert answer_on(silent) == b""
            assert answer_on(half_a_head) == b""
        with raw(url) as dripping:
            dripping.settimeout(PATIENCE_S)
            deadline = time.monotonic() + PATIENCE_S
            try:
                while time.monotonic() < deadline:
                    dripping.sendall(b"x")
            except (ConnectionResetError, BrokenPipeError):
                pass
            assert time.monotonic() < deadline
        assert httpx.get(f"{url}/key").status_code == 200


def test_one_connection_serves_many_requests(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal.create(path, HEADER, Keyring(path)) as journal, serving(tmp_path / "state") as url:
        with httpx.Client(trust_env=False) as client:
            statuses: list[int] = []
            held: bytes | None = None
            for _ in range(10):
                play(journal, 1)
                sent = [client.post(f"{url}/add-checkpoint", content=body) for body in bodies_of(journal, held)]
                statuses += [answer.status_code for answer in sent]
                held = journal.newest_note()
        assert statuses == [200] * 11


def test_an_old_row_that_is_damaged_does_not_stop_what_is_recorded_now(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    sealed_journal(path)
    with Journal.open(path, Keyring(path)) as journal:
        whole = journal.way_from(None)
    edited(path, lambda file: file.execute("UPDATE entries SET node = zeroblob(32) WHERE number BETWEEN 1 AND 9"))
    with Journal.open(path, Keyring(path)) as journal:
        steps = journal.way_from(None)
        assert whole is not None
        assert steps is not None
        assert [step.note for step in steps] == [step.note for step in whole]
        assert [step.path for step in steps] != [step.path for step in whole], "a witness refuses such a proof"
        play(journal, 1)
        assert journal.way_from(journal.newest_note()) == []


def test_a_journal_that_is_used_no_more_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        assert journal.way_from(journal.newest_note()) == []
        with pytest.raises(BadNote):
            journal.way_from(b"nothing")
    with pytest.raises(JournalFailed):
        journal.way_from(None)
