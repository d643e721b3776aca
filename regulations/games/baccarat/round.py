"""Rounds of a baccarat table: the actor behind its rows."""

from collections.abc import Callable, Sequence
from typing import Final, cast

from msgspec import UNSET, UnsetType, structs

from regulations.events.outputs import Dealt, Duty, Next, ReturnedWager
from regulations.events.vocabulary import ResolutionAction, Side
from regulations.games.baccarat.bets import BetRules
from regulations.games.baccarat.hands import BaccaratHands
from regulations.games.baccarat.law import art
from regulations.games.baccarat.result_rules import ResultRules
from regulations.games.baccarat.reveals import BaccaratRevealRules
from regulations.games.baccarat.settlement import SettlementFacts
from regulations.games.baccarat.snapshot import BaccaratSnapshot
from regulations.games.baccarat.states import CARD_DUE, PHASES, SHOWING, RoundState
from regulations.games.baccarat.tableau import INITIAL_CARDS
from regulations.law.payouts import Payout
from regulations.law.rows import RegulationRow
from regulations.play.context.context import RuleContext
from regulations.play.context.drawn_card import BURN_PLACE, CardPosition
from regulations.play.context.due import NO_CARD, Due
from regulations.play.context.game_round import Round
from regulations.play.context.hands import Hands
from regulations.play.context.irregularities import OpenIrregularity

R = RoundState
FIRST: Final = CardPosition("player", 1)
PLACE_DUE: Final[dict[RoundState, CardPosition]] = {
    R.PLAYER_1: FIRST,
    R.BANKER_1: CardPosition("banker", 1),
    R.PLAYER_2: CardPosition("player", 2),
    R.BANKER_2: CardPosition("banker", 2),
    R.PLAYER_3: CardPosition("player", 3),
    R.BANKER_3: CardPosition("banker", 3),
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
DIFFERENCE_COVERED: Final = Duty(
    article=art("14.º"),
    says="the house covers the difference between the wagers of both sides, up to the limits that it has set",
)
TIE_WAYS: Final = {"withdraw": "withdrawn", "alter": "altered", "switch": "moved to the other side"}


class BaccaratRound(Round[RoundState]):
    def __init__(
        self,
        context: RuleContext,
        rows: Sequence[RegulationRow],
        payouts: Sequence[Payout[SettlementFacts]],
        round_over: Callable[[], None],
    ) -> None:
        self._hands: Final = BaccaratHands()
        lasting = BaccaratSnapshot()
        self._bets: Final = BetRules(context, lasting)
        self._showing: Final = BaccaratRevealRules(context, self._hands, lambda: SHOWN_IN[self.state])
        self._verdicts: Final = ResultRules(context, payouts, lasting)
        super().__init__(context, rows, PHASES, round_over, lasting)

    def _parts(self) -> Sequence[object]:
        return (self._hands, self._bets, self._showing, self._verdicts)

    # --- where it stands ---------------------------------------------------------------------------------------------

    def fire(self, trigger: str) -> None:
        if trigger == "card":
            self._lay()
        self.machine.fire(trigger)

    @property
    def opens_with_card(self) -> bool:
        return self._bets.opens_with_card

    @property
    def laid(self) -> Hands:
        return self._hands.laid

    def resolutions(self, irregularity: OpenIrregularity, ways: list[ResolutionAction]) -> list[ResolutionAction]:
        """The resolutions; an unseen undue card may begin the next round if the profile allows it (reading B11)."""
        context = self._context
        waits = (
            irregularity.code == "card_not_due"
            and not (irregularity.card.is_open or irregularity.card.face_up)
            # One that went back with all others is no card that could wait, nor one of a shoe game that is over.
            and not irregularity.is_back
            and context.deal.options.get("overdrawn_card") == "next_round"
            and context.shoe.in_rounds
            and not (context.shoe.last and context.scope.phase.open)
            # Beyond the first four cards the tableau decides whether there is a place at all.
            and len(context.held) < 2 * INITIAL_CARDS
        )
        return ["next_round" if way == "burn" and waits else way for way in ways]

    def new_shoe(self) -> None:
        super().new_shoe()
        self._bets.new_shoe()

    def find_due(self) -> Due:
        state = self.machine.state
        if state is not R.IDLE and state is not R.OPENED:
            place = PLACE_DUE.get(state)
            if place is None:
                return NO_CARD
        elif self.round_burn_due():
            return Due(BURN_PLACE, 1)
        else:
            place = FIRST
        return Due(place, 1, self._context.deal.options.get("deal", "face_up") == "face_up")

    def _lay(self) -> None:
        drawn, due = self._context.card_in_hand, self._context.scope.due
        place = due.place
        if self.is_idle or place is None or place.to == "burn":
            return
        drawn.is_open = drawn.is_open or drawn.face_up or due.lies_open
        self._hands.laid.lay(place, drawn)
        position = place.position
        article = art("4.º") if drawn.face_up else self._called_by(position)
        self._context.emit(Dealt(article=article, card=drawn.shown, to=place.to, position=position))

    def _called_by(self, position: int) -> str:
        is_third = position == INITIAL_CARDS + 1
        return self.machine.moved_by.article if is_third else art("7.º-1")

    def emit_next(self) -> None:
        state, context = self.state, self._context
        place = PLACE_DUE.get(state)
        if place is not None:
            to, position = cast("Side", place.to), place.position
            context.emit(Next(article=self._called_by(position), do="draw", to=to, position=position))
        elif self.is_over:
            context.emit(Next(article=art("7.º-1") if state is R.DECIDED else "reading G3", do="close_round"))
        elif state in SHOWING:
            self._emit_reveal(SHOWN_IN[state], third=state in (R.SHOW_PLAYER_3, R.SHOW_BANKER_3))
        elif self.is_idle and not self.opens_with_card:
            context.emit(Next(article="reading B8", do="close_bets", actions=self._between_rounds()))
        elif self.round_burn_due():
            actions, duties = self._between_rounds(), self._duties()
            context.emit(Next(article=art("8.º"), do="burn", actions=actions, duties=duties, left=1))
        elif self.is_idle and len(context.held) >= 2 * INITIAL_CARDS:
            actions, duties = self._between_rounds(), self._duties()
            context.emit(Next(article="reading B11", do="close_bets", actions=actions, duties=duties))
        else:
            place = PLACE_DUE[CARD_DUE[len(context.held) if self.is_idle else 0]]
            to, position, article = cast("Side", place.to), place.position, art("7.º-1")
            actions, duties = self._between_rounds(), self._duties()
            context.emit(Next(article=article, do="draw", to=to, position=position, actions=actions, duties=duties))

    def _duties(self) -> list[Duty] | UnsetType:
        if not self.is_idle or self._context.deal.is_tracked:
            return UNSET
        return [DIFFERENCE_COVERED, *self._after_tie()]

    def _after_tie(self) -> list[Duty]:
        ways = self._context.deal.options["tie_wagers"]
        if not self._bets.hold.binds or TIE_WAYS.keys() <= set(ways):
            return []
        allowed = " or ".join(["kept", *(said for way, said in TIE_WAYS.items() if way in ways)])
        return [Duty(article=art("12.º"), says=f"a stake that stood in the tie is {allowed}, and nothing else")]

    def _emit_reveal(self, side: Side, *, third: bool) -> None:
        prompt = Next(article=art("16.º-2") if third else art("7.º-1"), do="reveal", to=side)
        handler = self._bets.handler(side)
        if handler is not None:
            wager, article = handler
            prompt = structs.replace(prompt, article=article, seat=wager.seat, id=wager.id)
        elif not self._context.deal.is_tracked:
            prompt = structs.replace(prompt, duties=[HANDLING])
        self._context.emit(prompt)

    def _between_rounds(self) -> list[str] | UnsetType:
        if not self.is_idle:
            return UNSET
        return [*(["demonstration"] if self._bets.demonstration_possible() else []), "shoe_ended", "closed"]

    # --- guards ------------------------------------------------------------------------------------------------------

    def bets_come_first(self) -> bool:
        return not self.opens_with_card and self._context.awaited is None

    def round_burn_due(self) -> bool:
        before = self._lasting.rounds_in_shoe - (0 if self.is_idle else 1)
        return bool(self._context.deal.options.get("round_burn")) and before > 0

    # --- effects -----------------------------------------------------------------------------------------------------

    def close_bets(self) -> None:
        if self._bets.becomes_demonstration():
            self._bets.announce_demonstration()
        self._begin_round()
        self._bets.begin_round()
        self._bets.record_wagers()

    def open_round(self) -> None:
        self._begin_round()
        self._bets.begin_round()

    def burn_first(self) -> None:
        self.burn_card("round", art("8.º"))

    def judge(self) -> None:
        """Lets the tableau say who draws."""
        self.machine.fire("judge")

    def show_player(self) -> None:
        self._showing.show_hand("player")

    def show_banker(self) -> None:
        self._showing.show_hand("banker")

    def decide(self) -> None:
        """Says the result and settles the wagers."""
        hands = self._hands
        self._verdicts.give(self._verdicts.on(hands.cards("player"), hands.cards("banker"), self._bets.wagers))

    def _return_wagers(self, article: str) -> list[ReturnedWager]:
        self._verdicts.reverse(article)
        return self._bets.put_down()

    @property
    def carries(self) -> bool:
        return bool(self._bets.hold.held_wagers())

    def close_table(self) -> None:
        held = self._bets.hold.held_wagers()
        if held:
            self._context.emit(self._bets.returned("closed", held))

    def clear_round(self) -> None:
        self._bets.close_round(self._verdicts.outcome)
        self._verdicts.close()
        self._hands.clear()

    def stored_result_disagrees(self) -> bool:
        kept = self._verdicts.kept
        if kept is None or self.state in SHOWING:
            return False
        return self._verdicts.disagrees(kept) and self.state is not R.VOID

    def mark_device_reported(self) -> None:
        self._verdicts.record_device_agreement()
