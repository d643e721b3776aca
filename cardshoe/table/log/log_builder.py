"""Build the numbered lines of an input, for controller, recovery and ``cardshoe verify``."""

import logging
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from cardshoe.journal.file.chain import data_of
from cardshoe.table.log.answering import Answering
from cardshoe.table.log.sealing import Sealer
from regulations.events.codec import decode_input, encode, written
from regulations.events.inputs import AnyInput, Proposed, Table
from regulations.events.line import Line
from regulations.events.origins import check_origin, fill_origin
from regulations.events.outputs import AnyOutput, Next, Refused
from regulations.law.rulebook import Rulebook
from regulations.play.context.snapshot import Snapshot
from regulations.procedure.procedure import Procedure

# An INFO handler on its logger makes `transitions` five times slower, and its messages say nothing that a row does not.
logging.getLogger("transitions").setLevel(logging.WARNING)

Shown = Callable[[AnyInput, Sequence[AnyOutput]], AnyInput]
"""The publishable form of an input, by its answer."""


class LoggedInput(msgspec.Struct, frozen=True):
    """The result of one input.

    Attributes:
        event: as written: face-down cards are sealed (reading G8).
        lines: in order.
    """

    event: AnyInput
    outputs: list[AnyOutput]
    lines: list[bytes]
    opened: AnyInput

    def tells(self, *kinds: type[Line]) -> bool:
        """True if an output is of these kinds."""
        for output in self.outputs:  # noqa: SIM110  # asked several times a card: a generator would cost more than this
            if isinstance(output, kinds):
                return True
        return False

    @property
    def entry(self) -> bytes:
        """The bytes of the journal entry."""
        return data_of(self.lines)

    @property
    def is_refused(self) -> bool:
        return isinstance(self.outputs[0], Refused)

    @property
    def is_unanswered(self) -> bool:
        return _failed(self.outputs)

    @property
    def prompt(self) -> Next:
        """The croupier's next act."""
        last = self.outputs[-1]
        if not isinstance(last, Next):
            raise TypeError(f"an answer ends with a `next`, not with {last!r}")
        return last


class Scribe:
    """Applies inputs to a table's regulation and writes the results."""

    def __init__(
        self,
        table: Table,
        rulebook: Rulebook | None = None,
        sealer: Sealer | None = None,
        *,
        snapshot: Snapshot | None = None,
        seq: int = 0,
    ) -> None:
        self._seq = 0
        self._sealer: Final = sealer
        self._law: Final = Answering(table, rulebook, snapshot=snapshot, lines=seq)
        self.opening: Final = self._write(fill_origin(table), self.procedure.opening)
        if snapshot is not None:
            self._seq = seq

    @property
    def procedure(self) -> Procedure:
        """The current regulation, replaced after a failing input."""
        return self._law.procedure

    @property
    def is_refused(self) -> bool:
        return self.procedure.is_refused

    def foresee(self, event: AnyInput, at: str) -> tuple[AnyInput, list[AnyOutput]]:
        """The input and its answer from the open cards alone."""
        before = self.procedure.open_round
        outputs, procedure = self._law.foresee(event)
        after = procedure.open_round
        number = before if after is UNSET else after
        opened = written(event, seq=self._seq + 1, at=at, round_no=number if isinstance(number, int) else UNSET)
        return opened, [written(one, seq=self._seq + 1, at=at) for one in outputs]

    def forget_last(self, seq: int) -> None:
        self._law.forget(seq - 1)
        self._seq = seq - 1

    def without(self, lines: Sequence[bytes], seq: int, at: str) -> LoggedInput:
        """The result of a passed-over input: no change."""
        event = decode_input(lines[0])
        outputs = self.procedure.without_answer()
        self._seq = self.procedure.lines = seq
        answer = [written(one, seq=seq, at=at) for one in outputs]
        return LoggedInput(event, answer, list(lines), self.opened(event))

    def take(self, event: AnyInput, *, tells_others: bool = False) -> LoggedInput:
        """Apply an input, and seal its face-down cards.

        Raises:
            WrongOrigin: the origin may not send it; no change.
            MalformedLine: a value out of range; no change.
            SealedInput: it is sealed already.
        """
        if event.origin != "person":  # a person's was read from its line
            decode_input(encode(event))
        return self._take(event, lambda line, outputs: self._sealed(line, outputs, tells_others=tells_others))

    def take_again(self, event: AnyInput) -> LoggedInput:
        """Apply an input of this log again.

        Raises:
            CannotOpen: a missing key, or altered.
            SealedInput: sealed, without a sealer.
        """
        like, sealer = event.sealed, self._sealer
        if like is UNSET or sealer is None:
            return self._take(event, lambda line, _: line)
        opened = sealer.open(msgspec.structs.replace(event, seq=self._seq + 1))
        return self._take(opened, lambda line, _: sealer.seal(line, like))

    def opened(self, event: AnyInput) -> AnyInput:
        """An input of this log, unsealed.

        Raises:
            CannotOpen: a missing key, or altered.
        """
        return event if event.sealed is UNSET or self._sealer is None else self._sealer.open(event)

    def _take(self, event: AnyInput, shown: Shown) -> LoggedInput:
        event = fill_origin(event)
        check_origin(event)
        before = self.procedure.open_round
        outputs = self._law.apply(event)
        after = self.procedure.open_round
        return self._write(event, outputs, before if after is UNSET else after, shown)

    def _sealed(self, line: AnyInput, outputs: Sequence[AnyOutput], *, tells_others: bool) -> AnyInput:
        is_hidden = tells_others or isinstance(line, Proposed) or _failed(outputs) or self.procedure.hides_the_event
        if self._sealer is None or not is_hidden:
            return line
        return self._sealer.seal(line)

    def _write(
        self,
        event: AnyInput,
        outputs: list[AnyOutput],
        round_no: object = UNSET,
        shown: Shown = lambda line, _: line,
    ) -> LoggedInput:
        at = event.at if isinstance(event.at, str) else ""
        number = round_no if isinstance(round_no, int) else UNSET
        self._seq += 1
        opened = written(event, seq=self._seq, at=at, round_no=number)
        line = shown(opened, outputs)
        lines = [encode(line)]
        answers: list[AnyOutput] = []
        for output in outputs:
            self._seq += 1
            answer = written(output, seq=self._seq, at=at)
            answers.append(answer)
            lines.append(encode(answer))
        return LoggedInput(line, answers, lines, opened)


def _failed(outputs: Sequence[AnyOutput]) -> bool:
    first = outputs[0]
    return isinstance(first, Refused) and first.code == "no_answer"
