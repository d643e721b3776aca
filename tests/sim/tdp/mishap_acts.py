"""Acts at a machine in many tests of its mishaps."""

from collections.abc import Callable

from protocols.tdp.codes import DeviceState, FaultCode
from protocols.tdp.commands import AcceptReturn, Dispense, Shuffle, Unlock
from sim.tdp.machine_faults import JamPlace
from tests.sim.tdp.rig import Rig

Act = Callable[[Rig], object]
F = FaultCode


def unlock_and_draw(rig: Rig) -> None:
    rig.do(Unlock, 20)
    rig.draw_all(3)


def dispense(rig: Rig) -> None:
    rig.do(Dispense, 3)


def shuffle(rig: Rig) -> None:
    rig.do(Shuffle)


def take_back(rig: Rig) -> None:
    rig.do(Unlock, 10)
    rig.draw_all()
    rig.hands.collect()
    rig.hands.return_cards()
    rig.do(AcceptReturn)


def fill(rig: Rig) -> None:
    """Draw by hand so that the buffer must be filled again."""
    rig.do(Unlock, 40)
    rig.draw_all(15)


def faults(rig: Rig) -> list[FaultCode]:
    return list(rig.device.faults)


def state(rig: Rig) -> DeviceState:
    return rig.status.state


def jam_at(place: JamPlace) -> Act:
    return lambda rig: rig.device.mishaps.jam(place)


def foreign(rig: Rig) -> None:
    rig.device.reader.foreign_next()


def blind(rig: Rig) -> None:
    for _ in range(3):
        rig.device.reader.fail_next()


def open_while_dispensing(rig: Rig) -> None:
    rig.do(Dispense, 3)
    rig.clock.advance(0.2)
    rig.hands.open_cover()
