"""Errors of the plugin; each fails the test like an assertion."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

SHOWN: Final = 20


class CardshoeFailure(AssertionError):
    """The root of all errors of this plugin."""


class CommandMissing(CardshoeFailure):
    def __init__(self, command: str) -> None:
        super().__init__(
            f"no command {command!r}: install cardshoe (docs/installing.md), or name it with --cardshoe-command=PATH"
        )
        self.command = command


class ProcessEnded(CardshoeFailure):
    def __init__(self, title: str, code: int | None, errors: str) -> None:
        super().__init__(f"{title} ended with code {code}: {errors.strip() or 'it said nothing on standard error'}")
        self.title = title
        self.code = code
        self.errors = errors


class Silent(CardshoeFailure):
    """An awaited line, answer or event did not arrive in time; `heard`: what arrived instead."""

    def __init__(self, title: str, wanted: str, patience_s: float, heard: Sequence[str] = ()) -> None:
        shown = heard[-SHOWN:]
        came = "".join(f"\n  {one}" for one in shown) if shown else " nothing"
        left = f" (the last {len(shown)} of {len(heard)})" if len(shown) < len(heard) else ""
        super().__init__(
            f"{title}: {wanted} did not come within {patience_s:g} s (--cardshoe-patience is how long to wait); "
            f"came instead{left}:{came}"
        )
        self.title = title
        self.wanted = wanted
        self.patience_s = patience_s
        self.heard = tuple(heard)


class InputNotUnderstood(CardshoeFailure):
    def __init__(self, typed: str, problem: str) -> None:
        super().__init__(f"the table did not understand {typed}: {problem}")
        self.typed = typed
        self.problem = problem


class InputRefused(CardshoeFailure):
    def __init__(self, told: Mapping[str, Any], refusal: Mapping[str, Any]) -> None:
        detail = f": {refusal['detail']}" if "detail" in refusal else ""
        super().__init__(f"{told['event']} was refused ({refusal['code']}, {refusal['article']}){detail}")
        self.told = dict(told)
        self.refusal = dict(refusal)


class CommandRefused(CardshoeFailure):
    def __init__(self, command: str, problem: str, usage: str) -> None:
        super().__init__(f"{command}: {problem}" + (f"; usage: {usage}" if usage else ""))
        self.command = command
        self.problem = problem
        self.usage = usage


class JournalRejected(CardshoeFailure):
    def __init__(self, journal: str, code: int, problem: str) -> None:
        super().__init__(f"cardshoe verify {journal} ended with code {code}: {problem.strip()}")
        self.journal = journal
        self.code = code
        self.problem = problem


class RecordingDamaged(CardshoeFailure):
    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}; a recording is made with --cardshoe-record=FILE")
        self.file = file
        self.line = line
        self.problem = problem


class ReplayDiffers(CardshoeFailure):
    """The same inputs gave another log.

    Attributes:
        number: of the first differing output, from 1.
        recorded, replayed: `None`: missing.
    """

    def __init__(self, number: int, recorded: str | None, replayed: str | None) -> None:
        super().__init__(f"output {number} differs\n  recorded: {recorded}\n  replayed: {replayed}")
        self.number = number
        self.recorded = recorded
        self.replayed = replayed
