"""Errors of the firmware bridge.

BridgeError
 ├── Denied        the interlock does not let a command pass
 └── RootFailed    a device does not say, or does not take, what it is to remember of the journal
"""


class BridgeError(Exception):
    """Root of everything that this package raises."""


class Denied(BridgeError):
    """The interlock does not let a command pass.

    Attributes:
        act: the act that was asked for.
        remedy: what a person can do about it.
    """

    def __init__(self, act: str, reason: str, remedy: str) -> None:
        super().__init__(f"{act} is denied: {reason}. {remedy}")
        self.act = act
        self.reason = reason
        self.remedy = remedy


class RootFailed(BridgeError):
    """A device refuses to report or store the root of a journal.

    Attributes:
        device: its name in the log.
        problem: what is wrong, one clause without a full stop.
        disagrees: whether it refused because the journal is not the one that it remembers.
    """

    def __init__(self, device: str, problem: str, *, disagrees: bool = False) -> None:
        super().__init__(f"{device} as a witness of the journal: {problem}.")
        self.device = device
        self.problem = problem
        self.disagrees = disagrees
