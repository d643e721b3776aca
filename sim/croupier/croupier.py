"""The croupier: does what the newest prompt says, once for each answer of the table, and copes with what comes of it.

He uses nothing but the prompts, the cards in his hands and the shoe's lamps. If a lamp shows that the shoe is out of
step with the table (it counts a burned card, or has ended a round that the table plays on), he ends its round by
force: the regulation's table decides, the shoe follows.
"""

import random
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import UNSET

from protocols.angel_eye.messages import Outcome as ShoeOutcome
from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    CardDrawn,
    Closed,
    CutCard,
    Decision,
    Demonstration,
    Resolve,
    Revealed,
    RoundClosed,
    ShoeEnded,
    StackCounted,
    Void,
    Wager,
)
from regulations.events.outputs import AnyOutput, Next
from regulations.events.vocabulary import DecisionAction, Do, Outcome
from sim.angel_eye.shoe import Pulled
from sim.clock import Clock
from sim.croupier import lamps
from sim.croupier.incidents import Incidents
from sim.croupier.orders import Orders
from sim.croupier.pace import Pace
from sim.croupier.rhythm import Rhythm
from sim.croupier.situation import Situation
from sim.croupier.slips import Mistake, Slips
from sim.croupier.stack_work import StackWork
from sim.hands import Hands
from sim.players import Players

_BUTTONS: Final[dict[Outcome, ShoeOutcome]] = {
    "player": ShoeOutcome.PLAYER,
    "banker": ShoeOutcome.BANKER,
    "tie": ShoeOutcome.TIE,
}
_REFUSALS_MAX: Final = 3
"""Refusals in a row that he takes before he thinks that this table cannot go on."""
_SILENCES_MAX: Final = 5
"""Times in a row that he waits in vain before he thinks that nobody is at the other end."""
_DEFAULT_ORDERS: Final = Orders()


class Croupier:
    """A croupier at one table. All calls come from the thread of ``clock``.

    Args:
        hands: what he can do to cards and shoe.
        say: submits his inputs to the table; may answer at once through ``heard``, or later.
        rng: shuffles, spreads delays, and decides about mistakes.
        clock: the time he lives in.
        mistakes: mistakes per act where one is possible, 0 to 1.
        players: who puts wagers down; ``None``: nobody does, and the first card closes the bets.
        pace: his delays.
        orders: what the house told him.
    """

    def __init__(
        self,
        hands: Hands,
        say: Callable[[AnyInput], object],
        rng: random.Random,
        *,
        clock: Clock,
        mistakes: float | Slips = 0.0,
        players: Players | None = None,
        pace: Pace | None = None,
        orders: Orders = _DEFAULT_ORDERS,
    ) -> None:
        self._hands: Final = hands
        self._say_to_table = say
        self._rng = rng
        self._players = players
        self._orders = orders
        self._slips = mistakes if isinstance(mistakes, Slips) else Slips(rng, mistakes)
        self._situation = Situation()
        self._stack = StackWork(hands, orders, rng)
        self._rhythm = Rhythm(clock, rng, pace or Pace(), lambda: hands.shoe.quiet_at_s, self._act)
        self._incidents = Incidents(self._situation, hands, orders, self._rhythm, self._act)
        self._said: AnyInput | None = None
        self._pulled: Pulled | None = None
        self._strays: deque[int] = deque()
        self._refusals = 0
        self._silences = 0
        self._is_opened = False
        self._is_counted = False
        self._is_closing = False
        self._demonstrations = 0
        self.done = False
        """Whether the table is closed, or he is stuck."""
        self.stuck: str | None = None
        """Why he could not go on; ``None`` as long as he can."""
        self.on_done: Callable[[], object] | None = None
        """Called once, when ``done`` becomes true."""
        # Every prompt there is has its act: a missing one would be a KeyError at the first table that sends it.
        self._acts: Final[dict[Do, Callable[[Next], None]]] = {
            "shuffle": lambda _prompt: self._shuffle(),
            "cut": lambda _prompt: self._say(self._stack.cut()),
            "place_cut_card": lambda _prompt: self._say(self._stack.place_cut_card()),
            "load": lambda _prompt: self._say(self._stack.load()),
            "burn": self._deal,
            "draw": self._deal,
            "close_bets": self._close_bets,
            "decide": self._decide,
            "reveal": self._reveal,
            "close_round": lambda _prompt: self._close_round(),
            "return_cards": lambda _prompt: self._say(self._stack.return_cards()),
            "resolve": lambda _prompt: self._resolve(),
            "nothing": lambda _prompt: self._finish(),
        }

    @property
    def mistakes_made(self) -> Counter[Mistake]:
        """The mistakes he made so far."""
        return self._slips.made

    @property
    def rounds_played(self) -> int:
        """Rounds closed, void ones and demonstrations too."""
        return self._situation.rounds

    @property
    def games_played(self) -> int:
        """Shoe games that are over."""
        return self._situation.games

    # --- the table speaks -------------------------------------------------------------------------------------------

    def heard(self, outputs: Sequence[AnyOutput]) -> None:
        """Take the table's outputs for one input, ``table`` included. He acts on the newest after a while."""
        if self.done:
            return
        self._silences = 0
        was_down = self._situation.is_link_down
        self._situation.notice(outputs)
        if not was_down and not self._situation.is_link_down:
            self._pulled = None
        if self._situation.refused is None:
            self._refusals = 0
        elif isinstance(self._said, Resolve | Void):
            self._incidents.refused()
        else:
            self._refusals += 1
        if self._situation.next is not None:
            self._rhythm.plan(self._what_takes_time(self._situation.next))

    def tell_to_close(self) -> None:
        """Close the table after this round."""
        self._is_closing = True

    # --- acting -----------------------------------------------------------------------------------------------------

    def _act(self) -> None:
        prompt = self._situation.next
        if self.done or prompt is None:
            return
        if self._refusals > _REFUSALS_MAX and prompt.do not in ("resolve", "nothing"):
            self._retreat()
        elif prompt.do in ("draw", "burn") and self._pulled is not None:
            # Pulled while the line was down: the table may not know of it.
            self._rhythm.wait_for_answer(self._unheard)
        elif self._strays and prompt.do != "resolve":
            self._report_stray()
        else:
            self._acts[prompt.do](prompt)

    def _say(self, event: AnyInput) -> None:
        self._said = event
        # First the wait: the answer may come before the call returns.
        self._rhythm.wait_for_answer(self._unheard)
        self._say_to_table(event)

    def _unheard(self) -> None:
        self._silences += 1
        pulled, self._pulled = self._pulled, None
        if self._silences > _SILENCES_MAX:
            self._get_stuck("the table does not answer")
        elif self._hands.shoe.errors:
            self._pulled = pulled
            self._hands.shoe.clear_error()
            self._rhythm.wait_for_answer(self._unheard)
        elif pulled is not None and pulled.cut_card:
            self._say(CutCard())
        elif pulled is not None and pulled.cards:
            # The telegram was lost. What the shoe does not report, a person enters.
            index = len(self._hands.out) - len(pulled.cards)
            self._incidents.note_known(index)
            self._say(CardDrawn(card=pulled.cards[0].card))
        else:
            self._act()

    def _retreat(self) -> None:
        """The table refuses what its own prompt asks for: end the shoe game, else close, else be stuck."""
        self._is_closing = True
        if self._refusals == _REFUSALS_MAX + 1:
            self._say(ShoeEnded(reason="the table does not go on"))
        elif self._refusals == _REFUSALS_MAX + 2:
            self._say(Closed())
        else:
            prompt = self._situation.next
            what = prompt.do if prompt is not None else "nothing"
            self._get_stuck(f"asked to {what}, and refused with {self._situation.refused}")

    def _get_stuck(self, why: str) -> None:
        self.stuck = why
        self._finish()

    def _finish(self) -> None:
        self._rhythm.stop()
        if not self.done:
            self.done = True
            if self.on_done is not None:
                self.on_done()

    def _what_takes_time(self, prompt: Next) -> Do:
        bets = self._situation.is_between_rounds and self._players is not None and not self._is_opened
        return "close_bets" if bets else prompt.do

    def _must_stop(self) -> bool:
        games, rounds = self._orders.games, self._orders.rounds
        return (
            self._is_closing
            or self._incidents.has_lost_device
            or (games is not None and self._situation.games >= games)
            or (rounds is not None and self._situation.rounds >= rounds)
        )

    # --- the stack --------------------------------------------------------------------------------------------------

    def _shuffle(self) -> None:
        shoe = self._hands.shoe
        if self._situation.is_shoe_over:
            if shoe.cards_left and not self._is_counted and self._slips.one_of("early_card"):
                self._pull()
                return
            if self._orders.counts_stack and not self._is_counted:
                self._is_counted = True
                self._say(StackCounted(cards=shoe.cards_left))
                return
        if self._must_stop():
            self._say(Closed())
            return
        shuffled = self._stack.shuffle()
        self._incidents.stack_is_gone()
        self._situation.shoe_begins()
        self._strays.clear()
        self._is_counted = False
        self._is_opened = False
        self._demonstrations = 0
        self._say(shuffled)

    # --- dealing ----------------------------------------------------------------------------------------------------

    def _deal(self, prompt: Next) -> None:
        if self._situation.is_between_rounds and self._opens_round(prompt):
            return
        shoe = self._hands.shoe
        if not lamps.is_ready(shoe) or not lamps.is_in_step(shoe, self._situation, prompt):
            self._rhythm.settle()
            return
        possible: list[Mistake] = []
        if shoe.cards_left and not shoe.is_card_half_out:
            possible.append("pushed_back")
        if prompt.do == "burn" and self._situation.rounds_in_shoe == 0:
            possible.append("forgotten_burn")
        match self._slips.one_of(*possible):
            case "pushed_back":
                shoe.start_draw()
                shoe.push_back(midway=self._rng.random() < 1 / 2)
                self._rhythm.wait_for_answer(self._unheard)
            case "forgotten_burn":
                wagers = self._players.wagers() if self._players is not None else []
                self._say(_bets_closed(wagers) if wagers else Demonstration())
            case _:
                self._pull()

    def _opens_round(self, prompt: Next) -> bool:
        """What comes between two rounds before a card; whether anything did."""
        if self._must_stop():
            self._say(ShoeEnded(reason="end of play") if "shoe_ended" in self._situation.actions else Closed())
            return True
        if self._is_opened:
            return False
        self._is_opened = True
        if "demonstration" in self._situation.actions and self._demonstrations < self._orders.demonstrations:
            self._demonstrations += 1
            self._say(Demonstration())
            return True
        wagers = self._players.wagers() if self._players is not None else []
        if wagers or prompt.do == "close_bets":
            self._say(_bets_closed(wagers))
            return True
        return False

    def _close_bets(self, prompt: Next) -> None:
        self._is_opened = False
        self._opens_round(prompt)

    def _pull(self) -> None:
        pulled = self._hands.draw()
        if not pulled.cards and not pulled.cut_card:
            self._come_up_empty()
            return
        self._pulled = pulled
        end = len(self._hands.out)
        # Two at once: the second lies there, and the table hears of it from him.
        self._strays.extend(range(end - len(pulled.cards) + 1, end))
        self._rhythm.wait_for_answer(self._unheard)

    def _come_up_empty(self) -> None:
        """The table believes that there is a card, and there is none."""
        if self._situation.is_between_rounds or self._situation.rounds_in_shoe == self._situation.dealt == 0:
            self._say(ShoeEnded(reason="the shoe is empty"))
        else:
            self._say(Void(reason="the shoe is empty", by=list(self._orders.persons)))

    def _report_stray(self) -> None:
        index = self._strays.popleft()
        self._incidents.note_known(index)
        self._say(CardDrawn(card=self._hands.out[index].card))

    def _decide(self, prompt: Next) -> None:
        action: DecisionAction = "stand"
        for known in ("stand", "fold", "surrender", "play", "challenge", "even_money", "half_pay"):
            if known in self._situation.actions:
                action = known
                break
        self._say(Decision(seat=prompt.seat or 1, hand=prompt.hand or 1, action=action))

    def _reveal(self, prompt: Next) -> None:
        if self._hands.shoe.cards_left and self._slips.one_of("extra_card"):
            self._pull()
            return
        who = prompt.to if prompt.to is not UNSET else "player"
        self._say(Revealed(who=who, seat=prompt.seat, hand=prompt.hand))

    # --- the end of a round -----------------------------------------------------------------------------------------

    def _close_round(self) -> None:
        shoe, situation = self._hands.shoe, self._situation
        if not lamps.is_ready(shoe):
            self._rhythm.settle()
            return
        right = _BUTTONS[situation.outcome] if situation.outcome is not None else None
        if not lamps.has_hands_on_display(shoe, situation):
            if shoe.cards_left and self._slips.one_of("early_card"):
                self._pull()
                return
            self._hands.collect(keep=situation.held)
            self._is_opened = False
            self._say(RoundClosed())
            return
        if right is None or shoe.verdict is not right:
            shoe.force_end()
        else:
            possible: list[Mistake] = ["wrong_button", "extra_card"] if shoe.cards_left else ["wrong_button"]
            match self._slips.one_of(*possible):
                case "extra_card":
                    self._pull()
                    return
                case "wrong_button":
                    shoe.press(self._rng.choice([one for one in _BUTTONS.values() if one is not right]))
                case _:
                    shoe.press(right)
        self._rhythm.settle()

    # --- what goes wrong --------------------------------------------------------------------------------------------

    def _resolve(self) -> None:
        try:
            event = self._incidents.settle()
        except LookupError as error:
            self._get_stuck(str(error))
            return
        if event is not None:
            self._say(event)


def _bets_closed(wagers: Sequence[Wager]) -> BetsClosed:
    return BetsClosed(seats=sorted({wager.seat for wager in wagers}), wagers=list(wagers))
