"""The croupier at an Angel Eye shoe, which reports the cards to the table."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from protocols.angel_eye.messages import Outcome as ShoeOutcome
from regulations.events.cards import Card
from regulations.events.inputs import CardDrawn, CutCard, Demonstration, Revealed, RoundClosed
from regulations.events.outputs import AnyOutput, Irregularity, Next
from regulations.events.vocabulary import Outcome
from sim.angel_eye.shoe import AngelEyeShoe
from sim.croupier.mistakes import Mistake
from sim.croupier.routine import CroupierTraits, Routine
from sim.croupier.situation import PromptState
from sim.draws import Draw, PulledCard
from sim.hands import AngelEyeActions

_BUTTONS: Final[dict[Outcome, ShoeOutcome]] = {
    "player": ShoeOutcome.PLAYER,
    "banker": ShoeOutcome.BANKER,
    "tie": ShoeOutcome.TIE,
}


class ShoeRemedies:
    def __init__(self, hands: AngelEyeActions) -> None:
        self._hands: Final = hands
        self._known: Final[set[int]] = set()

    def mark_reported(self, index: int) -> None:
        self._known.add(index)

    def stack_is_gone(self) -> None:
        self._known.clear()

    def mend(self) -> None:
        """Pull out the card in the mouth, or else clear the errors."""
        if self._hands.shoe.panel.is_card_half_out:
            self._hands.finish_draw()
        else:
            self._hands.shoe.panel.clear_error()

    def cards_of(self, irregularity: Irregularity | None) -> list[Card]:
        out = list(enumerate(self._hands.out))
        if irregularity is not None and irregularity.code == "surplus_card":
            misread = [(i, one) for i, one in out if one.told not in (None, one.card) and i not in self._known]
            shown = [(i, one) for i, one in misread if irregularity.card in (None, one.told)]
            return self._mark_all_reported(shown[-1:])
        untold = [(i, one) for i, one in out if one.told is None and i not in self._known]
        if irregularity is not None and irregularity.code == "count_gap":
            return self._mark_all_reported(untold)
        # Untold cards come up in the order in which they left. If none is left, it is the one in its hand.
        return self._mark_all_reported(untold[:1] or out[-1:])

    def _mark_all_reported(self, found: list[tuple[int, PulledCard]]) -> list[Card]:
        self._known.update(index for index, _out in found)
        return [out.card for _index, out in found]


class Croupier(Routine):
    def __init__(
        self,
        hands: AngelEyeActions,
        person: CroupierTraits,
    ) -> None:
        self._hands: Final = hands
        self._remedies: Final = ShoeRemedies(hands)
        self._drawn: Draw | None = None
        self._strays: deque[int] = deque()
        self._was_down = False
        shoe = self._shoe = hands.shoe
        super().__init__(person, hands, lambda: shoe.quiet_at_s, self._remedies)

    def _notice(self, outputs: Sequence[AnyOutput]) -> None:  # noqa: ARG002  # the situation has all that it needs
        is_down = self._situation.is_link_down
        if not self._was_down and not is_down:
            self._drawn = None
        self._was_down = is_down

    def _must_wait(self, prompt: Next) -> bool:
        if prompt.do in ("draw", "burn") and self._drawn is not None:
            # Pulled while the line was down: the table may not know of it.
            self._talk.wait()
        elif self._strays and prompt.do != "resolve":
            self._report_stray()
        else:
            return False
        return True

    def _unheard(self) -> None:
        pulled, self._drawn = self._drawn, None
        if self._shoe.panel.errors:
            self._drawn = pulled
            self._shoe.panel.clear_error()
            self._talk.wait()
        elif pulled is not None and pulled.cut_card:
            self._submit(CutCard())
        elif pulled is not None and pulled.cards:
            # The telegram was lost. What the shoe does not report, a person enters.
            index = len(self._hands.out) - len(pulled.cards)
            self._remedies.mark_reported(index)
            self._submit(CardDrawn(card=pulled.cards[0].card))
        else:
            self._act()

    def _cards_are_gathered(self) -> None:
        super()._cards_are_gathered()
        self._strays.clear()

    # --- dealing ----------------------------------------------------------------------------------------------------

    def _draw_as_prompted(self, prompt: Next) -> None:
        shoe = self._shoe
        if not _is_ready(shoe) or not _is_in_step(shoe, self._situation, prompt):
            self._rhythm.settle()
            return
        possible: list[Mistake] = []
        if shoe.cards_left and not shoe.panel.is_card_half_out:
            possible.append("pushed_back")
        if self._situation.is_initial_burn:
            possible.append("forgotten_burn")
        match self._slips.one_of(*possible):
            case "pushed_back":
                shoe.start_draw()
                shoe.push_back(midway=self._rng.random() < 1 / 2)
                self._talk.wait()
            case "forgotten_burn":
                closed = self._bets()
                self._submit(closed if closed.seats else Demonstration())
            case _:
                self._pull()

    def _pull(self) -> None:
        pulled = self._hands.draw()
        if not pulled.cards and not pulled.cut_card:
            self._come_up_empty()
            return
        self._drawn = pulled
        end = len(self._hands.out)
        # Two at once: the second lies there, and the table hears of it from it.
        self._strays.extend(range(end - len(pulled.cards) + 1, end))
        self._talk.wait()

    def _report_stray(self) -> None:
        index = self._strays.popleft()
        self._remedies.mark_reported(index)
        self._submit(CardDrawn(card=self._hands.out[index].card))

    def _show(self, prompt: Next) -> Revealed:
        if prompt.to == "seat":
            return Revealed(who="seat", seat=prompt.seat, hand=prompt.hand)
        return Revealed(who=prompt.to if prompt.to is not UNSET else "player")

    # --- the end of a round -----------------------------------------------------------------------------------------

    def _close_round(self) -> None:
        shoe, situation = self._shoe, self._situation
        if not _is_ready(shoe):
            self._rhythm.settle()
            return
        right = _BUTTONS[situation.outcome] if situation.outcome is not None else None
        if not _has_hands_on_display(shoe, situation):
            if shoe.cards_left and self._slips.one_of("early_card"):
                self._pull()
                return
            self._hands.collect(keep=situation.held, order=situation.picked_up(self._orders.pick_up))
            self._is_opened = False
            self._submit(RoundClosed())
            return
        if right is None or shoe.panel.verdict is not right:
            shoe.panel.force_end()
        else:
            possible: list[Mistake] = ["wrong_button", "extra_card"] if shoe.cards_left else ["wrong_button"]
            match self._slips.one_of(*possible):
                case "extra_card":
                    self._pull()
                    return
                case "wrong_button":
                    shoe.panel.press(self._rng.choice([one for one in _BUTTONS.values() if one is not right]))
                case _:
                    shoe.panel.press(right)
        self._rhythm.settle()


# --- lamps ----------------------------------------------------------------------------------------------------------


def _is_ready(shoe: AngelEyeShoe) -> bool:
    if not shoe.is_powered:
        shoe.power_on()
    elif shoe.panel.is_in_setting_mode:
        shoe.panel.set_setting_mode(on=False)
    elif shoe.panel.is_locked:
        shoe.panel.turn_key(locked=False)
    elif shoe.panel.errors and not shoe.panel.is_card_half_out:
        shoe.panel.clear_error()
    else:
        return True
    return False


def _is_in_step(shoe: AngelEyeShoe, situation: PromptState, prompt: Next) -> bool:
    if prompt.do == "draw":
        is_first = situation.is_between_rounds or (prompt.to == "player" and prompt.position == 1)
        is_ahead = is_first and _has_hands_on_display(shoe, situation)
    else:
        # The burn before a round; in the initial one no round has begun for either.
        is_ahead = situation.rounds_in_shoe > 0 and shoe.panel.has_begun_round
    if shoe.panel.due is not None and not is_ahead:
        return True
    shoe.panel.force_end()
    return False


def _has_hands_on_display(shoe: AngelEyeShoe, situation: PromptState) -> bool:
    return len(shoe.panel.player) + len(shoe.panel.banker) > situation.held
