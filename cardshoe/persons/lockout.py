"""Count wrong PINs by source and ID, and lock out."""

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Annotated, Final, Generic, Literal, TypeVar

from msgspec import Meta, Struct

TRIES: Final = 5
"""Wrong PINs in a row per ID and source."""
FIRST_S: Final = 60.0
"""First lock-out; each further wrong PIN doubles it."""
LONGEST_S: Final = 900.0
OF_SOURCE: Final = 30
"""Wrong PINs of one source within `WITHIN_S`, whatever the ID."""
OF_ID: Final = 20
"""Wrong PINs in a row per ID, over sources of a kind."""
WITHIN_S: Final = 300.0
SOURCE_S: Final = 60.0
KNOWN: Final = 1_024
"""Remembered sources and IDs, unknown ones too: answers must not show which exist."""
Kind = Literal["terminal", "program", "here", "here_known", "remote", "remote_known"]
"""`here`: the table's browser; `remote`: another; `known`: signed in before."""
KeyT = TypeVar("KeyT")


class Source(Struct, frozen=True):
    """The place of a PIN entry; wrong PINs count within its ``kind``."""

    name: Annotated[str, Meta(max_length=128)]
    kind: Kind

    @property
    def is_here(self) -> bool:
        return self.kind in ("here", "here_known")


TERMINAL: Final = Source("", "terminal")


class _InARow(Generic[KeyT]):
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
    """Lock-outs by source and ID; ``now_s``: a monotonic clock, in seconds."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s: Final = now_s
        self._pairs: Final[_InARow[tuple[Source, str]]] = _InARow(TRIES)
        self._sources: Final = _Lately()
        self._ids: Final[_InARow[tuple[Kind, str]]] = _InARow(OF_ID)

    def left_s(self, source: Source, person: str) -> float:
        """Seconds until a PIN is verified again; 0: now."""
        until_s = max(
            self._pairs.until_s((source, person)),
            self._sources.until_s(source),
            self._ids.until_s((source.kind, person)),
        )
        return max(0.0, until_s - self._now_s())

    def wrong(self, source: Source, person: str) -> None:
        """Count a wrong PIN."""
        now = self._now_s()
        self._pairs.wrong((source, person), now)
        self._sources.wrong(source, now)
        self._ids.wrong((source.kind, person), now)

    def right(self, source: Source, person: str) -> None:
        """End an ID's row of wrong PINs."""
        self._pairs.right((source, person))
        self._ids.right((source.kind, person))
