"""The books that the properties keep beside the machine: wagers, hidden cards, numbers. Written from the table log."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from tests.regulations.support.profiles import Json

Key = tuple[int, str, int]
_NAMED: Final = re.compile(r"\b[A2-9TJQK][SHDC]\b")
ODDS: Final[dict[tuple[str, str], Fraction]] = {
    ("player", "player"): Fraction(1),
    ("player", "banker"): Fraction(-1),
    ("player", "tie"): Fraction(0),
    ("banker", "player"): Fraction(-1),
    ("banker", "tie"): Fraction(0),
    ("tie", "tie"): Fraction(8),
    ("tie", "player"): Fraction(-1),
    ("tie", "banker"): Fraction(-1),
}
"""Net odds of a wager by the outcome; a banker win and the pairs are judged in :func:`odds_of`."""


def odds_of(bet: str, result: Json, *, half_on_six: bool) -> Fraction:
    """What one unit of a wager wins (arts. 12.º, 17.º, 18.º)."""
    if bet.endswith("_pair"):
        first, second, *_ = result["cards"][bet.removesuffix("_pair")]
        return Fraction(11) if first[0] == second[0] else Fraction(-1)
    if (bet, result["outcome"]) != ("banker", "banker"):
        return ODDS[bet, result["outcome"]]
    if not half_on_six:
        return Fraction(19, 20)
    return Fraction(1, 2) if result["points"]["banker"] == 6 else Fraction(1)


class Wagers:
    """Every wager is settled or returned exactly once in the end, for exactly what it wins."""

    def __init__(self, *, half_on_six: bool) -> None:
        self._half_on_six = half_on_six
        self._lying: dict[Key, int] = {}
        self._settled: dict[Key, Json] = {}
        self._returned: set[Key] = set()
        self._result: Json = {}
        self.total = Fraction(0)

    def hear(self, given: Json, outputs: Sequence[Json]) -> None:
        """Keeps the books of one input."""
        accepted = outputs[0]["event"] != "refused"
        if accepted and given["event"] == "bets_closed":
            assert not self._lying
            self._lying = {_key(wager): wager["stake"] for wager in given["wagers"]}
        for output in outputs:
            self._hear_output(output)
        over = any(output["event"] == "shoe_over" for output in outputs)
        if (accepted and given["event"] == "round_closed") or over:
            self._close()

    def _hear_output(self, output: Json) -> None:
        if output["event"] == "result":
            self._result = output
        elif output["event"] == "settled":
            assert output["wagers"]
            for wager in output["wagers"]:
                self._settle(wager)
        elif output["event"] == "reversed":
            assert output["wagers"] == list(self._settled.values())
            self._settled.clear()
        elif output["event"] == "voided":
            returned = {_key(wager): wager["stake"] for wager in output["wagers"]}
            assert returned == {key: stake for key, stake in self._lying.items() if key not in self._settled}
            self._returned |= set(returned)

    def _settle(self, wager: Json) -> None:
        key = _key(wager)
        assert key not in self._settled
        assert wager["stake"] == self._lying[key]
        exact = wager["stake"] * odds_of(wager["bet"], self._result, half_on_six=self._half_on_six)
        assert wager["net"] == round(exact)
        assert Fraction(wager.get("residue", 0)) == exact - wager["net"]
        self._settled[key] = wager

    def _close(self) -> None:
        assert not self._returned & set(self._settled)
        assert self._returned | set(self._settled) == set(self._lying)
        self._lying, self._settled, self._returned, self._result = {}, {}, set(), {}


def _key(wager: Json) -> Key:
    return wager["seat"], wager["bet"], wager.get("id", 1)


class HiddenCards:
    """No output shows a card that lies face down (reading G8).

    A card that came out once only can be told apart in the outputs. It may be named once it came out face up, was
    dealt on a table that deals face up, was revealed, was shown to fix the initial burn, or a person named it.

    Args:
        options: of the profile.
    """

    def __init__(self, options: Json) -> None:
        self._face_down = options.get("deal") == "face_down"
        self._burns_by_value = options.get("initial_burn") == "first_card_value"
        self._fixes_the_burn = self._burns_by_value
        self._copies: Counter[str] = Counter()
        self._open: set[str] = set()

    def hear(self, given: Json, outputs: Sequence[Json]) -> None:
        """Looks for hidden cards in what one input was answered."""
        self._hear_input(given)
        for output in outputs:
            if output["event"] == "dealt" and not self._face_down:
                assert output["card"] is not None
                self._open.add(output["card"])
            if output["event"] == "burned" and output["why"] == "initial":
                self._open |= {output["card"]} if self._fixes_the_burn else set()
                self._fixes_the_burn = False
            if output["event"] == "reveal":
                assert given["event"] == "revealed"
                self._open.update(output["cards"])
            said = json.dumps(output, ensure_ascii=False)
            for card in _NAMED.findall(said):
                assert card in self._open or self._copies[card] > 1, f"{card} is hidden: {said}"

    def _hear_input(self, given: Json) -> None:
        if given["event"] == "loaded":
            self._fixes_the_burn = self._burns_by_value
        if given["event"] == "card" and given["card"] is not None:
            self._copies[given["card"]] += 1
            if given.get("face") == "up":
                self._open.add(given["card"])
        named = [given.get("card")] if given["event"] == "resolve" else given.get("cards", [])
        if isinstance(named, list):
            self._open.update(card for card in named if isinstance(card, str))


class Numbers:
    """Rounds and irregularities are numbered from 1 without gap."""

    def __init__(self) -> None:
        self._round = 0
        self._irregularity = 0

    def hear(self, outputs: Sequence[Json]) -> None:
        """Checks the numbers in what one input was answered."""
        for output in outputs:
            if "round" in output:
                assert output["round"] in {self._round, self._round + 1}
                self._round = output["round"]
            if output["event"] == "irregularity":
                assert output["irregularity"] == self._irregularity + 1
                self._irregularity += 1
