"""The croupier at plain equipment, in every game: no device speaks for him, so he enters what comes out himself.

What the prompt does not say he knows from his trade: whether a card is laid face up, so that everybody reads it, or
face down, so that nobody does until it is turned.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import UNSET

from regulations.cards import Card
from regulations.events.inputs import (
    AnyInput,
    CardDrawn,
    CardsReturned,
    CutCard,
    Decision,
    Demonstration,
    Exposed,
    Misdeal,
    Revealed,
    RoundClosed,
)
from regulations.events.outputs import AnyOutput, Irregularity, Next
from regulations.events.vocabulary import EquipmentKind, Game
from sim.clock import Clock
from sim.croupier import trade
from sim.croupier.layout import Layout, Spot, spot_of
from sim.croupier.orders import Orders
from sim.croupier.pace import Pace
from sim.croupier.routine import DEFAULT_ORDERS, Person, Routine
from sim.croupier.slips import Mistake, Slips
from sim.plain.hands import PlainHands
from sim.players import Players, View, as_decision

_NO_SUCH_SEAT: Final = 99


class PlainRemedies:
    """What he can do about an irregularity: name the cards that were drawn and lie nowhere yet.

    Args:
        layout: the cards on the felt.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout: Final = layout

    def mend(self) -> None:
        """Nothing: no device of his reports faults."""

    def cards_of(self, irregularity: Irregularity | None) -> list[Card]:  # noqa: ARG002  # they are told apart by order
        """The card that waits longest: irregularities are settled in the order in which their cards came."""
        return list(self._layout.waiting[:1])

    def stack_is_gone(self) -> None:
        """New cards come."""
        self._layout.new_stack()


class PlainCroupier(Routine):
    """A croupier of any game at one table with plain equipment. All calls come from the thread of ``clock``.

    Args:
        hands: what he can do to cards and equipment.
        say: submits his inputs to the table; may answer at once through ``heard``, or later.
        rng: shuffles, spreads delays, and decides about mistakes.
        clock: the time he lives in.
        game: the game that he deals.
        equipment: what he deals it from.
        mistakes: mistakes per act where one is possible, 0 to 1.
        players: who puts wagers down and decides; ``None``: nobody does.
        pace: his delays.
        orders: what the house told him.
    """

    def __init__(  # noqa: PLR0913  # what he is made of, all but three by keyword
        self,
        hands: PlainHands,
        say: Callable[[AnyInput], object],
        rng: random.Random,
        *,
        clock: Clock,
        game: Game,
        equipment: EquipmentKind,
        mistakes: float | Slips = 0.0,
        players: Players | None = None,
        pace: Pace | None = None,
        orders: Orders = DEFAULT_ORDERS,
    ) -> None:
        self._hands: Final = hands
        self._equipment: Final = equipment
        self._layout: Final = Layout()
        self._splitting: tuple[int, int] | None = None
        person = Person(
            say=say,
            rng=rng,
            clock=clock,
            slips=mistakes if isinstance(mistakes, Slips) else Slips(rng, mistakes),
            players=players,
            pace=pace or Pace(),
            orders=orders,
            game=game,
        )
        super().__init__(person, hands, lambda: 0.0, PlainRemedies(self._layout))

    def _notice(self, outputs: Sequence[AnyOutput]) -> None:
        if self._splitting is not None and self._situation.refused is None:
            self._layout.split(*self._splitting)
        self._splitting = None
        self._layout.notice(outputs)
        prompt = self._situation.next
        if self._situation.is_between_rounds or (prompt is not None and prompt.do == "return_cards"):
            self._layout.clear()

    def _must_wait(self, prompt: Next) -> bool:  # noqa: ARG002  # whatever it asks for, he is ready
        return False

    def _unheard(self) -> None:
        # He never says a thing twice: a card that was entered and entered again would be two.
        self._rhythm.wait_for_answer(self._hear_nothing)

    # --- cards ------------------------------------------------------------------------------------------------------

    def _draw_as_told(self, prompt: Next) -> None:  # noqa: ARG002  # the situation knows it too
        possible: list[Mistake] = []
        if self._situation.is_initial_burn:
            possible.append("forgotten_burn")
        elif self._situation.dealt:
            possible += self._in_mid_round()
        slip = self._slips.one_of(*possible)
        if slip == "forgotten_burn":
            closed = self._bets()
            self._say(closed if closed.seats else Demonstration())
        elif slip is not None:
            self._slip(slip)
        else:
            self._pull()

    def _pull(self) -> None:
        pulled = self._hands.draw()
        if pulled.cut_card:
            self._say(CutCard())
        elif pulled.cards:
            (out,) = pulled.cards
            told = out.card if self._sees_it() else out.told
            self._layout.drew(out.card, is_told=told is not None)
            self._say(CardDrawn(card=told, unseen=told is None))
        else:
            self._come_up_empty()

    def _sees_it(self) -> bool:
        """Whether the card that comes now is laid face up, or shown."""
        prompt, options = self._situation.next, self._situation.options
        if prompt is None:
            return False
        if self._situation.is_initial_burn:
            # Reading B1: the first card is shown, and says how many follow it.
            return options.get("initial_burn") == "first_card_value" and len(self._hands.out) == 1
        split = prompt.seat is not UNSET and self._layout.is_split(prompt.seat)
        return trade.lies_open(self._game, options, self._equipment, prompt, split=split)

    def _show(self, prompt: Next) -> Revealed:
        return self._shown(spot_of(prompt.to if prompt.to is not UNSET else "player", prompt.seat, prompt.hand))

    def _shown(self, spot: Spot) -> Revealed:
        """Turning a hand: its hidden cards are named where nothing has read them."""
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
            self._say(self._shown(spot))
            return
        if decision.action == "split":
            self._splitting = (decision.seat, decision.hand)
        self._say(decision)

    def _view(self, spot: Spot) -> View:
        lying = self._layout.lying(spot)
        return View(
            own=[laid.card for laid in lying if laid.card is not None],
            is_hidden=any(not laid.is_open for laid in lying),
            croupier=self._layout.open_cards(Spot("croupier")),
            options=self._situation.options,
        )

    # --- the ends of rounds and shoes -------------------------------------------------------------------------------

    def _close_bets(self, prompt: Next) -> None:
        if self._device.cards_left and self._slips.one_of("early_card"):
            self._pull()
        else:
            super()._close_bets(prompt)

    def _close_round(self) -> None:
        possible: list[Mistake] = ["early_card"] if self._device.cards_left else []
        if self._situation.has_result:
            possible.append("reported_misdeal")
        slip = self._slips.one_of(*possible)
        if slip is not None:
            self._slip(slip)
            return
        self._collect()
        self._is_opened = False
        self._say(RoundClosed())

    def _return_cards(self) -> None:
        # Whatever came out since the round was closed goes back as well.
        self._collect()
        if self._slips.one_of("miscounted"):
            self._say(CardsReturned(cards=len(self._hands.felt.rack) + 1))
        else:
            super()._return_cards()

    def _count(self) -> int:
        return super()._count() + (self._slips.one_of("miscounted") is not None)

    def _collect(self) -> None:
        self._hands.hold_back(self._layout.held)
        self._hands.collect(keep=len(self._layout.held))

    # --- mistakes ---------------------------------------------------------------------------------------------------

    def _in_mid_round(self) -> list[Mistake]:
        """The mistakes that are possible while the round is not decided."""
        possible: list[Mistake] = ["closed_early", "reported_misdeal"]
        if self._device.cards_left:
            possible.append("extra_card")
        if self._layout.hidden():
            possible.append("exposed_card")
        return possible

    def _slip(self, mistake: Mistake) -> None:
        prompt = self._situation.next
        match mistake:
            case "closed_early":
                self._say(RoundClosed())
            case "reported_misdeal":
                self._say(Misdeal(detail="the cards lie wrong"))
            case "exposed_card":
                shown = self._shown(self._rng.choice(self._layout.hidden()))
                self._say(Exposed(who=shown.who, seat=shown.seat, hand=shown.hand, cards=shown.cards))
            case "out_of_turn" if prompt is not None:
                self._decide_for_another(prompt)
            case "wrong_reveal" if prompt is not None:
                self._show_wrongly(prompt)
            case _:
                self._pull()

    def _decide_for_another(self, prompt: Next) -> None:
        others = sorted({spot.seat for spot in self._layout.hands} - {0, prompt.seat})
        # Surrender may be allowed out of turn (56/2004 art. 18.º-2); every other action is the next hand's alone.
        action = next(one for one in self._situation.actions if one != "surrender")
        self._say(Decision(seat=self._rng.choice(others or [_NO_SUCH_SEAT]), action=as_decision(action)))

    def _show_wrongly(self, prompt: Next) -> None:
        right = self._show(prompt)
        too_soon = trade.SEEN_TOO_SOON.get(self._game)
        if right.cards is not UNSET:
            self._say(Revealed(who=right.who, seat=right.seat, hand=right.hand, cards=right.cards[:-1]))
        elif too_soon is not None and too_soon != prompt.to:
            self._say(self._shown(Spot(too_soon)))
        else:
            self._say(Revealed(who="seat", seat=_NO_SUCH_SEAT))
