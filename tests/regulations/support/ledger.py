"""What a case has led out of its stack so far: counted in its own lines, never asked from the machine."""

import re
from typing import Final

from tests.regulations.support.profiles import Json

ANY: Final = tuple(f"{rank}D" for rank in "23456789TJQKA")
"""What ``card any`` draws, in this order; preludes deal none of them from a single deck."""
_NUMBER: Final = re.compile(r"(?P<what>all|out|left)(?P<more>[+-]\d+)?")


class Ledger:
    """Cards out since the stack was loaded.

    Args:
        decks: of the table.
    """

    def __init__(self, decks: int) -> None:
        self._all: Final = 52 * decks
        self._out: list[str | None] = []

    def hear(self, given: Json) -> None:
        """Keeps the books of one input."""
        if given["event"] == "loaded" or (given["event"] == "cards_returned" and given["cards"] == len(self._out)):
            self._out.clear()
        elif given["event"] == "card":
            self._out.append(given["card"])

    def read(self, word: str) -> str:
        """``any`` as a card that is not out, ``all``, ``out-1`` and ``left+1`` as numbers, other words as they are."""
        if word == "any":
            return next(card for card in ANY if card not in self._out)
        match = _NUMBER.fullmatch(word)
        if match is None:
            return word
        base = {"all": self._all, "out": len(self._out), "left": self._all - len(self._out)}[match["what"]]
        return str(base + int(match["more"] or 0))
