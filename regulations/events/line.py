"""Fields that all lines, all inputs and all device reports of the log have."""

from msgspec import UNSET, Struct, UnsetType

from regulations.events.ranges import DeviceNumber, LineNumber, Name, Number
from regulations.events.vocabulary import Origin


def event_name(type_name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in type_name).lstrip("_")


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event", tag=event_name):
    """The fields that every written line carries besides its own.

    Attributes:
        seq: number of the line in its log, from 1 without gap.
        at: RFC 3339 time, UTC.
        round: number of the open round in its log, from 1.
        article: the article or reading that decides, ``"55/2004 art. 9.º-3(3)"``.
    """

    seq: LineNumber | UnsetType = UNSET
    at: str | UnsetType = UNSET
    round: Number | UnsetType = UNSET
    article: str | UnsetType = UNSET


class Input(Line, frozen=True, kw_only=True):
    """An input; its ``seq``, ``round`` and ``article`` are not read.

    Attributes:
        origin: who sent it; filled in by the table.
        sealed: hidden part about a card face down, encrypted (reading G8).
        key: a client's key: an input with a known key is not accepted twice (``docs/live.md``).
    """

    origin: Origin | UnsetType = UNSET
    sealed: str | UnsetType = UNSET
    key: Name | UnsetType = UNSET


class DeviceReport(Input, frozen=True, kw_only=True):
    """An input that may come from a device.

    Attributes:
        device: name of the device; of a person's ``loaded`` or ``shuffled``: the equipment used.
        raw: the device's frame, hexadecimal.
        boot: the device's boot count; with ``number`` it identifies an event.
        number: the event's number within that boot, from 1.
    """

    device: Name | UnsetType = UNSET
    raw: str | UnsetType = UNSET
    boot: DeviceNumber | UnsetType = UNSET
    number: DeviceNumber | UnsetType = UNSET
