"""A draw slot with lock and reader, of a shoe or a shuffler-dealer."""

from typing import Final

from protocols.tdp.codes import FaultCode
from protocols.tdp.events import CutCardDrawn
from regulations.events.cards import Card
from sim.draws import Draw, PulledCard
from sim.magazine import CutCardMarker, Magazine
from sim.tdp.card_reader import CardReading
from sim.tdp.machine import Machine
from sim.tdp.machine_faults import JamPlace, MachineStopped, Module


class DrawSlot:
    """Unlocked when the card's event is stored; without power it stays locked."""

    def __init__(self, machine: Machine, cards: Magazine) -> None:
        self._machine: Final = machine
        self._electronics: Final = machine.electronics
        self._mishaps: Final = machine.mishaps
        self._cards: Final = cards

    @property
    def is_free(self) -> bool:
        return not self._machine.is_locked and not self._machine.is_busy and self._cards.next is not None

    def pull(self) -> Draw:
        """Pull by hand: a card, two in a double feed, the cut card, or nothing."""
        if not self.is_free:
            self._electronics.run(self._find_nothing)
            return Draw()
        pulled: list[Draw] = []
        self._electronics.run(lambda: self._release(pulled))
        return pulled[0] if pulled else Draw()

    def _find_nothing(self) -> None:
        # The hand pulls where by the device's count a card should be.
        counts = self._electronics.memory.counts
        if not self._machine.is_locked and counts.stack and not self._machine.inside:
            self._machine.fail(MachineStopped(FaultCode.OUT_OF_CARDS))

    def _release(self, pulled: list[Draw]) -> None:
        item = self._cards.next
        if isinstance(item, CutCardMarker):
            self._release_cut_card(pulled)
        elif item is not None and self._mishaps.sticks(JamPlace.EXIT):
            self._cards.draw_item()
            self._machine.fail(self._mishaps.stick(JamPlace.EXIT, item))
        elif item is not None:
            self._release_card(item, pulled)

    def _release_cut_card(self, pulled: list[Draw]) -> None:
        counts = self._electronics.memory.counts

        def update_memory() -> None:
            counts.cut_card_seen = True

        self._machine.store_event(lambda boot, number: CutCardDrawn(boot, number, counts.left), update_memory)
        self._cards.draw_item()
        pulled.append(Draw(cut_card=True))
        self._electronics.supply.step()

    def _release_card(self, card: Card, pulled: list[Draw]) -> None:
        reading = self._machine.reader.scan(card)
        noticed = self._mishaps.doubles() if self._cards.has_card_below else None
        self._machine.store_drawn(reading, 2 if noticed else 1)
        self._cards.draw_item()
        # The reader sees only the upper one of two.
        below = None if noticed is None else self._cards.draw_card_below()
        out = PulledCard(card, reading.card)
        pulled.append(Draw((out,) if below is None else (out, PulledCard(below, None))))
        self._electronics.supply.step()
        try:
            self._check(reading, two_seen=bool(noticed))
        except MachineStopped as trouble:
            self._machine.fail(trouble)
        self._machine.resume()

    def _check(self, reading: CardReading, *, two_seen: bool) -> None:
        if two_seen:
            self._mishaps.causes.add(FaultCode.DOUBLE_FEED)
            raise MachineStopped(FaultCode.DOUBLE_FEED, Module.EXIT)
        self._mishaps.check(reading)
