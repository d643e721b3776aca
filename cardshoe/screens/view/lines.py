"""A view folded from stored or sent entries."""

from collections.abc import Sequence
from typing import Final

import msgspec

from cardshoe.screens.view.view import TableView
from regulations.events.codec import INPUTS, decode_input, output_decoder
from regulations.events.inputs import AnyInput, Table
from regulations.events.outputs import AnyOutput
from regulations.games.registry import SHEETS


class _Named(msgspec.Struct):
    event: str


_names: Final = msgspec.json.Decoder(_Named)


class LineFold:
    """Folds entries into ``view``, in order."""

    def __init__(self, view: TableView) -> None:
        self.view: Final = view
        self._decoder = None if view.profile is None else output_decoder(SHEETS[view.profile.game].result)

    def take(self, lines: Sequence[bytes]) -> tuple[AnyInput, list[AnyOutput]] | None:
        """Fold the next entry, see `read`; ``None``: not an input."""
        said = self.read(lines)
        if said is not None:
            self.view.take(*said)
        return said

    def read(self, lines: Sequence[bytes]) -> tuple[AnyInput, list[AnyOutput]] | None:
        """Decode an entry without changing the view; ``None``: not an input.

        Raises:
            MalformedLine: a malformed input.
            msgspec.MsgspecError: not a line of a log.
        """
        if _names.decode(lines[0]).event not in INPUTS:
            return None
        event = decode_input(lines[0])
        if isinstance(event, Table):
            self._decoder = output_decoder(SHEETS[event.game].result)
        if self._decoder is None:
            return None
        return event, [self._decoder.decode(line) for line in lines[1:]]
