"""The faults of a table's devices as a page shows them."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from cardshoe.screens.view import TableView

FaultTexts = Mapping[str, Mapping[str, tuple[str, str]]]
"""By device and code: name and remedy of a fault. A code that ends with ``*`` is the start of others."""
UNPLUGGED: Final = "Check cable and power of the device."


class FaultShown(Struct, frozen=True, kw_only=True):
    """A fault that is not over, or a link that is down.

    Attributes:
        code: as in the log; empty if the device is disconnected.
        at: since when, RFC 3339, UTC.
        name: what it is, English; empty: unknown.
        remedy: what to do, English; empty: unknown.
    """

    device: str
    code: str = ""
    at: str = ""
    name: str = ""
    remedy: str = ""

    @property
    def lost(self) -> bool:
        """True if the device is disconnected."""
        return not self.code


def faults_of(view: TableView, texts: FaultTexts) -> Sequence[FaultShown]:
    """The faults of all devices, links that are down first."""
    lost = [
        FaultShown(device=name, at=one.since or "", remedy=UNPLUGGED) for name, one in view.devices.items() if one.lost
    ]
    return [
        *lost,
        *(
            FaultShown(device=name, code=str(fault.code), at=fault.at, **_text(texts.get(name, {}), str(fault.code)))
            for name, one in view.devices.items()
            for fault in one.faults
        ),
    ]


def _text(texts: Mapping[str, tuple[str, str]], code: str) -> dict[str, str]:
    found = texts.get(code) or next(
        (said for known, said in texts.items() if known.endswith("*") and code.startswith(known[:-1])), ("", "")
    )
    return dict(zip(("name", "remedy"), found, strict=True))
