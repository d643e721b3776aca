"""A croupier for tests that pull cables and kill processes: goes by the prompts and by the cards in hand."""

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Final

from protocols.angel_eye.messages import Outcome
from tests.kit.command import Line
from tests.kit.sealed import opened
from tests.kit.shoe import Shoe

PERSONS: Final = ["101", "102"]
BUTTONS: Final = {"player": Outcome.PLAYER, "banker": Outcome.BANKER, "tie": Outcome.TIE}
HARMLESS: Final = ("continue", "accept", "next_round", "burn", "void", "end_shoe")
NOTICED: Final = frozenset({"count_gap", "device_fault", "device_disagrees", "device_lost"})
"""Irregularities by which a table says that it may not have heard of a card."""


class Dealer:
    """One croupier with one shoe."""

    def __init__(self, shoe: Shoe, rng: random.Random, journals: Path) -> None:
        self._journals: Final = journals
        self._shoe: Final = shoe
        self._rng: Final = rng
        self._log: dict[int, Line] = {}
        self._texts: dict[int, str] = {}
        self._given_up: set[int] = set()
        """Cards that perhaps no telegram told, of rounds that were voided because the table noticed it."""
        self._is_lost = False
        self._old: set[int] = set()
        self.awaits: str | None = None
        """The telegram that the shoe sent for the last act."""

    # --- hearing -----------------------------------------------------------------------------------------------------

    def hear(self, text: str) -> None:
        """Takes a line that the table told, or that its journal holds; a line told twice must be the same."""
        line = opened(text, self._journals)
        assert self._texts.setdefault(line["seq"], text) == text
        self._log[line["seq"]] = line

    @property
    def texts(self) -> dict[int, str]:
        """The log as heard so far, by number."""
        return self._texts

    @property
    def prompt(self) -> Line:
        return next(line for _, line in sorted(self._log.items(), reverse=True) if line["event"] == "next")

    def known_cards(self) -> list[str]:
        """The cards of this stack that the table knows."""
        known: list[str] = []
        for _, line in sorted(self._log.items()):
            match line["event"]:
                case "loaded":
                    known = []
                case "card" if line["card"] is not None:
                    known.append(line["card"])
                case "resolve" if line["action"] == "identify":
                    known += line["cards"] if "cards" in line else [line["card"]]
                case _:
                    pass
        return known

    def untold_cards(self) -> list[str]:
        """The cards that are out and that the table does not know, in their order."""
        return [self._shoe.out()[index] for index in self._untold()]

    def _untold(self) -> list[int]:
        out = self._shoe.out()
        unknown = set(range(len(out)))
        due = 0
        for card in self.known_cards():
            # Of several alike it is the one nearest to where the last one lay: the table hears of cards in their order.
            same = [index for index in unknown if out[index] == card]
            if same:
                index = min((abs(one - due), one) for one in same)[1]
                unknown.remove(index)
                due = index + 1
        return sorted(unknown - self._given_up)

    def codes(self) -> Counter[str]:
        """The irregularities so far."""
        return Counter(line["code"] for line in self._log.values() if line["event"] == "irregularity")

    def assert_accounts(self) -> None:
        """No card was doubled, and none was lost, unless the table noticed that it had not heard it."""
        known, out = Counter(self.known_cards()), Counter(self._shoe.out())
        assert known - out == Counter()
        assert out - known - Counter(self._shoe.out()[index] for index in self._given_up) == Counter()
        assert out == known or NOTICED & set(self.codes())

    def note_line_cut(self) -> None:
        """Note that the line was cut: the table has not heard of the cards that are out."""
        self._is_lost = bool(self.untold_cards())

    def note_restart(self) -> None:
        """The table was killed: what it was about to say of an irregularity it may never say."""
        self._old = {line["irregularity"] for line in self._log.values() if line["event"] == "irregularity"}

    def draw_in_the_dark(self) -> None:
        """Draws a card though nobody asks for one: it may wait on the line for whoever comes."""
        self._is_lost = False
        self._shoe.draw()

    # --- acting ------------------------------------------------------------------------------------------------------

    def act(self) -> Line | None:
        """Does the one thing that is next.

        Returns:
            The input for the table; ``None``: none. ``awaits`` is then the shoe's telegram, if it sends one.
        """
        prompt = self.prompt
        self.awaits = None
        match prompt["do"]:
            case "draw" | "burn":
                return self._deal(prompt)
            case "close_round":
                return self._close_round()
            case "resolve":
                return self._resolve(prompt)
            case do:
                return self._stack_work(do)

    def _stack_work(self, do: str) -> Line:
        hands = self._shoe.hands
        match do:
            case "shuffle":
                self._shoe.do(lambda: hands.shuffle(self._rng))
                self._given_up.clear()
                return {"event": "shuffled", "by": "croupier"}
            case "cut":
                self._shoe.do(lambda: hands.cut(self._rng))
                return {"event": "cut", "by": "player"}
            case "place_cut_card":
                self._shoe.do(lambda: hands.place_cut_card(14))
                return {"event": "cut_card_placed", "behind": 14}
            case _:
                # Asked once more after a kill, the croupier says again what is in it.
                return {"event": "loaded", "cards": self._shoe.do(lambda: hands.load() if hands.felt.stack else 416)}

    def _deal(self, prompt: Line) -> Line | None:
        untold = self.untold_cards()
        self._is_lost &= bool(untold)
        if self._clears_errors():
            return None
        shoe = self._shoe.hands.shoe
        due = self._shoe.do(lambda: shoe.panel.due)
        if self._is_lost and (due is None or self._rng.random() < 1 / 2):
            return {"event": "card", "card": untold[0]}
        if "actions" in prompt and not untold and self._rng.random() < 3 / 4:
            wager = {"seat": 1, "bet": self._rng.choice(["player", "banker"]), "stake": 10_000}
            return {"event": "bets_closed", "seats": [1], "wagers": [wager]}
        # What is on the line comes before what the shoe is about to send: a gap shows.
        self._is_lost = False
        if due is None:
            self._ends_round()
        else:
            self._shoe.draw()
        self.awaits = self._shoe.last_frame()
        return None

    def _close_round(self) -> Line | None:
        if self._clears_errors():
            return None
        if not self._ends_round():
            return {"event": "round_closed"}
        self.awaits = self._shoe.last_frame()
        return None

    def _clears_errors(self) -> bool:
        shoe = self._shoe.hands.shoe
        has_cleared = self._shoe.do(lambda: bool(shoe.panel.errors) and shoe.panel.clear_error())
        if has_cleared:
            self.awaits = self._shoe.last_frame()
        return has_cleared

    def _ends_round(self) -> bool:
        log = sorted(self._log.items(), reverse=True)
        result = next((line for _, line in log if line["event"] in {"result", "voided"}), {})
        shoe = self._shoe.hands.shoe

        def press() -> bool:
            if not shoe.panel.player and not shoe.panel.banker:
                return False
            verdict = shoe.panel.verdict
            if verdict is not None and (
                self.prompt["do"] == "draw" or verdict is BUTTONS.get(result.get("outcome", ""))
            ):
                shoe.panel.press(verdict)
            else:
                shoe.panel.force_end()
            return True

        return self._shoe.do(press)

    def _resolve(self, prompt: Line) -> Line | None:
        number, ways = prompt["irregularity"], prompt["actions"]
        opened = next(
            line for line in self._log.values() if line["event"] == "irregularity" and line["irregularity"] == number
        )
        untold = self.untold_cards()
        resolve: Line = {"event": "resolve", "irregularity": number, "by": PERSONS}
        if opened["code"] == "count_gap":
            missing = re.search(r"(\d+) before this one", json.dumps(opened))
            assert missing is not None, opened
            return {**resolve, "action": "identify", "cards": untold[: int(missing[1])]}
        if opened["code"] == "unread_card":
            return {**resolve, "action": "identify", "card": untold[0]}
        waits = opened["code"] in {"device_fault", "device_lost"} and "continue" not in ways
        if waits and (self._clears_errors() or opened["code"] == "device_lost" or number not in self._old):
            return None
        action = next(way for way in HARMLESS if way in ways)
        if untold and opened["code"] in {"device_disagrees", "device_fault"} and "void" in ways:
            # Nobody knows any more which card lies where.
            action = "void"
        if action in {"void", "end_shoe"}:
            self._given_up.update(self._untold())
        return {**resolve, "action": action}
