"""What a blackjack round remembers, to be laid anew after a misdeal (56/2004 art. 5.º-1(2), reading J23)."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, cast

from msgspec import UNSET

from regulations.blackjack.law import BETS
from regulations.blackjack.misdeal import Act, Laid, Replay, Settlements, Turns, reversed_in, settlements_in, turns_of
from regulations.blackjack.play import Play
from regulations.blackjack.rows import ARTICLES
from regulations.blackjack.settlement import SIDE_BETS, Verdict
from regulations.blackjack.states import PHASES, RoundState
from regulations.blackjack.wagers import Wagers
from regulations.desk import Desk
from regulations.drawn import Drawn, Place
from regulations.events.inputs import BetsClosed, BetsCorrected, Decision, Reassignment, Revealed
from regulations.events.outputs import AnyOutput, Burned, Dealt, Irregularity, Refused, Reversed, Settled
from regulations.events.results import BlackjackResult
from regulations.payouts import Payout, rule_for
from regulations.round.bets import BetLaw
from regulations.round.seat_round import SeatRound
from regulations.rows import Row
from regulations.stack import Stack

J23: Final = "reading J23"
BET_LAW: Final = BetLaw(bets=BETS, main="main", needs=dict.fromkeys(SIDE_BETS, "main"))


class RepeatableRound(SeatRound[RoundState]):
    """A round that can be played once more with its cards at other places: its bets, cards and acts are kept.

    Args:
        desk: what the machines of the table share.
        rows: the rule table.
        payouts: the rules of settlement.
        round_over: called when a round is closed: the shoe game goes on.
    """

    _play: Play
    _wagers: Wagers

    def __init__(
        self, desk: Desk, rows: Sequence[Row], payouts: Sequence[Payout[Verdict]], round_over: Callable[[], None]
    ) -> None:
        self._rule_for: Final = partial(rule_for, payouts)
        self._trial_at: Final[Callable[[Desk], RepeatableRound]] = lambda desk: type(self)(
            desk, rows, payouts, lambda: None
        )
        """Makes a trial of this round at another desk."""
        self._opening: BetsClosed
        """The bets of the open round."""
        self._acts: list[Act] = []
        self._laid_in: list[Laid] = []
        """When each card of the round was laid."""
        self._valid: list[Drawn] = []
        """Cards that came out face up and are taken as valid."""
        self._result: BlackjackResult | None = None
        super().__init__(desk, rows, PHASES, ARTICLES, BET_LAW, round_over)

    def _note(self, event: Decision | Revealed, turned: Sequence[Drawn]) -> None:
        self._acts.append(Act(after=len(self.came_out), event=event, turned=turned))

    def _lay_at(self, drawn: Drawn, place: Place) -> None:
        super()._lay_at(drawn, place)
        # In a trial no card has come out; nobody asks it when its cards were laid.
        index = next((index for index, one in enumerate(self.came_out) if one is drawn), 0)
        self._laid_in.append((drawn, (index, 0)))
        self._play.note_card(place)

    def take_bets(self) -> None:
        """Notes the seats that play and what lies on the table, in place of what was noted before."""
        super().take_bets()
        event = self._desk.event
        if isinstance(event, BetsCorrected):
            event = BetsClosed(seats=event.seats, wagers=event.wagers)
        self._opening = cast("BetsClosed", event)
        self._play.begin(self._seats)
        self._wagers.note_deciders()

    def turn_cards(self) -> None:
        """Turns the cards that the event names, then lets the rows judge the table."""
        self._note(cast("Revealed", self._desk.event), self._hands.hidden(self._showing.owner))
        super().turn_cards()

    def clear_game(self) -> None:
        """Forgets what the game keeps of the round that is being closed, or laid anew."""
        self._play.clear()
        self._acts, self._valid, self._laid_in = [], [], []
        self._result = None
        self._burned = False

    @abstractmethod
    def place_of_extra(self) -> Place | None:
        """Where an additional card of the croupier lies that the table takes as valid, if it takes one now."""

    # --- correcting a misdeal ---------------------------------------------------------------------------------------

    def misplaced(self, wanted: Sequence[Reassignment]) -> str | None:
        """What is wrong with a reassignment of the round's cards (art. 5.º-1(2), reading J23)."""
        turns = turns_of(self.came_out, wanted, self._laid_in)
        if isinstance(turns, str):
            return turns
        hidden = {id(drawn) for act in self._acts for drawn in act.turned}
        valid = {id(drawn) for drawn in self._valid}
        cards = [
            replace(drawn, place=None, is_open=drawn.is_open and id(drawn) not in hidden) for drawn in self.came_out
        ]
        trial = self._trial()
        trial.begin_trial(
            self._opening,
            after=self._rounds_in_shoe - 1,
            valid=[card for card, drawn in zip(cards, self.came_out, strict=True) if id(drawn) in valid],
        )
        return Replay(trial, cards, turns, self._acts, trial.objection).run()

    def _trial(self) -> "RepeatableRound":
        """A round of the same table, to try what the rules make of other cards; nobody hears of it."""
        desk = Desk(self._desk.table, self._desk.law)
        desk.adopt(self._desk.equipment)
        desk.stack = Stack(self._desk.stack.decks)
        trial = self._trial_at(desk)
        desk.ways_of_the_round = trial.ways_out
        return trial

    def begin_trial(self, opening: BetsClosed, *, after: int, valid: list[Drawn]) -> None:
        """Begins this round as a trial of another.

        Args:
            opening: its bets.
            after: how many rounds of the shoe game came before it.
            valid: the cards that came out face up and were taken as valid.
        """
        self._rounds_in_shoe = after
        self._valid = valid
        self._desk.begin(opening)
        self.fire("bets_closed")

    def objection(self) -> str | None:
        """What this round has objected to, if it has: for a trial."""
        found = [said.detail for said in self._desk.answer if isinstance(said, Refused | Irregularity)]
        return str(found[0]) if found else None

    def lay_again(self, drawn: Drawn) -> None:
        """Gives the round a card once more."""
        self._desk.drawn = drawn
        self.fire("extra_card" if self.state is RoundState.DECIDED else "card")
        self._desk.drawn = None

    def act_again(self, act: Act) -> None:
        """Gives the round a decision or a reveal once more."""
        self._desk.event = act.again
        self.fire("decision" if isinstance(act.event, Decision) else "revealed")

    def reassign(self, wanted: Sequence[Reassignment]) -> None:
        """Lays the round's cards anew, as two persons say they should have lain, and says what that changes."""
        # The gate has asked `misplaced` before.
        turns = cast("Turns", turns_of(self.came_out, wanted, self._laid_in))
        desk, came_out = self._desk, self.came_out
        answer, event, before = desk.answer, desk.event, self._result
        places, seen = [drawn.place for drawn in came_out], [drawn.is_open for drawn in came_out]
        old = Settlements(
            by_result=reversed_in(self._heard(lambda: self._ledger.reverse(J23))),
            on_the_way=reversed_in(self._heard(lambda: self._ledger.reverse(J23, whole_round=True))),
        )
        new = settlements_in(self._heard(lambda: self._play_again(turns, seen)))
        desk.answer, desk.event = answer, event
        moved = [drawn for drawn, place in zip(came_out, places, strict=True) if drawn.place != place]
        self._say_changes(old, new, moved, before)

    def _heard(self, act: Callable[[], None]) -> list[AnyOutput]:
        """What is said of an act, for us alone."""
        self._desk.answer = []
        act()
        return self._desk.answer

    def _play_again(self, turns: Turns, seen: Sequence[bool]) -> None:
        acts, valid = self._acts, self._valid
        self.fire("rewind")
        self._valid = valid
        self._ledger.lying = []
        self._ledger.take(self._opening.wagers)
        for act in acts:
            for drawn in act.turned:
                drawn.is_open = False
        again = Replay(self, self.came_out, turns, acts, lambda: None)
        again.run()
        self._acts, self._laid_in = acts, again.laid_in
        # What everybody has seen stays open at a seat; the croupier's second card is turned in its time (reading J12).
        hidden = [drawn for drawn, was in zip(self.came_out, seen, strict=True) if was and not drawn.is_open]
        at_seats = [drawn for drawn in hidden if drawn.place is not None and drawn.place.to == "seat"]
        for drawn in at_seats:
            drawn.is_open = True
        if at_seats:
            self.fire("shown")

    def _say_changes(
        self, old: Settlements, new: Settlements, moved: Sequence[Drawn], before: BlackjackResult | None
    ) -> None:
        """Says what fell, where cards lie now, and what is decided anew; nothing of what stands as it was."""
        desk, other = self._desk, self._result != before
        falling = [*old.without(new), *(old.by_result if other else ())]
        if falling:
            desk.say(Reversed(article=J23, wagers=falling))
        for drawn in moved:
            desk.say(_moved(drawn))
        if fresh := new.without(old):
            desk.say(Settled(article=fresh[0].article, wagers=fresh))
        if other and self._result is not None:
            desk.say(self._result)
            if new.by_result:
                desk.say(Settled(article=new.by_result[0].article, wagers=new.by_result))


def _moved(drawn: Drawn) -> Burned | Dealt:
    place = drawn.place
    if place is None or place.to == "burn":
        return Burned(article=J23, card=drawn.shown, why="misdeal")
    return Dealt(
        article=J23,
        card=drawn.shown,
        to=place.to,
        seat=place.seat or UNSET,
        hand=place.hand or UNSET,
        position=place.position,
    )
