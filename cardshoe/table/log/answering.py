"""The regulation of one table, robust against failing inputs."""

import logging
import traceback
from typing import Final

import msgspec

from regulations.events.codec import decode_input, encode
from regulations.events.errors import NoSnapshot, SealedInput
from regulations.events.inputs import AnyInput, Loaded, Shuffled, Table
from regulations.events.notices import SignedIn
from regulations.events.outputs import AnyOutput
from regulations.law.rulebook import Rulebook
from regulations.play.context.snapshot import Snapshot
from regulations.procedure.procedure import Procedure

SECOND: Final = "?"
"""The unconfirmed supervisor; no person has such an id."""
logger: Final = logging.getLogger(__name__)


class Answering:
    """Applies inputs; one on which the law fails is refused without effect.

    The half-changed procedure is rebuilt from the inputs since the shoe began.
    """

    def __init__(
        self, table: Table, rulebook: Rulebook | None = None, *, snapshot: Snapshot | None = None, lines: int = 0
    ) -> None:
        self._table: Final = table
        self._rulebook: Final = rulebook
        self._base = None if snapshot is None else msgspec.json.encode(snapshot)
        self._base_lines = lines
        self._since: list[tuple[int, bytes]] = []
        """Inputs since, with the line number before; empty bytes: the law failed."""
        self._before = (self._base, lines, self._since, 0, -1)
        self.procedure = self._begun()

    def apply(self, event: AnyInput) -> list[AnyOutput]:
        """Apply an input; ``refused`` with code ``no_answer`` if the rules failed."""
        lines = self.procedure.lines
        self._before = (self._base, self._base_lines, self._since, len(self._since), lines)
        try:
            outputs = self.procedure.apply(event)
        except (SealedInput, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001  whatever it is, the table stays up
            # Not the error's text: it may name a card that lies face down (reading G8).
            where = traceback.extract_tb(error.__traceback__)[-1]
            what, kind = event.__struct_config__.tag, type(error).__name__
            logger.error("`%s` cannot be processed: %s at %s:%s", what, kind, where.filename, where.lineno)  # noqa: TRY400  all that may be said
            return self._refused(lines)
        self._since.append((lines, encode(event)))
        if isinstance(event, Loaded | Shuffled) and self.procedure.is_dealt_from:
            self._keep()
        return outputs

    def foresee(self, event: AnyInput) -> tuple[list[AnyOutput], Procedure]:
        """The answer from the open cards alone (reading G8), without effect, and its procedure."""
        procedure = self._rebuilt()
        procedure.apply(SignedIn(person=SECOND, role="supervisor", place="table_screen"))
        procedure.forget_hidden_cards()
        return procedure.apply(event), procedure

    def forget(self, lines: int) -> None:
        """Undo the last input, if it was applied."""
        base, base_lines, since, count, before = self._before
        if before != lines:
            return
        self._base, self._base_lines, self._since = base, base_lines, since
        del self._since[count:]
        self._rebuild()

    def _refused(self, lines: int) -> list[AnyOutput]:
        self._rebuild()
        self.procedure.lines = lines
        self._since.append((lines, b""))
        return self.procedure.without_answer()

    def _keep(self) -> None:
        try:
            snapshot = self.procedure.snapshot()
        except NoSnapshot:
            return
        self._base, self._base_lines, self._since = msgspec.json.encode(snapshot), self.procedure.lines, []

    def _begun(self) -> Procedure:
        if self._base is None:
            return Procedure(self._table, self._rulebook)
        snapshot = msgspec.json.decode(self._base, type=Snapshot)
        return Procedure.resume(self._table, snapshot, self._rulebook, lines=self._base_lines)

    def _rebuild(self) -> None:
        self.procedure = self._rebuilt()

    def _rebuilt(self) -> Procedure:
        procedure = self._begun()
        for lines, line in self._since:
            procedure.lines = lines
            if line:
                procedure.apply(decode_input(line))
            else:
                procedure.without_answer()
        return procedure
