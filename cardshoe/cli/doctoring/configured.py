"""The doctor's view of a device in a configuration."""

from typing import Protocol


class DeviceToCheck(Protocol):
    """A device of a configuration."""

    @property
    def name(self) -> str:
        """Its name at the table."""

    @property
    def family(self) -> str:
        """Its family."""

    @property
    def port(self) -> str:
        """Its port's stable name."""

    @property
    def settings(self) -> dict[str, object]:
        """The family's own settings."""
