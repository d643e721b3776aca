"""Errors of the regulations package; :class:`RegulationsError` is their root."""

from collections.abc import Iterable, Sequence


class RegulationsError(Exception):
    """Root of everything that this package raises."""


class MalformedLine(RegulationsError):
    """A line that is no event of the table log.

    Attributes:
        field: ``$.wagers[0].stake``; ``$``: the whole line.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class UnknownGame(MalformedLine, KeyError):
    def __init__(self, game: str, known: Iterable[str]) -> None:
        super().__init__("$.game", f"unknown game {game!r}; known are {', '.join(known)}")
        self.game = game

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}"


class IncompleteSheet(RegulationsError):
    def __init__(self, game: str, missing: Sequence[str]) -> None:
        super().__init__(f"the sheet of {game} is incomplete: {'; '.join(missing)}")
        self.game, self.missing = game, missing


class WrongOrigin(RegulationsError):
    def __init__(self, event: str, origin: str, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.event = event
        self.origin = origin
        self.field = field
        self.reason = reason


class SealedInput(RegulationsError):
    """It must be opened with the table's sealing key first."""

    def __init__(self, event: str, seq: int | None = None) -> None:
        where = f"line {seq}, " if seq is not None else ""
        super().__init__(f"{where}`{event}` is sealed: it tells of a card that lies face down")
        self.event = event
        self.seq = seq


class RegulationBug(RegulationsError):
    """The rule table has no answer for a (state, input) pair."""

    def __init__(self, state: str, trigger: str) -> None:
        super().__init__(f"no row answers {trigger!r} in state {state!r}; this is a defect of the rule table")
        self.state = state
        self.trigger = trigger


class NoSnapshot(RegulationsError):
    def __init__(self, reason: str) -> None:
        super().__init__(f"no snapshot can be taken: {reason}; take it when a new stack is in, before its first card")
        self.reason = reason


class SnapshotUnfit(RegulationsError):
    """Other rules or another game wrote the snapshot: replay the whole log."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the snapshot does not fit the rules: {reason}; replay the whole log")
        self.reason = reason
