"""The doctor's view of a configured device."""

from typing import Protocol


class DeviceToCheck(Protocol):
    @property
    def name(self) -> str:
        """Name at the table."""

    @property
    def family(self) -> str:
        """Family name."""

    @property
    def port(self) -> str:
        """Stable name of the port."""

    @property
    def settings(self) -> dict[str, object]:
        """Settings of the family."""
