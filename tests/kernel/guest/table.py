"""Whole tables in the machine: a shuffler-dealer on bulk pipes and a shoe on a serial port, unplugged in mid-round."""

import functools
import threading
from pathlib import Path
from typing import Final

from msgspec import UNSET

from regulations.events.inputs import DeviceLost
from regulations.events.vocabulary import EquipmentKind, Game
from sim.croupier.instructions import HouseInstructions
from sim.sim_thread import PumpedLine
from sim.tdp.hands import TdpKind
from sim.usb import UsbWire, usb_wire
from sim.usb.server import UsbIpServer
from tests.kernel.guest.host import PORT, attach
from tests.kernel.guest.telling import tell
from tests.kit.waiting import eventually
from tests.scenarios.linked import TROUBLED_S, Line, LinkedTable, Unit, at

SEED: Final = 20040055
ROUNDS: Final = 3
PULLED_AT: Final = (6, 14)
"""Cards after which the cable is pulled: in the first and in a later round of a table with players at several seats."""
BUS_ID: Final = "1-1"


class KernelTable(LinkedTable):
    """A table whose device hangs on a bus of the machine's kernel."""

    def _line(self, name: str, line: Line) -> tuple[UsbWire, str, None]:
        bulk = line == "usb"
        self._usb = usb_wire("bulk" if bulk else "cdc", f"SN-{name}", product=name)
        return self._usb, f"bulk:1209:0001:SN-{name}" if bulk else f"usb:1209:0002:SN-{name}", None

    def _moved(self) -> list[PumpedLine]:
        return [self._usb, UsbIpServer([self._usb], port=int(PORT))]

    def _plug_in(self, unit: Unit) -> None:
        attach(BUS_ID, f"SN-{unit.name}")

    def pull(self, unit: Unit, times: int) -> None:
        """Pull the cable (on the station's thread), and put it in again once the table has heard of it."""
        unit.wire.unplug()

        def put_in_again() -> None:
            eventually(lambda: self.codes["device_lost"] == times, "the table has heard of it")
            self.station.call(unit.wire.replug)
            self._plug_in(unit)

        threading.Thread(target=put_in_again).start()


def play(folder: Path, game: Game, kind: TdpKind, line: Line) -> None:
    """Some rounds, the cable pulled in two of them; what must hold in the end is asserted here."""
    equipment: EquipmentKind = kind
    table = KernelTable(folder, at(game, equipment, {}), SEED, link_second_s=TROUBLED_S)
    unit = table.add(kind, line=line)
    for times, card in enumerate(PULLED_AT, start=1):
        table.at_card(card, functools.partial(table.pull, unit, times))
    croupier = table.play(HouseInstructions(games=None, rounds=ROUNDS), first=kind)
    table.assert_whole(croupier)
    tell(f"{kind}: rounds decided", table.results)
    tell(f"{kind}: irregularities", dict(table.codes))
    pulled = [taken.event for taken in table.taken if isinstance(taken.event, DeviceLost)]
    tell(f"{kind}: pulled in a round", [event.round is not UNSET for event in pulled])


def main() -> None:
    for folder in (Path("/run/shuffler_dealer"), Path("/run/shoe")):
        folder.mkdir()
    play(Path("/run/shuffler_dealer"), "blackjack", "shuffler_dealer", "usb")
    play(Path("/run/shoe"), "casino_war", "shoe", "serial")


if __name__ == "__main__":
    main()
