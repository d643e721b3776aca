"""The state of a table's equipment, for its technician: links, checks, builds. Never a byte of a device."""

from msgspec import Struct


class LinkFault(Struct, frozen=True, kw_only=True):
    """Bytes that made no frame, by their number alone.

    Attributes:
        ago_s: seconds since then.
    """

    ago_s: float
    reason: str
    length: int


class LinkStatus(Struct, frozen=True, kw_only=True):
    """A device's link since the program started.

    Attributes:
        stage: the last one reached: ``disconnected``, ``connected``, ``bytes``, ``frames``, ``events``.
        counts: by name, as in `LinkHealth`.
        faults: the last ones, the newest first.
    """

    device: str
    family: str
    port: str
    stage: str
    advice: str
    connected_s: float | None
    counts: dict[str, int]
    faults: list[LinkFault]


class Check(Struct, frozen=True, kw_only=True):
    """A finding of ``cardshoe doctor``; `level` is ``ok``, ``warning`` or ``problem``."""

    about: str
    level: str
    what: str
    remedy: str = ""


class EquipmentStatus(Struct, frozen=True, kw_only=True):
    """The equipment of a table at one moment.

    Attributes:
        checks: the last ones that were made.
        checked_at: when, RFC 3339, UTC; empty: none has been made yet.
        is_checking: whether new ones are being made.
        next_build: the build that the table takes between two shoe games; empty: none.
        command: which finds the rest once the table is closed.
    """

    links: list[LinkStatus] = []
    checks: list[Check] = []
    checked_at: str = ""
    is_checking: bool = False
    next_build: str = ""
    command: str = ""
