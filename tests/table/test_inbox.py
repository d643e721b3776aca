"""Persons, the table itself and the word that a device says too much come before what devices tell."""

import queue

import pytest

from firmware_bridge.bridge import OVER_BUDGET
from firmware_bridge.report import Report
from regulations.events.inputs import CardDrawn, Fault, Misdeal
from table.inbox import Inbox

CARDS = [CardDrawn(card=card, device="shoe") for card in ("2S", "3S", "4S")]


def everything(inbox: Inbox[object]) -> list[object]:
    found = []
    while True:
        try:
            found.append(inbox.get(timeout=0))
        except queue.Empty:
            return found


def test_each_lane_keeps_its_order_and_persons_come_first() -> None:
    inbox: Inbox[object] = Inbox()
    packet = Report("shoe", (CARDS[1], CARDS[2]))
    misdeal, typed = Misdeal(detail="two at once"), CardDrawn(card="9H")
    for item in (CARDS[0], packet, misdeal, typed):
        inbox.put(item)
    assert everything(inbox) == [misdeal, typed, CARDS[0], packet]


@pytest.mark.parametrize("as_report", [False, True])
def test_a_device_over_its_budget_is_told_before_what_it_said(*, as_report: bool) -> None:
    inbox: Inbox[object] = Inbox()
    over, jam = (Fault(device="shoe", code=code) for code in (OVER_BUDGET, "jam"))
    told = Report("shoe", (over,)) if as_report else over
    for item in (CARDS[0], jam, told):
        inbox.put(item)
    assert everything(inbox) == [told, CARDS[0], jam]
