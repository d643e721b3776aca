"""Counts of an exchange, a card and an event that no machine changes: wakes, writes, commits, calls."""

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import Final, Self

import apsw
import pytest

from regulations.events.inputs import AnyInput, Table
from regulations.events.outputs import Irregularity, Refused
from regulations.procedure.procedure import Procedure
from tests.bench.law import SEED, events_of, table_of
from tests.bench.link import OurTable
from tests.bench.tdp_end import Device
from tests.bench.virtual_table import VirtualTable
from tests.regulations.support.games.blackjack import BLACKJACK
from tests.regulations.support.games.kit import bets, cards
from tests.regulations.support.profiles import Json, profile
from tests.regulations.support.running import decoded, lead

CARDS: Final = 60
ROUNDS: Final = 12
NOW_S: Final = 0.0
"""Time stands still: nothing is sent because it is time."""


class DealerPort:
    """A port with a dealer behind it and no line between: what is written is answered by the time that it is."""

    name = "dealer"

    def __init__(self) -> None:
        self.counts: Final[Counter[str]] = Counter()
        self._device: Final = Device()
        self._told: Final = threading.Condition()
        self._waiting = b""
        self._woken = self._closed = False

    def open(self) -> None:
        self._device.endpoint.open(NOW_S)

    def read(self, timeout_s: float) -> bytes:
        with self._told:
            self._told.wait_for(lambda: self._waiting or self._woken or self._closed, timeout_s)
            data, self._waiting, self._woken = self._waiting, b"", False
        self.counts["pieces read"] += bool(data)
        return data

    def write(self, data: bytes) -> None:
        self.counts["writes"] += 1
        self.counts["bytes"] += len(data)
        self._waiting += self._device.receive(data, NOW_S)

    def wake(self) -> None:
        with self._told:
            self.counts["wakes"] += 1
            self._woken = True
            self._told.notify()

    def close(self) -> None:
        with self._told:
            self._closed = True
            self._told.notify()


class DealerTable(OurTable):
    """A table with that port; closed at the end of a ``with`` block."""

    def __init__(self, folder: Path) -> None:
        self.port: Final = DealerPort()
        super().__init__(folder, "dealer", "off", make_port=lambda: self.port, clock=lambda: NOW_S)
        self.counts: Final = self.port.counts
        (connection,) = apsw.connections()
        connection.set_commit_hook(self._committed)

    def _committed(self) -> bool:
        self.counts["commits"] += 1
        return False

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def test_a_card_on_command_is_one_wake_one_write_and_one_commit(tmp_path: Path) -> None:
    with DealerTable(tmp_path) as table:
        table.block(1)
        table.counts.clear()
        rounds = table.rounds
        table.block(CARDS)
        rounds = table.rounds - rounds
        counts = Counter(table.counts)
    assert counts["writes"] == CARDS, "command, acknowledgement of the card before and of its frame go together"
    assert counts["pieces read"] == CARDS, "so do the answer and the card"
    assert counts["commits"] == CARDS + 2 * rounds, "each card, and each time the bets are closed and the round is"
    assert counts["wakes"] <= CARDS + rounds, "once for each command, and for a round's last card"
    assert counts["bytes"] <= 38 * CARDS


@contextmanager
def calls_counted() -> Iterator[Counter[str]]:
    """Counts the Python functions that are called within the block: here, and in the threads that are started in it."""
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            calls[frame.f_code.co_qualname] += 1

    threading.setprofile(count)
    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def test_a_card_on_command_takes_so_many_calls_at_both_ends(tmp_path: Path) -> None:
    blocks = []
    with calls_counted() as counted, DealerTable(tmp_path) as table:
        table.block(1)
        for _ in range(3):
            counted.clear()
            table.block(CARDS)
            blocks.append(counted.total())
    # On a busy machine both ends look at the clock more often, which only adds calls.
    calls = min(blocks)
    assert calls <= 757 * CARDS, "the table's thread 385, its part of a round included, the port's and the dealer 324"


def test_a_round_takes_so_many_calls(tmp_path: Path) -> None:
    """With the simulator, which takes a third of them, and without."""
    folders = [tmp_path / name for name in ("before", "played", "alone")]
    for folder in folders:
        folder.mkdir()
    # What is read once and kept belongs to no round.
    VirtualTable(folders[0], SEED, games=1, times_cards=False).play()
    playing = VirtualTable(folders[1], SEED, games=1, times_cards=False)
    playing.told = []
    with calls_counted() as counted:
        playing.play()
    assert counted.total() <= 3310 * playing.rounds
    assert counted["encode_telegram"] > 0
    assert counted["Bits.build"] == 0, "the first table has written every payload, whatever number it went by"
    alone = VirtualTable(folders[2], SEED, games=1, times_cards=False)
    with calls_counted() as counted:
        alone.take_again(playing.told)
    assert alone.rounds == playing.rounds
    assert counted.total() <= 2390 * alone.rounds


@pytest.mark.parametrize(
    ("game", "triggers", "calls"),
    [
        ("baccarat", 2.2, 104),
        ("blackjack", 3.15, 307),
        ("casino_war", 2.55, 146),
        ("q_poker", 2.65, 174),
        ("three_card_baccarat", 2.85, 142),
    ],
)
def test_an_event_takes_so_many_triggers_and_calls(game: str, triggers: float, calls: float) -> None:
    table, *events = events_of(table_of(game), ROUNDS)
    assert isinstance(table, Table)
    procedure = Procedure(table)
    with calls_counted() as counted:
        _give(procedure, events)
    assert counted["RowEvent.trigger"] <= triggers * len(events)
    assert counted.total() <= calls * len(events)


def _give(procedure: Procedure, events: list[AnyInput]) -> None:
    for event in events:
        procedure.apply(event)


def test_a_card_takes_as_many_calls_at_a_full_table() -> None:
    """A card of the deal, and a hit once the prompts name the hand in turn alone."""
    few, many = (_calls_of_cards(seats) for seats in (2, 6))
    assert many == few


def _calls_of_cards(seats: int) -> list[int]:
    table = profile(game="blackjack", procedure="second")
    stakes = bets(*({"seat": seat, "bet": "main", "stake": 100} for seat in range(1, seats + 1)))
    pips = ("2", "3", "4", "5", "6", "7", "8")[: seats + 1]
    first, (second, *others) = (cards(*(f"{pip}{suit}" for pip in pips)) for suit in "SH")
    procedure = lead(table, [*BLACKJACK.preludes["ready"](table), stakes, *first])
    counted = [_calls_of(procedure, second)]
    hit, more = {"event": "decision", "seat": 1, "hand": 1, "action": "hit"}, cards("2C", "2D")
    for given in (*others[:-1], hit, more[0], hit):
        procedure.apply(decoded(given))
    return [*counted, _calls_of(procedure, more[1])]


def _calls_of(procedure: Procedure, given: Json) -> int:
    event = decoded(given)
    with calls_counted() as counted:
        said = procedure.apply(event)
    assert not any(isinstance(one, Refused | Irregularity) for one in said)
    return counted.total()
