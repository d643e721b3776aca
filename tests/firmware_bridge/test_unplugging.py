"""A simulated shoe behind real transports: the plug is pulled in mid-round, and no card is lost unseen or doubled."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from firmware_bridge.angel_eye.bridge import ShoeBridge
from firmware_bridge.report import Report
from regulations.events.cards import DECK, Card
from regulations.events.inputs import AnyInput, CardDrawn, DeviceBack, DeviceLost
from sim.angel_eye.settings import ShoeSettings
from sim.angel_eye.shoe import AngelEyeShoe
from sim.clock import RealClock
from sim.sim_thread import SimulatorThread
from sim.wires.pty import PtyWire
from sim.wires.tcp import TcpWire
from tests.firmware_bridge.desk import SHOE, Regulated
from tests.kit.waiting import Log, eventually

SPEED = 50.0
"""Telegrams take 3 ms instead of 150. The host lives in real time: what is no copy has eight others before it."""
# Nobody has a natural, both draw: six cards a round.
ROUND: tuple[Card, ...] = ("4S", "9D", "7C", "3H", "5S", "6D")


class Rig:
    """Shoe, line, bridge and regulation; the test is croupier and supervisor."""

    def __init__(self, wire: PtyWire | TcpWire, port: str) -> None:
        self.wire = wire
        self.table = Regulated()
        self.log = Log()
        self.hand: list[Card] = []
        clock = self.clock = RealClock(SPEED)
        self.shoe = AngelEyeShoe(clock, wire.send, ShoeSettings(burn_cards=8))
        wire.listen(self.shoe.receive)
        self.station = SimulatorThread(clock, [wire])
        self.bridge = ShoeBridge(SHOE, port, {}, (), self._hear)
        self._taken = 0
        self._dealt_before = 0
        self._events_before = 0
        self._pulls = 0

    def _hear(self, said: AnyInput | Report) -> None:
        for event in said.events if isinstance(said, Report) else (said,):
            self.log.add(event)

    def __enter__(self) -> Self:
        self.station.start()
        self.bridge.start()
        self.bridge.stack_loaded()
        if isinstance(self.wire, TcpWire):
            self.wait_for_connection()
        self.station.call(lambda: self.shoe.load([*DECK[:8], *ROUND * 60, *DECK[:48]], 14))
        self.station.call(self.shoe.power_on)
        return self

    def __exit__(self, *_error: object) -> None:
        self.bridge.stop()
        self.station.stop()

    def wait_for_connection(self) -> None:
        """A box loses what nobody is connected to hear."""
        wire = self.wire
        assert isinstance(wire, TcpWire)
        eventually(lambda: self.station.call(lambda: wire.is_connected), "the box has its connection")

    def wait_until_silent(self) -> None:
        """Wait until the shoe has said everything, to whoever hears it."""
        eventually(
            lambda: self.station.call(lambda: self.shoe.quiet_at_s <= self.clock.now_s()), "the shoe's lamp is dark"
        )

    def draw(self) -> None:
        """Pulls a card; whether the table hears of it is another matter."""
        self.hand += [out.card for out in self.station.call(self.shoe.draw).cards]

    def take_in_last(self) -> None:
        """Waits for the event of the card that was drawn last, and takes in all that came."""
        last = self.hand[-1]
        start = self._events_before
        self.log.wait_for(
            lambda entries: any(isinstance(one, CardDrawn) and one.card == last for one in entries[start:])
        )
        self.take_in(0)

    def take_in(self, count: int) -> None:
        """Waits for so many more events, and lets the regulation answer all that came."""
        self.log.wait_for(lambda entries: len(entries) >= self._taken + count)
        for event in self.events()[self._taken :]:
            self._taken += 1
            self.table.apply(event)
            if isinstance(event, DeviceBack):
                # The supervisor is quick: what a box kept for the host comes after this.
                assert "continue" in (self.table.prompt.actions or [])
                self.table.resolve("continue")

    def events(self) -> list[AnyInput]:
        """All events so far."""
        return self.log.entries()  # type: ignore[return-value]  # the bridge puts nothing else in

    def unplug(self) -> None:
        """Pulls the plug, waits until the host has noticed, and takes in what it heard before."""
        self._pulls += 1
        self.station.call(self.wire.unplug)
        self._wait_for(DeviceLost)

    def replug(self) -> None:
        """Puts the plug in again; the supervisor lets the table go on."""
        self.station.call(self.wire.replug)
        self._wait_for(DeviceBack)
        if isinstance(self.wire, TcpWire):
            self.wait_for_connection()

    def _wait_for(self, kind: type[AnyInput]) -> None:
        self.log.wait_for(lambda entries: sum(isinstance(entry, kind) for entry in entries) == self._pulls)
        self.take_in(0)

    def begin_round(self) -> None:
        """The cards of the last round are gone."""
        self.hand.clear()
        self._dealt_before = len(self.table.dealt)
        self._events_before = len(self.events())

    @property
    def dealt(self) -> list[str]:
        """The cards that the regulation laid in this round."""
        return self.table.dealt[self._dealt_before :]

    def name_missed(self) -> None:
        """If the count shows missed cards, persons name what lies there."""
        self.table.resolve("identify", cards=self.hand[len(self.dealt) : -1])

    def end_round(self) -> None:
        """The shoe's result button, and the cards to the discard rack."""
        self.station.call(self.shoe.panel.force_end if self.shoe.panel.verdict is None else self._press)
        self.take_in(1)
        assert not self.table.is_blocked
        self.table.close_round()

    def _press(self) -> None:
        verdict = self.shoe.panel.verdict
        assert verdict is not None
        self.shoe.panel.press(verdict)


@pytest.fixture(params=["pty", "tcp"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    if request.param == "pty":
        made = Rig(PtyWire(tmp_path / "shoe"), str(tmp_path / "shoe"))
    else:
        wire = TcpWire()
        made = Rig(wire, f"socket://127.0.0.1:{wire.address[1]}")
    with made as rig:
        for _ in range(8):
            rig.draw()
            rig.take_in(1)
        rig.begin_round()
        yield rig


def played(rig: Rig) -> list[str]:
    """The cards on the table, judging by those in the croupier's hand."""
    places = ["P1", "B1", "P2", "B2", "P3", "B3"]
    return [f"{places[number % 6]} {card}" for number, card in enumerate(rig.hand)]


def test_the_plug_is_pulled_at_every_place_of_a_round(rig: Rig) -> None:
    for _ in range(6):
        rig.draw()
        rig.take_in(1)
        rig.unplug()
        rig.replug()
        assert rig.dealt == played(rig)
    rig.end_round()
    assert len(rig.table.results) == 1
    assert rig.table.irregularities == ["device_lost"] * 6


@pytest.mark.parametrize("missed", [1, 2])
def test_cards_drawn_while_the_plug_is_out_are_asked_for(rig: Rig, missed: int) -> None:
    rig.draw()
    rig.take_in(1)
    rig.unplug()
    for _ in range(missed):
        rig.draw()
    rig.wait_until_silent()
    rig.replug()
    rig.draw()
    rig.take_in(1)
    assert rig.table.irregularities == ["device_lost", "count_gap"]
    rig.name_missed()
    while len(rig.hand) < 6:
        rig.draw()
        rig.take_in(1)
    assert rig.dealt == played(rig)
    rig.end_round()
    assert rig.table.irregularities == ["device_lost", "count_gap"]


def test_the_plug_is_pulled_while_the_shoe_is_sending(rig: Rig, seed: int) -> None:
    """Between bytes and copies of a telegram: either the card was heard, or the next one shows that it was not."""
    rng = random.Random(seed)
    for _ in range(6):
        rig.begin_round()
        rig.draw()
        for _ in range(rng.randrange(6)):
            rig.station.call(lambda: None)
        rig.unplug()
        if rng.random() < 1 / 2:
            rig.wait_until_silent()
        rig.replug()
        for _ in range(5):
            rig.draw()
            rig.take_in_last()
            if rig.table.is_blocked:
                rig.name_missed()
        assert rig.dealt == played(rig)
        rig.end_round()
    assert set(rig.table.irregularities) <= {"device_lost", "count_gap"}
    assert len(rig.table.results) == 6
