"""A typed door to ``construct``, which has no types of its own and raises two families of errors."""

import io
import struct
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import construct

from protocols.errors import EncodeError, FrameError

# A compiled layout raises struct.error where the interpreted one raises StreamError or FormatFieldError.
_FAILURES: Final = (construct.ConstructError, struct.error)


def _outermost() -> construct.Container:
    """What a compiled layout takes for the structure around it.

    The library makes one for each call, and both it and the layout's own then refer to themselves: garbage that only
    Python's collector finds. At a table some thousand come in a second, so they are given one that is there already.
    """
    context = construct.Container()
    context["_params"] = context["_root"] = context
    return context


_OUTERMOST: Final = _outermost()


class Layout:
    """A ``construct`` declaration of fixed size, compiled when it is first used.

    There are more than fifty, and whoever starts uses the few of one family: to compile all takes a tenth of a second.

    Attributes:
        size: how many bytes it describes.
    """

    def __init__(self, *parts: Any) -> None:  # noqa: ANN401  construct's classes are untyped
        """Declare a ``Struct`` of the given parts."""
        self._declared: Final = construct.Struct(*parts)
        self.size: Final[int] = self._declared.sizeof()

    @cached_property
    def _compiled(self) -> construct.Compiled:
        return self._declared.compile()

    def parse(self, raw: bytes) -> Mapping[str, Any]:
        """Return the named fields of ``raw``.

        Raises:
            FrameError: the bytes do not fit the layout; ``construct`` does not say where, so the offset is 0.
        """
        # A compiled Bytes field takes what it gets, long or short, without a word.
        if len(raw) != self.size:
            raise FrameError(min(len(raw), self.size), raw, "length")
        try:
            fields: Mapping[str, Any] = self._compiled.parsefunc(io.BytesIO(raw), _OUTERMOST)
        except _FAILURES as error:
            raise FrameError(0, raw, "payload") from error
        return fields

    def build(self, fields: Mapping[str, Any]) -> bytes:
        """Return the bytes that hold ``fields``.

        Raises:
            EncodeError: a value does not fit its place.
        """
        try:
            built = io.BytesIO()
            self._compiled.buildfunc(fields, built, _OUTERMOST)
        except _FAILURES as error:
            raise EncodeError(dict(fields), str(error)) from error
        raw = built.getvalue()
        if len(raw) != self.size:
            raise EncodeError(dict(fields), f"it takes {len(raw)} bytes where the layout has {self.size}")
        return raw
