"""A whole table in one thread and in virtual time: shoe, line, decoder, session, controller, journal, croupier."""

import itertools
import queue
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from cardshoe.process import collector
from cardshoe.table.controller import Controller
from cardshoe.table.log.log_builder import LoggedInput
from cardshoe.table.log.table_journal import open_log
from cardshoe.table.terminal.statistics import Statistics
from firmware_bridge.angel_eye.session import ShoeSession
from firmware_bridge.bridge import Bridge
from firmware_bridge.report import Report
from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.messages import Ack, CardDrawn, Nak, ShoeMessage
from protocols.garbage import Garbage
from regulations.events.inputs import AnyInput, Table
from regulations.events.inputs import CardDrawn as CardEvent
from sim.clock import VirtualClock
from sim.croupier.croupier import Croupier
from sim.croupier.instructions import HouseInstructions
from sim.croupier.pace import Pace
from sim.croupier.routine import CroupierTraits
from sim.hands import AngelEyeActions, hands_at
from sim.players import Players
from sim.wires.direct import DirectWire

AT: Final = "2026-11-21T00:00:00.000000Z"
MEMORY: Final = Path("/dev/shm")  # noqa: S108  # a file system without a disk under it: a sync there costs nothing
COPIES: Final = 3
DECKS: Final = 8


def _clock_ns() -> int:
    looks = [time.thread_time_ns() for _ in range(1001)]
    return int(statistics.median(after - before for before, after in itertools.pairwise(looks)))


CLOCK_NS: Final = _clock_ns()


Told = tuple[float, bytes | AnyInput]
"""When, in seconds of the clock, and what: bytes of the shoe, or an input of the croupier."""


class InlineShoe(Bridge[ShoeMessage]):
    """The shoe's session, as the controller knows a device; nothing is ever sent to it, and it is behind no port."""

    def __init__(self) -> None:
        self.session: Final = ShoeSession("shoe")
        super().__init__("shoe", (), _never, self.session)

    @property
    def may_deal(self) -> bool:
        return True

    def made_durable(self, report: Report, entries: Sequence[int] = ()) -> None:
        """A telegram is not acknowledged."""


def _never(_: AnyInput | Report) -> None:
    """It has no port that could say anything by itself."""


class VirtualTable:
    """One table from the first shuffle to the close.

    Attributes:
        told: what the table is told while it plays, and when, in seconds of its clock; nothing is kept unless this is a
            list.
    """

    def __init__(self, folder: Path, seed: int, games: int, mistakes: float = 0.0, *, times_cards: bool = True) -> None:
        rng = random.Random(seed)
        table = Table(
            table_id="bench",
            game="baccarat",
            decks=DECKS,
            seats=7,
            equipment="shoe",
            options={"overdrawn_card": "next_round"},
        )
        self._log: Final = open_log(folder, table, AT, lambda _: None, resume=False)
        self._controller: Final = Controller(self._log, queue.SimpleQueue(), lambda: AT, boot_s=lambda: 0.0)
        self._decoder: Final = TelegramDecoder()
        self._shoe: Final = InlineShoe()
        self._controller.attach(self._shoe)
        self._journalled_ns = 0
        if times_cards:
            self._controller.listen(self._stop_watch)
        self.statistics: Final = Statistics()
        self._controller.listen(self.statistics)
        self._clock: Final = VirtualClock()
        self._times_cards: Final = times_cards
        wire = DirectWire(self._heard)
        self._hands: Final[AngelEyeActions] = hands_at(wire, self._clock, DECKS)
        self._croupier: Final = Croupier(
            self._hands,
            CroupierTraits(
                say=self._said,
                rng=rng,
                clock=self._clock,
                mistakes=mistakes,
                players=Players(rng),
                pace=Pace(0.1),
                orders=HouseInstructions(games=games),
                game="baccarat",
            ),
        )
        self.told: list[Told] | None = None
        self._pending: Counter[bytes] = Counter()
        self._copies: Counter[bytes] = Counter()
        self.card_cpu_ns: Final[list[int]] = []
        """CPU time of each card: all three copies of its telegram, from bytes to the journalled verdict."""

    def play(self) -> None:
        """Plays to the end.

        Raises:
            RuntimeError: the croupier could not go on.
        """
        self._controller.listen(lambda taken: self._croupier.apply(taken.outputs))
        self._croupier.apply(self._log.last.outputs)
        self._hands.shoe.power_on()
        with collector.between_rounds_only():
            self._clock.run_until(lambda: self._croupier.done, limit_s=1e9)
        self._log.journal.close()
        if self._croupier.stuck is not None:
            raise RuntimeError(self._croupier.stuck)

    def take_again(self, told: Iterable[Told]) -> None:
        """Takes what another table of the kind was told as it played: nobody deals, bets or sends here."""
        with collector.between_rounds_only():
            for at_s, one in told:
                self._clock.advance(at_s - self._clock.now_s())
                if isinstance(one, bytes):
                    self._take(one)
                else:
                    self._controller.take(one)
        self._log.journal.close()

    @property
    def rounds(self) -> int:
        """Rounds closed."""
        return self.statistics.rounds

    def _stop_watch(self, taken: LoggedInput) -> None:
        if isinstance(taken.event, CardEvent):
            self._journalled_ns = time.thread_time_ns()

    def _take(self, data: bytes) -> bool:
        is_card = False
        for item in self._decoder.feed(data):
            if isinstance(item, Garbage | Ack | Nak):
                continue
            is_card = isinstance(item, CardDrawn)
            for event in self._shoe.session.translate(item, self._clock.now_s()):
                self._controller.take_report(Report("shoe", (event,)))
        return is_card

    def _said(self, event: AnyInput) -> None:
        if self.told is not None:
            self.told.append((self._clock.now_s(), event))
        self._controller.take(event)

    def _heard(self, data: bytes) -> None:
        if self.told is not None:
            self.told.append((self._clock.now_s(), data))
        if not self._times_cards:
            self._take(data)
            return
        self._journalled_ns = 0
        began = time.thread_time_ns() + CLOCK_NS
        is_card = self._take(data)
        # What listeners do with a card once it is journalled is theirs; a repeat ends with the session.
        spent = (self._journalled_ns or time.thread_time_ns()) - began
        if not is_card:
            return
        self._pending[data] += spent
        self._copies[data] += 1
        if self._copies[data] == COPIES:
            self.card_cpu_ns.append(self._pending.pop(data))
            del self._copies[data]
