"""Errors of the firmware bridge."""


class BridgeError(Exception):
    """Root of everything that this package raises."""


class Denied(BridgeError):
    def __init__(self, act: str, reason: str, remedy: str) -> None:
        super().__init__(f"{act} is denied: {reason}. {remedy}")
        self.act = act
        self.reason = reason
        self.remedy = remedy


class RootFailed(BridgeError):
    def __init__(self, device: str, problem: str, *, disagrees: bool = False) -> None:
        super().__init__(f"{device} as a witness of the journal: {problem}.")
        self.device = device
        self.problem = problem
        self.disagrees = disagrees
