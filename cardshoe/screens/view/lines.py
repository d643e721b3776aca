"""A view folded from the entries of a log as they are stored or sent."""

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
    """Folds inputs with their answers into a view, one after the other.

    Args:
        view: goes on from where it stands.

    Attributes:
        view: the view after the last input.
    """

    def __init__(self, view: TableView) -> None:
        self.view: Final = view
        self._decoder = None if view.profile is None else output_decoder(SHEETS[view.profile.game].result)

    def take(self, lines: Sequence[bytes]) -> tuple[AnyInput, list[AnyOutput]] | None:
        """Take the next entry into the view; see `read`.

        Returns:
            The input with its answers; ``None``: not an input, nothing changed.
        """
        said = self.read(lines)
        if said is not None:
            self.view.take(*said)
        return said

    def read(self, lines: Sequence[bytes]) -> tuple[AnyInput, list[AnyOutput]] | None:
        """Decode the next entry; the view does not change.

        Args:
            lines: of an input and its answers, without the line feeds; any other entry of a journal changes nothing.

        Returns:
            The input with its answers; ``None``: it is no input.

        Raises:
            MalformedLine: it is said to be an input, and is none.
            msgspec.MsgspecError: a line is none of a log.
        """
        if _names.decode(lines[0]).event not in INPUTS:
            return None
        event = decode_input(lines[0])
        if isinstance(event, Table):
            self._decoder = output_decoder(SHEETS[event.game].result)
        if self._decoder is None:
            return None
        return event, [self._decoder.decode(line) for line in lines[1:]]
