"""A view folded from the lines of a log as they are stored or sent."""

from collections.abc import Iterable
from typing import Final

import msgspec

from cardshoe.screens.view.view import TableView
from regulations.events.codec import INPUTS, decode_input, output_decoder
from regulations.events.inputs import AnyInput, Table
from regulations.events.outputs import AnyOutput, Next
from regulations.games.registry import SHEETS


class _Named(msgspec.Struct):
    event: str
    seq: int = 0


_names: Final = msgspec.json.Decoder(_Named)


class LineFold:
    """Folds lines into a view, one after the other.

    Args:
        view: goes on from where it stands.

    Attributes:
        view: the view after the last input that is whole.
        taken: that input with its outputs; ``None`` before the first.
    """

    def __init__(self, view: TableView) -> None:
        self.view: Final = view
        self.taken: tuple[AnyInput, list[AnyOutput]] | None = None
        self._event: AnyInput | None = None
        self._answer: list[AnyOutput] = []
        self._decoder = None if view.profile is None else output_decoder(SHEETS[view.profile.game].result)

    @property
    def is_between(self) -> bool:
        """True if no input waits for the rest of its outputs."""
        return self._event is None

    def take(self, line: bytes) -> bool:
        """Takes the next line.

        Args:
            line: of the table log, without the line's end; one that is no input or output, such as that of a journal's
                retirement, changes nothing.

        Returns:
            Whether an input is whole with it, so that the view is a line further.

        Raises:
            MalformedLine: it is said to be an input, and is none.
            msgspec.MsgspecError: it is no line of a log.
        """
        name = _names.decode(line).event
        if name in INPUTS:
            self._event, self._answer = decode_input(line), []
            if isinstance(self._event, Table):
                self._decoder = output_decoder(SHEETS[self._event.game].result)
            return False
        if self._event is None or self._decoder is None:
            return False
        self._answer.append(self._decoder.decode(line))
        if not isinstance(self._answer[-1], Next):
            return False
        self.view.take(self._event, self._answer)
        self.taken = self._event, self._answer
        self._event = None
        return True

    def take_all(self, lines: Iterable[bytes]) -> TableView:
        """Takes lines to their end; the view."""
        for line in lines:
            self.take(line)
        return self.view
