"""One baccarat table's rounds: the actor behind the rows of :mod:`regulations.baccarat.rows`."""

from collections.abc import Callable, Sequence
from typing import Final, cast

from msgspec import UNSET, UnsetType, structs

from regulations.baccarat.bets import Bets
from regulations.baccarat.hands import Hands
from regulations.baccarat.law import art
from regulations.baccarat.settlement import Verdict
from regulations.baccarat.showing import Showing
from regulations.baccarat.states import CARD_DUE, DEALING, SHOWING, VOIDABLE, RoundState
from regulations.baccarat.tableau import INITIAL_CARDS
from regulations.baccarat.verdict import Verdicts
from regulations.desk import Desk
from regulations.drawn import BURN_PLACE, Drawn, Place
from regulations.errors import StandingUnfit
from regulations.events.outputs import Burned, Dealt, Duty, Next, ReturnedWager, Voided
from regulations.events.vocabulary import Side, WayOut
from regulations.hands import Hands as LaidCards
from regulations.irregularities import OpenIrregularity
from regulations.machine import RuleMachine
from regulations.payouts import Payout
from regulations.round.voiding import Voiding
from regulations.rows import Row
from regulations.standing import BaccaratStanding, RoundStanding

R = RoundState
PLACE_DUE: Final[dict[RoundState, tuple[Side, int]]] = {
    R.PLAYER_1: ("player", 1),
    R.BANKER_1: ("banker", 1),
    R.PLAYER_2: ("player", 2),
    R.BANKER_2: ("banker", 2),
    R.PLAYER_3: ("player", 3),
    R.BANKER_3: ("banker", 3),
}
SHOWN_IN: Final[dict[RoundState, Side]] = {
    R.SHOW_PLAYER: "player",
    R.SHOW_BANKER: "banker",
    R.SHOW_PLAYER_3: "player",
    R.SHOW_BANKER_3: "banker",
}
HANDLING: Final = Duty(
    article=art("16.º-2"),
    says="on each side the seated bettor with the highest wager may look; the cards stay on the table",
)
"""Where the table is not told the stakes (reading B17)."""
TIE_WAYS: Final = {"withdraw": "withdrawn", "alter": "altered", "switch": "moved to the other side"}
"""What may become of a stake that stood in a tie, besides being kept."""


class BaccaratRound:
    """The rounds of one table, one after the other, on one long-lived machine.

    Args:
        desk: what the machines of the table share.
        rows: the rule table.
        payouts: the rules of settlement.
        round_over: called when a round is closed: the shoe game goes on.
    """

    def __init__(
        self, desk: Desk, rows: Sequence[Row], payouts: Sequence[Payout[Verdict]], round_over: Callable[[], None]
    ) -> None:
        self._desk: Final = desk
        self._round_over: Final = round_over
        self._hands: Final = Hands()
        self._bets: Final = Bets(desk)
        self._showing: Final = Showing(desk, self._hands, lambda: SHOWN_IN[self.state])
        self._verdicts: Final = Verdicts(desk, payouts)
        self._rounds_in_shoe: int
        self._burned = False
        self._voiding: Final = Voiding(desk, self)
        parts = (self, self._voiding, self._hands, self._bets, self._showing, self._verdicts)
        self.machine: Final[RuleMachine[RoundState]] = RuleMachine(RoundState, rows, desk, parts, R.IDLE, self.moved)

    # --- the machine's side ------------------------------------------------------------------------------------------

    @property
    def state(self) -> RoundState:
        """Where the round stands."""
        return self.machine.state

    @property
    def state_name(self) -> str:
        """Where the round stands."""
        return self.state.value

    def fire(self, trigger: str) -> None:
        """Gives the machine a trigger; a card is laid at its place before the rows look at the hands."""
        if trigger == "card":
            self._lay()
        self.machine.fire(trigger)

    def moved(self, row: Row) -> None:
        """Keeps what the desk shows of the round in step with the machine."""
        self._desk.round_open = row.dest is not R.IDLE
        self._desk.round_voidable = row.dest in VOIDABLE
        self._desk.round_decided = row.dest is R.DECIDED

    def tell_desk(self) -> None:
        """Shows on the desk where this round stands, once it takes another's place."""
        row = self.machine.moved_by
        if row is None:
            self._desk.round_open = self._desk.round_voidable = self._desk.round_decided = False
        else:
            self.moved(row)

    @property
    def laid(self) -> LaidCards:
        """The hands on the table."""
        return self._hands.laid

    @property
    def is_idle(self) -> bool:
        """Whether no round is open."""
        return self.state is R.IDLE

    @property
    def is_dealing(self) -> bool:
        """Whether the round's first card, burn included, is out and its result is not."""
        return self.state in DEALING

    @property
    def is_over(self) -> bool:
        """Whether the open round is decided or void, and not closed yet."""
        return self.state in (R.DECIDED, R.VOID)

    @property
    def opens_with_card(self) -> bool:
        """The first card of a round closes its bets (table log)."""
        return True

    def close_table(self) -> None:
        """Nothing is carried in baccarat."""

    def ways_out(self, irregularity: OpenIrregularity, ways: list[WayOut]) -> list[WayOut]:
        """An undue card may become the first of the next round: if the profile says so, and there will be one (B11)."""
        desk = self._desk
        waits = (
            irregularity.code == "card_not_due"
            and desk.options.get("overdrawn_card") == "next_round"
            and desk.in_rounds
            and not (desk.last_round and desk.round_open)
            # Beyond the first four cards the tableau decides whether there is a place at all.
            and len(desk.held) < 2 * INITIAL_CARDS
        )
        return ["next_round" if way == "burn" and waits else way for way in ways]

    def accept(self, drawn: Drawn) -> None:
        """In baccarat an undue card is never accepted: :meth:`ways_out` does not offer it."""

    def new_shoe(self) -> None:
        """A new shoe game begins."""
        self._rounds_in_shoe = 0
        self._bets.new_shoe()

    def standing(self) -> BaccaratStanding:
        """What outlives the rounds so far; between rounds."""
        bets = self._bets
        return BaccaratStanding(
            row=self.machine.standing,
            rounds_in_shoe=self._rounds_in_shoe,
            announced=bets.announced,
            demonstrations=bets.demonstrations,
            wagered=bets.wagered,
            unconfirmed=self._verdicts.unconfirmed,
            held=bets.hold.kept(),
        )

    def take_up(self, standing: RoundStanding) -> None:
        """Takes up, in a new table, what :meth:`standing` gave.

        Raises:
            StandingUnfit: it is another game's, or names a rule that is not there.
        """
        if not isinstance(standing, BaccaratStanding):
            raise StandingUnfit("it is of a game at seats")
        bets = self._bets
        self.machine.take_up(standing.row)
        self._rounds_in_shoe = standing.rounds_in_shoe
        bets.announced, bets.demonstrations, bets.wagered = (
            standing.announced,
            standing.demonstrations,
            standing.wagered,
        )
        self._verdicts.unconfirmed = standing.unconfirmed
        bets.hold.begin(standing.held)

    def due(self) -> Place | None:
        """The place that gets the next card, or ``None`` if no card is due."""
        if self.is_idle and self._desk.irregularities.awaited:
            return None
        if self.state in (R.IDLE, R.OPENED):
            return BURN_PLACE if self.round_burn_due() else Place(*PLACE_DUE[R.PLAYER_1])
        due = PLACE_DUE.get(self.state)
        return Place(*due) if due is not None else None

    def due_in_a_row(self) -> int:
        """One card at a time, if any is due (arts. 8.º and 9.º)."""
        return int(self.due() is not None)

    def shows(self, place: Place) -> bool:
        """Whether a card at this place lies face up at once (arts. 7.º-2, 16.º)."""
        return place != BURN_PLACE and self._desk.options.get("deal", "face_up") == "face_up"

    def _lay(self) -> None:
        drawn, place = self._desk.card_in_hand, self.due()
        if place is None or place == BURN_PLACE:
            return
        side, position = PLACE_DUE.get(self.state, PLACE_DUE[R.PLAYER_1])
        drawn.is_open = drawn.is_open or drawn.face_up or self.shows(place)
        self._hands.lay(side, drawn)
        self._desk.say(Dealt(article=self._called_by(position), card=drawn.shown, to=side, position=position))

    def _called_by(self, position: int) -> str:
        """The article that calls the card due: art. 7.º-1 for the first four, the tableau's row for a third."""
        is_third = position == INITIAL_CARDS + 1
        return cast("Row", self.machine.moved_by).article if is_third else art("7.º-1")

    def say_next(self) -> None:
        """Says what the croupier must do now."""
        state, desk = self.state, self._desk
        if self.is_over:
            desk.say(Next(article=art("7.º-1") if state is R.DECIDED else art("10.º"), do="close_round"))
        elif state in SHOWING:
            self._say_reveal(SHOWN_IN[state], third=state in (R.SHOW_PLAYER_3, R.SHOW_BANKER_3))
        elif state in CARD_DUE:
            to, position = PLACE_DUE[state]
            desk.say(Next(article=self._called_by(position), do="draw", to=to, position=position))
        elif self.round_burn_due():
            desk.say(Next(article=art("8.º"), do="burn", actions=self._between_rounds(), duties=self._after_tie()))
        elif self.is_idle and len(desk.held) == 2 * INITIAL_CARDS:
            actions, duties = self._between_rounds(), self._after_tie()
            desk.say(Next(article="reading B11", do="close_bets", actions=actions, duties=duties))
        else:
            to, position = PLACE_DUE[CARD_DUE[len(desk.held) if self.is_idle else 0]]
            actions, duties = self._between_rounds(), self._after_tie()
            article = art("7.º-1")
            desk.say(Next(article=article, do="draw", to=to, position=position, actions=actions, duties=duties))

    def _after_tie(self) -> list[Duty] | UnsetType:
        """What persons see to after a tie, where the table is not told the stakes (art. 12.º, reading B12)."""
        ways, desk = self._desk.options["tie_wagers"], self._desk
        binds = self.is_idle and self._bets.hold.binds and not desk.is_tracked and not TIE_WAYS.keys() <= set(ways)
        if not binds:
            return UNSET
        allowed = " or ".join(["kept", *(said for way, said in TIE_WAYS.items() if way in ways)])
        return [Duty(article=art("12.º"), says=f"a stake that stood in the tie is {allowed}, and nothing else")]

    def _say_reveal(self, side: Side, *, third: bool) -> None:
        """Whose cards are to be turned, and who may handle them (art. 16.º-2, reading B17)."""
        prompt = Next(article=art("16.º-2") if third else art("7.º-1"), do="reveal", to=side)
        handler = self._bets.handler(side)
        if handler is not None:
            prompt = structs.replace(prompt, seat=handler.seat, id=handler.id)
        elif not self._desk.is_tracked:
            prompt = structs.replace(prompt, duties=[HANDLING])
        self._desk.say(prompt)

    def _between_rounds(self) -> list[str] | UnsetType:
        if not self.is_idle:
            return UNSET
        return [*(["demonstration"] if self._bets.demonstration_possible() else []), "shoe_ended", "closed"]

    # --- guards ------------------------------------------------------------------------------------------------------

    def round_burn_due(self) -> bool:
        """Whether a card is burned first: not before the first round of a shoe (reading B9)."""
        before = self._rounds_in_shoe - (0 if self.is_idle else 1)
        return bool(self._desk.options.get("round_burn")) and before > 0 and not self._burned

    # --- effects -----------------------------------------------------------------------------------------------------

    def close_bets(self) -> None:
        """A round begins with its bets, before its first card."""
        self.open_round()
        self._voiding.begin_round(by_bets=True)
        self._bets.take_wagers()

    def open_round(self) -> None:
        """A round begins."""
        self._desk.open_round()
        self._rounds_in_shoe += 1
        self._voiding.begin_round(by_bets=False)
        self._bets.begin_round()

    def burn_card(self) -> None:
        """Burns the card at the start of a round."""
        drawn = self._desk.card_in_hand
        self._burned = True
        drawn.place = BURN_PLACE
        self._desk.say(Burned(article=art("8.º"), card=drawn.shown, why="round"))

    def judge(self) -> None:
        """Lets the tableau say who draws."""
        self.machine.fire("judge")

    def show_player(self) -> None:
        """Turns the player's hidden cards."""
        self._showing.show_hand("player")

    def show_banker(self) -> None:
        """Turns the banker's hidden cards."""
        self._showing.show_hand("banker")

    def decide(self) -> None:
        """Says the result and settles the wagers."""
        hands = self._hands
        self._verdicts.give(self._verdicts.on(hands.cards("player"), hands.cards("banker"), self._bets.wagers))

    def void(self, reason: str) -> None:
        """Voids the round, which can still be voided, for this reason."""
        self._voiding.void(reason)

    def void_round(self) -> None:
        """Undoes the round: what it settled is reversed, every stake goes back (reading G3)."""
        self._voiding.close_irregularities()
        # The row that voids the round has just moved the machine.
        article = cast("Row", self.machine.moved_by).article
        self._verdicts.reverse(article)
        returned = [ReturnedWager(seat=w.seat or UNSET, bet=w.bet, id=w.id, stake=w.stake) for w in self._bets.wagers]
        self._bets.wagers = []
        self._desk.say(Voided(article=article, reason=self._voiding.reason, wagers=returned))

    def abandon_round(self) -> None:
        """The shoe game ends: as :meth:`clear_round`."""
        self.clear_round()

    def clear_round(self) -> None:
        """The cards go to the discard rack; the table is ready."""
        self._bets.close_round(tied=self._verdicts.is_tie)
        self._verdicts.close()
        self._hands.clear()
        self._burned = False

    def tell_shoe_game(self) -> None:
        """The shoe game goes on, or ends."""
        self._round_over()

    def doubt_count(self) -> None:
        """Up to a whole round of cards may be out that nobody reported."""
        self._desk.stack.uncertain += self._desk.law.cards_per_round

    def kept_result_disagrees(self) -> bool:
        """Whether a device's result that was kept turns out not to be the regulation's; asked once."""
        if self.state in SHOWING:
            return False
        return self._verdicts.kept_disagrees() and self.state is not R.VOID

    def cannot_correct(self, struck: Sequence[int]) -> str | None:  # noqa: ARG002  # other games look
        """Art. 10.º leaves every correction."""
        return None

    def hear_device(self) -> None:
        """The shoe's second opinion was told before."""
        self._verdicts.note_device_agrees()
