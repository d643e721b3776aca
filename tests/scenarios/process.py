"""``cardshoe run`` as a process, and a simulated croupier who types at it what people do."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cardshoe.journal import read_only
from cardshoe.table.log.replaying import replayed
from regulations.events.codec import decode_input, encode, output_decoder
from regulations.events.inputs import AnyInput, Table
from regulations.events.outputs import AnyOutput, Next
from regulations.games.registry import SHEETS
from sim.clock import RealClock
from sim.croupier.routine import Routine
from sim.sim_thread import SimulatorThread
from sim.wires.wire import Wire
from tests.kit.command import Ended
from tests.kit.running_table import RunningTable, journal_of
from tests.kit.sealed import sealer_of, verified
from tests.scenarios.linked import SPEED
from tests.sim.croupier.cashier import Cashier

LOOK_S: Final = 0.0005
"""Real seconds between two looks at a device whose table is to be killed as soon as a card is out."""
TABLE: Final = """
[table]
id = "{table.table_id}"
game = "{table.game}"
decks = {table.decks}
seats = {table.seats}
equipment = "{table.equipment}"
[journal]
folder = "journals"
[options]
"""
AUTHORISATION: Final = """
[[authorisation]]
option = "{option}"
value = {value}
reference = "{reference}"
requested = "{requested}"
effective = "{effective}"
"""
DEVICE: Final = """
[[device]]
name = "{name}"
family = "tdp"
port = "{port}"
commands = {commands}
settings = {{ security = "plain" }}
"""


def write_config(folder: Path, table: Table, ports: Mapping[str, tuple[Path, Sequence[str]]]) -> Path:
    """Writes the configuration of a table with TDP devices."""
    parts = [TABLE.format(table=table)]
    parts += [f"{name} = {json.dumps(value)}\n" for name, value in table.options.items()]
    for one in table.authorisations:
        parts.append(
            AUTHORISATION.format(
                option=one.option,
                value=json.dumps(one.value),
                reference=one.reference,
                requested=one.requested,
                effective=one.effective,
            )
        )
    for name, (port, commands) in ports.items():
        parts.append(DEVICE.format(name=name, port=port, commands=json.dumps(list(commands))))
    path = folder / "table.toml"
    path.write_text("".join(parts))
    return path


class TableProcess:
    """A table as a process. Its croupier hears what it says, and the croupier's answers are typed."""

    def __init__(self, config: Path, table: Table, wires: Sequence[Wire] = (), options: Sequence[str] = ()) -> None:
        self._options: Final = options
        self.folder: Final = config.parent
        self.clock: Final = RealClock(SPEED)
        self.cashier: Final = Cashier()
        self._config: Final = config
        self._decoder: Final = output_decoder(SHEETS[table.game].result)
        self._wires = wires
        self._heard = 0
        self._table: RunningTable | None = None

    def say(self, event: AnyInput) -> None:
        """Types an input, unless nobody is there."""
        self.type(encode(event).decode())

    def type(self, line: str) -> None:
        """Types a line, unless nobody is there."""
        if self._table is not None:
            try:
                self._table.say(line)
            except Ended:
                return  # killed: when it is there again it says what is to be done

    def play(
        self,
        croupier: Routine,
        *,
        kills: Sequence[int] = (),
        cards_out: Callable[[], int] = int,
        look: Callable[[RunningTable], object] = id,
    ) -> int:
        """Play until the croupier closes the table; return how often it was started."""
        waiting, starts = list(kills), 0
        with SimulatorThread(self.clock, self._wires) as station:
            self._watch(waiting, cards_out)
            while not croupier.done:
                starts += 1
                assert starts <= len(kills) + 1, "it ended by itself"
                with RunningTable(self._config, *self._options) as table:
                    self._table = table
                    self._listen(table, station, croupier)
                    table.end()
                    look(table)
        return starts

    def _watch(self, waiting: list[int], cards_out: Callable[[], int]) -> None:
        if waiting:
            if cards_out() >= waiting[0] and self._table is not None:
                waiting.pop(0)
                self._table.process.kill()
            self.clock.call_later(LOOK_S * self.clock.speed, lambda: self._watch(waiting, cards_out))

    def _listen(self, table: RunningTable, station: SimulatorThread, croupier: Routine) -> None:
        is_first = True
        while True:
            try:
                lines = table.answer()
            except Ended:
                return
            event, outputs = self._decoded(lines)
            # At its start it says its last answer again.
            new = [one for one in outputs if isinstance(one.seq, int) and one.seq > self._heard]
            said: Sequence[AnyOutput] = new or [one for one in outputs if isinstance(one, Next)]
            to = None if is_first else event
            is_first = False
            self._heard = lines[-1]["seq"]
            station.post(lambda said=said, to=to: croupier.apply(said, to))  # type: ignore[misc]  # a lambda's defaults

    def _decoded(self, lines: Sequence[Mapping[str, Any]]) -> tuple[AnyInput, list[AnyOutput]]:
        first, *rest = (json.dumps(line).encode() for line in lines)
        return decode_input(first), [self._decoder.decode(line) for line in rest]

    def assert_money(self) -> None:
        """The journal verifies, and every wager in it was settled, carried or returned once."""
        path = journal_of(self.folder)
        assert verified(path).entries > 0
        cashier, closed = Cashier(), False
        with read_only(path) as evidence:
            for scribe, taken in replayed(path, evidence.entries(), sealer_of(path)):
                cashier.notice(taken.event, taken.outputs)
                closed = scribe.procedure.is_closed
        assert closed
        assert (cashier.faults, cashier.carried) == ([], {})


def spawned(rng: random.Random) -> random.Random:
    """A generator of its own, for something that must not change what others draw."""
    return random.Random(rng.randrange(2**32))
