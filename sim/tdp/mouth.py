"""A mouth with a lock, an eye before it, and a hand that pulls at it: what shoe and shuffler-dealer have in common."""

from abc import abstractmethod

from protocols.tdp.codes import FaultCode
from protocols.tdp.events import CutCardDrawn
from regulations.events.cards import Card
from sim.draws import Draw, Out
from sim.magazine import CutCard, Item
from sim.tdp.eye import Reading
from sim.tdp.machine import Machine
from sim.tdp.trouble import Module, Place, Trouble


class Mouth(Machine):
    """A machine from which cards are drawn by hand.

    The eye reads a card on its way to the lips, and the lock lets go of it when its event is kept. Without power the
    lock holds.
    """

    @property
    @abstractmethod
    def _next(self) -> Item | None:
        """The card or cut card that lies before the mouth."""

    @property
    @abstractmethod
    def _has_card_below(self) -> bool:
        """True if a card, and not the cut card, lies below that."""

    @abstractmethod
    def _take_next(self) -> None:
        """It leaves."""

    @abstractmethod
    def _take_card_below(self) -> Card | None:
        """The one below leaves as well, if it is a card."""

    def _mouth_is_free(self) -> bool:
        return not self.is_locked and not self._motion.is_busy and self._next is not None

    def _pull_at_mouth(self) -> Draw:
        if not self._mouth_is_free():
            self.electronics.run(self._find_nothing)
            return Draw()
        pulled: list[Draw] = []
        self.electronics.run(lambda: self._let_go(pulled))
        return pulled[0] if pulled else Draw()

    def _find_nothing(self) -> None:
        # The hand pulls where by the device's count a card should be.
        if not self.is_locked and self._counts.stack and not self._inside:
            self._fail(Trouble(FaultCode.OUT_OF_CARDS))

    def _let_go(self, pulled: list[Draw]) -> None:
        """Let what lies before the mouth leave; what left by then is in ``pulled``, if the power goes meanwhile."""
        item = self._next
        if isinstance(item, CutCard):
            self._let_cut_card_go(pulled)
        elif item is not None and self._sticks(Place.EXIT):
            self._take_next()
            self._fail(self._stick(Place.EXIT, item))
        elif item is not None:
            self._let_card_go(item, pulled)

    def _let_cut_card_go(self, pulled: list[Draw]) -> None:
        counts = self._counts

        def note() -> None:
            counts.cut_card_seen = True

        self._keep(lambda boot, number: CutCardDrawn(boot, number, counts.left), note)
        self._take_next()
        pulled.append(Draw(cut_card=True))
        self.electronics.supply.step()

    def _let_card_go(self, card: Card, pulled: list[Draw]) -> None:
        reading = self.eye.look(card)
        noticed = self._doubles() if self._has_card_below else None
        self._tell_card(reading, 2 if noticed else 1)
        self._take_next()
        # The eye sees only the upper one of two.
        below = None if noticed is None else self._take_card_below()
        out = Out(card, reading.card)
        pulled.append(Draw((out,) if below is None else (out, Out(below, None))))
        self._permits = max(self._permits - 1, 0)
        self.electronics.supply.step()
        self._attempt(lambda: self._look_after(reading, two_seen=bool(noticed)))
        self._resume()

    def _look_after(self, reading: Reading, *, two_seen: bool) -> None:
        if two_seen:
            self._causes.add(FaultCode.DOUBLE_FEED)
            raise Trouble(FaultCode.DOUBLE_FEED, Module.EXIT)
        self._complain(reading)
