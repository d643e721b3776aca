"""Persons, the table itself and the word that a device says too much come before what devices tell."""

import queue

from cardshoe.table.inbox import Inbox
from firmware_bridge.bridge import OVER_BUDGET
from firmware_bridge.report import Report
from regulations.events.inputs import CardDrawn, Fault, Misdeal

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
    first, packet = Report("shoe", (CARDS[0],)), Report("shoe", (CARDS[1], CARDS[2]))
    misdeal, typed = Misdeal(detail="two at once"), CardDrawn(card="9H")
    for item in (first, packet, misdeal, typed):
        inbox.put(item)
    assert everything(inbox) == [misdeal, typed, first, packet]


def test_a_device_over_its_budget_is_told_before_what_it_said() -> None:
    inbox: Inbox[object] = Inbox()
    card = Report("shoe", (CARDS[0],))
    own = Report("shoe", (Fault(device="shoe", code=OVER_BUDGET),))  # an alarm that the device calls so
    told = Report("shoe", (Fault(device="shoe", code=OVER_BUDGET, origin="table"),))
    for item in (card, own, told):
        inbox.put(item)
    assert everything(inbox) == [told, card, own]
