"""The shoe game of one table: everything between two shuffles, with the rounds inside it."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, cast

from msgspec import UNSET, UnsetType, structs

from regulations.events.inputs import (
    BetsClosed,
    BetsCorrected,
    CardsReturned,
    Cut,
    Decision,
    DeviceResult,
    Exposed,
    Loaded,
    Revealed,
    ShoeEnded,
    Shuffled,
    StackCounted,
    Table,
)
from regulations.events.origins import origin_of
from regulations.events.outputs import Burned, Irregularity, LastRound, Next, Refused, ShoeOver
from regulations.events.vocabulary import Do
from regulations.law.game_law import Material
from regulations.law.persons import two_persons
from regulations.law.rows import Row
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, Drawn, Place
from regulations.play.context.game_round import Round
from regulations.play.context.machine import RuleMachine
from regulations.play.context.record import Act, Record, Stage, faced
from regulations.play.context.snapshot import ShoeSnapshot, take_over
from regulations.play.context.stack import Stack
from regulations.play.shoe.cut_card import CutCards
from regulations.play.shoe.devices import Devices
from regulations.play.shoe.profile_guards import ProfileGuards
from regulations.play.shoe.states import IN_ROUNDS, RUNNING, ShoeState

S = ShoeState
NEXT_ACT: Final[dict[ShoeState, Do]] = {
    S.SHUFFLE: "shuffle",
    S.CUT: "cut",
    S.PLACE_CUT_CARD: "place_cut_card",
    S.FILL: "load",
    S.MIX: "shuffle",
    S.LOAD: "load",
    S.BURN: "burn",
    S.RETURN: "return_cards",
    S.CLOSED: "nothing",
}
CUT_CARD_MOVED: Final[dict[Stage, tuple[str, ...]]] = {
    "bets": ("cut_card_first", "cut_card_earlier"),
    "deal": ("cut_card_earlier", "cut_card_within"),
    "result": ("cut_card_later",),
}
"""How a correction names a cut card that now came at another stage of the round, if it names it at all."""


class ShoeGame:
    """The actor behind the rows of :mod:`regulations.play.shoe.rows`.

    Args:
        context: what the machines of the table share.
        rows: the rule table.
    """

    def __init__(self, context: RuleContext, rows: Sequence[Row]) -> None:
        self._context: Final = context
        self._lasting: Final = ShoeSnapshot()
        """All that outlives a stack, but for where the machine stands."""
        self._house_ends: bool
        """True if persons end the shoe game with the open round."""
        self.round: Round[Any]
        self._profile: Final = ProfileGuards(context)
        self.devices: Final = Devices(context)
        self.cut_cards: Final = CutCards(context, self._lasting, lambda: self.round, self.fire)
        context.cut_card_may_count = lambda: self.cut_cards.may_count(self.state)
        self.machine: Final[RuleMachine[ShoeState]] = RuleMachine(
            ShoeState, rows, context, (self, self._profile, self.devices, self.cut_cards), S.OPENING, self.moved
        )

    # --- the machine's side ------------------------------------------------------------------------------------------

    @property
    def state(self) -> ShoeState:
        """The next step of the shoe game."""
        return self.machine.state

    def fire(self, trigger: str) -> None:
        """Gives the machine a trigger."""
        self.machine.fire(trigger)

    def moved(self, state: StrEnum) -> None:
        """Keeps what the context shows of the shoe game in step with the machine."""
        self._context.shoe_running = state in RUNNING
        self._context.in_rounds = state in IN_ROUNDS or state is S.RETURN
        self._context.last_round = state is S.LAST

    def snapshot(self) -> ShoeSnapshot:
        """Where the shoe game stands and what it keeps, the stack apart."""
        return structs.replace(self._lasting, row=self.machine.snapshot)

    def restore(self, snapshot: ShoeSnapshot) -> None:
        """Restores what :meth:`snapshot` gave.

        Raises:
            SnapshotUnfit: it names a rule that is not there.
        """
        self.machine.restore(snapshot.row)
        take_over(self._lasting, snapshot)
        self._house_ends = False

    def due(self) -> Place | None:
        """The place that gets the next card, or ``None`` if no card is due."""
        state = self.machine.state
        if state in IN_ROUNDS:
            return self.round.due()
        return BURN_PLACE if state is S.BURN else None

    def due_to(self, drawn: Drawn) -> Place | None:
        """The place that gets this card; in blackjack also where the card itself is a decision (reading J30)."""
        return self.round.due_to(drawn) if self.machine.state in IN_ROUNDS else self.due()

    def due_in_a_row(self) -> int:
        """How many of the next cards the same hand or burn gets, one after the other; 0 if none is due."""
        state = self.machine.state
        if state in IN_ROUNDS:
            return self.round.due_in_a_row()
        return int(state is S.BURN)

    def shows(self, place: Place) -> bool:
        """True if a card at this place lies face up at once."""
        if self.machine.state is S.BURN:
            return self._lasting.burn_left is None
        return self.round.shows(place)

    def cut_card_is_missing(self) -> bool:
        """True if the cut card has not come, can no longer come in time, and still has an effect."""
        return self.cut_cards.is_missing() and not self._house_ends

    def say_next(self) -> None:
        """Says what the croupier must do now, where no irregularity is open."""
        context, state = self._context, self.machine.state
        if state in IN_ROUNDS:
            awaited = context.awaited
            if awaited is not None:
                context.say(
                    Next(article="reading G13", do="resolve", irregularity=awaited.number, actions=["end_shoe"])
                )
            else:
                self.round.say_next()
                if isinstance(context.event, Exposed):
                    self._say_goes_on()
            return
        act: Do = NEXT_ACT[state] if state is not S.OVER else "shuffle" if self.by_hand() else "load"
        article = self._article_of_next()
        if isinstance(context.event, Table):
            context.say(Next(article=article, do=act, edition=context.law.edition, options=context.options))
        else:
            left = self._lasting.burn_left if state is S.BURN else None
            context.say(Next(article=article, do=act, left=UNSET if left is None else left))

    def _say_goes_on(self) -> None:
        """After a card was seen too early: by which article it is valid and play goes on."""
        context = self._context
        if self.round.is_dealing and context.law.articles.exposed:
            context.answer[-1] = structs.replace(context.answer[-1], article=context.law.articles.exposed)

    def _article_of_next(self) -> str | UnsetType:
        """By what the next step is due: its own article, or what has led to it."""
        articles = self._context.law.articles
        if self.state is S.BURN:
            return articles.initial_burn
        if self.state in (S.CUT, S.PLACE_CUT_CARD):
            return articles.prepare
        if self.state is S.LOAD or (self.state is S.OVER and not self.by_hand()):
            if self._context.is_direct:
                return articles.direct
            return articles.mixed if self.by_shuffler() else articles.prepare
        return UNSET if self.state is S.CLOSED else self._moved_by.article

    @property
    def _moved_by(self) -> Row:
        """The rule that has led here; the profile's was the first."""
        return cast("Row", self.machine.moved_by)

    # --- guards: the stack -------------------------------------------------------------------------------------------

    def by_hand(self) -> bool:
        """True if the stack is prepared by hand, for a shoe or a dealing box."""
        return self._context.equipment in ("shoe", "box")

    def by_shoe(self) -> bool:
        """True if a shoe deals."""
        return self._context.equipment == "shoe"

    def by_shuffler(self) -> bool:
        """True if cards are dealt straight from a shuffler, which prepares the stack."""
        return self._context.equipment == "shuffler"

    def stack_is_shuffled(self) -> bool:
        """True if the stack is shuffled outside of the device that deals, or by a shuffler that deals."""
        return not self._context.is_direct

    @property
    def _material(self) -> Material:
        return self._context.law.equipment[self._context.equipment]

    def wrong_shuffler(self) -> str | None:
        """True if the cards were shuffled by somebody else than the regulation says."""
        by, may = self._context.event_as(Shuffled).by, self._material.shuffled_by
        return f"they are shuffled by the {' or the '.join(may)}" if by not in may else None

    def wrong_cutter(self) -> str | None:
        """True if the stack was cut by somebody else than the regulation says."""
        by, may = self._context.event_as(Cut).by, self._material.cut_by
        return f"it is cut by the {' or the '.join(may)}" if by not in may else None

    def cut_spared(self) -> bool:
        """True if the stack need not be cut after this shuffle."""
        return self._context.event_as(Shuffled).by in self._material.cut_spared_after

    def is_just_shuffled(self) -> bool:
        """True if the shuffle was the last step, after which the stack need not be cut."""
        return self._moved_by.trigger == "shuffled"

    def no_cut_card(self) -> bool:
        """True if no cut card lies in this stack."""
        context = self._context
        return not context.law.has_cut_card(context.equipment, context.table.decks)

    def serves_one_round(self) -> bool:
        """True if the stack serves one round only."""
        context = self._context
        return context.law.serves_one_round(context.equipment, context.table.decks)

    def stack_waits(self) -> bool:
        """True if no stack is being prepared: a loaded-only device waits for its cards, or the shuffle is to come."""
        return self.state is not S.LOAD or self._context.is_direct

    def loadable(self) -> bool:
        """True if cards can be loaded now: the stack is prepared, or the device needs none."""
        return self.state is not S.OVER or not self.by_hand()

    def not_all_cards(self) -> str | None:
        """True if another number of cards was loaded than the decks have."""
        decks = self._context.table.decks
        cards, whole = self._context.event_as(Loaded).cards, Stack(decks).size
        return f"{cards} cards, {decks} decks have {whole}" if cards != whole else None

    def count_fixing_card(self) -> bool:
        """True if the first card, shown, fixes how many are burned."""
        return self._lasting.burn_left is None

    def more_to_burn(self) -> bool:
        """True if cards of the initial burn are still to come after this one."""
        # A card that fixes the number goes by another row, before this one.
        return cast("int", self._lasting.burn_left) > 1

    def ends_with_round(self) -> bool:
        """True if the round in which the cut card comes out is the last."""
        return bool(self._context.options["after_cut_card"] == "end")

    def one_more_may_follow(self) -> bool:
        """True if a round follows the one in which the cut card comes out, unless persons end the shoe game with it."""
        return not (self.ends_with_round() or self._house_ends)

    def cards_left(self) -> bool:
        """True if any card is left for a further round."""
        return self._context.stack.left > 0

    def serves_nobody(self) -> bool:
        """True if a round would be the next step, and the cards left suffice for none (reading W6)."""
        is_next = self.state in IN_ROUNDS and self.round.is_idle and not self._context.irregularities.open
        return is_next and self.round.seats_served() == 0

    def too_few_given(self) -> bool:
        """True if the shoe game is to end because the cards left do not suffice for all seats (reading W6)."""
        return self._context.event_as(ShoeEnded).reason == "too_few_cards"

    def serves_all(self) -> str | None:
        """True if the cards left suffice for all seats of the table."""
        seats = self._context.table.seats
        return f"all {seats}" if self.round.seats_served() == seats else None

    def enough_for_one_more(self) -> bool:
        """True if the cards left suffice for any round, its burn included (reading G16)."""
        context = self._context
        needed = context.law.cards_per_round + bool(context.options["round_burn"])
        return context.stack.left >= needed

    def between_rounds(self) -> bool:
        """True if no round is open."""
        return not self._context.round_open

    def round_goes_on(self) -> bool:
        """True if a round is open that nothing has undone."""
        return self._context.round_voidable

    def several_rounds(self) -> bool:
        """True if further rounds could have followed."""
        return not self.serves_one_round()

    def house_ends(self) -> bool:
        """True if persons have ended the shoe game with the open round."""
        return self._house_ends

    def reason_missing(self) -> bool:
        """True if the reason is another than those of the list and is not given in words."""
        event = self._context.event_as(ShoeEnded)
        return event.reason == "other" and (event.detail is UNSET or not event.detail.strip())

    def end_persons_missing(self) -> bool:
        """True if the profile asks for two persons and fewer authorise the end."""
        asked = self._context.options["shoe_ended_by"] == "two"
        return asked and not two_persons(self._context.event_as(ShoeEnded).by)

    def others_returned(self) -> str | None:
        """True if more or fewer cards went back than came out, or may have; cards held for the next round stay out."""
        cards, stack = self._context.event_as(CardsReturned).cards, self._context.stack
        fewest = stack.out - len(self._context.held)
        out = f"{fewest} to {fewest + stack.uncertain} may have come out" if stack.uncertain else f"{fewest} came out"
        return None if fewest <= cards <= fewest + stack.uncertain else f"{cards} cards, {out}"

    def counted_by_device(self) -> bool:
        """True if a device counted, and not a person."""
        return origin_of(self._context.event) == "device"

    def count_disagrees(self) -> str | None:
        """True if another number of cards was found left than must be."""
        cards, stack = self._context.event_as(StackCounted).cards, self._context.stack
        agrees = stack.left - stack.uncertain <= cards <= stack.left
        return None if agrees else f"{cards} cards found, {stack.left} must be left"

    def is_direct(self) -> bool:
        """True if cards are dealt straight from a shuffler-dealer."""
        return self._context.is_direct

    # --- effects -----------------------------------------------------------------------------------------------------

    def adopt_equipment(self) -> None:
        """Deals from the profile's equipment, or from the one asked for."""
        self._context.adopt(self._profile.wanted_equipment)
        self._lasting.depth = None

    def load_stack(self) -> None:
        """A full stack is in; a new shoe game begins."""
        context = self._context
        context.stack = Stack(context.table.decks)
        context.cards_are_back()
        self.devices.note_dealt_from()
        self.round.new_shoe()
        self._house_ends = False
        self.cut_cards.new_stack()
        self._lasting.burn_left = context.initial_burn

    def _lay_burned(self) -> Drawn:
        drawn = self._context.card_in_hand
        drawn.place = BURN_PLACE
        return drawn

    def burn_shown(self) -> None:
        """Burns the first card, shown."""
        drawn = self._lay_burned()
        drawn.is_open = True
        self._context.say(Burned(article=self._context.law.articles.burn_count_shown, card=drawn.card, why="initial"))

    def fix_burn_count(self) -> None:
        """As many cards more as the shown card's value."""
        self._lasting.burn_left = self._context.law.cards_burned_after(self._context.card_in_hand.card)

    def burn_initial(self) -> None:
        """Burns one card of the initial burn, face down as it came."""
        drawn = self._lay_burned()
        self._lasting.burn_left = cast("int", self._lasting.burn_left) - 1
        self._context.say(Burned(article=self._context.law.articles.initial_burn, card=drawn.shown, why="initial"))

    def card_to_round(self) -> None:
        """Gives the card to the round."""
        self.round.fire("card")

    def to_round(self) -> None:
        """Gives the request or report to the round, and notes what it took."""
        context, record, event = self._context, self._context.record, self._context.event
        act = None
        if isinstance(event, Decision | Revealed):
            hand, bank = faced(event, self.round.laid)
            act = Act(event=event, after=len(record.came_out), hand=hand, bank=bank)
        elif isinstance(event, BetsClosed) and self.round.is_idle:
            record.begin(self.round.snapshot(), event)
        self.round.fire(str(event.__struct_config__.tag))
        if self.round.is_idle:
            record.clear()
        elif not isinstance(next(iter(context.answer), None), Refused | Irregularity):
            record.acts += [act] if act is not None else []
            if isinstance(event, BetsCorrected):
                record.opening = BetsClosed(seats=event.seats, wagers=event.wagers)
        record.device_heard = record.device_heard or (context.round_open and isinstance(event, DeviceResult))

    def open_with_card(self) -> None:
        """The first card of a round closes its bets."""
        self._context.record.begin(self.round.snapshot(), None)
        self.round.fire("first_card")

    def adopt(self, again: Round[Any], record: Record) -> None:
        """The open round is another from now on: it was run again; the cut card kept its place among its cards."""
        context, was_at = self._context, self._context.record.cut_card_at
        self.round, context.record = again, record
        context.ways_of_the_round = again.ways_out
        again.tell_context()
        if again.is_idle:
            # No card that opened it ever left: the next round has its number.
            context.round_no -= 1
            record.clear()
        self._move_cut_card(was_at, record.cut_card_at)

    def place_cut_card(self) -> None:
        """A card that left before the cut card has its place now: how far had the round come when that came?"""
        record = self._context.record
        was_at, record.cut_card_at = record.cut_card_at, self.round.stage
        self._move_cut_card(was_at, record.cut_card_at)

    def _move_cut_card(self, was_at: Stage, now_at: Stage) -> None:
        moved = (one for one in CUT_CARD_MOVED[now_at] if self.machine.answers(one))
        if was_at != now_at and (trigger := next(moved, None)) is not None:
            self.fire(trigger)

    def say_last_round(self) -> None:
        """Says that the open or coming round is the last."""
        self._context.say(LastRound(article=self._moved_by.article))

    def say_one_more(self) -> None:
        """Says that one round follows the open one, which was the last by what was said before."""
        self._context.say(LastRound(article=self._moved_by.article, one_more=True))

    def end_with_round(self) -> None:
        """Persons end the shoe game; the open round is finished first."""
        self._house_ends = True

    def burn_held(self) -> None:
        """A card that waited for a next round is burned: there is none (readings B11, G14)."""
        context = self._context
        for drawn in context.held:
            context.say(Burned(article=context.law.articles.undue_card, card=drawn.shown, why="invalid"))
        context.held.clear()

    def end_shoe_game(self) -> None:
        """The shoe game is over; a card that waited for a next round is burned."""
        self.burn_held()
        context = self._context
        context.say(
            ShoeOver(article=self._moved_by.article, cards_seen=context.stack.out, cards_left=context.stack.left)
        )

    def close_table(self) -> None:
        """The table closes; what is carried on it is returned."""
        self.round.close_table()

    def put_cards_back(self) -> None:
        """The used cards are in the shuffler-dealer again."""
        context = self._context
        context.stack.put_back(may_be_told=context.calls.is_late)
        context.cards_are_back()
        for drawn in context.held:
            context.stack.take_out(drawn)

    def end_doubt(self) -> None:
        """All cards that are left are counted: no more are out than those that are missing."""
        self._context.stack.end_doubt(self._context.event_as(StackCounted).cards)

    def doubt_count(self) -> None:
        """Up to a whole round of cards may be out that nobody reported."""
        self._context.stack.uncertain += self._context.law.most_cards(self._context.table.seats)
