"""The interlock: denied unless granted, once, for exactly this act; a latched fault holds everything back."""

import threading
from itertools import product

import pytest

from firmware_bridge.errors import BridgeError, Denied
from firmware_bridge.interlock import DeviceAction, DeviceActionKind, Interlock

LOCK = DeviceAction(DeviceActionKind.LOCK)
UNLOCK = DeviceAction(DeviceActionKind.UNLOCK)
CLEAR_2 = DeviceAction(DeviceActionKind.CLEAR_ERROR, 2)
CLEAR_5 = DeviceAction(DeviceActionKind.CLEAR_ERROR, 5)
CONFIRM = DeviceAction(DeviceActionKind.CONFIRM_ROUND)
ACTS = [LOCK, UNLOCK, CLEAR_2, CLEAR_5, CONFIRM]


def passes(interlock: Interlock, act: DeviceAction) -> bool:
    try:
        interlock.use(act)
    except Denied:
        return False
    return True


@pytest.fixture
def interlock() -> Interlock:
    return Interlock(list(DeviceActionKind))


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_everything_is_denied_at_the_start(interlock: Interlock, act: DeviceAction) -> None:
    with pytest.raises(Denied, match="has not granted it") as denied:
        interlock.use(act)
    assert denied.value.act == str(act)
    assert "granted when the regulation calls for it" in denied.value.remedy
    assert isinstance(denied.value, BridgeError)


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_a_permit_is_for_one_use(interlock: Interlock, act: DeviceAction) -> None:
    assert interlock.grant(act)
    assert passes(interlock, act)
    assert not passes(interlock, act)


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_granted_twice_is_still_one_use(interlock: Interlock, act: DeviceAction) -> None:
    assert interlock.grant(act)
    assert interlock.grant(act)
    assert passes(interlock, act)
    assert not passes(interlock, act)


@pytest.mark.parametrize(("granted", "wanted"), [pair for pair in product(ACTS, ACTS) if pair[0] != pair[1]])
def test_a_permit_is_for_exactly_its_act(interlock: Interlock, granted: DeviceAction, wanted: DeviceAction) -> None:
    interlock.grant(granted)
    assert not passes(interlock, wanted)
    assert passes(interlock, granted)


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_a_profile_that_says_nothing_allows_nothing(act: DeviceAction) -> None:
    interlock = Interlock()
    assert not interlock.grant(act)
    with pytest.raises(Denied, match="configuration does not allow it") as denied:
        interlock.use(act)
    assert f'Add "{act.kind.value}" to `commands`' in denied.value.remedy


@pytest.mark.parametrize("allowed", DeviceActionKind)
def test_only_the_kinds_that_the_profile_names(allowed: DeviceActionKind) -> None:
    interlock = Interlock([allowed])
    assert [interlock.grant(act) for act in ACTS] == [act.kind is allowed for act in ACTS]
    assert [passes(interlock, act) for act in ACTS] == [act.kind is allowed for act in ACTS]


def test_a_permit_can_be_taken_back(interlock: Interlock) -> None:
    interlock.grant(LOCK)
    interlock.grant(CLEAR_2)
    interlock.revoke(LOCK)
    interlock.revoke(UNLOCK)
    assert not passes(interlock, LOCK)
    assert passes(interlock, CLEAR_2)


def test_a_latched_fault_drops_every_permit_and_grants_nothing_but_a_lock(interlock: Interlock) -> None:
    for act in ACTS:
        interlock.grant(act)
    interlock.latch("link lost")
    assert interlock.latched == "link lost"
    with pytest.raises(Denied, match=r"a fault is latched \(link lost\)\. A person clears it first"):
        interlock.use(UNLOCK)
    assert not any(passes(interlock, act) for act in ACTS)
    assert [interlock.grant(act) for act in ACTS] == [act == LOCK for act in ACTS]
    assert passes(interlock, LOCK), "what is open must be closed then more than ever"
    interlock.clear()
    assert not any(passes(interlock, act) for act in ACTS)


def test_it_holds_until_it_is_cleared_and_names_the_first_fault(interlock: Interlock) -> None:
    interlock.latch("no answer")
    interlock.latch("link lost")
    interlock.revoke(UNLOCK)
    assert interlock.latched == "no answer"
    interlock.clear()
    assert interlock.grant(UNLOCK)
    assert passes(interlock, UNLOCK)


def test_nothing_is_latched_at_the_start_or_once_cleared(interlock: Interlock) -> None:
    latched = [interlock.latched]
    interlock.latch("no answer")
    interlock.clear()
    assert [*latched, interlock.latched] == [None, None]


def test_what_a_profile_forbids_is_said_even_while_a_fault_is_latched() -> None:
    interlock = Interlock([DeviceActionKind.LOCK])
    interlock.latch("link lost")
    with pytest.raises(Denied, match="configuration does not allow it"):
        interlock.use(UNLOCK)


def test_an_act_is_shown_as_a_person_would_say_it() -> None:
    assert [str(act) for act in ACTS] == ["lock", "unlock", "clear_error 2", "clear_error 5", "confirm_round"]


def test_of_many_threads_one_gets_the_permit(interlock: Interlock) -> None:
    threads_count, rounds = 8, 200
    barrier = threading.Barrier(threads_count)
    used: list[int] = []

    def take() -> None:
        for number in range(rounds):
            if barrier.wait(timeout=30) == 0:
                interlock.grant(LOCK)
            barrier.wait(timeout=30)
            if passes(interlock, LOCK):
                used.append(number)
            barrier.wait(timeout=30)

    threads = [threading.Thread(target=take) for _ in range(threads_count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert used == list(range(rounds))


def test_a_hold_outlasts_what_a_person_clears(interlock: Interlock) -> None:
    interlock.grant(UNLOCK)
    interlock.latch("a jam")
    interlock.hold("usb_guard", "a keyboard")
    assert interlock.latched == "a keyboard"
    interlock.clear()
    assert [interlock.grant(act) for act in ACTS] == [act == LOCK for act in ACTS]
    with pytest.raises(Denied, match=r"the device is held \(a keyboard\)") as denied:
        interlock.use(UNLOCK)
    assert denied.value.remedy == "That has to end first; the log says what is wrong, and who can resolve it."
    assert passes(interlock, LOCK)
    interlock.hold("usb_guard", "a disk")
    with pytest.raises(Denied, match=r"the device is held \(a disk\)"):
        interlock.use(UNLOCK)


def test_after_a_hold_permits_are_granted_anew(interlock: Interlock) -> None:
    interlock.grant(UNLOCK)
    interlock.hold("usb_guard", "a keyboard")
    interlock.release("usb_guard")
    assert interlock.latched is None
    assert not passes(interlock, UNLOCK)
    assert interlock.grant(UNLOCK)
    assert passes(interlock, UNLOCK)


def test_what_is_latched_outlasts_a_hold(interlock: Interlock) -> None:
    interlock.latch("a jam")
    interlock.hold("usb_guard", "a keyboard")
    interlock.release("usb_guard")
    assert interlock.latched == "a jam"
    assert not interlock.grant(UNLOCK)


def test_one_holder_does_not_lift_what_another_holds(interlock: Interlock) -> None:
    interlock.hold("admission", "revoked")
    interlock.hold("usb_guard", "a keyboard")
    assert (interlock.held("admission"), interlock.held("usb_guard")) == ("revoked", "a keyboard")
    interlock.release("usb_guard")
    assert (interlock.held("admission"), interlock.held("usb_guard")) == ("revoked", None)
    with pytest.raises(Denied, match=r"the device is held \(revoked\)"):
        interlock.use(UNLOCK)
    interlock.release("usb_guard")
    assert not interlock.grant(UNLOCK)
    interlock.release("admission")
    assert interlock.grant(UNLOCK)
