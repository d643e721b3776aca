"""One command and its answer, which carries no number; time is an argument.

After an unanswered attempt the next waits until a late answer cannot be taken for its own.
"""

from dataclasses import dataclass
from typing import Final

from drivers.errors import CommandOutstanding
from protocols.angel_eye.messages import Ack, Nak, NakCode

REPLY_TIMEOUT_S: Final = 0.5
"""0.03 s at 4800 baud, 0.15 s for three copies of a telegram, and the shoe."""

ATTEMPTS: Final = 3
"""Then the link counts as deaf (1.5 s)."""

RETRY_S: Final = 0.2
"""Until a busy shoe is asked again."""

BUSY_MAX_S: Final = 10.0
"""Then a busy shoe is the outcome, as with TDP."""

_BUSY: Final = frozenset({NakCode.BUSY, NakCode.WRITING})
_DAMAGED_ON_THE_WAY: Final = frozenset({NakCode.LINE, NakCode.BCC, NakCode.NO_ETX})


@dataclass(frozen=True, slots=True)
class NoReply:
    """Whether the command was executed is unknown."""

    attempts: int


CommandResult = Ack | Nak | NoReply


@dataclass(frozen=True, slots=True)
class Resend:
    frame: bytes


@dataclass(frozen=True, slots=True)
class Later:
    """The device is busy."""


@dataclass(frozen=True, slots=True)
class Finished:
    result: CommandResult


class CommandExchange:
    def __init__(self, port: str) -> None:
        self._port = port
        self._frame: bytes | None = None
        self._attempts = 0
        self._deadline_s = float("-inf")
        self._unanswered = False
        self._quiet_until_s = float("-inf")
        self._busy_since_s: float | None = None
        self._again_at_s: float | None = None

    @property
    def is_put_off(self) -> bool:
        return self._again_at_s is not None

    @property
    def outstanding(self) -> bool:
        return self._frame is not None

    def begin(self, frame: bytes, now_s: float) -> None:
        """The caller sends the first attempt.

        Raises:
            CommandOutstanding: the previous answer may still come.
        """
        if (self._frame is not None and not self.is_put_off) or now_s < self._quiet_until_s:
            raise CommandOutstanding(
                self._port,
                "the answer to the previous command may still come",
                f"Give the command again once that one is finished, or {REPLY_TIMEOUT_S} s after it went unanswered.",
            )
        self._frame = frame
        self._attempts = 1
        self._unanswered = False
        self._busy_since_s = self._again_at_s = None
        self._deadline_s = now_s + REPLY_TIMEOUT_S

    def on_reply(self, reply: Ack | Nak, now_s: float) -> Resend | Later | Finished | None:
        if self._frame is None or self.is_put_off:
            return None
        if isinstance(reply, Nak) and reply.code in _BUSY:
            self._busy_since_s = now_s if self._busy_since_s is None else self._busy_since_s
            if now_s - self._busy_since_s >= BUSY_MAX_S:
                return self._finish(reply, now_s)
            self._again_at_s = now_s + RETRY_S
            return Later()
        damaged = isinstance(reply, Nak) and reply.code in _DAMAGED_ON_THE_WAY
        return self._again(now_s) if damaged and self._attempts < ATTEMPTS else self._finish(reply, now_s)

    def time_passed(self, now_s: float) -> Resend | Finished | None:
        if self._frame is not None and self._again_at_s is not None:
            if now_s < self._again_at_s:
                return None
            self._attempts, self._again_at_s = 0, None
            return self._again(now_s)
        if self._frame is None or now_s < self._deadline_s:
            return None
        self._unanswered = True
        return self._again(now_s) if self._attempts < ATTEMPTS else self._finish(NoReply(self._attempts), now_s)

    def abandon(self) -> None:
        """Drop the command after the line was lost."""
        self._frame = self._again_at_s = None
        self._quiet_until_s = float("-inf")

    def _again(self, now_s: float) -> Resend | None:
        if self._frame is None:
            return None
        self._attempts += 1
        self._deadline_s = now_s + REPLY_TIMEOUT_S
        return Resend(self._frame)

    def _finish(self, result: CommandResult, now_s: float) -> Finished:
        self._frame = None
        if self._unanswered:
            self._quiet_until_s = now_s + REPLY_TIMEOUT_S
        return Finished(result)
