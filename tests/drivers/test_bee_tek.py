"""A Bee-Tek shoe behind a real pty: lines, damage, loss in the middle of a line. Bytes are written by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.bee_tek import LINE, BeeTekDevice, open_device
from drivers.discovery import port_maker
from drivers.errors import BadSetting, PortLost, PortMissing
from drivers.link_health import LinkStage
from drivers.port_thread import Backoff
from protocols.bee_tek.messages import CardDrawn, Mode
from protocols.garbage import Garbage
from tests.drivers.listening import BACK, Ear
from tests.kit.far_ends import PtyEnd
from tests.kit.waiting import PATIENCE_S, eventually

QUICK = Backoff(first_s=0.005, factor=1.5, max_s=0.02)
FOUR = b"[Manual Burn Cards]<Card:4S>\r\n"
FOUR_DRAWN = CardDrawn("4S", Mode.DIAGNOSTIC)


@pytest.fixture
def listener() -> Ear:
    return Ear()


@pytest.fixture
def device(pty: PtyEnd, listener: Ear) -> Iterator[BeeTekDevice]:
    made = BeeTekDevice(
        pty.url,
        listener,
        port_maker(pty.url, LINE),
        on_damage=lambda damage, _now_s: listener.log.add(damage),
        backoff=QUICK,
    )
    made.port.start()
    listener.wait_for(1)
    yield made
    assert made.stop(PATIENCE_S)


def test_the_same_card_twice_is_two_cards(device: BeeTekDevice, pty: PtyEnd, listener: Ear) -> None:
    pty.send(FOUR + FOUR)
    assert listener.wait_for(3) == [BACK, FOUR_DRAWN, FOUR_DRAWN]
    health = device.health()
    assert (device.name, health.frames, health.events, health.repeats) == (pty.url, 2, 2, 0)
    assert health.rung is LinkStage.EVENTS


def test_damage_is_told_in_its_place_and_noise_is_only_counted(
    device: BeeTekDevice, pty: PtyEnd, listener: Ear
) -> None:
    pty.send(b"\xff\r\n[Game]<Card:4Z>\r\n" + FOUR)
    assert listener.wait_for(3) == [BACK, Garbage(b"[Game]<Card:4Z>", "payload"), FOUR_DRAWN]
    assert device.health().garbage_bytes == 16


def test_half_a_line_before_a_loss_is_not_joined(device: BeeTekDevice, pty: PtyEnd, listener: Ear) -> None:
    pty.send(FOUR[:20])
    eventually(lambda: device.health().bytes_in == 20, "half a line came")
    pty.vanish()
    assert [one if one == BACK else type(one) for one in listener.wait_for(2)] == [BACK, PortLost]
    pty.plug_in()
    listener.wait_for(3)
    pty.send(FOUR[20:] + FOUR)
    assert listener.wait_for(5)[2:] == [BACK, Garbage(b"Card:4S>", "truncated"), FOUR_DRAWN]
    assert (device.health().losses, device.health().garbage_bytes) == (1, 28)


def test_without_a_listener_for_damage_it_is_counted(pty: PtyEnd, listener: Ear) -> None:
    device = open_device(pty.url, {"baud": 19200}, listener)
    device.port.start()
    pty.send(b"[Game]<Card:4Z>\r\n" + FOUR)
    assert listener.wait_for(2) == [BACK, FOUR_DRAWN]
    assert device.health().garbage_bytes == 15
    assert device.stop(PATIENCE_S)


def test_a_port_that_is_not_there_is_told_once(tmp_path: Path, listener: Ear) -> None:
    device = open_device(str(tmp_path / "nothing"), {}, listener)
    device.port.start()
    listener.wait_for(1)
    assert device.stop(PATIENCE_S)
    assert list(map(type, listener.log.entries())) == [PortMissing]


def test_a_setting_that_does_not_exist_is_refused(listener: Ear) -> None:
    with pytest.raises(BadSetting):
        open_device("/dev/shoe", {"speed": 1}, listener)
