"""Log texts that come and go, each logged at most once in ten minutes."""

from typing import Final

CALM_S: Final = 600.0
"""Seconds in which a text is logged once."""


class LogThrottle:
    """Log texts that come and go: each is logged at most once in ``CALM_S``."""

    def __init__(self) -> None:
        self._said_s: dict[str, float] = {}

    def is_due(self, text: str, now_s: float) -> bool:
        """True if this text was not logged lately; it counts as logged then.

        Args:
            now_s: seconds, monotonic.
        """
        self._said_s = {said: at_s for said, at_s in self._said_s.items() if now_s - at_s < CALM_S}
        if text in self._said_s:
            return False
        self._said_s[text] = now_s
        return True
