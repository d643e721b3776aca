"""A croupier's hands at a TDP device."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from regulations.events.cards import CARDS_PER_DECK, Card
from sim.clock import Clock
from sim.felt import CardTable
from sim.shuffling import Shuffling
from sim.tdp.card_reader import CardReader
from sim.tdp.carousel import Carousel
from sim.tdp.dispenser import Dispenser
from sim.tdp.electronics import Electronics
from sim.tdp.hostile import Hostile
from sim.tdp.identity import SimIdentity
from sim.tdp.machine import Machine
from sim.tdp.machine_hands import MachineHands
from sim.tdp.memory import DeviceMemory
from sim.tdp.settings import ROOM_FACTOR, TdpMachineSettings
from sim.tdp.shoe import TdpShoe
from sim.tdp.shuffler import Shuffler
from sim.tdp.shuffler_dealer import ShufflerDealer
from sim.wires.wire import Wire

TdpKind = Literal["shoe", "shuffler_dealer", "shuffler"]


MODELS: Final = {"shoe": "Reading shoe", "shuffler_dealer": "Shuffler-dealer", "shuffler": "Shuffler"}


class TdpHands(MachineHands[Machine]):
    @property
    def shuffles_itself(self) -> bool:
        return isinstance(self.device, Dispenser)

    def shuffle_by(self, way: Shuffling) -> None:
        if isinstance(self.device, Shuffler):
            self.device.mix = way
        elif isinstance(self.device, ShufflerDealer):
            way.check("shuffler_dealer")
        super().shuffle_by(way)

    def arrange(self, cards: Sequence[Card | None]) -> None:
        self.device.arrange(cards)

    def open_cover(self) -> None:
        self.device.open_cover()

    def close_cover(self) -> None:
        self.device.close_cover()

    def turn_key(self, position: int) -> None:
        """0 for dealing."""
        self.device.turn_key(position)

    def return_cards(self) -> int:
        if not isinstance(self.device, ShufflerDealer):
            return super().return_cards()
        cards, self.felt.rack = self.felt.rack, []
        self.device.return_cards(cards)
        return len(cards)

    def remove_stack(self) -> int:
        cards = self.device.remove_stack() if isinstance(self.device, Dispenser) else []
        self.felt.stack += cards
        return len(cards)

    def pull_stuck_out(self) -> list[Card]:
        cards = self.device.pull_stuck_out()
        self.felt.rack += cards
        return cards


def tdp_at(
    kind: TdpKind,
    wire: Wire,
    clock: Clock,
    decks: int,
    rng: random.Random,
    settings: TdpMachineSettings | None = None,
    felt: CardTable | None = None,
) -> TdpHands:
    settings = settings or TdpMachineSettings()
    memory = DeviceMemory(
        keeps_events=settings.keeps_events,
        keeps_answers=settings.keeps_answers,
        tells_restarts=settings.tells_restarts,
        drops_events=Hostile.DROPS_EVENTS in settings.hostile,
    )
    identity = settings.identity or replace(SimIdentity(), model=MODELS[kind])
    electronics = Electronics(clock, wire.send, memory, settings, identity, rng)
    wire.listen(electronics.receive)
    reader = CardReader(reads=settings.reads)
    felt = felt or CardTable(decks)
    return TdpHands(_machine(kind, electronics, clock, reader, settings, felt, rng), felt)


def _machine(  # one argument for each thing that some machine needs
    kind: TdpKind,
    electronics: Electronics,
    clock: Clock,
    reader: CardReader,
    settings: TdpMachineSettings,
    felt: CardTable,
    rng: random.Random,
) -> Machine:
    if kind == "shoe":
        return TdpShoe(electronics, clock, reader)
    if kind == "shuffler":
        return Shuffler(electronics, clock, reader, rng, dispenses=settings.dispenses)
    needed = math.ceil(felt.decks * CARDS_PER_DECK * ROOM_FACTOR / settings.shelves)
    carousel = Carousel(settings.shelves, settings.shelf_cards or needed, rng)
    return ShufflerDealer(electronics, clock, reader, carousel, settings.buffer_cards)
