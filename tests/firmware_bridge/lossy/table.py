"""A whole table over the bad line: shoe, decoder, session, regulation; its croupier and supervisor see the cards."""

import random
from collections import Counter
from typing import Final

from msgspec import UNSET, UnsetType

from firmware_bridge.angel_eye.session import ShoeSession
from protocols.angel_eye.decoder import TelegramDecoder
from protocols.angel_eye.messages import Ack, Nak, Outcome
from protocols.garbage import Garbage
from regulations.cards import DECK, Card
from regulations.events.inputs import AnyInput, BetsClosed, CardDrawn, Reassignment, RoundClosed, ShoeEnded
from regulations.events.outputs import Burned, Dealt, Irregularity, Result, ShoeOver
from regulations.events.vocabulary import WayOut
from sim.angel_eye.settings import ShoeSettings
from sim.angel_eye.shoe import AngelEyeShoe
from sim.clock import VirtualClock
from tests.firmware_bridge.desk import SHOE, Regulated
from tests.firmware_bridge.lossy.link import BadLink, Rates
from tests.firmware_bridge.lossy.truth import OutCard, Told, Truth

BUTTONS: Final = {"player": Outcome.PLAYER, "banker": Outcome.BANKER, "tie": Outcome.TIE}
UNREAD: Final = 1 / 200
EXTRA_CARD: Final = 1 / 40
STAND_BY: Final = 1 / 20
CUT_CARD_BEHIND: Final = 14
HUMAN_S: Final = 0.2


class LossyTable(Regulated):
    """Plays shoe after shoe until the shoe has sent so many frames.

    Args:
        seed: of cards, mishaps and faults.
        rates: of the faults on the line.
        error_before_card: the order in which this shoe tells of a card that it could not read.
    """

    def __init__(self, seed: int, rates: Rates, *, error_before_card: bool) -> None:
        self.rng = random.Random(seed)
        self.clock = VirtualClock()
        self.truth = Truth()
        self.link = BadLink(
            self.clock, self.rng, rates, to_host=self._bytes, witness=self.truth.says, plugged=self._plug
        )
        settings = ShoeSettings(burn_cards=8, error_before_card=error_before_card)
        self.shoe = AngelEyeShoe(self.clock, self.link.send, settings)
        self.decoder = TelegramDecoder()
        self.session = ShoeSession(SHOE)
        self.codes: Counter[str] = Counter()
        self.rounds = 0
        self._round: list[OutCard] = []
        self._shoes_own: set[str] = set()
        self._seen = 0
        self.shoe.power_on()
        super().__init__(overdrawn_card="next_round")

    # --- the host ----------------------------------------------------------------------------------------------------

    def _bytes(self, data: bytes) -> None:
        for message in self.decoder.feed(data):
            if isinstance(message, Ack | Nak | Garbage):
                continue
            events = self.session.hear(message, self.clock.now_s())
            blocked = self.is_blocked
            lost = self.session.gaps
            told = self.truth.heard(message.raw, events)
            self._take_in(events)
            if told is not None and told.kind == "D" and len(events) == 1 and not blocked:
                self._was_due(told, lost)

    def _was_due(self, told: Told, _lost: int) -> None:
        """A card that the prompt asked for is never one that is not due."""
        assert self.truth.is_adrift or "card_not_due" not in self._new_codes, told.frame.hex(" ")

    def _take_in(self, events: list[AnyInput]) -> None:
        self._new_codes: list[str] = []
        for event in events:
            before = len(self.outputs)
            self.apply(event)
            self._new_codes += [one.code for one in self.outputs[before:] if isinstance(one, Irregularity)]

    def _plug(self, is_in: bool) -> None:  # noqa: FBT001  the link's callback
        if not is_in:
            self.decoder.reset()
        self._take_in(self.session.back() if is_in else self.session.lost())

    # --- the croupier ------------------------------------------------------------------------------------------------

    def play(self, frames: int) -> None:
        """Plays until the shoe has sent so many frames."""
        self._load_shoe()
        while self.link.frames < frames:
            self._act()
        self.truth.finish()

    def _act(self) -> None:
        if self.rng.random() < STAND_BY:
            self.shoe.stand_by()
        self._wait()
        if self.is_blocked:
            self._settle()
        elif self.prompt.do in ("draw", "burn"):
            self._pull()
        elif self.prompt.do == "close_round":
            self._close()
        elif self.prompt.do == "shuffle":
            self._change_shoe()
        else:
            raise AssertionError(f"the table asks to {self.prompt.do}")

    def _wait(self) -> None:
        """Until the shoe's lamp is dark."""
        self.clock.advance(max(self.shoe.quiet_at_s - self.clock.now_s(), 0.0) + HUMAN_S)

    def _pull(self) -> None:
        if self.shoe.due is None and not self._missed():
            self._press()
            return
        missed = self._missed()
        if missed and (self.shoe.due is None or self.rng.random() < 1 / 2):
            # The card lies there and the table did not ask for the next one.
            self._enter(missed[0])
            return
        if self.rng.random() < UNREAD:
            self.shoe.fail_next_read()
        self._draw()

    def _draw(self) -> None:
        is_overdrawn = self.shoe.due is None
        pulled = self.shoe.draw()
        for out in pulled.cards:
            card = OutCard(out.card, out.told)
            self._round.append(card)
            if is_overdrawn:
                self.truth.overdrawn.append(card)
            else:
                self.truth.in_hand = card
        self._wait()

    def _missed(self) -> list[OutCard]:
        return [card for card in self._round if not card.known and card not in self.truth.overdrawn]

    def _enter(self, card: OutCard) -> None:
        self.truth.entered(card)
        self.session.card_entered()
        self.apply(CardDrawn(card=card.card))
        self.codes["entered by hand"] += 1

    def _close(self) -> None:
        if self.shoe.errors:
            self.shoe.clear_error()
        elif self.rng.random() < EXTRA_CARD and self.shoe.verdict is not None and not self.truth.overdrawn:
            self._draw()
            return
        self._wait()
        if self.is_blocked:
            return
        self._compare()
        self._press()
        if not self.is_blocked and self.prompt.do == "close_round":
            self._collect()

    def _press(self) -> None:
        result = self._result()
        verdict = self.shoe.verdict
        if verdict is not None and result is not None and BUTTONS[result.outcome] is verdict:
            self.shoe.press(verdict)
        else:
            self._shoes_own.add("forced")
            self.shoe.force_end()
        self._wait()

    def _result(self) -> Result | None:
        return next((one for one in reversed(self.outputs[self._seen :]) if isinstance(one, Result)), None)

    def _compare(self) -> None:
        """The round that is published has exactly the cards that lie on the table."""
        result = self._result()
        if result is None or self.truth.is_adrift:
            return
        player, banker = result.cards.player, result.cards.banker
        told = [card for pair in zip(player[:2], banker[:2], strict=True) for card in pair] + player[2:] + banker[2:]
        assert told == [card.card for card in self._round][: len(told)], (told, self._round)
        self.rounds += 1

    def _collect(self) -> None:
        dealt = sum(isinstance(one, Dealt) for one in self.outputs[self._seen :])
        burned = sum(isinstance(one, Burned) for one in self.outputs[self._seen :])
        self._shoes_own.clear()
        del self.outputs[:-1]
        self.apply(RoundClosed())
        self._round = self._round[dealt + burned :]

    # --- the supervisor ----------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        raise NotImplementedError
