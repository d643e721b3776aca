"""A device is told to give cards out, and does or does not: never twice."""

import pytest

from drivers.tdp_commands import RETRY_S
from firmware_bridge.interlock import DeviceAction, DeviceActionKind
from firmware_bridge.tdp.pending_command import KNOWN, PendingCommand, RetryDecision, command_of
from protocols.tdp import commands
from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import DeviceCommand
from protocols.tdp.events import CardsReturned, CutCardDrawn
from tests.firmware_bridge.tdp.device import Device

ONE, THREE, RETURN = (
    DeviceAction(DeviceActionKind.LET_DRAW, 1),
    DeviceAction(DeviceActionKind.DISPENSE, 3),
    DeviceAction(DeviceActionKind.ACCEPT_RETURN),
)


@pytest.mark.parametrize(
    ("act", "command"),
    [
        (DeviceAction(DeviceActionKind.LOCK), commands.Lock(9)),
        (DeviceAction(DeviceActionKind.LET_DRAW, 2), commands.Unlock(9, 2)),
        (DeviceAction(DeviceActionKind.DISPENSE, 3), commands.Dispense(9, 3)),
        (DeviceAction(DeviceActionKind.ACCEPT_RETURN), commands.AcceptReturn(9)),
        (DeviceAction(DeviceActionKind.SHUFFLE), commands.Shuffle(9)),
        (DeviceAction(DeviceActionKind.EJECT), commands.Eject(9)),
        (DeviceAction(DeviceActionKind.CLEAR_ERROR, 4), commands.ClearFault(9, 4, 2)),
    ],
    ids=str,
)
def test_each_act_is_a_command(act: DeviceAction, command: DeviceCommand) -> None:
    assert command_of(act, 9, 2) == command


def test_what_has_no_command_is_known() -> None:
    assert set(DeviceActionKind) - KNOWN == {DeviceActionKind.UNLOCK, DeviceActionKind.CONFIRM_ROUND}


@pytest.fixture
def pending() -> PendingCommand:
    return PendingCommand()


def test_nothing_is_told_twice_however_often_it_is_called_for(pending: PendingCommand) -> None:
    pending.call([ONE])
    wanted = [pending.wanted]
    pending.sent(7.0)
    pending.call([ONE])
    wanted.append(pending.wanted)
    pending.apply(Device().card("8S"))
    pending.call([ONE])
    assert [*wanted, pending.wanted] == [ONE, None, ONE]


def test_a_packet_is_done_when_all_its_cards_are_out(pending: PendingCommand) -> None:
    device = Device()
    pending.call([THREE])
    pending.sent(7.0)
    for card in ("8S", "9S"):
        pending.apply(device.card(card))
        pending.call([DeviceAction(DeviceActionKind.DISPENSE, 1)])
        assert pending.wanted is None
    pending.apply(device.card("TS"))
    pending.call([THREE])
    assert pending.wanted == THREE
    pending.sent(7.0)
    pending.apply(device.packet("2C", None, "3C"))
    pending.call([THREE])
    assert pending.wanted == THREE


def test_other_events_are_no_cards(pending: PendingCommand) -> None:
    pending.call([ONE])
    pending.sent(7.0)
    pending.apply(CutCardDrawn(5, 1, 1))
    pending.apply(CardsReturned(5, 2, 1))
    pending.call([ONE])
    assert pending.wanted is None


def test_a_return_is_done_when_the_cards_are_counted(pending: PendingCommand) -> None:
    pending.call([RETURN])
    pending.sent(7.0)
    pending.apply(Device().card("8S"))
    pending.call([RETURN])
    assert pending.wanted is None
    pending.apply(CardsReturned(5, 2, 7))
    pending.call([RETURN])
    assert pending.wanted == RETURN


def test_when_nothing_is_due_what_may_be_drawn_is_locked(pending: PendingCommand) -> None:
    pending.call([ONE])
    assert not pending.call([]), "it was not told yet"
    assert pending.wanted is None
    pending.call([ONE])
    pending.sent(7.0)
    assert pending.call([])
    assert not pending.call([]), "once"
    pending.call([RETURN])
    pending.sent(7.0)
    assert not pending.call([]), "nothing can be drawn by it"


def test_when_something_else_is_due_what_may_be_drawn_is_locked_first(pending: PendingCommand) -> None:
    pending.call([ONE])
    pending.sent(7.0)
    assert pending.call([RETURN])
    assert pending.wanted == RETURN


def told(pending: PendingCommand, act: DeviceAction, now_s: float = 7.0) -> int:
    pending.call([act])
    return pending.sent(now_s)


def test_a_refusal_that_time_mends_is_tried_again_and_no_other(pending: PendingCommand) -> None:
    for reason in RefusalReason:
        refusal = pending.refused(told(pending, ONE), reason, now_s=7.0)
        again = reason in {RefusalReason.BUSY, RefusalReason.EVENTS_PENDING}
        assert refusal is (RetryDecision.AGAIN if again else RetryDecision.FAILED)
        assert pending.wanted == (ONE if again else None)
        assert pending.is_due(7.0 + RETRY_S) == again
        assert not pending.is_due(6.9 + RETRY_S)
        pending.hurry()
        assert pending.is_due(7.0) == again
        pending.forget()


def test_a_device_is_not_busy_for_ever(pending: PendingCommand) -> None:
    refusals = [
        pending.refused(told(pending, ONE), RefusalReason.BUSY, now_s) for now_s in (7.0, 12.0, 16.9, 17.0, 17.2)
    ]
    assert refusals == [RetryDecision.AGAIN] * 3 + [RetryDecision.FAILED, RetryDecision.AGAIN]
    pending.apply(Device().card("8S"))
    assert pending.refused(told(pending, ONE), RefusalReason.BUSY, 40.0) is RetryDecision.AGAIN, (
        "it has done something since"
    )


def test_the_refusal_of_an_earlier_order_is_not_that_of_its_equal(pending: PendingCommand) -> None:
    first = told(pending, ONE)
    pending.apply(Device().card("8S"))
    pending.call([])
    second = told(pending, ONE)
    assert pending.refused(first, RefusalReason.BUSY, 7.0) is RetryDecision.OVER
    assert pending.refused(first, RefusalReason.FAULT, 7.0) is RetryDecision.FAILED
    pending.call([ONE])
    assert (pending.wanted, first == second) == (None, False)


def test_what_a_machine_does_not_dispense_is_said_once(pending: PendingCommand) -> None:
    told(pending, THREE, 7.0)
    assert [pending.is_overdue(now_s) for now_s in (26.9, 27.0, 28.0)] == [False, True, False]
    told(pending, ONE, 7.0)
    assert not pending.is_overdue(1000.0), "a hand takes its time"


def test_while_the_table_has_something_to_take_nothing_is_wanted(pending: PendingCommand) -> None:
    pending.call([ONE])
    pending.hold()
    assert pending.wanted is None


def test_what_could_not_be_told_is_wanted_still(pending: PendingCommand) -> None:
    ticket = told(pending, ONE)
    pending.not_sent(ticket - 1)
    waiting = pending.wanted
    pending.not_sent(ticket)
    assert (waiting, pending.wanted) == (None, ONE)
    pending.forget()
    assert pending.wanted is None
