"""A view as bytes: made once for all viewers, and its long part only where that has changed."""

from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET, Struct

from cardshoe.screens.view.parts import RoundOutcome, RoundView
from cardshoe.screens.view.view import TableView


class Ended(Struct, frozen=True):
    """The part of a view that changes when a round ends or a shoe game begins: `TableView.last` and its `results`."""

    last: RoundView | None = None
    results: list[RoundOutcome] = []


_encode: Final = msgspec.json.Encoder().encode
_views: Final = msgspec.json.Decoder(TableView)
_ended: Final = msgspec.json.Decoder(Ended)


class EncodedView(NamedTuple):
    """A view as bytes.

    Attributes:
        seq: number of the last line that went into it.
        view: the view as JSON without that part.
        ended: the part that is `Ended`, as JSON; the same object until it changes.
    """

    seq: int
    view: bytes
    ended: bytes

    def decoded(self) -> TableView:
        """The view.

        Raises:
            msgspec.MsgspecError: these bytes are no view.
        """
        reader = ViewReader()
        reader.hear(self.view, self.ended)
        return reader.read() or TableView()


class ViewEncoder:
    """Encodes the views of one table, in their order."""

    def __init__(self) -> None:
        self._last: RoundView | None = None
        self._newest: RoundOutcome | None = None
        self._outcomes: list[bytes] = []
        self._ended = _encode(Ended())

    def encode(self, view: TableView) -> EncodedView:
        """Encodes a view."""
        newest = view.results[-1] if view.results else None
        if newest is not self._newest or view.last is not self._last:
            self._add(view.results)
            self._newest, self._last = newest, view.last
            self._ended = b'{"last":%b,"results":[%b]}' % (_encode(view.last), b",".join(self._outcomes))
        return EncodedView(view.seq, _encode(msgspec.structs.replace(view, last=UNSET, results=UNSET)), self._ended)

    def _add(self, results: list[RoundOutcome]) -> None:
        """Encodes the newest results: all of a shoe game would take longer than folding a round."""
        if len(results) > 1 and results[-2] is self._newest:
            self._outcomes.append(_encode(results[-1]))
            del self._outcomes[: -len(results)]
        else:
            self._outcomes = [_encode(one) for one in results]


class ViewReader:
    """Reads the views of one table, in their order; a view that is not asked for is not decoded."""

    def __init__(self) -> None:
        self._view: TableView | None = None
        self._bytes: bytes | None = None
        self._ended = Ended()
        self._ended_bytes: bytes | None = None
        self._is_new = False

    def hear(self, view: bytes, ended: bytes | None) -> None:
        """Takes a view.

        Args:
            view: as in `EncodedView`.
            ended: as in `EncodedView`; ``None``: that of before.
        """
        self._bytes = view
        if ended is not None and ended is not self._ended_bytes:
            self._ended_bytes, self._is_new = ended, True

    def read(self) -> TableView | None:
        """The last view that was taken, to be looked at only; ``None`` before the first.

        Raises:
            msgspec.MsgspecError: it is no view.
        """
        if self._bytes is not None:
            view = _views.decode(self._bytes)
            if self._is_new and self._ended_bytes is not None:
                self._ended, self._is_new = _ended.decode(self._ended_bytes), False
            view.last, view.results = self._ended.last, self._ended.results
            self._view, self._bytes = view, None
        return self._view
