"""A device's memory of the journal, asked and told by its bridge over a real pty."""

from pathlib import Path

import pytest

from firmware_bridge.errors import RootFailed
from firmware_bridge.roots import Remembered
from regulations.events.inputs import DeviceBack, DeviceLost, Fault, FaultCleared
from sim.tdp.hostile import Hostile
from sim.tdp.settings import TdpMachineSettings
from tests.firmware_bridge.tdp.roots import LOG, ONE, TWO, Desk, desk, desk_at
from tests.kit.waiting import PATIENCE_S

__all__ = ["desk"]


NOTHING = bytes(32)


def test_it_is_asked_and_told_without_any_permit(desk: Desk) -> None:
    nothing = desk.recall()
    assert (nothing.size, nothing.root, nothing.logs, nothing.session) == (0, NOTHING, 0, desk.roots.session)
    for _ in range(2):
        desk.roots.remember(LOG, 1 << 40, ONE, nothing.session)
    assert desk.recall() == Remembered(1 << 40, ONE, 1, nothing.session)


@pytest.mark.parametrize(("size", "root", "reason"), [(6, ONE, 11), (7, TWO, 12)], ids=["smaller", "other root"])
def test_a_refusal_says_that_the_journal_is_another(desk: Desk, size: int, root: bytes, reason: int) -> None:
    session = desk.recall().session
    desk.roots.remember(LOG, 7, ONE, session)
    with pytest.raises(RootFailed, match=f"refuses {size} entries \\(reason {reason}\\)") as caught:
        desk.roots.remember(LOG, size, root, session)
    assert caught.value.disagrees
    assert desk.recall().root == ONE


def test_what_is_no_refusal_for_another_journal(desk: Desk) -> None:
    session = desk.recall().session
    with pytest.raises(RootFailed, match="reason 2") as caught:
        desk.roots.remember(LOG, 0, ONE, session)
    assert not caught.value.disagrees


def test_another_session_must_be_asked_first(desk: Desk) -> None:
    session = desk.recall().session
    desk.roots.remember(LOG, 7, ONE, session)
    desk.power(desk.hands.device.power_off)
    with pytest.raises(RootFailed, match=r"the session ended \(silence\)"):
        desk.roots.remember(LOG, 8, TWO, session)  # nobody knows whether it was done
    desk.said.wait_for(lambda said: any(isinstance(event, DeviceLost) for event in said))
    with pytest.raises(RootFailed, match="no session with the device") as caught:
        desk.roots.remember(LOG, 8, TWO, session)
    assert (caught.value.device, caught.value.disagrees) == ("shoe", False)
    desk.power(desk.hands.device.power_on)
    desk.said.wait_for(lambda said: any(isinstance(event, DeviceBack) for event in said))
    with pytest.raises(RootFailed, match="another session has begun"):
        desk.roots.remember(LOG, 8, TWO, session)
    assert desk.recall() == Remembered(7, ONE, 1, session + 1), "the power cut took nothing"


def test_a_device_that_cannot(tmp_path: Path) -> None:
    with desk_at(tmp_path, TdpMachineSettings(remembers_roots=False)) as desk:
        assert desk.roots.recall(LOG, PATIENCE_S) is None


def test_a_device_that_says_done_and_nothing_else(tmp_path: Path) -> None:
    with desk_at(tmp_path, TdpMachineSettings(hostile=frozenset({Hostile.DONE_ALONE}))) as desk:
        desk.recall()
        # What it said before must not be taken for its answer.
        with pytest.raises(RootFailed, match="does not say what it remembers") as caught:
            desk.recall()
        assert (caught.value.device, caught.value.disagrees) == ("shoe", False)


def test_a_device_that_is_not_there(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with pytest.raises(RootFailed, match="no session with it yet"):
        desk.roots.recall(LOG, 0.0)


def test_a_journal_that_is_another_blocks_the_table(desk: Desk) -> None:
    desk.recall()
    desk.roots.disagree("it was cut off")
    told = desk.said.wait_for(lambda said: any(isinstance(event, FaultCleared) for event in said))
    about = [event for event in told if isinstance(event, Fault | FaultCleared)]
    assert [(type(event), event.code, event.device) for event in about] == [
        (Fault, "journal_disagrees", "shoe"),
        (FaultCleared, "journal_disagrees", "shoe"),
    ]
    assert desk.bridge.interlock.latched == "it was cut off"
