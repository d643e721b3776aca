"""Errors of updates."""

from firmware_bridge.errors import BridgeError
from firmware_bridge.update.codes import UpdateCode, resolution_of


class UpdateError(BridgeError):
    """Root of what this package raises."""

    def __init__(self, code: str, what: str) -> None:
        super().__init__(code, what)
        self.code = str(code)
        self.what = what
        found = resolution_of(code)
        self.who, self.remedy = found or ("", "")

    def __str__(self) -> str:
        return f"{self.code}: {self.what}"


class UpdateRefused(UpdateError):
    """A rule, an approval or the record does not allow it; nothing was changed."""


class DeviceFailure(UpdateError):
    """The device's state is unknown until it is asked again."""

    def __init__(self, code: UpdateCode, what: str) -> None:
        super().__init__(code, what)
