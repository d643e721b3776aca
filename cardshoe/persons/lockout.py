"""Counts wrong PINs by source and by ID, and locks out sources that enter too many."""

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Annotated, Final, Generic, Literal, TypeVar

from msgspec import Meta, Struct

TRIES: Final = 5
"""Wrong PINs in a row of one ID and source that lock the ID there."""
FIRST_S: Final = 60.0
"""Seconds of the first lock-out; each wrong PIN after it doubles them."""
LONGEST_S: Final = 900.0
"""Seconds of the longest lock-out."""
OF_SOURCE: Final = 30
"""Wrong PINs of whatever IDs, from one source within `WITHIN_S`, after which that source is locked."""
OF_ID: Final = 20
"""Wrong PINs in a row of one ID, over sources of a kind, that lock it there."""
WITHIN_S: Final = 300.0
SOURCE_S: Final = 60.0
KNOWN: Final = 1_024
"""Sources, IDs and pairs remembered, unknown IDs too: answers must not show which exist."""
Kind = Literal["terminal", "program", "here", "here_known", "remote", "remote_known"]
"""Sources: terminal, program, the table's browser, another browser; `known`: signed in before."""
KeyT = TypeVar("KeyT")


class Source(Struct, frozen=True):
    """The place where a PIN is entered.

    Attributes:
        kind: wrong PINs count within their kind only, so that the terminal and the table's machine cannot be locked out
            from elsewhere.
    """

    name: Annotated[str, Meta(max_length=128)]
    kind: Kind


TERMINAL: Final = Source("", "terminal")


class _InARow(Generic[KeyT]):
    """Wrong PINs in a row by key, and until when each key is locked."""

    def __init__(self, tries: int) -> None:
        self._tries: Final = tries
        self._known: Final[OrderedDict[KeyT, tuple[int, float]]] = OrderedDict()

    def until_s(self, key: KeyT) -> float:
        return self._known.get(key, (0, 0.0))[1]

    def wrong(self, key: KeyT, now: float) -> None:
        count = self._known.pop(key, (0, 0.0))[0] + 1
        over = count - self._tries
        self._known[key] = (count, 0.0 if over < 0 else now + min(FIRST_S * 2.0 ** min(over, 16), LONGEST_S))
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)

    def right(self, key: KeyT) -> None:
        self._known.pop(key, None)


class _Lately:
    """Times of wrong PINs by source, and until when each source is locked."""

    def __init__(self) -> None:
        self._known: Final[OrderedDict[Source, tuple[deque[float], float]]] = OrderedDict()

    def until_s(self, key: Source) -> float:
        return self._known[key][1] if key in self._known else 0.0

    def wrong(self, key: Source, now: float) -> None:
        times, until_s = self._known.pop(key, (deque[float](maxlen=OF_SOURCE), 0.0))
        times.append(now)
        if len(times) == OF_SOURCE and now - times[0] <= WITHIN_S:
            until_s = now + SOURCE_S
            times.clear()
        self._known[key] = times, until_s
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)


class Lockout:
    """Decides which sources and IDs may not enter a PIN for a while.

    Args:
        now_s: a clock that only goes forward, in seconds.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s: Final = now_s
        self._pairs: Final[_InARow[tuple[Source, str]]] = _InARow(TRIES)
        self._sources: Final = _Lately()
        self._ids: Final[_InARow[tuple[Kind, str]]] = _InARow(OF_ID)

    def left_s(self, source: Source, person: str) -> float:
        """Seconds until a PIN of this ID is verified again from there; 0: now."""
        until_s = max(
            self._pairs.until_s((source, person)),
            self._sources.until_s(source),
            self._ids.until_s((source.kind, person)),
        )
        return max(0.0, until_s - self._now_s())

    def wrong(self, source: Source, person: str) -> None:
        """Counts a wrong PIN."""
        now = self._now_s()
        self._pairs.wrong((source, person), now)
        self._sources.wrong(source, now)
        self._ids.wrong((source.kind, person), now)

    def right(self, source: Source, person: str) -> None:
        """Ends a row of wrong PINs of an ID."""
        self._pairs.right((source, person))
        self._ids.right((source.kind, person))
