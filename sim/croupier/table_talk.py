"""A croupier's inputs and the table's answers."""

from collections.abc import Callable
from typing import Final

from msgspec import UNSET

from regulations.events.inputs import (
    AnyInput,
    CardDrawn,
    CardsReturned,
    Cut,
    CutCard,
    CutCardPlaced,
    Loaded,
    Shuffled,
    StackCounted,
)
from sim.clock import Act
from sim.croupier.action_timer import ActionTimer

SILENCES_MAX: Final = 5
"""Waits in vain in a row, before it gives up."""
_OF_HANDS: Final = (Shuffled, Cut, CutCardPlaced, Loaded, CardsReturned, StackCounted, CardDrawn, CutCard)


class TableTalk:
    def __init__(
        self,
        enter: Callable[[AnyInput], object],
        rhythm: ActionTimer,
        *,
        hands_only: bool,
        unheard: Act,
        give_up: Callable[[str], object],
    ) -> None:
        self._enter: Final = enter
        self._rhythm: Final = rhythm
        self._hands_only: Final = hands_only
        self._unheard: Final = unheard
        self._give_up: Final = give_up
        self._silences = 0
        self.said: AnyInput | None = None
        self.is_settling = False
        self.is_answered = True

    def submit(self, event: AnyInput, *, settles: bool = False) -> None:
        """Enter an input and wait for its answer."""
        self.is_settling = settles
        if self._hands_only and not isinstance(event, _OF_HANDS):
            self._rhythm.stop()
            return
        # First the wait: the answer may come before the call returns.
        self.wait()
        self.said = event
        self._enter(event)

    def on_outputs(self, to: AnyInput | None) -> None:
        self._silences = 0
        self.is_answered = to is None or self.said is None or _is_same(to, self.said)

    def wait(self) -> None:
        self._rhythm.wait_for_answer(self.on_silence)

    def on_silence(self) -> None:
        self._silences += 1
        if self._silences > SILENCES_MAX:
            self._give_up("the table does not answer")
        else:
            self._unheard()


def _is_same(heard: AnyInput, said: AnyInput) -> bool:
    return type(heard) is type(said) and getattr(heard, "device", UNSET) is UNSET
