"""A whole table over the bad line: shoe, decoder, session and regulation, and a croupier who sees the cards."""

import random
from collections import Counter
from typing import Final

from msgspec import UNSET

from firmware_bridge.angel_eye.session import ShoeSession
from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.messages import Ack, Nak, Outcome
from protocols.garbage import Garbage
from regulations.events.cards import DECK
from regulations.events.inputs import AnyInput, CardDrawn, RoundClosed
from regulations.events.outputs import Irregularity, ShoeOver
from regulations.games.baccarat.result import BaccaratResult
from sim.angel_eye.settings import ShoeSettings
from sim.angel_eye.shoe import AngelEyeShoe
from sim.clock import VirtualClock
from tests.firmware_bridge.desk import SHOE, Regulated
from tests.firmware_bridge.lossy.link import BadLink, Rates
from tests.firmware_bridge.lossy.truth import OutCard, Truth

BUTTONS: Final = {"player": Outcome.PLAYER, "banker": Outcome.BANKER, "tie": Outcome.TIE}
DECKS: Final = 8
UNREAD: Final = 1 / 200
EXTRA_CARD: Final = 1 / 40
STAND_BY: Final = 1 / 20
HUMAN_S: Final = 0.2
"""From the moment at which the shoe's lamp is dark to the croupier's next act."""


class LossyTable(Regulated):
    """The table as its devices, its host and its croupier have it; ``LossyGame`` adds the supervisor."""

    def __init__(self, seed: int, rates: Rates, *, error_before_card: bool) -> None:
        self.rng = random.Random(seed)
        self.clock = VirtualClock()
        self.truth = Truth()
        self.link = BadLink(
            self.clock, self.rng, rates, to_host=self._bytes, witness=self.truth.says, plugged=self._plug
        )
        settings = ShoeSettings(burn_cards=DECKS, error_before_card=error_before_card)
        self.shoe = AngelEyeShoe(self.clock, self.link.send, settings)
        self.decoder = TelegramDecoder()
        self.session = ShoeSession(SHOE)
        self.codes: Counter[str] = Counter()
        self.code_of: dict[int, str] = {}
        self.jump_of: dict[int, int] = {}
        self.rounds = 0
        self.shoes = 0
        self.entered = 0
        self.out: list[OutCard] = []
        """Cards since the stack was loaded."""
        self.round: list[OutCard] = []
        self.ahead: list[OutCard] = []
        self.unread: list[OutCard] = []
        self.had_gap = False
        """Telegrams were lost in this round."""
        self.must_end = False
        """The shoe game is to end as soon as it can."""
        self.is_pressed = False
        """The shoe's round is over; cards that it has now are of the next."""
        self.came_blocked = False
        """A card came while an irregularity was open, such as the loss of the link."""
        self.is_forced = False
        """The shoe's round was ended by force."""
        self._counted = 0
        super().__init__(overdrawn_card="next_round")
        self.session.stack_loaded()
        self.shoe.power_on()
        self.put_stack_in()

    # --- the host ----------------------------------------------------------------------------------------------------

    def apply(self, event: AnyInput) -> None:
        """Gives the regulation an event, and keeps a record of what it thinks irregular."""
        before = len(self.outputs)
        jump = 0
        if isinstance(event, CardDrawn):
            jump = event.count - self._counted - 1 if event.count is not UNSET else 0
            self._counted = event.count if event.count is not UNSET else self._counted + 1
        super().apply(event)
        opened = [one.code for one in self.outputs[before:] if isinstance(one, Irregularity)]
        # One thing opened by a card, such as a cut card that is missing, makes the card itself undue.
        self.came_blocked |= "card_not_due" in opened[1:]
        for output in self.outputs[before:]:
            if isinstance(output, Irregularity):
                self.codes[output.code] += 1
                self.code_of[output.irregularity] = output.code
                self.jump_of[output.irregularity] = jump
            elif isinstance(output, ShoeOver):
                self.session.shoe_over()

    def _bytes(self, data: bytes) -> None:
        for message in self.decoder.feed(data):
            if isinstance(message, Ack | Nak | Garbage):
                continue
            gaps = self.session.gaps
            events = self.session.translate(message, self.clock.now_s())
            self.had_gap |= self.session.gaps != gaps
            told = self.truth.heard(message.raw, events)
            cards = [event for event in events if isinstance(event, CardDrawn)]
            if told is not None and told.card is not None and told.card.read is None and cards:
                self.unread.append(told.card)
            is_due = told is not None and told.kind == "D"
            self.came_blocked |= is_due and bool(cards) and self.prompt.do == "resolve"
            was_due = self.prompt.do in ("draw", "burn") and not self.is_strange
            undue = self.codes["card_not_due"]
            for event in events:
                self.apply(event)
            if was_due and is_due:
                assert self.codes["card_not_due"] == undue, f"a card that was due is not: {events}"

    def _plug(self, is_in: bool) -> None:
        if not is_in:
            self.decoder.reset()
            self.truth.broken()
        for event in self.session.back() if is_in else self.session.lost():
            self.apply(event)

    @property
    def is_strange(self) -> bool:
        """True if something happened that explains whatever the regulation thinks irregular."""
        return self.truth.is_adrift or self.had_gap or self.came_blocked or bool(self.missed())

    # --- the croupier ------------------------------------------------------------------------------------------------

    def wait(self) -> None:
        """Until the shoe's lamp is dark, and a little longer."""
        self.clock.advance(max(self.shoe.quiet_at_s - self.clock.now_s(), 0.0) + HUMAN_S)

    def put_stack_in(self) -> None:
        """A shuffled stack of eight decks."""
        cards = list(DECK) * DECKS
        self.rng.shuffle(cards)
        self.shoe.unload()
        self.truth.overdrawn.clear()
        self.shoe.load(cards, 14)
        self.wait()
        self.out, self.round, self.ahead, self.unread = [], [], [], []
        self.had_gap = self.came_blocked = self.is_forced = self.is_pressed = False
        self.must_end = False
        self._counted = 0
        self.truth.new_stack()
        self.shoes += 1

    def pull(self) -> None:
        """A card is due by the prompt."""
        if self.shoe.panel.errors:
            self.shoe.panel.clear_error()
            self.wait()
            return
        missed = self.missed()
        if missed and (self.shoe.panel.due is None or self.rng.random() < 1 / 2):
            # It lies there, and the table asks for it all the same.
            self.truth.entered(missed[0])
            self.session.card_entered()
            self.apply(CardDrawn(card=missed[0].card))
            self.entered += 1
            return
        if self.shoe.panel.due is None:
            self.press()
            return
        if self.rng.random() < UNREAD:
            self.shoe.fail_next_read()
        self.draw()

    def draw(self) -> None:
        """Pulls a card out, whatever it is."""
        is_burn, is_overdrawn = len(self.out) < DECKS, self.shoe.panel.due is None
        for out in self.shoe.draw().cards:
            card = OutCard(out.card, out.told)
            self.out.append(card)
            if is_overdrawn:
                self.ahead.append(card)
                self.truth.overdrawn.append(card)
            else:
                self.truth.in_hand = card
                self.round += [] if is_burn else [card]
        self.wait()

    def missed(self) -> list[OutCard]:
        """Cards that lie there and that the table has not heard of; the shoe has said what it has to say."""
        return [card for card in self.out if not card.known and card not in self.truth.overdrawn]

    def press(self) -> None:
        """The result button that the regulation's result asks for; if the shoe has another, it is forced."""
        self.is_pressed = True
        result = self.result()
        verdict = self.shoe.panel.verdict
        if verdict is not None and result is not None and BUTTONS[result.outcome] is verdict:
            self.shoe.panel.press(verdict)
        else:
            self.is_forced = True
            self.shoe.panel.force_end()
        self.wait()

    def result(self) -> BaccaratResult | None:
        """The regulation's result of this round."""
        return next((one for one in reversed(self.outputs) if isinstance(one, BaccaratResult)), None)

    def compare(self) -> None:
        """A round that is published has exactly the cards that lie on the table, in their order."""
        result = self.result()
        if result is None or self.truth.is_adrift:
            return
        player, banker = result.cards.player, result.cards.banker
        dealt = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
        there = [card.card for card in self.round]
        assert dealt == there, f"published {dealt}, on the table lie {there}"
        self.rounds += 1

    def collect(self) -> None:
        """The cards go to the discard rack, but for those of the next round."""
        self.outputs = [self.prompt]
        self.apply(RoundClosed())
        self.round, self.ahead = self.ahead, []
        self.had_gap = self.is_forced = self.is_pressed = False
