"""Errors of trust."""

from firmware_bridge.errors import BridgeError
from firmware_bridge.trust.codes import RESOLUTIONS, TrustCode


class TrustError(BridgeError):
    """Root of what this package raises."""

    def __init__(self, code: TrustCode, what: str) -> None:
        super().__init__(code, what)
        self.code = code
        self.what = what
        self.who, self.remedy = RESOLUTIONS[code]

    def __str__(self) -> str:
        return f"{self.code}: {self.what}"


class KeyRefused(TrustError):
    """A key, a passphrase, a certificate or a file of ours cannot be used."""


class ActRefused(TrustError):
    """The site's registry does not allow the act; nothing was written."""


class RegistryDamaged(TrustError):
    """The registry is not what was signed."""

    def __init__(self, code: TrustCode, what: str, seq: int) -> None:
        super().__init__(code, what)
        self.seq = seq


class FirmwareRefused(TrustError):
    """Nothing of the stick was taken; ``file`` empty: the whole."""

    def __init__(self, code: TrustCode, what: str, file: str = "") -> None:
        super().__init__(code, what)
        self.file = file
