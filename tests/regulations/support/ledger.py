"""The cards that a case has led out of its stack so far: counted in its own lines, never asked from the machine."""

import re
from typing import Final

from tests.regulations.support.games.kit import GameKit
from tests.regulations.support.profiles import Json

ANY: Final = tuple(f"{rank}D" for rank in "23456789TJQKA")
"""The cards that ``card any`` draws, in this order; preludes deal none of them from a single deck."""
_NUMBER: Final = re.compile(r"(?P<what>all|out|left|least|most|due)(?P<more>[+-]\d+)?")


class Ledger:
    """Cards out since the stack was loaded, and what is resolved."""

    def __init__(self, kit: GameKit, decks: int) -> None:
        self._kit: Final = kit
        self._all: Final = 52 * decks
        self._out: list[str | None] = []
        self._resolved = 0

    def apply(self, given: Json) -> None:
        if given["event"] == "loaded" or (given["event"] == "cards_returned" and given["cards"] == len(self._out)):
            self._out.clear()
        elif given["event"] == "card":
            self._out.append(given["card"])
        elif given["event"] == "resolve":
            self._resolved = given["irregularity"]

    def read(self, word: str) -> str:
        """A card for ``any``, the main wager for ``wager``, numbers for ``all``, ``out-1`` ...; other words as is."""
        if word == "any":
            return next(card for card in ANY if card not in self._out)
        if word == "wager":
            return "{seat}:{bet}:{stake}".format(**self._kit.wager)
        match = _NUMBER.fullmatch(word)
        if match is None:
            return word
        out = len(self._out)
        least, most = self._kit.cut_card_behind
        bases = {"all": self._all, "out": out, "left": self._all - out, "least": least, "most": most}
        return str((bases | {"due": self._resolved + 1})[match["what"]] + int(match["more"] or 0))
