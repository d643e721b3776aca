"""The croupier at a shoe that only reads and reports cards."""

from collections.abc import Callable

from regulations.events.inputs import CutCard
from regulations.events.vocabulary import EquipmentKind
from sim.croupier.plain import PlainCroupier
from sim.croupier.routine import CroupierTraits, Routine
from sim.croupier_actions import CroupierActions, DealingDevice


class ReadingCroupier(PlainCroupier):
    def _pull(self) -> None:
        pulled = self._hands.draw()
        if pulled.cut_card:
            self._submit(CutCard())
        elif pulled.cards:
            # First the wait: on a line without delay the answer comes at once.
            self._talk.wait()
            for out in pulled.cards:
                self._layout.drew(out.card, is_told=out.told is not None)
        else:
            self._come_up_empty()


def reading_croupier(
    equipment: EquipmentKind,
) -> Callable[[CroupierActions[DealingDevice], CroupierTraits, Callable[[str], object]], Routine]:
    def made(hands: CroupierActions[DealingDevice], person: CroupierTraits, _ask: Callable[[str], object]) -> Routine:
        return ReadingCroupier(hands, person, equipment=equipment)

    return made
