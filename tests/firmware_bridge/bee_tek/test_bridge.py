"""A Bee-Tek shoe's bridge behind a real pty: events up, nothing down."""

import pytest

from firmware_bridge.bee_tek.bridge import BeeTekBridge
from firmware_bridge.errors import Denied
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from firmware_bridge.report import Report
from regulations.events.inputs import CardDrawn, DeviceBack, DeviceLost, Fault, FaultCleared
from tests.firmware_bridge.desk import SHOE
from tests.kit.far_ends import PtyEnd
from tests.kit.waiting import Log, eventually


def test_lines_become_events_in_their_order(pty: PtyEnd) -> None:
    log = Log()
    bridge = BeeTekBridge(SHOE, pty.url, {}, (), log.add)
    bridge.start()
    pty.send(b"[Manual Burn Cards]<Card:4S>\r\n[Manual Burn Cards]<Card:5?>\r\n<W0x01>\r\n")
    card, damage = log.wait_for(lambda entries: len(entries) >= 2)
    assert isinstance(card, Report)
    assert [type(event) for event in card.events] == [CardDrawn]
    # Both or neither: a table that stops in between would wait for an end that nobody tells.
    assert isinstance(damage, Report)
    assert [type(event) for event in damage.events] == [Fault, FaultCleared]
    eventually(lambda: bridge.counters() == {"warnings": 1, "damaged": 1}, "the warning was heard")
    pty.vanish()
    log.wait_for(lambda entries: entries[-1] == Report(SHOE, (DeviceLost(device=SHOE),)))
    assert bridge.interlock.latched is not None
    pty.plug_in()
    log.wait_for(lambda entries: entries[-1] == Report(SHOE, (DeviceBack(device=SHOE),)))
    assert bridge.health().connections == 2
    bridge.stop()


def test_it_takes_no_command_whoever_asks() -> None:
    bridge = BeeTekBridge(SHOE, "/dev/shoe", {}, (), Log().add)
    bridge.stack_loaded()
    bridge.card_entered()
    bridge.shoe_over()
    for kind in DeviceActionKind:
        assert not bridge.interlock.grant(DeviceAction(kind))
        with pytest.raises(Denied, match="takes no commands"):
            bridge.perform(DeviceAction(kind))


def test_a_mute_shoe_says_nothing_and_its_health_names_the_rung(pty: PtyEnd) -> None:
    log = Log()
    bridge = BeeTekBridge(SHOE, pty.url, {}, (), log.add)
    bridge.replay(DeviceLost(device=SHOE))
    bridge.start()
    assert log.wait_for(bool) == [Report(SHOE, (DeviceBack(device=SHOE),))]
    assert "nothing arrives" in bridge.health().advice()
    bridge.stop()
