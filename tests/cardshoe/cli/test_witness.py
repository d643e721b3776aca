"""``cardshoe witness``, and a table whose witnesses are a file and a service: real processes from end to end."""

import contextlib
import itertools
import random
import re
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from cardshoe.journal import ConsistencyStep, Journal, Keyring, WitnessFailed
from cardshoe.journal.proof.note import VerifyKey
from cardshoe.journal.witness.client import WitnessClient
from cardshoe.journal.witness.service import WitnessService
from cardshoe.journal.witness.store import WitnessStore, trust
from tests.cardshoe.cli.support import invoke
from tests.cardshoe.journal.samples import HEADER
from tests.cardshoe.journal.sealed import by_the_verifier, play, sealed_journal
from tests.kit.command import Command, assert_message
from tests.kit.running_table import RunningTable, journal_of, write_config


@contextlib.contextmanager
def service(state: Path, port: int) -> Iterator[Command]:
    with Command("witness", "serve", "--state", state, "--listen", f"127.0.0.1:{port}") as command:
        assert command.line().startswith("witness cardshoe/witness/")
        assert command.line() == f"listening on http://127.0.0.1:{port}"
        yield command


def with_witnesses(config: Path, *places: str) -> Path:
    listed = ", ".join(f'"{place}"' for place in places)
    config.write_text(
        config.read_text().replace("[journal]\n", f'[journal]\nmetrics = "t.prom"\nwitness = [{listed}]\n')
    )
    return config


def test_a_table_with_a_file_and_a_service(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    config = with_witnesses(write_config(tmp_path, None), "stick.notes", url)
    with service(state, port) as first, RunningTable(config) as table:
        table.prompt()
        table.wait_for_error("first key")
        found = re.search(r"first key \(.*\): (\S+)", table.errors())
        assert found
        table.wait_for_error("does not take this journal")
        assert "registered" in invoke("witness", "trust", "--state", str(state), found[1]).stdout
        table.wait_for_error("holds everything again")
        first.kill()
        table.tell({"event": "shuffled", "by": "croupier"})
        table.tell({"event": "cut", "by": "player"})
        table.tell({"event": "cut_card_placed", "behind": 14})
        table.tell({"event": "loaded", "cards": 416})
        table.wait_for_error("cannot be reached")
        with service(state, port) as second:
            table.say("quit")
            assert table.end() == 0
            assert "lacks" not in table.errors()
            journal = journal_of(tmp_path)
            for witness in (tmp_path / "stick.notes", url):
                done = invoke("verify", str(journal), "--witness", str(witness))
                assert done.exit_code == 0, done.stderr
                signed, witnessed = re.findall(r"(?:signed|witnessed) up to entry (\d+)", done.stdout)
                assert signed == witnessed
            [notes] = state.glob("*.notes")
            assert by_the_verifier(journal, "--witness", notes)[0] == 0
            assert (
                'cardshoe_witness_waiting_notes{table="T-1",witness="stick.notes"} 0.0'
                in (tmp_path / "t.prom").read_text()
            )
            # An old copy is put in the place of the journal: neither witness alone lets it pass.
            old = journal.read_bytes()
            with RunningTable(config) as table_again:
                table_again.prompt()
                table_again.say("misdeal x")
                table_again.answer()
                table_again.say("quit")
                assert table_again.end() == 0
            journal.write_bytes(old)
            (tmp_path / "stick.notes").unlink()
            with Command("run", config) as refused_table:
                assert refused_table.end() == 4
                assert f"the witness {url} holds 1 signature that the journal lacks" in refused_table.errors()
            refused = invoke("verify", str(journal), "--witness", url)
            assert refused.exit_code == 4
            second.process.terminate()
            assert second.end() == 0


def send(
    client: WitnessClient, steps: Sequence[ConsistencyStep], acknowledged: set[bytes], first: Callable[[], None]
) -> None:
    """Sends them, and the last one for ever; ``first`` is called once the first is acknowledged."""
    for number, step in enumerate(itertools.chain(steps, itertools.repeat(ConsistencyStep(0, [], steps[-1].note)))):
        client.submit(step)
        acknowledged.add(step.note)
        if not number:
            first()


def test_a_service_that_is_killed_keeps_what_it_acknowledged(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    state, path = tmp_path / "state", tmp_path / "a.journal"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with Journal.create(path, HEADER, Keyring(path)) as journal:
        trust(state, VerifyKey.parse(journal.header.key))
        steps = journal.way_from(None) or []
        for _ in range(150):
            play(journal, 1, 1)
            steps += journal.way_from(steps[-1].note) or []
    with contextlib.closing(WitnessClient(f"http://127.0.0.1:{port}")) as client:
        acknowledged: set[bytes] = set()
        for _ in range(2):
            with service(state, port) as running:
                held = client.newest(journal.origin)
                begin = 0 if held is None else [step.note for step in steps].index(held) + 1
                assert begin >= len(acknowledged)
                killer = threading.Timer(chance.uniform(0.01, 0.15), running.process.kill)
                with pytest.raises(WitnessFailed, match="cannot be reached"):
                    send(client, steps[begin:], acknowledged, killer.start)
                killer.join()
        shelf = WitnessStore(state)
        kept = WitnessService(shelf).notes(journal.origin).body
        assert acknowledged
        assert all(note in kept for note in acknowledged)
        shelf.close()


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (("--listen", "0.0.0.0:0"), ("other machines could reach it", "--client-ca")),
        (("--listen", "witness.example:8470"), ("other machines could reach it",)),
        (("--listen", "nonsense"), ("is not an address",)),
        (("--tls-cert", "a.pem"), ("TLS needs certificates on both sides", "all three")),
        (("--tls-cert", "a.pem", "--tls-key", "a.key", "--client-ca", "ca.pem"), ("a.pem", "No such file")),
    ],
)
def test_what_is_not_served(tmp_path: Path, options: tuple[str, ...], parts: tuple[str, ...]) -> None:
    done = invoke("witness", "serve", "--state", str(tmp_path), *options)
    assert_message(done.exit_code, done.stderr, 2, *parts)


def test_an_address_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        where = f"127.0.0.1:{listener.getsockname()[1]}"
        done = invoke("witness", "serve", "--state", str(tmp_path), "--listen", where)
    assert_message(done.exit_code, done.stderr, 2, f"{where}: ", "Choose another address")


def test_what_is_no_key(tmp_path: Path) -> None:
    done = invoke("witness", "trust", "--state", str(tmp_path), "cardshoe/journal/x")
    assert_message(done.exit_code, done.stderr, 2, "no key: ", "NAME+ID+KEY")


@pytest.mark.parametrize(
    ("places", "reason"),
    [
        (["http://192.0.2.1:8470"], "would leave this machine unencrypted"),
        (["https://witness.example"], "needs certificates"),
        (["https://"], "is not a witness's address"),
        (["ftp://192.0.2.1/notes"], "is not a witness's address; write a file's name"),
        (["https://user@witness.example"], "is not a witness's address"),
        (["http://127.0.0.1:99999"], "is not an address"),
        (["a.notes", "a.notes"], "the same witness twice"),
    ],
)
def test_places_that_are_none(tmp_path: Path, places: list[str], reason: str) -> None:
    config = with_witnesses(write_config(tmp_path, None), *places)
    done = invoke("config", "check", str(config))
    assert_message(done.exit_code, done.stderr, 2, "journal.witness", reason)


def test_certificates_that_are_missing(tmp_path: Path) -> None:
    config = with_witnesses(write_config(tmp_path, None), "https://witness.example")
    text = config.read_text()
    tls = 'witness_tls = { certificate = "a.pem", key = "a.key", authority = "ca.pem" }\n'
    config.write_text(text.replace("[journal]\n", f"[journal]\n{tls}"))
    assert invoke("config", "check", str(config)).exit_code == 0
    with Command("run", config) as table:
        assert table.end() == 2
        assert f"{tmp_path}/a.pem, " in table.errors()
    files = [str(tmp_path / name) for name in ("a.pem", "a.key", "ca.pem")]
    done = invoke("verify", str(journal_of(tmp_path)), "--witness", "https://w", "--witness-tls", *files)
    assert done.exit_code == 2


def test_a_service_that_is_not_there_is_no_witness(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    sealed_journal(path, shoes=1, rounds=1)
    done = invoke("verify", str(path), "--witness", "http://127.0.0.1:1")
    assert_message(done.exit_code, done.stderr, 4, "http://127.0.0.1:1: the witness cannot be reached")
    done = invoke("verify", str(path), "--witness", "http://192.0.2.1")
    assert_message(done.exit_code, done.stderr, 2, "unencrypted")
