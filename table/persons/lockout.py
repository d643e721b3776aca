"""Who may not even try a PIN for a while: each id by itself, and all of them."""

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

TRIES: Final = 5
"""Wrong PINs in a row after which an id is locked out."""
FIRST_S: Final = 60.0
"""Seconds of the first lock-out; each wrong PIN after it doubles them."""
LONGEST_S: Final = 900.0
IN_ALL: Final = 30
"""Wrong PINs of whomever, within `WITHIN_S`, after which all are locked out."""
WITHIN_S: Final = 300.0
ALL_S: Final = 60.0
KNOWN: Final = 1_024
"""Ids that are remembered, of nobody as well as of persons: who tries must not learn which there are."""


class Lockout:
    """Counts what was wrong.

    Args:
        now_s: a clock that only goes forward, in seconds.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s: Final = now_s
        self._wrong: Final[OrderedDict[str, tuple[int, float]]] = OrderedDict()
        """By id: how often in a row, and until when it is locked out."""
        self._lately: Final[deque[float]] = deque(maxlen=IN_ALL)
        self._all_until_s = 0.0

    def left_s(self, person: str) -> float:
        """Seconds until a PIN of this id is looked at again; 0: now."""
        until_s = self._wrong.get(person, (0, 0.0))[1]
        return max(0.0, max(until_s, self._all_until_s) - self._now_s())

    def wrong(self, person: str) -> None:
        """Notes a wrong PIN."""
        now = self._now_s()
        count = self._wrong.pop(person, (0, 0.0))[0] + 1
        over = count - TRIES
        self._wrong[person] = (count, 0.0 if over < 0 else now + min(FIRST_S * 2.0 ** min(over, 16), LONGEST_S))
        if len(self._wrong) > KNOWN:
            self._wrong.popitem(last=False)
        self._lately.append(now)
        if len(self._lately) == IN_ALL and now - self._lately[0] <= WITHIN_S:
            self._all_until_s = now + ALL_S
            self._lately.clear()

    def right(self, person: str) -> None:
        """Forgets what was wrong before."""
        self._wrong.pop(person, None)
