"""Views as bytes, made once for all viewers."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import NODEFAULT, UNSET, Raw, Struct

from cardshoe.screens.view.parts import Profile, RoundOutcome, RoundView, ShoeView
from cardshoe.screens.view.view import TableView
from regulations.events.outputs import Next

IN_THE_PROMPT: Final = ("prompt", "seq", "at", "phase")
COMPARED: Final = ("profile", "shoe", "round", "last")
_FIELDS: Final[dict[type, dict[str, tuple[Any, msgspec.json.Decoder[Any]]]]] = {
    kind: {one.name: (one, msgspec.json.Decoder(one.type)) for one in msgspec.structs.fields(kind)}
    for kind in (TableView, Profile, ShoeView, RoundView)
}
_encode: Final = msgspec.json.Encoder().encode
_members: Final = msgspec.json.Decoder(dict[str, Raw])
_prompts: Final = msgspec.json.Decoder(Next)
_views: Final = msgspec.json.Decoder(TableView)


class EncodedView(NamedTuple):
    seq: int
    now: bytes
    ended: bytes

    @property
    def whole(self) -> bytes:
        """The view as JSON."""
        return b"%b,%b" % (self.now[:-1], self.ended[1:])

    def decoded(self) -> TableView:
        """The view."""
        return _views.decode(self.whole)

    def changes(self, before: "EncodedView") -> bytes:
        """The change from an earlier view, as JSON.

        Changed members only; ``null``: default; ``NAME+``: appended items.
        """
        was, now = (_split(one.now) | _split(one.ended) for one in (before, self))
        has_ended = now["last"] != was["last"]
        if has_ended:
            was["last"], was["round"] = was["round"], b"null"
        for name in IN_THE_PROMPT:
            del was[name], now[name]
        found = _changed(was, now)
        for name in COMPARED:
            if (name in found or (has_ended and name == "last")) and was[name] != b"null" != now[name]:
                found[name] = _changed(_split(was[name]), _split(now[name]))
        return _encode(found)


def _split(text: bytes) -> dict[str, bytes]:
    return {name: bytes(member) for name, member in _members.decode(text).items()}


def _changed(was: Mapping[str, bytes], now: Mapping[str, bytes]) -> dict[str, Any]:
    found: dict[str, Any] = dict.fromkeys(was.keys() - now.keys())
    for name, new in now.items():
        old = was.get(name, b"")
        if new.startswith(b"[") and new.startswith(old[:-1] + b","):
            found[f"{name}+"] = Raw(b"[" + new[len(old) :])
        elif new != old:
            found[name] = Raw(new)
    return found


def change(view: TableView, changes: bytes, line: bytes) -> None:
    """Apply a change to a view.

    Raises:
        msgspec.MsgspecError: not a change of this view, or the line is no prompt.
    """
    changed, prompt = _split(changes), _prompts.decode(line)
    if "last" in changed:
        view.last, view.round = view.round, None
    _change(view, changed)
    view.call_for(prompt)


def _change(part: Struct, changed: Mapping[str, bytes]) -> None:
    for name, new in changed.items():
        field, decoder = _FIELDS[type(part)][name.removesuffix("+")]
        old = getattr(part, field.name)
        if new == b"null":
            setattr(part, name, field.default if field.default_factory is NODEFAULT else field.default_factory())
        elif name in COMPARED and old is not None:
            _change(old, _split(new))
        elif name == field.name:
            setattr(part, name, decoder.decode(new))
        else:
            old += decoder.decode(new)


class ViewEncoder:
    """Encodes the views of one table, in order."""

    def __init__(self) -> None:
        self._last: RoundView | None = None
        self._newest: RoundOutcome | None = None
        self._outcomes: list[bytes] = []
        self._ended = b'{"last":null,"results":[]}'

    def encode(self, view: TableView) -> EncodedView:
        """Encode a view."""
        newest = view.results[-1] if view.results else None
        if newest is not self._newest or view.last is not self._last:
            self._add(view.results)
            self._newest, self._last = newest, view.last
            self._ended = b'{"last":%b,"results":[%b]}' % (_encode(view.last), b",".join(self._outcomes))
        return EncodedView(view.seq, _encode(msgspec.structs.replace(view, last=UNSET, results=UNSET)), self._ended)

    def _add(self, results: list[RoundOutcome]) -> None:
        if len(results) > 1 and results[-2] is self._newest:
            self._outcomes.append(_encode(results[-1]))
            del self._outcomes[: -len(results)]
        else:
            self._outcomes = [_encode(one) for one in results]
