"""A device is told to give cards out, and does or does not: never twice."""

import pytest

from drivers.tdp_commands import RETRY_S
from firmware_bridge.interlock import Act, ActKind
from firmware_bridge.tdp.orders import KNOWN, Orders, Refusal, command_of
from protocols.tdp import commands
from protocols.tdp.codes import RefusalReason
from protocols.tdp.commands import DeviceCommand
from protocols.tdp.events import CardsReturned, CutCardDrawn
from tests.firmware_bridge.tdp.device import Device

ONE, THREE, RETURN = Act(ActKind.LET_DRAW, 1), Act(ActKind.DISPENSE, 3), Act(ActKind.ACCEPT_RETURN)


@pytest.mark.parametrize(
    ("act", "command"),
    [
        (Act(ActKind.LOCK), commands.Lock(9)),
        (Act(ActKind.LET_DRAW, 2), commands.Unlock(9, 2)),
        (Act(ActKind.DISPENSE, 3), commands.Dispense(9, 3)),
        (Act(ActKind.ACCEPT_RETURN), commands.AcceptReturn(9)),
        (Act(ActKind.SHUFFLE), commands.Shuffle(9)),
        (Act(ActKind.EJECT), commands.Eject(9)),
        (Act(ActKind.CLEAR_ERROR, 4), commands.ClearFault(9, 4, 2)),
    ],
    ids=str,
)
def test_each_act_is_a_command(act: Act, command: DeviceCommand) -> None:
    assert command_of(act, 9, 2) == command


def test_what_has_no_command_is_known() -> None:
    assert set(ActKind) - KNOWN == {ActKind.UNLOCK, ActKind.CONFIRM_ROUND}


@pytest.fixture
def orders() -> Orders:
    return Orders()


def test_nothing_is_told_twice_however_often_it_is_called_for(orders: Orders) -> None:
    orders.call([ONE])
    wanted = [orders.wanted]
    orders.telling(7.0)
    orders.call([ONE])
    wanted.append(orders.wanted)
    orders.heard(Device().card("8S"))
    orders.call([ONE])
    assert [*wanted, orders.wanted] == [ONE, None, ONE]


def test_a_packet_is_done_when_all_its_cards_are_out(orders: Orders) -> None:
    device = Device()
    orders.call([THREE])
    orders.telling(7.0)
    for card in ("8S", "9S"):
        orders.heard(device.card(card))
        orders.call([Act(ActKind.DISPENSE, 1)])
        assert orders.wanted is None
    orders.heard(device.card("TS"))
    orders.call([THREE])
    assert orders.wanted == THREE
    orders.telling(7.0)
    orders.heard(device.packet("2C", None, "3C"))
    orders.call([THREE])
    assert orders.wanted == THREE


def test_other_events_are_no_cards(orders: Orders) -> None:
    orders.call([ONE])
    orders.telling(7.0)
    orders.heard(CutCardDrawn(5, 1, 1))
    orders.heard(CardsReturned(5, 2, 1))
    orders.call([ONE])
    assert orders.wanted is None


def test_a_return_is_done_when_the_cards_are_counted(orders: Orders) -> None:
    orders.call([RETURN])
    orders.telling(7.0)
    orders.heard(Device().card("8S"))
    orders.call([RETURN])
    assert orders.wanted is None
    orders.heard(CardsReturned(5, 2, 7))
    orders.call([RETURN])
    assert orders.wanted == RETURN


def test_when_nothing_is_due_what_may_be_drawn_is_locked(orders: Orders) -> None:
    orders.call([ONE])
    assert not orders.call([]), "it was not told yet"
    assert orders.wanted is None
    orders.call([ONE])
    orders.telling(7.0)
    assert orders.call([])
    assert not orders.call([]), "once"
    orders.call([RETURN])
    orders.telling(7.0)
    assert not orders.call([]), "nothing can be drawn by it"


def test_when_something_else_is_due_what_may_be_drawn_is_locked_first(orders: Orders) -> None:
    orders.call([ONE])
    orders.telling(7.0)
    assert orders.call([RETURN])
    assert orders.wanted == RETURN


def told(orders: Orders, act: Act, now_s: float = 7.0) -> int:
    orders.call([act])
    return orders.telling(now_s)


def test_a_refusal_that_time_mends_is_tried_again_and_no_other(orders: Orders) -> None:
    for reason in RefusalReason:
        refusal = orders.refused(told(orders, ONE), reason, now_s=7.0)
        again = reason in {RefusalReason.BUSY, RefusalReason.EVENTS_PENDING}
        assert refusal is (Refusal.AGAIN if again else Refusal.FAILED)
        assert orders.wanted == (ONE if again else None)
        assert orders.is_due(7.0 + RETRY_S) == again
        assert not orders.is_due(6.9 + RETRY_S)
        orders.hurry()
        assert orders.is_due(7.0) == again
        orders.forget()


def test_a_device_is_not_busy_for_ever(orders: Orders) -> None:
    refusals = [orders.refused(told(orders, ONE), RefusalReason.BUSY, now_s) for now_s in (7.0, 12.0, 16.9, 17.0, 17.2)]
    assert refusals == [Refusal.AGAIN] * 3 + [Refusal.FAILED, Refusal.AGAIN]
    orders.heard(Device().card("8S"))
    assert orders.refused(told(orders, ONE), RefusalReason.BUSY, 40.0) is Refusal.AGAIN, "it has done something since"


def test_the_refusal_of_an_earlier_order_is_not_that_of_its_equal(orders: Orders) -> None:
    first = told(orders, ONE)
    orders.heard(Device().card("8S"))
    orders.call([])
    second = told(orders, ONE)
    assert orders.refused(first, RefusalReason.BUSY, 7.0) is Refusal.OVER
    assert orders.refused(first, RefusalReason.FAULT, 7.0) is Refusal.FAILED
    orders.call([ONE])
    assert (orders.wanted, first == second) == (None, False)


def test_what_a_machine_does_not_dispense_is_said_once(orders: Orders) -> None:
    told(orders, THREE, 7.0)
    assert [orders.is_overdue(now_s) for now_s in (26.9, 27.0, 28.0)] == [False, True, False]
    told(orders, ONE, 7.0)
    assert not orders.is_overdue(1000.0), "a hand takes its time"


def test_while_the_table_has_something_to_take_nothing_is_wanted(orders: Orders) -> None:
    orders.call([ONE])
    orders.hold()
    assert orders.wanted is None


def test_what_could_not_be_told_is_wanted_still(orders: Orders) -> None:
    ticket = told(orders, ONE)
    orders.not_told(ticket - 1)
    waiting = orders.wanted
    orders.not_told(ticket)
    assert (waiting, orders.wanted) == (None, ONE)
    orders.forget()
    assert orders.wanted is None
