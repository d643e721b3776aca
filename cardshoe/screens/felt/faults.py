"""Faults of a table's devices for a page."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from cardshoe.screens.view import TableView

FaultTexts = Mapping[str, Mapping[str, tuple[str, str]]]
"""Name and remedy by device and code; a final ``*`` marks a prefix."""
UNPLUGGED: Final = "Check cable and power of the device."


class FaultShown(Struct, frozen=True, kw_only=True):
    """An open fault or lost link; unknown texts are empty.

    Attributes:
        code: empty: disconnected.
        at: since, RFC 3339, UTC.
    """

    device: str
    code: str = ""
    at: str = ""
    name: str = ""
    remedy: str = ""

    @property
    def lost(self) -> bool:
        return not self.code


def faults_of(view: TableView, texts: FaultTexts) -> Sequence[FaultShown]:
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
