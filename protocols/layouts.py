"""Typed access to ``construct``."""

import io
import struct
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, Final

import construct

from protocols.errors import EncodeError, FrameError

# A compiled layout raises struct.error where the interpreted one raises StreamError or FormatFieldError.
_FAILURES: Final = (construct.ConstructError, struct.error)


def _outermost() -> construct.Container:
    context = construct.Container()
    context["_params"] = context["_root"] = context
    return context


_OUTERMOST: Final = _outermost()


PAYLOADS: Final = 1024


class Bits:
    """``construct`` takes bits apart one by one; payloads are few, so they are cached."""

    def __init__(self, name: str, *parts: Any) -> None:  # noqa: ANN401  construct's classes are untyped
        self._declared: Final = construct.BitStruct(*parts)
        self.name: Final = name
        self.size: Final[int] = self._declared.sizeof()
        self._parsed: Final = lru_cache(PAYLOADS)(self._declared.parse)
        self._built: Final = lru_cache(PAYLOADS)(lambda fields: self._declared.build(dict(fields)))

    def parse(self, raw: bytes) -> Any:  # noqa: ANN401  construct's container; several callers share it: it is read only
        return self._parsed(raw)

    def build(self, fields: Mapping[str, Any]) -> bytes:
        built: bytes = self._built(tuple(fields.items()))
        return built


class _Plain:
    __slots__ = ("_form", "_names", "_sizes")

    def __init__(self, form: str, names: tuple[str, ...], sizes: dict[str, int]) -> None:
        self._form: Final = struct.Struct(form)
        self._names: Final = names
        self._sizes: Final = sizes

    @classmethod
    def of(cls, declared: construct.Struct) -> "_Plain | None":
        # The form of a declaration, `None` where something else stands in it.
        form, order, names, sizes = "", set(), [], {}
        for part in declared.subcons:
            inner = part.subcon if isinstance(part, construct.Renamed) else None
            if isinstance(inner, construct.FormatField):
                order.add(inner.fmtstr[0])
                form += inner.fmtstr[1]
            elif isinstance(inner, construct.Bytes) and isinstance(inner.length, int):
                form += f"{inner.length}s"
                sizes[part.name] = inner.length
            else:
                return None
            names.append(part.name)
        return cls(min(order, default=">") + form, tuple(names), sizes) if len(order) <= 1 else None

    def parse(self, raw: bytes) -> dict[str, Any]:
        return dict(zip(self._names, self._form.unpack(raw), strict=True))

    def build(self, fields: Mapping[str, Any]) -> bytes:
        for name, size in self._sizes.items():
            value = fields[name]
            if not isinstance(value, bytes) or len(value) != size:
                raise struct.error(f"{name} takes {size} bytes")
        return self._form.pack(*[fields[name] for name in self._names])


class BitLayout:
    """Compiled at first use: all fifty take 0.1 s."""

    def __init__(self, *parts: Any) -> None:  # noqa: ANN401  construct's classes are untyped
        self._bits: Final = tuple(part for part in parts if isinstance(part, Bits))
        whole = (part.name / construct.Bytes(part.size) if isinstance(part, Bits) else part for part in parts)
        self._declared: Final = construct.Struct(*whole)
        self.size: Final[int] = self._declared.sizeof()

    @cached_property
    def _plain(self) -> _Plain | None:
        return _Plain.of(self._declared)

    @cached_property
    def _compiled(self) -> construct.Compiled:
        return self._declared.compile()

    def parse(self, raw: bytes) -> dict[str, Any]:
        """The named fields of ``raw``.

        Raises:
            FrameError: the bytes do not fit; the offset is 0.
        """
        # A compiled Bytes field takes what it gets, long or short, without a word.
        if len(raw) != self.size:
            raise FrameError(min(len(raw), self.size), raw, "length")
        plain = self._plain
        try:
            fields: dict[str, Any] = (
                self._compiled.parsefunc(io.BytesIO(raw), _OUTERMOST) if plain is None else plain.parse(raw)
            )
            for bits in self._bits:
                fields[bits.name] = bits.parse(fields[bits.name])
        except _FAILURES as error:
            raise FrameError(0, raw, "payload") from error
        return fields

    def build(self, fields: Mapping[str, Any]) -> bytes:
        """The bytes of ``fields``.

        Raises:
            EncodeError: a value does not fit its place.
        """
        try:
            whole = fields
            if self._bits:
                whole = {**fields, **{bits.name: bits.build(fields[bits.name]) for bits in self._bits}}
            if self._plain is not None:
                return self._plain.build(whole)
            built = io.BytesIO()
            self._compiled.buildfunc(whole, built, _OUTERMOST)
        except _FAILURES as error:
            raise EncodeError(dict(fields), str(error)) from error
        raw = built.getvalue()
        if len(raw) != self.size:
            raise EncodeError(dict(fields), f"it takes {len(raw)} bytes where the layout has {self.size}")
        return raw
