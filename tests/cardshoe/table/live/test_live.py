"""The live socket of a table: what clients get, in which order, and what becomes of those that misbehave."""

import contextlib
import itertools
import json
import os
import random
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardshoe.screens.view import LineFold, TableView
from cardshoe.screens.view.encoding import change
from cardshoe.table.live import connection, messages
from cardshoe.table.live.client import LiveClient, follow, number_of, view_of
from cardshoe.table.live.line_buffer import LINES, KeptLines
from cardshoe.table.live.messages import LINE_MAX
from cardshoe.table.live.place import BACKLOG, Door, NotLive, TablePlace, connected
from cardshoe.table.live.session import LiveError
from cardshoe.table.log.query import together
from regulations.events.inputs import AnyInput
from tests.cardshoe.screens.view.support import mishaps
from tests.cardshoe.table.live.support import READY, TABLE, Bare, ServedTable, cards, stored
from tests.kit.command import PATIENCE_S, Line
from tests.soak.corrections.tables import TABLES

TABLE_FIELDS = {"table_id": "T", "game": "baccarat", "decks": 8, "seats": 7, "equipment": "shoe"}
CARD = {"event": "card", "card": "9H"}
CLOSED = {"event": "round_closed"}


def views_of(viewer: Bare, last: int) -> dict[int, bytes]:
    """The views that a viewer was told, as JSON, by the last line in each; each behind all lines to that."""
    shown, view, line = dict[int, bytes](), TableView(), b""
    while last not in shown:
        said = viewer.next()
        if said["type"] == "line":
            line = msgspec.json.encode(said["line"])
            continue
        if said["type"] == "change":
            change(view, msgspec.json.encode(said["change"]), line)
        else:
            view = msgspec.convert(said["view"], TableView)
            assert said["seq"] == view.seq
        shown[view.seq] = msgspec.json.encode(view)
    return shown


def folded(view: TableView, lines: list[bytes]) -> TableView:
    fold = LineFold(view)
    for answer in together(lines):
        fold.take(answer.lines)
    return view


# --- what a client gets ----------------------------------------------------------------------------------------------


def test_a_snapshot_and_then_each_line_as_the_journal_has_it(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        table.tell(*READY[:3])
        with table.client() as client:
            hello = client.hello
            snapshot = client.subscribe()
            assert isinstance(snapshot, messages.SnapshotMessage)
            assert (hello.table, hello.log, hello.seq) == ("T-1", snapshot.log, snapshot.seq)
            assert (snapshot.because, hello.log) == ("asked", table.log.journal.header.fingerprint)
            table.tell(*READY[3:])
            seq = table.log.journal.last_seq
            lines = list(itertools.islice(client.lines(), seq - snapshot.seq))
            now = view_of(client.snapshot())
    assert lines == stored(table.place)[snapshot.seq :]
    assert folded(view_of(snapshot), lines) == now
    assert now.seq == seq


@pytest.mark.parametrize("game", TABLES)
def test_in_every_game_the_stream_is_the_journal_and_opens_nothing(tmp_path: Path, game: str, seed: int) -> None:
    profile, events = mishaps(game, seed, 1)
    with ServedTable(tmp_path, profile) as table, table.client() as client, Bare(table.place) as viewer:
        client.subscribe()
        viewer.say(b'{"type":"subscribe","view":true}\n')
        told: list[AnyInput] = [
            table.give(msgspec.structs.replace(event, origin=msgspec.UNSET)).event for event in events
        ]
        lines = [b for _, b in zip(range(table.log.journal.last_seq - 2), client.lines(), strict=False)]
        view = view_of(client.snapshot())
        shown, seen = views_of(viewer, view.seq), 0
    journal = stored(table.place)
    assert lines == journal[2:]
    fold = LineFold(TableView(log=view.log))
    for answer in together(journal):
        if fold.take(answer.lines) and fold.view.seq in shown:
            seen += 1
            # As the lines give it, in which a card that lies face down has no name.
            assert shown[fold.view.seq] == msgspec.json.encode(fold.view)
    assert seen == len(shown)
    assert fold.view == view
    sealed = [one for one in told if one.sealed is not msgspec.UNSET]
    assert all(getattr(one, "card", None) in (None, msgspec.UNSET) for one in sealed)


def test_a_viewer_is_told_what_changes_and_whoever_comes_back_gets_all(tmp_path: Path) -> None:
    hand: list[Line] = [*({"event": "card", "card": card} for card in ("9H", "2D", "TS", "3C")), CLOSED]
    with ServedTable(tmp_path) as table, Bare(table.place) as viewer, Bare(table.place) as again:
        table.tell(*READY)
        viewer.say(b'{"type":"subscribe","view":true}\n')
        assert viewer.next()["view"]["results"] == []
        table.tell(*hand)
        changes: list[dict[str, Any]] = [{}]
        while "last" not in changes[-1]:
            changes += [one["change"] for one in [viewer.next()] if one["type"] == "change"]
        names = {name for one in changes for name in one}
        assert names <= {"shoe", "rounds", "round", "last", "results", "astray"}
        assert (changes[-1]["last"], "round" in changes[-1]) == ({}, False), "the round that it had, as it was"
        log = table.log.journal.header.fingerprint
        again.say(b'{"type":"subscribe","view":true,"after":20,"log":"%s"}\n' % log.encode())
        said = [again.next()]
        while said[-1]["type"] != "view":
            said.append(again.next())
        assert [one["type"] for one in said[:2]] == ["resumed", "line"]
        assert [one["line"]["seq"] for one in said[1:-1]] == [*range(21, said[-1]["seq"] + 1)]
        assert msgspec.convert(said[-1]["view"], TableView) == table.view


def test_a_defect_of_the_view_ends_what_shows_it_and_the_lines_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    with ServedTable(tmp_path) as table, table.client() as client, Bare(table.place) as viewer:
        client.subscribe()
        viewer.say(b'{"type":"subscribe","view":true}\n')
        assert viewer.next()["type"] == "snapshot"
        monkeypatch.setattr(TableView, "take", fails)
        assert not table.tell(READY[0]).is_refused
        assert [number_of(line) for line in itertools.islice(client.lines(), 2)] == [3, 4]
        assert [one["code"] for one in viewer.rest() if one["type"] == "error"] == ["no_view"]
        for asks in (b'{"type":"snapshot"}', b'{"type":"subscribe"}', b'{"type":"subscribe","view":true,"after":2}'):
            with Bare(table.place) as other:
                other.say(asks + b"\n")
                assert [one["code"] for one in other.rest()] == ["no_view"]
        table.tell(READY[1])
        assert [number_of(line) for line in itertools.islice(client.lines(), 2)] == [5, 6]
    assert "the table's view is off until the next start" in caplog.text


def test_two_clients_get_the_same_at_their_own_times(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, table.client() as one, table.client() as other:
        one.subscribe()
        table.tell(*READY[:4])
        later = other.subscribe()
        table.tell(*READY[4:])
        last = table.log.journal.last_seq
        first = list(itertools.islice(one.lines(), last - 2))
        second = list(itertools.islice(other.lines(), last - later.seq))
        assert first[-len(second) :] == second


def test_who_comes_back_goes_on_where_it_was(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        table.tell(*READY)
        last = table.log.journal.last_seq
        for after in (0, 1, last // 2, last):
            with table.client() as client:
                resumed = client.subscribe(after, client.hello.log)
                assert resumed == messages.Resumed(log=client.hello.log, seq=after)
                assert [number_of(line) for line in itertools.islice(client.lines(), last - after)] == [
                    *range(after + 1, last + 1)
                ]


@pytest.mark.parametrize(
    ("after", "log", "because"), [(1, "0" * 32, "other_log"), (10_000, None, "ahead"), (None, None, "asked")]
)
def test_who_names_what_is_not_there_gets_a_snapshot_and_is_told_why(
    tmp_path: Path, after: int | None, log: str | None, because: str
) -> None:
    with ServedTable(tmp_path) as table, table.client() as client:
        found = client.subscribe(after, log)
        assert isinstance(found, messages.SnapshotMessage)
        assert (found.because, found.seq) == (because, 2)


def test_lines_that_are_no_longer_kept_are_not_sent() -> None:
    kept = KeptLines(10)
    for _ in range(LINES + 5):
        kept.add([b"{}"])
    assert not kept.has_after(14)
    assert kept.has_after(15)
    assert len(list(kept.after(kept.last - 3))) == 3
    assert not kept.has_after(kept.last + 1)


def test_the_end_is_told_and_the_socket_gone(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        client = table.client()
        client.subscribe()
        table.tell({"event": "shuffled", "by": "croupier"})
    with client:
        assert [json.loads(line)["event"] for line in client.lines()] == ["shuffled", "next"]
    assert not table.place.socket.exists()
    with pytest.raises(NotLive, match="no table runs here"):
        LiveClient(table.place)


# --- what a client says ----------------------------------------------------------------------------------------------


def test_an_input_is_answered_with_its_lines_behind_them(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, Bare(table.place) as bare:
        bare.say(b'{"type":"subscribe"}\n{"type":"input","id":"a 1","line":{"event":"shuffled","by":"croupier"}}\n')
        said = [bare.next() for _ in range(4)]
    assert [one["type"] for one in said] == ["snapshot", "line", "line", "answer"]
    answer = said[-1]
    assert (answer["id"], answer["refused"], answer["seq"]) == ("a 1", None, 4)
    assert answer["lines"] == [said[1]["line"], said[2]["line"]]
    assert answer["lines"][0]["origin"] == "person"
    assert answer["lines"][-1]["do"] == "cut"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"event": "round_closed"}, "not_now"),
        ({"event": "loaded", "cards": 416}, "not_now"),
        ({"event": "void", "reason": "x", "by": [1, 2], "ground": "misdeal"}, "not_now"),
        ({"event": "equipment", "equipment": "box"}, "bad_option"),
    ],
)
def test_what_the_regulation_refuses_is_answered_with_its_code(
    tmp_path: Path, line: dict[str, object], code: str
) -> None:
    with ServedTable(tmp_path) as table, table.client() as client:
        answer = client.say(json.dumps(line).encode(), "x")
        assert isinstance(answer, messages.InputResult)
        assert (answer.id, answer.refused) == ("x", code)
        assert json.loads(bytes(answer.lines[1]))["article"]


@pytest.mark.parametrize(
    ("line", "code", "field"),
    [
        (b'{"event":"fault","device":"shoe","code":3}', "not_for_persons", "$.event"),
        (b'{"event":"card","card":"9H","device":"shoe"}', "not_for_persons", "$.device"),
        (b'{"event":"shuffled","by":"croupier","origin":"table"}', "not_for_persons", "$.origin"),
        (b'{"event":"card","card":null,"sealed":"x"}', "not_for_persons", "$.sealed"),
        (
            json.dumps({"event": "table", **TABLE_FIELDS}).encode(),
            "not_for_persons",
            "$.event",
        ),
        (b'{"event":"card","card":"10H"}', "malformed", "$.card"),
        (b'{"event":"nothing_there"}', "malformed", "$.event"),
        (b"[1]", "malformed", "$.event"),
        (b'"quit"', "malformed", "$.event"),
    ],
)
def test_what_no_person_may_say_is_written_nowhere(tmp_path: Path, line: bytes, code: str, field: str) -> None:
    with ServedTable(tmp_path) as table, table.client() as client:
        answer = client.say(line)
        assert isinstance(answer, messages.RequestDeclined)
        assert answer.code == code
        assert answer.field == field or code == "malformed"
        assert answer.reason
        assert table.log.journal.last_seq == 2


# --- who misbehaves --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [b"\x00\xff\xfe", b"GET / HTTP/1.1\r", b"{", b"[" * 60_000, b'{"type":"quit"}',
     b'{"type":"input","id":"","line":{}}',
     b'{"type":"subscribe","after":-1}', b'{"type":"subscribe","more":1}', b'{"type":"input","id":"1"}', b"",
     b'{"type":"input","id":"1","line":{"event":"\xff"}}', b'{"type":"propose","id":"1","session":"","line":"\xff"}'],
)  # fmt: skip
def test_garbage_is_named_and_the_client_goes_on(tmp_path: Path, data: bytes) -> None:
    with ServedTable(tmp_path) as table, Bare(table.place) as bare:
        bare.say(data + b"\n")
        told = bare.next()
        assert (told["type"], told["code"]) == ("error", "malformed")
        bare.say(b'{"type":"snapshot"}\n')
        assert bare.next()["type"] == "snapshot"


def test_a_process_that_has_stopped_and_accepts_nobody_is_not_waited_for(tmp_path: Path) -> None:
    place = TablePlace.of(tmp_path, "T-1")
    door = Door(place)
    with contextlib.ExitStack() as waiting, contextlib.closing(door):
        for _ in range(BACKLOG + 1):
            waiting.enter_context(connected(place, PATIENCE_S))
        with pytest.raises(TimeoutError, match="does not answer"):
            LiveClient(place)


def test_random_bytes_hurt_nobody(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    with ServedTable(tmp_path) as table:
        for _ in range(20):
            with Bare(table.place) as bare, contextlib.suppress(OSError):
                bare.say(rng.randbytes(rng.randrange(1, 3 * LINE_MAX)))
        assert not table.tell({"event": "shuffled", "by": "croupier"}).is_refused
        with table.client() as client:
            assert client.hello.seq == 4


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_that_is_too_long_ends_the_connection(tmp_path: Path, end: bytes) -> None:
    with ServedTable(tmp_path) as table, Bare(table.place) as bare:
        with contextlib.suppress(OSError):
            bare.say(b"x" * (2 * LINE_MAX) + end)
        assert bare.next()["code"] == "too_long"


def test_another_version_is_refused(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, Bare(table.place) as bare:
        bare.say(b'{"type":"snapshot","live":2}\n')
        assert [one["code"] for one in bare.rest()] == ["version"]


def test_who_writes_slowly_and_in_pieces_is_understood(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, Bare(table.place) as bare:
        for byte in b'{"type":"snapshot"}\n{"type":"snap':
            bare.say(bytes([byte]))
        assert bare.next()["type"] == "snapshot"
        bare.sock.shutdown(socket.SHUT_WR)
        assert bare.rest() == []


def test_who_has_said_all_still_gets_the_answer(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, Bare(table.place) as bare:
        bare.say(b'{"type":"input","id":"1","line":{"event":"shuffled","by":"croupier"}}\n')
        bare.sock.shutdown(socket.SHUT_WR)
        assert [one["type"] for one in bare.rest()] == ["answer"]


def test_who_does_not_keep_up_is_cut_off_and_told_so_while_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(connection, "WAITING_BYTES", 20_000)
    # It plays 400 cards before it reads what was said to it, which takes a busy machine its time.
    monkeypatch.setattr(connection, "PATIENCE_S", 60.0)
    with ServedTable(tmp_path) as table, Bare(table.place) as bare:
        bare.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        bare.say(b'{"type":"subscribe"}\n')
        assert bare.next()["type"] == "snapshot"
        table.tell(*READY[:4])
        # Nobody deals so fast; but nothing is taken of it.
        for card in cards(seed)[:400]:
            table.tell(card)
        said = bare.rest()
        assert said[-1] == {**said[-1], "type": "error", "code": "slow"}
        assert said[-1]["left_out"] > 0
        numbers = [one["line"]["seq"] for one in said if one["type"] == "line"]
        assert numbers == [*range(3, 3 + len(numbers))]
        assert numbers[-1] < table.log.journal.last_seq
        # Whoever follows reads the rest from the journal, and misses nothing.
    assert [number_of(line) for line in follow(table.place)] == [*range(1, table.log.journal.last_seq + 1)]


def test_a_table_that_stops_while_a_follower_subscribes_is_read_to_its_end(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, Bare(table.place) as bare:
        table.tell(*READY)
    door = Door(table.place)
    door.listening.settimeout(PATIENCE_S)

    def stops() -> None:
        follower, _ = door.listening.accept()
        with follower, follower.makefile("rb") as asked:
            follower.sendall(json.dumps(bare.hello).encode() + b"\n")
            assert json.loads(asked.readline())["type"] == "subscribe"
            door.close()
            follower.sendall(b'{"type":"bye","seq":2,"reason":"stopped"}\n')

    with ThreadPoolExecutor(1) as other:
        stopped = other.submit(stops)
        assert [number_of(line) for line in follow(table.place)] == [*range(1, table.log.journal.last_seq + 1)]
        stopped.result(PATIENCE_S)


def test_there_is_an_end_to_clients_and_the_idlest_goes(tmp_path: Path) -> None:
    with ServedTable(tmp_path, clients=2) as table, contextlib.ExitStack() as held:
        idle, subscribed = (held.enter_context(Bare(table.place)) for _ in range(2))
        subscribed.say(b'{"type":"subscribe"}\n')
        assert subscribed.next()["type"] == "snapshot"
        newcomer = held.enter_context(Bare(table.place))
        assert newcomer.hello["type"] == "hello"
        assert [one["code"] for one in idle.rest()] == ["idle"]
        newcomer.say(b'{"type":"subscribe"}\n')
        assert newcomer.next()["type"] == "snapshot"
        with pytest.raises(LiveError) as caught:
            table.client()
        assert caught.value.code == "full"


def test_clients_that_vanish_are_forgotten(tmp_path: Path) -> None:
    with ServedTable(tmp_path, clients=2) as table:
        for _ in range(10):
            with Bare(table.place) as bare:
                bare.say(b'{"type":"subscribe"}\n')
                bare.next()
            table.tell(CARD)
        with table.client() as client:
            assert client.snapshot().seq == table.log.journal.last_seq


# --- the socket ------------------------------------------------------------------------------------------------------


def test_it_is_its_owner_s_alone(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table:
        assert table.place.socket.stat().st_mode & 0o777 == 0o600
        assert sorted(one.name for one in tmp_path.glob(".T-1.live*")) == [".T-1.live", ".T-1.live-lock"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_another_account_is_refused_by_mode_and_by_name(tmp_path: Path) -> None:
    # It becomes somebody else once it runs: where Python lies in root's home, nobody else can start it.
    asks = (
        "import os, socket, sys\nos.setgroups([])\nos.setgid(65534)\nos.setuid(65534)\n"
        "s = socket.socket(socket.AF_UNIX)\ntry:\n    s.connect(sys.argv[1])\n"
        "except PermissionError:\n    print('by the system')\nelse:\n    print(s.makefile().read())\n"
    )

    def asked() -> str:
        command = [sys.executable, "-c", asks, ".T-1.live"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    with ServedTable(tmp_path) as table:
        tmp_path.chmod(0o755)
        for parent in list(tmp_path.parents)[:3]:
            if parent.name.startswith("pytest-"):
                parent.chmod(0o755)
        assert asked() == "by the system\n"
        table.place.socket.chmod(0o666)
        assert json.loads(asked())["code"] == "not_yours"


def test_a_path_of_any_length_will_do(tmp_path: Path) -> None:
    folder = tmp_path / ("f" * 100)
    table = msgspec.structs.replace(TABLE, table_id="t" * 100)
    with ServedTable(folder, table) as served:
        assert len(os.fsencode(served.place.socket)) > 250
        with served.client() as client:
            assert client.hello.table == table.table_id


def test_what_a_killed_table_left_is_replaced_and_a_running_one_s_never(tmp_path: Path) -> None:
    place = TablePlace.of(tmp_path, "T-1")
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(place.socket))
    with pytest.raises(NotLive, match="left behind by a table that was killed"):
        connected(place, 1)
    (tmp_path / ".T-1.live-new").mkdir()
    door = Door(place)
    with connected(place, 1):
        pass
    with pytest.raises(BlockingIOError):
        Door(place)
    assert place.socket.exists()
    door.close()
    assert not place.socket.exists()


def test_a_table_without_a_socket_plays_all_the_same(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    door = Door(TablePlace.of(tmp_path, "T-1"))
    with ServedTable(tmp_path) as table:
        assert not table.tell({"event": "shuffled", "by": "croupier"}).is_refused
    assert "another process serves this table's socket" in caplog.text
    door.close()


def test_who_asks_for_notes_gets_what_the_journal_signs(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, Bare(table.place) as bare, Bare(table.place) as other:
        bare.say(b'{"type":"subscribe","notes":true}\n')
        other.say(b'{"type":"subscribe"}\n')
        assert (bare.next()["type"], other.next()["type"]) == ("snapshot", "snapshot")
        taken = table.tell({"event": "fault", "device": "lamp", "code": 1})  # which is signed at once
        told = [bare.next() for _ in range(len(taken.lines) + 1)]
        notes = {one["note"].encode() for one in told if one["type"] == "note"}
        assert notes
        assert notes <= set(table.log.journal.notes())
        assert {other.next()["type"] for _ in taken.lines} == {"line"}
