"""Copies and gaps by Seq and frame alone (``docs/protocols/angel-eye.md``, section 11)."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import msgspec

from protocols.angel_eye.messages import LockChanged, StandBy, Started, Telegram

COPY_WINDOW_S: Final = 1.0
"""Copies take 0.1 s, a Seq returns after 1.35 s."""
SEQUENCE_NUMBERS: Final = 9
REMEMBERED_FRAMES: Final = SEQUENCE_NUMBERS - 1
"""The same Seq returns after eight others; a stalled line delivers all at once."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A telegram that is not a copy.

    Attributes:
        missing: telegrams lost before it, 0 to 8.
        is_first: Seq cannot show a loss.
        differs: the last telegram's Seq and other bytes: one of both is damaged.
    """

    missing: int = 0
    is_first: bool = False
    differs: bool = False


_IN_ORDER: Final = Arrival()


class SequenceState(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The order of telegrams.

    Attributes:
        last_seq: ``None``: any may follow.
        last_raw: hexadecimal; empty if copies are harmless.
        before_break: the last before a loss of the link, whose copies may come late.
    """

    last_seq: int | None = None
    last_raw: str = ""
    before_break: str = ""


class Sequence:
    def __init__(self, state: SequenceState) -> None:
        self._state: Final = state
        self._first_heard: Final[OrderedDict[bytes, float]] = OrderedDict()
        self._last_heard_s = float("-inf")

    def forget(self) -> None:
        """Any Seq may follow."""
        self._state.last_seq = None
        self.forget_bytes()

    def forget_bytes(self) -> None:
        """Its card may be face down, and snapshots are not sealed."""
        self._state.last_raw = self._state.before_break = ""

    def broken(self) -> None:
        """A serial-to-TCP box may keep copies until the link returns."""
        self._state.before_break = self._state.last_raw

    def replay(self, message: Telegram) -> Arrival | None:
        if message.raw.hex() == self._state.before_break:
            return None
        self._remember(message)
        self.broken()
        return self._next(message)

    def arrival(self, message: Telegram, now_s: float) -> Arrival | None:
        """``None`` for a copy; ``now_s``: seconds, monotonic."""
        if self.is_copy(message.raw, now_s):
            return None
        self._remember(message)
        last_heard_s, self._last_heard_s = self._last_heard_s, now_s
        same_seq = message.seq == self._state.last_seq and not isinstance(message, Started)
        if same_seq and now_s - last_heard_s <= COPY_WINDOW_S:
            return Arrival(differs=True)
        return self._next(message)

    def is_copy(self, raw: bytes, now_s: float) -> bool:
        # How long a restart took, or the loss of the link, nobody knows.
        if self._state.before_break:
            if raw.hex() == self._state.before_break:
                return True
            self._state.before_break = ""
        # Seq is part of the frame.
        first_heard_s = self._first_heard.get(raw)
        if first_heard_s is not None and now_s - first_heard_s <= COPY_WINDOW_S:
            return True
        self._first_heard[raw] = now_s
        self._first_heard.move_to_end(raw)
        if len(self._first_heard) > REMEMBERED_FRAMES:
            self._first_heard.popitem(last=False)
        return False

    def _remember(self, message: Telegram) -> None:
        # Nothing tells a late copy from the same bytes nine telegrams on. Those of stand-by and key are common, and
        # heard twice they do no harm.
        self._state.last_raw = "" if isinstance(message, StandBy | LockChanged) else message.raw.hex()

    def _next(self, message: Telegram) -> Arrival:
        last, self._state.last_seq = self._state.last_seq, message.seq
        # What Seq does when the shoe starts is not known (Q2): any number may follow.
        if last is None or isinstance(message, Started):
            return Arrival(is_first=True)
        missing = (message.seq - last - 1) % SEQUENCE_NUMBERS
        return Arrival(missing) if missing else _IN_ORDER
