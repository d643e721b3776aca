"""One baccarat table's rounds: the actor behind the rows of :mod:`regulations.baccarat.rows`."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import UNSET

from regulations.baccarat.law import art
from regulations.baccarat.misdeal import Layout
from regulations.baccarat.rows import CARD_DUE, DEALING, ROWS, SHOWING, VOIDABLE, RoundState
from regulations.baccarat.settlement import BETS, PAYOUTS, Payout, Verdict, settle
from regulations.baccarat.tableau import (
    BANKER_ALWAYS_DRAWS_TO,
    BANKER_DRAWS_ALONE_TO,
    BANKER_DRAWS_ON,
    DEAL_ORDER,
    INITIAL_CARDS,
    PLAYER_DRAWS_TO,
    POINTS,
    is_natural,
    outcome_of,
    pairs_of,
    points_of,
    third_card_due,
)
from regulations.cards import Card, rank_of
from regulations.desk import Desk
from regulations.drawn import Drawn, Place
from regulations.events.inputs import BetsClosed, DeviceResult, Revealed, Void, Wager
from regulations.events.outputs import (
    Burned,
    Dealt,
    Hands,
    Next,
    Points,
    Resolved,
    Result,
    ReturnedWager,
    Reveal,
    Reversed,
    Settled,
    SettledWager,
    Voided,
)
from regulations.events.vocabulary import Side
from regulations.irregularities import WAYS_OUT
from regulations.rows import Row, RuleMachine
from regulations.shoe_game import BURN_PLACE

R = RoundState
PLACE_DUE: Final[dict[RoundState, Place]] = {
    R.PLAYER_1: ("player", 1),
    R.BANKER_1: ("banker", 1),
    R.PLAYER_2: ("player", 2),
    R.BANKER_2: ("banker", 2),
    R.PLAYER_3: ("player", 3),
    R.BANKER_3: ("banker", 3),
}
SHOWN_BY: Final[dict[RoundState, Side]] = {
    R.SHOW_PLAYER: "player",
    R.SHOW_BANKER: "banker",
    R.SHOW_PLAYER_3: "player",
    R.SHOW_BANKER_3: "banker",
}


def two_persons(by: Sequence[int | str]) -> bool:
    """Whether at least two different persons answer."""
    return len({str(person) for person in by}) > 1


class BaccaratRound:
    """The rounds of one table, one after the other, on one long-lived machine.

    Args:
        desk: what the machines of the table share.
        round_over: called when a round is closed: the shoe game goes on.
        rows: the rule table; the whole one unless a test takes a row out.
        payouts: the rules of settlement, likewise.
    """

    def __init__(
        self,
        desk: Desk,
        round_over: Callable[[], None],
        rows: Sequence[Row] = ROWS,
        payouts: Sequence[Payout] = PAYOUTS,
    ) -> None:
        self._desk: Final = desk
        self._round_over: Final = round_over
        self._payouts: Final = payouts
        self.came_out: list[Drawn] = []
        """The round's cards in the order in which they left the shoe."""
        self._hands: dict[str, list[Drawn]] = {"player": [], "banker": []}
        self._wagers: list[Wager] = []
        self._demonstration_announced = False
        self._is_demonstration = False
        self._round_burned = False
        self._result: Result | None = None
        self._settled: list[SettledWager] = []
        self._device_result: DeviceResult | None = None
        self._device_heard = False
        self._unconfirmed: Result | None = None
        """The last round's result while the device has not reported its own."""
        self.void_reason = ""
        self.machine: Final = RuleMachine(RoundState, rows, self, RoundState.IDLE)

    # --- the machine's side ------------------------------------------------------------------------------------------

    @property
    def state(self) -> RoundState:
        """Where the round stands."""
        return RoundState(self.machine.state)

    def fire(self, trigger: str) -> None:
        """Gives the machine a trigger; a card is laid at its place before the rows look at the hands."""
        if trigger == "card":
            self._lay()
        self.machine.fire(trigger)

    def moved(self, row: Row) -> None:
        """Keeps what the desk shows of the round in step with the machine."""
        self._desk.round_open = row.dest is not R.IDLE
        self._desk.round_voidable = row.dest in VOIDABLE

    def refuse(self, row: Row) -> None:
        """Refuses by a row."""
        self._desk.refuse(row)

    def open_irregularity(self, row: Row) -> None:
        """Opens a row's irregularity, about the card in hand where there is one."""
        self._desk.open_irregularity(row, drawn=self._desk.drawn)

    @property
    def is_idle(self) -> bool:
        """Whether no round is open."""
        return self.state is R.IDLE

    @property
    def is_dealing(self) -> bool:
        """Whether the round's first card, burn included, is out and its result is not."""
        return self.state in DEALING

    def due(self) -> Place | None:
        """The place that gets the next card, or ``None`` if no card is due."""
        state = self.state
        if state in (R.IDLE, R.OPENED):
            return BURN_PLACE if self.round_burn_due() else ("player", 1)
        return PLACE_DUE.get(state)

    def shows(self, place: Place) -> bool:
        """Whether a card at this place lies face up at once (arts. 7.º-2, 16.º)."""
        return place != BURN_PLACE and self._desk.options.get("deal", "face_up") == "face_up"

    def _lay(self) -> None:
        desk = self._desk
        drawn, place = desk.drawn, self.due()
        if drawn is None or place is None or place == BURN_PLACE:
            return
        to, position = place
        side: Side = "player" if to == "player" else "banker"
        moved_here = drawn.place != place
        drawn.place = place
        drawn.is_open = drawn.is_open or drawn.face_up or self.shows(place)
        self._hands[side].append(drawn)
        if moved_here:
            called_by = self.machine.moved_by
            third = position > 2  # noqa: PLR2004  # two cards each come by art. 7.º-1, the third by the tableau
            article = called_by.article if third and called_by is not None else art("7.º-1")
            desk.say(Dealt, article=article, card=drawn.shown, to=side, position=position)

    def say_next(self, article: str) -> None:
        """Says what the croupier must do now."""
        state, desk = self.state, self._desk
        moved_by = self.machine.moved_by
        if state in (R.DECIDED, R.VOID):
            desk.say(Next, article=art("7.º-1") if state is R.DECIDED else art("10.º"), do="close_round")
        elif state in SHOWING:
            third = state in (R.SHOW_PLAYER_3, R.SHOW_BANKER_3)
            desk.say(Next, article=art("16.º-2") if third else art("7.º-1"), do="reveal", to=SHOWN_BY[state])
        elif state in CARD_DUE:
            to, position = PLACE_DUE[state]
            called = moved_by.article if moved_by is not None and position > 2 else art("7.º-1")  # noqa: PLR2004
            desk.say(Next, article=called, do="draw", to=to, position=position)
        elif self.round_burn_due():
            desk.say(Next, article=art("8.º"), do="burn", actions=self._between_rounds())
        else:
            to, position = DEAL_ORDER[len(desk.held)] if self.is_idle else ("player", 1)
            desk.say(Next, article=art("7.º-1"), do="draw", to=to, position=position, actions=self._between_rounds())

    def _between_rounds(self) -> object:
        if not self.is_idle:
            return UNSET
        demonstration = not (
            self.without_a_shoe()
            or self.wagered_round_dealt()
            or self.demonstration_announced()
            or self.demonstrations_used_up()
        )
        self._desk.why = ""
        return [*(["demonstration"] if demonstration else []), "shoe_ended", "closed"]

    # --- guards: bets ------------------------------------------------------------------------------------------------

    def _found(self, fault: str | None) -> bool:
        self._desk.why = fault or ""
        return fault is not None

    def _bets(self) -> tuple[Sequence[int], Sequence[Wager]]:
        event = self._desk.event
        return (event.seats, event.wagers) if isinstance(event, BetsClosed) else ((), ())

    def seat_unknown(self) -> bool:
        """Whether a seat does not exist, is named twice, or has a wager without playing."""
        seats, wagers = self._bets()
        places = self._desk.table.seats
        for seat in seats:
            if not 1 <= seat <= places:
                return self._found(f"seat {seat}, the table has 1 to {places}")
        for wager in wagers:
            if wager.seat not in seats:
                return self._found(f"seat {wager.seat} has a wager and is not among `seats`")
        return self._found("a seat is named twice" if len(set(seats)) < len(seats) else None)

    def demonstration_with_wagers(self) -> bool:
        """Whether wagers are laid on a demonstration."""
        return self._demonstration_announced and bool(self._bets()[1])

    def wager_of_another_game(self) -> bool:
        """Whether a wager is none of art. 13.º."""
        bet = next((wager.bet for wager in self._bets()[1] if wager.bet not in BETS), None)
        return self._found(None if bet is None else f"{bet!r}; there are {', '.join(sorted(BETS))}")

    def wager_twice(self) -> bool:
        """Whether a seat, bet and bettor occur twice."""
        keys = [(wager.seat, wager.bet, wager.id) for wager in self._bets()[1]]
        return self._found("tell bettors on one seat apart by `id`" if len(set(keys)) < len(keys) else None)

    def wager_missing(self) -> bool:
        """Whether a seat plays without a wager, or a stake is no money."""
        seats, wagers = self._bets()
        for wager in wagers:
            if wager.stake < 1:
                return self._found(f"seat {wager.seat}, {wager.bet}: {wager.stake} minor units")
        missing = [] if self._demonstration_announced else sorted(set(seats) - {wager.seat for wager in wagers})
        return self._found(f"seat {missing[0]}" if missing else None)

    # --- guards: demonstrations --------------------------------------------------------------------------------------

    def without_a_shoe(self) -> bool:
        """Whether no shoe deals."""
        return self._desk.is_direct

    def wagered_round_dealt(self) -> bool:
        """Whether a wagered round of this shoe has begun."""
        return self._desk.wagered_in_shoe

    def demonstration_announced(self) -> bool:
        """Whether the coming round is a demonstration."""
        return self._demonstration_announced

    def demonstrations_used_up(self) -> bool:
        """Whether the profile allows no further demonstration in this shoe."""
        allowed = self._desk.options["demonstration_rounds"]
        return self._found(
            f"{self._desk.demonstrations} of {allowed} dealt" if self._desk.demonstrations >= allowed else None
        )

    # --- guards: cards -----------------------------------------------------------------------------------------------

    def round_burn_due(self) -> bool:
        """Whether a card is burned first: not before the first round of a shoe (reading B9)."""
        desk = self._desk
        before = desk.rounds_in_shoe if self.is_idle else desk.rounds_in_shoe - 1
        return bool(desk.options.get("round_burn")) and before > 0 and not self._round_burned

    def player_hidden(self) -> bool:
        """Whether a card of the player hand lies face down."""
        return any(not drawn.is_open for drawn in self._hands["player"])

    def banker_hidden(self) -> bool:
        """Whether a card of the banker hand lies face down."""
        return any(not drawn.is_open for drawn in self._hands["banker"])

    def cards(self, side: Side) -> list[Card]:
        """The known cards of a hand, in dealing order."""
        return [drawn.card for drawn in self._hands[side] if drawn.card is not None]

    def _points(self, side: Side) -> int:
        return points_of(self.cards(side))

    def player_natural(self) -> bool:
        """Whether the player's two cards make 8 or 9."""
        return is_natural(self.cards("player"))

    def banker_natural(self) -> bool:
        """Whether the banker's two cards make 8 or 9."""
        return is_natural(self.cards("banker"))

    def player_below_6(self) -> bool:
        """Art. 9.º-1."""
        return self._points("player") <= PLAYER_DRAWS_TO

    def banker_below_6(self) -> bool:
        """Art. 9.º-3(6): without a third card of the player."""
        return self._points("banker") <= BANKER_DRAWS_ALONE_TO

    def banker_below_3(self) -> bool:
        """Art. 9.º-3(1)."""
        return self._points("banker") <= BANKER_ALWAYS_DRAWS_TO

    def banker_has_3(self) -> bool:
        """Arts. 9.º-3(2), 9.º-4(1)."""
        return self._points("banker") == 3  # noqa: PLR2004  # the article's own number

    def banker_has_4(self) -> bool:
        """Arts. 9.º-3(3), 9.º-4(2)."""
        return self._points("banker") == 4  # noqa: PLR2004

    def banker_has_5(self) -> bool:
        """Arts. 9.º-3(4), 9.º-4(3)."""
        return self._points("banker") == 5  # noqa: PLR2004

    def banker_has_6(self) -> bool:
        """Arts. 9.º-3(5), 9.º-4(4)."""
        return self._points("banker") == 6  # noqa: PLR2004

    def third_calls_banker(self) -> bool:
        """Art. 9.º-3(2) to (5): whether the player's third card makes banker draw."""
        third = POINTS[rank_of(self.cards("player")[2])]
        return third in BANKER_DRAWS_ON[self._points("banker")]

    # --- guards: showing ---------------------------------------------------------------------------------------------

    def _shown_now(self) -> list[Drawn]:
        return [drawn for drawn in self._hands[SHOWN_BY[self.state]] if not drawn.is_open]

    def _named(self) -> list[Card] | None:
        """The cards that the person names for those that are turned now, if any are named."""
        event = self._desk.event
        if not isinstance(event, Revealed) or event.cards is UNSET:
            return None
        hidden, hand = len(self._shown_now()), len(self._hands[SHOWN_BY[self.state]])
        # A person may name the cards just turned or the whole hand.
        return event.cards[-hidden:] if len(event.cards) == hand else event.cards

    def not_a_hand_of_baccarat(self) -> bool:
        """Whether somebody else's cards are shown."""
        event = self._desk.event
        return isinstance(event, Revealed) and event.who not in self._hands

    def other_hand_first(self) -> bool:
        """Whether the other hand must be shown now."""
        event, first = self._desk.event, SHOWN_BY[self.state]
        wrong = isinstance(event, Revealed) and event.who != first
        return self._found(f"the {first} hand" if wrong else None)

    def unseen_cards_not_named(self) -> bool:
        """Whether cards that nothing read are turned without being named."""
        return self._named() is None and any(drawn.card is None for drawn in self._shown_now())

    def other_cards_named(self) -> bool:
        """Whether the named cards are not those that were dealt, or cannot be."""
        named, hidden = self._named(), self._shown_now()
        if named is None:
            return False
        if len(named) != len(hidden):
            return self._found(f"{len(named)} cards named, {len(hidden)} lie face down")
        stack = self._desk.stack
        for card, drawn in zip(named, hidden, strict=True):
            if drawn.card is None and stack.copies_out(card) + named.count(card) > stack.decks:
                return self._found(f"more copies of {card} than the decks hold")
            if drawn.card not in (None, card):
                return self._found("report a misdeal if the device misread one")
        return False

    # --- guards: the rest --------------------------------------------------------------------------------------------

    def persons_missing(self) -> bool:
        """Whether fewer than two different persons answer."""
        event = self._desk.event
        return isinstance(event, Void) and not two_persons(event.by)

    def _agrees(self, device: DeviceResult, result: Result | None) -> bool:
        return result is not None and device.outcome == result.outcome and set(device.pairs) == set(result.pairs)

    def device_agrees(self) -> bool:
        """Whether the device's result is the regulation's."""
        event, result = self._desk.event, self._result
        if not isinstance(event, DeviceResult) or self._agrees(event, result):
            return True
        ours = f"{result.outcome} with pairs {result.pairs}" if result is not None else "none yet"
        return not self._found(f"{event.outcome} with pairs {event.pairs}; the regulation's is {ours}")

    def device_agrees_late(self) -> bool:
        """Whether the device confirms the round just closed, or only breaks off its own."""
        event = self._desk.event
        return isinstance(event, DeviceResult) and (
            event.outcome == "forced_end" or self._agrees(event, self._unconfirmed)
        )

    # --- effects -----------------------------------------------------------------------------------------------------

    def open_round(self) -> None:
        """A round begins."""
        desk = self._desk
        desk.round_no += 1
        desk.rounds_in_shoe += 1
        self._is_demonstration, self._demonstration_announced = self._demonstration_announced, False
        if self._is_demonstration:
            desk.demonstrations += 1
        else:
            desk.wagered_in_shoe = True
        self._unconfirmed = None

    def take_wagers(self) -> None:
        """Notes what lies on the table."""
        self._wagers = list(self._bets()[1])

    def announce_demonstration(self) -> None:
        """The coming round is a demonstration."""
        self._demonstration_announced = True

    def burn_card(self) -> None:
        """Burns the card at the start of a round."""
        drawn = self._desk.drawn
        self._round_burned = True
        if drawn is not None:
            drawn.place = BURN_PLACE
            self._desk.say(Burned, article=art("8.º"), card=drawn.shown, why="round")

    def judge(self) -> None:
        """Lets the tableau say who draws."""
        self.machine.fire("judge")

    def show_hand(self) -> None:
        """Turns the hidden cards of a hand face up."""
        moved_by = self.machine.moved_by
        source = moved_by.source[0] if moved_by is not None else R.SHOW_PLAYER
        side = SHOWN_BY[RoundState(source)]
        hidden = [drawn for drawn in self._hands[side] if not drawn.is_open]
        event = self._desk.event
        if isinstance(event, Revealed) and event.cards is not UNSET:
            for drawn, card in zip(hidden, event.cards[-len(hidden) :], strict=True):
                if drawn.card is None:
                    drawn.card = card
                    self._desk.stack.identify(card)
        for drawn in hidden:
            drawn.is_open = True
        turned = [drawn.card for drawn in hidden if drawn.card is not None]
        self._desk.say(Reveal, article=art("7.º-1"), who=side, cards=turned)

    def verdict_on(self, player: Sequence[Card], banker: Sequence[Card]) -> tuple[Result, list[SettledWager]]:
        """The result and the settlement that these hands give."""
        outcome = outcome_of(player, banker)
        pairs = pairs_of(player, banker)
        result = Result(
            outcome=outcome,
            points=Points(player=points_of(player), banker=points_of(banker)),
            cards=Hands(player=list(player), banker=list(banker)),
            natural=is_natural(player) or is_natural(banker),
            pairs=pairs,
        )
        half = self._desk.options["banker_win"] == "half_on_six"
        verdict = Verdict(outcome=outcome, banker_points=result.points.banker, pairs=pairs, half_on_six=half)
        return result, settle(self._wagers, verdict, self._payouts)

    def decide(self) -> None:
        """Says the result and settles the wagers, unless both stand already."""
        result, settled = self.verdict_on(self.cards("player"), self.cards("banker"))
        if result == self._result and settled == self._settled:
            return
        self._result, self._settled = result, settled
        self._desk.say(
            Result,
            article=art("12.º") if result.outcome == "tie" else art("11.º"),
            outcome=result.outcome,
            points=result.points,
            cards=result.cards,
            natural=result.natural,
            pairs=result.pairs,
        )
        if settled:
            self._desk.say(Settled, article=art("17.º"), wagers=settled)

    def reassign(self, layout: Layout) -> None:
        """Lays the round's cards anew, as two persons say they should have lain (art. 10.º, reading B11)."""
        player, banker = layout.cards("player"), layout.cards("banker")
        over = len(layout.laid) >= 2 * INITIAL_CARDS and third_card_due(player, banker) is None
        if not over or self.verdict_on(player, banker) != (self._result, self._settled):
            self.reverse()
        self.machine.fire("rewind")
        for drawn in layout.burned:
            if drawn.place != BURN_PLACE:
                drawn.place = BURN_PLACE
                self._desk.say(Burned, article=art("10.º"), card=drawn.shown, why="misdeal")
        self._round_burned = True
        for _, drawn in layout.laid:
            self._desk.drawn = drawn
            self.fire("card")

    def reverse(self) -> None:
        """What was settled no longer holds."""
        if self._settled:
            self._desk.say(Reversed, article=art("10.º"), wagers=self._settled)
        self._result, self._settled = None, []

    def void_round(self) -> None:
        """Returns every stake; whatever the void settles besides is settled with it."""
        desk, event = self._desk, self._desk.event
        by = getattr(event, "by", [])
        for irregularity in desk.irregularities.close_where(lambda one: "void" in WAYS_OUT[one.code]):
            desk.say(Resolved, article=irregularity.article, irregularity=irregularity.number, action="void", by=by)
        reason = event.reason if isinstance(event, Void) else self.void_reason
        self.reverse()
        returned = [ReturnedWager(seat=w.seat, bet=w.bet, id=w.id, stake=w.stake) for w in self._wagers]
        self._wagers = []
        desk.say(Voided, article=art("10.º"), reason=reason, wagers=returned)

    def clear_round(self) -> None:
        """The cards go to the discard rack; the table is ready."""
        self._unconfirmed = None if self._device_heard else self._result
        self.came_out.clear()
        self._hands = {"player": [], "banker": []}
        self._wagers = []
        self._result, self._settled = None, []
        self._device_result, self._device_heard = None, False
        self._round_burned = False

    def tell_shoe_game(self) -> None:
        """The shoe game goes on, or ends."""
        self._round_over()

    def clear_places(self) -> None:
        """Takes the cards off their places, to lay them anew."""
        self._hands = {"player": [], "banker": []}

    def keep_device_result(self) -> None:
        """Keeps the device's result until the cards it speaks of are open: nobody may learn them from it."""
        event = self._desk.event
        if isinstance(event, DeviceResult):
            self._device_result = event

    def note_device_agrees(self) -> None:
        """The device has confirmed this round."""
        self._device_heard = True
        self._unconfirmed = None

    def doubt_count(self) -> None:
        """Up to a whole round of cards may be out that nobody reported."""
        self._desk.stack.uncertain += self._desk.law.cards_per_round

    def kept_result_disagrees(self) -> bool:
        """Whether a device's result that was kept turns out not to be the regulation's; asked once."""
        kept, state = self._device_result, self.state
        if kept is None or state in SHOWING:
            return False
        self._device_result = None
        self._device_heard = True
        return state is not R.VOID and not (state is R.DECIDED and self._agrees(kept, self._result))
