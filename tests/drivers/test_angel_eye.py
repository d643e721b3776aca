"""A shoe behind a real pty: messages, loss in the middle of a frame, commands. Bytes are written by hand."""

import contextlib
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from drivers.angel_eye import AngelEyeDevice, open_device
from drivers.angel_eye_commands import CommandResult, NoReply
from drivers.discovery import port_maker
from drivers.errors import BadSetting, CommandOutstanding, PortLost, PortMissing
from drivers.link_health import ADVICE, UNFRAMED_S, LinkStage
from drivers.port_thread import Backoff
from protocols.angel_eye.messages import Ack, CardDrawn, Command, CutCardDrawn, Nak, NakCode, RoundResult
from tests.drivers.listening import BACK, Ear
from tests.kit.far_ends import PtyEnd, SocketEnd
from tests.kit.waiting import PATIENCE_S, eventually

EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 B8 03 34 46")
PLAYER_WINS = bytes.fromhex("05 32 47 91 03 45 37")
CUT_CARD = bytes.fromhex("05 33 43 03 37 33")
LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
ACK = b"\x06"
NAK_BCC = b"\x1502"

QUICK = Backoff(first_s=0.005, factor=1.5, max_s=0.02)


@pytest.fixture
def listener() -> Ear:
    return Ear()


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def shoe(pty: PtyEnd, listener: Ear, clock: Clock) -> Iterator[AngelEyeDevice]:
    device = AngelEyeDevice(pty.url, listener, port_maker(pty.url), clock=clock, backoff=QUICK)
    device.port.start()
    listener.wait_for(1)
    yield device
    assert device.stop(PATIENCE_S)


def raw(entries: list[object]) -> list[bytes]:
    return [entry.raw for entry in entries if isinstance(entry, CardDrawn | RoundResult | CutCardDrawn)]


def test_what_the_shoe_says_is_passed_on(pty: PtyEnd, shoe: AngelEyeDevice, listener: Ear) -> None:
    pty.send(EIGHT_OF_SPADES + PLAYER_WINS + CUT_CARD)
    entries = listener.wait_for(4)
    assert entries[0] == BACK
    assert [type(entry) for entry in entries[1:]] == [CardDrawn, RoundResult, CutCardDrawn]
    assert shoe.name == pty.url


def test_copies_are_passed_on_and_counted(pty: PtyEnd, shoe: AngelEyeDevice, listener: Ear) -> None:
    pty.send(b"\xff\xff" + EIGHT_OF_SPADES * 3)
    assert raw(listener.wait_for(4)) == [EIGHT_OF_SPADES] * 3
    health = shoe.health()
    assert (health.frames, health.events, health.repeats) == (3, 1, 2)
    assert (health.bytes_in, health.garbage_bytes) == (26, 2)
    assert (health.rung, health.connections, health.connected_since_s) == (LinkStage.EVENTS, 1, 100.0)


def test_halves_of_two_frames_are_not_joined(pty: PtyEnd, shoe: AngelEyeDevice, listener: Ear) -> None:
    """Half an eight before the plug is pulled, the other half after: no eight, and nothing else either."""
    pty.send(PLAYER_WINS + EIGHT_OF_SPADES[:5])
    eventually(lambda: shoe.health().bytes_in == len(PLAYER_WINS) + 5, "half a frame is in")
    pty.vanish()
    lost = listener.wait_for(3)[2]
    assert isinstance(lost, PortLost)
    assert shoe.health().rung is LinkStage.DISCONNECTED
    pty.plug_in()
    listener.wait_for(4)
    pty.send(EIGHT_OF_SPADES[5:] + CUT_CARD)
    entries = listener.wait_for(5)
    assert raw(entries) == [PLAYER_WINS, CUT_CARD]
    assert [entries[0], entries[3]] == [BACK, BACK]
    health = shoe.health()
    assert (health.garbage_bytes, health.connections, health.losses) == (8, 2, 1)


def test_lost_and_back_take_turns(tmp_path: Path, listener: Ear) -> None:
    """Gone, and then gone for another reason, is one loss; the reasons are in the health."""
    path = tmp_path / "shoe"
    device = AngelEyeDevice(str(path), listener, port_maker(str(path)), backoff=QUICK)
    device.port.start()
    (missing,) = listener.wait_for(1)
    assert isinstance(missing, PortMissing)
    path.mkdir()
    eventually(lambda: type(device.health().last_error).__name__ == "PortUnusable", "another reason")
    path.rmdir()
    pty = PtyEnd(path)
    assert listener.wait_for(2)[1] == BACK
    pty.vanish()
    assert isinstance(listener.wait_for(3)[2], PortLost)
    assert device.stop(PATIENCE_S)
    assert [entry == BACK for entry in listener.log.entries()] == [False, True, False]


def test_nothing_is_sent_unasked(pty: PtyEnd, shoe: AngelEyeDevice, listener: Ear) -> None:
    pty.send(EIGHT_OF_SPADES)
    listener.wait_for(2)
    shoe.send_command(Command.lock())
    assert pty.receive(10) == LOCK  # the first ten bytes that ever came


def answered(future: Future[CommandResult]) -> CommandResult:
    return future.result(PATIENCE_S)


def test_a_command_is_acknowledged(pty: PtyEnd, shoe: AngelEyeDevice) -> None:
    future = shoe.send_command(Command.lock())
    assert pty.receive(10) == LOCK
    assert not future.done()
    assert not future.cancel()
    pty.send(EIGHT_OF_SPADES + ACK)
    assert answered(future) == Ack()
    assert shoe.health().replies == 1


def test_a_command_is_refused(pty: PtyEnd, shoe: AngelEyeDevice) -> None:
    future = shoe.send_command(Command.lock())
    assert pty.receive(10) == LOCK
    pty.send(b"\x1514")
    assert answered(future) == Nak(NakCode.TYPE)


def test_a_damaged_command_is_sent_again(pty: PtyEnd, shoe: AngelEyeDevice) -> None:
    future = shoe.send_command(Command.lock())
    assert pty.receive(10) == LOCK
    pty.send(NAK_BCC)
    assert pty.receive(10) == LOCK
    pty.send(ACK)
    assert answered(future) == Ack()


def test_a_deaf_shoe_is_told_after_three_attempts(pty: PtyEnd, shoe: AngelEyeDevice, clock: Clock) -> None:
    future = shoe.send_command(Command.lock())
    for _ in range(3):
        assert pty.receive(10) == LOCK
        clock.now_s += 0.5
    assert answered(future) == NoReply(3)


def test_one_command_at_a_time(pty: PtyEnd, shoe: AngelEyeDevice) -> None:
    first = shoe.send_command(Command.lock())
    with pytest.raises(CommandOutstanding):
        shoe.send_command(Command.unlock())
    assert pty.receive(10) == LOCK
    pty.send(ACK)
    assert answered(first) == Ack()
    shoe.send_command(Command.unlock())
    assert pty.receive(10) != LOCK


def test_a_command_may_follow_from_the_answer(pty: PtyEnd, shoe: AngelEyeDevice) -> None:
    """The callback runs in the port's thread; giving the next command there must not lock up."""
    results: list[Future[CommandResult]] = []
    future = shoe.send_command(Command.lock())
    future.add_done_callback(lambda _: results.append(shoe.send_command(Command.unlock())))
    assert pty.receive(10) == LOCK
    pty.send(ACK)
    assert pty.receive(10) != LOCK
    pty.send(ACK)
    eventually(lambda: bool(results) and results[0].done(), "the second answer")


class _Gap:
    """The lock itself; each time that it becomes free, the next command is tried until it is accepted."""

    def __init__(self, shoe: AngelEyeDevice) -> None:
        self._shoe = shoe
        self._lock = shoe._lock  # noqa: SLF001  the moment between two holds is what is tested
        self.second: Future[CommandResult] | None = None
        self._tries = False

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        if self.second is None and not self._tries:
            self._tries = True
            with contextlib.suppress(CommandOutstanding):
                self.second = self._shoe.send_command(Command.unlock())
            self._tries = False


def test_a_reply_answers_its_own_command_not_one_given_in_that_moment(
    pty: PtyEnd, shoe: AngelEyeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = shoe.send_command(Command.lock())
    assert pty.receive(10) == LOCK
    gap = _Gap(shoe)
    monkeypatch.setattr(shoe, "_lock", gap)
    pty.send(ACK)
    assert answered(first) == Ack()
    assert pty.receive(10) != LOCK
    assert gap.second is not None
    assert not gap.second.done()
    pty.send(b"\x1514")
    assert answered(gap.second) == Nak(NakCode.TYPE)


def test_an_answer_to_nothing_is_counted(pty: PtyEnd, shoe: AngelEyeDevice) -> None:
    pty.send(ACK)
    eventually(lambda: shoe.health().stray_replies == 1, "the stray answer")
    assert shoe.health().rung is LinkStage.FRAMES


def test_a_loss_ends_the_command(pty: PtyEnd, shoe: AngelEyeDevice, listener: Ear) -> None:
    future = shoe.send_command(Command.lock())
    assert pty.receive(10) == LOCK
    pty.vanish()
    assert isinstance(future.exception(PATIENCE_S), PortLost)
    listener.wait_for(2)
    with pytest.raises(PortLost, match="nothing was sent"):
        shoe.send_command(Command.lock())
    pty.plug_in()
    listener.wait_for(3)
    again = shoe.send_command(Command.unlock())
    assert pty.receive(10) != LOCK  # the old one does not come after
    pty.send(ACK)
    assert answered(again) == Ack()


def test_stopping_ends_the_command(pty: PtyEnd, shoe: AngelEyeDevice, listener: Ear) -> None:
    future = shoe.send_command(Command.lock())
    assert pty.receive(10) == LOCK
    assert shoe.stop(PATIENCE_S)
    assert isinstance(future.exception(PATIENCE_S), PortLost)
    assert listener.log.entries() == [BACK]  # a stop is no loss


def test_a_shoe_behind_a_box_is_opened_by_its_family(listener: Ear) -> None:
    box = SocketEnd()
    shoe = open_device(box.url, {}, listener)
    shoe.port.start()
    box.send(EIGHT_OF_SPADES)
    assert raw(listener.wait_for(2)) == [EIGHT_OF_SPADES]
    assert shoe.stop(PATIENCE_S)
    box.vanish()


@pytest.mark.parametrize("settings", [{"baud": "fast"}, {"boud": 9600}])
def test_the_family_refuses_impossible_settings(settings: dict[str, object], listener: Ear) -> None:
    with pytest.raises(BadSetting):
        open_device("/dev/shoe", settings, listener)


def test_one_site_runs_at_another_speed(pty: PtyEnd, listener: Ear) -> None:
    shoe = open_device(pty.url, {"baud": 9600}, listener)
    shoe.port.start()
    pty.send(CUT_CARD)
    assert raw(listener.wait_for(2)) == [CUT_CARD]
    assert shoe.stop(PATIENCE_S)


@pytest.mark.parametrize("cut", range(1, len(EIGHT_OF_SPADES)))
def test_a_frame_in_two_pieces_is_one(pty: PtyEnd, shoe: AngelEyeDevice, listener: Ear, cut: int) -> None:
    pty.send(EIGHT_OF_SPADES[:cut])
    eventually(lambda: shoe.health().bytes_in == cut, "the first piece")
    pty.send(EIGHT_OF_SPADES[cut:])
    assert raw(listener.wait_for(2)) == [EIGHT_OF_SPADES]


def test_bytes_that_make_no_frame_are_said_once_while_it_runs(
    shoe: AngelEyeDevice, pty: PtyEnd, listener: Ear, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    said = f"{pty.url}: {ADVICE[LinkStage.BYTES]}"
    pty.send(b"\xfe" * 20)
    eventually(lambda: shoe.health().bytes_in == 20, "the bytes are there")
    assert said not in caplog.messages
    clock.now_s += UNFRAMED_S
    eventually(lambda: said in caplog.messages, "it is said")
    pty.send(b"\xfe" * 20)
    clock.now_s += UNFRAMED_S
    pty.send(EIGHT_OF_SPADES)
    listener.wait_for(2)
    assert caplog.messages.count(said) == 1
