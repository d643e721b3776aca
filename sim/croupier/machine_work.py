"""A croupier's work at machines before play."""

from collections.abc import Callable
from typing import Final, Literal

from sim.tdp.dispenser import Dispenser
from sim.tdp.machine_hands import AnyMachineHands
from sim.tdp.shuffler_dealer import ShufflerDealer

Asked = Literal["shuffle", "eject"]


class MachineWork:
    def __init__(
        self,
        hands: AnyMachineHands,
        shuffler: AnyMachineHands | None,
        ask: Callable[[Asked], object],
    ) -> None:
        self.hands = hands
        self.shuffler: Final = shuffler
        self._ask: Final = ask
        self._asked: Asked | None = None

    @property
    def mixer(self) -> AnyMachineHands | None:
        """The machine that shuffles on command; ``None``: none."""
        if self.shuffler is not None:
            return self.shuffler
        return self.hands if self.hands.shuffles_itself and not isinstance(self.hands.device, ShufflerDealer) else None

    @property
    def is_busy(self) -> bool:
        return self.hands.device.is_busy or (self.shuffler is not None and self.shuffler.device.is_busy)

    def start_over(self) -> None:
        self._asked = None

    def fill(self, *, anew: bool) -> bool:
        """Put the cards outside into the dealing device; return whether there were any."""
        hands = self.hands
        hands.make_ready()
        felt = hands.felt
        if anew:
            hands.out = []
        if isinstance(hands.device, ShufflerDealer):
            if not (anew or felt.stack or felt.laid or felt.rack):
                return False
            hands.put_in_all()
            return True
        if hands.shuffles_itself:
            felt.gather(())
        if not felt.stack:
            return False
        hands.load()
        return True

    def shuffle(self, mixer: AnyMachineHands) -> None:
        mixer.make_ready()
        felt = mixer.felt
        if mixer is not self.hands:
            felt.gather(self.hands.device.unload())
        felt.gather(())
        if felt.stack:
            self.hands.out = []
            mixer.load()
        elif not mixer.device.is_busy:
            self._request_once("shuffle")

    def fetch(self) -> bool:
        if self.shuffler is None or not self.shuffler.device.cards:
            return True
        self.shuffler.remove_stack()
        if self.shuffler.device.cards and not self.shuffler.device.is_busy:
            self._request_once("eject")
        return not self.shuffler.device.cards

    def _request_once(self, what: Asked) -> None:
        if self._asked != what:
            self._asked = what
            self._ask(what)


def has_cards_at_exit(hands: AnyMachineHands) -> bool:
    return isinstance(hands.device, Dispenser) and hands.device.is_exit_open and bool(hands.device.exit)


def is_bringing(hands: AnyMachineHands) -> bool:
    return isinstance(hands.device, Dispenser) and (hands.device.is_busy or bool(hands.device.exit))
