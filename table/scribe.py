"""From an input to the lines that a log gets for it: the input itself and the regulation's outputs, numbered together.

The controller writes these lines, recovery and ``cardshoe verify`` make them again and compare: one place decides what
a log looks like, so that a journal replays to the same bytes.
"""

import logging
from dataclasses import dataclass
from typing import Final, Literal

from msgspec import UNSET

from regulations.events.codec import encode, written
from regulations.events.inputs import AnyInput, Table
from regulations.events.outputs import AnyOutput, Next, Refused
from regulations.procedure import Procedure
from regulations.rulebook import Rulebook

# An INFO handler on its logger makes `transitions` five times slower, and its messages say nothing that a row does not.
logging.getLogger("transitions").setLevel(logging.WARNING)

LogLine = tuple[Literal["input", "output"], bytes]


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one input.

    Attributes:
        event: the input as written.
        outputs: the regulation's answer as written, the last of them a ``next``.
        lines: the bytes of all of them, in order.
    """

    event: AnyInput
    outputs: list[AnyOutput]
    lines: list[LogLine]

    @property
    def is_refused(self) -> bool:
        """Whether the regulation did not allow the input: then nothing changed."""
        return isinstance(self.outputs[0], Refused)

    @property
    def prompt(self) -> Next:
        """What the croupier must do now."""
        last = self.outputs[-1]
        if not isinstance(last, Next):
            raise TypeError(f"an answer ends with a `next`, not with {last!r}")
        return last


class Scribe:
    """Applies inputs to a table's regulation and writes down what comes of them.

    Args:
        table: the profile that opens the log, with its ``at``.
        rulebook: the rules; the game's own unless a test takes one out.
    """

    def __init__(self, table: Table, rulebook: Rulebook | None = None) -> None:
        self._seq = 0
        self.procedure: Final = Procedure(table, rulebook)
        self.opening: Final = self._write(table, self.procedure.opening)

    @property
    def is_refused(self) -> bool:
        """Whether the regulation does not allow the profile."""
        return self.procedure.is_refused

    def take(self, event: AnyInput) -> Taken:
        """Applies an input.

        Args:
            event: the input with its ``at``.
        """
        before = self.procedure.open_round
        outputs = self.procedure.apply(event)
        after = self.procedure.open_round
        return self._write(event, outputs, before if after is UNSET else after)

    def _write(self, event: AnyInput, outputs: list[AnyOutput], round_no: object = UNSET) -> Taken:
        at = event.at if isinstance(event.at, str) else ""
        number = round_no if isinstance(round_no, int) else UNSET
        self._seq += 1
        line = written(event, seq=self._seq, at=at, round_no=number)
        lines: list[LogLine] = [("input", encode(line))]
        answers: list[AnyOutput] = []
        for output in outputs:
            self._seq += 1
            answer = written(output, seq=self._seq, at=at)
            answers.append(answer)
            lines.append(("output", encode(answer)))
        return Taken(line, answers, lines)
