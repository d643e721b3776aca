"""The books that the properties keep beside the machine: money, cards, numbers. Written from the table log."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, Protocol

from tests.regulations.support.profiles import Json

Key = tuple[int, str, int, int]
_NAMED: Final = re.compile(r"\b[A2-9TJQK][SHDC]\b")


class Book(Protocol):
    """Hears every input of a table with its outputs, and notices what is wrong in them."""

    def apply(self, given: Json, outputs: Sequence[Json]) -> None:
        """Keeps the book of one input."""


def key_of(wager: Json) -> Key:
    """The key that tells a wager from every other that lies at the same time; a later pair's has its number."""
    bet = f"{wager['bet']} {wager['pair']}" if "pair" in wager else wager["bet"]
    return wager["seat"], bet, wager.get("id", 1), wager.get("hand", 1)


class Money:
    """Every wager is settled or returned exactly once in the end, net of reversals; what it wins, each game says.

    A void round is undone whole (reading G3).
    """

    def __init__(self) -> None:
        self.lying: Counter[Key] = Counter()
        self.settled: list[Json] = []
        self.result: Json = {}
        self.is_void = False

    def apply(self, given: Json, outputs: Sequence[Json]) -> None:
        taken = outputs[0]["event"] not in {"refused", "irregularity"}
        # A card that was held comes with the bets, and may open an irregularity.
        if outputs[0]["event"] != "refused" and given["event"] in {"bets_closed", "bets_corrected"}:
            if given["event"] == "bets_corrected":
                self.take_back()
            self.put(given["wagers"])
        if taken and given["event"] == "decision":
            self.decided(given)
        for output in outputs:
            self.apply_output(output)
        ended = any(output["event"] == "shoe_over" for output in outputs)
        if ended or (taken and given["event"] == "round_closed"):
            self.close()

    def apply_output(self, output: Json) -> None:
        if output["event"] == "result":
            assert not self.result, "a result is told once, unless it was reversed"
            self.result = output
            self.judge_result()
        elif output["event"] == "settled":
            assert output["wagers"]
            assert not self.is_void
            for wager in output["wagers"]:
                self.settle(wager)
        elif output["event"] == "reversed":
            assert output["wagers"] or self.result, "something is reversed"
            self.reverse(output["wagers"])
            self.result = {}
        elif output["event"] == "voided":
            self.void({key_of(wager): wager["stake"] for wager in output["wagers"]})
            self.result, self.is_void = {}, True

    def put(self, wagers: Sequence[Json]) -> None:
        assert not self.lying
        assert not self.settled
        self.lying = Counter({key_of(wager): wager["stake"] for wager in wagers})
        self.is_void = False

    def take_back(self) -> None:
        self.lying.clear()

    def decided(self, given: Json) -> None:
        """A decision was taken."""

    def settle(self, wager: Json) -> None:
        assert self.lying.pop(key_of(wager)) == wager["stake"]
        self.settled.append(wager)

    def reverse(self, wagers: Sequence[Json]) -> None:
        for wager in wagers:
            self.settled.remove(wager)
            self.lying[key_of(wager)] = wager["stake"]

    def void(self, returned: dict[Key, int]) -> None:
        assert not self.settled, "a void round is undone whole (reading G3)"
        assert returned == self.lying
        self.lying.clear()

    def close(self) -> None:
        assert not self.lying
        if self.settled:
            assert self.result, "a result that fell is told anew"
            self.judge()
        self.settled, self.result, self.is_void = [], {}, False

    def judge_result(self) -> None:
        """Looks at a result as it is told."""

    def judge(self) -> None:
        """Looks at all that was settled in a round."""


def assert_wins(wager: Json, exact: Fraction | int) -> None:
    """A settled wager wins this much: whole units and what is left over."""
    assert wager["net"] == round(exact)
    assert Fraction(wager.get("residue", 0)) == exact - wager["net"]


class Cards:
    """Which cards are out, how many, and which of them may be named (reading G8).

    Attributes:
        out: since the stack was loaded; ``None`` for what nothing read.
    """

    def __init__(self, table: Json) -> None:
        self.decks: Final = int(table["decks"])
        self.out: list[str | None] = []
        self.open: set[str] = set()
        self.asked = ""
        self.renewed_by = frozenset({"loaded", "cards_returned"})
        self._round = 0
        self._lies_open: dict[tuple[object, ...], bool] = {}
        """By place in the open round: whose, which hand, which card of it. All that were burned are one place."""

    @property
    def full(self) -> bool:
        return len(self.out) >= 52 * self.decks

    def left(self, card: str) -> int:
        """Copies that are not out, as far as anybody knows."""
        return self.decks - self.out.count(card)

    def apply(self, given: Json, outputs: Sequence[Json]) -> None:
        taken = outputs[0]["event"] != "refused"
        if given["event"] == "card":
            self.out += [None] * (given.get("count", 0) - len(self.out) - 1)
            self.out.append(given["card"])
        elif taken and given["event"] in {"resolve", "revealed"}:
            # With nothing out, what persons name went back before.
            for card in named_in(given) if self.out else ():
                if given["event"] == "resolve" or card not in self.out:
                    self.out[self.unnamed()] = card
        elif taken and given["event"] in self.renewed_by:
            # A card that is held for the next round is not among those that go back.
            del self.out[: given["cards"] if given["event"] == "cards_returned" else None]
            self.open.clear()
        self.open.update(self.opened_by(given, taken=taken))
        for output in outputs:
            self.open.update(self.opened_in(given, output))
            self.open.update(self._named_again(given, output))
            hidden = set(_NAMED.findall(json.dumps(output, ensure_ascii=False))) - self.open
            assert not {card for card in hidden if not self.may_be_named(card, given)}, f"{given} -> {output}"
            if output["event"] == "shoe_over":
                self.count(output)
        self.asked = outputs[-1].get("do", "")

    def unnamed(self) -> int:
        """Which of those that are out a person names."""
        return self.out.index(None)

    def opened_by(self, given: Json, *, taken: bool) -> Iterable[str]:
        del taken
        return named_in(given) if given["event"] == "card" and given.get("face") == "up" else ()

    def opened_in(self, given: Json, output: Json) -> Iterable[str]:
        if output["event"] != "reveal":
            return ()
        assert given["event"] == "revealed"
        return list(output["cards"])

    def _named_again(self, given: Json, output: Json) -> Iterable[str]:
        if output.get("round", 0) > self._round:
            self._round = output["round"]
            self._lies_open.clear()
        owner = (output.get("to") or output.get("who") or "burn", output.get("seat"), output.get("hand"))
        if output["event"] == "reveal":
            self._lies_open.update((place, True) for place in self._lies_open if place[:3] == owner)
        if output["event"] not in {"dealt", "burned"} or "round" not in output:
            return ()
        place = (*owner, output.get("position"))
        lay_open = self._lies_open.get(place, False)
        self._lies_open[place] = output["card"] is not None or (lay_open and output["event"] == "burned")
        anew = given.get("cards", []) if given["event"] == "resolve" and given["action"] == "identify" else []
        named = [one["card"] for one in anew if isinstance(one, dict) and "index" in one and "card" in one]
        return [card for card in named if lay_open and card == output["card"]]

    def may_be_named(self, card: str, given: Json) -> bool:
        """True if the answer to this input may name a card that does not lie open."""
        del card, given
        return False

    def count(self, over: Json) -> None:
        assert over["cards_seen"] == len(self.out)
        assert over["cards_seen"] + over["cards_left"] == 52 * self.decks


def named_in(given: Json) -> list[str]:
    cards = given.get("cards")
    several = cards if isinstance(cards, list) else []
    return [card for card in (given.get("card"), *several) if isinstance(card, str)]


class Numbers:
    """Rounds and irregularities are numbered from 1 without gap."""

    def __init__(self) -> None:
        self._round = 0
        self._irregularity = 0

    def apply(self, given: Json, outputs: Sequence[Json]) -> None:
        del given
        for output in outputs:
            if "round" in output:
                assert output["round"] in {self._round, self._round + 1}
                self._round = output["round"]
            if output["event"] == "irregularity":
                assert output["irregularity"] == self._irregularity + 1
                self._irregularity += 1
