"""One command and its answer, which carries no number. Pure: time is an argument.

An ``Ack`` does not name its command, so at most one is outstanding, and after an unanswered attempt the next command
waits until a late answer cannot be mistaken for its own.
"""

from dataclasses import dataclass
from typing import Final

from drivers.errors import CommandOutstanding
from protocols.angel_eye.messages import Ack, Nak, NakCode

REPLY_TIMEOUT_S: Final = 0.5
"""Seconds for an answer: 0.03 s at 4800 baud, 0.15 s for three copies of a telegram, and the shoe."""

ATTEMPTS: Final = 3
"""Attempts before the link counts as deaf (1.5 s)."""

RETRY_S: Final = 0.2
"""Seconds until a command refused by a busy shoe is sent again."""

BUSY_MAX_S: Final = 10.0
"""Seconds after which a busy shoe is the command's outcome, as with TDP."""

_BUSY: Final = frozenset({NakCode.BUSY, NakCode.WRITING})
_DAMAGED_ON_THE_WAY: Final = frozenset({NakCode.LINE, NakCode.BCC, NakCode.NO_ETX})


@dataclass(frozen=True, slots=True)
class NoReply:
    """The device did not answer.

    Attributes:
        attempts: how often the command was sent. Whether it was executed is unknown.
    """

    attempts: int


CommandResult = Ack | Nak | NoReply
"""The outcome of a command."""


@dataclass(frozen=True, slots=True)
class Resend:
    """Send the frame again."""

    frame: bytes


@dataclass(frozen=True, slots=True)
class Later:
    """The device is busy."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The exchange is over."""

    result: CommandResult


class CommandExchange:
    """At most one command on its way."""

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
        """True while a command waits for a busy device and another may replace it."""
        return self._again_at_s is not None

    @property
    def outstanding(self) -> bool:
        return self._frame is not None

    def begin(self, frame: bytes, now_s: float) -> None:
        """Begin an exchange with the first attempt, which the caller sends.

        Raises:
            CommandOutstanding: the answer to the previous command may still come.
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
        """Apply an answer; return the consequence, ``None`` if no command is outstanding."""
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
        """Apply the time; return the consequence, or ``None``."""
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
