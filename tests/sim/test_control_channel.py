"""The control channel over real sockets: several clients, events, malformed lines, clients that do not read."""

import json
import random
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

from sim.angel_eye.settings import ShoeSettings
from sim.clock import RealClock
from sim.control import AngelEyeControl
from sim.control_channel import CONNECTIONS_MAX, UNREAD_MAX_BYTES, ControlChannel, listen_on_tcp, listen_on_unix
from sim.control_dispatcher import ControlDispatcher
from sim.control_words import LINE_MAX_BYTES
from sim.hands import AngelEyeActions, hands_at
from sim.sim_thread import SimulatorThread
from sim.wires.wrapped import TappedWire
from tests.kit.pipe_wire import PipeWire

PATIENCE_S = 30.0


class Client:
    """A connection that talks JSON; `events` are those that came before an answer."""

    def __init__(self, address: str) -> None:
        if address.startswith("unix:"):
            self.end = socket.socket(socket.AF_UNIX)
            self.end.settimeout(PATIENCE_S)
            self.end.connect(address.removeprefix("unix:"))
        else:
            host, _, port = address.rpartition(":")
            self.end = socket.create_connection((host, int(port)), PATIENCE_S)
        self._lines = self.end.makefile("rb")
        self.events: list[dict[str, Any]] = []
        self._asked = 0

    def send(self, data: bytes) -> None:
        self.end.sendall(data)

    def line(self) -> bytes:
        return self._lines.readline()

    def do(self, name: str, *arguments: str | int) -> dict[str, Any]:
        self._asked += 1
        self.send(json.dumps({"id": self._asked, "do": name, "arguments": arguments}).encode() + b"\n")
        while True:
            line: dict[str, Any] = json.loads(self.line())
            if "event" not in line:
                assert line["id"] == self._asked
                return line
            self.events.append(line)

    def event(self) -> dict[str, Any]:
        """The next event: the oldest that came before an answer, else one that is still to come."""
        if self.events:
            return self.events.pop(0)
        line: dict[str, Any] = json.loads(self.line())
        assert "event" in line, line
        return line

    def close(self) -> None:
        self._lines.close()
        self.end.close()


class Rig:
    """A shoe of one deck on a station, with its desk and a channel."""

    def __init__(self, listener: socket.socket) -> None:
        self.clock = RealClock(100)
        self.wire = PipeWire()
        desks: list[ControlDispatcher] = []

        def passed(sender: Literal["device", "host"], data: bytes) -> None:
            for desk in desks:
                desk.bytes_passed(sender, data)

        tapped = TappedWire(self.wire, passed)
        self.hands: AngelEyeActions = hands_at(tapped, self.clock, 1, ShoeSettings(initial_burn="none"))
        self.station = SimulatorThread(self.clock, [tapped])
        self.over = threading.Event()
        self.desk = ControlDispatcher(
            AngelEyeControl(self.hands, tapped, seed=7),
            self.station,
            self.clock,
            {"device": "angel-eye"},
            self.over.set,
        )
        desks.append(self.desk)
        self.channel = ControlChannel(listener, self.desk)
        self.clients: list[Client] = []

    def client(self) -> Client:
        self.clients.append(Client(self.channel.address))
        return self.clients[-1]


@pytest.fixture
def rig(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Rig]:
    over_unix = getattr(request, "param", False)
    rig = Rig(listen_on_unix(tmp_path / "control") if over_unix else listen_on_tcp("127.0.0.1", 0))
    with rig.station:
        rig.station.call(rig.hands.make_ready)
        with rig.channel:
            yield rig
        for client in rig.clients:
            client.close()


@pytest.mark.parametrize("rig", [False, True], indirect=True, ids=["tcp", "unix"])
def test_words_and_json_on_one_connection(rig: Rig) -> None:
    client = rig.client()
    client.send(b"load 3\n")
    assert client.line() == b"ok: loaded 52 cards, the cut card before the last 14\n"
    client.send(b'{"id":"x","do":"draw","arguments":["2"]}\r\nfoo\n\n')
    answer = json.loads(client.line())
    assert (answer["id"], answer["ok"], len(answer["data"]["cards"])) == ("x", True, 2)
    assert answer["data"]["cards"] == answer["data"]["told"]
    assert answer["said"] == "drew " + ", ".join(answer["data"]["cards"])
    assert client.line() == b"error: unknown command 'foo'; `help` lists the commands\n"
    status = client.do("status")["data"]
    assert (status["cards_left"], status["cards_out"], status["plugged"], status["faults"]) == (50, 2, True, [])
    assert status["cut_card_after"] == 36
    assert status["due"] == {"to": "player", "position": 2}
    assert rig.station.call(lambda: rig.hands.cards_are_complete)


def test_help_lists_every_command_for_programs_too(rig: Rig) -> None:
    listed = {command["do"]: command for command in rig.client().do("help")["data"]["commands"]}
    assert {"draw", "unplug", "about", "watch", "unwatch", "quit"} <= listed.keys()
    assert listed["draw"] == {"do": "draw", "usage": "draw [N]", "what": "pull a card, or N"}


def test_malformed_and_overlong_lines_get_an_error_and_the_connection_lives_on(rig: Rig) -> None:
    client = rig.client()
    for line, begins in (
        (b"{]", b'{"id":null,"ok":false,"error":"no JSON'),
        (b"\xff\xfe", b"error: byte 1 of the line is no UTF-8"),
        (b"x" * (LINE_MAX_BYTES + 1), b"error: the line is longer than 8192 bytes"),
        (b'{"do":"' + b"x" * 10 * LINE_MAX_BYTES + b'"}', b'{"id":null,"ok":false,"error":"the line is longer'),
        (b"draw " * 100, b"error: 99 arguments"),
        (b"\0", b"error: unknown command '\\x00'"),
        (b"quit now", b"error: quit: takes nothing after it, 'now' given; usage: quit"),
        (b"watch everything", b"error: watch: 'everything' is no kind of event; usage: watch [card|"),
    ):
        client.send(line + b"\n")
        assert client.line().startswith(begins)
    assert client.do("status")["ok"]
    assert not rig.over.is_set()


def test_random_bytes_never_end_the_channel(rig: Rig, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(30):
        client = rig.client()
        client.send(rng.randbytes(rng.randint(1, 3000)) + b"\n")
        client.close()
    assert rig.client().do("about")["data"] == {"device": "angel-eye"}


def test_many_clients_at_once_and_each_card_goes_to_one(rig: Rig) -> None:
    first = rig.client()
    first.do("load")
    drawn: list[str] = []

    def draw(client: Client) -> None:
        for _ in range(6):
            drawn.extend(client.do("draw")["data"]["cards"])

    clients = [rig.client() for _ in range(8)]
    threads = [threading.Thread(target=draw, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    # One of the 48 pulls brought the cut card.
    assert len(drawn) == len(set(drawn)) == 47
    assert first.do("status")["data"]["cards_left"] == 5


def test_watchers_are_told_what_anybody_brings_about(rig: Rig) -> None:
    watcher, actor, other = rig.client(), rig.client(), rig.client()
    kinds = watcher.do("watch")["data"]["events"]
    assert "bytes" not in kinds
    actor.do("load", 5)
    drawn = actor.do("draw", 2)["data"]["cards"]
    actor.do("unplug")
    actor.do("replug")
    actor.do("fault", 40)
    actor.do("clear", 40)
    actor.do("draw", 99)
    watcher.do("about")
    told = [event for event in watcher.events if event["event"] != "command"]
    names = [event["event"] for event in told]
    assert names[:3] == ["loaded", "card", "card"]
    assert told[0]["cards"] == 52
    assert [event["card"] for event in told[1:3]] == drawn
    assert names[3:7] == ["unplugged", "plugged", "fault", "fault_cleared"]
    assert (told[5]["code"], told[6]["code"]) == (40, 40)
    assert names.count("card") == 52
    assert names.count("cut_card") == 1
    commands = [event for event in watcher.events if event["event"] == "command"]
    assert [event["do"] for event in commands] == ["load", "draw", "unplug", "replug", "fault", "clear", "draw"]
    assert commands[1]["arguments"] == ["2"]
    times = [event["t_s"] for event in watcher.events]
    assert times == sorted(times)
    assert other.do("about")["ok"]
    assert other.events == []


def test_what_happens_by_itself_is_told_without_a_command(rig: Rig) -> None:
    client = rig.client()
    client.do("load", 5)
    client.do("watch", "fault", "fault_cleared")
    client.do("half")  # 5 s later, 50 ms at this speed, error 7
    told = client.event()
    assert (told["event"], told["code"]) == ("fault", 7)


def test_bytes_are_told_to_those_who_ask_for_them(rig: Rig) -> None:
    client = rig.client()
    client.do("watch", "bytes")
    client.do("standby")
    # The "S" of the power-up, Seq 1, may still be under way; both may come before the answer or after it.
    told = client.event()
    while bytes.fromhex(told["hex"])[:3] != b"\x052P":
        assert bytes.fromhex(told["hex"])[:3] == b"\x051S"
        told = client.event()
    assert told["from"] == "device"
    client.do("unwatch")
    client.events.clear()
    client.do("standby")
    client.do("about")
    assert client.events == []


@pytest.mark.parametrize("rig", [True], indirect=True, ids=["unix"])
def test_a_watcher_that_does_not_read_is_cut_off_and_nobody_waits_for_it(rig: Rig) -> None:
    idle, busy = rig.client(), rig.client()
    idle.do("watch", "command")
    told = 0
    while told < 2 * UNREAD_MAX_BYTES:
        told += len(busy.do("help")["said"])
    # What was on the way arrives, then the end.
    heard = 0
    while data := idle.end.recv(1 << 20):
        heard += len(data)
    assert heard < UNREAD_MAX_BYTES
    assert busy.do("about")["ok"]


@pytest.mark.parametrize("rig", [True], indirect=True, ids=["unix"])
def test_commands_may_be_sent_ahead_and_the_others_get_their_turn(rig: Rig) -> None:
    ahead, other = rig.client(), rig.client()
    count = 8000
    sender = threading.Thread(target=ahead.send, args=(b'{"do":"status"}\n' * count,))
    sender.start()
    # Nobody reads what it is answered, and the answers are far more than may wait: it is not listened to meanwhile.
    assert all(other.do("about")["ok"] for _ in range(500))
    size = 0
    for _ in range(count):
        line = ahead.line()
        assert json.loads(line)["ok"]
        size += len(line)
    assert size > 2 * UNREAD_MAX_BYTES
    sender.join(PATIENCE_S)


def test_who_has_the_answer_has_seen_what_came_of_it(rig: Rig) -> None:
    client = rig.client()
    client.do("load", 5)
    client.do("watch")
    for _ in range(20):
        client.events.clear()
        drawn = client.do("draw")["data"]["cards"]
        assert [event["card"] for event in client.events if event["event"] == "card"] == drawn


def test_what_the_host_says_is_told_too(rig: Rig) -> None:
    client = rig.client()
    client.do("watch", "bytes")
    rig.wire.host.open()
    lock = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")  # docs/protocols/angel-eye.md
    rig.wire.host.write(lock)
    told = client.event()
    while told["from"] == "device":
        told = client.event()
    assert (told["from"], bytes.fromhex(told["hex"])) == ("host", lock)
    while told["hex"] != "06":
        told = client.event()
    assert told["from"] == "device"
    assert client.do("status")["data"]["locked"]


def test_a_client_that_says_no_more_still_gets_its_answers(rig: Rig) -> None:
    client = rig.client()
    client.send(b"load 1\ndraw\n")
    client.end.shutdown(socket.SHUT_WR)
    assert [client.line()[:9], client.line()[:9], client.line()] == [b"ok: loade", b"ok: drew ", b""]


def test_quit_is_answered_and_ends_the_simulation(rig: Rig) -> None:
    client = rig.client()
    assert client.do("quit") == {"id": 1, "ok": True, "said": "it ends", "data": {}}
    assert rig.over.wait(PATIENCE_S)


def test_connections_beyond_the_most_are_closed_at_once(rig: Rig) -> None:
    clients = [rig.client() for _ in range(CONNECTIONS_MAX)]
    assert all(client.do("about")["ok"] for client in clients)
    too_many = rig.client()
    assert too_many.line() == b""
    clients[0].close()
    while True:  # until the first one's end is noticed
        one_more = rig.client()
        try:
            if one_more.do("about")["ok"]:
                break
        except (json.JSONDecodeError, ConnectionError):
            one_more.close()


def test_a_station_that_has_ended_is_said(rig: Rig) -> None:
    client = rig.client()
    rig.station.stop()
    answer = client.do("draw")
    assert (answer["ok"], answer["error"]) == (False, "the simulation has ended")
    assert client.do("watch")["ok"]


def test_a_unix_socket_is_its_user_s_alone_and_goes_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "control"
    rig = Rig(listen_on_unix(path))
    with rig.station, rig.channel:
        assert rig.channel.address == f"unix:{path}"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with pytest.raises(OSError, match="Address already in use"):
            listen_on_unix(path)
    assert not path.exists()


def test_a_dead_unix_socket_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "control"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    listen_on_unix(path).close()
    path.unlink()
    path.write_text("somebody's")
    with pytest.raises(OSError, match="Address already in use"):
        listen_on_unix(path)
    assert path.read_text() == "somebody's"
