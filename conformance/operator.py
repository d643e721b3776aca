"""The operator of a device: pulls cards, cables and plugs for a check."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final, Protocol

from conformance.check_result import CheckSkipped, CheckUndone
from conformance.manual_steps import ManualStep, StepResult

_OK: Final = "ok"
_ERROR: Final = "error"
_UNKNOWN: Final = ("unknown command", "no such command")


class Operator(Protocol):
    """Does manual steps; a step that cannot be done makes its check ``skipped``, never passed."""

    @property
    def name(self) -> str:
        """The operator's name, for the report."""

    @property
    def is_person(self) -> bool:
        """True for a person, who is asked for many cards at once."""

    @property
    def limit_s(self) -> float | None:
        """Seconds in which the answer must come; None: as long as it takes."""

    @property
    def stderr(self) -> Sequence[str]:
        """The device's last lines on standard error, if the helper has started it."""

    def begin(self, act: ManualStep) -> Future[StepResult]:
        """Start the step; the bench keeps the line alive. The future raises ``CheckSkipped`` if it cannot be done.

        Raises:
            CheckSkipped: the operator or the device cannot.
            CheckUndone: an earlier answer was wrong.
        """

    def close(self) -> None:
        """Let the helper go."""


class NoOperator:
    """No operator: checks that need a manual step are skipped."""

    name: Final = "nobody"
    is_person: Final = False
    limit_s: Final = 0.0
    stderr: Sequence[str] = ()

    def begin(self, act: ManualStep) -> Future[StepResult]:
        """Refuse.

        Raises:
            CheckSkipped: always.
        """
        raise CheckSkipped(f"no operator: {act.words} Give --ask, or --control of a simulated device")

    def close(self) -> None:
        """Nothing to let go."""


class LineOperator:
    """Operator that accepts control lines and answers each with ``ok: …`` or ``error: …``.

    Args:
        background: run ``exchange`` on a thread of its own.
        limit_s: seconds in which an answer must have come.
        exchange: sends a line and returns the answer; may block; an ``OSError`` counts as an answer.
    """

    def __init__(
        self,
        name: str,
        exchange: Callable[[str], str],
        *,
        background: bool = True,
        limit_s: float | None = 30.0,
    ) -> None:
        self.name: Final = name
        self.is_person: Final = False
        self.limit_s: Final = limit_s
        self.stderr: Sequence[str] = ()
        self._exchange: Final = exchange
        self._background: Final = background

    def begin(self, act: ManualStep) -> Future[StepResult]:
        """Send the act's line."""
        future: Future[StepResult] = Future()
        future.set_running_or_notify_cancel()
        if self._background:
            threading.Thread(target=self._run, args=(act, future), name=f"helper {act.line}", daemon=True).start()
        else:
            self._run(act, future)
        return future

    def close(self) -> None:
        """Release resources; here none."""

    def _run(self, act: ManualStep, future: Future[StepResult]) -> None:
        try:
            answer = self._do(act)
            for _ in range(act.times - 1):
                if not answer.done:
                    break
                answer = self._do(act)
            future.set_result(answer)
        except (CheckSkipped, OSError) as error:
            refused = error if isinstance(error, CheckSkipped) else CheckSkipped(f"{self.name}: {error}")
            future.set_exception(refused)

    def _do(self, act: ManualStep) -> StepResult:
        try:
            answer = self._send_all(act.line)
        except CheckSkipped:
            if not act.otherwise:
                raise
            return self._send(act.otherwise)
        return answer if answer.done or not act.otherwise else self._send(act.otherwise)

    def _send_all(self, lines: str) -> StepResult:
        answer = StepResult(done=True, text="")
        for line in lines.splitlines():
            answer = self._send(line)
            if not answer.done:
                break
        return answer

    def _send(self, line: str) -> StepResult:
        text = self._exchange(line).strip()
        word, _, rest = text.partition(":")
        if word == _OK:
            return StepResult(done=True, text=rest.strip())
        if word != _ERROR:
            raise CheckSkipped(f"{self.name} answered {line!r} with {text!r}, neither ok nor error")
        if any(words in rest for words in _UNKNOWN):
            raise CheckSkipped(f"{self.name} cannot do {line!r}: {rest.strip()}")
        return StepResult(done=False, text=rest.strip())


class TerminalOperator:
    """A person at the terminal, asked in plain words.

    Args:
        listen: waits for a typed line and returns it; ``None`` when nothing will ever be typed again.
    """

    name: Final = "a person"
    is_person: Final = True
    limit_s: Final = None
    stderr: Sequence[str] = ()

    def __init__(self, say: Callable[[str], None], listen: Callable[[], str | None]) -> None:
        self._say: Final = say
        self._listen: Final = listen

    def begin(self, act: ManualStep) -> Future[StepResult]:
        """Ask for it; Enter says done, ``n`` that it could not be done, ``s`` skips, ``u`` takes back an answer."""
        future: Future[StepResult] = Future()
        future.set_running_or_notify_cancel()
        self._say(f"  > {act.words}")
        done = "the cards drawn, in order, such as 4S TH KD" if act.names_cards else "Enter"
        self._say(f"    {done}: done   n: it could not be done   s: skip this check   u: undo the last answer")
        threading.Thread(target=self._run, args=(act, future), name="asks a person", daemon=True).start()
        return future

    def close(self) -> None:
        """Leave an open question unanswered."""

    def _run(self, act: ManualStep, future: Future[StepResult]) -> None:
        while (typed := self._listen()) is not None:
            word = typed.strip().lower()
            if word == "u":
                future.set_exception(CheckUndone())
                return
            if word == "s":
                break
            answer = _answer(word, act)
            if answer is not None:
                future.set_result(answer)
                return
            self._say(f"    {typed.strip()!r} is no answer here. Type it again.")
        future.set_exception(CheckSkipped(f"skipped by the person who was asked: {act.words}"))


def _answer(word: str, act: ManualStep) -> StepResult | None:
    if word == "n":
        return StepResult(done=False, text="it could not be done")
    if not act.names_cards:
        return None if word else StepResult(done=True, text="done")
    cards = word.upper().replace(",", " ").split()
    answer = StepResult(done=True, text=f"drew {', '.join(cards)}")
    return answer if answer.cards == cards and len(cards) == act.times else None
