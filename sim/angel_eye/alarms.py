"""The shoe's uncleared errors, oldest first."""

from collections.abc import Callable

from protocols.angel_eye.messages import ErrorCleared, ErrorRaised
from sim.angel_eye.transmitter import Transmitter


class Alarms:
    def __init__(self, line: Transmitter) -> None:
        self._line = line
        self._active: dict[int, bool] = {}

    @property
    def active(self) -> tuple[int, ...]:
        """The codes that are active, oldest first."""
        return tuple(self._active)

    @property
    def blocking(self) -> int | None:
        """The oldest code that holds the shoe in error mode; ``None`` if none does."""
        return next((code for code, error_mode in self._active.items() if error_mode), None)

    def raise_error(self, code: int, *, error_mode: bool) -> None:
        if not self._line.is_powered:
            return
        self._active[code] = error_mode or self._active.get(code, False)
        self._line.send(lambda seq: ErrorRaised(seq, code, error_mode))

    def clear(self, code: int) -> bool:
        if self._active.pop(code, None) is None:
            return False
        self._line.send(lambda seq: ErrorCleared(seq, code))
        return True

    def forget(self, keep: Callable[[int], bool]) -> None:
        """Without a report, as when the power goes."""
        self._active = {code: mode for code, mode in self._active.items() if keep(code)}
