"""Errors of the firmware bridge.

BridgeError
 └── Denied    the interlock does not let a command pass
"""


class BridgeError(Exception):
    """Root of everything that this package raises."""


class Denied(BridgeError):
    """The interlock does not let a command pass.

    Attributes:
        act: the act that was asked for.
        reason: why it is denied.
        remedy: what a person can do about it.
    """

    def __init__(self, act: str, reason: str, remedy: str) -> None:
        super().__init__(f"{act} is denied: {reason}. {remedy}")
        self.act = act
        self.reason = reason
        self.remedy = remedy
