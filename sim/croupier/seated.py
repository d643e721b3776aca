"""A croupier at a table of any game."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import UNSET

from regulations.events.inputs import AnyInput, Decision, Demonstration, Exposed, Misdeal, Revealed, RoundClosed
from regulations.events.outputs import AnyOutput, Next
from sim.croupier.incidents import Remedies
from sim.croupier.layout import HandSpot, LaidCards, spot_of
from sim.croupier.mistakes import Mistake
from sim.croupier.routine import CroupierTraits, Routine
from sim.croupier_actions import CroupierActions, DealingDevice
from sim.players import PlayerView

_NO_SUCH_SEAT: Final = 99


class SeatedCroupier(Routine):
    def __init__(
        self,
        person: CroupierTraits,
        hands: CroupierActions[DealingDevice],
        layout: LaidCards,
        quiet_at_s: Callable[[], float],
        remedies: Remedies,
    ) -> None:
        self._layout: Final = layout
        self._splitting: tuple[int, int] | None = None
        super().__init__(person, hands, quiet_at_s, remedies)

    def apply(self, outputs: Sequence[AnyOutput], to: AnyInput | None = None) -> None:
        if isinstance(to, Decision) and self._splits(to):
            self._splitting = (to.seat, to.hand)
        super().apply(outputs, to)

    def _notice(self, outputs: Sequence[AnyOutput]) -> None:
        if self._talk.is_answered:
            if self._splitting is not None and self._situation.refused is None:
                self._layout.split(*self._splitting)
            self._splitting = None
        self._layout.notice(outputs)
        prompt = self._situation.next
        if self._situation.is_between_rounds or (prompt is not None and prompt.do == "return_cards"):
            self._layout.clear()

    # --- cards ------------------------------------------------------------------------------------------------------

    def _draw_as_prompted(self, prompt: Next) -> None:  # noqa: ARG002  # the situation knows it too
        slip = self._slips.one_of(*self._before_a_card())
        if slip == "forgotten_burn":
            closed = self._bets()
            self._submit(closed if closed.seats else Demonstration())
        elif slip is not None:
            self._slip(slip)
        else:
            self._pull()

    def _before_a_card(self) -> list[Mistake]:
        if self._situation.is_initial_burn:
            return ["forgotten_burn"]
        return self._in_mid_round() if self._situation.dealt else []

    def _show(self, prompt: Next) -> Revealed:
        who = prompt.to if prompt.to is not UNSET else "player"
        # Where two hands alone lie, `seat` is whose bettor may handle the cards (reading B17).
        return self._shown(spot_of(who, prompt.seat, prompt.hand) if who == "seat" else spot_of(who, UNSET, UNSET))

    def _shown(self, spot: HandSpot) -> Revealed:
        hidden = [laid for laid in self._layout.lying(spot) if not laid.is_open]
        cards = [laid.card for laid in hidden if laid.card is not None]
        is_known = all(laid.is_known for laid in hidden)
        return Revealed(
            who=spot.who,
            seat=spot.seat or UNSET,
            hand=spot.hand if spot.seat else UNSET,
            cards=UNSET if is_known else cards,
        )

    def _reveal(self, prompt: Next) -> None:
        slip = self._slips.one_of("wrong_reveal", *self._in_mid_round())
        if slip is not None:
            self._slip(slip)
        else:
            super()._reveal(prompt)

    # --- decisions --------------------------------------------------------------------------------------------------

    def _decide(self, prompt: Next) -> None:
        slip = self._slips.one_of("out_of_turn", *self._in_mid_round())
        if slip is not None:
            self._slip(slip)
            return
        if self._players is None:
            super()._decide(prompt)
            return
        spot = spot_of("seat", prompt.seat, prompt.hand)
        decision = self._players.decide(prompt, self._view(spot))
        if decision is None:
            self._submit(self._shown(spot))
            return
        if self._splits(decision):
            self._splitting = (decision.seat, decision.hand)
        if decision.action == "hit" and self._deals_at_once():
            self._pull()
        else:
            self._submit(decision)

    def _deals_at_once(self) -> bool:
        is_hit = self._situation.options.get("drawn_card_is_hit", False)
        return bool(is_hit) and not self._orders.types_hits and self._can_pull()

    def _view(self, spot: HandSpot) -> PlayerView:
        lying = self._layout.lying(spot)
        return PlayerView(
            own=[laid.card for laid in lying if laid.card is not None],
            is_hidden=any(not laid.is_open for laid in lying),
            croupier=self._layout.open_cards(HandSpot("croupier")),
            options=self._situation.options,
        )

    # --- the ends of rounds and shoes -------------------------------------------------------------------------------

    def _close_bets(self, prompt: Next) -> None:
        if self._can_pull() and self._slips.one_of("early_card"):
            self._pull()
        else:
            super()._close_bets(prompt)

    def _close_round(self) -> None:
        possible: list[Mistake] = ["early_card"] if self._can_pull() else []
        if self._situation.has_result:
            possible.append("reported_misdeal")
        slip = self._slips.one_of(*possible)
        if slip is not None:
            self._slip(slip)
            return
        self._collect()
        self._is_opened = False
        self._submit(RoundClosed())

    def _collect(self) -> None:
        self._table_hands.hold_back(self._layout.held)
        picked = self._situation.picked_up(self._orders.pick_up)
        self._table_hands.collect(keep=len(self._layout.held), order=picked)

    # --- mistakes ---------------------------------------------------------------------------------------------------

    def _in_mid_round(self) -> list[Mistake]:
        possible: list[Mistake] = ["closed_early", "reported_misdeal"]
        if self._can_pull():
            possible.append("extra_card")
        if self._layout.hidden():
            possible.append("exposed_card")
        return possible

    def _slip(self, mistake: Mistake) -> None:
        prompt = self._situation.next
        match mistake:
            case "closed_early":
                self._submit(RoundClosed())
            case "reported_misdeal":
                self._submit(Misdeal(detail="the cards lie wrong"))
            case "exposed_card":
                shown = self._shown(self._rng.choice(self._layout.hidden()))
                self._submit(Exposed(who=shown.who, seat=shown.seat, hand=shown.hand, cards=shown.cards))
            case "out_of_turn" if prompt is not None:
                self._decide_for_another(prompt)
            case "wrong_reveal" if prompt is not None:
                self._show_wrongly(prompt)
            case _:
                self._pull()

    def _splits(self, decision: Decision) -> bool:
        return any(one.splits and one.name == decision.action for one in self._sheet.choices)

    def _decide_for_another(self, prompt: Next) -> None:
        others = sorted({spot.seat for spot in self._layout.hands} - {0, prompt.seat})
        # Surrender may be allowed out of turn (56/2004 art. 18.º-2); every other action is the next hand's alone.
        action = next(one for one in self._situation.actions if one != "surrender")
        self._submit(Decision(seat=self._rng.choice(others or [_NO_SUCH_SEAT]), action=action))

    def _show_wrongly(self, prompt: Next) -> None:
        right = self._show(prompt)
        too_soon = self._sheet.hidden_house
        if right.cards is not UNSET:
            self._submit(Revealed(who=right.who, seat=right.seat, hand=right.hand, cards=right.cards[:-1]))
        elif too_soon is not None and too_soon != prompt.to:
            self._submit(self._shown(HandSpot(too_soon)))
        else:
            self._submit(Revealed(who="seat", seat=_NO_SUCH_SEAT))
