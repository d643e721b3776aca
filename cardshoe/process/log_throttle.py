"""Log recurring texts at most once in ten minutes."""

from typing import Final

CALM_S: Final = 600.0


class LogThrottle:
    def __init__(self) -> None:
        self._said_s: dict[str, float] = {}

    def is_due(self, text: str, now_s: float) -> bool:
        """True if not logged lately; counts as logged then."""
        self._said_s = {said: at_s for said, at_s in self._said_s.items() if now_s - at_s < CALM_S}
        if text in self._said_s:
            return False
        self._said_s[text] = now_s
        return True
