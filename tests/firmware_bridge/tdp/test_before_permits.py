"""Journals of the release before permits, open in mid-shoe with a TDP device, are taken up and go on.

``before_permits.tar.gz`` was made with that release: the tables that ``TABLES`` describes, each with its keys. Cards
had no permit then, so the same event has other bytes now; it must be known again all the same.
"""

import queue
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from drivers.errors import DeviceSilent
from firmware_bridge.report import Report
from firmware_bridge.tdp.bridge import TdpBridge
from firmware_bridge.tdp.translation import raw_of, raw_without_permit
from protocols.tdp import events as tdp
from protocols.tdp.codes import Capability
from protocols.tdp.events import DeviceEvent, EventKey
from protocols.tdp.messages import Message
from regulations.cards import Card
from regulations.events.inputs import AnyInput, Fault, Resolve, Table
from regulations.events.outputs import AnyOutput
from table.controller import Controller, Item
from table.log.table_journal import OpenLog, open_log
from tests.firmware_bridge.tdp.device import HELLO, STATUS, Device, hello
from tests.table.support.sealed import opened_inputs, verified

PACKED: Final = Path(__file__).parent / "before_permits.tar.gz"
OPENED: Final = "2026-11-23T18:00:00.000000Z"
NOW: Final = "2026-11-23T19:00:00.000000Z"
DEALS_PACKETS: Final = Capability.READS_CARDS | Capability.COUNTS_CARDS | Capability.DISPENSES | Capability.SHUFFLES
HANDS: Final[tuple[tuple[Card, ...], ...]] = (("2C", "9H", "KD"), ("5S", "4S", "4D"))
BURNED: Final[tuple[Card, ...]] = ("2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C")
DEALT: Final[tuple[Card, ...]] = ("9H", "3D", "KS")


def from_a_shoe(device: Device) -> list[DeviceEvent]:
    """Its events so far: its stack, the burned cards, three cards of a round."""
    return [device.loaded(416), *map(device.card, (*BURNED, *DEALT))]


def in_packets(device: Device) -> list[DeviceEvent]:
    """Its events so far: its stack, shuffled, and the cards of two seats."""
    return [device.loaded(52), device.of(tdp.ShuffleDone, 52), device.packet(*HANDS[0]), device.packet(*HANDS[1])]


Told = Callable[[Device], list[DeviceEvent]]
TABLES: Final[Mapping[str, tuple[str, int, str, Capability, Told, int]]] = {
    "baccarat": ("shoe", 8, "shoe", HELLO.capabilities, from_a_shoe, 47),
    "q_poker": ("shuffler", 1, "shuffler", DEALS_PACKETS, in_packets, 28),
}
"""Equipment, decks, the device's name and what it can do, what it has told, and the number of the log's last line."""


class Again:
    """A table that goes on from such a journal, with a device that is told by hand."""

    def __init__(self, game: str, folder: Path) -> None:
        equipment, decks, name, self._capabilities, _, _ = TABLES[game]
        self._reports: queue.SimpleQueue[AnyInput | Report] = queue.SimpleQueue()
        self.bridge: Final = TdpBridge(name, "/dev/null", {"security": "plain"}, (), self._reports.put)
        table = Table(table_id="B-101", game=game, decks=decks, seats=7, equipment=equipment)  # type: ignore[arg-type]  # words
        self.log: Final[OpenLog] = open_log(
            folder, table, NOW, lambda taken: self.bridge.replay(taken.opened), bridges=[self.bridge]
        )
        inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self.controller: Final = Controller(self.log, inbox, now=lambda: NOW, boot_s=lambda: 0.0)
        self.controller.attach(self.bridge)

    def says(self, *messages: Message) -> None:
        """The device says something, and the table takes what it means."""
        for message in (hello(capabilities=self._capabilities), STATUS, *messages):
            self.bridge.message(message, 1.0)
        self.take()

    def take(self) -> None:
        """The table takes what the device has said."""
        while not self._reports.empty():
            report = self._reports.get()
            assert isinstance(report, Report)
            self.controller.take_report(report)

    @property
    def answer(self) -> Sequence[AnyOutput]:
        """The table's last answer."""
        return self.log.last.outputs


@pytest.fixture(params=TABLES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def again(game: str, tmp_path: Path) -> Iterator[Again]:
    with tarfile.open(PACKED) as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4 and newer have it
        packed.extractall(tmp_path)  # noqa: S202  an archive of our own
    table = Again(game, tmp_path / game)
    with closing(table.log.journal):
        yield table


def test_it_is_taken_up_where_it_stood(game: str, again: Again) -> None:
    assert again.log.recovered
    assert again.answer[-1].seq == TABLES[game][5]
    again.log.journal.close()
    assert verified(again.log.journal.path).inputs == again.log.recovered


def test_what_the_device_kept_is_known_again_by_its_key(game: str, again: Again) -> None:
    device = Device()
    told = TABLES[game][4](device)
    assert raw_of(told[-1]) != raw_without_permit(told[-1]), "the bytes have changed"
    lines = again.answer[-1].seq
    again.says(*told, device.beat())
    assert again.bridge.counters() == {"repeats": len(told), "gaps": 0}
    assert again.bridge._session.acknowledgement == EventKey(5, len(told))  # noqa: SLF001  # what a device may forget
    assert again.answer[-1].seq == lines, "nothing of it came again"


def test_another_event_under_its_key_is_doubted_as_before(game: str, again: Again) -> None:
    told = TABLES[game][4](Device())
    other = replace(told[-1], **({"card": "AD"} if game == "baccarat" else {"cards": ("AD", "4S", "4D")}))
    again.says(*told[:-1], other)
    again.log.journal.close()
    faults = [event.code for event in opened_inputs(again.log.journal.path) if isinstance(event, Fault)]
    assert faults == ["event_differs"]
    assert again.bridge.counters()["repeats"] == len(told) - 1


def test_a_card_that_is_permitted_now_and_told_late_waits_for_a_person(game: str, again: Again) -> None:
    device = Device()
    again.says(*TABLES[game][4](device), device.beat())
    permit = again.answer[-1].seq
    assert isinstance(permit, int)
    again.bridge.lost(DeviceSilent("shoe"))
    again.take()
    late = device.card("4C", permit=permit) if game == "baccarat" else device.packet("6S", "7S", "8D", permit=permit)
    again.says(late, device.beat())
    assert [type(one).__name__ for one in again.answer] == ["Next"], "no irregularity"
    persons: list[int | str] = [7, 8]
    if game == "baccarat":
        again.bridge.back()
        again.take()
        again.controller.take(Resolve(irregularity=1, action="continue", by=persons))
        names = ["Resolved", "Dealt", "BaccaratResult", "Settled", "Next"]
    else:
        again.controller.take(Resolve(irregularity=1, action="void", by=persons))
        names = ["Resolved", *["Burned"] * 3, "Voided", "Next"]
    assert [type(one).__name__ for one in again.answer] == names
    again.log.journal.close()
    assert verified(again.log.journal.path).inputs > again.log.recovered
