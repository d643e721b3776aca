"""A croupier's routine at any table."""

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import UNSET

from regulations.events.inputs import (
    AnyInput,
    BetsClosed,
    Closed,
    Decision,
    Demonstration,
    Revealed,
    ShoeEnded,
    StackCounted,
    Void,
)
from regulations.events.notices import Notice
from regulations.events.outputs import AnyOutput, Next
from regulations.events.vocabulary import DecisionAction, Do, Game, ShoeEndReason
from regulations.games.registry import SHEETS
from sim.clock import Clock
from sim.croupier.action_timer import ActionTimer
from sim.croupier.incidents import Incidents, Remedies
from sim.croupier.instructions import HouseInstructions
from sim.croupier.mistakes import Mistake, Mistakes
from sim.croupier.pace import Pace
from sim.croupier.situation import PromptState
from sim.croupier.stack_work import StackWork
from sim.croupier.table_talk import TableTalk
from sim.croupier_actions import CroupierActions, DealingDevice
from sim.players import Players

_REFUSALS_MAX: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CroupierTraits:
    """``mistakes``: or their rate, 0 to 1; ``players`` ``None``: the first card closes the bets."""

    say: Callable[[AnyInput], object]
    rng: random.Random
    clock: Clock
    game: Game
    mistakes: float | Mistakes = 0.0
    players: Players | None = None
    pace: Pace = field(default_factory=Pace)
    orders: HouseInstructions = field(default_factory=HouseInstructions)


class Routine(ABC):
    """All calls come from the thread of its clock."""

    def __init__(
        self,
        person: CroupierTraits,
        hands: CroupierActions[DealingDevice],
        quiet_at_s: Callable[[], float],
        remedies: Remedies,
    ) -> None:
        self._rng: Final = person.rng
        self._orders: Final = person.orders
        self._players: Final = None if person.orders.hands_only else person.players
        mistakes = person.mistakes
        self._slips: Final = mistakes if isinstance(mistakes, Mistakes) else Mistakes(person.rng, mistakes)
        self._sheet: Final = SHEETS[person.game]
        self._table_hands = hands
        self._situation: Final = PromptState()
        self._stack: Final = StackWork(hands, self._sheet.law, person.orders, person.rng)
        self._rhythm: Final = ActionTimer(person.clock, person.rng, person.pace, quiet_at_s, self._act)
        self._incidents: Final = Incidents(self._situation, remedies, person.orders, self._rhythm, self._act)
        self._talk: Final = TableTalk(
            person.say,
            self._rhythm,
            hands_only=person.orders.hands_only,
            unheard=self._unheard,
            give_up=self._get_stuck,
        )
        self._submit: Final = self._talk.submit
        self._refusals = 0
        self._is_opened = False
        self._is_counted = False
        self._is_closing = False
        self._demonstrations = 0
        self.done = False
        """The table is closed, or it is stuck."""
        self.stuck: str | None = None
        """``None`` while it works."""
        self.on_done: Callable[[], object] | None = None
        # Every prompt there is has its act: a missing one would be a KeyError at the first table that sends it.
        self._acts: Final[dict[Do, Callable[[Next], None]]] = {
            "shuffle": lambda _prompt: self._shuffle(),
            "cut": lambda _prompt: self._cut(),
            "place_cut_card": lambda _prompt: self._place_cut_card(),
            "load": lambda _prompt: self._load(),
            "burn": self._deal,
            "draw": self._deal,
            "close_bets": self._close_bets,
            "decide": self._decide,
            "reveal": self._reveal,
            "close_round": lambda _prompt: self._close_round(),
            "return_cards": lambda _prompt: self._return_cards(),
            "resolve": lambda _prompt: self._resolve(),
            "nothing": lambda _prompt: self._finish(),
        }

    @property
    def _device(self) -> DealingDevice:
        return self._table_hands.device

    @property
    def mistakes_made(self) -> Counter[Mistake]:
        return self._slips.made

    @property
    def rounds_played(self) -> int:
        return self._situation.rounds

    @property
    def games_played(self) -> int:
        return self._situation.games

    # --- the table speaks -------------------------------------------------------------------------------------------

    def apply(self, outputs: Sequence[AnyOutput], to: AnyInput | None = None) -> None:
        """``to`` ``None``: this croupier's own input."""
        if self.done:
            return
        before = self._situation.next
        self._talk.on_outputs(to)
        self._situation.notice(outputs)
        self._notice(outputs)
        if self._players is not None:
            self._players.notice(outputs)
        if not self._talk.is_answered or (isinstance(to, Notice) and self._situation.next == before):
            return  # an act on the prompt that a notice repeats may be under way
        self._talk.said = None
        if self._situation.refused is None or self._orders.hands_only:
            self._refusals = 0
        elif self._talk.is_settling:
            self._incidents.refused()
        else:
            self._refusals += 1
        prompt = self._situation.next
        if prompt is not None and prompt.do == "close_round" and self._orders.hands_only:
            # The device's round ends before whoever says that the table's is over can say so.
            self._rhythm.wait(0.0, self._act)
        elif prompt is not None:
            self._rhythm.plan(self._what_takes_time(prompt))

    def close_after_round(self) -> None:
        self._is_closing = True

    # --- what differs -----------------------------------------------------------------------------------------------

    @abstractmethod
    def _notice(self, outputs: Sequence[AnyOutput]) -> None:
        """Take from the outputs what only this croupier needs."""

    @abstractmethod
    def _must_wait(self, prompt: Next) -> bool:
        """True if something comes before the act that is asked for."""

    @abstractmethod
    def _unheard(self) -> None:
        """The table did not answer in time."""

    @abstractmethod
    def _draw_as_prompted(self, prompt: Next) -> None:
        """Draw the card that is due, or make a mistake."""

    @abstractmethod
    def _pull(self) -> None:
        """Take out whatever comes next."""

    @abstractmethod
    def _show(self, prompt: Next) -> Revealed:
        """The input that turns the hand of the prompt."""

    @abstractmethod
    def _close_round(self) -> None:
        """End the round, and collect its cards."""

    def _can_pull(self) -> bool:
        return bool(self._device.cards_left)

    # --- acting -----------------------------------------------------------------------------------------------------

    def _act(self) -> None:
        prompt = self._situation.next
        if self.done or prompt is None:
            return
        if self._refusals > _REFUSALS_MAX and prompt.do not in ("resolve", "nothing"):
            self._retreat()
        elif not self._must_wait(prompt):
            self._acts[prompt.do](prompt)

    def _retreat(self) -> None:
        self._is_closing = True
        ways_back: list[AnyInput] = [self._shoe_ended("house"), Closed()]
        if self._situation.dealt:
            ways_back.insert(
                0, Void(ground="misdeal", reason="the table does not continue", by=list(self._orders.persons))
            )
        step = self._refusals - _REFUSALS_MAX - 1
        if step < len(ways_back):
            self._submit(ways_back[step])
            return
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
        return self._incidents.has_lost_device or self._has_done_enough()

    def _has_done_enough(self) -> bool:
        games, rounds = self._orders.games, self._orders.rounds
        return (
            self._is_closing
            or (games is not None and self._situation.games >= games)
            or (rounds is not None and self._situation.rounds >= rounds)
        )

    # --- the stack --------------------------------------------------------------------------------------------------

    def _begin_shoe(self, prepare: Callable[[], AnyInput | None]) -> None:
        if self._situation.is_shoe_over:
            if self._can_pull() and not self._is_counted and self._slips.one_of("early_card"):
                self._pull()
                return
            if self._orders.counts_stack and not self._is_counted:
                self._is_counted = True
                self._submit(StackCounted(cards=self._count()))
                return
        if self._must_stop():
            self._submit(Closed())
            return
        prepared = prepare()
        self._cards_are_gathered()
        self._situation.shoe_begins()
        self._is_counted = False
        self._is_opened = False
        self._demonstrations = 0
        if prepared is not None:
            self._submit(prepared)

    def _shuffle(self) -> None:
        self._begin_shoe(self._stack.shuffle)

    def _cut(self) -> None:
        self._submit(self._stack.cut())

    def _place_cut_card(self) -> None:
        self._submit(self._stack.place_cut_card(self._situation.options))

    def _count(self) -> int:
        return self._device.cards_left

    def _cards_are_gathered(self) -> None:
        self._incidents.stack_is_gone()

    def _load(self) -> None:
        if self._situation.is_shoe_over:
            # Equipment that needs no preparation: loading is how the next shoe game begins.
            self._begin_shoe(self._stack.load)
        else:
            self._submit(self._stack.load())

    def _return_cards(self) -> None:
        self._submit(self._stack.return_cards())

    # --- dealing ----------------------------------------------------------------------------------------------------

    def _deal(self, prompt: Next) -> None:
        if self._situation.is_between_rounds and (self._opens_round(prompt) or self._orders.hands_only):
            return
        self._draw_as_prompted(prompt)

    def _shoe_ended(self, reason: ShoeEndReason) -> ShoeEnded:
        two = self._situation.options.get("shoe_ended_by") == "two"
        return ShoeEnded(reason=reason, by=list(self._orders.persons) if two else [])

    def _opens_round(self, prompt: Next) -> bool:
        if self._must_stop():
            self._submit(self._shoe_ended("house") if "shoe_ended" in self._situation.actions else Closed())
            return True
        if self._is_opened:
            return False
        self._is_opened = True
        if "demonstration" in self._situation.actions and self._demonstrations < self._orders.demonstrations:
            self._demonstrations += 1
            self._submit(Demonstration())
            return True
        closed = self._bets(needed=prompt.do == "close_bets")
        if closed.seats or prompt.do == "close_bets" or self._must_close_bets():
            needed = self._sheet.cards_needed(self._situation.options, len(closed.seats))
            self._submit(closed if self._device.cards_left >= needed else self._shoe_ended("too_few_cards"))
            return True
        return False

    def _must_close_bets(self) -> bool:
        return False

    def _close_bets(self, prompt: Next) -> None:
        self._is_opened = False
        self._opens_round(prompt)

    def _bets(self, *, needed: bool = False) -> BetsClosed:
        return self._players.bets(needed=needed) if self._players is not None else BetsClosed(seats=[], wagers=[])

    def _come_up_empty(self) -> None:
        if self._situation.is_between_rounds or self._situation.rounds_in_shoe == self._situation.dealt == 0:
            self._submit(self._shoe_ended("too_few_cards"))
        else:
            self._submit(Void(ground="malfunction", reason="the device is empty", by=list(self._orders.persons)))

    def _decide(self, prompt: Next) -> None:
        action: DecisionAction = "stand"
        for known in ("stand", "fold", "surrender", "play", "challenge", "even_money", "half_pay"):
            if known in self._situation.actions:
                action = known
                break
        who = prompt.id if prompt.id is not UNSET else 1
        self._submit(Decision(seat=prompt.seat or 1, hand=prompt.hand or 1, action=action, id=who))

    def _reveal(self, prompt: Next) -> None:
        if self._can_pull() and self._slips.one_of("extra_card"):
            self._pull()
        else:
            self._submit(self._show(prompt))

    # --- what goes wrong --------------------------------------------------------------------------------------------

    def _resolve(self) -> None:
        if self._orders.hands_only:
            return
        try:
            event = self._incidents.settle()
        except LookupError as error:
            self._get_stuck(str(error))
            return
        if event is not None:
            self._submit(event, settles=True)
