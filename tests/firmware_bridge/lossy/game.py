"""The supervisor: settles what the regulation thinks irregular, and asks why it does."""

from typing import Final

from regulations.events.inputs import RoundClosed, ShoeEnded, Void
from regulations.events.vocabulary import ResolutionAction
from tests.firmware_bridge.desk import PERSONS
from tests.firmware_bridge.lossy.table import EXTRA_CARD, STAND_BY, LossyTable

PATIENCE: Final = 100
"""Acts that ending a shoe game takes at most."""


class LossyGame(LossyTable):
    """Plays shoe after shoe; an irregularity that nothing explains is an error."""

    def play(self, frames: int) -> None:
        """Plays until the shoe has sent so many frames."""
        while self.link.frames < frames:
            if self.rng.random() < STAND_BY:
                self.shoe.panel.stand_by()
                self.wait()
            self._act()
        self.truth.finish()

    def _act(self) -> None:
        if self.must_end and self.prompt.do == "draw":
            self._resync()
            return
        match self.prompt.do:
            case "resolve":
                self._settle()
            case "draw" | "burn":
                self.pull()
            case "close_round":
                self._close()
            case "shuffle":
                self._change_shoe()
            case other:
                raise AssertionError(f"the table asks to {other}")

    def _close(self) -> None:
        if self.missed():
            self._resync()
        elif self.shoe.panel.errors:
            self.shoe.panel.clear_error()
            self.wait()
        elif self.shoe.panel.verdict is not None and not self.ahead and self.rng.random() < EXTRA_CARD:
            self.draw()
        else:
            self.compare()
            if self.shoe.panel.has_begun_round and not self.is_pressed:
                self.press()
            if self.prompt.do == "close_round":
                self.collect()

    def _change_shoe(self) -> None:
        if self.shoe.panel.errors:
            self.shoe.panel.clear_error()
            self.wait()
            return
        self.put_stack_in()
        while self.prompt.do == "resolve":
            self._settle()
        self.load()
        assert self.prompt.do == "burn", self.prompt
        self.session.stack_loaded()

    # --- irregularities ----------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        number = self.prompt.irregularity
        assert isinstance(number, int)
        code = self.code_of[number]
        if code in ("device_lost", "device_fault"):
            self._mend(code)
        elif code == "count_gap" and len(self.missed()) == self.jump_of[number]:
            cards = self.missed()
            for card in cards:
                card.known = True
            self.resolve("identify", cards=[card.card for card in cards])
        elif code == "unread_card" and len(self.unread) == 1 and not self.missed():
            self.resolve("identify", card=self.unread.pop().card)
        elif code == "card_not_due" and self.ahead and not self.is_strange:
            if "burn" in self._ways():
                self.ahead.clear()
            self.resolve("burn" if "burn" in self._ways() else "next_round")
        elif code == "cut_card_missing" or (
            code == "device_disagrees" and not self.is_strange and self._shoe_cannot_judge()
        ):
            self.resolve("continue")
        else:
            assert self.is_strange, f"nothing explains {code}"
            self._resync()

    def _shoe_cannot_judge(self) -> bool:
        return self.is_forced or any(card.read is None for card in self.round)

    def _mend(self, code: str) -> None:
        if "continue" in self._ways():
            self.resolve("continue")
        elif code == "device_lost":
            self.wait()
        elif self.shoe.panel.errors:
            self.shoe.panel.clear_error()
            self.wait()
        elif self.shoe.panel.verdict is not None:
            # It has no error, and the table did not hear of that: it will when the shoe plays on.
            self.press()
        else:
            assert self.is_strange, "the shoe has no error, and nothing was lost"
            self._resync()

    def _ways(self) -> list[str]:
        return self.prompt.actions or []

    def _resync(self) -> None:
        self.codes["shoe games ended"] += 1
        for _ in range(PATIENCE):
            if self.prompt.do in ("shuffle", "burn"):
                # The initial burn cannot be broken off: as soon as it is complete.
                self.must_end = self.prompt.do == "burn"
                return
            if self.prompt.do == "resolve":
                self._give_up()
            elif self.prompt.do == "close_round":
                self.apply(RoundClosed())
            else:
                self.apply(Void(ground="malfunction", reason="resync", by=PERSONS))
                self.apply(ShoeEnded(reason="device"))
        raise AssertionError(f"the shoe game does not end: {self.prompt}")

    def _give_up(self) -> None:
        order: tuple[ResolutionAction, ...] = ("end_shoe", "void", "continue", "burn", "next_round")
        way = next((way for way in order if way in self._ways()), None)
        if way is not None:
            self.resolve(way)
        elif "identify" in self._ways():
            # The shoe game is over already; all that counts is how many cards there were.
            self._name_any()
        elif self.shoe.panel.errors:
            self.shoe.panel.clear_error()
            self.wait()
        else:
            # The device must say that it is well again, and what it said was lost: it says so when it starts anew.
            self.shoe.power_cycle()
            self.wait()

    def _name_any(self) -> None:
        number = self.prompt.irregularity
        assert isinstance(number, int)
        cards = [card.card for card in [*self.missed(), *reversed(self.out)]]
        if self.code_of[number] == "count_gap":
            self.resolve("identify", cards=cards[: self.jump_of[number]])
        else:
            self.resolve("identify", card=cards[0])
