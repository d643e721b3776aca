"""``python -m tests.bench.reports``: what a device's bridge costs for each report, without port and table.

Messages are heard, then their reports are made durable: what the journal knows of the device is kept with them.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from firmware_bridge.angel_eye.bridge import ShoeBridge
from firmware_bridge.bridge import Bridge
from firmware_bridge.report import Inbox, Report
from firmware_bridge.tdp.bridge import TdpBridge
from protocols.angel_eye.messages import ShoeMessage
from protocols.tdp.messages import Message
from tests.firmware_bridge.desk import SHOE, messages_of
from tests.firmware_bridge.pen import Pen
from tests.firmware_bridge.tdp.device import HELLO, NAME, STATUS, Device

TURNS: Final = 7
"""Of each measurement the best turn counts: what else the machine does only adds."""
ROUND: Final = "P1 4S, B1 KD, P2 5C, B2 3H, G player"
PORT: Final = "/dev/null"
US_PER_S: Final = 1e6


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench.reports", description=__doc__)
    parser.add_argument("--rounds", type=int, default=400, help="rounds of an Angel Eye shoe; as many TDP cards")
    rounds = parser.parse_args().rounds
    _tell("angel_eye", lambda inbox: ShoeBridge(SHOE, PORT, {}, [], inbox), _telegrams(rounds))
    device = Device()
    cards: list[Message] = [HELLO, STATUS, *(device.card("2C") for _ in range(rounds))]
    _tell("tdp", lambda inbox: TdpBridge(NAME, PORT, {"security": "plain"}, [], inbox), cards)


def _telegrams(rounds: int) -> list[ShoeMessage]:
    pen = Pen(1)
    return [message for _ in range(rounds) for raw in pen.script(ROUND) for message in messages_of(raw)]


def _tell(family: str, make: Callable[[Inbox], Bridge[Any]], messages: Sequence[object]) -> None:
    turns = [_turn(make, messages) for _ in range(TURNS)]
    heard, durable, reports = (min(column) for column in zip(*turns, strict=True))
    print(f"{family:<10} {heard:6.2f} us heard {durable:6.2f} us made durable, a report; {reports:.0f} reports")


def _turn(make: Callable[[Inbox], Bridge[Any]], messages: Sequence[object]) -> tuple[float, float, float]:
    said: list[Report] = []
    bridge = make(lambda one: said.append(one) if isinstance(one, Report) else None)
    bridge.lift_budget()
    began = time.thread_time()
    for message in messages:
        bridge.message(message, 1.0)
    heard = time.thread_time()
    for entry, report in enumerate(said, 1):
        bridge.made_durable(report, [entry] * len(report.events))
    durable = time.thread_time()
    count = len(said)
    return (heard - began) / count * US_PER_S, (durable - heard) / count * US_PER_S, count


if __name__ == "__main__":
    main()
