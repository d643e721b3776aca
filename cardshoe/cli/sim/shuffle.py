"""``--shuffle`` of the simulator: how hands or equipment shuffle."""

from cardshoe.process.exits import Exit, Stop
from regulations.events.vocabulary import EquipmentKind
from sim.shuffling import WAYS, Shuffling


def way_to_shuffle(name: str, equipment: EquipmentKind) -> Shuffling:
    try:
        way = Shuffling(name)
        way.check(equipment)
    except ValueError as error:
        raise Stop(f"--shuffle: {error}", f"Choose one of: {', '.join(WAYS)}.", Exit.USAGE) from error
    return way
