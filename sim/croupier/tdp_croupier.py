"""The croupier at machines that report their cards, in every game."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from protocols.tdp.codes import FaultCode
from regulations.events.inputs import AnyInput, CardDrawn, Equipment, Loaded
from regulations.events.outputs import AnyOutput, Next
from regulations.events.vocabulary import EquipmentKind
from sim.croupier.instructions import PATIENCE_S
from sim.croupier.layout import LaidCards
from sim.croupier.machine_remedies import MachineRemedies
from sim.croupier.machine_work import Asked, MachineWork, has_cards_at_exit, is_bringing
from sim.croupier.mistakes import Mistake
from sim.croupier.routine import CroupierTraits
from sim.croupier.seated import SeatedCroupier
from sim.draws import PulledCard
from sim.tdp.machine_hands import AnyMachineHands

LOOK_S: Final = 0.005
OWED_S: Final = 2.0
"""Real seconds to wait for a card that the table has and no machine gave."""
_ASK_AGAIN: Final = 200
_AFTER_THE_CARDS: Final = frozenset({"decide", "reveal", "close_round", "close_bets"})
_ABOUT_CARDS: Final = frozenset({"unread_card", "surplus_card", "count_gap", "card_not_due"})


class TdpCroupier(SeatedCroupier):
    def __init__(
        self,
        hands: AnyMachineHands,
        person: CroupierTraits,
        ask: Callable[[Asked], object],
        *,
        shuffler: AnyMachineHands | None = None,
        spare: tuple[EquipmentKind, AnyMachineHands] | None = None,
    ) -> None:
        self._hands = hands
        self._work: Final = MachineWork(hands, shuffler, ask)
        self._spare = spare
        self._is_changing = False
        self._looks = 0
        self._loading = False
        layout = LaidCards()
        self._remedies: Final = MachineRemedies([hands, *((shuffler,) if shuffler is not None else ())], layout)
        person = replace(person, orders=replace(person.orders, counts_stack=False))
        super().__init__(person, hands, layout, lambda: 0.0, self._remedies)

    # --- hearing and waiting ----------------------------------------------------------------------------------------

    def _notice(self, outputs: Sequence[AnyOutput]) -> None:
        super()._notice(outputs)
        self._looks = 0
        prompt = self._situation.next
        if prompt is not None and prompt.do not in ("load", "shuffle", "cut", "place_cut_card"):
            self._loading = False
            self._work.start_over()
        if self._talk.is_answered:
            if self._is_changing and self._situation.refused is None:
                self._change()
            self._is_changing = False

    def _must_wait(self, prompt: Next) -> bool:
        device = self._hands.device
        device.power_on()
        self._collect_exit()
        if self._layout.owed and self._brings_more():
            self._poll_again()
            return True
        if not is_bringing(self._hands):
            self._layout.forgive()
        if prompt.do in _AFTER_THE_CARDS and self._brings_more():
            # It was told to before something else happened: it does not take that back.
            self._poll_again()
            return True
        if prompt.do == "resolve":
            return self._has_no_card_to_name()
        if self._remedies.strays:
            self._submit(CardDrawn(card=self._remedies.strays.popleft()))
            return True
        return False

    def _has_no_card_to_name(self) -> bool:
        codes = {one.code for one in self._situation.open.values()}
        if codes & _ABOUT_CARDS and not self._layout.waiting and self._brings_more():
            self._poll_again()
            return True
        return False

    def _brings_more(self) -> bool:
        return is_bringing(self._hands) and self._looks < OWED_S / LOOK_S

    def _poll_again(self) -> None:
        self._looks += 1
        if self._looks % _ASK_AGAIN == 0:
            self._work.start_over()
        if self._looks * LOOK_S < PATIENCE_S:
            self._rhythm.wait(LOOK_S, self._act)
        else:
            self._talk.on_silence()

    def _unheard(self) -> None:
        self._looks = 0
        prompt = self._situation.next
        if self._talk.said is not None:
            self._talk.wait()  # a thing that was said is not said again
        elif prompt is not None and prompt.do == "load" and self._loading and not self._work.is_busy:
            # What a machine does not tell, a person enters.
            self._submit(Loaded(cards=self._hands.device.cards_left))
        elif self._work.is_busy:
            self._poll_again()
        else:
            self._act()

    # --- the stack --------------------------------------------------------------------------------------------------

    def _begin_shoe(self, prepare: Callable[[], AnyInput | None]) -> None:
        if self._spare is not None and self._incidents.has_given_up and not self._has_done_enough():
            self._is_changing = True
            self._submit(Equipment(equipment=self._spare[0]))
            return
        super()._begin_shoe(prepare)

    def _change(self) -> None:
        if self._spare is None:
            return
        old, (_kind, new) = self._hands, self._spare
        self._spare = None
        old.felt.gather(old.device.unload())
        self._hands = self._table_hands = self._stack.hands = self._work.hands = new
        self._remedies.machines = [new, *(one for one in self._remedies.machines if one is not old)]
        self._incidents.has_given_up = self._incidents.has_lost_device = False

    def _shuffle(self) -> None:
        mixer = self._work.mixer
        if mixer is None:
            super()._shuffle()
            return

        def shuffle() -> None:
            self._work.shuffle(mixer)
            self._poll_again()

        self._begin_shoe(shuffle)

    def _cut(self) -> None:
        if self._work.fetch():
            super()._cut()
        else:
            self._poll_again()

    def _place_cut_card(self) -> None:
        if self._work.fetch():
            super()._place_cut_card()
        else:
            self._poll_again()

    def _load(self) -> None:
        if self._situation.is_shoe_over:
            self._begin_shoe(lambda: self._fill(anew=True))
            return
        loaded = self._fill(anew=False)
        if loaded is not None:
            self._submit(loaded)

    def _fill(self, *, anew: bool) -> Loaded | None:
        if self._loading or self._work.fill(anew=anew):
            self._loading = True
            self._poll_again()
            return None
        return Loaded(cards=self._hands.device.cards_left)

    def _return_cards(self) -> None:
        self._collect()
        if self._hands.felt.rack:
            self._hands.return_cards()
        self._poll_again()

    def _must_close_bets(self) -> bool:
        # A machine that gives cards out by itself gives none before.
        return True

    # --- cards ------------------------------------------------------------------------------------------------------

    def _can_pull(self) -> bool:
        return self._hands.can_draw

    def _before_a_card(self) -> list[Mistake]:
        # Once it looks whether the card has come it has begun to draw; and an extra one the lock would not let out.
        return [] if self._looks else [one for one in super()._before_a_card() if one != "extra_card"]

    def _pull(self) -> None:
        if not self._hands.can_draw:
            if self._hands.device.cards_left:
                self._poll_again()
            else:
                self._come_up_empty()
            return
        # Wherever it comes from, the machine tells of it; what it does not tell shows while it waits.
        self._draw()
        self._talk.wait()

    def _collect_exit(self) -> None:
        taken: list[PulledCard] = []
        while has_cards_at_exit(self._hands):
            taken += self._hands.draw().cards
        surplus = len(taken) - self._sheet.packet(self._situation.options)
        for out in taken:
            if surplus > 0 and out.told is None:
                surplus -= 1
                self._remedies.add_stray(out.card)
            else:
                self._layout.drew(out.card, is_told=out.told is not None)

    def _draw(self) -> None:
        pulled = self._hands.draw()
        seen = FaultCode.DOUBLE_FEED in self._hands.device.faults
        for number, out in enumerate(pulled.cards):
            if number and out.told is None and not seen:
                # Two at once, and the machine took them for one: the table hears of the second from it.
                self._remedies.add_stray(out.card)
            else:
                self._layout.drew(out.card, is_told=out.told is not None)
